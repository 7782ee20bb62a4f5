"""`rubrica complexity` and `rubrica substitutes` as users call them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rubrica.cli.main import main
from tests.docs.pages import DOCS
from tests.rewriting.lexical.thesaurus_files import write_wordnet

GOLD = DOCS / "examples/lexical/gold_lcp.tsv"
LS = DOCS / "examples/lexical/gold_ls.tsv"


def test_train_predict_and_evaluate(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What is predicted is a submission that `evaluate lcp` takes."""
    model, own = tmp_path / "model.json", tmp_path / "own.tsv"
    assert main(["complexity", "train", str(GOLD), "-o", str(model)]) == 0
    unlabelled = tmp_path / "test_en.tsv"
    cells = [line.split("\t")[:4] for line in GOLD.read_text(encoding="utf-8").splitlines()]
    unlabelled.write_text("".join("\t".join(row) + "\n" for row in cells), encoding="utf-8")
    assert main(["complexity", "predict", str(model), str(unlabelled), "--explain", "-o", str(own)]) == 0
    assert "derelict: 0." in capsys.readouterr().err
    assert main(["evaluate", "lcp", str(GOLD), str(own), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["results"]["pearson"] > 0.3
    assert main(["complexity", "predict", str(model), str(unlabelled), "--json"]) == 0
    first = json.loads(capsys.readouterr().out)["items"][0]
    assert first["complexity"] == pytest.approx(first["mean"] + sum(first["adds"].values()))


def test_cross_validation_stands_beside_frequency(capsys: pytest.CaptureFixture[str]) -> None:
    """Two systems on one board."""
    assert main(["complexity", "evaluate", str(GOLD), "--folds", "4", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert set(found["systems"]) == {"baseline", "frequency only"}


def test_few_words_and_predictions_that_hardly_differ_are_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A board of twelve words does not stand alone; nor does a correlation of predictions that are all the mean."""
    assert main(["complexity", "evaluate", str(GOLD), "--folds", "4", "--bootstrap", "0"]) == 0
    assert "12 words can tell what works at all" in capsys.readouterr().err
    alike = tmp_path / "alike_si.tsv"
    rows = [f"si_{n}\tsinhala\tවාක්‍ය {n}\tවචනය\t0.{n}\n" for n in range(10, 40)]
    alike.write_text("".join(rows), encoding="utf-8")
    assert main(["complexity", "evaluate", str(alike), "--bootstrap", "0"]) == 0
    assert "baseline: its predictions hardly differ" in capsys.readouterr().err


def test_a_model_is_of_one_language(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Words of another are refused, whether a column or the file's name tells it."""
    model, other = tmp_path / "model.json", tmp_path / "words_fr.tsv"
    assert main(["complexity", "train", str(GOLD), "-o", str(model)]) == 0
    other.write_text("Il a entrepris la visite.\tentrepris\n", encoding="utf-8")
    assert main(["complexity", "predict", str(model), str(other)]) == 1
    assert "the model is for English, the texts are in French" in capsys.readouterr().err


def test_substitutes_are_a_submission(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """From a thesaurus at a path; JSON says why."""
    folder, own = write_wordnet(tmp_path / "wn"), tmp_path / "own.tsv"
    arguments = ["substitutes", str(LS), "--lang", "en", "--thesaurus", str(folder)]
    assert main([*arguments, "-o", str(own)]) == 0
    assert "12 words" in capsys.readouterr().err
    assert main(["evaluate", "ls", str(LS), str(own), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["results"]["ACC@1"] > 0
    assert main([*arguments, "--json"]) == 0
    items = json.loads(capsys.readouterr().out)["items"]
    assert next(one for item in items for one in item["substitutes"] if one["word"] == "delayed")["why"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["complexity", "train", "ids.csv", "-o", "m.json"], "has no words, only scores"),
        (["complexity", "train", "two.tsv", "-o", "m.json"], "the file has de, en, and the model is for one language"),
        (["complexity", "predict", "away.json", "two.tsv"], "there is no such file"),
        (["complexity", "predict", "ids.csv", "two.tsv"], "this is no model of complexity"),
        (["substitutes", "two.tsv"], "the language is not clear: de, en"),
        (["substitutes", "ids.csv", "--lang", "en"], "no contexts and targets"),
        (["substitutes", "two.tsv", "--lang", "si"], "no thesaurus for Sinhala was found"),
    ],
)
def test_what_is_wrong_is_said(
    arguments: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit code 1, and no model is written."""
    monkeypatch.chdir(tmp_path)
    Path("ids.csv").write_text("en_1,0.5\n", encoding="utf-8")
    Path("two.tsv").write_text(
        "en_1\tenglish\tA dog.\tdog\t0.1\nde_1\tgerman\tEin Hund.\tHund\t0.1\n", encoding="utf-8"
    )
    assert main(arguments) == 1
    assert said in capsys.readouterr().err
    assert not Path("m.json").exists()
