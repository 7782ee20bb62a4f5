"""`rubrica score`: files, test sets, tables and studies; files of sentences; bad input by file and line."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from sacrebleu.metrics.bleu import BLEU

from tests.conftest import Ran
from tests.dask_cluster import dask_cluster

pytestmark = pytest.mark.any_database
Rubrica = Callable[..., Ran]
SOURCES = ["The committee deliberated for hours .", "He purchased a residence in 1999 .", "It is raining , alas ."]
FIRST = ["The committee talked for hours .", "He bought a house in 1999 .", "It is raining ."]
SECOND = ["They talked for a long time .", "He bought a home in 1999 .", "Sadly , it is raining ."]
SYSTEM = ["The committee talked for hours .", "He bought a residence in 1999 .", "It is raining , alas ."]
FEW = ("--bootstrap", "50")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Parallel files, named as those of a test set."""
    for name, lines in (
        ("set.orig", SOURCES),
        ("set.simp.0", FIRST),
        ("set.simp.1", SECOND),
        ("system.txt", SYSTEM),
        ("copy", SOURCES),
    ):
        (tmp_path / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    return tmp_path


@pytest.fixture
def files(folder: Path) -> tuple[object, ...]:
    """The options that name those files."""
    return ("--source", folder / "set.orig", "--references", folder / "set.simp.*", "--rewrite", folder / "system.txt")


def test_files_give_figures_by_system(rubrica: Rubrica, files: tuple[object, ...], folder: Path) -> None:
    """The name of a system is that of its file; BLEU is sacreBLEU's; intervals and tests stand apart."""
    found = rubrica("score", *files, "--rewrite", folder / "copy", "--metrics", "sari,bleu,fkgl", *FEW, "--json").json
    assert set(found["systems"]) == {"system", "copy"}
    expected = BLEU().corpus_score(SYSTEM, [FIRST, SECOND]).score
    assert found["systems"]["system"]["bleu"] == pytest.approx(expected, abs=1e-9)
    assert {"sari", "sari_add", "sari_keep", "sari_del", "fkgl", "sentences"} <= set(found["systems"]["system"])
    reason = "an interval needs at least 10 sentences"
    assert found["intervals"]["system"]["bleu"]["low"] == {"value": None, "reason": reason}
    assert {"metric", "systems", "difference", "p_holm"} <= set(found["tests"][0])
    assert "bleu:case=mixed,tok=13a,smooth=exp" in found["signature"]


def test_intervals_of_many_sentences_and_of_none_asked_for(rubrica: Rubrica, tmp_path: Path) -> None:
    """Twelve sentences that differ have an interval around BLEU; without resamples there is none at all."""
    lines = [" ".join(f"word{(line * 7 + place) % 23}" for place in range(8)) + " ." for line in range(12)]
    some = [" ".join(line.split()[: 5 + number % 4]) + " ." for number, line in enumerate(lines)]
    for name, texts in (("set.orig", lines), ("set.simp.0", lines), ("system.txt", some)):
        (tmp_path / name).write_text("\n".join(texts) + "\n", encoding="utf-8")
    files = ("--source", tmp_path / "set.orig", "--references", tmp_path / "set.simp.0")
    ask = ("score", *files, "--rewrite", tmp_path / "system.txt", "--metrics", "bleu", "--json")
    found = rubrica(*ask, *FEW).json
    low, high = found["intervals"]["system"]["bleu"].values()
    assert low < found["systems"]["system"]["bleu"] < high
    assert rubrica(*ask, "--bootstrap", "0").json["intervals"] == {"system": {}}


def test_a_plain_command_takes_the_usual_metrics(rubrica: Rubrica, files: tuple[object, ...]) -> None:
    """A table for people, the signature beside it."""
    ran = rubrica("score", *files, *FEW)
    assert ran.code == 0
    for title in ("SARI", "BLEU", "FKGL", "compression ratio", "exact copies"):
        assert title in ran.out
    assert "seed:0" in ran.err


def test_lowercase_and_cased_hold_for_all(rubrica: Rubrica, files: tuple[object, ...]) -> None:
    """SARI is lowercased and BLEU cased unless told otherwise."""
    lower = rubrica("score", *files, "--metrics", "sari,bleu", "--lowercase", *FEW, "--json").json["signature"]
    cased = rubrica("score", *files, "--metrics", "sari,bleu", "--cased", *FEW, "--json").json["signature"]
    assert lower.count("case=lc") == 2
    assert cased.count("case=mixed") == 2


def test_a_folder_is_a_test_set(rubrica: Rubrica, folder: Path) -> None:
    """X.orig with X.simp.0, X.simp.1, … by --test-set, with or without its name, or as --source."""
    asked = ("--rewrite", folder / "system.txt", "--metrics", "bleu", *FEW, "--json")
    by_folder = rubrica("score", "--test-set", folder, *asked).json
    assert by_folder["systems"] == rubrica("score", "--test-set", folder / "set", *asked).json["systems"]
    assert by_folder["systems"] == rubrica("score", "--source", folder, *asked).json["systems"]
    assert "refs:2" in by_folder["signature"]


def test_two_systems_of_one_name_need_other_names(rubrica: Rubrica, files: tuple[object, ...], folder: Path) -> None:
    """NAME=FILE gives one."""
    other = folder / "other"
    other.mkdir()
    (other / "system.txt").write_text("\n".join(SOURCES) + "\n", encoding="utf-8")
    refused = rubrica("score", *files, "--rewrite", other / "system.txt")
    assert refused.code == 1
    assert "--rewrite NAME=FILE" in refused.err
    named = rubrica("score", *files, "--rewrite", f"other={other / 'system.txt'}", *FEW, "--json").json
    assert set(named["systems"]) == {"system", "other"}


def test_every_sentence_in_a_file(rubrica: Rubrica, files: tuple[object, ...], folder: Path) -> None:
    """A row for each, with its texts; as CSV and as JSON lines the same numbers."""
    table, lines = folder / "scores.csv", folder / "scores.jsonl"
    for out in (table, lines):
        ran = rubrica("score", *files, "--metrics", "sari,bleu", "--per-sentence", out, *FEW)
        assert ran.code == 0
    rows = list(csv.DictReader(table.open(encoding="utf-8")))
    again = [json.loads(line) for line in lines.read_text(encoding="utf-8").splitlines()]
    assert [row["id"] for row in rows] == ["1", "2", "3"]
    assert rows[0]["rewrite"] == SYSTEM[0]
    assert [float(row["bleu"]) for row in rows] == [row["bleu"] for row in again]
    expected = BLEU(effective_order=True).sentence_score(SYSTEM[1], [FIRST[1], SECOND[1]]).score
    assert float(rows[1]["bleu"]) == pytest.approx(expected, abs=1e-9)


def test_files_that_do_not_fit_are_refused_line_by_line(
    rubrica: Rubrica, files: tuple[object, ...], folder: Path
) -> None:
    """All at once: a short file, an empty line, a missing reference, the wrong encoding; nothing is written."""
    (folder / "short").write_text("\n".join(SYSTEM[:2]) + "\n", encoding="utf-8")
    (folder / "gap").write_text(f"{SYSTEM[0]}\n\n{SYSTEM[2]}\n", encoding="utf-8")
    (folder / "latin").write_bytes("\n".join([SYSTEM[0], "café", SYSTEM[2]]).encode("latin-1") + b"\n")
    (folder / "set.simp.1").write_text(f"{SECOND[0]}\n{SECOND[1]}\n \n", encoding="utf-8")
    out = folder / "scores.csv"
    bad = [part for name in ("short", "gap", "latin") for part in ("--rewrite", folder / name)]
    ran = rubrica("score", *files, *bad, "--per-sentence", out, "--json")
    assert ran.code == 1
    assert not out.exists()
    found = {(Path(one["file"]).name, one["line"], one["rule"]) for one in ran.json["errors"]}
    assert found == {
        ("short", 3, "length"),
        ("gap", 2, "empty_line"),
        ("latin", 2, "encoding"),
        ("set.simp.1", 3, "empty_line"),
    }


def test_uneven_references_are_allowed_when_said(rubrica: Rubrica, files: tuple[object, ...], folder: Path) -> None:
    """An empty line of a reference file is none; a sentence without any is still refused."""
    (folder / "set.simp.1").write_text(f"{SECOND[0]}\n{SECOND[1]}\n\n", encoding="utf-8")
    found = rubrica("score", *files, "--uneven", "--metrics", "bleu", *FEW, "--json").json
    expected = BLEU().corpus_score(SYSTEM, [FIRST, [*SECOND[:2], None]]).score
    assert found["systems"]["system"]["bleu"] == pytest.approx(expected, abs=1e-9)
    assert "refs:1-2" in found["signature"]
    (folder / "set.simp.0").write_text(f"{FIRST[0]}\n{FIRST[1]}\n\n", encoding="utf-8")
    refused = rubrica("score", *files, "--uneven", "--metrics", "bleu")
    assert refused.code == 1
    assert ":3: no file has a reference on this line" in refused.err


def test_a_metric_without_what_it_needs_is_refused(rubrica: Rubrica, folder: Path) -> None:
    """SARI without sources and references; BLEU needs no source."""
    only = ("--rewrite", folder / "system.txt")
    refused = rubrica("score", *only, "--metrics", "sari")
    assert refused.code == 1
    assert "sari needs the sources" in refused.err
    assert "sari needs references" in refused.err
    assert rubrica("score", *only, "--references", folder / "set.simp.0", "--metrics", "bleu", *FEW).code == 0
    free = rubrica("score", *only, *FEW, "--json").json["systems"]["system"]
    assert set(free) == {"sentences", "fkgl"}


def test_missing_files_and_nothing_at_all(rubrica: Rubrica, folder: Path) -> None:
    """Every file that is not there is named; a command without texts says what to give."""
    refused = rubrica("score", "--source", folder / "set.orig", "--rewrite", folder / "none", "--references", "no.*")
    assert refused.code == 1
    assert "no.*" in refused.err
    assert rubrica("score").code == 1
    assert "--source F --rewrite F" in rubrica("score").err


def write(path: Path, rows: list[dict[str, str]]) -> Path:
    """A CSV file of rows."""
    with path.open("w", encoding="utf-8", newline="") as file:
        table = csv.DictWriter(file, list(rows[0]))
        table.writeheader()
        table.writerows(rows)
    return path


def long_rows() -> list[dict[str, str]]:
    """A row for each sentence and system."""
    return [
        {
            "nr": str(number),
            "text": SOURCES[number],
            "out": texts[number],
            "who": who,
            "ref_1": FIRST[number],
            "ref_2": two,
        }
        for who, texts in (("system", SYSTEM), ("copy", SOURCES))
        for number, two in enumerate([SECOND[0], "", SECOND[2]])
    ]


LONG = (
    "--map",
    "source=text",
    "--map",
    "rewrite=out",
    "--map",
    "system=who",
    "--map",
    "reference=ref_*",
    "--map",
    "id=nr",
)


def test_a_table_with_systems_in_rows(rubrica: Rubrica, tmp_path: Path) -> None:
    """Columns are named; several columns of references may have blanks; systems are compared in pairs."""
    table = write(tmp_path / "rows.csv", long_rows())
    found = rubrica("score", "--table", table, *LONG, "--metrics", "sari,bleu", *FEW, "--json").json
    expected = BLEU().corpus_score(SYSTEM, [FIRST, [SECOND[0], None, SECOND[2]]]).score
    assert found["systems"]["system"]["bleu"] == pytest.approx(expected, abs=1e-9)
    assert found["tests"][0]["p_permutation"] <= 1


def test_a_table_with_systems_in_columns(rubrica: Rubrica, tmp_path: Path) -> None:
    """Each column of rewrites is a system of its name."""
    rows = [
        dict(zip(("source", "A", "B", "reference"), one, strict=True))
        for one in zip(SOURCES, SYSTEM, SOURCES, FIRST, strict=True)
    ]
    table = write(tmp_path / "wide.csv", rows)
    found = rubrica("score", "--table", table, "--map", "rewrite=A,B", "--metrics", "bleu", *FEW, "--json").json
    assert set(found["systems"]) == {"A", "B"}
    assert found["systems"]["A"]["bleu"] == pytest.approx(BLEU().corpus_score(SYSTEM, [FIRST]).score)


def test_json_lines_with_lists_of_references(rubrica: Rubrica, tmp_path: Path) -> None:
    """A cell may hold any number of them; columns that are named as usual need no --map."""
    references = [[FIRST[0], SECOND[0]], [FIRST[1]], [FIRST[2], SECOND[2]]]
    rows = zip(SOURCES, SYSTEM, references, strict=True)
    lines = [json.dumps(dict(zip(("source", "rewrite", "references"), row, strict=True))) for row in rows]
    table = tmp_path / "mine.jsonl"
    table.write_text("\n".join(lines), encoding="utf-8")
    found = rubrica("score", "--table", table, "--metrics", "bleu", *FEW, "--json").json
    assert found["systems"]["mine"]["bleu"] == pytest.approx(
        BLEU().corpus_score(SYSTEM, [FIRST, [SECOND[0], None, SECOND[2]]]).score
    )


def test_references_by_source_from_a_table(rubrica: Rubrica, folder: Path) -> None:
    """As Wiki-BM has them: a row for each source and reference, one to three of them."""
    rows = [{"complex": source, "simple": text} for source, text in zip(SOURCES, FIRST, strict=True)]
    rows.append({"complex": SOURCES[0], "simple": SECOND[0]})
    table = write(folder / "people.csv", rows)
    asked = ("--source", folder / "set.orig", "--rewrite", folder / "system.txt", "--references", table)
    columns = ("--map", "source=complex", "--map", "reference=simple")
    found = rubrica("score", *asked, *columns, "--metrics", "bleu", *FEW, "--json").json
    expected = BLEU().corpus_score(SYSTEM, [FIRST, [SECOND[0], None, None]]).score
    assert found["systems"]["system"]["bleu"] == pytest.approx(expected, abs=1e-9)
    write(table, rows[:2])
    refused = rubrica("score", *asked, *columns, "--metrics", "bleu")
    assert refused.code == 1
    assert ":3: the sentence '3' has no reference" in refused.err


def test_a_spoilt_table_is_refused_line_by_line(rubrica: Rubrica, tmp_path: Path) -> None:
    """Empty cells, sentences without reference, a column that is not there, a second rewrite of one sentence."""
    rows = long_rows()
    rows[0]["out"], rows[1]["text"] = "", ""
    ran = rubrica("score", "--table", write(tmp_path / "rows.csv", rows), *LONG, "--json")
    assert ran.code == 1
    assert {(one["line"], one["rule"]) for one in ran.json["errors"]} == {(2, "empty_cell"), (3, "empty_cell")}
    rows = long_rows()
    rows[1]["ref_1"] = rows[4]["ref_1"] = ""
    lost = rubrica("score", "--table", write(tmp_path / "rows.csv", rows), *LONG, "--metrics", "sari", "--json")
    assert [(one["line"], one["rule"]) for one in lost.json["errors"]] == [(3, "reference"), (6, "reference")]
    rows = [*long_rows(), {**long_rows()[0], "out": "Something else."}]
    twice = rubrica("score", "--table", write(tmp_path / "rows.csv", rows), *LONG, "--json")
    assert [(one["line"], one["rule"]) for one in twice.json["errors"]] == [(8, "repeated")]
    nowhere = rubrica("score", "--table", tmp_path / "rows.csv", "--map", "rewrite=nowhere", "--map", "what=x")
    assert "there is no column 'nowhere' for rewrite" in nowhere.err
    assert "--map what" in nowhere.err


def test_a_row_for_every_rating_is_no_further_sentence(rubrica: Rubrica, tmp_path: Path) -> None:
    """With ids, equal rows count once and it is said; without, a text may stand in a corpus twice."""
    table = tmp_path / "rows.csv"
    asked = ("score", "--table", table, *LONG, *FEW, "--json")
    write(table, long_rows())
    once = rubrica(*asked).json["systems"]
    write(table, [row for row in long_rows() for _ in range(3)])
    ran = rubrica(*asked)
    assert ran.json["systems"] == once
    assert "12 rows say what an earlier row says; counted once" in ran.err
    write(table, [{**row, "nr": ""} for row in long_rows() for _ in range(3)])
    assert "12 rows say what an earlier row says; each counts" in rubrica(*asked).err


def test_a_page_that_compares(rubrica: Rubrica, files: tuple[object, ...], folder: Path) -> None:
    """One file that needs nothing else, with the systems in it."""
    out = folder / "page"
    ran = rubrica("score", *files, "--rewrite", folder / "copy", "--report", out, *FEW)
    assert ran.code == 0, ran.err
    (page,) = out.glob("*.html")
    text = page.read_text(encoding="utf-8")
    assert "copy" in text
    assert "http://" not in text.replace("http://www.w3.org", "")


def test_processes_and_a_cluster_give_the_same(rubrica: Rubrica, tmp_path: Path) -> None:
    """Three blocks of sentences: alone, in two processes and on two dask workers; every digit is the same."""
    times = 4500 // 3
    for name, lines in (("source", SOURCES), ("ref", FIRST), ("system", SYSTEM), ("copy", SOURCES)):
        (tmp_path / name).write_text("\n".join(f"{number} {text}" for number in range(times) for text in lines) + "\n")
    asked = ("--source", tmp_path / "source", "--references", tmp_path / "ref", "--metrics", "sari,bleu,fkgl", *FEW)
    systems = ("--rewrite", tmp_path / "system", "--rewrite", tmp_path / "copy", "--json")
    alone = rubrica("score", *asked, *systems).json
    assert alone["systems"]["system"]["sentences"] == 4500
    assert rubrica("score", *asked, *systems, "--workers", "2").json == alone
    with dask_cluster() as address:
        assert rubrica("score", *asked, *systems, "--cluster", address).json == alone
