"""Outputs grouped by how many of their raters gave a verdict, and a sample of each group for an expert.

Section 6 of Zhang et al. 2020: with three ratings an output is in one of four groups, from 0 to 3 of 3 *correct*. An
expert judges two of each group, data set and system, without knowing the group.

How far the verdict of a crowd can be trusted, in distributions, sentences, tables and money. Figure 1 of Zhang et al.
2020: the density of the expert's share for each group of outputs.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any, NamedTuple

import attrs

from rubrica.core.answers import Answer
from rubrica.core.errors import wrong
from rubrica.core.ratings import VERDICT, YES_NO, Criterion, Rating, Ratings, given
from rubrica.report.charts import PALETTE, chart_library, titled, with_style, write_chart
from rubrica.report.tables import DECIMAL, PERCENT, WHOLE, Column, Table
from rubrica.stats.reliability import UNANIMOUS, ExpertShare, Reliability, expert_share, fewer_raters
from rubrica.stats.statistic import Statistic

USUAL = "correct"


class Verdict(NamedTuple):
    """A question or verdict, and the answer that counts."""

    criterion: Criterion
    answer: Answer

    @property
    def name(self) -> str:
        """How sentences call it: ``correct``, or the question with its answer."""
        plain = self.criterion.kind == VERDICT or self.answer == "yes"
        return self.criterion.label if plain else f"{self.criterion.label}: {self.answer}"

    def of(self, rating: Rating) -> bool | None:
        """Whether a rating has the answer; None if it has none."""
        answer = given(rating, self.criterion.id)
        return None if answer is None else answer == self.answer


@attrs.frozen
class Grouped:
    """The group of each output with the right number of ratings; how many others there are, by their number."""

    raters: int
    groups: Mapping[str, int]
    left_out: Mapping[int, int]

    def sizes(self) -> list[int]:
        """How many outputs each group has, from 0 correct to all."""
        counts = Counter(self.groups.values())
        return [counts[group] for group in range(self.raters + 1)]


def find_verdict(ratings: Ratings, wanted: str) -> Verdict:
    """``NAME`` or ``NAME=ANSWER``; without either the verdict *correct*, or the only one.

    Raises InputError if there is none, or if it is not known which answer counts.
    """
    name, _, answer = wanted.partition("=")
    criterion = ratings.criterion(name) if name else _usual(ratings)
    if answer:
        for value in criterion.values:
            if str(value) == answer:
                return Verdict(criterion, value)
        known = ", ".join(map(str, criterion.values)) or "none that can be listed"
        raise wrong(f"{criterion.id!r} has no answer {answer!r}", "verdict", f"Answers: {known}.", value=answer)
    good = criterion.good if criterion.kind in (VERDICT, YES_NO) else None
    usual: tuple[Answer | None, ...] = (good, "yes", 1)
    for candidate in usual:
        if candidate is not None and candidate in criterion.values and len(criterion.values) <= 2:
            return Verdict(criterion, candidate)
    if not criterion.values:
        what = f"{criterion.id!r} has no answers that could be listed: nobody answered it, or with too many numbers"
        raise wrong(what, "verdict", "Give a question with few answers.", value=criterion.id)
    fix = f"Say it: --verdict {criterion.id}=ANSWER, one of {', '.join(map(str, criterion.values))}."
    raise wrong(f"which answer to {criterion.id!r} counts is not known", "verdict", fix, value=criterion.id)


def _usual(ratings: Ratings) -> Criterion:
    verdicts = [criterion for criterion in ratings.criteria if criterion.kind == VERDICT]
    named = [criterion for criterion in ratings.criteria if criterion.id == USUAL]
    if named or len(verdicts) == 1:
        return (named or verdicts)[0]
    known = ", ".join(criterion.id for criterion in ratings.criteria if criterion.comparable)
    raise wrong("which verdict is meant is not said", "verdict", f"Give --verdict NAME[=ANSWER]; there are: {known}.")


def group_outputs(ratings: Ratings, verdict: Verdict, raters: int, experts: Collection[str] = ()) -> Grouped:
    """The groups of outputs with exactly so many ratings of people who are no experts."""
    votes: dict[str, list[bool]] = defaultdict(list)
    for rating in ratings.counted:
        said = verdict.of(rating)
        if rating.rater not in experts and said is not None:
            votes[rating.unit].append(said)
    groups = {unit: sum(said) for unit, said in votes.items() if len(said) == raters}
    left_out = Counter(len(said) for said in votes.values() if len(said) != raters)
    return Grouped(raters, groups, dict(sorted(left_out.items())))


def sample_outputs(ratings: Ratings, grouped: Grouped, per: int, seed: int) -> list[str]:
    """Outputs for an expert: so many of each group, data set and system, or all where there are fewer.

    In random order, so that neighbours say nothing about the group; the same for the same seed, whatever the order of
    the ratings.
    """
    cells: dict[tuple[int, str, str], list[str]] = defaultdict(list)
    for unit, group in grouped.groups.items():
        of = ratings.units[unit]
        cells[group, of.dataset, of.system].append(unit)
    generator = random.Random(seed)
    chosen = [
        unit for cell in sorted(cells) for unit in generator.sample(sorted(cells[cell]), min(per, len(cells[cell])))
    ]
    generator.shuffle(chosen)
    return chosen


class ExpertVerdicts(NamedTuple):
    """What experts said of outputs, and of how many they were of two minds."""

    verdicts: Mapping[str, bool]
    ties: int


class Experts(NamedTuple):
    """What experts said of outputs of the crowd; ``names`` are those of them who are among the crowd's raters.

    ``origin`` is what a signature says of them.
    """

    said: tuple[Rating, ...]
    names: tuple[str, ...] = ()
    origin: str = ""


def anonymous_experts(experts: Experts, known: Mapping[str, str]) -> Experts:
    """The same without anybody's name; ``known`` are the aliases of raters."""
    origin = "+".join(known.get(part, part) for part in experts.origin.split("+"))
    said = tuple(attrs.evolve(rating, rater="expert") for rating in experts.said)
    return Experts(said, tuple(known[name] for name in experts.names), origin)


def usual_raters(ratings: Ratings, verdict: Verdict, experts: Collection[str] = ()) -> int:
    """How many ratings most outputs have that are not an expert's, the larger number of two; 0 without any."""
    votes = Counter(
        rating.unit for rating in ratings.counted if rating.rater not in experts and verdict.of(rating) is not None
    )
    sizes = Counter(votes.values())
    return max(sizes, key=lambda size: (sizes[size], size), default=0)


def expert_verdicts(ratings: Iterable[Rating], verdict: Verdict) -> ExpertVerdicts:
    """By output, what most experts said; outputs on which they are divided evenly have no verdict."""
    votes: dict[str, list[bool]] = defaultdict(list)
    for rating in ratings:
        said = verdict.of(rating)
        if said is not None:
            votes[rating.unit].append(said)
    decided = {unit: 2 * sum(said) > len(said) for unit, said in votes.items() if 2 * sum(said) != len(said)}
    return ExpertVerdicts(decided, len(votes) - len(decided))


def neutral_keys(units: Sequence[str]) -> dict[str, str]:
    """Keys that say nothing: numbers in the order of the sample, by output."""
    width = len(str(len(units)))
    return {unit: f"e{number:0{width}d}" for number, unit in enumerate(units, start=1)}


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
