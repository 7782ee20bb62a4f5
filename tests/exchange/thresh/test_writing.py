"""Judgements as entries of Thresh files: unchanged ones as they were, corrected ones with their correction."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import attrs
import pytest

from rubrica.core.edits import Edit, Span
from rubrica.core.protocol import Protocol
from rubrica.core.simulation import Simulator
from rubrica.core.study import Item, Judgement
from rubrica.exchange.thresh.answers import names_of
from rubrica.exchange.thresh.entries import item_of
from rubrica.exchange.thresh.writing import EntryWriter, Judged
from rubrica.protocols.catalog import load_shipped
from tests.exchange.thresh.data import ENTRIES, bakery, reader

PROTOCOL = bakery()
WRITER = EntryWriter(names_of(PROTOCOL), "utf16")


def judged(entry: dict[str, Any], change: Callable[[tuple[Edit, ...]], tuple[Edit, ...]]) -> Judged:
    """The judgement of an entry with its edits changed."""
    item = item_of(entry, PROTOCOL, "1")
    read = reader(PROTOCOL).read(entry, item).judgement
    assert read is not None
    return Judged(item, "ana", Judgement(read.answers, change(read.edits)))


def again(entry: dict[str, Any], change: Callable[[tuple[Edit, ...]], tuple[Edit, ...]]) -> dict[str, Any]:
    """The entry after its judgement was changed; the entry itself must stay."""
    before = copy.deepcopy(entry)
    written = WRITER.again(entry, judged(entry, change), reader(PROTOCOL))
    assert entry == before
    return written


def corrected(edit_id: str, **changes: Any) -> Callable[[tuple[Edit, ...]], tuple[Edit, ...]]:
    """Corrects one edit."""
    return lambda edits: tuple(attrs.evolve(edit, **changes) if edit.id == edit_id else edit for edit in edits)


@pytest.mark.parametrize("entry", [ENTRIES[0], ENTRIES[1], ENTRIES[3], ENTRIES[5]])
def test_unchanged_entries_are_the_same(entry: dict[str, Any]) -> None:
    """Nothing of an entry that nobody corrected changes, not even the order of its keys."""
    assert again(entry, lambda edits: edits) is entry


def test_a_corrected_answer() -> None:
    """Only that answer changes; everything else is as it was, in its order."""
    answers = {"left_out_loss": "spare", "grammar_eror": "no"}
    written = again(ENTRIES[0], corrected("left_out-1", answers=answers))
    expected = copy.deepcopy(ENTRIES[0])
    expected["edits"][0]["annotation"]["loss"] = {"val": "spare"}
    assert written == expected
    assert list(written) == list(ENTRIES[0])
    assert list(written["edits"][2]) == ["category", "id", "annotation", "output_idx"]


def test_corrected_spans_are_counted_as_the_file_counts() -> None:
    """A span after the emoji is one more in the file than here; a side that was emptied has no key."""
    written = again(ENTRIES[0], corrected("put_in-1", rewrite=(Span(47, 56),)))
    assert written["edits"][2]["output_idx"] == [[48, 57]]
    written = again(ENTRIES[0], corrected("swapped-1", source=(), rewrite=(Span(0, 1),)))
    part = written["edits"][4]["constituent_edits"][0]
    assert part == {"id": 1, "category": "swapped", "output_idx": [[0, 1]]}


def test_a_removed_and_an_added_edit() -> None:
    """The removed one is gone, the added one comes last with the next number of its category."""
    added = Edit("x", "left_out", (Span(0, 5),), answers={"grammar_eror": "yes"})
    written = again(ENTRIES[0], lambda edits: (*edits[1:], added))
    assert [(edit["category"], edit["id"]) for edit in written["edits"]] == [
        ("Left out", 4),
        ("put_in", 1),
        ("put_in", 2),
        ("rebuilt", 1),
        ("Left out", 5),
    ]
    assert written["edits"][4] == {
        "id": 5,
        "category": "Left out",
        "input_idx": [[0, 5]],
        "annotation": {"grammar_eror": "yes"},
    }


def test_another_operation() -> None:
    """The edit gets the other category, its next number there, and its new answers."""
    changed = corrected("left_out-1", operation="swapped", rewrite=(Span(0, 5),), answers={"swapped_loss": "yes"})
    assert again(ENTRIES[0], changed)["edits"][0] == {
        "id": 2,
        "category": "swapped",
        "input_idx": [[16, 21]],
        "output_idx": [[0, 5]],
        "annotation": {"loss": "yes"},
    }


def test_an_edit_moves_into_a_composite_and_another_out() -> None:
    """Both keep their numbers."""
    into = corrected("put_in-2", parent="rebuilt-1", answers={})
    out = corrected("swapped-1", parent="")
    written = again(ENTRIES[0], lambda edits: out(into(edits)))
    shown = [
        (edit["category"], edit["id"], [part["id"] for part in edit.get("constituent_edits", [])])
        for edit in written["edits"]
    ]
    assert shown == [
        ("Left out", 1, []),
        ("Left out", 4, []),
        ("put_in", 1, []),
        ("rebuilt", 1, [3, 2]),
        ("swapped", 1, []),
    ]


def test_what_was_never_understood_stays() -> None:
    """An unknown category and unknown answers survive a correction of other edits and of the comment."""
    judgement = judged(ENTRIES[1], corrected("swapped-2", answers={"swapped_loss": "no", "seen": "yes"}))
    now = judgement._replace(judgement=attrs.evolve(judgement.judgement, answers={}))
    written = WRITER.again(ENTRIES[1], now, reader(PROTOCOL))
    expected = {key: value for key, value in copy.deepcopy(ENTRIES[1]).items() if key != "comment"}
    expected["edits"][1]["annotation"] = {"loss": "no", "seen": {"val": "seen"}}
    assert written == expected
    changed = again(ENTRIES[1], corrected("put_in-9", rewrite=(Span(0, 1),), answers={"grammar_eror": "no"}))
    assert changed["edits"][5]["output_idx"] == [[0, 1]]
    assert changed["edits"][5]["annotation"] == {"helps": {"val": None}, "mood": "sour", "grammar_eror": "no"}


def test_offsets_can_be_counted_anew() -> None:
    """In code points the span after the emoji is one less, and what is no pair stays."""
    points = EntryWriter(names_of(PROTOCOL), "codepoints")
    written = points.again(ENTRIES[0], judged(ENTRIES[0], lambda edits: edits), reader(PROTOCOL))
    expected = copy.deepcopy(ENTRIES[0])
    expected["edits"][2]["output_idx"] = [[46, 56]]
    assert written == expected
    assert points.again(ENTRIES[1], judged(ENTRIES[1], lambda edits: edits), reader(PROTOCOL)) is ENTRIES[1]


def test_a_judgement_made_here() -> None:
    """Edits are numbered per category, constituents after the others; keys stand as in published files."""
    item = Item("1", {"source": "Mix it all.", "rewrite": "Mix.", "context": "Cake"}, "mill", metadata={"page": "3"})
    edits = (
        Edit("1", "rebuilt", answers={"rebuilt_source": "a book"}),
        Edit("2", "left_out", (Span(4, 6),), parent="1"),
        Edit("3", "left_out", (Span(7, 10),), answers={"left_out_loss": "spare", "grammar_eror": "no"}),
    )
    written = WRITER.fresh(Judged(item, "eva", Judgement({"comment": "Hm."}, edits)))
    assert written == {
        "source": "Mix it all.",
        "target": "Mix.",
        "context": "Cake",
        "metadata": {"page": "3", "system": "mill", "annotator": "eva"},
        "edits": [
            {
                "id": 1,
                "category": "rebuilt",
                "constituent_edits": [{"id": 2, "category": "Left out", "input_idx": [[4, 6]]}],
                "annotation": {"source": "a book"},
            },
            {
                "id": 1,
                "category": "Left out",
                "input_idx": [[7, 10]],
                "annotation": {"loss": {"val": "spare"}, "grammar_eror": "no"},
            },
        ],
        "comment": "Hm.",
    }
    assert list(written) == ["source", "target", "context", "metadata", "edits", "comment"]
    assert list(written["edits"][1]) == ["id", "category", "input_idx", "annotation"]


@pytest.mark.parametrize("protocol", [PROTOCOL, load_shipped("salsa").protocol], ids=lambda protocol: protocol.id)
def test_whatever_is_judged_here_is_read_back(protocol: Protocol) -> None:
    """Simulated judgements with edits of every operation and every branch are the same after a Thresh file.

    But for a question with one option: not choosing it is leaving it open.
    """
    stage, scheme = protocol.stages[-1], protocol.edits
    assert scheme is not None
    item = Item("1", {"source": "Stir it 🥖 twice.", "rewrite": "Stir 🥖 it well."})
    given = []
    for number, operation in enumerate(scheme.operations):
        spans = {side: (Span(0, 4),) if side in operation.sides else () for side in ("source", "rewrite")}
        given.append(Edit(f"e{number}", operation.id, **spans))
        if operation.composite:
            given.append(Edit(f"p{number}", operation.constituents[0], (Span(8, 9),), parent=f"e{number}"))
    there, back = EntryWriter(names_of(protocol), "utf16"), reader(protocol)
    for seed in range(60):
        judgement = Simulator(protocol, stage, str(seed)).judge(item, edits=given)
        read = back.read(there.fresh(Judged(item, "ana", judgement)), item)
        assert read.judgement is not None
        assert read.flags == ()
        assert read.judgement.answers == judgement.answers
        assert told(read.judgement) == told(judgement)


def told(judgement: Judgement) -> list[Any]:
    """What the edits of a judgement say, whatever their ids are."""
    return [
        (edit.operation, edit.source, edit.rewrite, {**edit.answers, "seen": edit.answers.get("seen", "no")})
        for edit in judgement.edits
    ]


def test_a_way_out_has_no_edits() -> None:
    """Nobody annotated it, and the metadata say why."""
    written = WRITER.fresh(Judged(Item("1", {"source": "a"}), "eva", Judgement({}, (), "uncomfortable")))
    assert written == {"source": "a", "metadata": {"annotator": "eva", "outcome": "uncomfortable"}}
    entry = {"source": "a", "edits": [], "_thresh_id": 3}
    out = Judged(Item("1", {"source": "a"}), "eva", Judgement({}, (), "uncomfortable"))
    assert WRITER.again(entry, out, reader(PROTOCOL)) == {
        "source": "a",
        "_thresh_id": 3,
        "metadata": {"annotator": "eva", "outcome": "uncomfortable"},
    }
