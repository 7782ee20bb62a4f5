"""Scores and rated units find each other by names, ids and texts; what does not join is counted or refused."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path

import pytest

from rubrica.core.errors import InputError
from rubrica.core.ratings import Ratings, Unit
from rubrica.exchange.score_units import join_scores
from rubrica.exchange.scores import ScoreTable, sentence_scores
from rubrica.exchange.tables import read_table

UNITS = tuple(
    Unit(f"{source} / {system}", system, source, texts={"source": f"Text {source}.", "rewrite": f"{system} {source}."})
    for source in ("1", "2")
    for system in ("old", "new")
)
RATINGS = Ratings("made", (), (), {unit.key: unit for unit in UNITS}, {}, {"system": "who"})


def scores(folder: Path, header: str, rows: Sequence[str], **options: str) -> ScoreTable:
    """A table of scores, written and read."""
    path = folder / "scores.csv"
    with path.open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream).writerows([header.split(), *(row.split(";") for row in rows)])
    return sentence_scores(read_table(path), **{name: value.split() for name, value in options.items()})  # type: ignore[arg-type]


WAYS = {
    "own names": ("n who m", ["1;old;5", "2;new;7"], ("n", "who"), ()),
    "ids and systems": ("id system m", ["1;old;5", "2;new;7"], (), ()),
    "the ratings' name of the system": ("id who m", ["1;old;5", "2;new;7"], (), ("id", "who")),
    "ids of items": ("id m", ["1 / old;5", "2 / new;7"], (), ()),
    "items and systems": ("item system m", ["1 / old;old;5", "2 / new;new;7"], (), ()),
    "texts": ("source rewrite m", ["Text 1.;old 1.;5", "Text 2.;new 2.;7"], (), ()),
    "other columns": ("a b m", ["1;old;5", "2;new;7"], (), ("a", "b")),
}


@pytest.mark.parametrize("way", WAYS)
def test_ways_to_join(tmp_path: Path, way: str) -> None:
    """The same two scores, whatever the columns are called."""
    header, rows, own, given = WAYS[way]
    table = scores(tmp_path, header, [*rows, rows[0].replace("old", "odd")], wanted="m")
    joined = join_scores(RATINGS, table, UNITS, own, given)
    assert joined.scores == {"1 / old": {"m": 5.0}, "2 / new": {"m": 7.0}}
    assert (joined.unscored, joined.unrated) == (2, 1)


def test_several_scores_of_an_id_are_not_mixed(tmp_path: Path) -> None:
    """Systems that are called differently do not join by id alone; the error shows both sides."""
    table = scores(tmp_path, "id system m", ["1;Old;5", "1;New;6"])
    with pytest.raises(InputError, match="units such as '1 / old', and scores, by id, system, such as '1 / Old'"):
        join_scores(RATINGS, table, UNITS)


def test_one_score_of_each_metric(tmp_path: Path) -> None:
    """Repeated rows with the same score are one; another score is refused with both lines."""
    same = scores(tmp_path, "id system m", ["1;old;5", "1;old;5.0"])
    assert join_scores(RATINGS, same, UNITS).scores == {"1 / old": {"m": 5.0}}
    other = scores(tmp_path, "id system m", ["1;old;5", "1;old;6"])
    with pytest.raises(InputError, match=r"scores.csv:3: .* already in line 2"):
        join_scores(RATINGS, other, UNITS)


def test_a_long_table_is_told_how_to_be_read(tmp_path: Path) -> None:
    """Where another column tells two scores of a unit apart, it may be that of the metrics."""
    long = scores(tmp_path, "id system name value", ["1;old;bleu;5", "1;old;sari;6"])
    with pytest.raises(InputError, match="If 'name' says which metric a row has: --metric name --score value"):
        join_scores(RATINGS, long, UNITS)


def test_a_column_of_infinite_numbers_is_refused(tmp_path: Path) -> None:
    """It holds scores that went wrong, and is not passed over as if it were text; so is a table without rows."""
    with pytest.raises(InputError) as caught:
        scores(tmp_path, "id m k", ["1;inf;1", "2;-inf;2"])
    assert [(problem.line, problem.value) for problem in caught.value.problems] == [(2, "inf"), (3, "-inf")]
    with pytest.raises(InputError, match="no rows of scores below the header"):
        scores(tmp_path, "id m", [])


def test_columns_of_numbers_are_metrics(tmp_path: Path) -> None:
    """Not names, texts and words; an empty cell is no score; a typing mistake is refused by line, not skipped."""
    table = scores(tmp_path, "id note m k", ["1;fine;5;", "2;so;6;NA", "3;on;7;2"])
    assert table.metrics == ("m", "k")
    assert table.scores == ({"m": 5.0}, {"m": 6.0}, {"m": 7.0, "k": 2.0})
    assert scores(tmp_path, "id m", ["1;5", "2;6,5", "3;7"]).scores[1] == {"m": 6.5}
    with pytest.raises(InputError) as caught:
        scores(tmp_path, "id m", ["1;5", "2;6,500", "3;7", "4;inf"])
    assert [(problem.line, problem.rule) for problem in caught.value.problems] == [(3, "decimal"), (5, "finite")]
    with pytest.raises(InputError, match="Did you mean 'mark'"):
        scores(tmp_path, "id mark", ["1;5"], wanted="marks")
