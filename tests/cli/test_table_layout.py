"""Wide tables on a terminal: rows stay rows, numbers stay whole, and nothing is lost."""

import pytest

from rubrica.cli.tables import fitted

pytestmark = pytest.mark.any_database

HEADER = ("figure", "", "first system", "second system", "p, permutation")
ROWS = (
    ("fluency of the rewrite", "%", "92.10 [90.18, 93.96]", "88.87 [86.29, 91.18]", "0.0015"),
    ("meaning", "%", "12.10 [10.18, 13.96]", "8.87 [6.29, 11.18]", "1.0000"),
)
RIGHT = (False, False, False, False, True)


def test_a_table_that_fits_stays_as_it_is() -> None:
    """Wide enough: one line for each row, numbers to the right."""
    assert fitted(("name", "n"), [("a", "10"), ("bb", "2")], (False, True), 80) == ["name   n", "a     10", "bb     2"]


def test_words_and_headings_are_wrapped_first() -> None:
    """A few characters too many: the longest words go to the next line of their row, intervals never do."""
    lines = fitted(HEADER, ROWS, RIGHT, 80)
    assert max(map(len, lines)) <= 80
    assert lines[-3].startswith("fluency of the")
    assert "92.10 [90.18, 93.96]  88.87 [86.29, 91.18]" in lines[-3]
    assert lines[-2] == "rewrite"


def test_then_columns_go_into_blocks() -> None:
    """Too narrow for two systems: a block for each, with the first column again; every cell is there."""
    lines = fitted(HEADER, ROWS, RIGHT, 45)
    assert max(map(len, lines)) <= 45
    above, below, *_ = "\n".join(lines).split("\n\n")
    assert "first system" in above
    assert "second system" in below
    assert above.count("meaning") == below.count("meaning") == 1
    assert all(row[column] in "\n".join(lines) for row in ROWS for column in (2, 3, 4))


def test_without_rows_there_is_a_heading() -> None:
    """An empty table has its heading, also where that is too long."""
    assert fitted(("name", "number"), [], (False, True), 80) == ["name  number"]
    assert fitted(("one name", "another name"), [], (False, False), 13) == ["one   another", "name  name"]
