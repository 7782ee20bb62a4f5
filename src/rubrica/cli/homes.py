"""`rubrica home`: the folder that holds the studies. Accepting one that is older than what had been saved."""

from __future__ import annotations

import os
from typing import Annotated

import typer

from rubrica.cli.options import Home, chosen_home, now
from rubrica.cli.output import say
from rubrica.core.errors import wrong

app = typer.Typer(help="The folder of the studies: accept.", no_args_is_help=True, rich_markup_mode=None)


@app.callback()
def homes() -> None:
    """The folder of the studies."""


@app.command()
def accept(
    reason: Annotated[
        str, typer.Option("--reason", metavar="TEXT", help="Why: which backup was put back, or what was damaged.")
    ],
    home: Home = None,
) -> None:
    """Go on with a home that is behind its mark: what is missing is given up, and the audit trail says so.

    Needed after an older backup was put back, or when a damaged home cannot be mended. The studio must not be running.
    """
    from rubrica.home.database import SQLITE_FILE, accepting_older

    place = chosen_home(home)
    if os.environ.get("DATABASE_URL", ""):
        fix = "Unset DATABASE_URL if you mean the SQLite file of a home."
        raise wrong("studies on PostgreSQL have no mark: the server looks after its own log", "database", fix)
    if not reason.strip():
        raise wrong("no reason is given", "reason", "Say in a few words why the home is older.", value=reason)
    if not (place / SQLITE_FILE).exists() and not (place / f"{SQLITE_FILE}.mark").exists():
        raise wrong("there is no home", "home", "Name its folder with --home.", file=str(place))
    with accepting_older(place) as given_up:
        if given_up is not None:
            from rubrica.store import audit

            marked, found = given_up.marked._asdict() if given_up.marked else {}, given_up.found._asdict()
            audit.record("older home accepted", None, now(), reason=reason.strip(), marked=marked, found=found)
    if given_up is None:
        say(f"{place} is not behind its mark: there is nothing to accept.")
        return
    lost = f" What came after it, up to {given_up.marked}, is given up." if given_up.marked else ""
    say(f"{place} goes on from {given_up.found}.{lost}")
