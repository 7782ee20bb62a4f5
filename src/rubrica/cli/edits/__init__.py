"""`rubrica edits`: edit-level work, one file per command."""

from __future__ import annotations

import typer

from rubrica.cli.edits import agree, score, suggest, summary, tag

app = typer.Typer(
    help="Edits: suggest, count, compare, score and predict them.", no_args_is_help=True, rich_markup_mode=None
)
app.command("suggest")(suggest.suggest)
app.command("fates")(suggest.fates)
app.command("summary")(summary.summary)
app.command("agree")(agree.agree)
app.command("score")(score.score)
app.add_typer(tag.app, name="tag")
