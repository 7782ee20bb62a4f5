"""`rubrica plan`: from a pilot, how precise and how powerful larger studies would be, and what they cost."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rubrica.cli.options import listed
from rubrica.cli.output import print_json, say, track
from rubrica.cli.ratings.given import (
    FeeOption,
    Given,
    GoodOption,
    PriceOption,
    price_of_rating,
    read_with_good,
    takes_ratings,
)
from rubrica.cli.tables import Format, check_form, print_tables

if TYPE_CHECKING:
    from rubrica.report.planning import Plan, Planned
    from rubrica.stats.planning import Expected


@takes_ratings
def plan(
    given: Given,
    items: Annotated[
        str, typer.Option("--items", metavar="N,N,…", help="How many texts each system rewrites.")
    ] = "50,100,200",
    raters: Annotated[
        str, typer.Option("--raters", metavar="N,N,…", help="How many ratings each rewrite gets.")
    ] = "1,2,3,5",
    between: Annotated[
        str, typer.Option("--between", metavar="A,B", help="The two systems that are compared (default: the first).")
    ] = "",
    effect: Annotated[
        float | None,
        typer.Option("--effect", metavar="D", help="The difference to find; shares 0 to 1 (default: the pilot's)."),
    ] = None,
    simulations: Annotated[
        int, typer.Option("--simulations", metavar="N", min=1, help="Simulated studies of each size.")
    ] = 2000,
    alpha: Annotated[
        float, typer.Option("--alpha", metavar="P", min=0.0001, max=0.5, help="The level of the test.")
    ] = 0.05,
    good: GoodOption = None,
    price: PriceOption = None,
    fee: FeeOption = None,
    charts: Annotated[Path | None, typer.Option("--charts", metavar="DIR", help="Draw it: SVG, PNG, data.")] = None,
    seed: Annotated[int, typer.Option("--seed", metavar="N", help="Makes the simulation repeatable.")] = 0,
    form: Format = "text",
) -> None:
    """From a pilot: width of intervals and power of a study of n items and k raters, by simulation, with its cost."""
    from rubrica.report.planning import (
        Plan,
        Sizes,
        compared_systems,
        plan_each,
        plan_table,
        planned_measures,
        variance_table,
    )

    sizes = Sizes(
        items=_numbers("--items", items, least=2),
        raters=_numbers("--raters", raters, least=1),
        replicates=simulations,
        alpha=alpha,
        seed=seed,
    )
    check_form(form)
    ratings = read_with_good(given, good)
    systems = compared_systems(ratings, listed(between))
    each = plan_each(ratings, systems, sizes, effect)
    found = Plan(
        systems,
        tuple(track(each, "simulating studies", total=len(planned_measures(ratings)))),
        sizes,
        price_of_rating(ratings, price, fee),
        ratings.sign(
            alpha=alpha,
            effect="observed" if effect is None else effect,
            items="+".join(map(str, sizes.items)),
            plan="+".join(systems),
            raters="+".join(map(str, sizes.raters)),
            seed=seed,
            simulations=simulations,
        ),
    )
    if effect is None and len(systems) > 1:
        say("the effect is the pilot's own, and as uncertain; better, give the least that matters: --effect")
    if not found.planned:
        say("nothing was rated that a study could be planned by: scales, or labels with a good answer (--good)")
    files = _draw(found, charts) if charts else []
    if given.json:
        print_json({**_as_json(found), "files": [str(file) for file in files], "signature": found.signature})
        return
    tables = [plan_table(found, points=form != "csv"), variance_table(found)]
    print_tables(tables if found.planned or form != "text" else [], form)
    for file in files:
        (print if form == "text" else say)(str(file))


def _numbers(option: str, text: str, least: int) -> tuple[int, ...]:
    from rubrica.core.errors import wrong
    from rubrica.core.typed import whole

    parts = [whole(part, least) for part in listed(text)]
    found = [part for part in parts if part is not None]
    if not parts or len(found) < len(parts):
        fix = f"Write whole numbers of at least {least}, for instance {option} 50,100."
        raise wrong(f"{option} {text!r}", "option", fix, value=text)
    return tuple(dict.fromkeys(found))


def _draw(found: Plan, folder: Path) -> list[Path]:
    from rubrica.report.planning import write_plan_chart

    return write_plan_chart(found, folder)


def _as_json(found: Plan) -> dict[str, Any]:
    return {
        "systems": list(found.systems),
        "results": [_study(found, one, study) for one in found.planned for study in one.studies],
        "variances": [
            {
                "criterion": one.measure.criterion,
                "figure": one.measure.figure,
                "within": one.components.within.as_json(),
                "between": one.components.between.as_json(),
                "gap": one.components.gap.as_json(),
                "difference": one.components.difference.as_json(),
            }
            for one in found.planned
        ],
    }


def _study(found: Plan, one: Planned, study: Expected) -> dict[str, Any]:
    return {
        "criterion": one.measure.criterion,
        "figure": one.measure.figure,
        "items": study.items,
        "raters": study.raters,
        "ratings": study.items * study.raters * len(found.systems),
        "width_mean": study.width_mean.as_json(),
        "width_difference": study.width_difference.as_json(),
        "effect": one.effect.as_json(),
        "power": study.power.as_json(),
        "cost": found.cost(study).as_json(),
    }
