"""How far the verdict of a crowd can be trusted, in distributions, sentences, tables and money.

Figure 1 of Zhang et al. 2020: the density of the expert's share for each group of outputs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

import attrs

from rubrica.report.charts import PALETTE, chart_library, titled, with_style, write_chart
from rubrica.report.crowd_verdicts import ExpertVerdicts, Grouped, Verdict
from rubrica.report.tables import DECIMAL, PERCENT, WHOLE, Column, Table
from rubrica.stats.reliability import UNANIMOUS, ExpertShare, Reliability, expert_share, fewer_raters
from rubrica.stats.statistic import Statistic

CONFIDENCE = 0.9
"""Of the one-sided bounds, as in the paper."""


@attrs.frozen(kw_only=True)
class Price:
    """What one rating costs: its price and the platform's percentage on top. ``currency`` may be empty."""

    rating: Decimal
    fee_percent: Decimal = Decimal(0)
    currency: str = ""

    def of(self, ratings: int) -> Decimal:
        """What so many ratings cost, fee included."""
        return ratings * self.rating * (1 + self.fee_percent / 100)


@attrs.frozen
class Group:
    """Outputs of which ``said`` of ``of`` raters gave the verdict, and what an expert thinks of them."""

    said: int
    of: int
    outputs: int
    share: ExpertShare


@attrs.frozen
class CrowdReliability:
    """Everything about one verdict: its groups, and what each number of raters would be worth and cost."""

    verdict: Verdict
    confidence: float
    groups: tuple[Group, ...]
    by_raters: tuple[Reliability, ...]
    left_out: Mapping[int, int]
    ties: int
    price: Price | None
    signature: str = ""

    def sentences(self) -> list[str]:
        """What the bounds mean in words, for unanimous crowds."""
        sure = f"at {100 * self.confidence:g} % confidence"
        name = f"*{self.verdict.name}*"
        first, last = self.groups[0], self.groups[-1]
        found = []
        if last.share.above.value is not None:
            more = f"more than {100 * last.share.above.value:.0f} %"
            crowd = f"When {last.said} of {last.of} say {name}"
            found.append(f"{crowd}, an expert agrees in {more} of the outputs, {sure}.")
        if first.share.below.value is not None:
            less = f"less than {100 * first.share.below.value:.0f} %"
            found.append(f"When {first.said} of {first.of} say {name}, an expert says it in {less}, {sure}.")
        return found


def crowd_reliability(
    verdict: Verdict,
    grouped: Grouped,
    experts: ExpertVerdicts,
    *,
    confidence: float = CONFIDENCE,
    seed: int = 0,
    price: Price | None = None,
    signature: str = "",
) -> CrowdReliability:
    """Put the crowd's groups and the expert's verdicts together; outputs outside the groups are not counted."""
    sizes = grouped.sizes()
    judged, correct = [0] * len(sizes), [0] * len(sizes)
    for unit, said in experts.verdicts.items():
        if unit in grouped.groups:
            judged[grouped.groups[unit]] += 1
            correct[grouped.groups[unit]] += said
    return CrowdReliability(
        verdict,
        confidence,
        tuple(
            Group(said, grouped.raters, size, expert_share(correct[said], judged[said], confidence))
            for said, size in enumerate(sizes)
        ),
        tuple(fewer_raters(sizes, correct, judged, confidence=confidence, seed=seed)),
        grouped.left_out,
        experts.ties,
        price,
        signature,
    )


def group_table(found: CrowdReliability) -> Table:
    """Each group with its counts, the mean of the expert's share, and both one-sided bounds."""
    rows = [
        (
            f"{group.said} of {group.of}",
            group.outputs,
            group.share.judged,
            group.share.correct,
            group.share.mean,
            group.share.above,
            group.share.below,
        )
        for group in found.groups
    ]
    sure = f"{100 * found.confidence:g} %"
    left = sum(found.left_out.values())
    note = (
        f"Beta(k + 1, n − k + 1) of the expert's share; bounds one-sided at {sure}. Outputs with another number of "
        f"ratings, left out: {left}. Outputs on which experts were divided, left out: {found.ties}."
    )
    return Table(
        "reliability",
        f"How often an expert says {found.verdict.name}, by how many raters do",
        (
            Column("group", "raters"),
            Column("outputs", "outputs", WHOLE),
            Column("judged", "judged by expert", WHOLE),
            Column("correct", found.verdict.name, WHOLE),
            Column("mean", "mean %", PERCENT, 1),
            Column("above", f"more than % ({sure})", PERCENT, 1),
            Column("below", f"less than % ({sure})", PERCENT, 1),
        ),
        tuple(rows),
        note,
        found.signature,
    )


def raters_table(found: CrowdReliability) -> Table:
    """What the verdict of each number of raters is worth, and what it costs."""
    rows = [
        (
            one.raters,
            "all agree" if one.rule == UNANIMOUS else one.rule,
            one.yes,
            one.yes_agrees,
            one.yes_above,
            one.no,
            one.no_disagrees,
            one.no_below,
            one.right,
            one.undecided,
            cost(found, one.raters),
        )
        for one in found.by_raters
    ]
    name, sure = found.verdict.name, f"{100 * found.confidence:g} %"
    currency = f" ({found.price.currency})" if found.price and found.price.currency else ""
    note = (
        f"In per cent. yes: the raters say {name}; no: they say that it is not. Computed by drawing that many of the "
        "raters of each output; undecided: raters who are split."
    )
    return Table(
        "raters",
        "How many raters per item buy which reliability",
        (
            Column("raters", "raters", WHOLE),
            Column("rule", "verdict"),
            Column("yes", "yes", PERCENT, 1),
            Column("yes_agrees", "expert agrees", PERCENT, 1),
            Column("yes_above", f"more than ({sure})", PERCENT, 1),
            Column("no", "no", PERCENT, 1),
            Column("no_disagrees", "expert says yes", PERCENT, 1),
            Column("no_below", f"less than ({sure})", PERCENT, 1),
            Column("right", "right", PERCENT, 1),
            Column("undecided", "undecided", PERCENT, 1),
            Column("cost", f"cost per item{currency}", DECIMAL, 3),
        ),
        tuple(rows),
        note,
        found.signature,
    )


def cost(found: CrowdReliability, raters: int) -> Statistic:
    """What so many ratings of an item cost; undefined without a price."""
    if found.price is None:
        return Statistic(None, "no price is known: give --price")
    return Statistic(float(found.price.of(raters)))


def reliability_json(found: CrowdReliability) -> dict[str, Any]:
    """Everything about the verdict, keyed as `rubrica reliability --json` prints it."""
    return {
        "verdict": {"criterion": found.verdict.criterion.id, "answer": found.verdict.answer},
        "confidence": found.confidence,
        "results": [
            {
                "group": group.said,
                "of": group.of,
                "outputs": group.outputs,
                "judged": group.share.judged,
                "correct": group.share.correct,
                "mean": group.share.mean.as_json(),
                "above": group.share.above.as_json(),
                "below": group.share.below.as_json(),
            }
            for group in found.groups
        ],
        "by_raters": [_by_raters(found, one) for one in found.by_raters],
        "sentences": found.sentences(),
        "left_out": [{"ratings": number, "outputs": size} for number, size in found.left_out.items()],
        "ties": found.ties,
    }


def _by_raters(found: CrowdReliability, one: Reliability) -> dict[str, Any]:
    shares = {name: getattr(one, name).as_json() for name in one._fields if name not in ("raters", "rule")}
    return {"raters": one.raters, "rule": one.rule, **shares, "cost": cost(found, one.raters).as_json()}


STEPS = 200
WIDTH, HEIGHT = 460, 260
DASHES = ([1, 0], [6, 3], [2, 2], [8, 3, 2, 3], [1, 3], [10, 4])
"""Lines differ by more than colour."""


def write_reliability_chart(found: CrowdReliability, folder: Path) -> list[Path]:
    """Write the chart; returns its files. Raises InputError without the libraries that draw."""
    alt = chart_library()
    rows = chart_rows(found)
    chart = alt.Chart.from_dict(reliability_chart(found, rows, found.signature))
    return write_chart(chart, folder, "crowd-reliability", rows)


def chart_rows(found: CrowdReliability) -> list[dict[str, Any]]:
    """The densities at even steps from 0 to 1; groups of which an expert judged none have none."""
    shares = [step / STEPS for step in range(STEPS + 1)]
    return [
        {"group": f"{group.said} of {group.of}", "share": share, "density": density}
        for group in found.groups
        if group.share.judged
        for share, density in zip(shares, group.share.density(shares), strict=True)
    ]


def reliability_chart(found: CrowdReliability, rows: Sequence[dict[str, Any]], below: str) -> dict[str, Any]:
    """A line for each group, as Vega-Lite, with a line ``below`` the title."""
    names = [f"{group.said} of {group.of}" for group in found.groups]
    legend = {"field": "group", "type": "nominal", "title": f"raters who say {found.verdict.name}"}
    colours = {"domain": names, "range": [PALETTE[place % len(PALETTE)] for place in range(len(names))]}
    dashes = {"domain": names, "range": [DASHES[place % len(DASHES)] for place in range(len(names))]}
    return with_style(
        {
            "title": titled(f"How often an expert says {found.verdict.name}", below),
            "width": WIDTH,
            "height": HEIGHT,
            "data": {"values": list(rows)},
            "mark": {"type": "line", "strokeWidth": 2},
            "encoding": {
                "x": {
                    "field": "share",
                    "type": "quantitative",
                    "title": "share of outputs",
                    "axis": {"format": "%"},
                    "scale": {"domain": [0, 1]},
                },
                "y": {"field": "density", "type": "quantitative", "title": "density"},
                "color": {**legend, "scale": colours},
                "strokeDash": {**legend, "scale": dashes},
            },
        }
    )
