"""`rubrica split` and `rubrica patterns`: complex sentences as simple ones, and what could be split in them."""

from __future__ import annotations

import json as json_text
import os
from pathlib import Path
from typing import Annotated

import typer

from rubrica.cli.options import Home, choose, input_file
from rubrica.cli.output import count, progress, say
from rubrica.cli.scores.options import Cluster, Workers
from rubrica.cli.writing import output_stream

TextFile = Annotated[
    Path, typer.Argument(metavar="FILE", help="One English sentence a line, or with --column a table; - is stdin.")
]
Column = Annotated[str, typer.Option("--column", metavar="NAME", help="FILE is a table: its column with sentences.")]
ParserName = Annotated[str, typer.Option("--parser", metavar="NAME", help="An installed spaCy pipeline instead of ours.")]


def split(
    file: TextFile = Path("-"),
    out: Annotated[str, typer.Option("-o", "--output", metavar="FILE", help="Where to; - is stdout.")] = "-",
    model: Annotated[str, typer.Option("--model", metavar="NAME", help="rubrica, paper or copy.")] = "rubrica",
    jsonl: Annotated[
        bool, typer.Option("--jsonl", help="A JSON object a line: sentences, operations, what was left alone and why.")
    ] = False,
    column: Column = "",
    parser: ParserName = "",
    workers: Workers = 1,
    cluster: Cluster = "",
    home: Home = None,
) -> None:
    """Split complex sentences into simple ones. English only.

    One sentence a line in, one line of simple sentences out; a sentence that cannot be split safely stays as it is.
    """
    from rubrica.rewriting.split.models import MODELS
    from rubrica.rewriting.split.models import split as split_texts

    choose(model, list(MODELS), "model")
    texts = _texts(file, column)
    cores = workers or len(os.sched_getaffinity(0))
    changed = made = 0
    with progress("Splitting", len(texts)) as moved, output_stream(out) as stream:
        done = split_texts(texts, model, parser=parser, workers=cores, cluster=cluster, progress=moved)
        for one in done:
            changed += len(one.sentences) > 1
            made += len(one.sentences)
            line = json_text.dumps(one.as_json(), ensure_ascii=False) if jsonl else one.text
            stream.write(line.encode() + b"\n")
    say(f"{count(len(texts), 'sentence')}, {changed:,} split, {count(made, 'sentence')} now")


def _texts(file: Path, column: str) -> list[str]:
    from rubrica.exchange.text_lines import read_texts

    with input_file(file, "" if column else ".txt") as path:
        assert path is not None
        return read_texts(path, column)
