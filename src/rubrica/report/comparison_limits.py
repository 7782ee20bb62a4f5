"""What a comparison of systems cannot tell: tests that no result could pass, and systems that other people rated.

The p-value of a permutation test has a least one: 2 / 2^n of all signs of n sources, of N random signs 1 / (N + 1).
Holm multiplies the least of m tests by m. Where that is not below the level, nothing could have been found, and saying
"not significant" would mislead. Differences between systems are paired by source, not by annotator: where a part of a
system's ratings is by people who rated no other system, they may be those people's.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from rubrica.core.ratings import Ratings
from rubrica.report.comparison_measures import NO_SYSTEM
from rubrica.report.comparison_tests import PairTest

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
