"""Files that appear whole or not at all.

Cells that no spreadsheet takes for a formula: which they are, and that nothing is lost on the way back.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubrica.exchange.whole_files import as_meant, safe_cell, safe_row, whole_file


def test_a_file_takes_its_name_when_it_is_whole(tmp_path: Path) -> None:
    """While it is written, the older one stands under its name."""
    target = tmp_path / "export.csv"
    target.write_text("older")
    with whole_file(target) as stream:
        stream.write(b"newer")
        assert target.read_text() == "older"
    assert target.read_text() == "newer"
    assert list(tmp_path.iterdir()) == [target]


def test_what_fails_leaves_nothing_behind(tmp_path: Path) -> None:
    """An error in the middle leaves the older file, and nothing beside it."""
    target = tmp_path / "export.csv"
    target.write_text("older")

    def fail_half_way() -> None:
        with whole_file(target) as stream:
            stream.write(b"half")
            raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        fail_half_way()
    assert target.read_text() == "older"
    assert list(tmp_path.iterdir()) == [target]


def test_two_at_once_do_not_mix(tmp_path: Path) -> None:
    """Whoever ends last has the name, with a file of their own."""
    target = tmp_path / "catalogue.mo"
    with whole_file(target) as one:
        one.write(b"first")
        with whole_file(target) as two:
            two.write(b"second")
        assert target.read_bytes() == b"second"
    assert target.read_bytes() == b"first"


SIGNED = {"signature": "cells:safe|protocol:breve"}
HARD = st.text("'=+-@\t\r\n＝1.a", max_size=6)


@given(st.one_of(HARD, st.text(max_size=20)))
def test_every_text_comes_back(text: str) -> None:
    """Made safe and read again, a text is what it was; and a safe text never begins like a formula."""
    safe = safe_cell(text)
    assert as_meant({"text": safe, **SIGNED})["text"] == text
    assert safe[:1] not in tuple("=@\t\r\n＝＋－＠")
    assert safe[:1] not in tuple("+-") or safe[1:2].isdigit() or safe[1:2] in tuple(".,")


@pytest.mark.parametrize("number", ["-1", "+2.5", "-0,5", "-1e-9", "-12%", "-.5"])
def test_numbers_written_as_text_stay(number: str) -> None:
    """A negative number is no formula: it is left alone, so that it is still a number for whoever reads the table."""
    assert safe_cell(number) == number


@pytest.mark.parametrize("text", ["-1+cmd|' /C calc'!A0", "+1 good", "-", "-2-3", "--1", "=-1", "-1e"])
def test_what_only_begins_like_a_number_is_made_safe(text: str) -> None:
    """What goes on after the number could be run."""
    assert safe_cell(text) == f"'{text}"


def test_numbers_and_blanks_are_no_texts() -> None:
    """Only texts get an apostrophe."""
    assert safe_row({"meaning": -1, "seconds": -0.5, "severity": None}) == {
        "meaning": -1,
        "seconds": -0.5,
        "severity": None,
    }


@pytest.mark.parametrize("signature", ["", "protocol:breve", "cells:safest", "study:cells:safe-not"])
def test_a_table_that_does_not_say_so_is_read_as_it_is(signature: str) -> None:
    """An apostrophe that stands in somebody's own file belongs to the text."""
    assert as_meant({"text": "'=1", "signature": signature})["text"] == "'=1"
