"""A call in a process of its own: its answer, its errors, and what is told when it dies; and how many at a time."""

from __future__ import annotations

import ast
import json
import operator
import os
import threading
import time
from pathlib import Path
from types import ModuleType

import pytest

from rubrica import studio
from rubrica.core.errors import InputError, Problem, wrong
from rubrica.engine import own_process
from rubrica.engine.limits import Limits, limits
from rubrica.engine.own_process import DiedError, in_own_process, turn
from tests.studio import (
    test_api_item_files,
    test_api_studies,
    test_items_page,
    test_new_study,
    test_rubric,
    test_setup_pages,
    test_sheets_page,
    test_splitting_page,
    test_thresh_upload,
    test_translation_reviews,
    test_versions,
)

pytestmark = pytest.mark.own_process


def refused(*call: object) -> Problem:
    """The one problem with which a call ends."""
    with pytest.raises(InputError) as caught:
        in_own_process(*call)  # type: ignore[arg-type]
    (problem,) = caught.value.problems
    return problem


def test_it_gives_what_the_function_gives() -> None:
    """The call happens elsewhere, and its result is here."""
    assert in_own_process(operator.add, "a.csv", "x", "y") == "xy"
    assert in_own_process(os.getpid, "a.csv") != os.getpid()
    assert in_own_process(sorted, "a.csv", [1, 2], reverse=True) == [2, 1]


def test_problems_come_back_as_they_are() -> None:
    """What is wrong with the input is told as if it had been read here."""
    error = in_own_process(wrong, "a.csv", "what", "rule", "fix", line=3)
    assert error.problems == (Problem(what="what", rule="rule", fix="fix", line=3),)
    assert refused(Limits().check_shape, "a.csv", 1_000_000, 2).rule == "size"


def test_too_much_memory_ends_with_a_message(monkeypatch: pytest.MonkeyPatch) -> None:
    """Python's own allocation and one that aborts are told alike, with the file, the limit and the setting."""
    monkeypatch.setenv("RUBRICA_READER_MB", "300")
    for call in ((bytes, "a.csv", 10**12), (bytearray, "a.csv", 400_000_000), (os.abort, "a.csv")):
        problem = refused(*call)
        assert (problem.file, problem.rule) == ("a.csv", "memory")
        assert "300 MB" in problem.what
        assert "RUBRICA_READER_MB" in problem.fix


def test_too_much_time_ends_with_a_message(monkeypatch: pytest.MonkeyPatch) -> None:
    """Computing or waiting without end is ended, with the file, the limit and the setting."""
    monkeypatch.setenv("RUBRICA_READER_SECONDS", "1")
    for call in ((time.sleep, "a.csv", 1_000), (pow, "a.csv", 3, 10**9)):
        problem = refused(*call)
        assert (problem.file, problem.rule) == ("a.csv", "time")
        assert "RUBRICA_READER_SECONDS" in problem.fix


def test_a_reader_that_breaks_down_is_told_and_explained() -> None:
    """The person is told that the file cannot be read; what happened is the error's cause, for the log."""
    with pytest.raises(InputError) as caught:
        in_own_process(json.loads, "a.json", "{")
    assert caught.value.problems[0].rule == "unreadable"
    assert isinstance(caught.value.__cause__, DiedError)
    assert "JSONDecodeError" in caught.value.__cause__.args[1]


def test_within_such_a_process_there_is_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    """A reader that itself asks for a process of its own is in one already."""
    monkeypatch.setenv(own_process.INSIDE, "1")
    assert in_own_process(os.getpid, "a.csv") == os.getpid()


def test_what_libraries_print_does_not_mix_with_the_answer() -> None:
    """Standard output of the process is not where the answer comes from."""
    assert in_own_process(print, "a.csv", "hello") is None


def test_only_a_few_read_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever finds no turn free for a while is asked to come again; after that it is free."""
    monkeypatch.setenv("RUBRICA_READERS", "2")
    monkeypatch.setattr(own_process, "TURN", 0.2)
    with turn(tmp_path), turn(tmp_path):
        with pytest.raises(InputError) as caught, turn(tmp_path):
            pass
        assert caught.value.problems[0].rule == "busy"
    with turn(tmp_path):
        assert (tmp_path / "reader-1.lock").stat().st_mode & 0o777 == 0o600


def test_a_turn_is_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A second reader goes on as soon as the first has ended, also within one process."""
    monkeypatch.setenv("RUBRICA_READERS", "1")
    order: list[str] = []

    def read(name: str) -> None:
        with turn(tmp_path):
            order.append(f"{name} begins")
            time.sleep(0.2)
            order.append(f"{name} ends")

    readers = [threading.Thread(target=read, args=(name,)) for name in "ab"]
    for reader in readers:
        reader.start()
    for reader in readers:
        reader.join()
    first, second = order[0][0], order[2][0]
    assert order == [f"{first} begins", f"{first} ends", f"{second} begins", f"{second} ends"]


def test_an_error_within_a_turn_is_told(tmp_path: Path) -> None:
    """What goes wrong while reading is neither hidden nor tried again."""
    with pytest.raises(BlockingIOError), turn(tmp_path):
        raise BlockingIOError


def test_limits_are_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without settings the defaults hold: they admit 200,000 items and 200 MB."""
    assert limits() == Limits()
    assert limits().rows >= 200_000
    assert limits().bytes == 200_000_000
    assert limits().cells >= 200_000 * 20
    monkeypatch.setenv("RUBRICA_MAX_ROWS", "7")
    monkeypatch.setenv("RUBRICA_MAX_MB", " 3 ")
    assert (limits().rows, limits().bytes) == (7, 3_000_000)


def test_settings_that_are_no_limits_are_all_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every setting that is no whole number above 0 is named with its value."""
    monkeypatch.setenv("RUBRICA_MAX_ROWS", "many")
    monkeypatch.setenv("RUBRICA_READERS", "0")
    with pytest.raises(InputError) as caught:
        limits()
    assert [problem.what for problem in caught.value.problems] == [
        "RUBRICA_MAX_ROWS is 'many'",
        "RUBRICA_READERS is '0'",
    ]


@pytest.mark.parametrize(
    ("rows", "columns", "setting"),
    [(500_001, 2, "RUBRICA_MAX_ROWS"), (5, 1_001, "RUBRICA_MAX_COLUMNS"), (400_000, 30, "RUBRICA_MAX_CELLS")],
)
def test_a_table_is_bounded_in_each_direction(rows: int, columns: int, setting: str) -> None:
    """Rows, columns and rows times columns have each their limit, told with the setting that raises it."""
    with pytest.raises(InputError) as caught:
        Limits().check_shape(rows, columns, file="a.csv", line=9)
    (problem,) = caught.value.problems
    assert (problem.rule, problem.place) == ("size", "a.csv:9")
    assert setting in problem.fix
    Limits().check_shape(500_000, 20)


READERS: dict[str, tuple[ModuleType, str]] = {
    "check_text": (test_api_studies, "test_a_study_can_run_ones_own_protocol"),
    "edited_entries": (test_thresh_upload, "test_edits_become_judgements_of_the_people_named"),
    "explain": (test_splitting_page, "test_a_text_is_split_and_explained"),
    "load": (test_versions, "test_page_compares_and_starts"),
    "load_any": (test_new_study, "test_an_uploaded_protocol_is_used"),
    "look_at_items": (test_items_page, "test_adding_shows_the_columns_first"),
    "meta_of": (test_sheets_page, "test_sheets_go_out_and_come_back"),
    "read_at": (test_sheets_page, "test_sheets_go_out_and_come_back"),
    "read_file": (test_thresh_upload, "test_edits_become_judgements_of_the_people_named"),
    "read_gold": (test_setup_pages, "test_gold_items_come_from_a_file"),
    "read_items_file": (test_api_item_files, "test_items_come_from_a_file_of_any_format"),
    "read_po": (test_translation_reviews, "test_a_corrected_file_is_read_on_the_page"),
    "rubric_protocol": (test_rubric, "test_the_work_page_is_previewed_before_anything_is_made"),
}
"""What the studio has read apart, and the test in which that happens as it does outside of tests."""


def test_each_reader_is_once_in_a_process_of_its_own() -> None:
    """What a new reader takes and gives has to go from one process to the other; a test of it shows that it does."""
    called = [
        call.args[0].id
        for path in Path(studio.__file__).parent.rglob("*.py")
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(call, ast.Call) and call.args and isinstance(call.args[0], ast.Name)
        if ast.unparse(call.func).rpartition(".")[2] in ("read_sent", "read_apart")
    ]
    assert {*called} - {"function"} == READERS.keys()
    for module, name in READERS.values():
        assert "own_process" in [mark.name for mark in getattr(module, name).pytestmark], name
