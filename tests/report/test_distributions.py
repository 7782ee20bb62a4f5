"""Distributions of answers, counted by hand."""

from __future__ import annotations

import attrs
import pytest

from rubrica.core.ratings import Ratings
from rubrica.report.distributions import ALL, countable, distributions
from tests.report.made_ratings import made_ratings

QUICK = {"replicates": 200, "seed": 1}


def repeated(ratings: Ratings, times: int) -> Ratings:
    """The same ratings of so many times as many sources."""
    names = [(key, unit, number) for key, unit in ratings.units.items() for number in range(times)]
    return attrs.evolve(
        ratings,
        every=tuple(attrs.evolve(one, unit=f"{one.unit}{n}") for n in range(times) for one in ratings.every),
        units={f"{key}{n}": attrs.evolve(unit, key=f"{key}{n}", source=f"{unit.source}{n}") for key, unit, n in names},
    )


def test_shares_and_means_are_those_of_the_rows() -> None:
    """Old has 1, 2, 1, 3, 2 (mean 9/5), new 3, 3, 2, 3, 3 (mean 14/5); all of them 23/10."""
    ratings = made_ratings()
    old, new, every = distributions(ratings, ratings.criterion("meaning"), **QUICK)
    assert [old.system, new.system, every.system] == ["old", "new", ALL]
    assert old.counts == {1: 2, 2: 2, 3: 1}
    assert new.counts == {1: 0, 2: 1, 3: 4}
    assert new.share(3) == 4 / 5
    means = [one.mean.value.value for one in (old, new, every) if one.mean]
    assert means == pytest.approx([9 / 5, 14 / 5, 23 / 10])
    assert old.quartiles == (1.0, 2.0, 2.0)


def test_intervals_resample_sources_and_are_the_same_for_a_seed() -> None:
    """Sources bring all their ratings: means of new by source are 3, 5/2 and 3, so the interval is within."""
    few = made_ratings()
    ratings = repeated(few, 4)
    _, new, _ = distributions(ratings, ratings.criterion("meaning"), **QUICK)
    _, again, _ = distributions(ratings, ratings.criterion("meaning"), **QUICK)
    _, lone, _ = distributions(few, few.criterion("meaning"), **QUICK)
    assert lone.mean is not None
    assert lone.mean.low.reason == "an interval needs at least 10 sources"
    assert new.mean is not None
    assert again.mean == new.mean
    assert new.mean.low.value is not None
    assert 2.5 <= new.mean.low.value <= 14 / 5 <= (new.mean.high.value or 0) <= 3


def test_intervals_are_those_of_the_comparison() -> None:
    """A mean has one interval in the whole report."""
    from rubrica.report.comparison import Choices, compare

    ratings = repeated(made_ratings(), 4)
    compared = compare(ratings, Choices(replicates=200, permutations=100, seed=1))
    for one in distributions(ratings, ratings.criterion("meaning"), **QUICK)[:2]:
        assert one.mean == compared.index["", one.system, "meaning.mean"].estimate


def test_not_applicable_is_in_no_share() -> None:
    """Of five judgements of new, four say keep and one is not applicable: keep is 4 of 4."""
    ratings = made_ratings()
    _, new, _ = distributions(ratings, ratings.criterion("fate"), **QUICK)
    assert (new.total, new.not_applicable, new.share("keep"), new.mean) == (4, 1, 1.0, None)


def test_texts_are_not_counted() -> None:
    """Free texts have no distribution."""
    assert [one.id for one in countable(made_ratings().criteria)] == ["meaning", "missing", "fate"]
