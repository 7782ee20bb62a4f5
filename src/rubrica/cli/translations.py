"""`rubrica translations put`: a corrected .po file of annotators' texts back into the files that it came from."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from rubrica.cli.options import Json
from rubrica.cli.output import count, print_json, say

app = typer.Typer(help="Texts of annotators in their languages.", no_args_is_help=True, rich_markup_mode=None)


@app.callback()
def translations() -> None:
    """Correct what annotators read."""


@app.command()
def put(
    file: Annotated[Path, typer.Argument(metavar="FILE.po", help="As the page Translations exports it, corrected.")],
    into: Annotated[
        Path | None,
        typer.Option("--into", metavar="FOLDER", help="Where the texts are put. Without it the file is only checked."),
    ] = None,
    json: Json = False,
) -> None:
    """Check a corrected .po file, and put its texts into a protocol's files or a catalogue.

    Of a protocol the folder has its files afterwards (those shipped, where it was empty), for `--protocol FOLDER`. Of
    the pages it has the catalogue, which takes the place of the shipped one.
    """
    from rubrica.core.signature import signature
    from rubrica.exchange.corrected_texts import put as put_texts
    from rubrica.exchange.corrected_texts import read_po
    from rubrica.exchange.translations import changes, entries

    found = read_po(file)
    changed = put_texts(found, into, str(file)) if into else []
    differ = len(changes(entries(found.language, found.part), found.said))
    if json:
        told = {"language": found.language, "part": found.part, "texts": differ, "fuzzy": found.fuzzy}
        print_json({"translation": {**told, "files": [str(one) for one in changed]}, "signature": signature({})})
        return
    for one in changed:
        print(one)
    say(f"{file}: {found.part} in {found.language}, {count(differ, 'text')} other than shipped, or newly reviewed")
    if found.fuzzy:
        say(f"{count(found.fuzzy, 'text')} marked fuzzy left out")
