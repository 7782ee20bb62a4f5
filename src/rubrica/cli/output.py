"""What the command line prints: data on stdout, everything else on stderr; JSON when asked."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

from rubrica.core.errors import Problem, number_of

Entry = TypeVar("Entry")


def print_problems(problems: Sequence[Problem], *, as_json: bool) -> None:
    """Every problem on stderr, one a line, and their number; with JSON also on stdout."""
    for problem in problems:
        print(problem, file=sys.stderr)
    if len(problems) > 1:
        print(f"{number_of(problems)} problems", file=sys.stderr)
    if as_json:
        print_json({"errors": [problem.as_json() for problem in problems]})


def print_json(data: dict[str, Any]) -> None:
    """One JSON object."""
    print(json.dumps(data, ensure_ascii=False, indent=2, allow_nan=False))


def say(text: str) -> None:
    """A remark, on stderr."""
    print(text, file=sys.stderr)


def count(number: int, one: str, many: str = "") -> str:
    """A number with its noun: ``1 row``, ``2 rows``."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def print_table(header: Sequence[str], rows: Sequence[Sequence[object]], right: Sequence[bool] | None = None) -> None:
    """A plain table: numbers to the right, words to the left; or columns to the ``right`` as told."""
    cells = [[str(cell) for cell in row] for row in rows]
    widths = [max(len(line[index]) for line in [list(header), *cells]) for index in range(len(header))]
    numbers = [bool(rows) and all(isinstance(row[index], int | float) for row in rows) for index in range(len(header))]
    for line in [list(header), *cells]:
        aligned = [
            text.rjust(width) if to_right else text.ljust(width)
            for text, width, to_right in zip(line, widths, right or numbers, strict=True)
        ]
        print("  ".join(aligned).rstrip())


def track(entries: Iterable[Entry], what: str, total: int | None = None) -> Iterator[Entry]:
    """The entries, with a progress bar on a terminal only."""
    if not sys.stderr.isatty():
        yield from entries
        return
    from rich.console import Console
    from rich.progress import track as rich_track

    yield from rich_track(entries, description=what, total=total, console=Console(stderr=True), transient=True)


@contextmanager
def progress(what: str, total: int) -> Iterator[Callable[[int], None] | None]:
    """A progress bar on a terminal only, moved by telling it how much is done; None without one."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=total)
        yield lambda done: bar.update(task, completed=done)
