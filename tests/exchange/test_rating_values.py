"""Cells as answers: what is taken for what, and what is refused."""

from __future__ import annotations

import pytest

from rubrica.core.answers import NOT_APPLICABLE
from rubrica.core.ratings import (
    CHOICE,
    INTERVAL,
    JACCARD,
    MASI,
    NOMINAL,
    ORDINAL,
    RATIO,
    SCALE,
    TEXT,
    WORDS,
    YES_NO,
    Criterion,
)
from rubrica.exchange.rating_values import Cell, Parsed, Reading, parse_column, parse_seconds


def parse(texts: list[str], reading: Reading | None = None, known: Criterion | None = None) -> Parsed:
    """A column of these texts, from line 2 on."""
    return parse_column(
        "q", [Cell(text, line) for line, text in enumerate(texts, start=2)], reading or Reading(), known
    )


@pytest.mark.parametrize(
    ("texts", "level", "answers"),
    [
        (["1", " 2 ", "3.0"], ORDINAL, [1, 2, 3]),
        (["1.5", "-2", "−3"], INTERVAL, [1.5, -2, -3]),
        ([str(n) for n in range(12)], INTERVAL, list(range(12))),
        (["1e2", "5"], ORDINAL, [100, 5]),
        (["yes", "no", "none"], NOMINAL, ["yes", "no", "none"]),
        (["3", "x", "y", "4"], NOMINAL, ["3", "x", "y", "4"]),
        (["True", "False"], NOMINAL, ["True", "False"]),
    ],
)
def test_what_is_guessed(texts: list[str], level: str, answers: list[object]) -> None:
    """Few whole numbers are ordinal, other numbers an interval scale, words nominal; and it is said."""
    found = parse(texts)
    assert (found.criterion.level, found.answers, found.problems) == (level, answers, [])
    assert f"taken as {level}" in found.remark


def test_what_people_wrote_is_no_label() -> None:
    """Long texts, nearly all different, are free text; long labels that come again and again stay labels."""
    written = [f"the words that somebody found for text {number}" for number in range(30)]
    found = parse([*written, written[0], written[0], ""])
    assert (found.criterion.kind, found.criterion.comparable) == (TEXT, False)
    assert "30 different texts, taken as free text" in found.remark
    assert parse(written, Reading(NOMINAL)).criterion.kind == CHOICE
    assert parse(["it keeps the whole meaning", "it loses something that matters"] * 30).criterion.kind == CHOICE
    assert parse(["yes", "no", *(f"u{number}" for number in range(30))]).criterion.kind == CHOICE


def test_missing_is_spelt_exactly() -> None:
    """``NA`` and ``None`` are no answer, ``none`` is one; blanks are none; not applicable is a value of its own."""
    found = parse(["NA", "", "  ", "None", "nan", "#N/A", "n/a", "-nan", "not_applicable", "none", "some"])
    assert found.answers == [None] * 8 + [NOT_APPLICABLE, "none", "some"]


def test_decimal_commas_are_never_labels() -> None:
    """A column full of decimal commas holds numbers, not labels."""
    found = parse(["3,5", "2,5", "4,0", "0,125"])
    assert not found.problems
    assert found.answers == [3.5, 2.5, 4, 0.125]


def test_commas_that_could_be_of_thousands_are_never_labels() -> None:
    """A column in which nobody can know what the comma means is refused, not taken for labels."""
    found = parse(["3,500", "2,500", "4,000"])
    assert [problem.rule for problem in found.problems] == ["decimal"] * 3
    assert "like 1234.5" in found.problems[0].fix


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("1,000", "decimal"),
        ("1.234,5", "decimal"),
        ("1,234.5", "decimal"),
        ("1\u202f234,5", "decimal"),
        ("2026-03-05 00:00:00", "date"),
        ("3/5/2026", "date"),
        ("#DIV/0!", "error"),
        ('{"a": 1}', "object"),
    ],
)
def test_what_looks_like_a_number_and_is_none(text: str, rule: str) -> None:
    """Thousands, dates that a spreadsheet made, its errors, objects: refused for what they are."""
    (problem,) = parse(["1", "2", text, "4"]).problems
    assert (problem.rule, problem.line, problem.value) == (rule, 4, text)


def test_asked_for_labels_everything_but_an_error_is_one() -> None:
    """Dates and numbers with commas are labels where labels are asked for; an error of a spreadsheet never is."""
    found = parse(["2026-03-05", "1,5", "x", "#REF!"], Reading(level=NOMINAL))
    assert found.answers == ["2026-03-05", "1,5", "x", None]
    assert [problem.rule for problem in found.problems] == ["error"]


def test_lists_are_sets() -> None:
    """A column of lists is taken for sets at a level for sets, and it is said; the empty list is an answer."""
    found = parse(['["b", "a"]', "[]", "", "NA"])
    assert (found.criterion.level, found.answers) == (MASI, [("a", "b"), (), None, None])
    assert "taken as sets at the level masi" in found.remark


def test_a_word_among_numbers_is_a_problem() -> None:
    """One word among numbers is a mistake; as nominal, all are labels."""
    assert [problem.value for problem in parse(["1", "2", "x", "4"]).problems] == ["x"]
    assert parse(["1", "2", "x", "4"], Reading(level=NOMINAL)).answers == ["1", "2", "x", "4"]
    assert parse(["1", "2"], Reading(level=NOMINAL)).criterion.kind == CHOICE


@pytest.mark.parametrize(
    ("level", "fix"), [(ORDINAL, "--scale LOW,…,HIGH"), (INTERVAL, "--level nominal"), (RATIO, "--level nominal")]
)
def test_labels_have_no_order_of_their_own(level: str, fix: str) -> None:
    """Ordinal labels need a scale: one message for the column, with the fix."""
    (problem,) = parse(["good", "bad", "fair", "awful"], Reading(level=level)).problems
    assert problem.rule == "level"
    assert "awful, bad, fair, …" in problem.what
    assert fix in problem.fix


def test_labels_on_a_scale() -> None:
    """Labels in the order that was given; whatever is not on it is refused, with the ones that are."""
    scale = Reading(scale=("bad", "fair", "good"))
    found = parse(["good", "bad", "NA"], scale)
    assert (found.criterion.level, found.criterion.kind, found.criterion.values) == (ORDINAL, SCALE, scale.scale)
    assert (found.answers, found.criterion.good) == (["good", "bad", None], "good")
    assert parse(["god"], scale).problems[0].fix == "Use one of bad, fair, good."
    assert "no distances" in parse(["good"], scale._replace(level=INTERVAL)).problems[0].what


def test_numbers_on_a_scale() -> None:
    """A scale of numbers takes 3 and 3.0, and keeps points that nobody chose."""
    found = parse(["3", "3.0", "1"], Reading(scale=("1", "2", "3")))
    assert (found.answers, found.criterion.values) == ([3, 3, 1], (1, 2, 3))
    assert parse(["4"], Reading(scale=("1", "2", "3"))).problems[0].rule == "scale"


def test_a_scale_may_hold_a_word_for_missing() -> None:
    """On a scale that has NA, it is an answer."""
    assert parse(["NA", "ok"], Reading(scale=("NA", "ok"))).answers == ["NA", "ok"]


def test_sets() -> None:
    """Sets are parted by a sign or written as JSON; order and repetition do not matter; [] is the empty set."""
    found = parse(["b;a", '["a", "b", "a"]', "[]", "", "a"], Reading(level=MASI))
    assert found.answers == [("a", "b"), ("a", "b"), (), None, ("a",)]
    assert parse(["a b"], Reading(level=JACCARD, separator=" ")).answers == [("a", "b")]
    assert parse(['["a"'], Reading(level=MASI)).problems[0].rule == "set"


def test_questions_of_a_protocol() -> None:
    """What a protocol allows is known, so nothing is guessed."""
    yes_no = Criterion("q", "Fact left out?", YES_NO, NOMINAL, ("no", "yes"), "no")
    found = parse(["yes", "no", ""], known=yes_no)
    assert (found.criterion, found.answers, found.remark) == (yes_no, ["yes", "no", None], "")
    assert parse(["maybe"], known=yes_no).problems[0].fix == "Use one of no, yes."
    slider = Criterion("q", "Score", SCALE, INTERVAL)
    assert parse(["1", "2"], known=slider).criterion == slider
    assert parse(["x"], known=slider).problems
    words = Criterion("q", "Substitutes", WORDS, MASI)
    assert parse(["big;large"], known=words).answers == [("big", "large")]


def test_seconds_are_numbers_from_zero_on() -> None:
    """A word is no time even where most are; what means no answer means no time."""
    found = parse_seconds("s", [Cell(text, 2) for text in ("3.5", "soon", "late", "-1", "-99", "NA")], ("-99",))
    assert found.answers == [3.5, None, None, -1, None, None]
    assert [(problem.value, problem.rule) for problem in found.problems] == [
        ("soon", "number"),
        ("late", "number"),
        ("-1", "level"),
    ]
