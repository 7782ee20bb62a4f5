"""How large a study has to be: a pilot's ratings of two systems, and what larger studies would find.

The chart of a plan: power and the width of the difference's interval by items, a line for each number of raters.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import attrs
import numpy as np

from rubrica.core.errors import wrong
from rubrica.core.ratings import Ratings
from rubrica.report.charts import PALETTE, chart_library, chart_title, write_chart
from rubrica.report.comparison_measures import NO_SYSTEM, Measure, measures_of
from rubrica.report.crowd_reliability import Price
from rubrica.report.tables import DECIMAL, PERCENT, WHOLE, Column, Table
from rubrica.stats.planning import Components, Expected, Pilot, components, expected
from rubrica.stats.statistic import Statistic


@attrs.frozen(kw_only=True)
class Sizes:
    """Which studies are tried: numbers of items and of raters, and how many simulations of each."""

    items: tuple[int, ...] = (50, 100, 200)
    raters: tuple[int, ...] = (1, 2, 3, 5)
    replicates: int = 2000
    alpha: float = 0.05
    seed: int = 0


@attrs.frozen(eq=False)
class Planned:
    """One criterion: what its pilot varies by, the effect that is looked for, and what each study would find."""

    measure: Measure
    components: Components
    effect: Statistic
    studies: tuple[Expected, ...]


@attrs.frozen(eq=False)
class Plan:
    """All criteria of a pilot. ``systems`` are those that are compared; one alone has no differences."""

    systems: tuple[str, ...]
    planned: tuple[Planned, ...]
    sizes: Sizes
    price: Price | None
    signature: str

    def cost(self, study: Expected) -> Statistic:
        """What a study costs: every text under each of the systems by every rater."""
        if self.price is None:
            return Statistic(None, "no price is known: give --price")
        return Statistic(float(self.price.of(study.items * study.raters * len(self.systems))))


def compared_systems(ratings: Ratings, wanted: Sequence[str]) -> tuple[str, ...]:
    """The two systems that are compared: those wanted, else the first two. Raises InputError if there is no such."""
    known = [system or NO_SYSTEM for system in ratings.systems]
    if not wanted:
        return tuple(known[:2])
    unknown = [name for name in wanted if name not in known]
    if unknown or len(set(wanted)) != 2:
        what = f"there is no system {unknown[0]!r}" if unknown else "a difference is between two systems"
        raise wrong(what, "system", f"Give two of: {', '.join(known)}.", value=",".join(wanted))
    return tuple(wanted)


def planned_measures(ratings: Ratings) -> list[Measure]:
    """What can be planned: the tested figure of each criterion, if it is one of ratings."""
    return [measure for measure in measures_of(ratings) if measure.main and measure.per == "ratings"]


def plan_each(ratings: Ratings, systems: Sequence[str], sizes: Sizes, effect: float | None) -> Iterator[Planned]:
    """Simulate every criterion in turn. Without an effect it is the one that the pilot shows."""
    for measure in planned_measures(ratings):
        found = components(_pilot(ratings, measure, systems))
        looked_for = Statistic(effect) if effect is not None else found.difference
        studies = [
            expected(
                found,
                looked_for.value,
                items,
                raters,
                replicates=sizes.replicates,
                alpha=sizes.alpha,
                seed=sizes.seed,
            )
            for items in sizes.items
            for raters in sizes.raters
        ]
        yield Planned(measure, found, looked_for, tuple(studies))


def _pilot(ratings: Ratings, measure: Measure, systems: Sequence[str]) -> Pilot:
    """The scores of each text under both systems, texts in the order of their names."""
    scores: dict[tuple[str, str], dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    ratings = ratings.credited
    for rating in ratings.counted_on(measure.criterion):
        unit = ratings.units[rating.unit]
        score, counted = measure.count([rating])
        if counted and (unit.system or NO_SYSTEM) in systems:
            scores[unit.dataset, unit.source or unit.key][unit.system or NO_SYSTEM].append(float(score))
    rows = [scores[source] for source in sorted(scores)]
    columns = [tuple(np.array(sorted(row.get(system, []))) for row in rows) for system in systems]
    return Pilot(*columns) if columns else Pilot(())


def plan_table(plan: Plan, points: bool = True) -> Table:
    """Each study with its widths, power and cost; shares in ``points`` of 100 for people, from 0 to 1 for programs."""
    rows = [
        (
            one.measure.title,
            study.items,
            study.raters,
            study.items * study.raters * len(plan.systems),
            _scaled(study.width_mean, one.measure, points),
            _scaled(study.width_difference, one.measure, points),
            _scaled(one.effect, one.measure, points),
            study.power,
            plan.cost(study),
        )
        for one in plan.planned
        for study in one.studies
    ]
    currency = f" ({plan.price.currency})" if plan.price and plan.price.currency else ""
    pair = " and ".join(plan.systems)
    note = (
        f"Simulated from the pilot's ratings of {pair}, {plan.sizes.replicates:,} studies each. Widths of 95 % "
        "intervals from end to end; shares in points. Power in per cent: the chance to find the effect in a paired "
        f"test at {plan.sizes.alpha:g}. Raters are drawn anew for every rewrite."
    )
    return Table(
        "plan",
        "What larger studies would find",
        (
            Column("figure", "figure"),
            Column("items", "items", WHOLE),
            Column("raters", "raters", WHOLE),
            Column("ratings", "ratings", WHOLE),
            Column("width_mean", "width, mean", DECIMAL, 2),
            Column("width_difference", "width, difference", DECIMAL, 2),
            Column("effect", "effect", DECIMAL, 2),
            Column("power", "power", PERCENT, 0),
            Column("cost", f"cost{currency}", DECIMAL, 2),
        ),
        tuple(rows),
        note,
        plan.signature,
    )


def variance_table(plan: Plan) -> Table:
    """What makes the pilot's ratings vary."""
    rows = [
        (one.measure.title, found.within, found.between, found.gap, found.difference)
        for one in plan.planned
        for found in (one.components,)
    ]
    return Table(
        "variances",
        "What ratings of the pilot vary by",
        (
            Column("figure", "figure"),
            Column("within", "raters of a rewrite", DECIMAL, 4),
            Column("between", "texts", DECIMAL, 4),
            Column("gap", "difference from text to text", DECIMAL, 4),
            Column("difference", "observed difference", DECIMAL, 4),
        ),
        tuple(rows),
        "Variances, by analysis of variance; shares are from 0 to 1.",
        plan.signature,
    )


def _scaled(value: Statistic, measure: Measure, points: bool) -> Statistic:
    return Statistic(100 * value.value) if points and measure.percent and value.value is not None else value


WIDTH, HEIGHT = 300, 220
PANELS = (("width_mean", "width, mean"), ("width_difference", "width, difference"), ("power", "power"))


def write_plan_chart(plan: Plan, folder: Path) -> list[Path]:
    """Write the chart; returns its files. Raises InputError without the libraries that draw."""
    alt = chart_library()
    rows = chart_rows(plan)
    return write_chart(plan_chart(alt, plan, rows), folder, "plan", rows)


def chart_rows(plan: Plan) -> list[dict[str, Any]]:
    """A row for each criterion and study; what is undefined is empty."""
    return [
        {
            "figure": one.measure.title,
            "items": study.items,
            "raters": study.raters,
            **{name: getattr(study, name).value for name, _ in PANELS},
            "cost": plan.cost(study).value,
        }
        for one in plan.planned
        for study in one.studies
    ]


def plan_chart(alt: Any, plan: Plan, rows: list[dict[str, Any]]) -> Any:
    """A row of panels for each criterion, made with altair."""
    lines = [
        alt.hconcat(*(_panel(alt, plan, [row for row in rows if row["figure"] == one], *panel) for panel in PANELS))
        for one in dict.fromkeys(row["figure"] for row in rows)
    ]
    title = chart_title(alt, "What larger studies would find", plan.signature)
    return alt.vconcat(*lines, title=title).resolve_scale(color="shared").configure_view(stroke=None)


def _panel(alt: Any, plan: Plan, rows: list[dict[str, Any]], name: str, title: str) -> Any:
    numbers = [str(number) for number in plan.sizes.raters]
    power = {"scale": alt.Scale(domain=[0, 1]), "axis": alt.Axis(format="%")} if name == "power" else {}
    heading = rows[0]["figure"] if rows else ""
    values = [{**row, "raters": str(row["raters"])} for row in rows if row[name] is not None]
    return (
        alt.Chart(alt.Data(values=values), width=WIDTH, height=HEIGHT, title=f"{heading}: {title}")
        .mark_line(point=True, strokeWidth=2)
        .encode(
            x=alt.X("items:Q", title="items", scale=alt.Scale(zero=False)),
            y=alt.Y(f"{name}:Q", title=title, **power),
            color=alt.Color(
                "raters:N", title="raters", sort=numbers, scale=alt.Scale(domain=numbers, range=_colours(len(numbers)))
            ),
            strokeDash=alt.StrokeDash("raters:N", title="raters", sort=numbers, scale=alt.Scale(domain=numbers)),
            tooltip=["items:Q", "raters:N", alt.Tooltip(f"{name}:Q", format=".3f")],
        )
    )


def _colours(number: int) -> list[str]:
    return [PALETTE[place % len(PALETTE)] for place in range(number)]
