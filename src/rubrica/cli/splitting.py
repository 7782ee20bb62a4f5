"""`rubrica split` and `rubrica patterns`: complex sentences as simple ones, and what could be split in them."""

from __future__ import annotations

import json as json_text
import os
from pathlib import Path
from typing import Annotated

import typer

from rubrica.cli.options import Bootstrap, Home, Json, choose, find_study, input_file, is_study
from rubrica.cli.output import count, output_stream, print_json, print_table, progress, say
from rubrica.cli.scores.options import Cluster, Workers
from rubrica.cli.tables import print_tables
from rubrica.core.errors import wrong
from rubrica.stats.statistic import Statistic

TextFile = Annotated[
    Path, typer.Argument(metavar="FILE", help="One English sentence a line, or with --column a table; - is stdin.")
]
Column = Annotated[str, typer.Option("--column", metavar="NAME", help="FILE is a table: its column with sentences.")]
ParserName = Annotated[
    str, typer.Option("--parser", metavar="NAME", help="An installed spaCy pipeline instead of ours.")
]


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
    from rubrica.rewriting.split.splitting import NOT_ENGLISH

    choose(model, list(MODELS), "model")
    texts = _texts(file, column)
    cores = workers or len(os.sched_getaffinity(0))
    read = changed = made = foreign = 0
    with progress("Splitting", len(texts)) as moved, output_stream(out) as stream:
        done = split_texts(texts, model, parser=parser, workers=cores, cluster=cluster, progress=moved)
        for one in done:
            read += bool(one.sentences)
            changed += len(one.sentences) > 1
            made += len(one.sentences)
            foreign += any(left["why"] == NOT_ENGLISH for left in one.left)
            line = json_text.dumps(one.as_json(), ensure_ascii=False) if jsonl else one.text
            stream.write(line.encode() + b"\n")
    say(f"{count(read, 'sentence')}, {changed:,} split, {count(made, 'sentence')} now")
    if foreign:
        say(f"note: left alone, since it does not look like English: {count(foreign, 'sentence')}")


def _texts(file: Path, column: str) -> list[str]:
    from rubrica.exchange.text_lines import read_texts

    with input_file(file, "" if column else ".txt") as path:
        assert path is not None
        return read_texts(path, column)


def patterns(
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE|STUDY",
            help="One English sentence a line, or with --column a table; - is stdin; or a study of split_patterns.",
        ),
    ],
    sample: Annotated[
        int, typer.Option("--sample", metavar="N", min=0, help="So many sentences, drawn; 0 for all.")
    ] = 0,
    seed: Annotated[int, typer.Option("--seed", metavar="N", help="Of the draw.")] = 0,
    column: Column = "",
    parser: ParserName = "",
    out: Annotated[
        str,
        typer.Option("-o", "--output", metavar="FILE", help="The sentences with their patterns marked; - is stdout."),
    ] = "",
    bootstrap: Bootstrap = 1000,
    home: Home = None,
    json: Json = False,
) -> None:
    """Count what could be split: relative clauses, conjunctions, participles and others. English only.

    A pattern counts once a sentence; a sentence may have several. Of a study in which people answered the protocol
    split_patterns: what they say beside what the rules say, and how far they agree.
    """
    import random

    from rubrica.core.signature import signature
    from rubrica.language.parsing import parser_for
    from rubrica.rewriting.split.operations import PATTERNS
    from rubrica.rewriting.split.patterns import counted, marked, marks

    if json and out == "-":
        raise wrong("--json would mix with the sentences on stdout", "option", "Name a file: -o FILE.", value="--json")
    if file != "-" and is_study(file):
        _people_and_rules(file, parser, bootstrap, seed, home, json)
        return
    texts = [text for text in dict.fromkeys(_texts(Path(file), column)) if text]
    if sample and sample < len(texts):
        texts = [texts[place] for place in sorted(random.Random(seed).sample(range(len(texts)), sample))]
    found = list(marks(texts, parser_for("en", parser)))
    counts = counted(found)
    per_sentence = sum(counts.values()) / len(texts) if texts else None
    if out:
        with output_stream(out) as stream:
            for text, one in zip(texts, found, strict=True):
                stream.write(marked(text, one).encode() + b"\n")
    if json:
        drawn = {"sample": sample, "seed": seed} if sample else {}
        known = Statistic(per_sentence, "" if texts else "there is no sentence")
        value = per_sentence if texts else known.as_json()
        signed = signature({"patterns": "ud-2", "parser": parser, **drawn})
        print_json({"counts": counts, "sentences": len(texts), "per_sentence": value, "signature": signed})
    elif out != "-":
        print_table(("pattern", "", "sentences"), [(key, PATTERNS[key], number) for key, number in counts.items()])
        average = "none" if per_sentence is None else f"{per_sentence:.2f}"
        say(f"{count(len(texts), 'sentence')}, {average} patterns a sentence")


def _people_and_rules(name: str, parser: str, bootstrap: int, seed: int, home: Path | None, json: bool) -> None:
    """Patterns of a study: the counts of people and of the rules, and their agreement."""
    study = find_study(name, home)
    from rubrica.language.parsing import parser_for
    from rubrica.report.agreement import Asked
    from rubrica.report.pattern_agreement import MEASURES, pattern_agreement, pattern_table
    from rubrica.store.ratings import ratings_of

    ratings, asked = ratings_of(study), Asked(measures=MEASURES, replicates=bootstrap, seed=seed)
    rows = pattern_agreement(ratings, asked, parser_for("en", parser))
    sentences = len({one.unit for one in ratings.counted})
    signed = ratings.sign_chosen(patterns="ud-2", parser=parser, **asked.parts())
    if not json:
        print_tables([pattern_table(rows, sentences, signed)])
        return
    each = {who: sum(getattr(row, who) for row in rows) / sentences for who in ("people", "rules")}
    found = {"counts": {row.pattern: row.rules for row in rows}, "sentences": sentences, "per_sentence": each["rules"]}
    found |= {"people_per_sentence": each["people"], "results": [row.as_json() for row in rows]}
    print_json({**found, "signature": signed})
