"""A handful of correlations for tests of the report: two metrics and two criteria on made systems."""

from __future__ import annotations

from functools import cache

import numpy as np

from rubrica.core.ratings import Unit
from rubrica.report.correlation import Choices, Correlations, correlate
from rubrica.report.correlation_data import Data, PeopleScores, data_of

QUALITY = {"old": 0.0, "new": 1.0, "best": 2.0, "human": 3.0}


@cache
def made() -> tuple[tuple[Unit, ...], tuple[PeopleScores, ...], dict[str, dict[str, float]]]:
    """Two data sets of fifteen sources, four systems; a good metric with gaps, and one that says little."""
    generator = np.random.default_rng(1)
    units = tuple(
        Unit(f"{dataset}{source}{system}", system, str(source), dataset)
        for dataset in ("news", "law")
        for source in range(15)
        for system in QUALITY
    )
    human = {unit.key: float(round(QUALITY[unit.system] + generator.normal())) for unit in units}
    scores = {
        key: {"good": value + generator.normal(), "weak": value + 9 * generator.normal()}
        for key, value in human.items()
    }
    del scores["news3old"]["good"]
    del scores["law4new"]
    people = (
        PeopleScores("meaning", "meaning", human),
        PeopleScores("fine", "no faults", {key: float(value > 1) for key, value in human.items()}),
    )
    return units, people, scores


def data(*, human: tuple[str, ...] = ("human",), apart: bool = False) -> Data:
    """The tables of what was made."""
    units, people, scores = made()
    return data_of(units, people, scores, ["good", "weak"], human, apart)


@cache
def found() -> Correlations:
    """What is found in them."""
    return correlate(data(), Choices(replicates=60, permutations=60, human=("human",)), "seed:0")
