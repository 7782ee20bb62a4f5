"""Systems side by side: figures with intervals, paired tests, ranks.

Everything is computed from two sums for each source, system and figure. Sources are what is resampled: systems rewrote
the same ones, and ratings of one source hang together. Data sets are kept apart.

Which answer is the good one, where a file of ratings cannot say: then systems have ranks by its share.

What a comparison of systems cannot tell: tests that no result could pass, and systems that other people rated. The
p-value of a permutation test has a least one: 2 / 2^n of all signs of n sources, of N random signs 1 / (N + 1). Holm
multiplies the least of m tests by m. Where that is not below the level, nothing could have been found, and saying "not
significant" would mislead. Differences between systems are paired by source, not by annotator: where a part of a
system's ratings is by people who rated no other system, they may be those people's.
"""

from __future__ import annotations

import hashlib
import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

import attrs
import numpy as np
import numpy.typing as npt

from rubrica.core.answers import Answer
from rubrica.core.errors import InputError, Problem, wrong
from rubrica.core.ratings import CHOICE, SCALE, VERDICT, Rating, Ratings
from rubrica.core.study import ANSWERED
from rubrica.exchange.scores import NO_DATASET, SystemScore
from rubrica.report.comparison_measures import NO_SYSTEM, Measure, measures_of
from rubrica.report.comparison_tests import PairTest, Ranked, Tested, paired_tests, ranked
from rubrica.report.correlation_data import known_answer
from rubrica.report.tables import Estimate
from rubrica.stats.bootstrap import ratio_intervals, ratios

Real = npt.NDArray[np.float64]


@attrs.frozen(kw_only=True)
class Choices:
    """How to compare: resamples and permutations, their seed, the level of a significant difference.

    ``together`` corrects for all tests at once; otherwise for those of one figure in one data set.
    """

    replicates: int = 1000
    permutations: int = 10_000
    seed: int = 0
    alpha: float = 0.05
    together: bool = False

    def signed(self) -> dict[str, object]:
        """What a signature says of them."""
        return {
            "alpha": self.alpha,
            "bootstrap": self.replicates,
            "holm": "all" if self.together else "figure",
            "permutations": self.permutations,
            "seed": self.seed,
        }


@attrs.frozen(eq=False)
class Sums:
    """What was counted in one data set: by source, system and figure, above and below the line."""

    dataset: str
    systems: tuple[str, ...]
    sources: tuple[str, ...]
    above: Real
    below: Real
    ratings: tuple[int, ...]
    rewrites: tuple[int, ...]


@attrs.frozen
class SystemFigure:
    """A figure of a system on a data set. ``counted`` is how many ratings or rewrites it is made of."""

    dataset: str
    system: str
    measure: Measure
    estimate: Estimate
    counted: int
    ratings: int
    rewrites: int
    sources: int


@attrs.frozen(eq=False)
class Comparison:
    """Figures of every system, tests of every pair of systems, ranks; and what made them.

    ``remarks`` are sentences on what it cannot tell, ``scores`` those of metrics that stand beside it. ``left_out`` is
    how many sources a system has nothing of to be judged, by data set and system.
    """

    measures: tuple[Measure, ...]
    datasets: tuple[str, ...]
    figures: tuple[SystemFigure, ...]
    tests: tuple[PairTest, ...]
    ranks: tuple[Ranked, ...]
    choices: Choices
    signature: str
    remarks: tuple[str, ...] = ()
    scores: tuple[SystemScore, ...] = ()
    left_out: Mapping[tuple[str, str], int] = attrs.field(factory=dict)

    def score(self, dataset: str, system: str, metric: str) -> SystemScore | None:
        """The score of a metric on a data set. One of all data sets together is that of none of several."""
        own = {
            one.dataset or (NO_DATASET if one.items else ""): one
            for one in self.scores
            if (one.system, one.metric) == (system, metric)
        }
        return own.get(dataset or NO_DATASET) or (own.get("") if len(self.datasets) == 1 else None)

    @property
    def unplaced(self) -> str:
        """A sentence on metrics that say no data set where there are several: one figure cannot be that of each."""
        known = {(one.system, one.metric) for one in self.scores if one.dataset or one.items}
        lost = dict.fromkeys(one.metric for one in self.scores if (one.system, one.metric) not in known)
        if len(self.datasets) < 2 or not lost:
            return ""
        return (
            f"Of all data sets together, and so beside none of them: {', '.join(lost)}. `rubrica score --dataset "
            "COLUMN --per-system FILE` gives each data set its own."
        )

    def of(self, dataset: str, system: str, measure: Measure) -> SystemFigure | None:
        """One figure, if the system was rated on the data set."""
        return self.index.get((dataset, system, measure.id))

    @cached_property
    def index(self) -> dict[tuple[str, str, str], SystemFigure]:
        """Figures by data set, system and measure."""
        return {(one.dataset, one.system, one.measure.id): one for one in self.figures}

    def systems(self, dataset: str) -> list[str]:
        """Systems that were rated on a data set, in their order."""
        return list(dict.fromkeys(one.system for one in self.figures if one.dataset == dataset))


def compare(ratings: Ratings, choices: Choices | None = None, scores: Sequence[SystemScore] = ()) -> Comparison:
    """Compare the systems of these ratings, with ``scores`` of metrics beside them, which are not tested.

    Without any counted rating there is nothing in it.
    """
    chosen = choices or Choices()
    shared, ratings = _shared(ratings), ratings.credited
    measures = measures_of(ratings)
    signed = ratings.sign(**chosen.signed(), compare="systems", **_signed(scores))
    found = compare_sums(sums_of(ratings, measures), measures, chosen, signed)
    remarks = (*shared, *rated_apart(ratings), *found.remarks, *without_good(ratings))
    return attrs.evolve(found, remarks=remarks, scores=tuple(scores), left_out=_left_out(ratings))


def _shared(ratings: Ratings) -> list[str]:
    """A sentence on outputs that several systems made, if there are any."""
    judged = {rating.unit for rating in ratings.counted}
    number = sum(len(ratings.units[unit].systems) > 1 for unit in judged)
    text = (
        f"Made by several systems: {number:,} of {len(judged):,} outputs. Each was judged once and counts for all "
        "of them, so that judgements by system add up to more than were made."
    )
    return [text] if number else []


def _left_out(ratings: Ratings) -> dict[tuple[str, str], int]:
    """By data set and system, sources of which it has nothing to be judged while others have; none where all have."""
    sources: dict[tuple[str, str], set[str]] = defaultdict(set)
    for unit in {rating.unit for rating in ratings.counted}:
        one = ratings.units[unit]
        for system in one.left_out:
            sources[one.dataset, system].add(one.source or one.key)
    return {where: len(own) for where, own in sources.items()}


def compare_sums(every: Sequence[Sums], measures: Sequence[Measure], chosen: Choices, signature: str) -> Comparison:
    """Compare systems by what was counted of them, whatever that is: answers, or edits."""
    tests = paired_tests(
        [_tested(sums, measures) for sums in every],
        replicates=chosen.replicates,
        permutations=chosen.permutations,
        seed=chosen.seed,
        together=chosen.together,
    )
    unable = limits(
        tests,
        permutations=chosen.permutations,
        alpha=chosen.alpha,
        together=chosen.together,
    )
    return Comparison(
        tuple(measures),
        tuple(sums.dataset for sums in every),
        tuple(figure for sums in every for figure in _figures(sums, measures, chosen)),
        tuple(tests),
        tuple(rank for sums in every for rank in ranked(_tested(sums, measures), tests, chosen.alpha)),
        chosen,
        signature,
        tuple(unable),
    )


def _signed(scores: Sequence[SystemScore]) -> dict[str, object]:
    """What a signature says of scores beside the ratings: which, what they are, and what was left out for them."""
    if not scores:
        return {}
    told = [(one.dataset, one.system, one.metric, one.value, one.settings) for one in scores]
    return {
        "metrics": "+".join(dict.fromkeys(one.metric for one in scores)),
        "metric_scores": hashlib.sha256(repr(told).encode()).hexdigest()[:12],
        "own_refs_left_out": sum(one.left_out for one in scores) or None,
    }


def sums_of(ratings: Ratings, measures: Sequence[Measure]) -> list[Sums]:
    """What is counted, by data set; a source of the same name in another data set is another source.

    Judgements that left an item by a way out are among them, for a verdict may follow from that; a system that has no
    other judgement is left out.
    """
    by_unit: dict[str, list[Rating]] = defaultdict(list)
    for rating in ratings.standing:
        if ratings.units[rating.unit].system in ratings.systems:
            by_unit[rating.unit].append(rating)
    found = []
    for dataset in ratings.datasets:
        units = [unit for unit in by_unit if ratings.units[unit].dataset == dataset]
        found.append(_sums(ratings, dataset, {unit: by_unit[unit] for unit in units}, measures))
    return found


def _sums(ratings: Ratings, dataset: str, groups: dict[str, list[Rating]], measures: Sequence[Measure]) -> Sums:
    units = [ratings.units[unit] for unit in groups]
    systems = [system for system in ratings.systems if any(unit.system == system for unit in units)]
    # Sorted, so that a seed draws the same sources in whatever order ratings come.
    sources = {source: place for place, source in enumerate(sorted({unit.source or unit.key for unit in units}))}
    above = np.zeros((len(sources), len(systems), len(measures)))
    below = np.zeros_like(above)
    rated, rewrites = [0] * len(systems), [0] * len(systems)
    verdicts = {criterion.id for criterion in ratings.criteria if criterion.kind == VERDICT}
    for unit, group in zip(units, groups.values(), strict=True):
        source, system = sources[unit.source or unit.key], systems.index(unit.system)
        answered = [rating for rating in group if rating.outcome == ANSWERED]
        of = [measure.count(group if measure.criterion in verdicts else answered) for measure in measures]
        counted = np.array(of, dtype=float).reshape(-1, 2)
        above[source, system] += counted[:, 0]
        below[source, system] += counted[:, 1]
        rated[system] += len(answered)
        rewrites[system] += bool(answered)
    names = tuple(system or NO_SYSTEM for system in systems)
    return Sums(dataset, names, tuple(sources), above, below, tuple(rated), tuple(rewrites))


def _figures(sums: Sums, measures: Sequence[Measure], choices: Choices) -> list[SystemFigure]:
    flat = len(sums.sources), -1
    above, below = sums.above.reshape(flat), sums.below.reshape(flat)
    values = ratios(above, below)
    intervals = ratio_intervals(above, below, replicates=choices.replicates, seed=choices.seed)
    counted = below.sum(axis=0)
    rewritten = (sums.below.sum(axis=2) > 0).sum(axis=0)
    found = []
    for number, system in enumerate(sums.systems):
        for index, measure in enumerate(measures):
            place = number * len(measures) + index
            interval = intervals[place]
            estimate = Estimate(values[place], interval.low, interval.high)
            found.append(
                SystemFigure(
                    sums.dataset,
                    system,
                    measure,
                    estimate,
                    int(counted[place]),
                    sums.ratings[number],
                    sums.rewrites[number],
                    int(rewritten[number]),
                )
            )
    return found


def _tested(sums: Sums, measures: Sequence[Measure]) -> Tested:
    """The mean of each source under each system, for the figures that are tested; NaN where nothing was counted."""
    main = [index for index, measure in enumerate(measures) if measure.main]
    above, below = sums.above[:, :, main], sums.below[:, :, main]
    with np.errstate(divide="ignore", invalid="ignore"):
        means = np.where(below > 0, above / below, np.nan)
    return Tested(sums.dataset, sums.systems, tuple(measures[index] for index in main), means)


def with_good(ratings: Ratings, good: Mapping[str, str]) -> Ratings:
    """The same ratings with the good answer to these questions; the signature says so.

    Raises InputError with every question or answer that there is not, and every question that is a scale: there more
    is better.
    """
    if not good:
        return ratings
    known: dict[str, Answer] = {}
    problems: list[Problem] = []
    for name, answer in good.items():
        try:
            criterion = ratings.criterion(name)
            if criterion.kind == SCALE:
                fix = "Leave it out: of scales, more is better. --level nominal makes labels of numbers."
                raise wrong(f"{name} is a scale", "good", fix, value=answer)
            known[name] = known_answer(criterion, answer)
        except InputError as error:
            problems += error.problems
    if problems:
        raise InputError(*problems)
    criteria = tuple(attrs.evolve(one, good=known.get(one.id, one.good)) for one in ratings.criteria)
    named = "+".join(f"{name}={answer}" for name, answer in sorted(good.items()))
    return attrs.evolve(ratings, criteria=criteria, origin={**ratings.origin, "good": named})


def without_good(ratings: Ratings) -> Iterator[str]:
    """Choices of a file among which no answer is known as the good one, so that systems are not tested on them."""
    for criterion in ratings.criteria if ratings.protocol is None else ():
        if criterion.kind == CHOICE and criterion.good is None and len(criterion.values) > 2:
            yield (
                f"Systems are not tested on {criterion.id}: it is not known which answer is the good one "
                f"(--good {criterion.id}=ANSWER)."
            )


APART = 0.1
"""From this part of a system's ratings on it is said that they are by people who rated no other system."""


def limits(tests: Sequence[PairTest], *, permutations: int, alpha: float, together: bool) -> Iterator[str]:
    """Why tests could not have found anything, whatever the ratings; nothing if they could."""
    families: dict[tuple[str, str], list[PairTest]] = defaultdict(list)
    for test in tests:
        if test.permutation.value is not None:
            families[("", "") if together else (test.dataset, test.measure.id)].append(test)
    said = (one for family in families.values() for one in _limits(family, permutations, alpha))
    yield from dict.fromkeys(said)


def _limits(family: Sequence[PairTest], permutations: int, alpha: float) -> Iterator[str]:
    """Of tests that are corrected together."""
    many, most = len(family), max(test.sources for test in family)
    after = f", times {many} tests" if many > 1 else ""
    least = 2.0 ** (1 - most)
    if least * many >= alpha > 0:
        yield f"With {most} sources the permutation test cannot find anything: its least p is {least:.3g}{after}."
    elif permutations and not any(test.exact for test in family) and many / (permutations + 1) >= alpha > 0:
        yield (
            f"With {permutations:,} permutations the test cannot find anything: its least p is "
            f"{1 / (permutations + 1):.3g}{after}. It takes --permutations {math.ceil(many / alpha)}."
        )


def rated_apart(ratings: Ratings) -> Iterator[str]:
    """Systems of which a part of the ratings is by people who rated no other system of the data set."""
    raters: dict[str, dict[str, Counter[str]]] = defaultdict(lambda: defaultdict(Counter))
    for rating in ratings.counted:
        unit = ratings.units[rating.unit]
        raters[unit.dataset][unit.system or NO_SYSTEM][rating.rater] += 1
    for dataset, systems in raters.items():
        times = Counter(rater for own in systems.values() for rater in own)
        shares = {
            system: sum(number for rater, number in own.items() if times[rater] == 1) / own.total()
            for system, own in systems.items()
        }
        apart = [f"{system} ({share:.0%})" for system, share in shares.items() if share >= APART]
        if apart and len(systems) > 1:
            where = f" in {dataset}" if dataset else ""
            yield (
                f"Annotators who rated no other system gave a part of the ratings{where} of {', '.join(apart)}: "
                "differences may be theirs; a mixed-effects model (--mixed) takes annotators into account."
            )
