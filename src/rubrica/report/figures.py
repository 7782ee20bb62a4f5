"""The figures of a report, computed once: sections put them into words, tables and charts."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

import attrs

from rubrica.core.ratings import VERDICT, Criterion
from rubrica.report.agreement import Agreement, Asked, agreement
from rubrica.report.comparison import Choices as Comparing
from rubrica.report.comparison import Comparison, compare
from rubrica.report.distributions import Distribution, countable, distributions
from rubrica.report.sections.section import Subject


@attrs.frozen(eq=False)
class Figures:
    """What was computed about a subject. Each figure is computed when it is first asked for."""

    subject: Subject

    @cached_property
    def questions(self) -> list[Criterion]:
        """Questions whose answers can be counted, verdicts left out."""
        return [one for one in countable(self.subject.ratings.criteria) if one.kind != VERDICT]

    @cached_property
    def distributions(self) -> dict[str, list[Distribution]]:
        """How answers to each question are distributed, by system."""
        chosen = self.subject.choices
        return {
            one.id: distributions(self.subject.ratings, one, replicates=chosen.replicates, seed=chosen.seed)
            for one in self.questions
        }

    @cached_property
    def agreement_asked(self) -> Asked:
        """How agreement is measured."""
        return Asked(replicates=self.subject.choices.replicates, seed=self.subject.choices.seed)

    @cached_property
    def agreement(self) -> list[Agreement]:
        """Agreement on each question, by the measure that suits it."""
        return agreement(self.subject.ratings, self.agreement_asked) if self.subject.ratings.counted else []

    @cached_property
    def comparison(self) -> Comparison | None:
        """Systems side by side; None without a judgement."""
        chosen = self.subject.choices
        if not self.subject.ratings.counted:
            return None
        return compare(self.subject.ratings, Comparing(replicates=chosen.replicates, seed=chosen.seed))

    def compute(self, tell: Callable[[], None]) -> None:
        """Compute everything now, saying so after each step."""
        for name in STEPS:
            getattr(self, name)
            tell()


STEPS = ("distributions", "agreement", "comparison")
