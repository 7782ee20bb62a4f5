"""Lines of text files that belong together: one sentence a line, UTF-8, stripped, none empty.

A line ends at a line feed (a carriage return before it is stripped with other white space) and nowhere else, so that
line numbers are those of an editor and files of the same length stay in step whatever signs are in them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from rubrica.core.errors import Problem

SHOWN = 20
"""How many problems of one kind are told for a file; the others are counted."""
_BOM = b"\xef\xbb\xbf"


class Checked(NamedTuple):
    """What a file holds: how many lines, a fingerprint, which lines are empty, and what is wrong with it."""

    lines: int
    digest: str
    empty: list[int]
    problems: list[Problem]


def check_lines(path: Path) -> Checked:
    """Read a file once, a line at a time. Empty lines are told apart: whether they are wrong depends on the file."""
    problems: list[Problem] = []
    empty: list[int] = []
    digest, number, broken = hashlib.sha256(), 0, 0
    try:
        with path.open("rb") as file:
            for number, data in enumerate(file, start=1):
                digest.update(data)
                problem = _of_line(data, number)
                if problem:
                    broken += 1
                    if broken <= SHOWN:
                        problems.append(problem.at(file=str(path), line=number))
                    if problem.rule == "encoding" and number == 1 and "UTF-16" in problem.what:
                        return Checked(0, "", [], problems)
                elif not data.strip(b"\xef\xbb\xbf \t\r\n\x0b\x0c") or not _text(data, number).strip():
                    empty.append(number)
    except OSError as error:
        what = f"the file cannot be read: {error.strerror}"
        return Checked(0, "", [], [Problem(what=what, rule="file", fix="Check the name and folder.", file=str(path))])
    if broken > SHOWN:
        what = f"{broken - SHOWN} more lines are broken"
        problems.append(Problem(what=what, rule="encoding", fix="Save the file as UTF-8.", file=str(path)))
    if not number:
        what = "the file is empty"
        problems.append(Problem(what=what, rule="empty", fix="One sentence a line.", file=str(path), line=1))
    return Checked(number, digest.hexdigest(), empty, problems)


def _of_line(data: bytes, number: int) -> Problem | None:
    if number == 1 and data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return Problem(what="this is UTF-16, not UTF-8", rule="encoding", fix="Save the file as UTF-8.")
    if b"\0" in data:
        return Problem(what="this line holds a NUL character", rule="characters", fix="Remove it.")
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        what = f"this is not UTF-8: byte {data[error.start]:#04x}"
        return Problem(what=what, rule="encoding", fix="Save the file as UTF-8.")
    return None


def _text(data: bytes, number: int) -> str:
    return (data.removeprefix(_BOM) if number == 1 else data).decode("utf-8")


def lines_of(path: Path) -> Iterator[str]:
    """The lines of a file that was checked, stripped."""
    with path.open("rb") as file:
        for number, data in enumerate(file, start=1):
            yield _text(data, number).strip()


def empty_lines(path: Path, checked: Checked, what: str) -> list[Problem]:
    """A problem for each empty line, with what should stand there."""
    problems = [
        Problem(what=f"this line is empty, {what} is missing", rule="empty_line", fix="Fill it in.", line=number)
        for number in checked.empty[:SHOWN]
    ]
    if len(checked.empty) > SHOWN:
        more = f"{len(checked.empty) - SHOWN} more lines are empty"
        problems.append(Problem(what=more, rule="empty_line", fix="Fill them in.", line=checked.empty[SHOWN]))
    return [problem.at(file=str(path)) for problem in problems]
