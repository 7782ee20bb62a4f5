"""Commands and files that are made to break them: exit code 1, every line a message, nothing changed."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests import hostile
from tests.conftest import Ran

pytestmark = pytest.mark.own_process

Run = Callable[..., Ran]


def refused(ran: Ran, path: Path) -> list[dict[str, Any]]:
    """The errors of a command that ended with code 1 and messages alone."""
    assert ran.code == 1
    assert "Traceback" not in ran.err
    errors = json.loads(ran.out)["errors"]
    assert 0 < len(errors) <= 100
    assert {error["file"] for error in errors} == {str(path)}
    assert all(error["rule"] and error["fix"] for error in errors)
    lines = [line for line in ran.err.splitlines() if not line.endswith(" problems")]
    assert len(lines) == len(errors)
    assert all(line.startswith(str(path)) for line in lines)
    return list(errors)


def hostile_file(name: str, folder: Path) -> Path:
    """One of the tables, under a name of its own."""
    ending, make = hostile.TABLES[name]
    return make(folder / f"hostile{ending}")


@pytest.mark.parametrize("name", ["cells in both corners", "a million rows", "a key of its own in each line"])
def test_items_that_are_made_to_break_make_no_study(name: str, rubrica: Run, tmp_path: Path) -> None:
    """`study new --items` refuses what the studio refuses, with the same limits and messages."""
    path = hostile_file(name, tmp_path)
    ran = rubrica("study", "new", "s", "--protocol", "breve", "--items", path, "--json")
    (error,) = refused(ran, path)
    assert error["rule"] == "size"
    assert "RUBRICA_MAX_" in error["fix"]
    assert rubrica("study", "list", "--json").json["studies"] == []


def test_gold_that_is_made_to_break_makes_no_study(rubrica: Run, tmp_path: Path) -> None:
    """Planted items are read by the same reader."""
    items = tmp_path / "items.csv"
    items.write_text("source,rewrite\na,b\n", encoding="utf-8")
    path = hostile.corners(tmp_path / "gold.xlsx")
    given = ("--items", items, "--checks", f"gold={path}", "--json")
    assert refused(rubrica("study", "new", "s", "--protocol", "breve", *given), path)[0]["rule"] == "size"


@pytest.mark.parametrize("name", ["cells in both corners", "a million rows", "a million columns"])
def test_ratings_that_are_made_to_break_are_refused(name: str, rubrica: Run, tmp_path: Path) -> None:
    """`agree` and its like read tables by the same reader."""
    path = hostile_file(name, tmp_path)
    ran = rubrica("agree", path, "--unit", "item", "--rater", "rater", "--value", "value", "--json")
    assert refused(ran, path)[0]["rule"] == "size"


def test_sheets_and_imports_that_are_made_to_break_change_nothing(rubrica: Run, tmp_path: Path) -> None:
    """`sheets read` and `import` name the file and leave the study as it is."""
    items = tmp_path / "items.csv"
    items.write_text("source,rewrite\na,b\n", encoding="utf-8")
    assert rubrica("study", "new", "s", "--protocol", "breve", "--items", items).code == 0
    sheet = hostile.laughing_xml(tmp_path / "sheet.xlsx")
    assert refused(rubrica("sheets", "read", "s", sheet, "--json"), sheet)[0]["rule"] == "xml"
    records = hostile.deep_json(tmp_path / "records.jsonl")
    assert refused(rubrica("import", "s", records, "--json"), records)[0]["rule"] == "json"
    table = hostile.many_rows(tmp_path / "records.parquet")
    assert refused(rubrica("import", "s", table, "--json"), table)[0]["rule"] == "size"
    assert rubrica("study", "show", "s", "--json").json["study"]["stages"][0]["done"] == 0


def test_a_protocol_with_thousands_of_unknown_keys_is_refused(rubrica: Run, tmp_path: Path) -> None:
    """`protocols check` lists what can be listed, and counts every problem in its last line."""
    path = tmp_path / "mine.yaml"
    path.write_text(hostile.unknown_keys(20_000), encoding="utf-8")
    ran = rubrica("protocols", "check", path, "--json")
    errors = refused(ran, path)
    assert (len(errors), errors[-1]["rule"]) == (100, "more_problems")
    assert ran.err.splitlines()[-1] == f"{99 + errors[-1]['value']} problems"


def test_stdin_without_end_is_not_read(
    rubrica: Run, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What comes through a pipe has the same limit as a file."""
    monkeypatch.setenv("RUBRICA_MAX_MB", "1")

    class Endless(io.RawIOBase):
        def read(self, size: int = -1) -> bytes:
            assert size > 0
            return b"x" * size

    monkeypatch.setattr(sys, "stdin", type("Stdin", (), {"buffer": Endless(), "isatty": lambda self: False})())
    ran = rubrica("study", "new", "s", "--protocol", "breve", "--items", "-", "--json")
    assert refused(ran, Path("-"))[0]["rule"] == "size"


def test_a_setting_that_is_no_limit_is_refused(rubrica: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """By `serve` before it starts, and by whatever reads a file."""
    monkeypatch.setenv("RUBRICA_MAX_ROWS", "all")
    for command in (("serve", "--port", "1"), ("agree", tmp_path / "a.csv", "--unit", "u", "--value", "v")):
        (tmp_path / "a.csv").write_text("u,v\n1,2\n", encoding="utf-8")
        ran = rubrica(*command)
        assert ran.code == 1
        assert "RUBRICA_MAX_ROWS is 'all'" in ran.err
