"""`rubrica reliability`: how far a crowd can be trusted, measured on a sample that an expert judges."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from rubrica.cli.options import FORCED, find_study, now
from rubrica.cli.output import count, output_stream, print_json, say
from rubrica.cli.ratings.given import FeeOption, Given, PriceOption, price_of_rating, takes_ratings
from rubrica.cli.tables import Format, check_form, print_tables

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rubrica.core.ratings import Rating, Ratings
    from rubrica.report.crowd_reliability import CrowdReliability, Experts, Grouped

ESTIMATE = "estimate"


class _EstimateByDefault(TyperGroup):
    """`rubrica reliability FILE` is `rubrica reliability estimate FILE`; a study called sample is study:sample."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        named = bool(args) and (args[0] in self.commands or args[0] == "--help")
        return super().parse_args(ctx, args if named or not args else [ESTIMATE, *args])


app = typer.Typer(
    cls=_EstimateByDefault,
    help="How far a crowd can be trusted: estimate (may be left out), or sample outputs for an expert.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
VerdictOption = Annotated[
    str,
    typer.Option(
        "--verdict", metavar="NAME[=ANSWER]", help="The verdict or question, and the answer that counts (correct)."
    ),
]
Raters = Annotated[
    int, typer.Option("--raters", metavar="N", min=1, help="Outputs with exactly N ratings; others are left out.")
]
Seed = Annotated[int, typer.Option("--seed", metavar="N", help="Makes it repeatable.")]


@app.command(ESTIMATE)
@takes_ratings
def estimate(
    given: Given,
    expert: Annotated[
        list[str] | None,
        typer.Option("--expert", metavar="RATER|study:NAME", help="Who is the expert here, or the expert's study."),
    ] = None,
    key: Annotated[
        Path | None, typer.Option("--key", metavar="FILE", help="Which outputs the expert's items are, if files were.")
    ] = None,
    verdict: VerdictOption = "",
    raters: Raters = 3,
    confidence: Annotated[
        float, typer.Option("--confidence", metavar="SHARE", min=0.5, max=0.999, help="Of the one-sided bounds.")
    ] = 0.9,
    price: PriceOption = None,
    fee: FeeOption = None,
    charts: Annotated[
        Path | None, typer.Option("--charts", metavar="DIR", help="Draw the densities: SVG, PNG, data.")
    ] = None,
    seed: Seed = 0,
    form: Format = "text",
) -> None:
    """When so many of a crowd say correct, how often does an expert, and how many raters buy which reliability?"""
    from rubrica.report.crowd_reliability import (
        crowd_reliability,
        expert_verdicts,
        find_verdict,
        group_outputs,
        group_table,
        raters_table,
        reliability_json,
    )

    check_form(form)
    ratings = given.read()
    chosen = find_verdict(ratings, verdict)
    experts = read_experts(given, ratings, expert or [], key)
    grouped = group_outputs(ratings, chosen, raters, experts.names)
    _check_grouped(grouped, raters)
    found = crowd_reliability(
        chosen,
        grouped,
        expert_verdicts(experts.said, chosen),
        confidence=confidence,
        seed=seed,
        price=price_of_rating(ratings, price, fee),
        signature=ratings.sign(
            confidence=confidence,
            expert=experts.origin,
            raters=raters,
            reliability=f"{chosen.criterion.id}={chosen.answer}",
            seed=seed,
        ),
    )
    if not expert:
        say("nobody is named as the expert: give --expert, or draw a sample for one with `rubrica reliability sample`")
    files = _draw(found, charts) if charts else []
    if given.json:
        print_json({**reliability_json(found), "files": [str(file) for file in files], "signature": found.signature})
        return
    print_tables([group_table(found), raters_table(found)], form)
    for text in (*found.sentences(), *map(str, files)):
        (print if form == "text" else say)(text)


def _draw(found: CrowdReliability, folder: Path) -> list[Path]:
    from rubrica.report.crowd_reliability import write_reliability_chart

    return write_reliability_chart(found, folder)


def read_experts(given: Given, ratings: Ratings, expert: Sequence[str], key: Path | None) -> Experts:
    """What experts said: people of the same file or study, or all people of the study made for them."""
    from rubrica.core.errors import wrong
    from rubrica.report.crowd_reliability import Experts

    names = tuple(name for name in expert if not name.startswith(FORCED))
    unknown = [name for name in names if name not in ratings.raters]
    if unknown:
        fix = f"Raters: {', '.join(ratings.raters)}; a study is study:NAME."
        raise wrong(f"nobody is called {unknown[0]!r}", "rater", fix, value=unknown[0])
    said = [rating for rating in ratings.counted if rating.rater in names]
    for name in expert:
        if name.startswith(FORCED):
            said += _said_in_study(given, name, key)
    return Experts(tuple(said), names, "+".join(expert))


def _said_in_study(given: Given, name: str, key: Path | None) -> list[Rating]:
    """What was said in the expert's study, of the outputs that its items are copies of."""
    study = find_study(name, given.home)
    from rubrica.exchange.expert_key import read_key
    from rubrica.store.setup.expert_sample import said_of_originals

    return said_of_originals(study, read_key(key) if key else None)


@app.command("sample")
@takes_ratings
def sample(
    given: Given,
    verdict: VerdictOption = "",
    raters: Raters = 3,
    per: Annotated[
        int, typer.Option("--per", metavar="N", min=1, help="Outputs of each group, data set and system.")
    ] = 2,
    into: Annotated[str, typer.Option("--into", metavar="NAME", help="The new study for the expert.")] = "",
    out: Annotated[Path | None, typer.Option("--out", "-o", metavar="FILE", help="Items for the expert (CSV).")] = None,
    key: Annotated[
        Path | None, typer.Option("--key", metavar="FILE", help="Which output each item is; not for the expert.")
    ] = None,
    seed: Seed = 0,
) -> None:
    """Draw outputs of each group for an expert, who judges them without seeing the group: a study, or files."""
    from rubrica.report.crowd_reliability import find_verdict, group_outputs, neutral_keys, sample_outputs

    ratings = given.read()
    chosen = find_verdict(ratings, verdict)
    grouped = group_outputs(ratings, chosen, raters)
    _check_grouped(grouped, raters)
    drawn = sample_outputs(ratings, grouped, per, seed)
    keys = neutral_keys(drawn)
    signed = ratings.sign(raters=raters, per=per, sample=f"{chosen.criterion.id}={chosen.answer}", seed=seed)
    if into:
        _into_study(ratings, into, keys, seed)
    files = [] if into else _into_files(ratings, keys, grouped.groups, out, key)
    sizes = [sum(grouped.groups[unit] == group for unit in drawn) for group in range(raters + 1)]
    if given.json:
        groups = [{"group": group, "of": raters, "sampled": size} for group, size in enumerate(sizes)]
        left = [{"ratings": number, "outputs": size} for number, size in grouped.left_out.items()]
        print_json({"results": groups, "left_out": left, "study": into, "files": files, "signature": signed})
        return
    parts = ", ".join(f"{size} of {group}/{raters}" for group, size in enumerate(sizes))
    say(f"{count(len(drawn), 'output')}: {parts}")
    for file in files:
        print(file)
    if into:
        print(f"study {into}: invite the expert as you invite annotators; then --expert {FORCED}{into}")


def _check_grouped(grouped: Grouped, raters: int) -> None:
    """Refuse a number of ratings that no output has."""
    if grouped.groups:
        return
    from rubrica.core.errors import wrong

    there = ", ".join(f"{size} with {number}" for number, size in grouped.left_out.items()) or "none at all"
    raise wrong(
        f"no output has exactly {raters} ratings", "raters", f"There are: {there}. Give --raters.", value=raters
    )


def _into_study(ratings: Ratings, name: str, keys: Mapping[str, str], seed: int) -> None:
    from rubrica.core.errors import wrong

    if "study" not in ratings.origin:
        fix = "Give -o ITEMS.csv --key KEY.csv, and make a study of the items."
        raise wrong("only a sample of a study can be made into a study", "option", fix, value=name)
    from rubrica.store import studies
    from rubrica.store.setup.expert_sample import make_sample

    study = studies.find(str(ratings.origin["study"]))
    make_sample(study, str(ratings.origin["stage"]), name, keys, now(), seed)


def _into_files(
    ratings: Ratings, keys: Mapping[str, str], groups: Mapping[str, int], out: Path | None, key: Path | None
) -> list[str]:
    from rubrica.core.errors import wrong
    from rubrica.exchange.expert_key import items_csv, key_csv

    if out is None or key is None:
        fix = "Give --into NAME (of a study), or -o ITEMS.csv and --key KEY.csv."
        raise wrong("where the sample goes is not said", "option", fix)
    for file, text in ((out, items_csv(ratings, keys)), (key, key_csv(ratings, keys, groups))):
        with output_stream(str(file)) as stream:
            stream.write(text.encode())
    return [str(out), str(key)]
