"""Lines of text files that belong together: one sentence a line, UTF-8, stripped, none empty.

A line ends at a line feed (a carriage return before it is stripped with other white space) and nowhere else, so that
line numbers are those of an editor and files of the same length stay in step whatever signs are in them.

Folders of test sets as EASSE has them: ``X.orig`` with the sources, ``X.simp.0``, ``X.simp.1``, … with references.
HSplit's files (``hsplit.src``, ``hsplit.tok.1``, …) and ``X.norm`` with ``X.ref.0`` are known as well.
"""

from __future__ import annotations

import hashlib
import re
from array import array
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from rubrica.core.errors import InputError, Problem, wrong
from rubrica.engine.limits import LONGEST_LINE

SHOWN = 20
"""How many problems of one kind are told for a file; the others are counted."""
PART = "One sentence a line: part its lines with line feeds."
_BOM = b"\xef\xbb\xbf"
_UNSEEN = dict.fromkeys(map(ord, "\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff"))
"""Signs without a shape: a line of nothing else is empty to whoever looks at it."""
_NO_UTF8 = {b"\xff\xfe\0\0": "UTF-32", b"\0\0\xfe\xff": "UTF-32", b"\xff\xfe": "UTF-16", b"\xfe\xff": "UTF-16"}


class Checked(NamedTuple):
    """What a file holds: how many lines, a fingerprint, which lines are empty, and what is wrong with it."""

    lines: int
    digest: str
    empty: Sequence[int]
    problems: list[Problem]


def check_lines(path: Path) -> Checked:
    """Read a file once, a line at a time. Empty lines are told apart: whether they are wrong depends on the file."""
    problems: list[Problem] = []
    empty = array("Q")
    digest, number, broken = hashlib.sha256(), 0, 0
    try:
        with path.open("rb") as file:
            for number, data in enumerate(iter(lambda: file.readline(LONGEST_LINE + 1), b""), start=1):
                digest.update(data)
                if len(data) > LONGEST_LINE:
                    what = f"this line has more than {LONGEST_LINE:,} bytes"
                    problems.append(Problem(what=what, rule="size", fix=PART, file=str(path), line=number))
                    return Checked(0, "", [], problems)
                problem = _of_line(data, number)
                if problem:
                    broken += 1
                    if broken <= SHOWN:
                        problems.append(problem.at(file=str(path), line=number))
                    if problem.rule == "encoding" and number == 1 and "UTF-8:" not in problem.what:
                        return Checked(0, "", [], problems)
                elif _is_empty(_text(data, number)):
                    empty.append(number)
    except OSError as error:
        missing = isinstance(error, FileNotFoundError)
        what = "there is no such file" if missing else f"the file cannot be read: {error.strerror}"
        fix = "Check the name and the folder."
        return Checked(0, "", [], [Problem(what=what, rule="file", fix=fix, file=str(path))])
    if broken > SHOWN:
        what = f"{broken - SHOWN} more lines are broken"
        problems.append(Problem(what=what, rule="encoding", fix="Mend them too.", file=str(path)))
    if not number:
        what = "the file is empty"
        problems.append(Problem(what=what, rule="empty", fix="One sentence a line.", file=str(path), line=1))
    return Checked(number, digest.hexdigest(), empty, problems)


def _is_empty(text: str) -> bool:
    return not text.strip() or (not text.isascii() and not text.translate(_UNSEEN).strip())


def _of_line(data: bytes, number: int) -> Problem | None:
    other = _other_encoding(data) if number == 1 else ""
    if other:
        return Problem(what=f"this is {other}, not UTF-8", rule="encoding", fix="Save the file as UTF-8.")
    if b"\0" in data:
        return Problem(what="this line holds a NUL character", rule="characters", fix="Remove it.")
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        what = f"this is not UTF-8: byte {data[error.start]:#04x}"
        return Problem(what=what, rule="encoding", fix="Save the file as UTF-8.")
    if b"\r" in data.rstrip(b"\r\n"):
        what, fix = "this line holds a carriage return, where editors begin another line", "End lines with a line feed."
        return Problem(what=what, rule="characters", fix=fix)
    return None


def _other_encoding(data: bytes) -> str:
    """What the beginning of a file says that it is, if not UTF-8."""
    marked = next((name for mark, name in _NO_UTF8.items() if data.startswith(mark)), "")
    return marked or ("UTF-16, or no text at all" if data[:200].count(b"\0") * 4 > len(data[:200]) else "")


def _text(data: bytes, number: int) -> str:
    return (data.removeprefix(_BOM) if number == 1 else data).decode("utf-8")


def lines_of(path: Path) -> Iterator[str]:
    """The lines of a file that was checked, stripped."""
    with path.open("rb") as file:
        for number, data in enumerate(file, start=1):
            yield _text(data, number).strip()


def read_texts(path: Path, column: str = "") -> list[str]:
    """The texts of a file, as :func:`read_numbered` reads them, without their lines."""
    return [text for _, text in read_numbered(path, column)]


def read_numbered(path: Path, column: str = "") -> list[tuple[int, str]]:
    """The texts of a file, one a line, or those of a table's column, each with its line.

    An empty one stays, so that lines stay in step. Raises InputError with all that is wrong with the file.
    """
    if not column:
        checked = check_lines(path)
        if checked.problems:
            raise InputError(*checked.problems)
        return list(enumerate(lines_of(path), start=1))
    from rubrica.exchange.columns import no_column
    from rubrica.exchange.tables import read_table

    table = read_table(path)
    if column not in table.columns:
        raise InputError(no_column(column, table, lost=True).at(file=str(path)))
    if table.problems:
        raise InputError(*table.problems)
    return [(row.line, " ".join(row.values[column].split())) for row in table.rows]


def paragraphs(path: Path, *, wrapped: bool = False) -> Iterator[tuple[int, str]]:
    """The lines of a file that was checked, none empty, each with its number, one at a time.

    ``wrapped``: lines that follow each other are a paragraph, and only an empty line ends it.
    """
    begun, parts = 0, list[str]()
    for number, line in enumerate(lines_of(path), start=1):
        if parts and (not line or not wrapped):
            yield begun, " ".join(parts)
            parts = []
        if line:
            begun = begun if parts else number
            parts.append(line)
    if parts:
        yield begun, " ".join(parts)


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


_SOURCE = re.compile(r"(?P<name>.*?)\.?(?:orig|src|norm|complex)(?:\.txt)?", re.IGNORECASE)
_KIND = r"(?:simp|ref|tok|turk|simple)"


class SetFiles(NamedTuple):
    """The sources and references of a test set."""

    source: Path
    references: list[Path]


def read_test_set(folder: Path, name: str = "") -> SetFiles:
    """The test set of a folder, or the one that is called ``name``. Raises InputError if it cannot be told."""
    files = sorted(path for path in folder.iterdir() if path.is_file())
    sources = {found["name"]: path for path in files if (found := _SOURCE.fullmatch(path.name))}
    wanted = {own: path for own, path in sources.items() if own == name} if name else sources
    if not wanted:
        what = f"there are no sources{f' of {name}' if name else ''} in this folder"
        fix = "A test set has X.orig, and X.simp.0, X.simp.1, … beside it."
        raise wrong(what, "test_set", fix, file=str(folder), value=name)
    if len(wanted) > 1:
        fix = f"Name one: --test-set {folder}/NAME, of {', '.join(sorted(wanted))}."
        raise wrong("there are several test sets in this folder", "test_set", fix, file=str(folder))
    ((own, source),) = wanted.items()
    references = _references(files, own, _KIND) or _references(files, own, "")
    if not references:
        fix = f"References are called {own}.simp.0, {own}.simp.1, …"
        raise wrong("the test set has no references", "test_set", fix, file=str(source))
    return SetFiles(source, references)


def _references(files: list[Path], name: str, kind: str) -> list[Path]:
    """The files that are called after the set, by their numbers; without a kind a number is needed."""
    number = r"(?:\.?(?P<number>\d+))" + ("?" if kind else "")
    pattern = re.compile(rf"{re.escape(name)}\.?{kind}{number}(?:\.txt)?", re.IGNORECASE)
    found = [(int(match["number"] or 0), path) for path in files if (match := pattern.fullmatch(path.name))]
    return [path for _, path in sorted(found)]
