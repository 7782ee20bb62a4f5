"""`rubrica edits`: edit-level work, one file per command."""

from __future__ import annotations

import typer

from rubrica.cli.edits import suggest

app = typer.Typer(help="Edits: suggest them.", no_args_is_help=True, rich_markup_mode=None)
app.command("suggest")(suggest.suggest)
