"""`rubrica split` and `rubrica patterns` as a user calls them."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from rubrica.cli.main import main

PATTERNS = ("rc", "conj", "part", "prep", "adv", "appos", "inf")
COMPLEX = "Ana, who is a doctor, moved to Paris.\n\nThe mill is old.\n"


def test_a_line_in_is_a_line_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Empty lines, which are no sentences, and sentences that stay included; what was done is told on stderr."""
    (tmp_path / "in.txt").write_text(COMPLEX, encoding="utf-8")
    assert main(["split", str(tmp_path / "in.txt"), "-o", str(tmp_path / "out.txt")]) == 0
    assert (tmp_path / "out.txt").read_text(
        encoding="utf-8"
    ) == "Ana is a doctor. Ana moved to Paris.\n\nThe mill is old.\n"
    assert "2 sentences, 1 split, 3 sentences now" in capsys.readouterr().err


def test_json_lines_tell_what_was_done(tmp_path: Path) -> None:
    """Sentences apart, and operations with their cue."""
    (tmp_path / "in.txt").write_text(COMPLEX, encoding="utf-8")
    assert main(["split", str(tmp_path / "in.txt"), "--jsonl", "--workers", "2", "-o", str(tmp_path / "o.jsonl")]) == 0
    first = json.loads((tmp_path / "o.jsonl").read_text(encoding="utf-8").splitlines()[0])
    assert first["sentences"] == ["Ana is a doctor.", "Ana moved to Paris."]
    assert first["operations"][0] | {"span": 0} == {
        "pattern": "rc", "rule": "who", "cue": "who", "cue_span": [5, 8], "span": 0,
    }  # fmt: skip


def test_a_reason_is_told_once(tmp_path: Path) -> None:
    """Two ways to the same clause that fail alike are one decision."""
    (tmp_path / "in.txt").write_text(
        "The committee, which had met in Geneva every spring since 1998 and whose members came from eleven countries, "
        "approved the plan after a debate that lasted nine hours, and sent it to the council, because the members "
        "wanted a decision before the summer began.\n",
        encoding="utf-8",
    )
    assert main(["split", str(tmp_path / "in.txt"), "--jsonl", "-o", str(tmp_path / "o.jsonl")]) == 0
    left = [str(one) for one in json.loads((tmp_path / "o.jsonl").read_text(encoding="utf-8"))["left_alone"]]
    assert left
    assert len(left) == len(set(left))


@pytest.mark.parametrize("model", ["rubrica", "paper", "copy"])
def test_a_column_of_a_table(tmp_path: Path, model: str) -> None:
    """Every model takes one."""
    (tmp_path / "in.csv").write_text('id,complex\n1,"The mill was old, but the bridge was new."\n', encoding="utf-8")
    out = tmp_path / "out.txt"
    assert main(["split", str(tmp_path / "in.csv"), "--column", "complex", "--model", model, "-o", str(out)]) == 0
    assert "The mill was old" in out.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["split", "gone.txt"], "gone.txt: there is no such file"),
        (["split", "in.txt", "--model", "bert"], "Use one of rubrica, paper, copy"),
        (["split", "in.csv", "--column", "complx"], "there is no column 'complx'"),
        (["split", "in.txt", "--parser", "en_none"], "the spaCy pipeline 'en_none' cannot be loaded"),
        (["split", "in.txt", "--parser", "spacy"], "the package 'spacy' is no spaCy pipeline"),
        (["split", "nul.txt"], "nul.txt:1: this line holds a NUL character"),
    ],
)
def test_wrong_requests_are_told(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    message: str,
) -> None:
    """With exit code 1 and no traceback, and nothing is written."""
    monkeypatch.chdir(tmp_path)
    Path("in.txt").write_text(COMPLEX, encoding="utf-8")
    Path("in.csv").write_text("complex\nA b.\n", encoding="utf-8")
    Path("nul.txt").write_bytes(b"a\0b\n")
    assert main([*arguments, "-o", "out.txt"]) == 1
    assert message in capsys.readouterr().err
    assert not Path("out.txt").exists()


def test_patterns_of_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Counts with every key, the mean, and marks in a file."""
    (tmp_path / "in.txt").write_text(COMPLEX, encoding="utf-8")
    assert main(["patterns", str(tmp_path / "in.txt"), "-o", str(tmp_path / "marked.txt"), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["counts"] == {"rc": 1, "conj": 0, "part": 0, "prep": 0, "adv": 0, "appos": 0, "inf": 0}
    assert told["per_sentence"] == 0.5
    assert "Ana, [rc who is a doctor], moved" in (tmp_path / "marked.txt").read_text(encoding="utf-8")


def test_a_sample_of_patterns_is_the_same_for_a_seed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Drawn from stdin, too."""
    lines = "".join(
        f"The man number {number}, who sang, {'left and cried' if number % 2 else 'left'}.\n" for number in range(20)
    )
    told = []
    for _ in range(2):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(lines.encode())))
        assert main(["patterns", "-", "--sample", "5", "--seed", "3", "--json"]) == 0
        told.append(json.loads(capsys.readouterr().out))
    assert told[0] == told[1]
    assert told[0]["sentences"] == 5


def _answers(**yes: str) -> dict[str, str]:
    return {name: "yes" if name in yes.get("has", "").split() else "no" for name in PATTERNS}


def _study_of_patterns(tmp_path: Path, said: list[tuple[str, str, str]]) -> str:
    """A home with a study of two sentences, and what people said of them: item, person, patterns."""
    home = str(tmp_path / "home")
    (tmp_path / "items.csv").write_text(
        'id,complex\n1,"The mill, which two brothers built, still stands."\n2,The mayor left and the clerk stayed.\n'
    )
    rows = [{"item": item, "annotator": who, "answers": _answers(has=has)} for item, who, has in said]
    (tmp_path / "said.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    new = ["study", "new", "pat", "--protocol", "split_patterns", "--items", str(tmp_path / "items.csv")]
    assert main([*new, "--home", home]) == 0
    assert not said or main(["import", "pat", str(tmp_path / "said.jsonl"), "--home", home]) == 0
    return home


@pytest.mark.usefixtures("home")
def test_patterns_of_people_stand_beside_the_rules(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A sentence counts by its share of yes; the rules agree with ann in all, with ben in one of two."""
    said = [("1", "ann", "rc"), ("2", "ann", "conj"), ("1", "ben", "rc"), ("2", "ben", "")]
    home = _study_of_patterns(tmp_path, said)
    capsys.readouterr()
    assert main(["patterns", "pat", "--json", "--home", home]) == 0
    told = json.loads(capsys.readouterr().out)
    rows = {row["pattern"]: row for row in told["results"]}
    assert (rows["conj"]["people"], rows["conj"]["rules"], told["counts"]["conj"]) == (0.5, 1, 1)
    assert (told["per_sentence"], told["people_per_sentence"]) == (1, 0.75)
    percent = {row["measure"]: row["value"] for row in rows["conj"]["people_with_rules"]}["percent"]
    assert percent == pytest.approx(3 / 4)
    assert {row["measure"]: row["value"] for row in rows["conj"]["among_people"]}["percent"] == 0.5
    assert main(["patterns", "study:pat", "--home", home]) == 0
    assert "alpha, with the rules" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("name", "message"), [("pat", "nobody has answered yet"), ("tone", "not asked about patterns")]
)
@pytest.mark.usefixtures("home")
def test_a_study_without_patterns_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, message: str
) -> None:
    """With the reason, and exit code 1."""
    home = _study_of_patterns(tmp_path, [])
    (tmp_path / "pairs.csv").write_text("source,rewrite\nA b c.,A b.\n")
    assert (
        main(["study", "new", "tone", "--protocol", "quality", "--items", str(tmp_path / "pairs.csv"), "--home", home])
        == 0
    )
    assert main(["patterns", name, "--home", home]) == 1
    assert message in capsys.readouterr().err
