"""Options that several commands share."""

from __future__ import annotations

import functools
import inspect
import os
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rubrica.core.errors import InputError, Problem, wrong

if TYPE_CHECKING:
    from rubrica.store.models import Study

Home = Annotated[
    Path | None,
    typer.Option("--home", metavar="DIR", help="Folder of the studies (RUBRICA_HOME, else ./rubrica-data)."),
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
Lang = Annotated[str, typer.Option("--lang", metavar="CODE", help="Language of texts and labels.")]
Bootstrap = Annotated[
    int, typer.Option("--bootstrap", metavar="N", min=0, help="Resamples for the intervals; 0 for none.")
]
FORCED = "study:"
"""What stands before a name that is a study, whatever files there are."""

LAST = ("home", "json", "form")
"""Options that help shows last."""

_before: list[Path] = []


def sharing(
    command: Callable[..., None], shared: Sequence[inspect.Parameter], made: Callable[..., object]
) -> Callable[..., None]:
    """A command with shared arguments and options beside its own; it gets what is ``made`` of them as its first."""
    own = list(inspect.signature(command, eval_str=True).parameters.values())[1:]

    @functools.wraps(command)
    def run(**options: Any) -> None:
        ours = {one.name: options.pop(one.name) for one in shared}
        command(made(**ours), **options)

    parameters = [*(one for one in shared if one.name not in LAST), *own, *(one for one in shared if one.name in LAST)]
    run.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [one.replace(kind=inspect.Parameter.KEYWORD_ONLY) for one in parameters]
    )
    run.__annotations__ = {one.name: one.annotation for one in parameters}
    del run.__wrapped__
    return run


def remember_home(home: Path | None) -> None:
    """Keep the --home that stood before the command."""
    _before.clear()
    if home is not None:
        _before.append(home)


def chosen_home(home: Path | None) -> Path:
    """The home that was asked for, before or after the command, or by the environment."""
    from rubrica.home.database import home_from

    return home_from(home or (_before[0] if _before else None))


def open_studies(home: Path | None) -> Path:
    """Open the home that was asked for, before or after the command, or by the environment."""
    from rubrica.home.database import open_home

    place = chosen_home(home)
    try:
        open_home(place, os.environ.get("DATABASE_URL", ""))
    except OSError as error:
        raise wrong(
            f"the home cannot be used: {error.strerror}", "home", "Choose another with --home.", file=str(place)
        ) from error
    return place


def is_study(name: str) -> bool:
    """Whether a command's source is a study and no file: a name without a folder and an ending."""
    path = Path(name)
    return name.startswith(FORCED) or (name != "-" and not path.exists() and "/" not in name and not path.suffix)


def find_study(name: str, home: Path | None) -> Study:
    """The study of this name in the home that was asked for. Raises InputError if there is none."""
    open_studies(home)
    from rubrica.store import studies

    return studies.find(name.removeprefix(FORCED))


STARTS = {b"{": ".jsonl", b"[": ".json", b"PK\3\4": ".xlsx", b"PAR1": ".parquet"}
"""What files of a format begin with."""


@contextmanager
def input_file(path: Path | None, ending: str = "") -> Iterator[Path | None]:
    """The file to read; ``-`` is stdin: what it is follows from how it begins, and it is CSV otherwise.

    ``ending`` says what it is where only one format is possible.
    """
    if path != Path("-"):
        yield path
        return
    from rubrica.engine.limits import limits

    bounds = limits()
    data = sys.stdin.buffer.read(bounds.bytes + 1)
    if len(data) > bounds.bytes:
        what = f"there are more than {bounds.megabytes:,} MB"
        raise bounds.beyond("megabytes", what, "Save it in several files", file="-")
    if not ending:
        start = data.lstrip(b"\xef\xbb\xbf \r\n\t")[:4]
        ending = next((ending for sign, ending in STARTS.items() if start.startswith(sign)), ".csv")
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / f"stdin{ending}"
        copy.write_bytes(data)
        try:
            yield copy
        except InputError as error:
            here = [problem.at(file="-") if problem.file == str(copy) else problem for problem in error.problems]
            raise InputError(*here) from error


def read_numbers(command: Any) -> None:
    """Let every option of this command and those below it that takes a number read it by the rule of ``core.typed``."""
    for one in command.params:
        if getattr(getattr(one, "type_descriptor", None), "annotation", None) in (int, float):
            vars(one)["process_value"] = functools.partial(_number, one, one.process_value)
    for below in getattr(command, "commands", {}).values():
        read_numbers(below)


def _number(one: Any, process: Callable[..., Any], ctx: Any, value: Any) -> Any:
    from rubrica.core.typed import DECIMAL, Fault, with_point

    plain = with_point(value) if isinstance(value, str) else value
    if isinstance(plain, Fault):
        fix = f" {plain.fix}" if plain.rule == DECIMAL else ""
        raise typer.BadParameter(f"{value!r} {plain.what}.{fix}", ctx=ctx, param=one)
    return process(ctx, plain)


def now() -> datetime:
    """The time of the command."""
    return datetime.now(UTC)


def pairs(values: list[str], option: str) -> dict[str, str]:
    """``key=value`` options as a mapping; also several in one, split at commas before a key."""
    found: dict[str, str] = {}
    problems = []
    for value in values:
        key, equals, content = value.partition("=")
        if not equals or not key.strip():
            problems.append(
                Problem(what=f"{option} {value!r}", rule="option", fix=f"Write {option} name=value.", value=value)
            )
        elif key.strip() in found:
            problems.append(
                Problem(what=f"{option} {key} is given twice", rule="option", fix="Give it once.", value=value)
            )
        found[key.strip()] = content
    if problems:
        raise InputError(*problems)
    return found


def listed(value: str) -> list[str]:
    """A comma list without blanks."""
    return [part.strip() for part in value.split(",") if part.strip()]


def choose(value: str, known: list[str] | dict[str, Any], what: str) -> str:
    """The value, if it is one of those known."""
    if value in known:
        return value
    raise wrong(f"there is no {what} {value!r}", what.replace(" ", "_"), f"Use one of {', '.join(known)}.", value=value)
