"""Tables of ratings spoilt in every way: one clear message each, with line, rule and fix, all at once."""

from __future__ import annotations

import zipfile
from pathlib import Path

import openpyxl
import pytest

from rubrica.core.errors import InputError, Problem
from rubrica.exchange.decoding import WINDOWS
from rubrica.exchange.rating_values import Reading
from rubrica.exchange.ratings import Layout
from tests.exchange.test_ratings import read_ratings, write

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
        ('3,ana,"3,500"', "decimal", "decimal comma"),
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
        ("itm", "Did you mean 'item'?"),
        ("scores", "Did you mean 'score'?"),
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
        ("item,who,score\n1,ana,für\n".encode("cp437"), "encoding"),
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
        '1,A,ben,other,"3,500",5\n'
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
    rows = [{"item": str(n), "who": "ana", "score": "3,500"} for n in range(1000)]
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


def test_a_file_spoilt_where_a_table_begins_is_still_read_to_the_end(tmp_path: Path) -> None:
    """A wrong encoding, a doubled column, an open quote and a column that is not there hide nothing else."""
    path = tmp_path / "r.csv"
    rows = [
        "item,who,score,note,note",
        "1,ana,3,,",
        "1,jürg,4,,",
        '2,"ana,5,,',
        "2,ben,inf,,",
        "3;ana;5;;",
        "3,,2,,",
    ]
    path.write_bytes("\n".join(rows).encode("cp437"))
    layout = Layout(unit=("item",), rater="who", value=("score", "fluency"))
    assert [(problem.line, problem.rule) for problem in problems(path, layout)] == [
        (1, "header"),
        (1, "column"),
        (3, "encoding"),
        (4, "quoting"),
        (5, "finite"),
        (6, "delimiter"),
        (7, "rater"),
    ]


def test_bytes_that_are_no_utf_8_are_one_problem_with_all_their_lines(tmp_path: Path) -> None:
    """A whole file in another encoding is one message, not a thousand."""
    path = tmp_path / "r.csv"
    path.write_bytes(("item,who,score\n" + "".join(f"{n},jürg,3\n" for n in range(9))).encode("cp437"))
    (found,) = problems(path)
    assert found.what == "this is not UTF-8: byte 0x81, and more in lines 3, 4, 5, 6, 7 and 3 more"
    path.write_bytes("item,who,score\n1,jürg,3\n1,günter,3\n".encode("cp437"))
    assert problems(path)[0].what == "this is not UTF-8: byte 0x81, and more in line 3"


def test_windows_1252_is_read_with_a_word_about_it(tmp_path: Path) -> None:
    """What Excel saves on many machines is no problem, but names may be wrong, so it is said; UTF-8 needs no word."""
    path = tmp_path / "r.csv"
    text = HEAD.replace("ana", "josé")
    path.write_bytes(text.encode("cp1252"))
    ratings = read_ratings(path, LONG, Reading())
    assert set(ratings.raters) == {"josé", "ben"}
    assert [remark for remark in ratings.remarks if "Windows-1252" in remark] == [f"read as {WINDOWS}"]
    path.write_text(text, encoding="utf-8")
    assert not any("Windows-1252" in remark for remark in read_ratings(path, LONG, Reading()).remarks)


@pytest.mark.parametrize(
    ("header", "fix"),
    [
        ("Item,WHO,Score ", ["Did you mean 'Item'?", "Did you mean 'Score'?", "Did you mean 'WHO'?"]),
        ("item,who,\u200bscore", ["Did you mean '\\u200bscore'?"]),
        ("My ratings,,", ["Columns: My ratings. Line 1 is taken for the header; if it is none, remove it."] * 3),
    ],
)
def test_what_was_probably_meant(tmp_path: Path, header: str, fix: list[str]) -> None:
    """Columns that differ by capitals, blanks or signs that nobody sees; a title above the header."""
    path = tmp_path / "r.csv"
    path.write_text(f"{header}\n1,ana,3\n", encoding="utf-8")
    assert [problem.fix for problem in problems(path)] == fix


def test_a_file_parted_by_commas_that_is_named_after_tabs(tmp_path: Path) -> None:
    """What the fields are parted by follows from the name of the file, which is said where it does not fit."""
    path = tmp_path / "r.tsv"
    path.write_text(HEAD, encoding="utf-8")
    fix = "Columns: item,who,score. It seems to be parted by commas: name it .csv."
    assert [problem.fix for problem in problems(path)] == [fix] * 3


def test_a_header_without_rows(tmp_path: Path) -> None:
    """Nothing to measure is said as what it is: the file ends too early."""
    path = tmp_path / "r.csv"
    path.write_text("item,who,score\n", encoding="utf-8")
    (found,) = problems(path)
    assert (found.rule, found.line) == ("empty", 1)


def test_json_lines_that_are_no_rows(tmp_path: Path) -> None:
    """Broken lines, doubled keys and keys spelt differently are named; nothing becomes a missing answer in silence."""
    path = tmp_path / "r.jsonl"
    path.write_text(
        '{"item": 1, "who": "ana", "score": 3}\n'
        '{"item": 1, "who": "ben", "Score": 3}\n'
        '{"item": 2, "who": "ana", "score": 3, "score": 4}\n'
        '{"item": 2, "who": "ben", "score": {"fluency": 4}}\n'
        "[1, 2]\n",
        encoding="utf-8",
    )
    assert [(problem.line, problem.rule) for problem in problems(path)] == [
        (2, "column"),
        (3, "json"),
        (4, "object"),
        (5, "json"),
    ]
    path.write_text('[{"item": 1},\n {"item": 2}]\n', encoding="utf-8")
    assert [problem.rule for problem in problems(path)] == ["json", "json"]


def test_cells_of_a_spreadsheet_that_are_not_empty_though_they_seem_so(tmp_path: Path) -> None:
    """Error values, formulas never computed and merged cells are no missing answers; cells are named where they are."""
    book = openpyxl.Workbook()
    sheet = book.worksheets[0]
    sheet.title = "Scores"
    rows = [["item", "who", "score"], [1, "ana", 3], [1, "ben", "=1/0"], [2, "ana", "#REF!"], [2, "ben", 4], [3, "eva"]]
    for line, row in enumerate(rows, start=3):
        for place, value in enumerate(row, start=2):
            sheet.cell(line, place, value)
    sheet["D6"].data_type = "e"
    sheet.merge_cells("D7:D8")
    path = tmp_path / "r.xlsx"
    book.save(path)
    assert [(problem.cell, problem.rule) for problem in problems(path)] == [
        ("D5", "formula"),
        ("D6", "error"),
        ("D7", "merged"),
    ]
    (absent,) = problems(path, Layout(unit=("item",), rater="who", value=("grade",)))
    assert (absent.cell, absent.fix) == ("B3", "Columns: item, who, score.")


def test_a_formula_whose_result_is_an_empty_text_is_a_missing_answer(tmp_path: Path) -> None:
    """What a spreadsheet computed as nothing is nothing; Excel marks such a cell as a text."""
    made, path = tmp_path / "made.xlsx", tmp_path / "r.xlsx"
    book = openpyxl.Workbook()
    for row in [["item", "who", "score"], [1, "ana", 3], [1, "ben", 3], [2, "ana", 4], [2, "ben", '=IF(A5=2,"",1)']]:
        book.worksheets[0].append(row)
    book.save(made)
    with zipfile.ZipFile(made) as old, zipfile.ZipFile(path, "w") as new:
        for info in old.infolist():
            new.writestr(info, old.read(info).replace(b'<c r="C5">', b'<c r="C5" t="str">'))
    assert [problem.cell for problem in problems(made)] == ["C5"]
    assert "without an answer: 1 of 4 cells" in read_ratings(path, LONG, Reading()).remarks


def test_problems_of_a_column_for_each_rater_name_the_column(tmp_path: Path) -> None:
    """The cell is that of the rater, not of the unit."""
    rows = [
        {"item": "1", "r_1": 4, "r_2": "3,500"},
        {"item": "2", "r_1": "inf", "r_2": 3},
        {"item": "3", "r_1": 3, "r_2": 3},
    ]
    layout = Layout(unit=("item",), values=(("r_1", "r_2"),))
    found = problems(write(tmp_path / "r.xlsx", rows), layout)
    assert [(problem.cell, problem.what.split(":")[0]) for problem in found] == [("C2", "r_2"), ("B3", "r_1")]


def test_other_sheets_are_named_where_the_first_has_no_ratings(tmp_path: Path) -> None:
    """Only the first sheet is read, which is said to who put ratings elsewhere."""
    book = openpyxl.Workbook()
    book.worksheets[0].append(["Read me"])
    book.create_sheet("Ratings").append(["item", "who", "score"])
    path = tmp_path / "r.xlsx"
    book.save(path)
    assert all("Only the first sheet is read; put 'Ratings' first." in problem.fix for problem in problems(path))
