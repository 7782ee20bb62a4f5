"""`rubrica edits suggest`: pairs in, suggested edits out, the same each time, every mistake named."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from pathlib import Path

import polars
import pytest
import xlsxwriter

from tests.conftest import Ran

pytestmark = pytest.mark.any_database

Rubrica = Callable[..., Ran]
PAIRS = "source,rewrite,system,year\nHe purchased a boat.,He bought a boat.,A,2020\nAll is well.,All is well.,B,\n"


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """Two pairs, one of them identical, with a system and a column of their own."""
    file = tmp_path / "pairs.csv"
    file.write_text(PAIRS)
    return file


def lines(path: Path) -> list[dict[str, object]]:
    """The records of a file."""
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_suggestions_are_json_lines(rubrica: Rubrica, table: Path, tmp_path: Path) -> None:
    """A line for each pair: texts, what the table said of it, edits with their offsets, and by what they were made."""
    ran = rubrica("edits", "suggest", table, "-o", tmp_path / "s.jsonl")
    assert ran.code == 0
    assert "2 pairs, comma-separated" in ran.err
    assert "1 edit (1 substitution)" in ran.err
    edit = {"id": "1", "operation": "substitution", "source": [[3, 12]], "rewrite": [[3, 9]]}
    made = {"suggested_by": "rubrica-suggest/2", "language": "en"}
    bought, same = lines(tmp_path / "s.jsonl")
    assert bought == {
        "id": "1", "source": "He purchased a boat.", "rewrite": "He bought a boat.", "system": "A",
        "metadata": {"year": "2020"}, "edits": [edit], **made,
    }  # fmt: skip
    assert same == {"id": "2", "source": "All is well.", "rewrite": "All is well.", "system": "B", "edits": [], **made}


def test_the_same_pairs_give_the_same_bytes(rubrica: Rubrica, table: Path, tmp_path: Path) -> None:
    """Suggesting again, also from the file of suggestions itself, changes nothing."""
    for source, target in (("pairs.csv", "one.jsonl"), ("pairs.csv", "two.jsonl"), ("one.jsonl", "three.jsonl")):
        rubrica("edits", "suggest", tmp_path / source, "-o", tmp_path / target)
    one, two, three = (lines(tmp_path / name) for name in ("one.jsonl", "two.jsonl", "three.jsonl"))
    assert one == two
    assert [record["edits"] for record in three] == [record["edits"] for record in one]


def test_the_summary_is_one_object_with_a_signature(rubrica: Rubrica, table: Path, tmp_path: Path) -> None:
    """Counts by operation, the version, the language, and the honest word that no meanings are known."""
    found = rubrica("edits", "suggest", table, "-o", tmp_path / "s.jsonl", "--lang", "en-GB", "--json").json
    assert found["pairs"] == 2
    assert found["edits"] == 1
    assert found["operations"] == {"deletion": 0, "insertion": 0, "substitution": 1, "reorder": 0, "split": 0}
    assert found["meanings"]["value"] is None
    assert "--synonyms" in found["meanings"]["reason"]
    assert "language:en-GB|" in found["signature"]
    assert "suggested_by:rubrica-suggest/2" in found["signature"]


@pytest.mark.parametrize("ending", [".tsv", ".jsonl", ".xlsx", ".parquet"])
def test_every_table_is_read(rubrica: Rubrica, tmp_path: Path, ending: str) -> None:
    """Other formats, other names of columns: *target* is known to be the rewrite, any other is mapped."""
    file = tmp_path / f"pairs{ending}"
    row = {"complex": "He purchased a boat.", "target": "He bought a boat."}
    match ending:
        case ".tsv":
            file.write_text("\t".join(row) + "\n" + "\t".join(row.values()) + "\n")
        case ".jsonl":
            file.write_text(json.dumps(row) + "\n")
        case ".parquet":
            polars.DataFrame([row]).write_parquet(file)
        case ".xlsx":
            with xlsxwriter.Workbook(file) as book:
                sheet = book.add_worksheet()
                sheet.write_row(0, 0, list(row))
                sheet.write_row(1, 0, list(row.values()))
    ran = rubrica("edits", "suggest", file, "--map", "source=complex")
    assert [edit["operation"] for edit in json.loads(ran.out)["edits"]] == ["substitution"]


def test_thresh_in_and_out(rubrica: Rubrica, tmp_path: Path) -> None:
    """An entry keeps what it had but for its edits and annotator; numbers run within categories; offsets are UTF-16."""
    source = "The 😀 team won the final game, ending a long wait."
    target = "The 😀 team won the final game. || This ended a long wait."
    entry = {"source": source, "target": target, "context": "c", "metadata": {"annotator": "a", "system": "S"}}
    (tmp_path / "in.json").write_text(json.dumps([{**entry, "edits": [{"id": 7}]}], indent=4))
    ran = rubrica("edits", "suggest", tmp_path / "in.json", "-o", tmp_path / "out.json")
    assert "1 of 1 entries have edits" in ran.err
    (found,) = json.loads((tmp_path / "out.json").read_text())
    # 😀 is one character but two code units, so everything after it stands one further than Python counts.
    start, new = source.index("ending") + 1, target.index("This") + 1
    made = {"annotator": "rubrica-suggest/2", "suggested_by": "rubrica-suggest/2", "language": "en"}
    assert found == {
        **entry,
        "metadata": {"system": "S", **made},
        "edits": [
            {
                "id": 1,
                "category": "split",
                "constituent_edits": [{"id": 1, "category": "insertion", "output_idx": [[new, new + 4]]}],
                "annotation": None,
            },
            {
                "id": 1,
                "category": "substitution",
                "input_idx": [[start, start + 6]],
                "output_idx": [[new + 5, new + 10]],
                "annotation": None,
            },
        ],
    }


def test_stdin_and_stdout(rubrica: Rubrica, monkeypatch: pytest.MonkeyPatch) -> None:
    """``-`` is stdin, whatever of the three it holds, and stdout."""
    pair = {"source": "Old cat.", "target": "Cat."}
    for text in ("source,target\nOld cat.,Cat.\n", json.dumps(pair), json.dumps([pair])):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
        ran = rubrica("edits", "suggest", "-")
        assert [edit["operation"] for edit in json.loads(ran.out)["edits"]] == ["deletion"]


def test_synonyms_and_vectors_are_named_in_the_version(rubrica: Rubrica, tmp_path: Path) -> None:
    """A file of meanings changes what is found, and the version says which file it was."""
    pair = {"source": "A physician in the small town saw him.", "rewrite": "In the small town a doctor saw him."}
    (tmp_path / "p.jsonl").write_text(json.dumps(pair))
    (tmp_path / "s.tsv").write_text("physician\tdoctor\tmedic\ncar\tauto\n")
    (tmp_path / "v.txt").write_text("3 2\nphysician 1 0.1\ndoctor 1 0\nboat 0 1\n")
    for option, file in (("--synonyms", "s.tsv"), ("--vectors", "v.txt")):
        out = tmp_path / "o.jsonl"
        found = rubrica("edits", "suggest", tmp_path / "p.jsonl", option, tmp_path / file, "-o", out, "--json").json
        assert found["operations"]["substitution"] == 1
        assert found["suggested_by"].startswith(f"rubrica-suggest/2+{option[2:]}:")
        assert found["meanings"]["value"] in lines(out)[0]["suggested_by"]


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("p.csv", "source,rewrite\nA cat.,\n,A dog.\n", [(2, "required"), (3, "required")]),
        ("p.csv", "old,new\nA cat.,A dog.\n", [(1, "columns"), (1, "columns")]),
        ("p.csv", "", [(1, "empty")]),
        (
            "p.json",
            '[\n{"source": "A", "target": 3},\n7,\n{"target": "B"}]',
            [(2, "form"), (3, "form"), (4, "required")],
        ),
        ("p.json", '[\n{"source": "A", "target": "B"}\n{}]', [(3, "json")]),
        ("p.json", "[\n{", [(2, "json")]),
        ("p.json", "[]", [(1, "empty")]),
        ("p.json", '{"source": "A", "target": "B"}', [(1, "json")]),
        ("p.json", "[" * 100_000, [(1, "json")]),
        ("p.json", '[{"source": "A\\u0000", "target": "B"}]', [(1, "characters")]),
    ],
)
def test_every_problem_is_named_and_nothing_is_written(
    rubrica: Rubrica, tmp_path: Path, name: str, text: str, expected: list[tuple[int | None, str]]
) -> None:
    """Wrong rows, entries and columns are reported together with their lines; no file appears."""
    (tmp_path / name).write_text(text)
    ran = rubrica("edits", "suggest", tmp_path / name, "-o", tmp_path / "out.jsonl", "--json")
    assert ran.code == 1
    assert [(error["line"], error["rule"]) for error in ran.json["errors"]] == expected
    assert not (tmp_path / "out.jsonl").exists()


def test_wrong_requests_are_refused(rubrica: Rubrica, table: Path, tmp_path: Path) -> None:
    """A missing file, an ending that is not written, JSON mixed with data, no such folder, vectors that are none."""
    assert rubrica("edits", "suggest", tmp_path / "none.json").code == 1
    assert "[format] Use .jsonl" in rubrica("edits", "suggest", table, "-o", tmp_path / "o.csv").err
    assert "[option] Name a file" in rubrica("edits", "suggest", table, "--json").err
    assert "cannot be written" in rubrica("edits", "suggest", table, "-o", tmp_path / "no" / "o.jsonl").err
    (tmp_path / "v.txt").write_text("he 1 2\nbought 1 x\nboat 1\n")
    ran = rubrica("edits", "suggest", table, "--vectors", tmp_path / "v.txt")
    assert [line.split(": ")[0][-1] for line in ran.err.splitlines() if "v.txt" in line] == ["2", "3"]
    assert rubrica("edits", "suggest", table, "--synonyms", tmp_path / "none.tsv").code == 1
