"""`rubrica prepare`: sentences for a benchmark, outputs of systems for a comparison, the best of a shared task."""

from __future__ import annotations

import csv
import io
import json as json_text
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rubrica.cli.evaluate import TargetInGold, Task, signed_contest, takes
from rubrica.cli.options import Home, Json, find_study, input_file, now, open_studies, pairs
from rubrica.cli.options import choose as choose_option
from rubrica.cli.output import count, output_stream, print_json, say
from rubrica.cli.splitting import Column, ParserName
from rubrica.core.errors import InputError, Problem, wrong
from rubrica.core.text_helpers import first_of
from rubrica.language.names import language_name

if TYPE_CHECKING:
    from rubrica.core.study import Item
    from rubrica.prepare.comparison import Draw, Output
    from rubrica.prepare.posthoc import Choices
    from rubrica.prepare.sentences import Limits
    from rubrica.report.lexical_posthoc import Posthoc
    from rubrica.store.models import Study

app = typer.Typer(
    help="Texts before the study: sentences, comparison, posthoc.", no_args_is_help=True, rich_markup_mode=None
)


@app.callback()
def prepare() -> None:
    """Choose texts for a study."""


@app.command()
def sentences(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="One sentence a line, or with --column a table; - is stdin.")
    ],
    sample: Annotated[
        int, typer.Option("--sample", metavar="N", min=0, help="So many of those that fit, drawn; 0 for all.")
    ] = 0,
    seed: Annotated[int, typer.Option("--seed", metavar="N", help="Of the draw.")] = 0,
    as_paper: Annotated[
        bool, typer.Option("--as-paper", help="Only the paper's own filter: no limits, duplicates stay.")
    ] = False,
    column: Column = "",
    out: Annotated[
        str, typer.Option("-o", "--output", metavar="FILE", help="The items: .csv, .tsv or .jsonl; - is stdout.")
    ] = "-",
    rejected: Annotated[
        str, typer.Option("--rejected", metavar="FILE", help="The others with their reasons: .csv, .tsv or .jsonl.")
    ] = "",
    least_words: Annotated[int | None, typer.Option("--min-words", metavar="N", min=0, help="Default: 10.")] = None,
    most_words: Annotated[int | None, typer.Option("--max-words", metavar="N", min=1, help="Default: 100.")] = None,
    least_patterns: Annotated[
        int | None,
        typer.Option("--min-patterns", metavar="N", min=0, help="Places to split, as `rubrica patterns` finds them."),
    ] = None,
    near_duplicates: Annotated[
        float | None,
        typer.Option("--near-duplicates", metavar="SHARE", min=0.01, max=1, help="Of words in common; default: 0.8."),
    ] = None,
    parser: ParserName = "",
    home: Home = None,
    json: Json = False,
) -> None:
    """Filter sentences for a benchmark and draw some, with the reason for each that is left out.

    Only letters, digits, spaces, commas and periods; begins with a capital letter or a digit; ends with a period; one
    sentence. The items go to a study; people look at each in its review.
    """
    from rubrica.core.signature import signature
    from rubrica.exchange.text_lines import read_numbered
    from rubrica.prepare.sentences import REASONS, choose

    for name in filter(None, (out, rejected)):
        check_ending(name)
    given = {"min_words": least_words, "max_words": most_words, "min_patterns": least_patterns}
    limits = _limits(as_paper, {**given, "near_duplicates": near_duplicates})
    if json and out == "-":
        out = ""
    with input_file(file, "" if column else ".txt") as path:
        assert path is not None
        texts = read_numbered(path, column)
    counter = _patterns(parser) if limits.least_patterns else None
    found = choose(texts, limits, sample, seed, counter)
    if not found.sample:
        fix = "Look at the reasons with --rejected, or loosen the limits."
        raise wrong("no sentence fits", "sentences", fix, file=str(file), value=found.counts)
    items = [{"id": f"s{line}", "source": text} for line, text in found.sample]
    if out:
        write_rows(out, ["id", "source"], items)
    left = [{"line": one.line, "reason": one.reason, "what": one.what, "source": one.text} for one in found.rejected]
    if rejected:
        write_rows(rejected, ["line", "reason", "what", "source"], left)
    asked = {
        "prepare": "sentences",
        "filter": "paper" if as_paper else "paper+limits",
        "min_words": limits.least_words,
        "max_words": limits.most_words,
        "min_patterns": limits.least_patterns,
        "near_duplicates": limits.alike,
        "sample": sample or "all",
        "seed": seed,
    }
    if json:
        signed = signature({key: value for key, value in asked.items() if value is not None})
        numbers = {"sentences": len(texts), "fitting": found.fitting, "drawn": len(items), "reasons": found.counts}
        print_json({**numbers, "items": items, "rejected": left, "signature": signed})
        return
    say(f"{count(len(texts), 'sentence')}: {found.fitting:,} fit, {len(items):,} drawn, {len(left):,} left out")
    for reason, number in found.counts.items():
        say(f"  {number:,} {REASONS[reason]}")


@app.command()
def comparison(
    files: Annotated[
        list[Path],
        typer.Argument(metavar="FILE…", help="Outputs: source, rewrite, system; or a column for each system."),
    ],
    into: Annotated[str, typer.Option("--into", metavar="NAME", help="The study to be made of them.")] = "",
    human: Annotated[
        list[str] | None,
        typer.Option("--human", metavar="STUDY", help="Rewrites of people: those of a study that collected them."),
    ] = None,
    sample: Annotated[
        int, typer.Option("--sample", metavar="N", min=1, help="Sentences for each data set and system.")
    ] = 100,
    seed: Annotated[int, typer.Option("--seed", metavar="N", help="Of the draw and of the order.")] = 0,
    protocol: Annotated[
        str, typer.Option("--protocol", metavar="ID|FILE", help="By which they are rated.")
    ] = "split_rate",
    raters: Annotated[int, typer.Option("--raters", metavar="N", min=1, help="Ratings for each pair.")] = 3,
    column: Annotated[
        list[str] | None, typer.Option("--map", metavar="FIELD=COLUMN", help="Which column a field is in; repeatable.")
    ] = None,
    out: Annotated[
        str, typer.Option("-o", "--output", metavar="FILE", help="The items as a table, instead of a study.")
    ] = "",
    home: Home = None,
    json: Json = False,
) -> None:
    """Draw outputs of systems and rewrites of people for raters who know neither, mixed, and make the study.

    The data set is the column dataset, benchmark or corpus, else the name of the file. A rewrite with an author is a
    person's; all people's rewrites of a sentence are kept as references, for metrics. Writers do not rate.
    """
    from rubrica.core.signature import signature
    from rubrica.prepare.comparison import draw

    if bool(into) == bool(out):
        fix = "Name one: --into NAME makes a study, -o FILE a table."
        raise wrong("it is not said what is to be made", "option", fix, value=into or out)
    if out:
        check_ending(out)
    sources = [find_study(name, home) for name in human or []]
    found: list[Output] = []
    problems: list[Problem] = []
    for file in files:
        try:
            found += _outputs(file, protocol, pairs(column or [], "--map"))
        except InputError as error:
            problems += error.problems
    if problems:
        raise InputError(*problems)
    homes = {one.source: one.dataset for one in found}
    for source in sources:
        found += _of_people(source, homes)
    drawn = draw(found, sample, seed)
    numbers = [{"dataset": name, "system": system, "pairs": made} for (name, system), made in drawn.cells.items()]
    if not json:
        for cell in numbers:
            say(f"{cell['dataset']}, {cell['system']}: {count(cell['pairs'], 'pair')}")  # type: ignore[arg-type]
    for name, system in drawn.short:
        say(f"note: {name}, {system} has fewer than {sample} sentences")
    items = _items(drawn)
    if out:
        rows = [
            {"id": one.key, **one.fields, "system": one.system, "author": one.author, **one.metadata} for one in items
        ]
        columns = list(dict.fromkeys(name for row in rows for name in row))
        write_rows(out, columns, rows)
    else:
        _make_comparison(into, protocol, items, sources, raters, seed, home)
    made = {"pairs": len(items), "cells": numbers, "study": into, "file": out}
    if json:
        print_json({**made, "signature": signature({"prepare": "comparison", "sample": sample, "seed": seed})})
        return
    say(f"{into or out}: {count(len(items), 'pair')}" + (f" x {raters} ratings" if into else ""))


@app.command()
@takes(Task)
def posthoc(
    given: Task,
    top: Annotated[int, typer.Option("--top", metavar="N", min=1, help="So many of the best systems a language.")] = 5,
    by: Annotated[
        str, typer.Option("--by", metavar="FIGURE", help="What is best, as in `evaluate ls`.")
    ] = "ACC@1@Top1",
    ties: Annotated[
        str, typer.Option("--ties", metavar="all|first", help="Tied at the last place: all, or the first by name.")
    ] = "all",
    complex_word_in_gold: TargetInGold = False,
    sample: Annotated[
        int, typer.Option("--sample", metavar="N", min=1, help="Instances, the same for all systems of a language.")
    ] = 50,
    first: Annotated[int, typer.Option("--first", metavar="K", min=1, help="So many first substitutes of each.")] = 1,
    empty: Annotated[
        str, typer.Option("--empty", metavar="leave-out|unchanged", help="Where a system gave nothing.")
    ] = "leave-out",
    several_words: Annotated[
        str, typer.Option("--several-words", metavar="judge|leave-out|next", help="Outputs of several words.")
    ] = "judge",
    seed: Annotated[int, typer.Option("--seed", metavar="N", help="Of the draw and of the order.")] = 0,
    out: Annotated[
        str,
        typer.Option(
            "-o", "--output", metavar="FILE", help="The items: .csv, .tsv or .jsonl; a file for each language."
        ),
    ] = "-",
) -> None:
    """Draw what the best systems of a lexical shared task gave, for judges who know none of them.

    Each output is shown in its sentence. What several systems gave is judged once and credited to each. The items go
    to a study of the protocol lexical_posthoc.
    """
    from rubrica.metrics.lexical_scores import Rules
    from rubrica.prepare import posthoc as ways
    from rubrica.protocols.catalog import find
    from rubrica.report.lexical_posthoc import COLUMNS, item_row
    from rubrica.report.lexical_posthoc import posthoc as best_outputs

    for value, known, what in (
        (ties, ways.TIES, "rule for ties"),
        (empty, ways.EMPTY, "fate of empty outputs"),
        (several_words, ways.SEVERAL_WORDS, "fate of several words"),
    ):
        choose_option(value, list(known), what)
    check_ending(out)
    rules = Rules(False, complex_word_in_gold)
    by = {name.casefold(): name for name in rules.names()}.get(by.casefold(), by)
    choose_option(by, rules.names(), "figure")
    contest = given.assembled(scores=False)
    choices = ways.Choices(sample, first, seed, empty, several_words)
    made = list(best_outputs(contest, find("lexical_posthoc").protocol, rules, by, top, ties, choices))
    names = _files(out, [one.language for one in made], given.json)
    for one, name in zip(made, names, strict=True):
        _say_posthoc(one, by, choices)
        if name:
            write_rows(name, COLUMNS, [item_row(item) for item in one.items])
            say(f"{name}: {count(len(one.items), 'output')} to judge")
    if given.json:
        asked = {"prepare": "posthoc", "by": by, "top": top, "ties": ties, **choices._asdict()}
        files, signed = [name for name in names if name], signed_contest(contest, asked)
        print_json({"by": by, "results": [one.as_json() for one in made], "files": files, "signature": signed})


def _files(out: str, languages: Sequence[str], json: bool) -> list[str]:
    """The file of each language: the one that is named, with the language in its name where there are several."""
    if out == "-" and json:
        return [""] * len(languages)
    if len(languages) == 1:
        return [out]
    if out == "-":
        fix = "Name a file with -o: each language has its own judges, and so a study and a file of its own."
        raise wrong(f"there are {len(languages)} languages", "option", fix, value=", ".join(languages))
    path = Path(out)
    return [str(path.with_name(f"{path.stem}-{language}{path.suffix}")) for language in languages]


def _say_posthoc(made: Posthoc, by: str, choices: Choices) -> None:
    """Which systems, which instances, and what became of outputs."""
    where = f"{language_name(made.language)}: " if made.language else ""
    picked, tied, passed_over = made.best
    say(f"{where}{count(len(picked), 'system')} of {made.entered}, the best by {by}")
    for one in picked:
        fates = made.drawn.fates[one.system]
        told = [f"{count(fates.judged, 'output')} to judge"]
        told += [f"{fates.shared} of them given by others too"] if fates.shared else []
        told += [f"{fates.several_words} of several words"] if fates.several_words else []
        told += [f"{fates.unchanged} the word unchanged"] if fates.unchanged else []
        told += [f"left out, with none to judge: {count(fates.left_out, 'instance')}"] if fates.left_out else []
        say(f"  {one.place}. {one.system} ({one.score:.4f}): {'; '.join(told)}")
    if tied:
        done = f"not judged, as later by name: {', '.join(passed_over)}" if passed_over else "all are judged"
        say(f"  tied at place {picked[-1].place}: {', '.join(tied)}; {done}")
    if made.unplaced:
        say(f"  not drawn, since the word is not found in its context: {first_of(made.unplaced, 10)}")
    if len(made.drawn.sample) < choices.sample:
        say(f"  note: only {count(len(made.drawn.sample), 'instance')} can be drawn")


def _outputs(file: Path, protocol: str, given: dict[str, str]) -> list[Output]:
    """The rows of a table of outputs."""
    from rubrica.exchange.items import read_items_file
    from rubrica.exchange.judged_ratings import dataset_of
    from rubrica.prepare.comparison import HUMAN, Output
    from rubrica.protocols.catalog import find

    with input_file(file) as path:
        assert path is not None
        _, read = read_items_file(path, find(protocol).protocol, given, True)
    nameless = [item for item in read.items if not item.system and not item.author]
    if nameless:
        fix = "Add a column system, or author for what people wrote."
        raise wrong("it is not said which system made a rewrite", "system", fix, file=str(file), value=nameless[0].key)
    return [
        Output(
            dataset_of(item.metadata) or file.stem,
            item.system or HUMAN,
            item.fields["source"],
            item.fields["rewrite"],
            item.author,
        )
        for item in read.items
    ]


def _of_people(study: Study, homes: Mapping[str, str]) -> list[Output]:
    """Every rewrite that people wrote in a study, perfect or not.

    The data set is the one that the item names, else that of the systems' outputs for the same sentence (``homes``).
    """
    from rubrica.prepare.comparison import HUMAN, Output
    from rubrica.store.ratings import study_corpus

    return [
        Output(row.dataset or homes.get(row.source, study.name), HUMAN, row.source, row.rewrite, row.author)
        for row in study_corpus(study)
        if row.author
    ]


def _items(drawn: Draw) -> list[Item]:
    from rubrica.core.study import Item

    return [
        Item(
            one.key,
            {"source": one.output.source, "rewrite": one.output.rewrite},
            one.output.system,
            one.output.author,
            "",
            {
                "dataset": one.output.dataset,
                **{f"reference_{number}": text for number, text in enumerate(one.references, start=1)},
            },
        )
        for one in drawn.items
    ]


def _make_comparison(
    name: str, protocol: str, items: list[Item], sources: list[Study], raters: int, seed: int, home: Path | None
) -> None:
    """The study. People of one study that collected rewrites are known in it; of several, by name only."""
    open_studies(home)
    from rubrica.exchange.study_plan import Plan
    from rubrica.protocols.catalog import find
    from rubrica.store import studies

    loaded = find(protocol)
    overlap = {stage.id: raters for stage in loaded.protocol.stages}
    joined = sources[0] if len(sources) == 1 else None
    plan = Plan(name=name, loaded=loaded, items=items, overlap=overlap, seed=seed)
    studies.create(plan, now(), authors_from=joined)


def _limits(as_paper: bool, given: dict[str, Any]) -> Limits:
    """What was asked for, else the defaults; nothing beyond the paper with --as-paper, which bears no other limit."""
    from rubrica.prepare.sentences import AS_PAPER, Limits

    said = {key: value for key, value in given.items() if value is not None}
    if as_paper and said:
        options = ", ".join(f"--{key.replace('_', '-')}" for key in said)
        raise wrong(f"--as-paper is given with {options}", "option", "Leave out one of them.", value=options)
    if as_paper:
        return AS_PAPER
    names = {"min_words": "least_words", "max_words": "most_words", "near_duplicates": "alike"}
    return Limits(**{names.get(key, "least_patterns"): value for key, value in said.items()})


def _patterns(parser: str) -> Any:
    """Counts the places at which sentences could be split."""
    from rubrica.language.parsing import parser_for
    from rubrica.rewriting.split.patterns import marks

    found = parser_for("en", parser)
    return lambda texts: [len(one) for one in marks(texts, found)]


def check_ending(out: str) -> None:
    """Refuse a name of no table before anything is read."""
    if out != "-" and Path(out).suffix.lower() not in (".csv", ".tsv", ".jsonl"):
        fix = "Use a name that ends in .csv, .tsv or .jsonl."
        raise wrong(f"{out!r} is no table that is written here", "format", fix, value=out)


def write_rows(out: str, columns: Sequence[str], rows: Sequence[dict[str, Any]]) -> None:
    """Write a table in the form that its name asks for; CSV to stdout."""
    ending = Path(out).suffix.lower()
    text = io.StringIO()
    if ending == ".jsonl":
        text.writelines(json_text.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    else:
        writer = csv.DictWriter(text, columns, delimiter="\t" if ending == ".tsv" else ",", lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    with output_stream(out) as stream:
        stream.write(text.getvalue().encode())
