"""The example on the annotators' page about the Edits sheet is what a sheet accepts."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable
from pathlib import Path

import openpyxl

from tests.conftest import Ran
from tests.docs.pages import DOCS


def test_the_example_can_be_typed_into_a_sheet(rubrica: Callable[..., Ran], tmp_path: Path) -> None:
    """The rows of the example, typed into the Edits sheet as they stand, are read without a problem."""
    page = (DOCS / "annotators" / "edits.md").read_text(encoding="utf-8")
    texts = [re.search(rf"> {word}: (.*)", page)[1] for word in ("Original", "Simplified")]  # type: ignore[index]
    with (tmp_path / "pairs.csv").open("w", newline="") as file:
        csv.writer(file).writerows([["source", "rewrite"], texts])
    assert rubrica("study", "new", "mill", "--protocol", "salsa", "--items", tmp_path / "pairs.csv").code == 0
    written = rubrica("sheets", "write", "mill", "--annotators", "ana", "--out", tmp_path, "--json")
    path = written.json["files"][0]

    rows = [
        _cells(line) for line in page.splitlines() if re.match(r"\| (Pair no. \| Edit no. \| Operation|1) \|", line)
    ]
    book = openpyxl.load_workbook(path)
    header = [cell.value for cell in book["Edits"][1]]
    for number, row in enumerate(rows[1:], start=2):
        for name, text in zip(rows[0], row, strict=True):
            if text:
                book["Edits"].cell(number, header.index(name) + 1).value = text
    book.save(path)

    read = rubrica("sheets", "read", "mill", path, "--json")
    assert read.code == 0, read.err
    assert read.json["read"]["judgements"] == 1
    exported = rubrica("export", "mill", "--format", "jsonl")
    assert exported.out.count('"operation"') == len(rows) - 1


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().strip("|").split("|")]
