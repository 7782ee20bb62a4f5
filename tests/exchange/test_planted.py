"""Planted units in a table: known answers and repeated units, with every problem named."""

from pathlib import Path

import pytest

from rubrica.core.errors import InputError
from rubrica.core.ratings import Ratings
from rubrica.exchange.planted import Planted, with_planted
from rubrica.exchange.rating_layout import Layout
from rubrica.exchange.rating_values import Reading
from rubrica.exchange.tables import read_table
from tests.exchange.test_ratings import read_ratings

TABLE = """id,system,who,score,label,known,known_label,repeats
1,x,ana,4,yes,,,
1b,x,ana,5,yes,,,1
g,x,ana,2,no,3,yes,
"""
LAYOUT = Layout(unit=("id", "system"), rater="who", value=("score", "label"), system="system")


def read(path: Path, text: str = TABLE) -> Ratings:
    """The table as ratings."""
    path.write_text(text)
    return read_ratings(path, LAYOUT, Reading())


def planted(path: Path, text: str = TABLE, **columns: object) -> Ratings:
    """The same with planted units marked."""
    chosen = Planted(unit=LAYOUT.unit, **columns)  # type: ignore[arg-type]
    return with_planted(read(path, text), read_table(path), chosen, Reading())


def test_known_answers_and_originals(tmp_path: Path) -> None:
    """Each row is plain, a duplicate of the unit that it names, or gold; the signature names the columns."""
    found = planted(tmp_path / "t.csv", gold=("known", "known_label"), duplicate="repeats")
    plain, again, gold = found.every
    assert (plain.planted, again.planted, gold.planted) == ("", "duplicate", "gold")
    assert again.original == plain.unit == "1 / x"
    assert gold.known == {"score": 3, "label": "yes"}
    assert len(found.counted) == 1
    assert "duplicate:repeats" in found.sign()


def test_every_problem_is_named(tmp_path: Path) -> None:
    """A known answer that is no number, an original that nobody rated, a column that does not exist."""
    wrong = TABLE.replace("2,no,3,yes,", "2,no,three,yes,9")
    with pytest.raises(InputError) as raised:
        planted(tmp_path / "t.csv", wrong, gold=("known",), duplicate="repeats")
    assert [(problem.rule, problem.line) for problem in raised.value.problems] == [("level", 4), ("duplicate", 4)]
    with pytest.raises(InputError, match="there is no column 'truth'"):
        planted(tmp_path / "t.csv", gold=("truth",))
