"""`rubrica correlate`: on files, exports and studies; scores from anywhere; bad input."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Sequence
from itertools import product
from pathlib import Path

import pytest
from scipy import stats

from tests.conftest import Ran
from tests.docs.pages import DOCS
from tests.making import fill, write_pairs

pytestmark = pytest.mark.any_database
Rubrica = Callable[..., Ran]
EXAMPLES = DOCS / "examples" / "systems"
RATINGS, SCORES = EXAMPLES / "ratings.csv", EXAMPLES / "sentence_scores.csv"
LAYOUT = ("--unit", "dataset,text,system", "--rater", "rater", "--system", "system", "--dataset", "dataset")
ASKED = ("--protocol", "split_rate", "--value", "sensible,missing_facts,correct")
FILE = ("--ratings", RATINGS, *LAYOUT, *ASKED)
FEW = ("--bootstrap", "40", "--permutations", "40")
NONE = ("--bootstrap", "0", "--permutations", "0")


def table(path: Path, header: Sequence[str], rows: Sequence[Sequence[object]]) -> Path:
    """Write a small table."""
    with path.open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream).writerows([header, *rows])
    return path


@pytest.fixture(scope="module")
def scored() -> dict[tuple[str, str, str], dict[str, str]]:
    """The example's scores by data set, text and system."""
    with SCORES.open(encoding="utf-8") as stream:
        return {(row["dataset"], row["text"], row["system"]): row for row in csv.DictReader(stream)}


def test_a_file_gives_the_table(rubrica: Rubrica) -> None:
    """Rows in the order of Table 4, people's rewrites left out, a dagger where it is not significant."""
    ran = rubrica("correlate", *FILE, "--scores", SCORES, *FEW, "--human", "people")
    assert ran.code == 0
    lines = ran.out.splitlines()
    assert lines[0] == "overlap and people"
    assert lines[2].split() == ["data", "set", "system", "sensible", "no", "missing", "facts", "correct", "n"]
    found = [" ".join(line.split()[:4]) for line in lines[3:12]]
    assert [line.split(" ")[0] for line in found] == [
        *["news"] * 2,
        *["contracts"] * 2,
        "news",
        "contracts",
        *["all"] * 3,
    ]
    assert lines[11].startswith("all data sets  all systems")
    assert "†" in lines[11]
    assert "people" not in " ".join(line.split("  ")[1] for line in lines[3:12])
    assert "left out as human: 20 units" in ran.err
    assert "joined by dataset, text, system: 60 of 60 rated units" in ran.err
    assert "human:people" in ran.err


def test_json_equals_scipy(rubrica: Rubrica, scored: dict[tuple[str, str, str], dict[str, str]]) -> None:
    """Coefficients and p-values of a criterion that is a mean of yes and no, where no is good."""
    ran = rubrica("correlate", *FILE, "--scores", SCORES, *FEW, "--human", "people", "--json")
    found = ran.json
    answers: dict[tuple[str, str, str], list[float]] = {}
    with RATINGS.open(encoding="utf-8") as stream:
        for row in csv.DictReader(stream):
            if row["system"] != "people" and row["missing_facts"]:
                key = row["dataset"], row["text"], row["system"]
                answers.setdefault(key, []).append(float(row["missing_facts"] == "no"))
    people = [sum(own) / len(own) for own in answers.values()]
    metric = [float(scored[key]["overlap"]) for key in answers]
    one = next(
        row
        for row in found["results"]
        if (row["metric"], row["criterion"], row["level"], row["dataset"], row["system"])
        == ("overlap", "missing_facts", "sentence", None, None)
    )
    for name, measure in (("pearson", stats.pearsonr), ("spearman", stats.spearmanr), ("kendall", stats.kendalltau)):
        wanted = measure(people, metric)
        assert one[name] == pytest.approx(wanted.statistic, abs=1e-9)
        assert one[f"{name}_p"] == pytest.approx(wanted.pvalue, abs=1e-9)
    assert (one["n"], one["title"], one["p"]) == (40, "no missing facts", one["spearman_p"])
    assert one["low"] <= one["spearman"] <= one["high"]
    assert (one["low"], one["high"]) == (one["spearman_low"], one["spearman_high"])
    assert found["joined"] == {
        "columns": ["dataset", "text", "system"],
        "units": 60,
        "human": 20,
        "unscored": 0,
        "unrated": 0,
    }
    systems = [row for row in found["results"] if row["level"] == "system"]
    assert [row["dataset"] for row in found["results"][:6]] == [None] * 6
    assert {row["pearson"]["reason"] for row in systems} == {"fewer than 3 systems"}
    assert all(0 <= row["soft_pairwise_accuracy"] <= 1 for row in systems)
    assert {test["williams"]["holm"] is not None for test in found["tests"]} == {True}
    assert ran.out == rubrica("correlate", *FILE, "--scores", SCORES, *FEW, "--human", "people", "--json").out


@pytest.mark.parametrize("form", ["csv", "markdown", "latex"])
def test_other_forms(rubrica: Rubrica, form: str) -> None:
    """CSV has a row for each figure with every digit; Markdown and LaTeX have the paper's table."""
    ran = rubrica("correlate", *FILE, "--scores", SCORES, *NONE, "--format", form, "--no-compare")
    assert ran.code == 0
    start = {"csv": "metric,criterion,level", "markdown": "**overlap and people**", "latex": "% alpha:0.05"}[form]
    assert ran.out.startswith(start)


def test_scores_from_anywhere(
    rubrica: Rubrica, tmp_path: Path, scored: dict[tuple[str, str, str], dict[str, str]]
) -> None:
    """Columns of the ratings themselves, long tables with other names, and ids with systems give the same figures."""
    with RATINGS.open(encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    keys = [(row["dataset"], row["text"], row["system"]) for row in rows]
    ratings = table(
        tmp_path / "both.csv",
        [*rows[0], "overlap"],
        [[*row.values(), scored[key]["overlap"]] for row, key in zip(rows, keys, strict=True)],
    )
    long = table(
        tmp_path / "long.csv",
        ["where", "what", "who", "name", "points"],
        [[*key, name, row[name]] for key, row in scored.items() for name in ("overlap", "length_ratio")],
    )
    ids = table(
        tmp_path / "ids.csv",
        ["id", "system", "overlap"],
        [[f"{key[0]} / {key[1]}", key[2], row["overlap"]] for key, row in scored.items()],
    )
    ways: list[tuple[object, ...]] = [
        ("--ratings", ratings, "--score", "overlap"),
        ("--ratings", RATINGS, "--scores", SCORES, "--score", "overlap"),
        (
            *("--ratings", RATINGS, "--scores", long, "--metric", "name", "--score", "points"),
            *("--score-unit", "where,what,who"),
        ),
        ("--ratings", RATINGS, "--scores", ids),
    ]
    found = []
    for way in ways:
        ran = rubrica("correlate", *way, *LAYOUT, "--value", "sensible", *NONE, "--no-compare", "--json")
        assert ran.code == 0, ran.err
        found.append({row["dataset"]: row["kendall"] for row in ran.json["results"] if row["metric"] == "overlap"})
    assert found[0] == found[1] == found[2] == found[3]


def test_edits_as_criteria(rubrica: Rubrica, tmp_path: Path) -> None:
    """Scores from the edits of a Thresh file, joined by the texts themselves."""
    file = DOCS / "examples" / "edits" / "annotated.json"
    entries = json.loads(file.read_text(encoding="utf-8"))
    rows = {(one["source"], one["target"], one["metadata"]["system"]): len(one["target"]) for one in entries}
    scores = table(
        tmp_path / "scores.csv", ["source", "rewrite", "system", "length"], [[*key, size] for key, size in rows.items()]
    )
    ran = rubrica("correlate", "--ratings", file, "--edits", "--scores", scores, *NONE, "--json")
    assert ran.code == 0, ran.err
    scored = rubrica("edits", "score", file, "--json").json["sentences"]
    whole = {
        row["criterion"]: row for row in ran.json["results"] if row["level"] == "sentence" and row["system"] is None
    }
    for part in ("total", "quality", "error", "conceptual", "syntax", "lexical"):
        people = [row[part] for row in scored]
        sizes = [len(one["target"]) for one in entries]
        assert whole[f"edits_{part}"]["pearson"] == pytest.approx(stats.pearsonr(people, sizes).statistic, abs=1e-9)
    assert "edits:score" in ran.json["signature"]


def test_combining_raters_and_good_answers(rubrica: Rubrica, tmp_path: Path) -> None:
    """Median and standardised means; labels without a protocol, where yes counts unless another answer is named."""
    rows = [
        (f"t{number}", rater, (number + shift) * scale, "yes" if number + shift > 3 else "no")
        for number in range(6)
        for rater, shift, scale in (("ana", 0, 1), ("ben", 1, 10), ("eva", 2, 1))
    ]
    ratings = table(tmp_path / "ratings.csv", ["id", "who", "mark", "fine"], rows)
    scores = table(tmp_path / "scores.csv", ["id", "m"], [(f"t{number}", number) for number in range(6)])
    base = (
        "correlate",
        "--ratings",
        ratings,
        "--unit",
        "id",
        "--rater",
        "who",
        "--value",
        "mark,fine",
        *NONE,
        "--json",
    )
    for how in ("mean", "median", "z"):
        found = rubrica(*base, "--scores", scores, "--combine", how).json["results"]
        assert [row["spearman"] for row in found if row["level"] == "sentence"] == pytest.approx(
            [1.0, found[1]["spearman"]]
        )
        assert f"combine:{how}" in rubrica(*base, "--scores", scores, "--combine", how).json["signature"]
    yes, no = (rubrica(*base, "--scores", scores, *more).json["results"] for more in ((), ("--good", "fine=no")))
    assert yes[1]["pearson"] == pytest.approx(-no[1]["pearson"])
    assert (yes[1]["title"], no[1]["title"]) == ("fine", "no fine")


def test_less_is_better(rubrica: Rubrica) -> None:
    """A metric that is turned round keeps its correlation, and its accuracies and tests turn."""
    plain, turned = (
        rubrica("correlate", *FILE, "--scores", SCORES, *NONE, "--json", *more).json
        for more in ((), ("--lower", "overlap"))
    )
    for one, other in zip(plain["results"], turned["results"], strict=True):
        assert one["spearman"] == other["spearman"]
    assert plain["results"][0]["pairwise_accuracy"] != turned["results"][0]["pairwise_accuracy"]
    assert plain["tests"][0]["first_value"] == -turned["tests"][0]["first_value"]
    assert "lower:overlap" in turned["signature"]


def test_charts(rubrica: Rubrica, tmp_path: Path) -> None:
    """Charts of rewrites and of systems as pictures with their data, and a page that needs nothing else."""
    given = ("--ratings", RATINGS, *LAYOUT, "--value", "sensible", "--scores", SCORES, "--score", "overlap")
    ran = rubrica("correlate", *given, *NONE, "--charts", tmp_path / "charts")
    assert ran.code == 0, ran.err
    files = {path.name for path in (tmp_path / "charts").iterdir()}
    assert {f"{kind}-overlap.{ending}" for kind in ("rewrites", "systems") for ending in ("svg", "png", "csv")} <= files
    page = (tmp_path / "charts" / "correlation.html").read_text(encoding="utf-8")
    assert page.count("<svg") == 2
    assert "overlap and people" in page
    assert set(re.findall(r'(?:src|href)="([^#"][^"]*)"', page)) == {"rewrites-overlap.csv", "systems-overlap.csv"}


BAD = {
    "nothing joins": (("id", "m"), [("x", 1)], (), "join"),
    "not a number": (("dataset", "text", "system", "m"), [("news", "n1", "rules", "high")], ("--score", "m"), "number"),
    "no such column": (("dataset", "text", "system", "m"), [("news", "n1", "rules", 1)], ("--score", "n"), "column"),
    "no scores": (("dataset", "text", "system"), [("news", "n1", "rules")], (), "scores"),
    "two scores": (
        ("dataset", "text", "system", "m"),
        [("news", "n1", "rules", 1), ("news", "n1", "rules", 2)],
        (),
        "repeated",
    ),
    "no metric's name": (
        ("dataset", "text", "system", "name", "m"),
        [("news", "n1", "rules", "", 1)],
        ("--metric", "name", "--score", "m"),
        "metric",
    ),
    "nobody": (("dataset", "text", "system", "m"), [("news", "n1", "rules", 1)], ("--human", "robot"), "human"),
    "lower": (("dataset", "text", "system", "m"), [("news", "n1", "rules", 1)], ("--lower", "k"), "metric"),
    "statistic": (("dataset", "text", "system", "m"), [("news", "n1", "rules", 1)], ("--statistic", "r"), "statistic"),
    "good": (("dataset", "text", "system", "m"), [("news", "n1", "rules", 1)], ("--good", "correct=so"), "good"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input(rubrica: Rubrica, tmp_path: Path, case: str) -> None:
    """Exit code 1 and the rule, with the line where there is one; nothing is printed but the errors."""
    header, rows, options, rule = BAD[case]
    scores = table(tmp_path / "scores.csv", header, rows)
    ran = rubrica("correlate", *FILE, "--scores", scores, *NONE, "--json", *options)
    assert ran.code == 1
    assert [problem["rule"] for problem in ran.json["errors"]] == [rule]
    if rule in ("number", "repeated"):
        assert ran.json["errors"][0]["line"] == len(rows) + 1
        assert ran.json["errors"][0]["file"] == str(scores)


def test_a_study(rubrica: Rubrica, tmp_path: Path) -> None:
    """Without scores an error; those of `score --per-sentence` and metrics registered in it give the same."""
    rubrica("study", "new", "s", "--protocol", "adequacy_fluency", "--items", write_pairs(tmp_path / "p.csv", 6))
    rubrica("sheets", "write", "s", "--annotators", "ana,ben,eva", "--out", tmp_path / "sheets")
    for sheet in (tmp_path / "sheets").glob("*.xlsx"):
        fill(sheet)
        rubrica("sheets", "read", "s", sheet)
    base = ("correlate", "--ratings", "s", "--bootstrap", "0", "--json")
    ran = rubrica(*base)
    assert (ran.code, ran.json["errors"][0]["rule"]) == (1, "scores")
    scores = tmp_path / "scores.csv"
    score = ("score", "s", "--metrics", "token_f1,ter", "--bootstrap", "0", "--per-sentence", scores, "--register")
    assert rubrica(*score).code == 0
    read, registered = rubrica(*base, "--scores", scores), rubrica(*base)
    assert (read.code, registered.code) == (0, 0), read.err + registered.err
    values = [
        {(row["metric"], row["criterion"]): row["kendall"] for row in ran.json["results"] if row["level"] == "sentence"}
        for ran in (read, registered)
    ]
    assert values[0] == values[1]
    assert len(values[0]) == 4
    for ran in (read, registered):
        assert "lower:ter" in ran.json["signature"]
    assert "scores:registered@" in registered.json["signature"]
    assert rubrica(*base, "--score", "sari").json["errors"][0]["rule"] == "metric"


def test_every_problem_of_both_files_at_once(rubrica: Rubrica, tmp_path: Path) -> None:
    """What is wrong with the ratings and what is wrong with the scores, and every name that is not known."""
    ratings = table(tmp_path / "r.csv", ["id", "who", "mark"], [(1, "ana", 2), (2, "ana", "five"), (3, "ana", "inf")])
    scores = table(tmp_path / "s.csv", ["id", "m"], [(1, 0.5), (2, "high")])
    layout = ("--unit", "id", "--rater", "who", "--value", "mark", "--level", "interval")
    ran = rubrica("correlate", "--ratings", ratings, *layout, "--scores", scores, "--score", "m", *NONE, "--json")
    assert ran.code == 1
    assert [(Path(one["file"]).name, one["line"]) for one in ran.json["errors"]] == [
        ("r.csv", 3),
        ("r.csv", 4),
        ("s.csv", 3),
    ]
    known = DOCS / "examples" / "systems" / "sentence_scores.csv"
    for options in (("--human", "robot,oracle"), ("--lower", "k,l")):
        assert len(rubrica("correlate", *FILE, "--scores", known, *NONE, "--json", *options).json["errors"]) == 2


def test_scores_by_line(rubrica: Rubrica, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A column for each rater and no name of the unit: scores of the same line; also of a pipe, which is read once."""
    rows = [(1, 2, 0.1), (2, 3, 0.3), (3, 3, 0.2), (5, 4, 0.9)]
    ratings = table(tmp_path / "wide.csv", ["r_1", "r_2", "m"], rows)
    ran = rubrica("correlate", "--ratings", ratings, "--values", "r_1,r_2", "--score", "m", *NONE, "--json")
    assert ran.code == 0, ran.err
    wanted = stats.pearsonr([1.5, 2.5, 3, 4.5], [0.1, 0.3, 0.2, 0.9]).statistic
    assert ran.json["results"][0]["pearson"] == pytest.approx(wanted, abs=1e-9)
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(ratings.read_bytes())))
    piped = rubrica("correlate", "--ratings", "-", "--values", "r_1,r_2", "--score", "m", *NONE, "--json")
    assert piped.json["results"] == ran.json["results"]


def test_peoples_rewrites_are_left_out_by_their_name(rubrica: Rubrica, tmp_path: Path) -> None:
    """Wherever the word stands in the name of a system, but not as a part of another word; --human none keeps them."""
    rows = [(one, system, one, one + 1) for one in range(3) for system in ("wiki/Human-2", "Superhuman")]
    file = table(tmp_path / "r.csv", ["id", "system", "mark", "m"], rows)
    layout = ("--unit", "id,system", "--values", "mark", "--system", "system", "--score", "m")
    ran = rubrica("correlate", "--ratings", file, *layout, *NONE)
    assert ran.code == 0, ran.err
    assert "wiki/Human-2: taken for rewrites by people, and left out" in ran.err
    assert "left out as human: 3 units" in ran.err
    kept = rubrica("correlate", "--ratings", file, *layout, *NONE, "--human", "none")
    assert "left out" not in kept.err
    assert "wiki/Human-2" in kept.out
    assert "Of fewer than 10 rewrites, p-values of Spearman's ρ are rough" in ran.out


def test_few_units_say_why(rubrica: Rubrica, tmp_path: Path) -> None:
    """What does not join is counted; a correlation of two units is undefined with its reason."""
    scores = table(
        tmp_path / "scores.csv",
        ["dataset", "text", "system", "m"],
        [("news", "n1", "rules", 1), ("news", "n2", "rules", 2), ("news", "n1", "stranger", 3)],
    )
    ran = rubrica("correlate", *FILE, "--scores", scores, *FEW, "--json", "--human", "none")
    assert ran.code == 0
    assert ran.json["joined"] == {
        "columns": ["dataset", "text", "system"],
        "units": 2,
        "human": 0,
        "unscored": 58,
        "unrated": 1,
    }
    assert ran.json["results"][0]["pearson"] == {"value": None, "reason": "fewer than 3 pairs of scores"}
    assert "of 3 rows of scores, 1 belong to nothing that was rated, first in line 4" in ran.err
    assert "58 rated units without a score, such as 'news / " in ran.err
    assert "network, people: nothing is scored" in ran.err
    for human in ((), ("--human", "people")):
        without = rubrica("correlate", *FILE, "--scores", scores, *FEW, "--json", *human)
        assert "38 rated units without a score" in without.err


def test_edits_of_a_study_and_what_people_wrote(rubrica: Rubrica, demo: Path, tmp_path: Path) -> None:
    """Scores of the edits of a SALSA study, none where they are not rated; a system called human is left out."""
    scores = tmp_path / "scores.csv"
    assert rubrica("score", "study:demo-salsa", "--metrics", "fkgl", "--per-sentence", scores, *NONE[:2]).code == 0
    found = rubrica("correlate", "--ratings", "study:demo-salsa", "--edits", "--scores", scores, *NONE, "--json")
    assert found.code == 0, found.err
    assert {"edits_total", "edits_quality", "edits_error"} <= {one["criterion"] for one in found.json["results"]}
    bare = rubrica("correlate", "--ratings", "study:demo-salsa", "--edits", "--stage", "select", *NONE)
    assert bare.code == 1
    assert "none of their edits has type and rating" in bare.err
    assert "take the stage in which they are rated: --stage ID" in bare.err
    split = ("correlate", "--ratings", "study:demo-split_rate", *NONE, "--value", "correct")
    found, named = rubrica(*split), rubrica(*split, "--human", "human")
    assert "human: taken for rewrites by people, and left out" in found.err
    assert "taken for" not in named.err
    assert "left out as human: 24 units" in found.err
    assert found.out == named.out


def test_few_systems_have_no_interval_and_no_finding(rubrica: Rubrica, tmp_path: Path) -> None:
    """ρ of four systems is -.800 without an interval; of all 24 orders 8 go as far on either side, hence a dagger."""
    places = list(product(range(20), enumerate("abcd")))
    ratings = [(f"t{s}", name, f"r{r}", 1 + k + (s + r) % 2) for s, (k, name) in places for r in range(2)]
    scores = [(f"t{s}", name, (4, 3, 1, 2)[k] + s / 1000) for s, (k, name) in places]
    given = table(tmp_path / "ratings.csv", ["text", "system", "rater", "good"], ratings)
    metric = table(tmp_path / "scores.csv", ["text", "system", "m"], scores)
    layout = ("--unit", "text,system", "--rater", "rater", "--system", "system", "--value", "good")
    ask = ("correlate", "--ratings", given, *layout, "--scores", metric, *FEW)
    row = next(one for one in rubrica(*ask, "--json").json["results"] if one["level"] == "system")
    reason = {"value": None, "reason": "an interval needs at least 10 systems"}
    assert (row["spearman"], row["low"], row["high"]) == (pytest.approx(-0.8), reason, reason)
    assert (row["p_resampled"], row["significant"]) == (pytest.approx(8 / 24), False)
    text = rubrica(*ask).out
    assert "-.800†" in text
    assert "-.800 [" not in text
    assert "No interval: an interval needs at least 10 systems." in text


def test_daggers_and_intervals_never_contradict(rubrica: Rubrica) -> None:
    """On every row of the example with an interval, it is significant exactly where the interval leaves out 0."""
    found = rubrica("correlate", *FILE, "--scores", SCORES, "--bootstrap", "400", "--permutations", "0", "--json").json
    rows = [one for one in found["results"] if isinstance(one["low"], float)]
    assert len(rows) > 10
    assert all(one["significant"] == (not one["low"] <= 0 <= one["high"]) for one in rows)
