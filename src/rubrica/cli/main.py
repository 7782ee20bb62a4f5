"""`rubrica`: assembles the commands, and turns errors of the input into messages and exit code 1."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from functools import cache
from typing import Any

import typer

from rubrica import __version__
from rubrica.cli import (
    complexity,
    correlate,
    demo,
    describe,
    edits,
    evaluate,
    exports,
    homes,
    people,
    prepare,
    protocols,
    report,
    serve,
    sheets,
    splitting,
    studies,
    substitutes,
    translations,
    users,
    words,
)
from rubrica.cli.options import Home, read_numbers, remember_home
from rubrica.cli.output import print_problems
from rubrica.cli.ratings import aggregate, agree, check, compare, plan, reliability
from rubrica.cli.scores.score import score
from rubrica.core.errors import InputError, Problem

app = typer.Typer(
    name="rubrica",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    add_completion=False,
)
app.add_typer(protocols.app, name="protocols")
app.add_typer(studies.app, name="study")
app.add_typer(sheets.app, name="sheets")
app.add_typer(people.app, name="people")
app.add_typer(prepare.app, name="prepare")
app.command("export")(exports.export)
app.command("import")(exports.import_)
app.add_typer(edits.app, name="edits")
app.command("report")(report.report)
app.command("agree")(agree.agree)
app.command("aggregate")(aggregate.aggregate)
app.command("check")(check.check)
app.add_typer(reliability.app, name="reliability")
app.command("compare")(compare.compare)
app.command("plan")(plan.plan)
app.command("score")(score)
app.add_typer(words.app, name="words")
app.command("split")(splitting.split)
app.command("describe")(describe.describe)
app.command("patterns")(splitting.patterns)
app.add_typer(evaluate.app, name="evaluate")
app.add_typer(complexity.app, name="complexity")
app.command("substitutes")(substitutes.substitutes)
app.command("correlate")(correlate.correlate)
app.command("serve")(serve.serve)
app.command("demo")(demo.demo)
app.add_typer(translations.app, name="translations")
app.add_typer(users.app, name="user")
app.add_typer(homes.app, name="home")


OUT_OF_MEMORY = Problem(
    what="there is not enough memory for this",
    rule="memory",
    fix="Split the file, or use a machine with more; RUBRICA_MAX_MB and others keep files out that are too large.",
)


def _show_version(wanted: bool) -> None:
    if wanted:
        print(f"rubrica {__version__}")
        raise typer.Exit


@app.callback()
def options(
    home: Home = None,
    version: bool = typer.Option(False, "--version", callback=_show_version, is_eager=True, help="Print the version."),
) -> None:
    """Human evaluation of rewritten text, from raw sentences to the published table.

    Start: rubrica protocols; then rubrica study new NAME --protocol ID --items FILE.csv; rubrica sheets write NAME
    --annotators a,b,c --out DIR; and, when the sheets are filled in, rubrica sheets read NAME DIR/*.xlsx.
    """
    remember_home(home)


@cache
def _command() -> Callable[..., Any]:
    """The command line as one command: putting it together takes longer than most commands, so once a process."""
    command = typer.main.get_command(app)
    read_numbers(command)
    return command


def main(arguments: list[str]) -> int:
    """Run a command and return its exit code: 0 done, 1 the input or request is wrong, 2 wrong usage."""
    try:
        _command()(args=arguments, prog_name="rubrica")
    except InputError as error:
        print_problems(error.problems, as_json="--json" in arguments)
        return 1
    except MemoryError:
        print_problems([OUT_OF_MEMORY], as_json="--json" in arguments)
        return 1
    except SystemExit as ended:
        return ended.code if isinstance(ended.code, int) else 0
    return 0


def run() -> None:
    """The entry point."""
    try:
        code = main(sys.argv[1:])
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader of our output went away, for instance `head`: that is no error of ours.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 0
    sys.exit(code)
