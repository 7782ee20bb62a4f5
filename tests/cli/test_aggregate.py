"""`rubrica aggregate`: tables and studies, files in every form, verdicts and the corpus of sentences."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Ran
from tests.docs.pages import DOCS
from tests.making import fill

pytestmark = pytest.mark.any_database

Rubrica = Callable[..., Ran]
EXAMPLE = DOCS / "examples" / "ratings" / "planted.csv"
COLUMNS = ("--unit", "sentence,system", "--rater", "rater", "--value", "fluency,same_meaning", "--system", "system")
SMALL = """unit,rater,score,label
u,a,4,x
u,b,5,y
v,a,2,x
v,b,2,x
v,c,5,y
"""
LONG = ("--unit", "unit", "--rater", "rater", "--value", "score,label")


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """A table that can be added up by hand."""
    path = tmp_path / "small.csv"
    path.write_text(SMALL)
    return path


def gold(ran: Ran, question: str) -> dict[str, object]:
    """Gold answers to a question, by unit."""
    return {row["unit"]: row["value"] for row in ran.json["results"] if row["question"] == question}


def test_by_kind_of_question(rubrica: Rubrica, small: Path) -> None:
    """Scores have means, labels majorities; a tie is undefined, with its reason."""
    ran = rubrica("aggregate", small, *LONG, "--json")
    assert gold(ran, "score") == {"u": 4.5, "v": 3}
    assert gold(ran, "label") == {"u": None, "v": "x"}
    [tie] = [row for row in ran.json["results"] if row["value"] is None]
    assert tie["reason"] == "tie"
    assert "score: mean; label: majority" in ran.err


def test_ties_and_median(rubrica: Rubrica, small: Path) -> None:
    """A rule settles ties and stands in the signature; medians leave labels out."""
    ran = rubrica("aggregate", small, *LONG, "--method", "majority", "--ties", "highest", "--json")
    assert gold(ran, "label") == {"u": "y", "v": "x"}
    assert "ties:highest" in ran.json["signature"]
    ran = rubrica("aggregate", small, *LONG, "--method", "median", "--json")
    assert gold(ran, "score") == {"u": 4.5, "v": 2}
    assert "median does not fit label" in ran.err


@pytest.mark.parametrize("ending", ["csv", "json", "jsonl", "md", "tex"])
def test_files(rubrica: Rubrica, small: Path, tmp_path: Path, ending: str) -> None:
    """Every form has every gold answer; the ending says which form."""
    out = tmp_path / f"gold.{ending}"
    ran = rubrica("aggregate", small, *LONG, "-o", out)
    assert (ran.code, ran.out) == (0, "")
    text = out.read_text()
    match ending:
        case "csv":
            assert [row["value"] for row in csv.DictReader(text.splitlines())] == ["4.5", "3.0", "", "x"]
        case "json":
            assert len(json.loads(text)["results"]) == 4
        case "jsonl":
            assert [json.loads(line)["unit"] for line in text.splitlines()] == ["u", "v", "u", "v"]
        case _:
            assert "4.50" in text


def test_a_model_of_the_crowd(rubrica: Rubrica) -> None:
    """Dawid-Skene gives the spammer the lowest weight of all raters."""
    ran = rubrica("aggregate", EXAMPLE, *COLUMNS, "--method", "dawid_skene", "--json")
    weights = {one["rater"]: one["weight"] for one in ran.json["raters"] if one["question"] == "same_meaning"}
    assert min(weights, key=lambda rater: weights[rater]) == "eva"
    assert all(0 <= row["probability"] <= 1 for row in ran.json["results"])
    assert all(row["converged"] is True for row in ran.json["results"])
    assert {(one["question"], one["converged"]) for one in ran.json["models"]} == {
        ("fluency", True),
        ("same_meaning", True),
    }
    assert "smoothing:1+0.1" in ran.json["signature"]


@pytest.mark.parametrize("method", ["dawid_skene", "mace", "glad"])
def test_a_model_that_has_not_converged_says_so(rubrica: Rubrica, tmp_path: Path, method: str) -> None:
    """With three rounds the table, the JSON, a file and standard error say that there were too few."""
    layout = (*COLUMNS[:4], "--value", "same_meaning")
    ask = ("aggregate", EXAMPLE, *layout, "--method", method, "--iterations", "3")
    ran = rubrica(*ask, "--json", "-o", tmp_path / "gold.md")
    said = f"same_meaning: {method} has not converged in"
    assert said in ran.err
    [model] = ran.json["models"]
    assert (model["converged"], model["iterations"]) == (False, 3)
    assert any(said in one for one in model["warnings"])
    assert {row["converged"] for row in ran.json["results"]} == {False}
    assert said in (tmp_path / "gold.md").read_text()
    assert said in rubrica(*ask).out
    assert "iterations:3" in ran.json["signature"]


def test_a_model_of_too_few_answers_is_warned_of(rubrica: Rubrica, tmp_path: Path) -> None:
    """Three raters of ten units on five labels make 64 parameters of 30 answers; majority is not warned of."""
    file = tmp_path / "few.csv"
    rows = [
        f"u{unit},{rater},{'vwxyz'[(unit * 3 + unit // 4 * place) % 5]}"
        for unit in range(10)
        for place, rater in enumerate("abc")
    ]
    file.write_text("unit,rater,label\n" + "\n".join(rows) + "\n")
    ask = ("aggregate", file, "--unit", "unit", "--rater", "rater", "--value", "label")
    ran = rubrica(*ask, "--method", "dawid_skene", "--json")
    said = "dawid_skene has 64 parameters for 30 answers"
    [model] = ran.json["models"]
    assert (model["parameters"], model["answers"]) == (64, 30)
    assert said in model["warnings"][0]
    assert said in ran.err
    assert any(said in one for one in ran.json["remarks"])
    assert said in rubrica(*ask, "--method", "dawid_skene").out
    assert "parameters" not in rubrica(*ask, "--method", "majority").err


def test_verdicts_and_sentences_of_a_study(rubrica: Rubrica, tmp_path: Path) -> None:
    """needs_rewriting of breve, the same from the study and from its export, and as the corpus has it."""
    items = tmp_path / "items.csv"
    sentences = ("Procedió a abrir la puerta.", "Llueve.", "Hizo entrega del libro.")
    items.write_text("id,source,rewrite\n" + "".join(f"i{n},{one},{one}\n" for n, one in enumerate(sentences)))
    assert rubrica("study", "new", "s", "--protocol", "breve", "--items", items).code == 0
    written = rubrica("sheets", "write", "s", "--annotators", "a,b,c", "--out", tmp_path / "sheets", "--json")
    for file in written.json["files"]:
        fill(Path(file))
    assert rubrica("sheets", "read", "s", *written.json["files"]).code == 0
    out = tmp_path / "corpus.jsonl"
    ran = rubrica("aggregate", "s", "--method", "verdict", "--needs-rewriting", out, "--json")
    verdicts = gold(ran, "needs_rewriting")
    lines = [json.loads(line) for line in out.read_text().splitlines()]
    assert {line["index"]: "yes" if line["label"] else "no" for line in lines} == verdicts
    assert sorted(line["sentence"] for line in lines) == sorted(sentences)
    exported = tmp_path / "s.jsonl"
    assert rubrica("export", "s", "--format", "jsonl", "-o", exported).code == 0
    assert gold(rubrica("aggregate", exported, "--method", "verdict", "--json"), "needs_rewriting") == verdicts


def test_what_is_refused(rubrica: Rubrica, small: Path) -> None:
    """Unknown methods, rules and endings, a method that fits nothing, and sentences that nobody judged."""
    for options, message in (
        (("--method", "vote"), "there is no method 'vote'"),
        (("--ties", "coin"), "there is no rule for ties 'coin'"),
        (("-o", "gold.doc"), "its ending says no form"),
        (("--method", "counts"), "counts fits none of the questions"),
        (("--needs-rewriting", "x.jsonl"), "does not ask whether sentences need rewriting"),
    ):
        ran = rubrica("aggregate", small, *LONG, *options)
        assert ran.code == 1
        assert message in ran.err


def test_units_without_an_answer_are_named(rubrica: Rubrica, tmp_path: Path) -> None:
    """w was rated on nothing: it has no row, and that is said, on the terminal and in JSON."""
    file = tmp_path / "gaps.csv"
    file.write_text(SMALL + "w,a,,x\nw,b,,\n")
    found = rubrica("aggregate", file, *LONG, "--json").json
    assert [row["unit"] for row in found["results"] if row["question"] == "score"] == ["u", "v"]
    assert "score: 1 of 3 units have no answer, and no row (w)" in found["remarks"]
