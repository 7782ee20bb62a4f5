"""A study's judgements as statistics see them: the same as its export read back, planted and excluded ones marked."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from rubrica.core.errors import InputError
from rubrica.core.ratings import Rating
from rubrica.core.study import Item
from rubrica.exchange.exports import Wanted
from tests.conftest import NOW
from tests.studio.judging import GOOD, judge

if TYPE_CHECKING:
    from rubrica.store.models import Stage

pytestmark = pytest.mark.postgres


def _systems(count: int) -> list[Item]:
    """Sources that two systems rewrote."""
    return [
        Item(f"i{number}{system}", {"source": f"Uno {number}.", "rewrite": f"Dos {number}."}, system)
        for number in range(count)
        for system in ("a", "b")
    ]


def _whole(rating: Rating) -> tuple[object, ...]:
    """A rating with all that an export keeps of it; databases keep answers in an order of their own."""
    return rating.unit, rating.rater, tuple(sorted(rating.answers.items())), rating.planted, rating.original


def test_study_and_its_export_are_the_same_ratings(make_stage: Callable[..., Stage], tmp_path: Path) -> None:
    """Units, raters, answers and verdicts of a study equal those of its exported file, in another order."""
    from rubrica.core.protocol import Protocol
    from rubrica.exchange.imports import read_records
    from rubrica.exchange.judged_ratings import exported_protocol, ratings_of_records
    from rubrica.exchange.tables import read_table
    from rubrica.store.jobs.exporting import write
    from rubrica.store.ratings import ratings_of
    from rubrica.store.translate import protocol_of

    stage = make_stage(rows=_systems(3), duplicates=0.34)
    for name in ("ana", "ben"):
        judge(stage.study, name, list(stage.study.items.all()))
    own = ratings_of(stage.study)
    protocol: Protocol = protocol_of(stage)
    for form in ("csv", "jsonl"):
        file = tmp_path / f"out.{form}"
        with file.open("wb") as stream:
            write(stage.study, Wanted(form=form), stream)
        table = read_table(file)
        assert exported_protocol(table.columns, table.rows[0].values) == "breve"
        read = ratings_of_records(file, (record for _, record in read_records(file, protocol)), protocol)
        assert read.criteria == own.criteria
        assert read.units == own.units
        assert set(map(_whole, read.every)) == set(map(_whole, own.every))
        assert len(read.counted) == len(own.counted) == 12


def test_systems_that_rewrote_one_source_are_paired(make_stage: Callable[..., Stage]) -> None:
    """Items with the same texts but the rewrite have one source; the data set is in the metadata, under its name."""
    from rubrica.store.ratings import ratings_of

    rows = [Item(item.key, item.fields, item.system, metadata={"corpus": "wiki", "year": "1"}) for item in _systems(2)]
    stage = make_stage(rows=rows)
    judge(stage.study, "ana")
    found = ratings_of(stage.study)
    assert found.units["i0a"].source == found.units["i0b"].source != found.units["i1a"].source
    assert found.systems == ("a", "b")
    assert found.datasets == ("wiki",)
    assert ratings_of(stage.study, dataset="year").datasets == ("1",)


def test_excluded_people_do_not_count(make_stage: Callable[..., Stage]) -> None:
    """They stay among the raters, marked; the signature says who is left out."""
    from rubrica.core.study import Judgement
    from rubrica.store.models import Annotator
    from rubrica.store.people.annotators import exclude
    from rubrica.store.ratings import ratings_of

    stage = make_stage()
    judge(stage.study, "ana", said=Judgement(GOOD))
    judge(stage.study, "ben")
    exclude(Annotator.objects.get(name="ben"), "rushed", NOW)
    found = ratings_of(stage.study)
    assert {one.rater for one in found.counted} == {"ana"}
    assert found.raters["ben"].excluded
    assert "excluded:ben" in found.sign()
    assert all(one.answers["accepted"] == "yes" for one in found.counted)


def test_unknown_stage_is_refused(make_stage: Callable[..., Stage]) -> None:
    """The message names the stages that there are."""
    from rubrica.store.ratings import ratings_of

    with pytest.raises(InputError, match=r"no stage 'x'.*rate"):
        ratings_of(make_stage().study, "x")
