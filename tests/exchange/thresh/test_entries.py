"""Entries of Thresh files as judgements: everything in its place, and what has none flagged."""

from __future__ import annotations

from rubrica.core.edits import Span
from rubrica.exchange.thresh.answers import names_of
from rubrica.exchange.thresh.entries import ANNOTATORS, SYSTEMS, item_of, named_in
from rubrica.exchange.thresh.writing import EntryWriter, Judged
from rubrica.protocols.catalog import load_shipped, shipped
from tests.exchange.thresh.data import ENTRIES, TARGET, bakery, reader

PROTOCOL = bakery()


def test_texts_and_metadata_make_an_item() -> None:
    """Contexts are texts too; the system and the annotator are no metadata of the item, the rest is text."""
    first, second = (item_of(entry, PROTOCOL, "1") for entry in ENTRIES[:2])
    assert first.system == "mill-2"
    assert first.metadata == {"score": "1.5", "tags": '["a", {"b": null}]'}
    assert list(second.fields) == ["context", "source_context_before", "source", "rewrite", "target_context_after"]
    assert named_in(ENTRIES[0], ANNOTATORS) == "ana"
    assert named_in({"metadata": {"Rater": 7}}, ANNOTATORS) == "7"
    assert named_in({"metadata": {"model": "m"}}, SYSTEMS) == "m"
    assert named_in({"metadata": "ana"}, ANNOTATORS) == ""


def test_edits_spans_and_answers() -> None:
    """Numbers count per category, constituents name their composite, spans are code points."""
    item = item_of(ENTRIES[0], PROTOCOL, "1")
    read = reader(PROTOCOL).read(ENTRIES[0], item)
    assert read.judgement is not None
    edits = {edit.id: edit for edit in read.judgement.edits}
    assert list(edits) == [
        "left_out-1",
        "left_out-4",
        "put_in-1",
        "put_in-2",
        "rebuilt-1",
        "swapped-1",
        "put_in-3",
    ]
    assert edits["left_out-1"].answers == {
        "left_out_loss": "needed",
        "left_out_loss_needed": 2,
        "grammar_eror": "no",
    }
    # The emoji is one code point and two units: 47 in the file is 46 here.
    assert edits["put_in-1"].rewrite == (Span(46, 56),)
    assert edits["put_in-1"].rewrite[0].of(TARGET) == "overnight."
    assert edits["put_in-1"].answers == {"helps": "yes", "helps_yes": 4, "why": "Says how long."}
    assert edits["swapped-1"].parent == edits["put_in-3"].parent == "rebuilt-1"
    # Two insertions do not answer grammar_eror, which the template asks.
    assert [(flag.rule, flag.edit, flag.question) for flag in read.flags] == [
        ("required", "put_in-1", "grammar_eror"),
        ("required", "put_in-2", "grammar_eror"),
    ]


def test_oddities_are_kept_and_flagged() -> None:
    """Spans outside the text stay; unknown categories and answers stay in the entry; each has its flag."""
    read = reader(PROTOCOL).read(ENTRIES[1], item_of(ENTRIES[1], PROTOCOL, "2"))
    assert read.judgement is not None
    assert read.judgement.answers == {"comment": "Strange oven."}
    edits = {edit.id: edit for edit in read.judgement.edits}
    assert list(edits) == ["swapped-1", "swapped-2", "left_out-1", "left_out-1~2", "put_in-9"]
    assert edits["left_out-1"].source == (Span(12, 99),)
    assert edits["left_out-1~2"].source == (Span(-3, 2),)
    assert edits["put_in-9"].rewrite == ()
    rules = {(flag.rule, flag.edit) for flag in read.flags if flag.rule != "required"}
    assert rules == {
        ("duplicate_edit", "left_out-1~2"),
        ("unknown_answer", "left_out-1~2"),
        ("unknown_category", "edit 5"),
        ("form", "put_in-9"),
        ("unknown_answer", "put_in-9"),
        ("span", "left_out-1"),
        ("span", "left_out-1~2"),
        ("span", "put_in-9"),
    }


def test_a_span_without_its_list() -> None:
    """A side that has one span may have it bare; it is read, and comes out bare."""
    entry = {"source": "Stir 🥖 it.", "edits": [{"id": 1, "category": "Left out", "input_idx": [8, 10]}]}
    item = item_of(entry, PROTOCOL, "1")
    read = reader(PROTOCOL).read(entry, item)
    assert read.judgement is not None
    assert read.judgement.edits[0].source == (Span(7, 9),)
    writer = EntryWriter(names_of(PROTOCOL), "codepoints")
    counted = writer.again(entry, Judged(item, "ana", read.judgement), reader(PROTOCOL))
    assert counted["edits"][0]["input_idx"] == [7, 9]


def test_without_edits_nobody_annotated() -> None:
    """Absent or null is no judgement; an empty list is a judgement that finds nothing."""
    found = [reader(PROTOCOL).read(entry, item_of(entry, PROTOCOL, "x")).judgement for entry in ENTRIES[2:5]]
    assert found[0] is None
    assert found[1] is not None
    assert found[1].edits == ()
    assert found[2] is None


def test_every_edit_protocol_has_names() -> None:
    """A protocol without a dictionary is written by its ids; our SALSA has the names of the published files."""
    for name in shipped():
        protocol = load_shipped(name).protocol
        operations = [operation.id for operation in protocol.edits.operations] if protocol.edits else []
        assert [category.operation for category in names_of(protocol).categories] == operations
    salsa = names_of(load_shipped("salsa").protocol)
    assert [answer.name for answer in salsa.by_operation["substitution"].answers] == [
        "substitution_info_change",
        "coreference",
        "grammar_error",
    ]


def test_salsa_files_fit_our_salsa() -> None:
    """Published answers become ours; what our protocol does not ask there stays in the entry."""
    protocol = load_shipped("salsa").protocol
    entry = {
        "source": "He perambulated home, being tired.",
        "target": "He walked home.",
        "edits": [
            {
                "id": 1,
                "category": "deletion",
                "input_idx": [[21, 34]],
                "annotation": {
                    "deletion_type": {"val": "good_deletion", "good_deletion": "minor"},
                    "coreference": "no",
                    "grammar_error": "no",
                },
            },
            {
                "id": 1,
                "category": "substitution",
                "input_idx": [[3, 15]],
                "output_idx": [[3, 9]],
                "annotation": {
                    "substitution_info_change": {
                        "val": "more",
                        "more": {"val": "facutal_error", "facutal_error": "a lot"},
                    },
                    "grammar_error": "yes",
                },
            },
        ],
    }
    read = reader(protocol).read(entry, item_of(entry, protocol, "1"))
    assert read.judgement is not None
    assert [dict(edit.answers) for edit in read.judgement.edits] == [
        {"information": "less", "deletion_type": "good_deletion", "efficacy": 1, "grammar_error": "no"},
        {"information": "more", "insertion_type": "factual_error", "severity": 3, "grammar_error": "yes"},
    ]
    assert [(flag.rule, flag.question) for flag in read.flags] == [("not_shown", "coreference")]
