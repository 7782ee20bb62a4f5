"""The text of a file that should be UTF-8, and what is to be said where it is not.

Nothing is guessed in silence. A table that is Windows-1252 throughout, as Excel saves CSV on many machines, is read and
said to be. Any other file in another encoding is refused; its text is still read as it was probably meant, so that
everything else that is wrong with the file can be said at once.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from rubrica.core.errors import InputError, Problem
from rubrica.engine.limits import limits

FIX = "Save the file as UTF-8 (in Excel: CSV UTF-8)."
_NO_UTF_8 = re.compile("[\udc80-\udcff]")
_MIXED = re.compile("[\x80-\ud7ff\ue000-\U0010ffff\udc81\udc8d\udc8f\udc90\udc9d]")
"""A letter that is UTF-8 beside others that are not, or a byte that Windows-1252 does not have."""
WINDOWS = "Windows-1252 (not UTF-8: look whether accented letters are right)"
LINE_END = re.compile("\r\n|\r|\n")
"""Of Unix, Windows and old Mac programs."""
_ESCAPED = 0xDC00
"""Python reads a byte that is no UTF-8 as this plus the byte, if told so."""
SHOWN = 5


class Decoded(NamedTuple):
    """A text, why it is not to be trusted, if so, the digest of its file, and its encoding in words."""

    text: str
    problems: list[Problem]
    digest: str
    encoding: str = "UTF-8"


def digest_of(data: bytes | Path) -> str:
    """What a signature says of the content of a file: the first twelve digits of its SHA-256."""
    if isinstance(data, bytes):
        return hashlib.sha256(data).hexdigest()[:12]
    with data.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()[:12]


def decode(path: Path) -> str:
    """The text of a UTF-8 file, with or without a byte order mark. Raises InputError for anything else, by line."""
    found = decoded(path)
    if found.problems:
        raise InputError(*found.problems)
    return found.text


def decoded(path: Path, *, table: bool = False) -> Decoded:
    """The same without refusing: other bytes are read as Windows-1252, and one problem names their lines.

    A ``table`` whose letters beyond ASCII are all Windows-1252, and none of them UTF-8, has no problem.
    Raises InputError for a file that is larger than any that is read.
    """
    limits().check_file(path)
    data = path.read_bytes()
    digest = digest_of(data)
    if data.startswith((b"\xff\xfe", b"\xfe\xff")) or data[:200].count(b"\0") * 4 > len(data[:200]):
        problem = Problem(what="this is UTF-16, not UTF-8", rule="encoding", fix=FIX, file=str(path), line=1)
        return Decoded(_from_utf_16(data), [problem], digest)
    try:
        return Decoded(data.decode("utf-8-sig"), [], digest)
    except UnicodeDecodeError as error:
        escaped = data.decode("utf-8-sig", errors="surrogateescape")
        if table and not _MIXED.search(escaped):
            return Decoded(_NO_UTF_8.sub(_as_windows, escaped), [], digest, WINDOWS)
        return Decoded(*_from_windows(path, escaped, data[error.start]), digest)


def split_lines(text: str) -> Iterator[str]:
    """The parts of a text between its line feeds, one after the other."""
    start = 0
    while (end := text.find("\n", start)) >= 0:
        yield text[start:end]
        start = end + 1
    yield text[start:]


def _from_utf_16(data: bytes) -> str:
    marked = data.startswith((b"\xff\xfe", b"\xfe\xff"))
    # Without a mark: text in Latin letters has its zero bytes at even places if the high byte comes first.
    guess = "utf-16-be" if data[:200:2].count(0) > data[1:200:2].count(0) else "utf-16-le"
    return data.decode("utf-16" if marked else guess, errors="replace")


def _from_windows(path: Path, escaped: str, first: int) -> tuple[str, list[Problem]]:
    lines = [number for number, line in enumerate(LINE_END.split(escaped), start=1) if _NO_UTF_8.search(line)]
    more = len(lines) - 1 - SHOWN
    others = ", ".join(f"{number:,}" for number in lines[1 : SHOWN + 1]) + (f" and {more:,} more" if more > 0 else "")
    also = f", and more in line{'s' if len(lines) > 2 else ''} {others}" if others else ""
    problem = Problem(
        what=f"this is not UTF-8: byte {first:#04x}{also}", rule="encoding", fix=FIX, file=str(path), line=lines[0]
    )
    return _NO_UTF_8.sub(_as_windows, escaped), [problem]


def _as_windows(found: re.Match[str]) -> str:
    return bytes([ord(found[0]) - _ESCAPED]).decode("cp1252", errors="replace")
