"""Texts that come through a pipe: stdin as ``-``, or what a shell gives for ``<(…)``.

Lines are checked as a whole before any is scored, so they are read twice, which no pipe allows: it is copied first.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from rubrica.core.errors import InputError, wrong

STDIN = Path("-")
STDIN_NAME = "stdin"
"""What a system is called whose rewrites come from there."""


class Pipes:
    """Copies of pipes, removed at the end. A context manager, in which errors tell names as they were given."""

    def __init__(self) -> None:
        self._folder: TemporaryDirectory[str] | None = None
        self._copies: dict[Path, Path] = {}

    def __enter__(self) -> Pipes:
        return self

    def file(self, path: Path) -> Path:
        """The path itself if it is a file, its copy if it is a pipe. Raises InputError if stdin is used up."""
        if path != STDIN and not path.is_fifo():
            return path
        if path in self._copies:
            fix = "A pipe can be read once: save it to a file."
            raise wrong("this pipe is given twice", "stdin", fix, file=str(path))
        if self._folder is None:
            self._folder = TemporaryDirectory()
        copy = Path(self._folder.name) / f"{len(self._copies)}-{path.name}"
        with copy.open("wb") as to:
            if path == STDIN:
                shutil.copyfileobj(sys.stdin.buffer, to)
            else:
                with path.open("rb") as pipe:
                    shutil.copyfileobj(pipe, to)
        self._copies[path] = copy
        return copy

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        if self._folder is not None:
            self._folder.cleanup()
        given = {str(copy): str(path) for path, copy in self._copies.items()}
        if isinstance(error, InputError) and given:
            raise InputError(*(one.at(file=given.get(one.file, one.file)) for one in error.problems)) from error
