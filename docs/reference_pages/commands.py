"""A page for each command, from the command line's own description of itself."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import typer

from rubrica.cli.main import app


def walk(command: Any = None, name: tuple[str, ...] = ("rubrica",)) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Every command that does something, groups included where they do something by themselves."""
    command = command or typer.main.get_command(app)
    inside = getattr(command, "commands", {})
    if not inside or len(name) == 1 or command.invoke_without_command:
        yield name, command
    for part in sorted(inside):
        yield from walk(inside[part], (*name, part))


def page_name(name: tuple[str, ...]) -> str:
    """The name of a command's page, without its ending."""
    return "-".join(name[1:]) or "rubrica"


def pages() -> dict[str, str]:
    """Pages by name."""
    known = dict(walk())
    return {page_name(name): "\n".join(_lines(name, command, known)) for name, command in known.items()}


def _lines(name: tuple[str, ...], command: Any, known: dict[tuple[str, ...], Any]) -> Iterator[str]:
    yield f"# {' '.join(name)}"
    yield ""
    yield " ".join((command.callback.__doc__ or command.help or "").split())
    yield ""
    arguments = [part for part in command.params if part.param_type_name == "argument"]
    options = [part for part in command.params if part.param_type_name == "option"]
    words = [part.metavar + ("…" if part.nargs == -1 else "") for part in arguments]
    yield "```text"
    yield " ".join([*name, "[OPTIONS]", *words, *(["COMMAND"] if len(name) == 1 else [])])
    yield "```"
    if arguments:
        yield from ("", "## Arguments", "", "| argument | meaning |", "| --- | --- |")
        yield from (f"| `{part.metavar}` | {part.help} |" for part in arguments)
    yield from ("", "## Options", "", "| option | value | meaning |", "| --- | --- | --- |")
    for option in options:
        yield f"| {_spelt(option)} | {_value(option)} | {_meaning(option)} |"
    yield "| `--help` | | Show the help and exit. |"
    below = [other for other in known if len(other) > len(name) and other[: len(name)] == name]
    if below:
        yield from ("", "## Commands", "", "| command | does |", "| --- | --- |")
        for other in below:
            does = (known[other].callback.__doc__ or "").strip().splitlines()[0]
            yield f"| [`{' '.join(other)}`]({page_name(other)}.md) | {does} |"
    yield ""


def _spelt(option: Any) -> str:
    return ", ".join(f"`{word}`" for word in (*option.opts, *option.secondary_opts))


def _value(option: Any) -> str:
    if not option.metavar:
        return ""
    return f"`{option.metavar}`"


def _meaning(option: Any) -> str:
    text = option.help or ""
    if option.required:
        return f"{text} Required."
    if option.metavar and option.default not in (None, "", ()):
        return f"{text} Default: `{option.default}`."
    return text
