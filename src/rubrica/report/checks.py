"""Checks on annotators: what planted items and behaviour say of each, and how unusual that is among them.

Nothing is decided about anybody here. A finding names what was compared with what and shows its evidence; its p-value
is the chance that one of the other annotators would be as extreme (``stats.checks.peers``; of runs, that the order of
answers is by chance as well). All p-values of a study, of all annotators and checks, are corrected together after
Benjamini and Hochberg: of what is called unusual, the share that would be so by chance is expected to be below alpha.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable

import attrs

from rubrica.core.ratings import Ratings
from rubrica.report.checks_behaviour import fast, long_run, one_label, work_of
from rubrica.report.checks_findings import TOGETHER, Finding
from rubrica.report.checks_planted import consistency_findings, gold_findings
from rubrica.report.checks_texts import none_simpler, texts
from rubrica.report.checks_with_others import with_others
from rubrica.stats.significance.benjamini_hochberg import benjamini_hochberg

BEHAVIOUR = (one_label, long_run, with_others, fast, none_simpler, texts)
"""Every check of behaviour, in the order in which it is shown."""
_NUMBERS = re.compile(r"^\d+ (.*), and it takes (\d+)")
"""A reason that gives the number of one annotator; of many, only what it takes is said."""
ALPHA = 0.05
"""Adjusted p-values below this are unusual."""


@attrs.frozen
class Checked:
    """Every rater at every check, unusual ones first; why some could not be told; the signature."""

    findings: tuple[Finding, ...]
    remarks: tuple[str, ...]
    people: int
    tests: int
    alpha: float
    signature: str

    @property
    def unusual(self) -> tuple[Finding, ...]:
        """What deserves a look."""
        return tuple(finding for finding in self.findings if finding.unusual)


def check(ratings: Ratings, *, alpha: float = ALPHA, tell: Callable[[int], None] | None = None) -> Checked:
    """Run every check that there are data for. ``tell`` hears how many of them are done; models are not checked."""
    people = [name for name, rater in ratings.raters.items() if rater.kind == "person"]
    excluded = frozenset(name for name, rater in ratings.raters.items() if rater.excluded)
    work = work_of(ratings, people, excluded)
    found = gold_findings(ratings, people, excluded)
    found += consistency_findings(ratings, people, excluded)
    for done, behaviour in enumerate(BEHAVIOUR):
        if tell:
            tell(done + 1)
        found += behaviour(work)
    adjusted = benjamini_hochberg([finding.p for finding in found])
    findings = [
        attrs.evolve(finding, p_adjusted=p, unusual=p.value is not None and p.value < alpha)
        for finding, p in zip(found, adjusted, strict=True)
    ]
    order = sorted(findings, key=lambda one: (not one.unusual, one.p_adjusted.value or 0.0 if one.unusual else 0.0))
    tests = sum(finding.p.value is not None for finding in found)
    signed = ratings.sign(check="among peers", correction="benjamini_hochberg", alpha=alpha)
    return Checked(tuple(order), tuple(_untold(findings)), len(people), tests, alpha, signed)


def _untold(findings: list[Finding]) -> list[str]:
    """What could not be told, and of how many annotators, by check and reason."""
    reasons = Counter(
        (finding.check, _NUMBERS.sub(r"fewer than \2 \1", finding.p.reason))
        for finding in findings
        if finding.p.value is None and finding.p.reason != TOGETHER
    )
    return [f"{name}: {reason} ({number}x)" for (name, reason), number in reasons.items()]
