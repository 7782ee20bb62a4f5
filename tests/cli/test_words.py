"""`rubrica words pick` as a provider of data calls it."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from rubrica.cli.main import main
from tests.conftest import Ran
from tests.docs.pages import DOCS

pytestmark = pytest.mark.any_database
SCHOOL = DOCS / "examples/lexical/school.txt"


@pytest.mark.parametrize("protocol", ["lexical_complexity", "lexical_simplification"])
def test_the_table_makes_a_study_as_it_is(protocol: str, tmp_path: Path, rubrica: Callable[..., Ran]) -> None:
    """Items with ids and places, three of each context together."""
    out = tmp_path / "items.csv"
    assert main(["words", "pick", str(SCHOOL), "--lang", "English", "--contexts", "4", "-o", str(out)]) == 0
    made = rubrica("study", "new", "hard", "--protocol", protocol, "--items", out)
    assert made.code == 0
    assert "12 items in 4 groups" in made.out + made.err


def test_json_has_the_items_and_the_account(capsys: pytest.CaptureFixture[str]) -> None:
    """What was left out and why, what was done without, what is not told about the texts."""
    given = ["--about", "licence=CC0", "--about", "source=our own"]
    assert (
        main(["words", "pick", str(SCHOOL), "--lang", "en", "--contexts", "3", "--targets", "1", *given, "--json"]) == 0
    )
    found = json.loads(capsys.readouterr().out)
    assert found["contexts"] == found["instances"] == 3
    assert found["left_out"]["markup"] == 2
    assert {item["licence"] for item in found["items"]} == {"CC0"}
    assert "genre" in found["not_told"]
    assert sum(found["bands"].values()) == 3


def test_a_folder_wrapped_lines_and_lists(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Texts of a folder are one; paragraphs of short lines are put together; lists of words are files."""
    folder = tmp_path / "texts"
    folder.mkdir()
    lines = SCHOOL.read_text(encoding="utf-8").splitlines()
    (folder / "a.txt").write_text("\n\n".join(line.replace(" ", "\n") for line in lines[:10]), encoding="utf-8")
    (folder / "b.txt").write_text("\n\n".join(lines[10:]), encoding="utf-8")
    (tmp_path / "given.txt").write_text("salvage\nvegetable\n", encoding="utf-8")
    (tmp_path / "never.txt").write_text("enormous\n", encoding="utf-8")
    out = tmp_path / "items.tsv"
    arguments = ["--words", str(tmp_path / "given.txt"), "--exclude", str(tmp_path / "never.txt"), "-o", str(out)]
    assert main(["words", "pick", str(folder), "--lang", "en", "--wrapped", "--contexts", "9", *arguments]) == 0
    with out.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    assert {row["target"] for row in rows if row["main"] == "yes"} == {"vegetables", "salvage"}
    assert {row["text_file"] for row in rows} == {"a.txt", "b.txt"}
    assert "enormous" not in {row["target"] for row in rows}
    assert "2 contexts of 9 wanted" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["away.txt", "--lang", "en"], "there is no such file"),
        (["empty", "--lang", "en"], "the folder has no texts"),
        (["short.txt", "--lang", "en"], "no context fits: of 1 sentence were left out 1 for 'too short'"),
        (["short.txt", "--lang", "en", "--first", "none"], "there is no order 'none'"),
        (["short.txt", "--lang", "en", "--about", "colour=red"], "there is no key 'colour'"),
        (["short.txt", "--lang", "en", "--easiest", "1"], "no word can be rarer"),
        (["latin.txt", "--lang", "en"], "latin.txt:2: this is not UTF-8"),
        (["short.txt", "--lang", "en", "-o", "items.pdf"], "is no table that is written here"),
    ],
)
def test_what_is_wrong_is_said(
    arguments: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit code 1, and nothing is written."""
    monkeypatch.chdir(tmp_path)
    Path("empty").mkdir()
    Path("short.txt").write_text("Too short.\n", encoding="utf-8")
    Path("latin.txt").write_bytes("Here.\ncafé\n".encode("latin-1"))
    assert main(["words", "pick", *arguments]) == 1
    assert said in capsys.readouterr().err
    assert not Path("items.pdf").exists()


def test_suggestions_of_programs_are_told_and_kept(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Complexity by a model that is named, substitutes by a thesaurus; what there is none of is said."""
    model, out = tmp_path / "model.json", tmp_path / "items.csv"
    lexical = DOCS / "examples/lexical"
    assert main(["complexity", "train", str(lexical / "gold_lcp.tsv"), "-o", str(model)]) == 0
    text = tmp_path / "text.txt"
    text.write_text(
        "The cautious committee decided to postpone the expensive excursion until spring.\n", encoding="utf-8"
    )
    pick = ["words", "pick", str(text), "--lang", "en", "--contexts", "1", "-o", str(out)]
    with_all = ["--explain", "--model", str(model), "--thesaurus", str(lexical / "th_en_small.dat")]
    (tmp_path / "given.txt").write_text("postpone\n", encoding="utf-8")
    assert main([*pick, *with_all, "--words", str(tmp_path / "given.txt")]) == 0
    with out.open(encoding="utf-8", newline="") as file:
        rows = {row["target"]: row for row in csv.DictReader(file)}
    assert rows["postpone"]["suggested_substitutes"] == "2: delay, defer"
    assert all(1 <= float(row["suggested_complexity"]) <= 5 for row in rows.values())
    kept = {one["word"]: one for one in json.loads(rows["postpone"]["candidates"])}
    assert all("suggested_complexity" in one for one in kept.values())
    assert "suggestion: complexity about" in capsys.readouterr().err
    assert main([*pick, "--explain"]) == 0
    assert "not suggested: no model of complexity was named" in capsys.readouterr().err
    assert main([*pick, "--model", str(model)]) == 1
    assert "--model and --thesaurus are for --explain" in capsys.readouterr().err
    assert main(["words", "pick", str(SCHOOL), "--lang", "es", "--explain", "--model", str(model)]) == 1
    assert "the model is for English, the texts are in Spanish" in capsys.readouterr().err


def test_a_language_that_there_is_none_of_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """And texts that are clearly in another, or begin in one, are told of."""
    assert main(["words", "pick", str(SCHOOL), "--lang", "Germn"]) == 1
    assert "Did you mean 'German'?" in capsys.readouterr().err
    assert main(["words", "pick", str(SCHOOL), "--lang", "zz"]) == 1
    assert "there is no language 'zz'" in capsys.readouterr().err
    assert main(["words", "pick", str(SCHOOL), "--lang", "de", "--contexts", "2"]) == 1
    assert "The texts look like English, not German: check --lang." in capsys.readouterr().err
    mixed = tmp_path / "mixed.txt"
    german = "Die Gemeinde bewilligte dem Gärtner eine bescheidene Unterstützung für das baufällige Gewächshaus."
    mixed.write_text(f"{SCHOOL.read_text(encoding='utf-8')}\n{german}\n", encoding="utf-8")
    assert main(["words", "pick", str(mixed), "--lang", "de", "--contexts", "2", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["looks_like"] == "en"
    assert {item["context"] for item in found["items"]} == {german}
    assert main(["words", "pick", str(mixed), "--lang", "de", "--contexts", "2"]) == 0
    assert "the texts look like English, not German: check --lang" in capsys.readouterr().err


def test_an_empty_list_of_words_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Instead of picking whatever there is."""
    (tmp_path / "given.txt").write_text("\n\n", encoding="utf-8")
    assert main(["words", "pick", str(SCHOOL), "--lang", "en", "--words", str(tmp_path / "given.txt")]) == 1
    assert "the list has no words" in capsys.readouterr().err
