"""Thresh on the command line: a template, a study, data in and out; what is odd is said, what is wrong is refused."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Ran
from tests.exchange.thresh.data import ENTRIES, HERE, write_data
from tests.making import fill

Rubrica = Callable[..., Ran]


@pytest.fixture
def data(rubrica: Rubrica, tmp_path: Path) -> Path:
    """A data file, and a study named s of its template."""
    protocol = tmp_path / "bakery.yaml"
    assert rubrica("protocols", "import-thresh", HERE / "bakery.yml", "-o", protocol).code == 0
    assert rubrica("study", "new", "s", "--protocol", protocol).code == 0
    return write_data(tmp_path / "notes.json")


def test_in_and_out(rubrica: Rubrica, data: Path, tmp_path: Path) -> None:
    """The file comes out byte for byte; the import says what it holds and what is odd, with places."""
    ran = rubrica("import", "s", data, "--format", "thresh")
    assert ran.code == 0
    assert ran.out == "4 judgements, 0 corrections, 0 unchanged, 2 entries without annotation; 6 new items\n"
    # Entry 2 has two spans outside its text and one edit that marks nothing; the break of entry 6 marks nothing.
    assert "kept and flagged: 4 x span" in ran.err
    assert "entry 2: edit left_out-1 marks [12, 99) in the source, which has 20 characters" in ran.err
    assert "entries 1 have characters beyond U+FFFF" in ran.err
    out = tmp_path / "out.json"
    assert rubrica("export", "s", "--format", "thresh", "-o", out).err == f"{out}: 6 entries\n"
    assert out.read_bytes() == data.read_bytes()


def test_as_json(rubrica: Rubrica, data: Path, tmp_path: Path) -> None:
    """Scripts get counts, flags and the signature."""
    read = rubrica("import", "s", data, "--json").json
    assert read["read"] == {"judgements": 4, "revisions": 0, "unchanged": 0}
    assert (read["items"], read["unannotated"]) == (6, 2)
    assert {"span", "unknown_category", "unknown_answer"} <= {flag["rule"] for flag in read["flags"]}
    written = rubrica("export", "s", "--format", "thresh", "-o", tmp_path / "o.json", "--json").json
    assert (written["entries"], written["judgements"]) == (6, 4)
    assert "protocol:thresh_bakery_notes" in written["signature"]


def test_options_of_the_layout(rubrica: Rubrica, data: Path) -> None:
    """Indentation, escapes, the last line break and how offsets count can be chosen."""
    rubrica("import", "s", data)
    one = rubrica("export", "s", "--format", "thresh", "--indent", "none", "--no-ascii", "--newline").out
    assert one == json.dumps(ENTRIES, separators=(",", ":"), ensure_ascii=False) + "\n"
    spaced = rubrica("export", "s", "--format", "thresh", "--indent", "spaced", "--ascii").out
    assert spaced == json.dumps(ENTRIES)
    two = rubrica("export", "s", "--format", "thresh", "--indent", "2", "--offsets", "codepoints").out
    assert json.loads(two)[0]["edits"][2]["output_idx"] == [[46, 56]]


def test_wrong_options(rubrica: Rubrica, data: Path) -> None:
    """Options of Thresh files with another format, and values that mean nothing."""
    for arguments in (
        ("export", "s", "--format", "csv", "--indent", "2"),
        ("export", "s", "--format", "csv", "--no-ascii"),
        ("export", "s", "--format", "thresh", "--indent", "wide"),
        ("export", "s", "--format", "thresh", "--offsets", "bytes"),
        ("import", "s", data.with_suffix(".jsonl"), "--annotator", "ana"),
        ("import", "s", data, "--offsets", "bytes"),
        ("import", "s", data.with_name("none.json"), "--format", "thresh"),
    ):
        ran = rubrica(*arguments)
        assert ran.code == 1, arguments
        assert ran.err.strip()


def test_broken_files(rubrica: Rubrica, data: Path) -> None:
    """Every entry that is none is named with its line; nothing is imported."""
    broken = [
        {"source": "a", "target": "b", "edits": [3]},
        "entry",
        {"target": ["b"]},
        {"source": "x", "edits": "none"},
        {"edits": []},
        {"source": "\0", "target": "b"},
    ]
    data.write_text(json.dumps(broken, indent=1))
    ran = rubrica("import", "s", data, "--format", "thresh", "--json")
    assert ran.code == 1
    rules = [(error["rule"], error["what"].split(":")[0]) for error in ran.json["errors"]]
    assert rules == [
        ("form", "entry 1"),
        ("form", "entry 2"),
        ("form", "entry 3"),
        ("required", "entry 3"),
        ("form", "entry 4"),
        ("required", "entry 5"),
        ("characters", "entry 6"),
    ]
    for text in ("{}", "[", "[]", '[{"a": NaN}]'):
        data.write_text(text)
        assert rubrica("import", "s", data, "--format", "thresh").code == 1
    data.write_bytes(b"[\xff]")
    assert "UTF-8" in rubrica("import", "s", data, "--format", "thresh").err


def test_tables_of_edits(rubrica: Rubrica, data: Path, tmp_path: Path) -> None:
    """Edits and words of an imported study as tables, spans outside their text flagged."""
    rubrica("import", "s", data)
    # Entry 1 has seven edits with its constituents, entry 2 five that are known, entry 6 one.
    ran = rubrica("export", "s", "--format", "edits-csv", "-o", tmp_path / "e.csv")
    assert ran.err == f"{tmp_path / 'e.csv'}: 13 edits\n"
    rows = list(csv.DictReader(io.StringIO((tmp_path / "e.csv").read_text(encoding="utf-8"))))
    assert [row["edit"] for row in rows if row["flags"]] == ["left_out-1", "left_out-1~2"]
    lines = rubrica("export", "s", "--format", "edits-jsonl").out.splitlines()
    assert len(lines) == 13
    words = list(csv.DictReader(io.StringIO(rubrica("export", "s", "--format", "words").out)))
    # Entry 1: 12 + 10 words; entry 2: 5 + 2; entry 4: 3 + 3; entry 6: 2.
    assert len(words) == 37
    assert [row["word"] for row in words if row["labels"] == "put_in" and row["side"] == "rewrite"][-1] == "overnight."


def test_edits_as_suggestions(rubrica: Rubrica, tmp_path: Path) -> None:
    """`--suggest` makes proposals of them where the study shows some, and says where it does not."""
    file = tmp_path / "pairs.json"
    edit = {"id": 1, "category": "deletion", "input_idx": [[4, 7]], "annotation": None}
    file.write_text(json.dumps([{"source": "The old gate", "target": "The gate", "edits": [edit]}]))
    for name, more in (("plain", ()), ("shown", ("--set", "suggestions=shown"))):
        assert rubrica("study", "new", name, "--protocol", "salsa", *more).code == 0
    refused = rubrica("import", "plain", file, "--suggest")
    assert refused.code == 1
    assert "shows no suggestions" in refused.err
    ran = rubrica("import", "shown", file, "--suggest")
    assert (ran.code, ran.out) == (0, "1 suggestion; 1 new item\n")
    assert rubrica("import", "shown", file, "--suggest", "--json").json["suggested"] == 0
    assert "--suggest" in rubrica("import", "shown", tmp_path / "x.csv", "--suggest").err


def test_a_study_of_a_template_as_it_is(rubrica: Rubrica) -> None:
    """`study new` takes a template like the page does: what it makes is what `import-thresh` would write."""
    template = Path("docs/examples/thresh/notes.yml").resolve()
    ran = rubrica("study", "new", "direct", "--protocol", template)
    assert (ran.code, ran.err.count("unknown_key")) == (0, 0)
    assert rubrica("study", "show", "direct", "--json").json["study"]["protocol"] == "thresh_notes"


def test_edits_say_whom_the_texts_are_for(rubrica: Rubrica, data: Path, tmp_path: Path) -> None:
    """What a study says of its texts is with its words, and with entries made here; imported ones stay as they are."""
    items = tmp_path / "pairs.csv"
    items.write_text("source,rewrite\nThe old gates stay shut.,The gates are shut.\n")
    rubrica("study", "new", "own", "--protocol", "salsa", "--items", items, "--audience", "children", "--genre", "news")
    files = rubrica("sheets", "write", "own", "--annotators", "ana", "--out", tmp_path, "--json").json["files"]
    fill(Path(files[0]))
    assert rubrica("sheets", "read", "own", *files).code == 0
    said = {"audience": "children", "genre": "news"}
    words, thresh = tmp_path / "words.csv", tmp_path / "own.json"
    assert rubrica("export", "own", "--format", "words", "--stage", "select", "-o", words).code == 0
    assert {row["about_texts"] for row in csv.DictReader(words.open())} == {json.dumps(said)}
    assert rubrica("export", "own", "--format", "thresh", "--stage", "select", "-o", thresh).code == 0
    (entry,) = json.loads(thresh.read_text())
    assert entry["metadata"] == {"about_texts": said, "annotator": "ana"}
    study = ("study", "new", "again", "--protocol", "salsa", "--items", items, "--audience", "nurses")
    assert rubrica(*study).code == 0
    assert rubrica("import", "again", thresh, "--stage", "select", "--format", "thresh").code == 0
    assert rubrica("export", "again", "--format", "thresh", "--stage", "select", "-o", words).code == 0
    assert words.read_text() == thresh.read_text()
