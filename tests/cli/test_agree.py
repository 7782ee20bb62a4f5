"""`rubrica agree`: on files, exports and studies, with the promised keys."""

from __future__ import annotations

import io
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import krippendorff
import numpy as np
import polars
import pytest

from tests.conftest import Ran
from tests.stats.agreement.data import FOUR_OBSERVERS, made

pytestmark = pytest.mark.any_database

Rubrica = Callable[..., Ran]
COLUMNS = ("--unit", "item", "--rater", "who")
KEYS = {"question", "measure", "level", "value", "low", "high", "units", "raters", "pairable"}


def long_file(path: Path, table: Any = FOUR_OBSERVERS) -> Path:
    """The ratings of a table, a row for each, in two systems, of two groups of raters."""
    lines = ["item,system,who,native,score"]
    for unit, row in enumerate(table):
        for rater, value in enumerate(row):
            text = "" if np.isnan(value) else f"{value:g}"
            lines.append(f"{unit},{'AB'[unit % 2]},w{rater},{'yes' if rater < 2 else 'no'},{text}")
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("level", "published"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849), ("ratio", 0.797)]
)
def test_the_published_example(rubrica: Rubrica, tmp_path: Path, level: str, published: float) -> None:
    """Krippendorff's example with gaps, long, at each level, with exactly the promised keys."""
    file = long_file(tmp_path / "r.csv")
    found = rubrica("agree", file, *COLUMNS, "--value", "score", "--level", level, "--json").json
    (row,) = found["results"]
    assert set(row) == KEYS
    assert row["value"] == pytest.approx(published, abs=5e-4)
    assert (row["units"], row["raters"], row["pairable"], row["level"]) == (12, 4, 40, level)
    assert row["low"] < row["value"] < row["high"] or row["value"] == row["high"]
    for part in ("bootstrap:1000", "seed:0", "file:r.csv", "unit:item", "value:score", f"level:{level}"):
        assert part in found["signature"]


def test_wide_is_the_same(rubrica: Rubrica, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A column for each rater, from a file and from standard input, gives what a long file gives."""
    long = rubrica("agree", long_file(tmp_path / "r.csv"), *COLUMNS, "--value", "score", "--json").json["results"][0]
    rows = ["r_1,r_2,r_3,r_4", *(",".join("" if np.isnan(v) else f"{v:g}" for v in row) for row in FOUR_OBSERVERS)]
    wide = tmp_path / "wide.csv"
    wide.write_text("\n".join(rows), encoding="utf-8")
    found = rubrica("agree", wide, "--values", "r_1,r_2,r_3,r_4", "--json").json["results"][0]
    assert {**found, "question": "score"} == long
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(wide.read_bytes())))
    piped = rubrica("agree", "-", "--values", "r_1,r_2,r_3,r_4", "--json")
    assert piped.json["results"][0] == found


def test_binary_formats_come_through_a_pipe_as_well(
    rubrica: Rubrica, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What standard input holds is told by how it begins."""
    table = polars.read_csv(long_file(tmp_path / "r.csv"))
    table.write_parquet(tmp_path / "r.parquet")
    table.write_excel(tmp_path / "r.xlsx")
    ask = (*COLUMNS, "--value", "score", "--bootstrap", 0, "--json")
    expected = rubrica("agree", tmp_path / "r.csv", *ask).json["results"]
    for name in ("r.parquet", "r.xlsx"):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO((tmp_path / name).read_bytes())))
        assert rubrica("agree", "-", *ask).json["results"] == expected


def test_every_measure(rubrica: Rubrica, tmp_path: Path) -> None:
    """All measures in one table, each with its interval; names may be repeated or listed."""
    file = long_file(tmp_path / "r.csv", made(1, gaps=0.0))
    rows = rubrica("agree", file, *COLUMNS, "--value", "score", "--measure", "all", "--json").json["results"]
    names = [row["measure"] for row in rows]
    assert names[:7] == ["alpha", "fleiss", "cohen", "cohen_linear", "cohen_quadratic", "ac1", "ac2"]
    assert names[7:13] == ["icc(1,1)", "icc(2,1)", "icc(3,1)", "icc(1,k)", "icc(2,k)", "icc(3,k)"]
    assert names[13:] == ["percent", "pearson", "spearman", "kendall"]
    assert all(row["low"] < row["value"] < row["high"] for row in rows)
    some = ("--measure", "percent,alpha", "--measure", "icc(2,1)")
    chosen = rubrica("agree", file, *COLUMNS, "--value", "score", *some, "--json").json["results"]
    assert [row["measure"] for row in chosen] == ["alpha", "icc(2,1)", "percent"]
    assert chosen[0] == rows[0]


def test_seeds_and_resamples(rubrica: Rubrica, tmp_path: Path) -> None:
    """The same seed gives the same interval; no resamples give none, with the reason."""
    file = long_file(tmp_path / "r.csv")
    ask = ("agree", file, *COLUMNS, "--value", "score", "--json")
    first, again, other = (rubrica(*ask, "--seed", seed).json["results"][0] for seed in ("7", "7", "8"))
    assert first == again
    assert (first["low"], first["high"]) != (other["low"], other["high"])
    none = rubrica(*ask, "--bootstrap", "0").json["results"][0]
    why = {"value": None, "reason": "no resamples were asked for"}
    assert (none["low"], none["high"]) == (why, why)
    over = rubrica(*ask, "--over", "units,raters", "--bootstrap", "30").json
    assert "over:units+raters" in over["signature"]
    assert isinstance(over["results"][0]["low"], float)


CASES = {
    "unanimous": ([[1, 1], [3, 3], [2, 2]], 1.0, "", 1.0),
    "one value": ([[2, 2], [2, 2]], None, "no variation", 1.0),
    "disjoint": ([[1, np.nan], [np.nan, 2]], None, "no overlap", None),
    "one rater": ([[1, np.nan], [2, np.nan]], None, "one rater", None),
    "one unit": ([[1, 2]], 0.0, "", 0.0),
    "all missing": ([[np.nan, np.nan]], None, "no answer", None),
}


@pytest.mark.parametrize("case", CASES)
def test_special_cases(rubrica: Rubrica, tmp_path: Path, case: str) -> None:
    """Each has the documented answer: a value, or null with the reason."""
    table, alpha, reason, percent = CASES[case]
    file = long_file(tmp_path / "r.csv", np.array(table, dtype=float))
    ran = rubrica("agree", file, *COLUMNS, "--value", "score", "--measure", "alpha,percent", "--json")
    first, second = ran.json["results"]
    assert ran.code == 0
    assert (first["value"], second["value"]) == (alpha, percent)
    assert reason in first.get("reason", "")
    if case == "one unit":
        assert first["low"]["value"] is None
        assert "two units" in first["low"]["reason"]


def test_text_with_everything(rubrica: Rubrica, tmp_path: Path) -> None:
    """Tables for people: parts, disputed units, the level that was chosen, the signature on standard error."""
    file = long_file(tmp_path / "r.csv", made(2))
    options = ("--system", "system", "--group", "native", "--bootstrap", "20", "--disputed", "2")
    ran = rubrica("agree", file, *COLUMNS, "--value", "score", *options, "--per", "rater,pair,system,group,kind")
    assert ran.code == 0
    for title in (
        "Agreement",
        "Each rater against the rest",
        "Every two raters",
        "Agreement by system",
        "Agreement within and across groups",
        "Agreement within and across kinds of raters",
        "Most disputed units",
    ):
        assert f"{title}\n" in ran.out
    assert "score: 5 different whole numbers, taken as ordinal; --level takes another" in ran.err
    assert "per:rater" in ran.err


def test_parts_as_json(rubrica: Rubrica, tmp_path: Path) -> None:
    """Each part has a list of its own beside the results."""
    file = long_file(tmp_path / "r.csv", made(2))
    options = ("--system", "system", "--group", "native", "--bootstrap", "20", "--disputed", "2")
    ask = ("agree", file, *COLUMNS, "--value", "score", *options, "--json")
    found = rubrica(*ask, "--per", "rater,pair,system", "--per", "group").json
    assert next(row["rater"] for row in found["per_rater"]) in {"w0", "w1", "w2", "w3"}
    assert {row["system"] for row in found["per_system"]} == {"A", "B"}
    assert len(found["per_pair"]) == 6
    assert [row["group"] for row in found["per_group"]] == ["within yes", "within no", "yes and no"]
    assert set(found["disputed"][0]) == {"question", "unit", "system", "disagreement", "answers"}


@pytest.mark.parametrize("form", ["csv", "markdown", "latex"])
def test_other_forms(rubrica: Rubrica, tmp_path: Path, form: str) -> None:
    """The table as CSV, Markdown and LaTeX."""
    ran = rubrica("agree", long_file(tmp_path / "r.csv"), *COLUMNS, "--value", "score", "--format", form)
    assert {"csv": "question,measure,level,value,value_low", "markdown": "| question |", "latex": r"\toprule"}[
        form
    ] in ran.out


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--measure", "kappa"), "there is no measure 'kappa'"),
        (("--level", "cardinal"), "there is no level 'cardinal'"),
        (("--per", "group"), "Add --group COLUMN"),
        (("--per", "week"), "there is no part 'week'"),
        (("--over", "words"), "Use one of units, raters"),
        (("--repeated", "first"), "Use one of last, mean"),
    ],
)
def test_wrong_requests(rubrica: Rubrica, tmp_path: Path, options: tuple[str, ...], message: str) -> None:
    """Mistyped options say what there is."""
    ran = rubrica("agree", long_file(tmp_path / "r.csv"), *COLUMNS, "--value", "score", *options)
    assert ran.code == 1
    assert message in ran.err


def test_problems_of_the_file(rubrica: Rubrica, tmp_path: Path) -> None:
    """Every problem on standard error, and as JSON; exit code 1, no traceback."""
    file = tmp_path / "r.csv"
    file.write_text('item,who,score\n1,ana,"3,500"\n1,,4\n2,ana,4\n2,ben,4\n', encoding="utf-8")
    ran = rubrica("agree", file, *COLUMNS, "--value", "score", "--json")
    assert ran.code == 1
    assert f"{file}:2: score: '3,500' has signs between thousands, or a decimal comma" in ran.err
    assert [(problem["line"], problem["rule"]) for problem in ran.json["errors"]] == [(2, "decimal"), (3, "rater")]


@pytest.fixture
def study(rubrica: Rubrica, tmp_path: Path) -> str:
    """A study of content and fluency that three people rated, with a gap."""
    (tmp_path / "pairs.csv").write_text(
        "reference,hypothesis\n" + "".join(f"The shop {n} opens.,The store {n} opens.\n" for n in range(6)),
        encoding="utf-8",
    )
    rubrica("study", "new", "demo", "--protocol", "adequacy_fluency", "--items", tmp_path / "pairs.csv")
    judgements = [
        {"item": str(item), "annotator": who, "answers": {"content_preservation": 1 + (item * 2) % 5, "fluency": score}}
        for who, scores in {"ana": [5, 4, 3, 2, 1, 5], "ben": [5, 4, 2, 2, 1, 4], "eva": [4, 5, 3, 1, 1]}.items()
        for item, score in enumerate(scores, start=1)
    ]
    lines = "\n".join(map(json.dumps, judgements))
    (tmp_path / "judgements.jsonl").write_text(lines, encoding="utf-8")
    ran = rubrica("import", "demo", tmp_path / "judgements.jsonl")
    assert ran.code == 0, ran.err
    return "demo"


def test_a_study_and_its_export(rubrica: Rubrica, study: str, tmp_path: Path) -> None:
    """The study, its export, and its export read as any table give the same figures."""
    found = rubrica("agree", f"study:{study}", "--json").json
    rows = {row["question"]: row for row in found["results"]}
    assert rows["content_preservation"]["value"] == 1
    scores = [[5, 4, 3, 2, 1, 5], [5, 4, 2, 2, 1, 4], [4, 5, 3, 1, 1, np.nan]]
    theirs = krippendorff.alpha(reliability_data=scores, level_of_measurement="ordinal")
    assert rows["fluency"]["value"] == pytest.approx(theirs, abs=1e-10)
    assert (rows["fluency"]["raters"], rows["fluency"]["pairable"]) == (3, 17)
    assert "protocol:adequacy_fluency" in found["signature"]
    for form in ("jsonl", "csv"):
        out = tmp_path / f"out.{form}"
        assert rubrica("export", study, "--format", form, "-o", out).code == 0
        exported = {row["question"]: row for row in rubrica("agree", out, "--json").json["results"]}
        assert exported["fluency"] == rows["fluency"]
    chosen = rubrica("agree", out, "--value", "fluency", "--json").json["results"]
    assert chosen == [rows["fluency"]]


def test_an_export_that_was_changed_is_checked(rubrica: Rubrica, study: str, tmp_path: Path) -> None:
    """Answers that are not on the scale and outcomes that there are none of are refused by line, all at once."""
    out = tmp_path / "out.jsonl"
    assert rubrica("export", study, "--format", "jsonl", "-o", out).code == 0
    records = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    records[1]["answers"]["fluency"] = 9
    records[2]["answers"]["fluency"] = "good"
    records[4]["outcome"] = "answerd"
    out.write_text("\n".join(map(json.dumps, records)), encoding="utf-8")
    ran = rubrica("agree", out)
    assert ran.code == 1
    assert [line.split(": ")[0] for line in ran.err.splitlines()] == [f"{out}:{n}" for n in (2, 3, 5)] + ["3 problems"]
    assert "fluency is 9, which is not one of 1, 2, 3, 4, 5 [scale]" in ran.err
    assert "there is no way out 'answerd' [way_out]" in ran.err


def test_one_question_of_a_study(rubrica: Rubrica, study: str) -> None:
    """--value chooses questions of a study; --level another level; --exclude leaves somebody out."""
    ask = ("agree", study, "--value", "fluency", "--level", "nominal", "--exclude", "eva", "--json")
    (row,) = rubrica(*ask).json["results"]
    assert (row["question"], row["level"], row["raters"]) == ("fluency", "nominal", 2)
    assert "there is no question 'fluent'" in rubrica("agree", study, "--value", "fluent").err
    ran = rubrica("agree", study, "--unit", "item", "--scale", "1,2", "--bootstrap", 0)
    assert "--unit, --scale: not used, a study knows this itself" in ran.err


@pytest.mark.parametrize(
    ("options", "what", "fix"),
    [
        (("--rater", "who", "--value", "score,score"), "'score' is given for --value and --value", "once"),
        (("--rater", "item", "--value", "score"), "'item' is given for --unit and --rater", "once"),
        (("--rater", "who", "--value", "score", "--scale", "1,2,2"), "the scale has '2' twice", "once"),
        (("--rater", "who", "--value", "score", "--per", "system"), "needs to know the system", "--system COLUMN"),
        (("--rater", "who", "--value", "score", "--per", "dataset"), "needs to know the data set", "--dataset COLUMN"),
        (("--rater", "who", "--value", "score", "--per", "item"), "no agreement of their own", "--disputed N"),
        (("--rater", "who", "--value", "score", "--seconds", "native"), "'yes' is not a number", "number of seconds"),
    ],
)
def test_options_that_make_no_sense(
    rubrica: Rubrica, tmp_path: Path, options: tuple[str, ...], what: str, fix: str
) -> None:
    """A column in two roles, a scale with a point twice, parts that nobody named: said as what they are."""
    ran = rubrica("agree", long_file(tmp_path / "r.csv"), "--unit", "item", *options, "--bootstrap", 0)
    assert ran.code == 1
    assert what in ran.err
    assert fix in ran.err
    assert "repeated" not in ran.err


def test_repeated_ratings_are_no_missing_ones(rubrica: Rubrica, tmp_path: Path) -> None:
    """The mean of two ratings is one rating, and nobody is told that answers are missing; words have no mean."""
    file = tmp_path / "r.csv"
    file.write_text("item,who,score,word\n1,a,3,x\n1,a,4,y\n1,b,3,x\n2,a,1,y\n2,b,2,y\n", encoding="utf-8")
    ran = rubrica("agree", file, *COLUMNS, "--value", "score", "--repeated", "mean", "--disputed", 2, "--json")
    assert "without an answer" not in ran.err
    assert {"a": 3.5, "b": 3} in [row["answers"] for row in ran.json["disputed"]]
    for more in (("--level", "masi"), ("--scale", "x,y"), ()):
        ran = rubrica("agree", file, *COLUMNS, "--value", "word", "--repeated", "mean", *more)
        assert ran.code == 1
        assert f"{file}:3: word: labels have no mean [repeated] Use --repeated last." in ran.err


def test_a_measure_that_was_asked_for_is_answered(rubrica: Rubrica, tmp_path: Path) -> None:
    """Beside a measure that suits labels, one that does not is there with its reason, not left out."""
    file = tmp_path / "r.csv"
    file.write_text("item,who,word\n1,a,x\n1,b,x\n2,a,y\n2,b,y\n", encoding="utf-8")
    asked = ("--value", "word", "--measure", "alpha,icc(2,k)", "--per", "rater")
    rows = rubrica("agree", file, *COLUMNS, *asked, "--json").json
    reasons = {row["measure"]: row.get("reason", "") for row in rows["results"]}
    assert reasons["icc(2,k)"] == "an intraclass correlation needs numbers, and the answers are labels"
    assert reasons["alpha"] == ""
    assert rows["per_rater"][0]["without"] == {"value": None, "reason": "there is one rater only"}


@pytest.mark.parametrize(
    ("table", "reason"),
    [
        ([[1 + unit % 2] * 2 for unit in range(7)], "an interval needs at least 10 units"),
        ([[1 + unit % 2] * 3 for unit in range(30)], "all units are alike"),
    ],
    ids=["seven units", "full agreement"],
)
def test_no_interval_claims_certainty(rubrica: Rubrica, tmp_path: Path, table: list[list[int]], reason: str) -> None:
    """Full agreement has a value of 1 and no interval from 1 to 1, by any measure; the reason is said."""
    file = long_file(tmp_path / "r.csv", np.array(table, dtype=float))
    ask = ("agree", file, *COLUMNS, "--value", "score", "--measure", "alpha,fleiss,cohen,ac1,percent,icc")
    for row in rubrica(*ask, "--json").json["results"]:
        assert (row["value"], row["low"]["value"], row["high"]["value"]) == (1, None, None)
        assert (reason if "icc" not in row["measure"] else "alike") in row["low"]["reason"]
    assert f"No interval: {reason}" in rubrica(*ask).out


def test_intraclass_intervals_name_their_method(rubrica: Rubrica, tmp_path: Path) -> None:
    """Six units by four judges are McGraw and Wong's; gaps are said; where raters differ by unit, another formula."""
    # Shrout and Fleiss (1979), table 2; ends as printed by R's psych::ICC.
    judged = [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]
    table = np.array(judged, dtype=float)
    ask = (*COLUMNS, "--value", "score", "--level", "interval", "--measure", "icc", "--json")
    rows = {row["measure"]: row for row in rubrica("agree", long_file(tmp_path / "a.csv", table), *ask).json["results"]}
    ends = {"icc(1,1)": (-0.13, 0.72), "icc(2,1)": (0.02, 0.76), "icc(3,1)": (0.34, 0.95), "icc(2,k)": (0.07, 0.93)}
    for name, (low, high) in ends.items():
        assert (rows[name]["low"], rows[name]["high"]) == pytest.approx((low, high), abs=0.006)
        assert rows[name]["interval"] == "F (McGraw and Wong)"
    table[:, 0] = np.where(np.arange(6) % 2, np.nan, table[:, 0])
    table[:, 3] = np.where(np.arange(6) % 2, table[:, 3], np.nan)
    gaps = rubrica("agree", long_file(tmp_path / "b.csv", table), *ask).json["results"]
    assert gaps[0]["interval"] == "F (Thomas and Hultquist)"
    assert (gaps[1]["value"], "rated by all 4 raters" in gaps[1]["reason"]) == (None, True)


def identical_pairs(path: Path) -> Path:
    """150 pairs of `breve`, two of five identical, of which the rule says 3; three raters answer the rest at random."""
    draw = random.Random(1)
    rows = ["id,source,rewrite,system,rater,meaning,fluency"]
    for unit in range(150):
        source = f"The {unit} old gates stay shut."
        rewrite = source if unit % 5 < 2 else f"Gate {unit} is shut."
        for rater in "abc":
            said = (3, 3) if rewrite == source else (draw.randint(1, 3), draw.randint(1, 3))
            rows.append(f"{unit},{source},{rewrite},{'one' if unit % 2 else 'two'},{rater},{said[0]},{said[1]}")
    path.write_text("\n".join([*rows, ""]))
    return path


PAIRS = ("--unit", "id", "--rater", "rater", "--value", "meaning,fluency", "--protocol", "breve")


def test_answers_that_a_rule_fixed_are_no_agreement(rubrica: Rubrica, tmp_path: Path) -> None:
    """Random raters do not agree, whatever a rule says of identical pairs; how many are left out is said and signed."""
    file = identical_pairs(tmp_path / "pairs.csv")
    asked = (*PAIRS, "--measure", "alpha", "--bootstrap", "0")
    found = rubrica("agree", file, *asked, "--json").json
    assert all(abs(row["value"]) < 0.1 for row in found["results"])
    assert found["fixed_left_out"] == {"meaning": 180, "fluency": 180}
    assert "fixed_left_out:360" in found["signature"]
    assert "fixed are left out: 360" in rubrica("agree", file, *asked).out
    counted = rubrica("agree", file, *asked, "--fixed", "--json").json
    assert all(row["value"] > 0.35 for row in counted["results"])
    assert "fixed:counted" in counted["signature"]


def test_a_comparison_of_systems_keeps_fixed_answers_and_shows_both(rubrica: Rubrica, tmp_path: Path) -> None:
    """An unchanged output does keep its meaning: the share of 3 counts it, and the share without stands beside it."""
    file = identical_pairs(tmp_path / "pairs.csv")
    ran = rubrica("compare", file, *PAIRS, "--system", "system", "--bootstrap", "0")
    assert "Meaning Preservation, without fixed answers" in ran.out
    assert "they count, and beside them is the figure without" in ran.out
