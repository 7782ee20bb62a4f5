"""What the command line prints: data on stdout, everything else on stderr; JSON when asked.

Writing a file that a command makes: whole or not at all, or to stdout.

What commands say about judgements that were read and saved.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, TypeVar, cast

from rubrica.core.errors import Problem, first_problems, number_of, wrong
from rubrica.exchange.whole_files import whole_file

if TYPE_CHECKING:
    from rubrica.core.study import Saved
    from rubrica.store.models import Study


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


@contextmanager
def output_stream(out: str) -> Iterator[BinaryIO]:
    """Where to write; ``-`` is stdout. A file takes the place of an older one only when it is complete."""
    if out == "-":
        yield cast(BinaryIO, sys.stdout.buffer)
        sys.stdout.buffer.flush()
        return
    target = Path(out)
    special = target.exists() and not target.is_file()
    try:
        with target.open("wb") if special else whole_file(target) as stream:
            yield stream
    except OSError as error:
        raise wrong(f"cannot be written: {error.strerror}", "file", "Check the folder.", file=out) from error


def say_beyond_overlap(study: Study) -> None:
    """A remark when items have more judgements than they wanted: none is thrown away, but somebody should know."""
    from rubrica.store.counting.progress import of_stages

    beyond = sum(stage.extra for stage in of_stages(study.stages.all()))
    if beyond:
        say(f"{count(beyond, 'judgement is', 'judgements are')} beyond the overlap; none is thrown away.")


def say_questions(questions: Sequence[Problem]) -> None:
    """Answers that were taken and may not be meant so, with their places."""
    for one in first_problems(questions):
        say(f"look at {one.place}: {one.what}. {one.fix}")


def say_unusual(study: Study, stage: str, people: Collection[str]) -> dict[str, list[Any]]:
    """What `rubrica check` finds unusual of these people at a stage; returned with what cannot be told of them."""
    from rubrica.report.checks import check
    from rubrica.report.checks_tables import evidence_text, finding_as_json
    from rubrica.store.ratings import ratings_of

    found = check(ratings_of(study, stage))
    unusual = [finding for finding in found.unusual if finding.rater in people]
    for finding in unusual:
        asked = f" ({finding.question})" if finding.question else ""
        say(f"look at {finding.rater}: {finding.title}{asked}: {evidence_text(finding)}")
    untold = [one.only(people) for one in found.untold if set(one.raters) & set(people)]
    return {"unusual": [finding_as_json(finding) for finding in unusual], "untold": [one.text for one in untold]}


def saved_text(saved: Saved) -> str:
    """What was saved, in words."""
    return (
        f"{count(saved.judgements, 'judgement')}, {count(saved.revisions, 'correction')}, {saved.unchanged} unchanged"
    )
