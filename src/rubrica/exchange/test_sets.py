"""Folders of test sets as EASSE has them: ``X.orig`` with the sources, ``X.simp.0``, ``X.simp.1``, … with references.

HSplit's files (``hsplit.src``, ``hsplit.tok.1``, …) and ``X.norm`` with ``X.ref.0`` are known as well.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

from rubrica.core.errors import wrong

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
