"""Annotated pairs out of Thresh JSON."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from rubrica.core.edits import Span
from rubrica.core.errors import InputError
from rubrica.exchange.annotated_pairs import read_thresh_pairs

SPLIT = {
    "id": 1,
    "category": "split",
    "constituent_edits": [
        {"id": 2, "category": "deletion", "input_idx": [[4, 7]]},
        {"id": 1, "category": "insertion", "output_idx": [[5, 8]]},
    ],
    "annotation": {"impact": {"val": "good", "good": "a lot"}, "grammar_error": "no"},
}
DELETION = {"id": 1, "category": "deletion", "input_idx": [[0, 3]], "annotation": None}
ENTRY: dict[str, Any] = {"source": "one two three", "target": "one. Two three", "edits": [DELETION, SPLIT]}


def write(path: Path, data: Any) -> Path:
    """The data as a file."""
    path.write_text(json.dumps(data), encoding="utf-8")
    return path


def test_edits_constituents_and_answers(tmp_path: Path) -> None:
    """Identity is category and id, constituents name their composite, answers are put into our words."""
    (pair,) = read_thresh_pairs(write(tmp_path / "f.json", [ENTRY]))
    names = [(edit.id, edit.operation, edit.parent) for edit in pair.edits]
    assert names == [
        ("deletion-1", "deletion", ""),
        ("split-1", "split", ""),
        ("deletion-2", "deletion", "split-1"),
        ("insertion-1", "insertion", "split-1"),
    ]
    assert pair.edits[1].answers == {"impact": "positive", "efficacy": 3, "grammar_error": "no"}
    assert (pair.edits[2].source, pair.edits[3].rewrite) == ((Span(4, 7),), (Span(5, 8),))


def test_who_and_which_system(tmp_path: Path) -> None:
    """The annotator is the entry's, else the file's name; the system is the entry's."""
    known = {**ENTRY, "metadata": {"annotator": "ana", "system": "s/1"}}
    found = read_thresh_pairs(write(tmp_path / "eva.json", [known, ENTRY]))
    assert [(pair.annotator, pair.system, pair.name) for pair in found] == [("ana", "s/1", "1"), ("eva", "", "2")]


def test_the_same_texts_are_the_same_pair_in_every_file(tmp_path: Path) -> None:
    """Order does not matter; an annotator's second entry of the same texts is another pair, so is another system's."""
    other = {**ENTRY, "target": "other"}
    system = {**ENTRY, "metadata": {"system": "s"}}
    one = read_thresh_pairs(write(tmp_path / "ana.json", [ENTRY, other, ENTRY, system]))
    two = read_thresh_pairs(write(tmp_path / "ben.json", [other, ENTRY, system]))
    keys = [pair.key for pair in one]
    assert len(set(keys)) == 4
    assert [pair.key for pair in two] == [keys[1], keys[0], keys[3]]


def test_entries_without_edits_were_not_annotated(tmp_path: Path) -> None:
    """No edits key is left out, an empty list is an annotation."""
    found = read_thresh_pairs(write(tmp_path / "f.json", [{"source": "a", "target": "b"}, {**ENTRY, "edits": []}]))
    assert [(pair.name, pair.edits) for pair in found] == [("2", ())]


def test_offsets_become_code_points(tmp_path: Path) -> None:
    """JavaScript counts an astral character twice; --offsets codepoints leaves numbers alone."""
    text = "\N{GRINNING FACE} ab"
    # UTF-16 units: the face is 0-2, the space 2-3, a 3-4, b 4-5; one past the end is 6.
    edit = {"id": 1, "category": "deletion", "input_idx": [[3, 5], [0, 2], [4, 6]]}
    file = write(tmp_path / "f.json", [{"source": text, "target": text, "edits": [edit]}])
    assert read_thresh_pairs(file)[0].edits[0].source == (Span(2, 4), Span(0, 1), Span(3, 5))
    assert read_thresh_pairs(file, "codepoints")[0].edits[0].source[0] == Span(3, 5)


def test_every_problem_at_once(tmp_path: Path) -> None:
    """Wrong entries and edits are all named, with their number."""
    broken = [ENTRY, {**ENTRY, "edits": [{"id": 1}, {"id": 1, "category": "deletion", "input_idx": [[1, "2"]]}]}, ENTRY]
    broken[2] = {**ENTRY, "edits": [{**SPLIT, "constituent_edits": [7]}]}
    with pytest.raises(InputError) as caught:
        read_thresh_pairs(write(tmp_path / "f.json", broken))
    assert [problem.value for problem in caught.value.problems] == [2, 2, 3]
    assert {problem.file for problem in caught.value.problems} == {str(tmp_path / "f.json")}
    with pytest.raises(InputError) as caught:
        read_thresh_pairs(write(tmp_path / "f.json", [3, {**ENTRY, "edits": {}}]))
    assert len(caught.value.problems) == 2


@pytest.mark.parametrize("text", ["[\n{,", "{}", "[]"])
def test_what_is_no_list_is_refused(tmp_path: Path, text: str) -> None:
    """A broken file, JSON that is no list and a list without entries are refused, and so is a missing file."""
    file = tmp_path / "f.json"
    file.write_text(text)
    with pytest.raises(InputError):
        read_thresh_pairs(file)
    with pytest.raises(InputError, match="no such file"):
        read_thresh_pairs(tmp_path / "none.json")


def test_other_templates_keep_their_categories(tmp_path: Path) -> None:
    """Edits that SALSA does not have are kept without answers; an entry may have one text only."""
    edit = {"id": 1, "category": "accuracy", "output_idx": [[0, 3]], "annotation": {"severity": "major"}}
    (pair,) = read_thresh_pairs(write(tmp_path / "f.json", [{"target": "one two", "edits": [edit]}]))
    assert (pair.source, pair.edits[0].operation, pair.edits[0].answers) == ("", "accuracy", {})
