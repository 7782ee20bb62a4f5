"""`rubrica edits tag`: train, tag and evaluate, on a small file of our own."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from rubrica.cli.main import main
from tests.cli.test_edits import EXAMPLE
from tests.conftest import Ran
from tests.docs.pages import DOCS

pytestmark = pytest.mark.any_database

Rubrica = Callable[..., Ran]
PAIRS = DOCS / "examples" / "items" / "salsa.csv"


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model trained on the example file."""
    out = tmp_path_factory.mktemp("tag") / "model.json"
    assert main(["edits", "tag", "train", str(EXAMPLE), "-o", str(out)]) == 0
    return out


def test_training_says_what_it_saw(rubrica: Rubrica, model: Path) -> None:
    """The model is JSON and says on what it was trained; training again gives the same."""
    again = rubrica("edits", "tag", "train", EXAMPLE, "-o", model.with_name("again.json"), "--json").json
    assert again["pairs"] == 12
    assert again["words"] == sum(again["tags"].values()) == 284
    assert model.read_text() == model.with_name("again.json").read_text()
    assert "edits:tag train" in json.loads(model.read_text())["trained"]["signature"]


def test_words_of_new_pairs_are_tagged(rubrica: Rubrica, model: Path, tmp_path: Path) -> None:
    """Every word of both sides has a place, a tag and its likelihoods, as JSON lines and as a table."""
    lines, table = tmp_path / "tags.jsonl", tmp_path / "tags.csv"
    found = rubrica("edits", "tag", PAIRS, "--model", model, "-o", lines, "--json").json
    records = [json.loads(line) for line in lines.read_text().splitlines()]
    words = [word for record in records for side in ("source_words", "rewrite_words") for word in record[side]]
    assert found["words"] == len(words) == sum(found["tags"].values())
    first = records[0]
    for word in first["source_words"]:
        assert first["source"][word["start"] : word["end"]] == word["word"]
        assert word["good"] + word["ok"] + word["bad"] == pytest.approx(1)
    assert "model:linear-" in found["signature"]
    assert rubrica("edits", "tag", "run", PAIRS, "--model", model, "-o", table).code == 0
    with table.open(encoding="utf-8", newline="") as file:
        assert [row["tag"] for row in csv.DictReader(file)] == [word["tag"] for word in words]
    assert rubrica("edits", "tag", PAIRS, "--model", model).code == 0


def test_evaluation_compares_with_baselines(rubrica: Rubrica) -> None:
    """Held-out sentences and systems, three ways of tagging, with intervals; repeatable."""
    options = ("--folds", 3, "--bootstrap", 20, "--seed", 1)
    found = rubrica("edits", "tag", "evaluate", EXAMPLE, *options, "--json").json
    assert [(row["held_out"], row["tagger"]) for row in found["results"]] == [
        (held_out, tagger) for held_out in ("sentences", "systems") for tagger in ("majority", "diff", "light model")
    ]
    by_name = {(row["held_out"], row["tagger"]): row for row in found["results"]}
    assert by_name["sentences", "diff"]["macro_f1"] > by_name["sentences", "majority"]["macro_f1"]
    assert {row["words"] for row in found["results"]} == {284}
    assert (
        "on systems that training did not see: 12 pairs, 284 words"
        in rubrica("edits", "tag", "evaluate", EXAMPLE, *options).out
    )


def test_a_model_is_tested_as_it_is(rubrica: Rubrica, model: Path) -> None:
    """--model tests a trained model instead of training anew."""
    found = rubrica("edits", "tag", "evaluate", EXAMPLE, "--model", model, "--bootstrap", 0, "--json").json
    assert {row["tagger"][:7] for row in found["results"]} == {"majorit", "diff", "linear-"}


@pytest.mark.parametrize(
    ("arguments", "rule"),
    [
        ((PAIRS, "--model", "none.json", "-o", "t.jsonl"), "file"),
        ((PAIRS, "--model", EXAMPLE, "-o", "t.jsonl"), "model"),
        ((PAIRS, "--model", "lens-salsa", "-o", "t.jsonl"), "not_installed"),
        ((PAIRS, "--model", "m.json", "--checkpoint", "c.ckpt", "-o", "t.jsonl"), "option"),
        ((PAIRS, "--model", "m.json", "-o", "t.xml"), "format"),
        ((PAIRS, "--model", "m.json"), "option"),
        (("train", "none.json", "-o", "m.json"), "file"),
        (("evaluate", "none.json"), "file"),
    ],
)
def test_what_cannot_be_done(
    rubrica: Rubrica, arguments: tuple[object, ...], rule: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A wrong request ends with 1, says which rule it breaks, and writes nothing."""
    monkeypatch.chdir(tmp_path)
    ran = rubrica("edits", "tag", *arguments, "--json")
    assert (ran.code, [error["rule"] for error in ran.json["errors"]]) == (1, [rule])
    assert [path.name for path in tmp_path.iterdir() if path.is_file()] == []


def test_one_sentence_cannot_be_held_out(rubrica: Rubrica, tmp_path: Path) -> None:
    """With a single sentence there is nothing to train on."""
    file = tmp_path / "one.json"
    file.write_text(json.dumps(json.loads(EXAMPLE.read_text())[:2]))
    assert rubrica("edits", "tag", "evaluate", file, "--json").json["errors"][0]["rule"] == "evaluation"
