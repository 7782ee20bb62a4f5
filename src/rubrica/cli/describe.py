"""`rubrica describe`: the statistics of several data sets of pairs, side by side."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rubrica.cli.options import Home, Json, choose, input_file, listed, pairs
from rubrica.cli.output import print_json, say
from rubrica.cli.tables import Format, check_form, print_tables
from rubrica.core.errors import InputError, Problem, wrong

if TYPE_CHECKING:
    from rubrica.report.datasets import DataSet


def describe(
    files: Annotated[
        list[Path], typer.Argument(metavar="FILE…", help="Tables of complex sentences and rewrites, a row each.")
    ],
    column: Annotated[
        list[str] | None,
        typer.Option("--map", metavar="FIELD=COLUMN", help="source=COLUMN, rewrite=COLUMN; repeatable."),
    ] = None,
    no_header: Annotated[
        bool, typer.Option("--no-header", help="The files have no header; columns are named 1, 2, 3, …")
    ] = False,
    human: Annotated[
        str, typer.Option("--human", metavar="LIST", help="Those that people wrote, by the names of the files.")
    ] = "",
    tokenizer: Annotated[
        str, typer.Option("--tokenizer", metavar="NAME", help="13a, intl, char, zh or none; default: 13a.")
    ] = "13a",
    lang: Annotated[str, typer.Option("--lang", metavar="CODE", help="Language of the sentences.")] = "en",
    form: Format = "text",
    home: Home = None,
    json: Json = False,
) -> None:
    """Describe data sets of complex sentences and their rewrites, side by side.

    Complex sentences that differ, rewrites, tokens a complex sentence, sentences a rewrite; and whether people wrote
    the rewrites, which --human says, or a column that names their writers.
    """
    from rubrica.metrics.tokens import TOKENIZERS
    from rubrica.report.datasets import datasets_table, signed
    from rubrica.report.datasets import describe as figures

    choose(tokenizer, list(TOKENIZERS), "tokenizer")
    check_form(form)
    found: list[DataSet] = []
    problems: list[Problem] = []
    names = _names(files)
    people = set(listed(human))
    unknown = sorted(people - set(names))
    if unknown:
        fix = f"Files: {', '.join(names)}."
        raise wrong(f"there is no data set {unknown[0]!r}", "human", fix, value=unknown[0])
    for file, name in zip(files, names, strict=True):
        try:
            found.append(_read(file, name, pairs(column or [], "--map"), not no_header, people))
        except InputError as error:
            problems += error.problems
    if problems:
        raise InputError(*problems)
    described = [figures(one, tokenizer, lang) for one in found]
    if json:
        print_json({"datasets": [one.as_json() for one in described], "signature": signed(tokenizer, lang)})
        return
    print_tables([datasets_table(described, tokenizer, lang)], form)


def _names(files: list[Path]) -> list[str]:
    """The names of the files without folder and ending; with the folder where two are the same."""
    short = Counter(file.stem for file in files)
    return [file.stem if short[file.stem] == 1 else str(file.with_suffix("")) for file in files]


def _read(file: Path, name: str, given: dict[str, str], header: bool, people: set[str]) -> DataSet:
    from rubrica.exchange.items import read_items
    from rubrica.exchange.tables import read_table
    from rubrica.protocols.catalog import load_shipped
    from rubrica.report.datasets import DataSet

    with input_file(file) as path:
        assert path is not None
        table = read_table(path, header=header)
        read = read_items(table, load_shipped("split_rate").protocol, given)
    say(f"{file}: {table.detected}; {read.matched.told()}")
    if not read.items:
        empty = Problem(what="there is no pair", rule="empty", fix="One row for each rewrite.", file=str(file))
        raise InputError(empty)
    written = True if name in people or any(item.author for item in read.items) else False if people else None
    texts = ((item.fields["source"], item.fields["rewrite"]) for item in read.items)
    return DataSet(name, tuple(texts), written)
