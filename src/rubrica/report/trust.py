"""Whether a study can be trusted so far: agreement, checks passed and failed, findings that deserve a look.

Nothing is computed here. ``agreement_percent`` and ``checks`` are asked with the ratings of each stage, as `rubrica
agree`, `rubrica check` and the report ask them; this puts their answers together, by the names of raters.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Set
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import attrs

from rubrica.core.ratings import GOLD, Ratings

if TYPE_CHECKING:
    from rubrica.report.agreement_percent import Percent, Percents
    from rubrica.report.checks import Checked
    from rubrica.report.checks_findings import Finding
    from rubrica.report.checks_planted import PlantedCheck


class Checks(NamedTuple):
    """Answers to items with known answers that were right, and to hidden duplicates that were the same again."""

    right: int = 0
    graded: int = 0
    same: int = 0
    compared: int = 0

    def __add__(self, other: object) -> Checks:
        assert isinstance(other, Checks)
        return Checks(*(one + two for one, two in zip(self, other, strict=True)))


class StageFigures(NamedTuple):
    """The figures of one stage; ``fixed`` counts answers that a rule fixed, which they leave out.

    ``sample`` is how many judgements they are from, where that is not all.
    """

    agreement: Percents
    checked: Checked
    fixed: int
    sample: int = 0


def figures_of(ratings: Ratings) -> StageFigures:
    """The figures of these ratings. What computes is loaded here and not with the studio, which would start slower."""
    from rubrica.report.agreement_percent import percent_agreement
    from rubrica.report.checks import check

    return StageFigures(percent_agreement(ratings), check(ratings), sum(ratings.fixed_answers.values()))


def drawn_items(of_item: Mapping[int, int], always: Set[int], seed: int, most: int) -> Set[int]:
    """Items with at most so many judgements together, as the seed draws them; planted ones and what they repeat always.

    ``of_item`` are judgements by item. One that was drawn stays while others come, so that figures do not jump about.
    """
    drawn = {*always}
    room = most - sum(of_item.get(item, 0) for item in drawn)
    for item in sorted(of_item.keys() - drawn, key=lambda item: zlib.crc32(f"{seed}:{item}".encode())):
        if of_item[item] <= room:
            room -= of_item[item]
            drawn.add(item)
    return drawn


@attrs.frozen(eq=False)
class Trust:
    """A study's figures, by stage. Agreement is of annotators who are not excluded, on plain items."""

    stages: Mapping[int, StageFigures]

    @cached_property
    def questions(self) -> dict[tuple[int, str], Percent]:
        """Agreement on each question of each stage."""
        return {
            (stage, name): one for stage, own in self.stages.items() for name, one in own.agreement.questions.items()
        }

    @cached_property
    def with_others(self) -> dict[str, Percent]:
        """Each rater's agreement with the others, all questions and stages together."""
        found: dict[str, Percent] = {}
        for own in self.stages.values():
            for name, percent in own.agreement.raters.items():
                found[name] = found[name] + percent if name in found else percent
        return found

    @cached_property
    def planted(self) -> dict[str, list[tuple[int, PlantedCheck]]]:
        """Each rater's judgements of planted items, with the stage."""
        found: dict[str, list[tuple[int, PlantedCheck]]] = {}
        for stage, own in self.stages.items():
            for check in own.checked.planted:
                found.setdefault(check.rating.rater, []).append((stage, check))
        return found

    @cached_property
    def findings(self) -> dict[str, list[tuple[int, Finding]]]:
        """What was found unusual about each rater, with the stage."""
        found: dict[str, list[tuple[int, Finding]]] = {}
        for stage, own in self.stages.items():
            for finding in own.checked.unusual:
                found.setdefault(finding.rater, []).append((stage, finding))
        return found

    @property
    def fixed(self) -> int:
        """How many answers a rule fixed, which all figures leave out."""
        return sum(own.fixed for own in self.stages.values())

    @property
    def sample(self) -> int:
        """How many judgements the figures of large stages are from; 0 if all are from all."""
        return sum(own.sample for own in self.stages.values())

    def checks_of(self, *names: str) -> Checks:
        """The sum of these raters' checks."""
        total = Checks()
        for _, check in (pair for name in names for pair in self.planted.get(name, ())):
            counts = check.right, len(check.every)
            total += Checks(*counts, 0, 0) if check.rating.planted == GOLD else Checks(0, 0, *counts)
        return total

    def found(self, name: str, check: str) -> bool:
        """Whether something unusual was found of a rater at this check."""
        return any(finding.check == check for _, finding in self.findings.get(name, ()))

    def untold(self, name: str) -> list[tuple[int, str]]:
        """By stage, why it cannot be told of a rater whether anything is unusual."""
        return [
            (stage, one.reason)
            for stage, own in self.stages.items()
            if name not in own.checked.clear
            for one in own.checked.untold
            if name in one.raters
        ]
