"""Ratings from tables: long and wide, every format, several questions, gaps, repeated ratings."""

from __future__ import annotations

import csv
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import polars
import pytest
import xlsxwriter

from rubrica.core.answers import NOT_APPLICABLE
from rubrica.core.errors import InputError
from rubrica.core.ratings import INTERVAL, JACCARD, NOMINAL, ORDINAL, Ratings
from rubrica.exchange.rating_values import Reading
from rubrica.exchange.ratings import Layout, ratings_of_table
from rubrica.exchange.tables import read_table

LONG = Layout(unit=("item",), rater="who", value=("score",))
ROWS: list[dict[str, Any]] = [
    {"item": "1", "who": "ana", "score": 3, "fluent": "yes"},
    {"item": "1", "who": "ben", "score": 4, "fluent": "no"},
    {"item": "2", "who": "ana", "score": None, "fluent": "yes"},
    {"item": "2", "who": "ben", "score": 1, "fluent": None},
    {"item": "2", "who": "eva", "score": 2, "fluent": "yes"},
]


def write(path: Path, rows: Sequence[dict[str, Any]]) -> Path:
    """A table in the format that the file's ending says."""
    columns = list(rows[0])
    match path.suffix:
        case ".csv" | ".tsv":
            with path.open("w", newline="", encoding="utf-8") as file:
                writer = csv.DictWriter(file, columns, delimiter="\t" if path.suffix == ".tsv" else ",")
                writer.writeheader()
                writer.writerows(rows)
        case ".jsonl":
            path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        case ".parquet":
            polars.DataFrame(list(rows)).write_parquet(path)
        case ".xlsx":
            with xlsxwriter.Workbook(path) as book:
                sheet = book.add_worksheet("Scores")
                for number, line in enumerate([columns, *([row[column] for column in columns] for row in rows)]):
                    sheet.write_row(number, 0, line)
    return path


def read_ratings(path: Path, layout: Layout, reading: Reading, **more: Any) -> Ratings:
    """The ratings of a file."""
    return ratings_of_table(read_table(path, whatever=True), layout, reading, **more)


def answers(ratings: Ratings) -> dict[tuple[str, str], dict[str, Any]]:
    """Answers by unit and rater."""
    return {(rating.unit, rating.rater): dict(rating.answers) for rating in ratings.every}


@pytest.mark.parametrize("ending", [".csv", ".tsv", ".jsonl", ".parquet", ".xlsx"])
def test_a_row_for_each_judgement(tmp_path: Path, ending: str) -> None:
    """The same ratings from every format: two questions, gaps, uneven numbers of raters."""
    layout = Layout(unit=("item",), rater="who", value=("score", "fluent"))
    found = read_ratings(write(tmp_path / f"r{ending}", ROWS), layout, Reading())
    assert answers(found) == {
        ("1", "ana"): {"score": 3, "fluent": "yes"},
        ("1", "ben"): {"score": 4, "fluent": "no"},
        ("2", "ana"): {"fluent": "yes"},
        ("2", "ben"): {"score": 1},
        ("2", "eva"): {"score": 2, "fluent": "yes"},
    }
    score, fluent = found.criteria
    assert (score.level, score.values, score.good) == (ORDINAL, (1, 2, 3, 4), 4)
    assert (fluent.level, fluent.values, fluent.good) == (NOMINAL, ("no", "yes"), None)
    assert "score: 4 different whole numbers, taken as ordinal; --level takes another" in found.remarks
    assert "without an answer: 2 of 10 cells" in found.remarks


@pytest.mark.parametrize("ending", [".csv", ".tsv", ".jsonl", ".parquet", ".xlsx"])
def test_a_column_for_each_rater(tmp_path: Path, ending: str) -> None:
    """Wide files of one question: columns are raters; a gap is no answer."""
    rows = [{"id": "x", "r_1": 1, "r_2": 2.5}, {"id": "y", "r_1": -3, "r_2": None}]
    found = read_ratings(
        write(tmp_path / f"r{ending}", rows), Layout(unit=("id",), values=(("r_1", "r_2"),)), Reading()
    )
    assert answers(found) == {("x", "r_1"): {"r": 1}, ("x", "r_2"): {"r": 2.5}, ("y", "r_1"): {"r": -3}}
    assert found.criteria[0].level == INTERVAL


def test_wide_with_several_questions(tmp_path: Path) -> None:
    """Raters are numbered by the place of their column, and the question is what its columns have in common."""
    rows = [{"m1": 1, "m2": 2, "flu-a": 3, "flu-b": 4}]
    layout = Layout(values=(("m1", "m2"), ("flu-a", "flu-b")))
    found = read_ratings(write(tmp_path / "r.csv", rows), layout, Reading())
    assert answers(found) == {("2", "1"): {"m": 1, "flu": 3}, ("2", "2"): {"m": 2, "flu": 4}}


def test_which_question_a_row_answers(tmp_path: Path) -> None:
    """One column of values and one that names the question."""
    rows = [
        {"item": "1", "who": "ana", "asked": "fluency", "value": "4"},
        {"item": "1", "who": "ana", "asked": "tone", "value": "warm"},
        {"item": "1", "who": "ben", "asked": "tone", "value": "cold"},
    ]
    layout = Layout(unit=("item",), rater="who", value=("value",), question="asked")
    found = read_ratings(write(tmp_path / "r.csv", rows), layout, Reading())
    assert answers(found) == {("1", "ana"): {"fluency": 4, "tone": "warm"}, ("1", "ben"): {"tone": "cold"}}
    assert "question:asked" in found.sign()


def test_units_of_several_columns(tmp_path: Path) -> None:
    """A unit is named by all its columns; rewrites of one source are known by the others; texts are kept."""
    rows = [
        {"item": "1", "system": "A", "set": "news", "who": "ana", "score": 1, "text": "Hi."},
        {"item": "1", "system": "B", "set": "news", "who": "ana", "score": 2, "text": "Hello."},
    ]
    layout = Layout(
        unit=("item", "system"), rater="who", value=("score",), system="system", dataset="set", texts=("text",)
    )
    found = read_ratings(write(tmp_path / "r.csv", rows), layout, Reading())
    assert [(unit.key, unit.system, unit.source, unit.dataset, unit.texts) for unit in found.units.values()] == [
        ("1 / A", "A", "1", "news", {"text": "Hi."}),
        ("1 / B", "B", "1", "news", {"text": "Hello."}),
    ]
    assert found.systems == ("A", "B")


def test_groups_and_seconds(tmp_path: Path) -> None:
    """A group is a trait of the rater; time on task belongs to the rating."""
    rows = [{**row, "native": "yes" if row["who"] == "ana" else "no", "s": 12.5} for row in ROWS]
    layout = Layout(unit=("item",), rater="who", value=("score",), group="native", seconds="s")
    found = read_ratings(write(tmp_path / "r.csv", rows), layout, Reading())
    assert {name: rater.traits["native"] for name, rater in found.raters.items()} == {
        "ana": "yes",
        "ben": "no",
        "eva": "no",
    }
    assert {rating.seconds for rating in found.every} == {12.5}


REPEATED = [*ROWS, {"item": "1", "who": "ana", "score": 4, "fluent": "no"}]


@pytest.mark.parametrize(("rule", "kept"), [("last", 4), ("mean", 3.5)])
def test_repeated_ratings(tmp_path: Path, rule: str, kept: float) -> None:
    """A second rating of the same unit by the same rater: the last counts, or the mean, as told."""
    found = read_ratings(write(tmp_path / "r.csv", REPEATED), LONG, Reading(), repeated=rule)
    assert answers(found)["1", "ana"] == {"score": kept}
    assert f"repeated:{rule}" in found.sign()


def test_labels_have_no_mean(tmp_path: Path) -> None:
    """The mean of repeated labels is refused, and so is that of numbers which are only names."""
    layout = Layout(unit=("item",), rater="who", value=("fluent",))
    with pytest.raises(InputError, match="labels have no mean"):
        read_ratings(write(tmp_path / "r.csv", REPEATED), layout, Reading(), repeated="mean")
    with pytest.raises(InputError, match="labels have no mean"):
        read_ratings(write(tmp_path / "r.csv", REPEATED), LONG, Reading(level=NOMINAL), repeated="mean")


def test_a_gap_is_no_repeated_rating(tmp_path: Path) -> None:
    """An empty cell beside an answer of the same rater is no second answer."""
    rows = [*ROWS, {"item": "1", "who": "ana", "score": None, "fluent": None}]
    assert answers(read_ratings(write(tmp_path / "r.csv", rows), LONG, Reading()))["1", "ana"] == {"score": 3}


def test_a_unit_that_stands_twice_in_a_wide_file(tmp_path: Path) -> None:
    """One message for the row, not for each of its cells; the last or the mean if asked."""
    rows = [{"id": "x", "r1": 1, "r2": 2}, {"id": "x", "r1": 3, "r2": 2}]
    layout = Layout(unit=("id",), values=(("r1", "r2"),))
    path = write(tmp_path / "r.csv", rows)
    with pytest.raises(InputError) as error:
        read_ratings(path, layout, Reading())
    assert [(problem.line, problem.rule) for problem in error.value.problems] == [(3, "repeated")]
    assert answers(read_ratings(path, layout, Reading(), repeated="mean"))["x", "r1"] == {"r": 2}


def test_values_inside_objects(tmp_path: Path) -> None:
    """JSON lines may hold answers in objects, and sets as lists; gaps are where the key is missing."""
    lines = [
        {"u": {"id": 1}, "who": "ana", "answers": {"fluency": 3, "why": ["typo", "tense"]}},
        {"u": {"id": 1}, "who": "ben", "answers": {"fluency": 2.5, "why": []}},
        {"u": {"id": 2}, "who": "ben", "answers": {"why": ["typo"]}},
    ]
    path = tmp_path / "r.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    layout = Layout(unit=("u.id",), rater="who", value=("answers.fluency",))
    assert answers(read_ratings(path, layout, Reading())) == {
        ("1", "ana"): {"answers.fluency": 3},
        ("1", "ben"): {"answers.fluency": 2.5},
    }
    sets = Layout(unit=("u.id",), rater="who", value=("answers.why",))
    assert answers(read_ratings(path, sets, Reading(level=JACCARD)))["1", "ana"] == {"answers.why": ("tense", "typo")}


def test_not_applicable_and_missing_are_told_apart(tmp_path: Path) -> None:
    """Both are left out of figures, each with its own number in the remarks; words for missing can be given."""
    rows = [
        {"item": "1", "who": "ana", "score": "not_applicable"},
        {"item": "1", "who": "ben", "score": "-"},
        {"item": "1", "who": "eva", "score": "NA"},
        {"item": "1", "who": "kim", "score": "5"},
    ]
    found = read_ratings(write(tmp_path / "r.csv", rows), LONG, Reading(missing=("-", "NA")))
    assert answers(found) == {("1", "ana"): {"score": NOT_APPLICABLE}, ("1", "kim"): {"score": 5}}
    assert found.remarks[1:] == ("without an answer: 2 of 4 cells", "not applicable, and not counted: 1")
    assert "missing:-+NA" in found.sign()


def test_nothing_but_gaps(tmp_path: Path) -> None:
    """A column without any answer is a question that nobody answered."""
    rows = [{"item": "1", "who": "ana", "score": ""}, {"item": "1", "who": "ben", "score": "NA"}]
    found = read_ratings(write(tmp_path / "r.csv", rows), LONG, Reading())
    assert found.every == ()
    assert found.remarks == ("score: no answers", "without an answer: 2 of 2 cells")


def test_many_rows_are_read_alike(tmp_path: Path) -> None:
    """Ten thousand rows: every rating once, in the order of lines."""
    rows = [{"item": str(n // 5), "who": f"w{n % 5}", "score": n % 7} for n in range(10_000)]
    found = read_ratings(write(tmp_path / "r.csv", rows), LONG, Reading())
    assert [rating.line for rating in found.every] == list(range(2, 10_002))
    assert len(found.units) == 2000


def test_columns_whose_names_have_commas(tmp_path: Path) -> None:
    """A comma list names columns, unless a column has that very name, as questions of surveys have."""
    rows = [{"item": "1", "who": "ana", "Fluent, or not?": 3, "a": 1, "b": 2}]
    path = write(tmp_path / "r.csv", rows)
    layout = Layout(unit=("item",), rater="who", value=("Fluent, or not?", "a,b"))
    assert [one.id for one in read_ratings(path, layout, Reading()).criteria] == ["Fluent, or not?", "a", "b"]
    wide = Layout(unit=("item",), values=(("a, Fluent, or not?",), ("b",)))
    assert [one.id for one in read_ratings(path, wide, Reading()).criteria] == ["a+Fluent, or not?", "b"]
    columns = (("a",), ("b",))
    assert list(read_ratings(path, Layout(unit=("item",), values=columns), Reading()).raters) == ["a", "b"]


def test_two_units_never_get_one_name(tmp_path: Path) -> None:
    """Where the sign between columns stands in them, it is refused rather than taken for one unit."""
    rows = [{"a": "x / y", "b": "z", "who": "ana", "score": 1}, {"a": "x", "b": "y / z", "who": "ben", "score": 2}]
    with pytest.raises(InputError, match="would make the same name of a unit") as error:
        read_ratings(write(tmp_path / "r.csv", rows), Layout(unit=("a", "b"), rater="who", value=("score",)), Reading())
    assert [(problem.rule, problem.line) for problem in error.value.problems] == [("unit", 3)]


def test_words_that_are_probably_the_same_are_pointed_out(tmp_path: Path) -> None:
    """Labels and raters that differ by capitals or spaces are different, and it is said."""
    rows = [{"item": "1", "who": who, "score": word} for who, word in (("ana", "Yes"), ("Ana", "yes"), ("ben", "no"))]
    remarks = read_ratings(write(tmp_path / "r.csv", rows), LONG, Reading(level=NOMINAL)).remarks
    assert "raters: 'ana' and 'Ana' differ by capitals or spaces, and count as different" in remarks
    assert "score: 'Yes' and 'yes' differ by capitals or spaces, and count as different" in remarks
