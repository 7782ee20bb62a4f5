"""`rubrica compare`: on the example file and on a study; metrics beside; bad input."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from tests.conftest import Ran
from tests.docs.pages import DOCS
from tests.making import fill, write_pairs

pytestmark = pytest.mark.any_database
Rubrica = Callable[..., Ran]
EXAMPLES = DOCS / "examples" / "systems"
ASKED = "sensible,grammatical,missing_facts,new_facts,wrong_split,further_split,correct"
FILE = (
    *(EXAMPLES / "ratings.csv", "--unit", "dataset,text,system", "--rater", "rater", "--system", "system"),
    *("--dataset", "dataset", "--protocol", "split_rate", "--value", ASKED),
)
FEW = ("--bootstrap", "100", "--permutations", "200")


def test_a_file_gives_the_table(rubrica: Rubrica) -> None:
    """Rows by data set and system in the shape of the paper, metrics beside them, the signature on stderr."""
    ran = rubrica("compare", *FILE, *FEW, "--metrics", EXAMPLES / "metrics.csv", "--seed", "3")
    assert ran.code == 0
    lines = [line.split() for line in ran.out.splitlines()]
    # Counted in the file: 27 of 30 ratings of people on news are correct, 7 of 10 rewrites perfect.
    row = next(line for line in lines if line[:2] == ["news", "people"])
    assert row[-4:] == ["90.0%", "70.0%", "47.9", "62.3"]
    assert "seed:3" in ran.err


def test_json_has_everything_unrounded(rubrica: Rubrica) -> None:
    """Figures with their intervals, tests before and after Holm, ranks, metrics; the same for the same seed."""
    first, again = (rubrica("compare", *FILE, *FEW, "--json") for _ in range(2))
    assert first.out == again.out
    found = first.json
    rows = {(one["dataset"], one["system"], one["criterion"], one["figure"]): one for one in found["results"]}
    people = rows["news", "people", "correct", "share"]
    assert people["value"] == 27 / 30
    assert people["low"] <= people["value"] <= people["high"]
    assert (people["answer"], people["counted"], people["rewrites"]) == ("yes", 30, 10)
    assert rows["news", "rules", "correct", "share"]["counted"] == 29
    test = found["tests"][0]
    assert test["permutation"]["holm"] >= test["permutation"]["p"]
    assert {one["cluster"] for one in found["ranks"]} >= {1}
    assert "holm:figure" in found["signature"]


@pytest.mark.parametrize("form", ["csv", "markdown", "latex"])
def test_other_forms(rubrica: Rubrica, form: str) -> None:
    """CSV has a row for each figure; Markdown and LaTeX have the paper's table."""
    ran = rubrica("compare", *FILE, *FEW, "--format", form)
    assert ran.code == 0
    start = {"csv": "dataset,system,criterion", "markdown": "**Ratings", "latex": "% alpha:0.05"}[form]
    assert ran.out.startswith(start)


def test_a_study_and_its_export_say_the_same(rubrica: Rubrica, tmp_path: Path) -> None:
    """Verdicts of a study are figures, too; one system is compared with nobody."""
    items = write_pairs(tmp_path / "items.csv", 4, {"system": "plain"})
    rubrica("study", "new", "s", "--protocol", "split_rate", "--items", items)
    sheets = rubrica("sheets", "write", "s", "--annotators", "ana,ben", "--out", tmp_path / "sheets", "--json").json
    for file in sheets["files"]:
        fill(Path(file))
    rubrica("sheets", "read", "s", *sheets["files"])
    rubrica("export", "s", "--format", "jsonl", "-o", tmp_path / "s.jsonl")
    study, file = (rubrica("compare", source, *FEW, "--json").json for source in ("study:s", tmp_path / "s.jsonl"))
    assert study["results"] == file["results"]
    assert {"correct"} <= {one["criterion"] for one in study["results"]}
    assert study["tests"] == study["ranks"] == []


def test_mixed_models_on_request(rubrica: Rubrica) -> None:
    """One model for each figure of ratings and data set, with its convergence."""
    ran = rubrica("compare", *FILE[:-1], "sensible", *FEW, "--mixed", "--json")
    assert [one["dataset"] for one in ran.json["mixed"]] == ["news", "contracts"]
    assert all(isinstance(one["converged"], bool) for one in ran.json["mixed"])


def rated(path: Path, systems: str, sources: int, score: Callable[[int, int, int], int]) -> Path:
    """Ratings of every system's rewrite of every source by three people: ``score`` of system, source and person."""
    lines = ["text,system,rater,good"]
    for source, (place, system), person in product(range(sources), enumerate(systems), range(3)):
        lines.append(f"t{source},{system},r{person},{score(place, source, person)}")
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


RATED = ("--unit", "text,system", "--rater", "rater", "--system", "system", "--value", "good")


def test_the_mixed_model_takes_ratings_of_one_rewrite_as_one_text(rubrica: Rubrica, tmp_path: Path) -> None:
    """In a balanced design the standard error is that of rewrites' means, however many people rated each.

    Three people who say the same of a rewrite, but for a point of one of them, are not three observations: the error
    is the root of twice the mean square of source by system, by three ratings and as many sources (by hand with NumPy).
    """
    noise = np.random.default_rng(5).integers(1, 5, (3, 24))

    def score(system: int, source: int, person: int) -> int:
        return source % 6 + int(noise[system, source]) + (person == (source + system) % 3)

    file = rated(tmp_path / "r.csv", "abc", 24, score)
    found = rubrica("compare", file, *RATED, *FEW, "--mixed", "--json").json["mixed"][0]
    means = np.array([[np.mean([score(a, s, p) for p in range(3)]) for s in range(24)] for a in range(3)])
    apart = means - means.mean(axis=1)[:, None] - means.mean(axis=0) + means.mean()
    error = np.sqrt(2 * (apart**2).sum() / (2 * 23) / 24)
    assert found["item"] > found["rewrite"] > found["residual"] > 0
    assert [pair["error"] for pair in found["pairs"]] == pytest.approx([error] * 3, rel=1e-3)
    assert [(pair["first"], pair["second"]) for pair in found["pairs"]] == [("a", "b"), ("a", "c"), ("b", "c")]
    least = min(pair["p"] for pair in found["pairs"])
    assert min(pair["holm"] for pair in found["pairs"]) == pytest.approx(min(1.0, 3 * least))
    text = rubrica("compare", file, *RATED, *FEW, "--mixed").out
    assert "random effects of sources, rewrites and annotators" in text
    assert "p, Holm" in text


def test_a_p_that_no_sign_reached_is_printed_as_a_bound(rubrica: Rubrica, tmp_path: Path) -> None:
    """Of 200 random signs of thirty sources none goes as far: at most 1/201, by three pairs 3/201."""
    file = rated(tmp_path / "r.csv", "abc", 30, lambda system, source, person: 1 + system + (source + person) % 2)
    ran = rubrica("compare", file, *RATED, *FEW)
    assert "≤ 0.0149" in ran.out
    tests = rubrica("compare", file, *RATED, *FEW, "--json").json["tests"]
    assert tests[0]["permutation"] == {
        "p": pytest.approx(1 / 201),
        "holm": pytest.approx(3 / 201),
        "at_most": ["p", "holm"],
        "exact": False,
    }


def test_bad_metrics_are_named(rubrica: Rubrica, tmp_path: Path) -> None:
    """Every problem of the file with its line; no traceback."""
    path = tmp_path / "m.csv"
    path.write_text("system,BLEU\nrules,high\nrules,3\n")
    ran = rubrica("compare", *FILE, "--metrics", path)
    assert ran.code == 1
    assert f"{path}:2: BLEU: 'high' is not a number" in ran.err
    assert f"{path}:3: rules has scores already in line 2" in ran.err
    path.write_text("name,BLEU\nrules,3\n")
    assert "there is no column 'system'" in rubrica("compare", *FILE, "--metrics", path).err


def test_scores_of_a_system_that_nobody_rated_are_said(rubrica: Rubrica, tmp_path: Path) -> None:
    """A remark, not an error."""
    path = tmp_path / "m.csv"
    path.write_text("system,BLEU\nother,3\n")
    ran = rubrica("compare", *FILE, *FEW, "--metrics", path)
    assert ran.code == 0
    assert "'other', which nobody rated" in ran.err


def test_an_unknown_family_is_refused(rubrica: Rubrica) -> None:
    """The message lists what there is."""
    ran = rubrica("compare", *FILE, "--holm", "none")
    assert ran.code == 1
    assert "Use one of figure, all." in ran.err


LABELLED = "text,system,rater,fine,kind\n" + "".join(
    f"{text},{system},{rater},{'yes' if (text + place + (system == 'b')) % 4 else 'no'},{'pqr'[(text + place) % 3]}\n"
    for text in range(8)
    for system in "ab"
    for place, rater in enumerate("xyz")
)
LABELS = ("--unit", "text,system", "--rater", "rater", "--system", "system")


def test_labels_of_a_file_are_tested_and_ranked_by_the_good_one(rubrica: Rubrica, tmp_path: Path) -> None:
    """Of yes and no the share of yes is tested, without ranks; --good makes ranks, and tests of more labels."""
    file = tmp_path / "labels.csv"
    file.write_text(LABELLED)
    plain = rubrica("compare", file, *LABELS, "--value", "fine,kind", *FEW, "--json").json
    assert [(one["criterion"], one["figure"]) for one in plain["tests"]] == [("fine", "share")]
    assert plain["ranks"] == []
    assert any("not tested on kind" in remark and "--good kind=ANSWER" in remark for remark in plain["remarks"])
    good = ("--good", "fine=no", "--good", "kind=p")
    found = rubrica("compare", file, *LABELS, "--value", "fine,kind", *good, *FEW, "--json").json
    assert [one["criterion"] for one in found["tests"]] == ["fine", "kind"]
    assert {one["criterion"] for one in found["ranks"]} == {"fine", "kind"}
    assert found["tests"][0]["value"] == pytest.approx(-plain["tests"][0]["value"])
    assert "good:fine=no+kind=p" in found["signature"]
    planned = rubrica("plan", file, *LABELS, "--value", "fine", "--items", "9", "--raters", "2", "--json").json
    assert len(planned["results"]) == 1


def test_every_wrong_good_answer_is_said(rubrica: Rubrica, tmp_path: Path) -> None:
    """A question that is not asked, an answer nobody gave, a scale."""
    file = tmp_path / "labels.csv"
    head, *rows = LABELLED.splitlines()
    file.write_text("\n".join([head + ",mark", *(f"{row},{place % 5}" for place, row in enumerate(rows))]))
    options = ("--value", "fine,mark", "--good", "fine=perhaps", "--good", "mood=good", "--good", "mark=1")
    ran = rubrica("compare", file, *LABELS, *options)
    assert ran.code == 1
    for said in ("fine has no answer 'perhaps'", "there is no question 'mood'", "mark is a scale"):
        assert said in ran.err
