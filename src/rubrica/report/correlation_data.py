"""People's scores and metrics' scores of the same units as two tables, and the parts of them that have a row."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

import attrs
import numpy as np
import numpy.typing as npt

from rubrica.core.ratings import Unit
from rubrica.report.correlation_people import PeopleScores

Real = npt.NDArray[np.float64]
Whole = npt.NDArray[np.int64]
NO_SYSTEM = "(no system)"
SENTENCE, SYSTEM = "sentence", "system"
"""What is correlated: scores of rewrites, or means of systems."""


@attrs.frozen
class Scope:
    """Which units a figure is about: those of a data set, of a system, of both, or (None) of all."""

    dataset: str | None = None
    system: str | None = None


@attrs.frozen(eq=False)
class Data:
    """Units in a fixed order, and for each criterion and each metric a row with a score for each unit (NaN: none)."""

    units: tuple[Unit, ...]
    criteria: tuple[str, ...]
    titles: tuple[str, ...]
    metrics: tuple[str, ...]
    people: Real
    scores: Real
    datasets: tuple[str, ...]
    systems: tuple[str, ...]
    sources: Whole
    """The number of each unit's source; a source of the same name in another data set is another one."""
    clusters: Whole
    """The number of what is drawn in a resample with all its units: the source, or the unit itself."""

    @property
    def scopes(self) -> list[Scope]:
        """The rows of Table 4: each data set and system, each data set, each system, all; each set of units once."""
        several = len(self.datasets) > 1, len(self.systems) > 1
        found = []
        if all(several):
            cells = {(unit.dataset, unit.system) for unit in self.units}
            found += [Scope(one, other) for one in self.datasets for other in self.systems if (one, other) in cells]
        found += [Scope(dataset=one) for one in self.datasets] if several[0] else []
        found += [Scope(system=one) for one in self.systems] if several[1] else []
        return [*found, Scope()]

    @property
    def by_dataset(self) -> list[Scope]:
        """Where systems are compared as wholes: on each data set, and on all."""
        return [*([Scope(dataset=one) for one in self.datasets] if len(self.datasets) > 1 else []), Scope()]

    def of(self, scope: Scope) -> Whole:
        """The places of the units of a scope."""
        return np.array(
            [
                place
                for place, unit in enumerate(self.units)
                if scope.dataset in (None, unit.dataset) and scope.system in (None, unit.system)
            ],
            dtype=np.int64,
        )


def data_of(
    units: Sequence[Unit],
    people: Sequence[PeopleScores],
    scores: Mapping[str, Mapping[str, float]],
    metrics: Sequence[str],
    human: Collection[str] = (),
    apart: bool = False,
) -> Data:
    """The tables of the units that have a metric's score, without those of the systems that are ``human``.

    ``apart`` draws units one by one, not with their source. Units are sorted, so that a seed draws the same ones in
    whatever order ratings come.
    """
    kept = [unit for unit in units if unit.key in scores and unit.system not in human]
    kept.sort(key=lambda unit: (unit.dataset, unit.source, unit.system, unit.key))
    names = [(unit.dataset, unit.source or unit.key) for unit in kept]
    numbers = {name: number for number, name in enumerate(dict.fromkeys(names))}
    sources = np.array([numbers[name] for name in names], dtype=np.int64)
    order = [unit for unit in units if unit.key in scores and unit.system not in human]
    return Data(
        tuple(kept),
        tuple(one.criterion for one in people),
        tuple(one.title for one in people),
        tuple(metrics),
        _table(kept, [one.scores for one in people]),
        _table(kept, [{unit: own[name] for unit, own in scores.items() if name in own} for name in metrics]),
        tuple(dict.fromkeys(unit.dataset for unit in order)),
        tuple(dict.fromkeys(unit.system for unit in order)),
        sources,
        np.arange(len(kept)) if apart else sources,
    )


def _table(units: Sequence[Unit], rows: Sequence[Mapping[str, float]]) -> Real:
    return np.array([[row.get(unit.key, np.nan) for unit in units] for row in rows], dtype=float).reshape(
        len(rows), len(units)
    )


def cells_by_presence(people: Real, scores: Real) -> Iterator[tuple[Whole, list[tuple[int, int]]]]:
    """Cells (criterion, metric) that have both sides on the same units, with the places of those units.

    Without gaps that is all cells at once, so that they can share resamples and ranks.
    """
    groups: dict[bytes, tuple[Whole, list[tuple[int, int]]]] = {}
    known = ~np.isnan(people), ~np.isnan(scores)
    for criterion, one in enumerate(known[0]):
        for metric, other in enumerate(known[1]):
            both = one & other
            groups.setdefault(both.tobytes(), (np.flatnonzero(both), []))[1].append((criterion, metric))
    yield from groups.values()
