"""Ratings of a plain table whose columns are questions of a protocol: verdicts follow where all is there to decide."""

from __future__ import annotations

from pathlib import Path

from rubrica.core.study import Item, Judgement
from rubrica.core.validation import Validator
from rubrica.exchange.judged_ratings import answers_of, with_verdicts
from rubrica.exchange.rating_values import Reading
from rubrica.exchange.ratings import Layout
from rubrica.protocols.catalog import load_shipped
from tests.exchange.test_ratings import read_ratings

QUESTIONS = ("sensible", "grammatical", "missing_facts", "new_facts", "wrong_split", "further_split")


def _read(tmp_path: Path, columns: tuple[str, ...], *rows: str) -> dict[tuple[str, str], str | None]:
    """*correct* of each rater and item."""
    file = tmp_path / "ratings.csv"
    file.write_text("\n".join([",".join(("item", "who", *columns)), *rows]) + "\n", encoding="utf-8")
    protocol = load_shipped("split_rate").protocol.resolve({})
    layout = Layout(unit=("item",), rater="who", value=columns)
    ratings = read_ratings(file, layout, Reading(), protocol=protocol)
    found = with_verdicts(ratings, protocol)
    assert "protocol:split_rate" in found.sign()
    return {(one.unit, one.rater): one.answers.get("correct") for one in found.every}  # type: ignore[misc]


def test_correct_follows_from_the_six_answers(tmp_path: Path) -> None:
    """5, 5, no, no, no, no is correct; anything else is not; with an answer missing it cannot be told."""
    found = _read(
        tmp_path, QUESTIONS, "1,a,5,5,no,no,no,no", "1,b,5,4,no,no,no,no", "2,a,5,5,no,no,yes,no", "2,b,5,,no,no,no,no"
    )
    assert found == {("1", "a"): "yes", ("1", "b"): "no", ("2", "a"): "no", ("2", "b"): None}


def test_no_verdict_without_its_questions(tmp_path: Path) -> None:
    """A table with some of the questions decides nothing."""
    assert _read(tmp_path, QUESTIONS[:3], "1,a,5,5,no") == {("1", "a"): None}


def test_leaving_an_item_may_be_a_verdict() -> None:
    """Who calls a sentence too simple flags it, who rewrites it does not, and who passes it on says nothing of it."""
    protocol = load_shipped("split_rewrite").protocol.resolve({})
    validator = Validator(protocol)
    left = {
        way: answers_of(validator, Item("1", {}), Judgement({}, (), way)) for way in ("too_simple", "skip", "answered")
    }
    assert left == {"too_simple": {"flagged": "yes"}, "skip": {}, "answered": {"flagged": "no"}}
