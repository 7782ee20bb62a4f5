"""Tables of ratings spoilt in every way: one clear message each, with line, rule and fix, all at once."""

from __future__ import annotations

from pathlib import Path

import pytest

from rubrica.core.errors import InputError, Problem
from rubrica.exchange.rating_values import Reading
from rubrica.exchange.ratings import Layout, read_ratings
from tests.exchange.test_ratings import write

LONG = Layout(unit=("item",), rater="who", value=("score",))
HEAD = "item,who,score\n1,ana,3\n1,ben,4\n2,ana,5\n2,ben,4\n"


def problems(path: Path, layout: Layout = LONG, reading: Reading | None = None, repeated: str = "") -> list[Problem]:
    """Everything that is wrong with a file."""
    with pytest.raises(InputError) as error:
        read_ratings(path, layout, reading or Reading(), repeated=repeated)
    found = list(error.value.problems)
    assert all(problem.file == str(path) and problem.fix for problem in found)
    return found


@pytest.mark.parametrize(
    ("row", "rule", "what"),
    [
        (",ana,3", "unit", "'item' is empty"),
        ("3,,3", "rater", "nobody is named"),
        ('3,ana,"3,5"', "decimal", "decimal comma"),
        ("3,ana,high", "number", "'high' is not a number"),
        ("3,ana,inf", "finite", "not a finite number"),
        ("3,ana,1_000", "number", "'1_000' is not a number"),
        ("1,ana,3", "repeated", "'ana' rated this unit already in line 2"),
        ("3,ana", "width", "2 fields"),
        ("3,ana,3,3", "width", "4 fields"),
    ],
)
def test_one_spoilt_row(tmp_path: Path, row: str, rule: str, what: str) -> None:
    """One row is wrong: one message with its line."""
    path = tmp_path / "r.csv"
    path.write_text(HEAD + row + "\n", encoding="utf-8")
    (found,) = problems(path)
    assert (found.rule, found.line) == (rule, 6)
    assert what in found.what


@pytest.mark.parametrize(
    ("reading", "row", "rule", "fix"),
    [
        (Reading(level="ratio"), "3,ana,-1", "level", "--level interval"),
        (Reading(scale=("1", "2", "3", "4", "5")), "3,ana,6", "scale", "Use one of 1, 2, 3, 4, 5"),
    ],
)
def test_values_outside_their_scale(tmp_path: Path, reading: Reading, row: str, rule: str, fix: str) -> None:
    """Negative numbers of a ratio scale, and answers that are not on the scale."""
    path = tmp_path / "r.csv"
    path.write_text(HEAD + row + "\n", encoding="utf-8")
    (found,) = problems(path, reading=reading)
    assert (found.rule, found.line) == (rule, 6)
    assert fix in found.fix


def test_columns_that_are_not_there(tmp_path: Path) -> None:
    """Every missing column at once, with the one that was probably meant."""
    path = tmp_path / "r.csv"
    path.write_text(HEAD, encoding="utf-8")
    found = problems(path, Layout(unit=("itm",), rater="who", value=("scores",)))
    assert [(problem.value, problem.fix) for problem in found] == [
        ("itm", "Did you mean item?"),
        ("scores", "Did you mean score?"),
    ]


@pytest.mark.parametrize(
    ("layout", "what"),
    [
        (Layout(unit=("item",), value=("score",)), "--rater missing"),
        (Layout(), "--unit, --rater, --value missing"),
        (Layout(values=(("score", "item"),), rater="who"), "--values is for a column for each rater"),
        (Layout(unit=("item",), rater="who", value=("score", "who"), question="item"), "one column of values"),
        (Layout(values=(("score", "item"),), group="who"), "group"),
        (Layout(values=(("score", "score"),)), "given twice"),
    ],
)
def test_layouts_that_make_no_sense(tmp_path: Path, layout: Layout, what: str) -> None:
    """Which options go together is said."""
    path = tmp_path / "r.csv"
    path.write_text(HEAD, encoding="utf-8")
    assert any(what in problem.what for problem in problems(path, layout) if problem.rule == "layout")


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("item,who,score\n1,ana,für\n".encode("latin-1"), "encoding"),
        (HEAD.encode("utf-16"), "encoding"),
        (b"", "empty"),
        (b'item,who,score\n1,"ana,3\n', "quoting"),
        (b"item,who,score,score\n1,ana,3,4\n", "header"),
    ],
)
def test_files_that_are_no_table(tmp_path: Path, text: bytes, rule: str) -> None:
    """Wrong encoding, nothing inside, an open quote, two columns of one name."""
    path = tmp_path / "r.csv"
    path.write_bytes(text)
    assert problems(path)[0].rule == rule


def test_a_file_spoilt_in_ten_ways(tmp_path: Path) -> None:
    """All that can be found at once is reported at once, in the order of lines."""
    path = tmp_path / "r.csv"
    path.write_text(
        "item,system,who,group,score,s\n"
        "1,A,ana,native,3,5\n"
        '1,A,ben,other,"3,5",5\n'
        "2,A,ana,native,high,5\n"
        "2,A,ben,other,inf,5\n"
        "3,B,,native,4,5\n"
        ",B,ben,other,4,5\n"
        "4,B,ana,native,4,5\n"
        "4,B,ana,native,5,5\n"
        "5,B,ana\n"
        "6,A,ben,native,2,5\n"
        "1,B,eva,native,2,-1\n",
        encoding="utf-8",
    )
    layout = Layout(unit=("item",), rater="who", value=("score",), system="system", group="group", seconds="s")
    assert [(problem.line, problem.rule) for problem in problems(path, layout)] == [
        (3, "decimal"),
        (4, "number"),
        (5, "finite"),
        (6, "rater"),
        (7, "unit"),
        (9, "repeated"),
        (10, "width"),
        (11, "group"),
        (12, "unit"),
        (12, "level"),
    ]


def test_thousands_of_the_same_are_counted(tmp_path: Path) -> None:
    """The first are shown, then how many more there are."""
    rows = [{"item": str(n), "who": "ana", "score": "3,5"} for n in range(1000)]
    found = problems(write(tmp_path / "r.csv", rows))
    assert len(found) == 26
    assert found[-1].what == "975 more problems of this kind (score)"


def test_problems_of_a_spreadsheet_name_the_cell(tmp_path: Path) -> None:
    """Sheet and cell instead of a line."""
    rows = [{"item": "1", "who": "ana", "score": 4}, {"item": "2", "who": "", "score": "high"}]
    path = write(tmp_path / "r.xlsx", [*rows, {"item": "3", "who": "ben", "score": "inf"}])
    assert [str(problem).split(": ")[0] for problem in problems(path)] == [
        f"{path}:Scores!B3",
        f"{path}:Scores!C4",
    ]
