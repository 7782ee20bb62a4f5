"""Tables that are made to break their reader: each is refused with its place and a fix, and what is only large is read.

Limits are lowered where a file of the real size would take long to make; the readers are the real ones.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import openpyxl
import polars
import pytest

from rubrica.core.errors import InputError, Problem
from rubrica.engine.own_process import in_own_process
from rubrica.exchange.imports import read_records
from rubrica.exchange.items import look_at_items, read_items
from rubrica.exchange.sheets.package import Package
from rubrica.exchange.tables import Table, read_table
from rubrica.exchange.text_lines import check_lines
from rubrica.exchange.thresh.files import read_file
from rubrica.protocols.catalog import load_shipped
from tests import hostile

pytestmark = pytest.mark.own_process

SMALLER: dict[Callable[[Path], Path], Callable[[Path], Path]] = {
    hostile.shared_text: lambda path: hostile.shared_text(path, 2_000, 30_000),
    hostile.zip_bomb: lambda path: hostile.zip_bomb(path, 21),
    hostile.lying_zip: lambda path: hostile.lying_zip(path, 21),
    hostile.overlapping_zip: lambda path: hostile.overlapping_zip(path, 30),
    hostile.endless_tag: lambda path: hostile.endless_tag(path, 15),
    hostile.long_text_in_every_row: lambda path: hostile.long_text_in_every_row(path, 5_000, 5_000),
    hostile.wide: lambda path: hostile.wide(path, 1_001),
    hostile.long_lists: lambda path: hostile.long_lists(path, 3_000_000),
    hostile.one_line: lambda path: hostile.one_line(path, 15),
    hostile.many_columns: lambda path: hostile.many_columns(path, 50_000),
    hostile.open_quote: lambda path: hostile.open_quote(path, 11),
    hostile.row_of_many_lines: lambda path: hostile.row_of_many_lines(path, 11),
}
"""The same for a limit of 20 MB, which takes less time to make."""


def problems_of(path: Path, **how: bool) -> list[Problem]:
    """Everything that is said of a table: what stops it, or what is wrong with its rows."""
    try:
        read_items(read_table(path, **how), load_shipped("breve").protocol)
    except InputError as error:
        return list(error.problems)
    return []


@pytest.mark.parametrize(("ending", "make"), hostile.TABLES.values(), ids=hostile.TABLES.keys())
def test_what_is_made_to_break_is_refused(
    ending: str, make: Callable[[Path], Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One refusal or a few, each with the file, the rule and a fix; nothing is read of it, and nothing breaks."""
    monkeypatch.setenv("RUBRICA_MAX_MB", "20")
    path = SMALLER.get(make, make)(tmp_path / f"hostile{ending}")
    found = problems_of(path)
    assert found
    assert len(found) <= 100
    for problem in found:
        assert problem.file == str(path)
        assert problem.rule in ("size", "xlsx", "xml", "parquet", "json", "quoting")
        assert problem.fix


def the_problem(path: Path) -> Problem:
    """The one problem for which a file is refused."""
    with pytest.raises(InputError) as caught:
        read_table(path)
    (problem,) = caught.value.problems
    return problem


def test_cells_in_both_corners_are_told_by_the_furthest(tmp_path: Path) -> None:
    """A kilobyte that asks for 17 billion cells: the sheet, the cell, the limit and the setting are named."""
    path = hostile.corners(tmp_path / "corners.xlsx")
    assert path.stat().st_size < 1_500
    problem = the_problem(path)
    assert problem.place == f"{path}:Items!XFD1048576"
    assert problem.rule == "size"
    assert "XFD1048576" in problem.fix
    assert "RUBRICA_MAX_COLUMNS" in problem.fix


def test_styled_cells_far_away_are_no_cells(tmp_path: Path) -> None:
    """A format down to the end of the sheet, as spreadsheets leave it, holds nothing: the table is read."""
    far = '<row r="1048576"><c r="A1048576" s="1"/><c r="XFD1048576" s="1"></c></row>'
    path = hostile.workbook(tmp_path / "styled.xlsx", hostile.sheet_xml(hostile.HEADER + hostile.PAIR + far))
    assert [row.values for row in read_table(path).rows] == [{"source": "one", "rewrite": "two"}]


def test_a_plain_workbook_is_read(tmp_path: Path) -> None:
    """The smallest workbook of these tests is a good one, so that the others are refused for what they are."""
    path = hostile.workbook(tmp_path / "plain.xlsx", hostile.sheet_xml(hostile.HEADER + hostile.PAIR))
    assert [row.values for row in read_table(path).rows] == [{"source": "one", "rewrite": "two"}]


def test_merged_ranges_without_number_take_no_time(tmp_path: Path) -> None:
    """Ranges as large as the sheet are noted as they are written, up to a bound, and the table is read."""
    path = hostile.merged_ranges(tmp_path / "merged.xlsx", 120_000)
    package = Package(path)
    assert len(package.oddities("Items").merged) == 100_000
    assert len(read_table(path).rows) == 1


def test_rows_and_cells_are_bounded_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A sheet that is neither too long nor too wide may still have too many cells."""
    monkeypatch.setenv("RUBRICA_MAX_CELLS", "1000")
    book = openpyxl.Workbook()
    page = book.active
    assert page is not None
    page["A1"], page["T60"] = "source", "x"
    book.save(tmp_path / "sparse.xlsx")
    problem = the_problem(tmp_path / "sparse.xlsx")
    assert "59 rows x 20 columns = 1,180 cells" in problem.what
    assert "RUBRICA_MAX_CELLS" in problem.fix


def test_parquet_is_refused_by_what_its_footer_says(tmp_path: Path) -> None:
    """A few kilobytes with a million rows are not read at all."""
    path = hostile.many_rows(tmp_path / "rows.parquet")
    assert path.stat().st_size < 16_000
    problem = the_problem(path)
    assert (problem.rule, problem.value, problem.file) == ("size", 1_000_000, str(path))
    assert "RUBRICA_MAX_ROWS" in problem.fix


def test_a_reader_that_takes_too_much_memory_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What no bound catches is caught by the limit of the process, and told."""
    monkeypatch.setenv("RUBRICA_READER_MB", "250")
    problem = the_problem(hostile.long_lists(tmp_path / "lists.parquet", 40_000_000))
    assert (problem.rule, problem.file) == ("memory", str(tmp_path / "lists.parquet"))


@pytest.mark.parametrize("ending", [".csv", ".tsv", ".jsonl", ".xlsx", ".parquet"])
def test_as_many_rows_as_the_limit_are_read_and_one_more_is_not(
    ending: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The limit is on rows below the header, in every format."""
    monkeypatch.setenv("RUBRICA_MAX_ROWS", "20")
    for rows in (20, 21):
        path = tmp_path / f"rows{rows}{ending}"
        frame = polars.DataFrame({"source": [f"s{n}" for n in range(rows)], "rewrite": ["r"] * rows})
        _write(frame, path)
        if rows == 20:
            assert len(read_table(path).rows) == 20
        else:
            assert the_problem(path).rule == "size"


def _write(frame: polars.DataFrame, path: Path) -> None:
    match path.suffix:
        case ".csv":
            frame.write_csv(path)
        case ".tsv":
            frame.write_csv(path, separator="\t")
        case ".jsonl":
            frame.write_ndjson(path)
        case ".xlsx":
            book = openpyxl.Workbook(write_only=True)
            page = book.create_sheet()
            for row in [frame.columns, *frame.rows()]:
                page.append(list(row))
            book.save(path)
        case _:
            frame.write_parquet(path)


def test_a_file_larger_than_any_is_not_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every format is refused by the size of its file, with the setting."""
    monkeypatch.setenv("RUBRICA_MAX_MB", "1")
    for ending in (".csv", ".jsonl", ".xlsx", ".parquet"):
        path = tmp_path / f"large{ending}"
        path.write_bytes(b"x" * 1_000_001)
        problem = the_problem(path)
        assert (problem.rule, problem.value) == ("size", 1_000_001)
        assert "RUBRICA_MAX_MB" in problem.fix


def test_a_binary_file_under_a_wrong_name_is_called_what_it_is(tmp_path: Path) -> None:
    """How a file begins goes before its name, so that nobody reads a workbook as text."""
    path = hostile.corners(tmp_path / "items.xlsx").rename(tmp_path / "items.csv")
    problem = the_problem(path)
    assert problem.rule == "format"
    assert "items.xlsx" in problem.fix


def test_quotes_that_are_data_are_read_however_long_the_file(tmp_path: Path) -> None:
    """In a tab-separated file a single quote may open nothing: the rows below it are read."""
    path = tmp_path / "mlsp.tsv"
    path.write_text('context\ttarget\n"One two\tone\n' + f"{'three ' * 40}\tthree\n" * 50_000, encoding="utf-8")
    table = read_table(path)
    assert len(table.rows) == 50_001
    assert table.rows[0].values["context"] == '"One two'


def test_thousands_of_broken_rows_are_a_hundred_problems(tmp_path: Path) -> None:
    """Every entrance lists as many, and counts the others."""
    path = tmp_path / "broken.csv"
    path.write_text("source,rewrite\n" + "only one\n" * 5_000, encoding="utf-8")
    problems = problems_of(path)
    assert len(problems) == 100
    assert (problems[-1].rule, problems[-1].value) == ("more_problems", 4_901)
    looked = look_at_items(path, load_shipped("breve").protocol, {}, True, {}, first=5, whole=False)
    assert len(looked.problems) == 100


def test_lines_of_a_corpus_are_bounded(tmp_path: Path) -> None:
    """A text file is read line by line, so that only a line without end is too long."""
    path = tmp_path / "system.txt"
    path.write_bytes(b"one\n" + b"x" * 10_000_001)
    (problem,) = check_lines(path).problems
    assert (problem.rule, problem.place) == ("size", f"{path}:2")


def test_records_and_entries_are_bounded_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Judgements and Thresh files keep the same limits as tables."""
    protocol = load_shipped("breve").protocol
    monkeypatch.setenv("RUBRICA_MAX_ROWS", "3")
    monkeypatch.setenv("RUBRICA_MAX_CELLS", "50")
    records = tmp_path / "records.jsonl"
    records.write_text('{"item": "1", "annotator": "a"}\n' * 4, encoding="utf-8")
    entries = tmp_path / "thresh.json"
    entries.write_text("[" + ", ".join(['{"source": "a"}'] * 60) + "]", encoding="utf-8")
    for path, read in ((records, lambda: read_records(records, protocol)), (entries, lambda: read_file(entries))):
        with pytest.raises(InputError) as caught:
            read()
        assert [(problem.rule, problem.file) for problem in caught.value.problems] == [("size", str(path))]


def test_two_hundred_thousand_items_are_read_within_the_limits(tmp_path: Path) -> None:
    """The defaults admit them, in a process of its own: `python -m benchmarks uploads` measures every format."""
    path = tmp_path / "items.csv"
    with path.open("w", encoding="utf-8") as out:
        out.write("id,source,rewrite\n")
        out.writelines(f'i{number},"Sentence number {number}.","It is {number}."\n' for number in range(200_000))
    protocol = load_shipped("breve").protocol
    looked = in_own_process(look_at_items, str(path), path, protocol, {}, True, {}, first=5, whole=False)
    assert looked.problems == ()
    assert (len(looked.keys), len(looked.first), looked.items) == (200_000, 5, [])


def test_a_table_comes_back_from_another_process(tmp_path: Path) -> None:
    """Rows, problems and what is odd about a workbook arrive as they were found."""
    path = hostile.merged_ranges(tmp_path / "merged.xlsx", 3)
    apart: Table = in_own_process(read_table, str(path), path)
    assert apart == read_table(path)
