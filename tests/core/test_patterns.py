"""Suspicious patterns: each at its threshold and just short of it."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from rubrica.core.answers import NOT_APPLICABLE
from rubrica.core.patterns import Pattern, Work, suspicious
from rubrica.core.protocol import UNCOMFORTABLE

LONG = "I have nothing to add here."


def works(question: str, *answers: Any, seconds: float | None = None) -> list[Work]:
    """Judgements with one answer each, and a number that makes each differ from the last."""
    return [Work({question: answer, "number": index}, seconds) for index, answer in enumerate(answers)]


MIXED = works("fluency", *[3] * 6, *[2] * 4)


def test_one_label() -> None:
    """Nine of ten answers alike (0.9) where 6 of 10 of the peers' are (0.6) is noticed, with the figures."""
    assert suspicious(works("fluency", *[3] * 9, 2), [MIXED]) == [
        Pattern("one_label", "fluency", {"answer": 3, "share": 0.9, "peers_share": 0.6, "answers": 10})
    ]


def test_no_one_label_short_of_a_threshold() -> None:
    """Eight of ten, nine answers, peers who answer so too (7 of 10), or too few peers' answers are no pattern."""
    assert suspicious(works("fluency", *[3] * 8, 2, 2), [MIXED]) == []
    assert suspicious(works("fluency", *[3] * 9), [MIXED]) == []
    assert suspicious(works("fluency", *[3] * 10), [works("fluency", *[3] * 7, 2, 2, 2)]) == []
    assert suspicious(works("fluency", *[3] * 10), [works("fluency", *[2] * 9)]) == []
    assert suspicious(works("fluency", *[3] * 10), []) == []


def test_one_label_pools_peers_and_ignores_what_is_not_applicable() -> None:
    """Peers count together, several choices are written as one, and *not applicable* is no answer."""
    own = works("kinds", *[("rude", "untrue")] * 10)
    [found] = suspicious(own, [works("kinds", *[("rude",)] * 5)] * 2)
    assert found.detail["answer"] == "rude, untrue"
    assert suspicious(works("kinds", *[NOT_APPLICABLE] * 20), [own]) == []


def test_long_run() -> None:
    """Eight equal judgements in a row are noticed with their place; seven are not, nor eight with one between."""
    alike, other = [Work({"fluency": 3})], [Work({"fluency": 2})]
    assert suspicious(other + alike * 8 + other, []) == [Pattern("long_run", "", {"length": 8, "first": 2})]
    assert suspicious(alike * 7, []) == []
    assert suspicious(alike * 4 + other + alike * 4, []) == []
    assert suspicious([Work({}, outcome="too_simple")] * 8, [])[0].kind == "long_run"


def test_fast() -> None:
    """A median of 3 s beside one of 10 s is less than a third; 4 s is not."""
    peers = [works("fluency", *[3, 2] * 5, seconds=10)]
    assert suspicious(works("fluency", *[3, 2] * 5, seconds=3), peers) == [
        Pattern("fast", "", {"median_seconds": 3, "peers_seconds": 10, "judgements": 10})
    ]
    assert suspicious(works("fluency", *[3, 2] * 5, seconds=4), peers) == []
    assert suspicious(works("fluency", *[3, 2] * 4, seconds=1), peers) == []
    assert suspicious(works("fluency", *[3, 2] * 5), peers) == []
    assert suspicious(works("fluency", *[3, 2] * 5, seconds=1), []) == []


def test_ways_out_are_not_called_fast() -> None:
    """Only judgements that answer are timed."""
    peers = [works("fluency", *[3, 2] * 5, seconds=10)]
    own = [Work({"comment": str(number)}, 1, "too_simple") for number in range(20)]
    assert suspicious(own, peers) == []


def test_pasted() -> None:
    """A text of 20 characters or more in three judgements is noticed, whatever its white space."""
    assert suspicious(works("comment", LONG, f" {LONG}\n", "Fine.", LONG), []) == [
        Pattern("pasted", "comment", {"text": LONG, "judgements": 3})
    ]
    assert suspicious(works("comment", LONG, LONG, "Fine."), []) == []
    assert suspicious(works("comment", *["Nothing to add."] * 3), []) == []


def test_pasted_is_about_texts() -> None:
    """The id of an option is not a text, a short answer is, and a long text is quoted in part."""
    assert suspicious(works("decision", *["accept_with_an_edit_of_mine"] * 3), []) == []
    [found] = suspicious(works("substitutes", *[(LONG * 9, "b")] * 3), [])
    assert len(str(found.detail["text"])) == 80


def test_uncomfortable_items_are_at_no_loss() -> None:
    """Leaving many items in a row because they are uncomfortable is never a pattern."""
    assert suspicious([Work({"comment": LONG}, 1, UNCOMFORTABLE)] * 20, [MIXED]) == []


WORK = st.builds(
    Work,
    st.dictionaries(st.sampled_from("ab"), st.integers(1, 2) | st.just(LONG) | st.just(NOT_APPLICABLE)),
    st.none() | st.floats(0, 100),
    st.sampled_from(["answered", "skip", UNCOMFORTABLE]),
)


@given(st.lists(WORK, max_size=30), st.lists(st.lists(WORK, max_size=20), max_size=3))
def test_any_work_can_be_looked_at(own: list[Work], peers: list[list[Work]]) -> None:
    """No work makes it fail, and fewer than three judgements are never a pattern."""
    assert {found.kind for found in suspicious(own, peers)} <= {"one_label", "long_run", "fast", "pasted"}
    assert suspicious(own[:2], peers) == []
