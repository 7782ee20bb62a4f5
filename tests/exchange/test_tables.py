"""Tables are read from every format, what was detected is said, and what is broken is named by its line."""

from __future__ import annotations

import datetime
import json
from collections.abc import Callable
from pathlib import Path

import openpyxl
import polars
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rubrica.core.errors import InputError, Problem
from rubrica.exchange.delimited import DELIMITERS
from rubrica.exchange.tables import Table, as_text, read_table
from tests.length import either

Put = Callable[[str, str | bytes], Path]


@pytest.fixture
def put(tmp_path: Path) -> Put:
    """Writes a file and says where it is."""

    def write(name: str, content: str | bytes) -> Path:
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


def refused(path: Path) -> list[Problem]:
    """The problems for which a file cannot be read as a table."""
    with pytest.raises(InputError) as caught:
        read_table(path)
    assert all(problem.file == str(path) and problem.fix for problem in caught.value.problems)
    return list(caught.value.problems)


def values(table: Table) -> list[tuple[int, dict[str, str]]]:
    """Lines and texts of the rows."""
    return [(row.line, dict(row.values)) for row in table.rows]


@pytest.mark.parametrize(("delimiter", "name"), DELIMITERS.items())
@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_delimiters_line_endings_and_byte_order_marks_are_detected(
    delimiter: str, name: str, ending: str, mark: str, put: Put
) -> None:
    """Comma, semicolon, tab or bar, any line ending, with or without a mark: the same table, and it is said."""
    rows = [["id", "source", "rewrite"], ["1", "Uno, dos.", "Dos; uno."], ["2", "A | b", "Á"]]
    text = ending.join(delimiter.join(f'"{cell}"' for cell in row) for row in rows)
    table = read_table(put("pairs.csv", mark + text + ending))
    assert table.columns == ("id", "source", "rewrite")
    assert values(table) == [
        (2, dict(zip(rows[0], rows[1], strict=True))),
        (3, dict(zip(rows[0], rows[2], strict=True))),
    ]
    assert table.detected == f"{name}-separated, UTF-8, quotes around fields"
    assert table.problems == []


def test_text_with_many_commas_does_not_make_a_semicolon_table_a_comma_one(put: Put) -> None:
    """The header decides: what it does not contain is no delimiter."""
    table = read_table(put("pairs.csv", "source;rewrite\nOne, two, three;four, five\nsix, seven;eight, nine, ten\n"))
    assert table.columns == ("source", "rewrite")
    assert "semicolon" in table.detected


def test_quoted_line_breaks_keep_the_lines_of_later_rows_right(put: Put) -> None:
    """A row is named by the line on which it starts, however many lines the rows before it took."""
    table = read_table(put("pairs.csv", 'source,rewrite\n"one\ntwo\nthree",x\n\nfour,y\n"five\r\nsix",z\nseven,u\n'))
    assert [row.line for row in table.rows] == [2, 6, 7, 9]
    assert table.rows[0].values["source"] == "one\ntwo\nthree"
    assert table.rows[2].values["source"] == "five\r\nsix"


def test_quotes_in_tab_separated_files_are_data_unless_they_surround_fields(put: Put) -> None:
    """Shared tasks write quotes as they are, Excel around fields: each is read as it was meant."""
    plain = read_table(put("mlsp.tsv", 'context\ttarget\n"Stop" he said.\tsaid\n5" nails\tnails\n'))
    assert [row.values["context"] for row in plain.rows] == ['"Stop" he said.', '5" nails']
    assert plain.detected.endswith("quotes are data")
    excel = read_table(put("excel.tsv", 'context\ttarget\n"He said ""stop"".\nAnd left."\tsaid\nx\ty\n'))
    assert [row.values["context"] for row in excel.rows] == ['He said "stop".\nAnd left.', "x"]
    assert excel.detected.endswith("quotes around fields")


def test_an_opening_quote_that_is_data_does_not_swallow_lines(put: Put) -> None:
    """A quote at the start of one field and at the end of another are not taken for one long field."""
    table = read_table(put("mlsp.tsv", 'context\ttarget\n"One two\tone\nthree\tthree"\nfour\tfour\n'))
    assert [row.values["context"] for row in table.rows] == ['"One two', "three", "four"]


def test_an_uneven_row_does_not_change_how_quotes_are_read(put: Put) -> None:
    """In a file that quotes fields, a row with a field too many is reported and the others are read as before."""
    table = read_table(put("excel.tsv", 'context\ttarget\n"He said ""stop""."\tsaid\na\tb\tc\n"x\ny"\tz\n'))
    assert [row.values["context"] for row in table.rows] == ['He said "stop".', "x\ny"]
    assert [(problem.rule, problem.line) for problem in table.problems] == [("width", 3)]


@pytest.mark.parametrize(
    ("content", "line", "what"),
    [
        ("source,rewrite\nuno,dos\n".encode("utf-16"), 1, "UTF-16"),
        ("source,rewrite\nuno,dos\n".encode("utf-16-le"), 1, "UTF-16"),
        ("source,rewrite\nuno,dos\n".encode("utf-16-be"), 1, "UTF-16"),
        ("source,rewrite\nuno,dos\ntrés,x\n".encode("latin-1") + "año,y\n".encode(), 3, "0xe9"),
        (b"source,rewrite\n\x8duno,dos\n", 2, "0x8d"),
    ],
)
@pytest.mark.parametrize("name", ["pairs.csv", "pairs.tsv", "pairs.jsonl"])
def test_other_encodings_are_refused_by_line(content: bytes, line: int, what: str, name: str, put: Put) -> None:
    """A file in no one encoding is not guessed at; the message names the line of the first such byte."""
    (problem,) = refused(put(name, content))
    assert (problem.rule, problem.line) == ("encoding", line)
    assert what in problem.what


@pytest.mark.parametrize("name", ["pairs.csv", "pairs.tsv"])
def test_a_table_in_windows_1252_is_read_and_said_to_be(name: str, put: Put) -> None:
    """What Excel saves as CSV on many machines is read with its accents, quotes and dashes, and not in silence."""
    sign = "\t" if name.endswith("tsv") else ","
    text = f"source{sign}rewrite\n“El niño” salió{sign}él – ya\n"
    table = read_table(put(name, text.encode("cp1252")))
    assert table.rows[0].values == {"source": "“El niño” salió", "rewrite": "él – ya"}
    assert "Windows-1252" in table.detected
    assert not table.problems


@pytest.mark.parametrize("name", ["pairs.csv", "pairs.tsv", "pairs.jsonl"])
@pytest.mark.parametrize("content", ["", "\n\n", "\ufeff"])
def test_an_empty_file_is_refused(name: str, content: str, put: Put) -> None:
    """A file without anything in it is called empty."""
    (problem,) = refused(put(name, content))
    assert (problem.rule, problem.line) == ("empty", 1)


def test_a_header_alone_is_a_table_without_rows(put: Put) -> None:
    """Whether rows are needed is for others to say."""
    table = read_table(put("pairs.csv", "source,rewrite\n"))
    assert (table.columns, table.rows) == (("source", "rewrite"), [])


def test_every_doubled_column_is_reported(put: Put) -> None:
    """Two columns of one name cannot be told apart."""
    problems = refused(put("pairs.csv", "a,b,a,b,c\n1,2,3,4,5\n"))
    assert [(problem.rule, problem.value, problem.line) for problem in problems] == [
        ("header", "a", 1),
        ("header", "b", 1),
    ]


def test_uneven_rows_are_reported_and_left_out(put: Put) -> None:
    """A row with too many or too few fields is a problem of its line; the others are read."""
    table = read_table(put("pairs.csv", "a,b\n1,2\n3\n4,5,6\n7,8\n"))
    assert [row.line for row in table.rows] == [2, 5]
    assert [(problem.rule, problem.line, problem.value) for problem in table.problems] == [
        ("width", 3, 1),
        ("width", 4, 3),
    ]


def test_a_quote_that_is_never_closed_is_reported_where_it_opens(put: Put) -> None:
    """The message names the line of the field, not the end of the file."""
    (problem,) = refused(put("pairs.csv", 'a,b\n1,2\n3,"four\n5,6\n'))
    assert (problem.rule, problem.line) == ("quoting", 3)


def test_a_table_without_a_header_has_numbered_columns(put: Put) -> None:
    """Shared-task files have no header; their columns are 1, 2, 3."""
    table = read_table(put("mlsp.tsv", "One.\tone\nTwo.\ttwo\teasy\n"), header=False)
    assert table.columns == ("1", "2", "3")
    assert values(table) == [(1, {"1": "One.", "2": "one"}), (2, {"1": "Two.", "2": "two", "3": "easy"})]


BAD_JSON = {
    "not json at all": "hello",
    "cut off": '{"a": 1',
    "a list": "[1, 2]",
    "a number that is none": '{"a": NaN}',
    "endless nesting": "[" * 100_000,
    "a number without end": '{"a": ' + "1" * 5000 + "}",
}


@pytest.mark.parametrize("line", BAD_JSON.values(), ids=BAD_JSON.keys())
def test_a_bad_line_of_json_is_reported_by_its_number(line: str, put: Put) -> None:
    """Whatever is wrong with a line, the others are read and the line is named."""
    table = read_table(put("pairs.jsonl", f'{{"a": "x"}}\n\n{line}\n{{"a": "y"}}\n'))
    assert [row.line for row in table.rows] == [1, 4]
    assert [(problem.rule, problem.line) for problem in table.problems] == [("json", 3)]


def test_json_values_become_text(put: Put) -> None:
    """Numbers lose a needless .0, lists and objects stay JSON, null is no value."""
    record = {"a": 3.0, "b": 2.5, "c": True, "d": ["x", "é"], "e": {"k": 1}, "f": None, "g": "=1+1", "h": 10**20}
    table = read_table(put("pairs.jsonl", json.dumps(record) + "\n"))
    wanted = {"a": "3", "b": "2.5", "c": "true", "d": '["x", "é"]', "e": '{"k": 1}', "g": "=1+1", "h": str(10**20)}
    assert values(table) == [(1, wanted)]
    assert table.columns == tuple(record)


@pytest.mark.parametrize(
    ("name", "broken"), [("p.csv", "a\0b"), ("p.tsv", "a\0b"), ("p.jsonl", "a\\u0000b"), ("p.jsonl", "\\ud800")]
)
def test_characters_that_cannot_be_stored_are_reported_by_line(name: str, broken: str, put: Put) -> None:
    """NUL and halves of surrogate pairs are refused at the door, with the column that holds them."""
    lines = {
        "p.csv": f"source,rewrite\nok,ok\nx,{broken}\n",
        "p.tsv": f"source\trewrite\nok\tok\nx\t{broken}\n",
        "p.jsonl": f'{{"source": "ok"}}\n{{"source": "ok"}}\n{{"rewrite": "{broken}"}}\n',
    }
    table = read_table(put(name, lines[name]))
    (problem,) = table.problems
    assert (problem.rule, problem.line) == ("characters", 3)
    assert "'rewrite'" in problem.what


def test_a_column_name_that_cannot_be_stored_is_refused(put: Put) -> None:
    """Names of columns become keys of metadata and must be storable too."""
    (problem,) = refused(put("p.jsonl", '{"a\\ud800": "x"}\n'))
    assert problem.rule == "characters"


def test_a_workbook_is_read_from_its_first_sheet_with_its_rows_numbers(tmp_path: Path) -> None:
    """Empty rows are passed over but counted; numbers and dates are text; formulas are what they show."""
    book = openpyxl.Workbook()
    page = book.active
    assert page is not None
    page["B3"], page["C3"] = "source", "score"
    page["B5"], page["C5"] = "=1+1 is two", 3.0
    page["B5"].data_type = "s"
    page["B7"], page["C7"] = "a\nb", datetime.date(2026, 11, 15)
    book.save(tmp_path / "pairs.xlsx")
    table = read_table(tmp_path / "pairs.xlsx")
    assert table.columns == ("source", "score")
    assert values(table)[0] == (5, {"source": "=1+1 is two", "score": "3"})
    assert values(table)[1][0] == 7
    assert values(table)[1][1]["score"].startswith("2026-11-15")
    assert table.detected == "Excel, sheet 'Sheet'"


def test_a_parquet_file_is_read_with_its_types(tmp_path: Path) -> None:
    """Typed columns become text; null is no value; nested values stay JSON, dates in them included."""
    frame = polars.DataFrame(
        {
            "source": ["a", "=b"],
            "score": [1.0, None],
            "tags": [["x"], []],
            "when": [[datetime.date(2026, 1, 2)], None],
            "n": [1, 2],
        }
    )
    frame.write_parquet(tmp_path / "pairs.parquet")
    table = read_table(tmp_path / "pairs.parquet")
    assert values(table) == [
        (1, {"source": "a", "score": "1", "tags": '["x"]', "when": '["2026-01-02"]', "n": "1"}),
        (2, {"source": "=b", "tags": "[]", "n": "2"}),
    ]


@pytest.mark.parametrize("name", ["p.parquet", "p.xlsx"])
@pytest.mark.parametrize("content", [b"", b"not one", b"PAR1 and PAR1", b"PK\x03\x04"])
def test_broken_binary_files_are_refused(name: str, content: bytes, put: Put) -> None:
    """A damaged workbook or Parquet file is a problem, not a traceback."""
    (problem,) = refused(put(name, content))
    assert problem.rule == name.removeprefix("p.")


def test_files_that_are_not_tables_are_refused_by_their_ending(put: Put) -> None:
    """The message names the endings that are read."""
    (problem,) = refused(put("pairs.pdf", "x"))
    assert problem.rule == "format"
    assert ".parquet" in problem.fix


def test_a_missing_file_is_a_problem(tmp_path: Path) -> None:
    """A name that is not there, or is a folder, is no traceback."""
    assert refused(tmp_path / "nowhere.csv")[0].rule == "file"
    assert refused(tmp_path)[0].rule == "file"


texts = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=30)


@settings(max_examples=either(25, 80), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rows=st.lists(st.tuples(texts, texts), min_size=1, max_size=5), delimiter=st.sampled_from(list(DELIMITERS)))
def test_whatever_a_csv_writer_writes_is_read(rows: list[tuple[str, str]], delimiter: str, tmp_path: Path) -> None:
    """Any text in quoted fields comes back as it was, whichever delimiter separates them."""
    quoted = [[f'"{cell.replace(chr(34), chr(34) * 2)}"' for cell in row] for row in rows]
    lines = [delimiter.join(row) for row in [['"source"', '"rewrite"'], *quoted]]
    path = tmp_path / "pairs.csv"
    path.write_bytes(("\r\n".join(lines) + "\r\n").encode())
    read = [(row.values["source"], row.values["rewrite"]) for row in read_table(path).rows]
    assert read == [row for row in rows if any(row)]


@pytest.mark.parametrize(("value", "text"), [(None, ""), (1.5, "1.5"), (2.0, "2"), (False, "false"), ([], "[]")])
def test_values_as_text(value: object, text: str) -> None:
    """What a typed value is called in a table of texts."""
    assert as_text(value) == text


def test_a_workbook_of_another_kind_is_to_be_saved_anew(tmp_path: Path) -> None:
    """Excel and LibreOffice can; a text document cannot."""
    for name, fix in (("old.xls", "Save it as .xlsx"), ("free.ods", "Save it as .xlsx"), ("page.docx", "Use one of")):
        (tmp_path / name).write_bytes(b"\xd0\xcf\x11\xe0")
        with pytest.raises(InputError) as caught:
            read_table(tmp_path / name)
        assert caught.value.problems[0].fix.startswith(fix)
