"""`rubrica prepare posthoc` as organisers of a shared task call it: to items, and on to a study."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from rubrica.cli.main import main

CONTEXTS = [
    ("The huge barn burnt.", "huge", "big"),
    ("Arduous work awaited them.", "Arduous", "hard"),
    ("They commenced early.", "commenced", "began"),
    ("An odd noise came.", "odd", "strange"),
]


def _gold(path: Path, contexts: list[tuple[str, str, str]] = CONTEXTS) -> Path:
    path.write_text("".join(f"{text}\t{word}\t{good}\t{good}\tother\n" for text, word, good in contexts))
    return path


def _system(path: Path, answers: list[str], contexts: list[tuple[str, str, str]] = CONTEXTS) -> Path:
    path.parent.mkdir(exist_ok=True)
    rows = zip(contexts, answers, strict=True)
    path.write_text("".join(f"{text}\t{word}\t{answer}\n" for (text, word, _), answer in rows))
    return path


@pytest.fixture
def task(tmp_path: Path) -> tuple[Path, Path]:
    """A gold file and four systems: the best two share outputs; the third has an empty one and several words."""
    folder = tmp_path / "systems"
    _system(folder / "alpha.tsv", ["big", "hard", "began", "strange"])
    _system(folder / "beta.tsv", ["big", "hard", "started", "strange"])
    _system(folder / "gamma.tsv", ["very big", "hard", "", "strange"])
    _system(folder / "delta.tsv", ["barn", "work", "they", "noise"])
    return _gold(tmp_path / "gold.tsv"), folder


def _run(*arguments: object, capsys: pytest.CaptureFixture[str], code: int = 0) -> Any:
    assert main(["prepare", "posthoc", *map(str, arguments)]) == code
    return capsys.readouterr()


def _rows(path: Path) -> list[dict[str, str]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_the_best_systems_become_items(
    task: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Three of four systems, all four words; each output once, with every system that gave it and those left out."""
    out = tmp_path / "items.jsonl"
    told = _run(*task, "--top", 3, "--sample", 4, "-o", out, capsys=capsys).err
    rows = {(row["target"], row["substitute"]): row for row in _rows(out)}
    credited = {key: row["system"] for key, row in rows.items()}
    assert credited == {
        ("huge", "big"): "alpha | beta",
        ("huge", "very big"): "gamma",
        ("Arduous", "hard"): "alpha | beta | gamma",
        ("commenced", "began"): "alpha",
        ("commenced", "started"): "beta",
        ("odd", "strange"): "alpha | beta | gamma",
    }
    assert rows["commenced", "began"]["left_out"] == "gamma"
    assert "left_out" not in rows["huge", "big"]
    assert "3 systems of 4, the best by ACC@1@Top1" in told
    assert "1. alpha (1.0000): 4 outputs to judge; 3 of them given by others too" in told
    assert "1 of several words; left out, with none to judge: 1 instance" in told


def test_ties_are_said_with_what_is_done_about_them(
    task: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    """By ACC@1, written as one likes, beta and gamma share the second place: both are judged, or the first by name."""
    _system(task[1] / "gamma.tsv", ["big", "hard", "", "strange"])
    found = json.loads(_run(*task, "--top", 2, "--by", "acc@1", "--json", capsys=capsys).out)
    assert found["by"] == "ACC@1"
    assert [one["system"] for one in found["results"][0]["systems"]] == ["alpha", "beta", "gamma"]
    assert found["results"][0]["tied"] == ["beta", "gamma"]
    told = _run(*task, "--top", 2, "--by", "ACC@1", "--ties", "first", capsys=capsys).err
    assert "tied at place 2: beta, gamma; not judged, as later by name: gamma" in told


def test_empty_outputs_and_several_words_have_the_fate_that_is_asked_for(
    task: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """An empty output is judged as the word unchanged, one of several words is left out."""
    out = tmp_path / "items.jsonl"
    _run(*task, "--top", 3, "--empty", "unchanged", "--several-words", "leave-out", "-o", out, capsys=capsys)
    rows = {(row["target"], row["substitute"]): row for row in _rows(out)}
    assert rows["commenced", "commenced"]["system"] == "gamma"
    assert ("huge", "very big") not in rows
    assert rows["huge", "big"]["left_out"] == "gamma"


def test_each_language_has_its_own_best_and_its_own_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Of two systems, one is the best in each language; a word that is not in its context is not drawn, and named."""
    other = [("La casa enorme ardió.", "enorme", "grande"), ("Sin palabra aquí.", "arduo", "difícil")]
    golds, folder = tmp_path / "gold", tmp_path / "systems"
    golds.mkdir()
    _gold(golds / "task_en.tsv")
    _gold(golds / "task_es.tsv", other)
    for name, english, spanish in (("one", "big", "raro"), ("two", "odd", "grande")):
        _system(folder / f"{name}_en.tsv", [english, "hard", "began", "strange"])
        _system(folder / f"{name}_es.tsv", [spanish, "difícil"], other)
    out = tmp_path / "items.csv"
    _run(golds, folder, "--top", 1, capsys=capsys, code=1)
    told = _run(golds, folder, "--top", 1, "-o", out, capsys=capsys).err
    assert "one" in (tmp_path / "items-en.csv").read_text()
    spanish_rows = (tmp_path / "items-es.csv").read_text().splitlines()[1:]
    assert spanish_rows == ["p001,La casa enorme ardió.,enorme,grande,two,line 1,es,,"]
    assert "not drawn, since the word is not found in its context: line 2" in told


def test_broken_submissions_are_told_all_at_once_and_nothing_is_written(
    task: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each with its file and line; --skip-broken goes on with the others."""
    (task[1] / "bad.tsv").write_text("No such sentence.\tsuch\tbig\n")
    (task[1] / "worse.tsv").write_text("The huge barn burnt.\thuge\tbig\nThe huge barn burnt.\thuge\tbig\n")
    out = tmp_path / "items.jsonl"
    told = _run(*task, "-o", out, capsys=capsys, code=1).err
    assert "bad.tsv:1: the gold has no 'such' in 'No such sentence.'" in told
    assert "worse.tsv:2: 'huge' in 'The huge barn burnt.' is there more often than in the gold" in told
    assert not out.exists()
    _run(*task, "-o", out, "--skip-broken", capsys=capsys)
    assert out.exists()


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--by", "speed"], "there is no figure 'speed'"),
        (["--ties", "coin"], "there is no rule for ties 'coin'"),
        (["--empty", "zero"], "there is no fate of empty outputs 'zero'"),
        (["-o", "items.pdf"], "'items.pdf' is no table that is written here"),
    ],
)
def test_what_is_refused(
    task: tuple[Path, Path], capsys: pytest.CaptureFixture[str], options: list[str], told: str
) -> None:
    """Wrong requests end with a message."""
    assert told in _run(*task, *options, capsys=capsys, code=1).err


def test_a_system_whose_name_would_be_two_is_refused(
    task: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    """The sign between names of systems that gave the same is in no name."""
    (task[1] / "alpha.tsv").rename(task[1] / "al|pha.tsv")
    assert "the name 'al|pha' has a '|'" in _run(*task, capsys=capsys, code=1).err


@pytest.mark.usefixtures("home")
def test_the_items_go_into_a_study(task: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Two judgements an output, with nothing to map; the sheet shows the sentence with the substitute in it."""
    import openpyxl

    out, home = tmp_path / "items.csv", ["--home", str(tmp_path / "home")]
    _run(*task, "--top", 3, "-o", out, capsys=capsys)
    assert main([*home, "study", "new", "best", "--protocol", "lexical_posthoc", "--items", str(out), "--json"]) == 0
    (stage,) = json.loads(capsys.readouterr().out)["study"]["stages"]
    assert (stage["items"], stage["overlap"]) == (6, 2)
    assert main([*home, "sheets", "write", "best", "--annotators", "ana,ben", "--out", str(tmp_path / "sheets")]) == 0
    (first, *_) = sorted((tmp_path / "sheets").glob("*.xlsx"))
    page = openpyxl.load_workbook(first, rich_text=True).worksheets[0]
    cells = {str(row[2].value): row[2].value for row in page.iter_rows(min_row=2)}
    assert "Hard work awaited them." in cells
    assert "alpha" not in str([cell.value for row in page.iter_rows() for cell in row])
    marked = [part.text for part in cells["Hard work awaited them."] if not isinstance(part, str) and part.font.b]
    assert marked == ["Hard"]


def _judged(tmp_path: Path, task: tuple[Path, Path], capsys: pytest.CaptureFixture[str]) -> list[str]:
    """A study of the three best systems that ana and ben have judged: 4 and 2 for what several systems gave, else 5."""
    out, home = tmp_path / "items.jsonl", ["--home", str(tmp_path / "home")]
    _run(*task, "--top", 3, "-o", out, capsys=capsys)
    assert main([*home, "study", "new", "best", "--protocol", "lexical_posthoc", "--items", str(out)]) == 0
    lines = [
        {"item": row["id"], "annotator": name, "answers": dict.fromkeys(("simplicity", "fluency", "meaning"), point)}
        for row in _rows(out)
        for name, point in (("ana", 4 if "|" in row["system"] else 5), ("ben", 2 if "|" in row["system"] else 5))
    ]
    (tmp_path / "judged.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert main([*home, "import", "best", str(tmp_path / "judged.jsonl")]) == 0
    capsys.readouterr()
    return home


@pytest.mark.usefixtures("home")
def test_the_table_of_systems_counts_credits_and_what_is_left_out(
    task: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of the study and of its export: means over all that a system gave; agreement over what was judged, once."""
    home = _judged(tmp_path, task, capsys)
    exported = tmp_path / "exported.csv"
    assert main([*home, "export", "best", "--format", "csv", "-o", str(exported)]) == 0
    capsys.readouterr()
    for source in ("best", str(exported)):
        assert main([*home, "compare", source, "--bootstrap", "0", "--json"]) == 0
        found = json.loads(capsys.readouterr().out)
        means = {one["system"]: one["value"] for one in found["results"] if one["figure"] == "mean"}
        assert means == {"alpha": (3 * 3 + 5) / 4, "beta": (3 * 3 + 5) / 4, "gamma": (2 * 3 + 5) / 3}
        assert found["no_output"] == [{"dataset": "", "system": "gamma", "sources": 1}]
        assert main([*home, "agree", source, "--bootstrap", "0", "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["results"][0]["units"] == 6


@pytest.mark.usefixtures("home")
def test_the_report_has_the_table_with_what_is_left_out(
    task: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A row for each system and no row for two of them together; the last column says how many have no output."""
    home = _judged(tmp_path, task, capsys)
    folder = tmp_path / "report"
    assert main([*home, "report", "best", "-o", str(folder), "--no-charts"]) == 0
    with (folder / "tables" / "answer.csv").open() as file:
        rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
    assert {row["system"]: (row["judgements"], row["left_out"]) for row in rows} == {
        "alpha": ("8", "0"),
        "beta": ("8", "0"),
        "gamma": ("6", "1"),
    }
    assert "alpha | beta" not in (folder / "tables" / "items.csv").read_text()


@pytest.mark.usefixtures("home")
def test_nobody_judges_a_system_they_are_part_of(
    task: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Recorded with the study or later, shown with it, and held to by sheets; an unknown system is refused by name."""
    out, home = tmp_path / "items.jsonl", ["--home", str(tmp_path / "home")]
    _run(*task, "--top", 3, "-o", out, capsys=capsys)
    made = ["study", "new", "best", "--protocol", "lexical_posthoc", "--items", str(out)]
    assert main([*home, *made, "--team", "alhpa=ana"]) == 1
    assert "no item is of a system 'alhpa'" in capsys.readouterr().err
    assert main([*home, *made, "--team", "alpha=ana,Ben Ode"]) == 0
    assert "alpha is judged by others than ana, Ben Ode" in capsys.readouterr().out
    assert main([*home, "study", "change", "best", "--team", "gamma=eva", "--team", "alpha=ana", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["study"]["teams"] == {"alpha": ["ana"], "gamma": ["eva"]}
    sheets = ["sheets", "write", "best", "--annotators", "ana,eva", "--out", str(tmp_path / "sheets"), "--json"]
    assert main([*home, *sheets]) == 0
    capsys.readouterr()
    assert main([*home, "study", "show", "best", "--json"]) == 0
    (stage,) = json.loads(capsys.readouterr().out)["study"]["stages"]
    # Of six outputs, alpha gave four and gamma three.
    assert {name: did["open"] for name, did in stage["annotators"].items()} == {"ana": 2, "eva": 3}


@pytest.mark.usefixtures("home")
def test_the_leaderboard_has_what_people_said_beside_the_scores(
    task: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """In print, as JSON and on the page; a study in which no systems were judged is refused."""
    home = _judged(tmp_path, task, capsys)
    scored = [*home, "evaluate", "ls", *map(str, task), "--bootstrap", "50", "--judged", "best"]
    assert main([*scored, "--report", str(tmp_path / "board"), "--no-charts"]) == 0
    assert "Systems as people judged them" in capsys.readouterr().out
    page = (tmp_path / "board" / "report.html").read_text()
    assert page.index("Systems by ACC@1@Top1") < page.index("Systems as people judged them") < page.index("<details>")
    assert main([*scored, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["judged"]
    assert {one["system"] for one in found["results"]} == {"alpha", "beta", "gamma"}
    (tmp_path / "one.csv").write_text("context,target,substitute\nA big dog.,big,large\n")
    made = ["study", "new", "none", "--protocol", "lexical_posthoc", "--items", str(tmp_path / "one.csv")]
    assert main([*home, *made]) == 0
    assert main([*scored, "--judged", "none"]) == 1
    assert "There is no judgement that counts yet" in capsys.readouterr().err
