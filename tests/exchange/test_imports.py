"""Files of judgements that were not written by an export: every line that cannot be understood is named."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from rubrica.core.edits import Edit, Span
from rubrica.core.errors import InputError, Problem
from rubrica.exchange.imports import read_records
from tests.exchange.sheet_making import protocol_of

GOOD = {"item": "1", "annotator": "a", "answers": {"meaning": 3}, "fields": {"source": "x", "rewrite": "y"}}


def lines_of(tmp_path: Path, *lines: Any) -> Path:
    """A file of JSON lines; a text is written as it is."""
    path = tmp_path / "judgements.jsonl"
    path.write_text("".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines))
    return path


def refused(path: Path, protocol_id: str = "breve") -> list[Problem]:
    """The problems for which a file is refused."""
    with pytest.raises(InputError) as caught:
        read_records(path, protocol_of(protocol_id))
    assert all(problem.file == str(path) and problem.fix for problem in caught.value.problems)
    return list(caught.value.problems)


BAD = {
    "not JSON": ("{", "json"),
    "not an object": ("[]", "json"),
    "nested without end": ("[" * 100_000, "json"),
    "a number that is none": ('{"seconds": NaN}', "json"),
    "an unknown key": ({**GOOD, "mood": "good"}, "unknown_key"),
    "no item": ({**GOOD, "item": ""}, "required"),
    "no annotator": ({**GOOD, "annotator": None}, "required"),
    "answers in a list": ({**GOOD, "answers": [1]}, "form"),
    "an answer that is an object": ({**GOOD, "answers": {"meaning": {"value": 3}}}, "form"),
    "an answer that is true": ({**GOOD, "answers": {"concern": True}}, "form"),
    "an answer that is null": ({**GOOD, "answers": {"meaning": None}}, "form"),
    "a list of numbers": ({**GOOD, "answers": {"concern_kinds": [1, 2]}}, "form"),
    "a list of lists": ({**GOOD, "answers": {"concern_kinds": [["hate"]]}}, "form"),
    "edits in an object": ({**GOOD, "edits": {"1": "deletion"}}, "form"),
    "an edit without an operation": ({**GOOD, "edits": [{"id": "1"}]}, "form"),
    "a span of words": ({**GOOD, "edits": [{"id": "1", "operation": "deletion", "source": [["a", "b"]]}]}, "form"),
    "a span of three": ({**GOOD, "edits": [{"id": "1", "operation": "deletion", "source": [[1, 2, 3]]}]}, "form"),
    "a span of fractions": ({**GOOD, "edits": [{"id": "1", "operation": "deletion", "source": [[0.5, 2]]}]}, "form"),
    "fields in a list": ({**GOOD, "fields": ["x"]}, "form"),
    "a date that is none": ({**GOOD, "submitted_at": "yesterday"}, "form"),
    "seconds that are none": ({**GOOD, "seconds": "long"}, "form"),
    "a revision without end": ('{"item": "1", "annotator": "a", "revision": 1e999}', "json"),
    "a NUL character": ('{"item": "1", "annotator": "a", "answers": {"comment": "a\\u0000"}}', "characters"),
    "half of a pair": ('{"item": "1", "annotator": "a", "answers": {"comment": "\\ud83d"}}', "characters"),
    "half of a pair in a key": ('{"item": "1", "annotator": "a", "fields": {"\\ud83d": "x"}}', "characters"),
}


@pytest.mark.parametrize(("line", "rule"), BAD.values(), ids=BAD.keys())
def test_a_line_that_cannot_be_understood_is_named(line: Any, rule: str, tmp_path: Path) -> None:
    """One message with the line and the rule, whatever was in it."""
    problems = refused(lines_of(tmp_path, GOOD, line, GOOD))
    assert [(problem.rule, problem.line) for problem in problems] == [(rule, 2)]


def test_all_bad_lines_are_named_at_once_in_their_order(tmp_path: Path) -> None:
    """Nothing is returned as long as one line is wrong."""
    problems = refused(lines_of(tmp_path, *(line for line, _ in BAD.values())))
    assert [problem.line for problem in problems] == list(range(1, len(BAD) + 1))


def test_a_text_that_spells_an_escape_is_no_broken_character(tmp_path: Path) -> None:
    """A comment about the characters backslash, u and zeros is a comment."""
    comment = "write \\u0000 here 👍"
    ((_, record),) = read_records(lines_of(tmp_path, {**GOOD, "answers": {"comment": comment}}), protocol_of("breve"))
    assert record.judgement.answers == {"comment": comment}


def test_whole_numbers_may_be_written_as_other_tools_write_them(tmp_path: Path) -> None:
    """3.0 is the 3 of a scale; numbers as ids are text; a missing stage is the first."""
    line = {"item": 0, "annotator": 7, "answers": {"meaning": 3.0, "comment": "3.0"}}
    ((_, record),) = read_records(lines_of(tmp_path, line), protocol_of("breve"))
    assert (record.item.key, record.annotator, record.stage) == ("0", "7", "rate")
    assert record.judgement.answers == {"meaning": 3, "comment": "3.0"}
    assert type(record.judgement.answers["meaning"]) is int


def test_edits_are_taken_with_spans_answers_and_parents(tmp_path: Path) -> None:
    """An edit of another tool, written by hand, is an edit."""
    edits = [
        {"id": 1, "operation": "split", "answers": {"information": "same"}},
        {"id": 2, "operation": "deletion", "source": [[0, 3]], "parent": 1},
    ]
    ((_, record),) = read_records(lines_of(tmp_path, {**GOOD, "edits": edits}), protocol_of("salsa"))
    assert record.judgement.edits == (
        Edit("1", "split", answers={"information": "same"}),
        Edit("2", "deletion", (Span(0, 3),), parent="1"),
    )


TABLE = "item,annotator,meaning,concern_kinds,edits,metadata,not_applicable,submitted_at\n"
BAD_ROWS = {
    "a list that is none": ("1,a,3,hate,,,,", "form"),
    "an object for a list": ('1,a,3,"{""hate"": 1}",,,,', "form"),
    "edits that are no JSON": ("1,a,3,,x,,,", "form"),
    "edits that are no list": ("1,a,3,,{},,,", "form"),
    "metadata that is no object": ("1,a,3,,,[1],,", "form"),
    "a list of questions that is none": ("1,a,3,,,,severity,", "form"),
    "a date that is none": ("1,a,3,,,,,soon", "form"),
    "no item": (",a,3,,,,,", "required"),
    "a field too many": ("1,a,3,,,,,,,", "width"),
}


@pytest.mark.parametrize(("row", "rule"), BAD_ROWS.values(), ids=BAD_ROWS.keys())
def test_a_row_that_cannot_be_understood_is_named(row: str, rule: str, tmp_path: Path) -> None:
    """The same for tables."""
    path = tmp_path / "judgements.csv"
    path.write_text(f"{TABLE}1,a,3,,,,,\n{row}\n2,a,1,,,,,\n")
    assert [(problem.rule, problem.line) for problem in refused(path)] == [(rule, 3)]


def test_a_table_needs_item_and_annotator(tmp_path: Path) -> None:
    """Without them nobody knows what was judged and by whom."""
    path = tmp_path / "judgements.csv"
    path.write_text("meaning\n3\n")
    (problem,) = refused(path)
    assert (problem.rule, problem.line) == ("columns", 1)
    assert "item or annotator" in problem.what


@pytest.mark.parametrize(("name", "rule"), [("nowhere.jsonl", "file"), ("judgements.doc", "format")])
def test_other_files_are_refused(name: str, rule: str, tmp_path: Path) -> None:
    """A file that is not there, or of another kind, is a problem."""
    if rule == "format":
        (tmp_path / name).write_text("x")
    assert [problem.rule for problem in refused(tmp_path / name)] == [rule]


def test_a_file_without_judgements_is_refused(tmp_path: Path) -> None:
    """An empty import is a mistake."""
    assert [problem.rule for problem in refused(lines_of(tmp_path))] == ["empty"]
