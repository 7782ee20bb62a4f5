"""Whether a study can be trusted so far (``report/trust.py``), kept for the pages that ask for it every few seconds."""

from __future__ import annotations

import math
from collections import Counter
from functools import lru_cache

import attrs

from rubrica.report.trust import StageFigures, Trust, drawn_items, figures_of
from rubrica.store.counting.submitted import Picture
from rubrica.store.ratings import ratings_at

MANY, SOON = 2_000, 0.02
"""With more judgements than this at a stage, its figures are computed again when there are so many more of them."""

MOST = 10_000
"""Judgements of a stage that figures are computed from at most: with more, those of a sample of its items."""


@lru_cache(maxsize=4)
def trust(picture: Picture) -> Trust:
    """All figures of a study. A picture is the same object until something changes, so they are kept with it."""
    judged = {entry.stage for entry in picture.every}
    return Trust({pk: _figures(_judged(picture, pk)) for pk in picture.stages if pk in judged})


@attrs.frozen
class _Judged:
    """What was judged at a stage, and what tells it from what was judged there at another time."""

    study: str
    stage: int
    out: frozenset[int]
    version: object
    picture: Picture = attrs.field(eq=False)


def _judged(picture: Picture, stage: int) -> _Judged:
    """While a large stage runs, figures of a moment ago will do: its version changes with every fiftieth of it."""
    every = [entry.revision_pid for entry in picture.every if entry.stage == stage]
    version = tuple(every) if len(every) <= MANY else int(math.log(len(every), 1 + SOON))
    out = frozenset(pk for pk, person in picture.people.items() if person.excluded_at or person.erased_at)
    return _Judged(picture.study.pid, stage, out, version, picture)


@lru_cache(maxsize=8)
def _figures(judged: _Judged) -> StageFigures:
    picture = judged.picture
    every = [entry for entry in picture.every if entry.stage == judged.stage]
    of_item = Counter(entry.item for entry in every)
    always = {*picture.gold, *picture.duplicates, *picture.duplicates.values()}
    drawn = drawn_items(of_item, always, picture.study.seed, MOST) if len(every) > MOST else of_item
    some = [entry for entry in every if entry.item in drawn]
    found = figures_of(ratings_at(attrs.evolve(picture, every=tuple(some)), picture.stages[judged.stage]))
    return found._replace(sample=len(some) if len(some) < len(every) else 0)
