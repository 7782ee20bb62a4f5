"""Which answer is the good one, where a file of ratings cannot say: then systems have ranks by its share."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import attrs

from rubrica.core.answers import Answer
from rubrica.core.errors import InputError, Problem, wrong
from rubrica.core.ratings import CHOICE, SCALE, Ratings
from rubrica.report.correlation_people import known_answer


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
