"""Outputs grouped by how many of their raters gave a verdict, and a sample of each group for an expert.

Section 6 of Zhang et al. 2020: with three ratings an output is in one of four groups, from 0 to 3 of 3 *correct*. An
expert judges two of each group, data set and system, without knowing the group.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

import attrs

from rubrica.core.answers import Answer
from rubrica.core.errors import wrong
from rubrica.core.ratings import VERDICT, YES_NO, Criterion, Rating, Ratings, given

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
