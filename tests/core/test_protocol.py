"""Protocols as objects: finding things in them, and settling their texts for a study."""

import attrs
import pytest

from rubrica.core.protocol import UNCOMFORTABLE, Operation, Parameter
from rubrica.core.texts import Text, Wordings, plain, shown
from rubrica.protocols.catalog import load_shipped
from tests.core.sample import PROTOCOL, WORDS


def test_finds_questions_on_items_and_on_edits() -> None:
    """All questions are found by id, wherever they are asked."""
    assert list(PROTOCOL.questions_by_id)[-3:] == ["change", "harm", "helps"]
    assert PROTOCOL.scale_of(PROTOCOL.questions_by_id["harm"]) is PROTOCOL.scales["points"]


def test_finds_stages() -> None:
    """A stage is found by id; an unknown one is a KeyError that names it."""
    assert PROTOCOL.stage("select").asks == ("quality", "change")
    with pytest.raises(KeyError, match="nowhere"):
        PROTOCOL.stage("nowhere")


def test_everybody_may_leave_an_item() -> None:
    """Each protocol has the way out for items that somebody would rather not judge, and it passes them on."""
    assert PROTOCOL.all_ways_out() == ("too_simple", "skip", UNCOMFORTABLE)
    passed_on = {way: PROTOCOL.passes_on(way) for way in (*PROTOCOL.all_ways_out(), "answered")}
    assert passed_on == {"too_simple": False, "skip": True, UNCOMFORTABLE: True, "answered": False}


def test_operations_have_their_own_questions() -> None:
    """The question tree of an operation holds what is asked about it; composites are those with constituents."""
    assert PROTOCOL.edits is not None
    assert [question.id for question in PROTOCOL.edits.questions_for("split")] == ["helps"]
    assert [operation.composite for operation in PROTOCOL.edits.operations] == [False, False, True]
    assert isinstance(PROTOCOL.edits.by_id["split"], Operation)


WORDED = attrs.evolve(
    PROTOCOL,
    title=Wordings(
        "wording", {"you": plain("for you"), "others": Text({"en": "for {reader}", "es": "a {reader}"}, "en")}
    ),
    parameters=(
        Parameter("wording", WORDS, plain("you"), ("you", "others")),
        Parameter("reader", WORDS, Text({"en": "a child", "es": "un niño"}, "en")),
    ),
)


@pytest.mark.parametrize(
    ("given", "language", "expected"),
    [
        ({}, "en", "for you"),
        ({"wording": "others"}, "en", "for a child"),
        ({"wording": "others"}, "es", "a un niño"),
        ({"wording": "others", "reader": "Ana"}, "es", "a Ana"),
    ],
)
def test_parameters_settle_the_texts(given: dict[str, str], language: str, expected: str) -> None:
    """Wordings are chosen and names filled in, by the defaults or by what the study sets."""
    assert shown(WORDED.resolve(given).title, language) == expected


def test_settling_keeps_the_rest() -> None:
    """Parameters, hash and everything without a placeholder stay as they are."""
    resolved = WORDED.resolve({"wording": "others"})
    assert attrs.evolve(resolved, title=WORDED.title) == WORDED
    assert PROTOCOL.resolve({}) == PROTOCOL


def test_settling_reaches_every_text() -> None:
    """No wording and no placeholder is left anywhere in a settled protocol."""
    for protocol_id in ("adequacy_fluency", "lexical_complexity", "lexical_posthoc", "lexical_simplification"):
        settled = repr(load_shipped(protocol_id).protocol.resolve({"wording": "audience"}))
        assert "Wordings(" not in settled
        assert "{audience}" not in settled
        assert "{language}" not in settled
