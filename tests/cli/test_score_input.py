"""What `rubrica score` is given: pipes, repeated options, and every kind of bad input told at once."""

from __future__ import annotations

import csv
import io
import json
import os
from collections.abc import Callable
from pathlib import Path
from threading import Thread

import pytest

from tests.conftest import Ran

pytestmark = pytest.mark.any_database
Rubrica = Callable[..., Ran]
QUICK = ("--metrics", "sari,bleu", "--bootstrap", "0", "--json")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Three sentences, two references and a system, in the folder where the command runs."""
    monkeypatch.chdir(tmp_path)
    for name, lines in (
        ("source", ["The ferry departed late .", "Nobody complained .", "It rained ."]),
        ("ref.0", ["The ferry left late .", "Nobody complained .", "It rained ."]),
        ("ref.1", ["The boat left late .", "Nobody complained .", "There was rain ."]),
        ("mine.txt", ["The ferry left .", "Nobody complained .", "It rained ."]),
    ):
        (tmp_path / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    return tmp_path


FILES = ("--source", "source", "--references", "ref.*", "--rewrite", "mine.txt")


@pytest.fixture
def piped(monkeypatch: pytest.MonkeyPatch) -> Callable[[bytes], None]:
    """Puts something on stdin."""

    def put(data: bytes) -> None:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data)))

    return put


def test_rewrites_from_stdin(rubrica: Rubrica, folder: Path, piped: Callable[[bytes], None]) -> None:
    """``-`` is stdin, read once and scored like a file; what is wrong with it is told by that name."""
    expected = rubrica("score", *FILES, *QUICK).json["systems"]["mine"]
    piped((folder / "mine.txt").read_bytes())
    assert rubrica("score", *FILES[:4], "--rewrite", "-", *QUICK).json["systems"] == {"stdin": expected}
    piped(b"One.\n\nThree.\n")
    refused = rubrica("score", *FILES[:4], "--rewrite", "new=-", *QUICK)
    assert [(one["file"], one["line"], one["rule"]) for one in refused.json["errors"]] == [("-", 2, "empty_line")]
    assert "given twice" in rubrica("score", "--source", "-", "--rewrite", "-", *QUICK).err


def test_a_named_pipe_is_a_file(rubrica: Rubrica, folder: Path) -> None:
    """What a shell gives for <(…): it can be read once, and lines are read twice."""
    os.mkfifo(folder / "pipe")
    data = (folder / "mine.txt").read_bytes()
    writer = Thread(target=lambda: (folder / "pipe").write_bytes(data))
    writer.start()
    found = rubrica("score", *FILES, "--rewrite", "pipe", *QUICK).json["systems"]
    writer.join()
    assert found["pipe"] == found["mine"]


def test_a_table_from_stdin(rubrica: Rubrica, home: Path, piped: Callable[[bytes], None]) -> None:
    """Its only system is called after where it comes from."""
    piped(b'{"source": "A b c .", "rewrite": "A b .", "reference": ["A b .", "A b ."]}\n')
    found = rubrica("score", "--table", "-", *QUICK).json
    assert (found["systems"]["stdin"]["sari"] > 0, "refs:2" in found["signature"]) == (True, True)


def test_sentences_and_systems_to_stdout(rubrica: Rubrica, folder: Path) -> None:
    """Only the file is printed then, and --json would mix with it."""
    for option, header in (("--per-sentence", "id,system,source"), ("--per-system", "system,sari")):
        ran = rubrica("score", *FILES, *QUICK[:-1], option, "-")
        assert (ran.code, ran.out.startswith(header)) == (0, True)
        assert {row["system"] for row in csv.DictReader(ran.out.splitlines())} == {"mine"}
        assert rubrica("score", *FILES, *QUICK, option, "-").code == 1


def test_columns_are_named_one_by_one_or_together(rubrica: Rubrica, folder: Path) -> None:
    """``--map`` is repeated for several references or systems, or takes a comma list."""
    lines = [(folder / name).read_text().splitlines() for name in ("source", "ref.0", "ref.1", "mine.txt")]
    rows = [dict(zip(("text", "one", "two", "out"), row, strict=True)) for row in zip(*lines, strict=True)]
    (folder / "table.jsonl").write_text("\n".join(map(json.dumps, rows)))
    table = ("--table", "table.jsonl", "--map", "source=text", "--map", "rewrite=out", *QUICK)
    apart = rubrica("score", *table, "--map", "reference=one", "--map", "reference=two").json
    together = rubrica("score", *table, "--map", "reference=one,two").json
    files = rubrica("score", *FILES, *QUICK).json
    assert apart == together
    assert apart["systems"]["table"] == files["systems"]["mine"]


def test_everything_wrong_is_told_at_once(rubrica: Rubrica, folder: Path) -> None:
    """Options and metrics that do not exist, files that are missing, twice there, in another encoding or of no text."""
    (folder / "wide").write_bytes("One.\nTwo.\nThree.\n".encode("utf-16"))
    (folder / "bare").write_bytes("One.\nTwo.\nThree.\n".encode("utf-16-le"))
    (folder / "mac").write_bytes(b"One.\rTwo.\rThree.\r")
    (folder / "unseen").write_text("One.\n\u200b\nThree.\n", encoding="utf-8")
    bad = [part for name in ("gone", "wide", "bare", "mac", "unseen", "mine.txt") for part in ("--rewrite", name)]
    options = ("--tokenizer", "9x", "--smoothing", "k", "--sari-deletion", "f2", "--metrics", "srai")
    asked = ("--references", "ref.0", "--references", "nowhere.*", "--map", "source=text", *options)
    ran = rubrica("score", *FILES, *bad, *asked, "--json")
    assert ran.code == 1
    found = {(one["file"], one["line"], one["rule"]) for one in ran.json["errors"]}
    assert found == {
        ("", None, "metric"),
        ("", None, "tokenizer"),
        ("", None, "smoothing"),
        ("", None, "sari"),
        ("", None, "system"),
        ("", None, "map"),
        ("ref.0", None, "repeated"),
        ("gone", None, "file"),
        ("nowhere.*", None, "file"),
        ("wide", 1, "encoding"),
        ("bare", 1, "encoding"),
        ("mac", 1, "characters"),
        ("mac", 2, "length"),
        ("unseen", 2, "empty_line"),
    }


def test_a_missing_reference_is_refused_without_metrics_named(rubrica: Rubrica, folder: Path) -> None:
    """Where some sentences have references, the usual metrics need them for all: none is left out in silence."""
    (folder / "table.csv").write_text("source,rewrite,reference\nA b.,A.,A.\nC d.,C.,\n")
    refused = rubrica("score", "--table", "table.csv", "--json")
    assert [(one["line"], one["rule"]) for one in refused.json["errors"]] == [(3, "reference")]
    (folder / "table.csv").write_text("source,rewrite,reference\nA b.,A.,\nC d.,C.,\n")
    assert "sari" not in rubrica("score", "--table", "table.csv", "--bootstrap", "0", "--json").json["systems"]["table"]


def test_a_workbook_is_refused_by_cell(rubrica: Rubrica, folder: Path) -> None:
    """FILE:SHEET!CELL, for empty cells and for rows without a reference; of many alike the first, and how many more."""
    from polars import DataFrame

    texts = {"source": ["A b.", "C d."], "rewrite": ["A.", ""], "reference": ["A.", "C."]}
    DataFrame(texts).write_excel("table.xlsx")
    assert "table.xlsx:Sheet1!B3: the column 'rewrite' is empty" in rubrica("score", "--table", "table.xlsx").err
    DataFrame({**texts, "rewrite": ["A.", "C."], "reference": ["A.", None]}).write_excel("table.xlsx")
    assert "table.xlsx:Sheet1!A3: the sentence 'C d.' has no reference" in rubrica("score", "--table", "table.xlsx").err
    (folder / "long.csv").write_text("source,rewrite,reference\nA.,a,a\n" + "".join(f"{n}.,b,\n" for n in range(90)))
    many = rubrica("score", "--table", "long.csv", "--json").json["errors"]
    assert (len(many), many[-1]["value"]) == (26, 65)
