"""The README alone takes a new user from a CSV to judgements, with each of the ten protocols."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from rubrica.protocols.catalog import load_shipped, shipped
from tests.conftest import Ran
from tests.docs.filling import fill
from tests.docs.pages import DOCS, ROOT

ITEMS = DOCS / "examples" / "items"
THREE, FOURTH = "ana,ben,eva", "dora"


def table_row(protocol_id: str) -> list[str]:
    """The protocol's row of the README's table: cells without the marks of Markdown."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    row = next(line for line in text.splitlines() if line.startswith(f"| [`{protocol_id}`]"))
    return [cell.strip() for cell in row.strip("|").split("|")]


@pytest.mark.parametrize("protocol_id", shipped())
def test_the_table_says_what_the_protocol_needs(protocol_id: str) -> None:
    """Columns and numbers per item in the README are those of the protocol, and the small file has the columns."""
    protocol = load_shipped(protocol_id).protocol
    _, _, columns, per_item, _ = table_row(protocol_id)
    needed = [field.id for field in protocol.fields if field.required]
    assert re.findall(r"`(\w+)`", columns) == needed
    numbers = [
        str(number) for stage in protocol.stages for number in (stage.overlap, stage.overlap_comparing) if number
    ]
    assert re.findall(r"\d+", per_item) == numbers
    with (ITEMS / f"{protocol_id}.csv").open(encoding="utf-8", newline="") as file:
        header = next(csv.reader(file))
    assert header[: len(needed)] == needed


@pytest.mark.parametrize("protocol_id", shipped())
def test_the_short_path_works(protocol_id: str, rubrica: Callable[..., Ran], tmp_path: Path) -> None:
    """Study, sheets, filled in, read back, exported: every item has the judgements of three annotators."""
    protocol = load_shipped(protocol_id).protocol
    items = ITEMS / f"{protocol_id}.csv"
    made = rubrica("study", "new", "mine", "--protocol", protocol_id, "--items", items, "--overlap", 3, "--json")
    assert made.code == 0, made.err
    for stage in protocol.stages:
        people = FOURTH if stage.role == "adjudicator" else THREE
        out = tmp_path / stage.id
        written = rubrica(
            "sheets", "write", "mine", "--stage", stage.id, "--annotators", people, "--out", out, "--json"
        )
        assert written.code == 0, written.err
        for file in written.json["files"]:
            fill(Path(file))
        read = rubrica("sheets", "read", "mine", *written.json["files"], "--blank", "none")
        assert read.code == 0, read.err
    shown = rubrica("study", "show", "mine", "--json").json["study"]
    assert [stage["remaining"] for stage in shown["stages"]] == [0] * len(protocol.stages)
    exported = rubrica("export", "mine", "--format", "csv", "-o", tmp_path / "out.csv", "--json")
    planted = shown["duplicates"] * sum(stage["overlap"] for stage in shown["stages"])
    assert exported.json["judgements"] == sum(stage["wanted"] for stage in shown["stages"]) + planted
