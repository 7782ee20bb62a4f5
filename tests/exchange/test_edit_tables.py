"""Edits as tables: a row for each edit, and a row for each word and annotator."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

from rubrica.core.edits import Edit, Span
from rubrica.core.study import Item, Judgement
from rubrica.exchange.exports import FORMATS, WRITERS
from rubrica.exchange.records import Record
from rubrica.protocols.catalog import load_shipped

PROTOCOL = load_shipped("salsa").protocol
SOURCE = "He perambulated home, being tired."
REWRITE = "He walked home."
ITEM = Item("p1", {"source": SOURCE, "rewrite": REWRITE}, "sys", group="g")
EDITS = (
    Edit(
        "1",
        "substitution",
        (Span(3, 15),),
        (Span(3, 9),),
        {"information": "same", "paraphrase_impact": "positive", "efficacy": 2, "grammar_error": "no"},
    ),
    Edit("2", "structure", answers={"information": "same", "structure_type": "clausal", "grammar_error": "yes"}),
    Edit("3", "deletion", (Span(21, 99),), parent="2"),
)


def record(annotator: str, *edits: Edit) -> Record:
    """A judgement of the pair."""
    return Record(
        study="s", stage="classify", item=ITEM, annotator=annotator, judgement=Judgement({}, edits), signature="sig"
    )


def written(form: str, *records: Record) -> tuple[int, str]:
    """How many rows a format has, and its text."""
    out = io.BytesIO()
    return WRITERS[form](iter(records), PROTOCOL, out), out.getvalue().decode()


def rows(text: str) -> list[dict[str, Any]]:
    """The rows of a CSV file."""
    return list(csv.DictReader(io.StringIO(text)))


def test_a_row_for_each_edit() -> None:
    """Item, annotator, operation, spans, words, answers, type and parent stand in columns of their own."""
    count, text = written("edits-csv", record("ana", *EDITS), record("ben"))
    found = rows(text)
    assert count == len(found) == 3
    first, second, third = found
    assert (first["item"], first["system"], first["annotator"], first["edit"]) == ("p1", "sys", "ana", "1")
    assert (first["operation"], first["type"], first["kind"], first["also"]) == (
        "substitution",
        "paraphrase",
        "quality",
        "",
    )
    assert (first["source_spans"], first["source_words"], first["rewrite_words"]) == (
        "[[3, 15]]",
        "perambulated",
        "walked",
    )
    assert (first["efficacy"], first["severity"]) == ("2", "")
    # A grammar error counts on top of the type, which is open as long as the impact is not said.
    assert (second["type"], second["also"], second["parent"]) == ("", "grammar", "")
    # The span ends outside the text of 34 characters: its words are those inside, and it is flagged.
    assert (third["parent"], third["source_words"], third["flags"]) == ("2", " being tired.", "outside_source")


def test_an_object_for_each_edit() -> None:
    """The same with its structure."""
    count, text = written("edits-jsonl", record("ana", *EDITS))
    found = [json.loads(line) for line in text.splitlines()]
    assert count == 3
    assert found[0]["source"] == [{"start": 3, "end": 15, "words": "perambulated"}]
    assert found[0]["answers"]["efficacy"] == 2
    assert found[1]["also"] == ["grammar"]
    assert found[2]["flags"] == ["outside_source"]
    assert found[0]["signature"] == "sig"


def test_a_row_for_each_word_and_annotator() -> None:
    """Every word of both texts, labelled or not; a composite edit labels the words of its constituents."""
    count, text = written("words", record("ana", *EDITS), record("ben"))
    found = rows(text)
    # Five words in the source and three in the rewrite, for two annotators.
    assert count == len(found) == 16
    shown = [(row["side"], row["number"], row["word"], row["labels"]) for row in found[:8]]
    assert shown == [
        ("source", "1", "He", ""),
        ("source", "2", "perambulated", "substitution"),
        ("source", "3", "home,", ""),
        ("source", "4", "being", "structure"),
        ("source", "5", "tired.", "structure"),
        ("rewrite", "1", "He", ""),
        ("rewrite", "2", "walked", "substitution"),
        ("rewrite", "3", "home.", ""),
    ]
    marked, broken = found[1], found[3]
    assert (marked["start"], marked["end"], marked["types"], marked["kinds"], marked["rating"]) == (
        "3",
        "15",
        "paraphrase",
        "quality",
        "2",
    )
    assert (broken["types"], broken["kinds"], broken["rating"]) == ("grammar", "error", "")
    assert {row["annotator"] for row in found[8:]} == {"ben"}
    assert not any(row["labels"] for row in found[8:])


def test_every_format_is_known() -> None:
    """What can be written is listed with its ending."""
    of_studies = {"thresh", "profiles", "benchmark", "mlsp", "tsar", "guideline"}
    assert {*WRITERS, *of_studies} == FORMATS.keys()
