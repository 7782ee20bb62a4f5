"""Folders of test sets as EASSE has them: ``X.orig`` with the sources, ``X.simp.0``, ``X.simp.1``, … with references.

HSplit's files (``hsplit.src``, ``hsplit.tok.1``, …) and ``X.norm`` with ``X.ref.0`` are known as well.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

from rubrica.core.errors import wrong

_SOURCE = re.compile(r"(?P<name>.*?)\.?(?:orig|src|norm|complex)(?:\.txt)?", re.IGNORECASE)
_REFERENCE = re.compile(r"(?P<name>.*?)\.?(?:simp|ref|tok|turk|simple)\.?(?P<number>\d+)?(?:\.txt)?", re.IGNORECASE)


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
    numbered = [(_number(path, own), path) for path in files if _is_reference(path, own) and path != source]
    if not numbered:
        fix = f"References are called {own}.simp.0, {own}.simp.1, …"
        raise wrong("the test set has no references", "test_set", fix, file=str(source))
    return SetFiles(source, [path for _, path in sorted(numbered)])


def _is_reference(path: Path, name: str) -> bool:
    found = _REFERENCE.fullmatch(path.name)
    return bool(found and found["name"] == name)


def _number(path: Path, name: str) -> tuple[int, str]:
    found = _REFERENCE.fullmatch(path.name)
    return int(found["number"] or 0) if found else 0, path.name
