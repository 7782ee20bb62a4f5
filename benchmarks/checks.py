"""How often `rubrica check` finds somebody who answers badly, and how often it calls an honest person unusual.

Simulated studies of a kind that the checks were not made on: units have a quality, honest people see it with a leniency
and a carefulness of their own that vary a lot, on scales of 1 to 5 and a yes or no. One person answers at random, gives
nearly always one answer, or hurries.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from benchmarks.report import Figure
from rubrica.core.ratings import NOMINAL, ORDINAL, SCALE, YES_NO, Criterion, Rater, Rating, Ratings, Unit
from rubrica.report.checks import check

SEED, STUDIES, UNITS, SHARE = 20261116, 40, 60, 0.7
CRITERIA = (
    Criterion("meaning", "meaning", SCALE, ORDINAL, (1, 2, 3, 4, 5), 5),
    Criterion("fluency", "fluency", SCALE, ORDINAL, (1, 2, 3, 4, 5), 5),
    Criterion("problem", "problem", YES_NO, NOMINAL, ("no", "yes"), "no"),
)
HONEST, RANDOM, ONE_ANSWER, HURRIED = "honest", "random", "one answer", "hurried"


def _study(rng: np.random.Generator, people: int, last: str) -> Ratings:
    """A study in which the last person is of that kind."""
    quality = rng.normal(3.4, 1.0, (UNITS, 2))
    ratings = []
    for person in range(people):
        kind = last if person == people - 1 else HONEST
        lenient, careful = rng.normal(0, 0.5), rng.gamma(9, 0.09)
        pace = 30 * rng.lognormal(0, 0.35) * (0.15 if kind == HURRIED else 1)
        for unit in np.flatnonzero(rng.random(UNITS) < SHARE):
            seen = np.clip(np.rint(quality[unit] + lenient + rng.normal(0, careful, 2)), 1, 5).astype(int)
            problem = bool(rng.random() < (0.85 if quality[unit].mean() < 2.8 else 0.1))
            if kind == RANDOM:
                seen, problem = rng.integers(1, 6, 2), bool(rng.random() < 0.5)
            elif kind == ONE_ANSWER and rng.random() < 0.9:
                seen, problem = np.array([4, 4]), False
            answers = {"meaning": int(seen[0]), "fluency": int(seen[1]), "problem": "yes" if problem else "no"}
            seconds = float(pace * rng.lognormal(0, 0.5))
            ratings.append(Rating(f"u{unit}", f"p{person}", answers, seconds=seconds))
    return Ratings(
        "simulated",
        CRITERIA,
        tuple(ratings),
        {f"u{unit}": Unit(f"u{unit}") for unit in range(UNITS)},
        {f"p{person}": Rater(f"p{person}") for person in range(people)},
    )


def run() -> Iterator[Figure]:
    """By kind of annotator and size of study: how often they are found, and the others are."""
    rng = np.random.default_rng(SEED)
    for people in (6, 8, 11):
        for last in (HONEST, RANDOM, ONE_ANSWER, HURRIED):
            found = others = 0
            for _ in range(STUDIES):
                unusual = {finding.rater for finding in check(_study(rng, people, last)).unusual}
                found += f"p{people - 1}" in unusual
                others += len(unusual - {f"p{people - 1}"})
            honest = STUDIES * (people - 1)
            detail = f"{people} people, {STUDIES} studies; {others} of {honest} honest ones called unusual"
            yield Figure(f"found: {last}", 100 * found / STUDIES, "%", None, detail=detail)
