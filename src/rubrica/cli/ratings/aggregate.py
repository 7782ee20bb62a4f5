"""`rubrica aggregate`: the gold answers of a study or a file of ratings."""

from __future__ import annotations

import json as json_text
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rubrica.cli.options import choose
from rubrica.cli.output import count, output_stream, print_json, progress, say
from rubrica.cli.ratings.given import Given, takes_ratings
from rubrica.cli.tables import Format, check_form, print_tables
from rubrica.core.errors import wrong

if TYPE_CHECKING:
    from rubrica.core.ratings import Ratings
    from rubrica.report.aggregation import Aggregation

ENDINGS = {".csv": "csv", ".md": "markdown", ".tex": "latex", ".json": "json", ".jsonl": "jsonl"}


@takes_ratings
def aggregate(
    given: Given,
    method: Annotated[
        str,
        typer.Option(
            "--method",
            metavar="METHOD",
            help="mean, median, zscore, majority, dawid_skene, mace, glad, counts or verdict; default: by kind.",
        ),
    ] = "",
    ties: Annotated[
        str,
        typer.Option("--ties", metavar="RULE", help="majority: a tie is none, first, lowest, highest or random."),
    ] = "none",
    seed: Annotated[int, typer.Option("--seed", metavar="N", help="For random ties and for mace.")] = 0,
    iterations: Annotated[
        int, typer.Option("--iterations", metavar="N", min=1, help="Rounds that a model has to converge.")
    ] = 5000,
    needs_rewriting: Annotated[
        Path | None,
        typer.Option(
            "--needs-rewriting", metavar="FILE.jsonl", help="breve, claro: write sentences and labels as their corpus."
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="FILE", help="Write there: .csv, .json, .jsonl, .md or .tex."),
    ] = None,
    form: Format = "text",
) -> None:
    """The gold answer to every question about every item, with its support and uncertainty."""
    from rubrica.report.aggregation import METHODS, aggregate
    from rubrica.stats.aggregation import TIES

    if method:
        choose(method, list(METHODS), "method")
    choose(ties, list(TIES), "rule for ties")
    check_form(form)
    if out is not None and out.suffix not in ENDINGS:
        fix = f"Use one of {', '.join(ENDINGS)}."
        raise wrong(f"{out} cannot be written: its ending says no form", "format", fix, value=out.suffix)
    ratings = given.read(verdicts=True)
    with progress("Aggregating", len(ratings.criteria)) as move:
        done = iter(range(len(ratings.criteria) + 1))
        found = aggregate(
            ratings,
            method,
            ties=ties,
            seed=seed,
            iterations=iterations,
            verdicts=given.item_verdicts(ratings),
            tell=(lambda _: move(next(done))) if move is not None else None,
        )
    for remark in found.remarks:
        say(remark)
    if needs_rewriting is not None:
        _write_sentences(ratings, needs_rewriting)
    if out is not None:
        _write(found, out)
    if given.json:
        from rubrica.report.aggregation import as_json

        print_json(as_json(found))
    elif out is None and needs_rewriting is None:
        _print(found, form)


def _print(found: Aggregation, form: str) -> None:
    from rubrica.report.aggregation import gold_table, models_table, raters_table

    tables = [gold_table(found)]
    if form != "csv":
        tables += [raters_table(found)] if found.raters else []
        tables += [models_table(found)] if found.models else []
    print_tables(tables, form)


def _write(found: Aggregation, out: Path) -> None:
    from rubrica.report.aggregation import as_json, gold_table, row_as_json
    from rubrica.report.tables import FORMS

    form = ENDINGS[out.suffix]
    if form == "json":
        text = json_text.dumps(as_json(found), ensure_ascii=False, indent=2, allow_nan=False) + "\n"
    elif form == "jsonl":
        rows = ({**row_as_json(row), "signature": found.signature} for row in found.rows)
        text = "".join(json_text.dumps(row, ensure_ascii=False, allow_nan=False) + "\n" for row in rows)
    else:
        text = FORMS[form](gold_table(found))
    with output_stream(str(out)) as stream:
        stream.write(text.encode())
    say(f"{out}: {count(len(found.rows), 'gold answer')}")


def _write_sentences(ratings: Ratings, out: Path) -> None:
    from rubrica.exchange.needs_rewriting import needs_rewriting_lines
    from rubrica.report.gold_verdicts import needs_rewriting

    found = needs_rewriting(ratings)
    with output_stream(str(out)) as stream:
        stream.write(needs_rewriting_lines(found.decided).encode())
    needed = sum(one.needed for one in found.decided)
    undecided = f"; {found.undecided} undecided ones left out" if found.undecided else ""
    say(f"{out}: {count(len(found.decided), 'sentence')}, of which {needed} need rewriting{undecided}")
