"""The figures of a report, computed once: sections put them into words, tables and charts."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

import attrs

from rubrica.core.human_rewrites import HumanRewrites
from rubrica.core.ratings import VERDICT, Criterion
from rubrica.report.agreement import Agreement, Asked, agreement
from rubrica.report.agreement_parts import Disputed, RaterAgreement, disputed, per_rater, per_system
from rubrica.report.checks import Checked, check
from rubrica.report.checks_findings import Finding
from rubrica.report.comparison import Choices as Comparing
from rubrica.report.comparison import Comparison, compare
from rubrica.report.correlation import Choices as Correlating
from rubrica.report.correlation import Correlations, by_people, prepared, rated_units, registered_scores
from rubrica.report.correlation_data import people_scores
from rubrica.report.crowd_reliability import (
    CONFIDENCE,
    CrowdReliability,
    crowd_reliability,
    expert_verdicts,
    find_verdict,
    group_outputs,
    usual_raters,
)
from rubrica.report.distributions import Distribution, countable, distributions
from rubrica.report.edit_comparison import compare_edits
from rubrica.report.metrics_beside_people import BesidePeople, beside_people
from rubrica.report.sections.section import Subject

MEASURES = ("alpha", "percent")
"""What agreement is measured by: what suits every scale, and what everybody understands."""
FEW_RATERS = 12
"""Up to so many, each annotator's agreement with the rest has an interval; of more, it would take minutes."""
MOST_RATERS = 60
"""With more annotators than this, each against the rest says little and costs much."""
MOST_DISPUTED = 200


@attrs.define(eq=False, slots=False)
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
        return Asked(measures=MEASURES, replicates=self.subject.choices.replicates, seed=self.subject.choices.seed)

    @cached_property
    def agreement(self) -> list[Agreement]:
        """Agreement on each question, by the measure that suits it."""
        ratings = self.subject.ratings
        asked = attrs.evolve(ratings, criteria=tuple(one for one in ratings.criteria if one.kind != VERDICT))
        return agreement(asked, self.agreement_asked) if ratings.counted else []

    @cached_property
    def verdict_agreement(self) -> list[Agreement]:
        """Agreement on verdicts, over all judgements that decide one: leaving an item may be a verdict, too."""
        ratings = self.subject.ratings
        verdicts = attrs.evolve(ratings, criteria=tuple(one for one in ratings.criteria if one.kind == VERDICT))
        return agreement(verdicts, self.agreement_asked) if ratings.standing else []

    @cached_property
    def per_rater(self) -> list[RaterAgreement]:
        """Each annotator against the rest, on questions; nothing where there are fewer than three, or very many."""
        ratings = self.subject.ratings
        if not 3 <= len(self._people) <= MOST_RATERS:
            return []
        asked = attrs.evolve(ratings, criteria=tuple(one for one in ratings.criteria if one.kind != VERDICT))
        return per_rater(asked, self.rater_asked)

    @cached_property
    def rater_asked(self) -> Asked:
        """How each annotator's agreement with the rest is measured: with an interval if there are few of them."""
        few = len(self._people) <= FEW_RATERS
        return attrs.evolve(self.alpha_asked, replicates=self.subject.choices.replicates if few else 0)

    @cached_property
    def _people(self) -> set[str]:
        return {rating.rater for rating in self.subject.ratings.counted}

    @cached_property
    def per_system(self) -> list[Agreement]:
        """Agreement on the items of each system; nothing where there is only one."""
        ratings = self.subject.ratings
        return per_system(ratings, self.alpha_asked) if len(ratings.systems) > 1 else []

    @cached_property
    def alpha_asked(self) -> Asked:
        """How agreement is measured where one measure is enough."""
        return attrs.evolve(self.agreement_asked, measures=MEASURES[:1])

    @cached_property
    def human(self) -> HumanRewrites:
        """The systems whose rewrites are people's: metrics are not held against those."""
        return self.subject.ratings.human(self.subject.choices.human)

    @cached_property
    def beside_people(self) -> list[BesidePeople]:
        """Registered metrics beside people, on questions; nothing where there are none."""
        ratings, chosen = self.subject.ratings, self.subject.choices
        asked = attrs.evolve(ratings, criteria=tuple(one for one in ratings.criteria if one.kind != VERDICT))
        return beside_people(asked, human=self.human.left_out, replicates=chosen.replicates, seed=chosen.seed)

    @cached_property
    def correlations(self) -> Correlations | None:
        """Metrics against people, as `rubrica correlate` has them; None without metrics or numbers to correlate."""
        chosen, ratings = self.subject.choices, by_people(self.subject.ratings)
        people = people_scores(ratings)
        rated = rated_units(ratings, people)
        beside = self.subject.beside or registered_scores(ratings, rated)
        left = [unit for unit in rated if unit.system not in self.human.left_out and unit.key in beside.joined.scores]
        if not left:
            return None
        choices = Correlating(
            replicates=chosen.replicates,
            seed=chosen.seed,
            human=self.human.left_out,
            lower=beside.lower,
            compare=False,
        )
        return prepared(ratings.sign, people, rated, beside, choices).correlate()

    @cached_property
    def reliability(self) -> CrowdReliability | None:
        """How far the crowd can be trusted, by a sample that experts judged; None where nobody did."""
        experts, ratings, seed = self.subject.experts, self.subject.ratings, self.subject.choices.seed
        if experts is None or not experts.said:
            return None
        named = find_verdict(ratings, "")
        verdict = named._replace(criterion=attrs.evolve(named.criterion, label=named.criterion.label.lower()))
        raters = usual_raters(ratings, verdict, experts.names)
        if not raters:
            return None
        return crowd_reliability(
            verdict,
            group_outputs(ratings, verdict, raters, experts.names),
            expert_verdicts(experts.said, verdict),
            seed=seed,
            price=self.subject.price,
            signature=ratings.sign(
                confidence=CONFIDENCE,
                expert=experts.origin,
                raters=raters,
                reliability=f"{verdict.criterion.id}={verdict.answer}",
                seed=seed,
            ),
        )

    @cached_property
    def disputed(self) -> list[Disputed]:
        """The most disputed items of each question; enough of them to rank items over all questions."""
        return disputed(self.subject.ratings, max(MOST_DISPUTED, self.subject.choices.disputed))

    @cached_property
    def checked(self) -> Checked:
        """Every annotator at every check. Texts that annotators typed are taken out: they may name somebody."""
        found = check(self.subject.ratings)
        return attrs.evolve(found, findings=tuple(map(_without_texts, found.findings)))

    @cached_property
    def comparison(self) -> Comparison | None:
        """Systems side by side, by their edits where edits are marked; None without a judgement."""
        chosen, edits = self.subject.choices, self.subject.edits
        if not self.subject.ratings.counted:
            return None
        choices = Comparing(replicates=chosen.replicates, seed=chosen.seed)
        if edits is not None and edits.stages:
            return compare_edits(edits, list(edits.stages)[-1], choices)
        return compare(self.subject.ratings, choices, self.subject.scores)

    def compute(self, tell: Callable[[], None]) -> None:
        """Compute everything now, saying so after each step."""
        for name in STEPS:
            getattr(self, name)
            tell()


STEPS = (
    "distributions",
    "agreement",
    "verdict_agreement",
    "per_rater",
    "per_system",
    "beside_people",
    "correlations",
    "reliability",
    "disputed",
    "checked",
    "comparison",
)


def _without_texts(finding: Finding) -> Finding:
    known = {name: value for name, value in finding.evidence.items() if name != "texts"}
    return attrs.evolve(finding, evidence=known)
