"""Progress, pace and trust: counted right, honest about what cannot be said."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from rubrica.core.study import Item, Judgement
from rubrica.protocols.catalog import load_shipped
from tests.conftest import NOW
from tests.making import pairs
from tests.studio.judging import GOOD, judge, plain_items

if TYPE_CHECKING:
    from rubrica.store.models import Study

pytestmark = pytest.mark.postgres


@pytest.fixture
def make(home: Path) -> Callable[..., Study]:
    """Makes a running study of `breve`."""

    def made(items: int = 6, overlap: int = 2, **more: Any) -> Study:
        from rubrica.store import studies

        plan = studies.Plan(
            name="s", loaded=load_shipped("breve"), items=pairs(items), overlap={"rate": overlap}, **more
        )
        return studies.create(plan, NOW)

    return made


def test_done_of_wanted_leaves_out_the_excluded(make: Callable[..., Study]) -> None:
    """Two people judged six items each; with one excluded, six of twelve are done."""
    from rubrica.store.counting import progress
    from rubrica.store.people import annotators

    study = make()
    judge(study, "ana", start=NOW)
    judge(study, "ben", start=NOW)
    later = NOW + timedelta(hours=2)
    [before] = progress.of_stages(study.stages.all())
    assert (before.wanted, before.done, before.remaining) == (12, 12, 0)
    annotators.exclude(study.annotators.get(name="ben"), "Careless.", later)
    [after] = progress.of_stages(study.stages.all())
    assert (after.wanted, after.done, after.remaining) == (12, 6, 6)


def test_a_closed_item_is_wanted_no_more(make: Callable[..., Study]) -> None:
    """Closing an item takes away what it still lacked and keeps what it has."""
    from rubrica.store.counting import progress
    from rubrica.store.setup import study_items

    study = make(items=3)
    items = plain_items(study)
    judge(study, "ana", items[:1])
    study_items.close(items[0], "broken", NOW, "r")
    study_items.close(items[1], "broken", NOW, "r")
    [found] = progress.of_stages(study.stages.all())
    assert (found.items, found.closed, found.wanted, found.done) == (3, 2, 3, 1)


def test_what_lies_beyond_the_overlap_is_extra(make: Callable[..., Study]) -> None:
    """Three judgements of an item that wanted two are two done and one extra."""
    from rubrica.store.counting import progress

    study = make(items=1)
    for name in ("ana", "ben", "eva"):
        judge(study, name)
    [found] = progress.of_stages(study.stages.all())
    assert (found.done, found.extra) == (2, 1)


def test_no_pace_from_too_little(home: Path) -> None:
    """Four judgements, or ten within a few minutes, give no pace and say why."""
    from rubrica.core.costs import pace_of

    few = pace_of(4, NOW - timedelta(hours=1), (4, 4), NOW)
    short = pace_of(10, NOW - timedelta(minutes=5), (10, 10), NOW)
    assert (few.per_hour, few.reason) == (None, "few")
    assert (short.per_hour, short.reason) == (None, "short")


def test_the_pace_is_of_the_last_day_or_week(home: Path) -> None:
    """Twelve in the two hours since the start are six an hour; ten old ones alone are none."""
    from rubrica.core.costs import pace_of

    young = pace_of(12, NOW - timedelta(hours=2), (12, 12), NOW)
    assert young.per_hour == pytest.approx(6)
    week = pace_of(14, NOW - timedelta(days=3), (0, 14), NOW)
    assert week.per_hour == pytest.approx(14 / 72)
    assert pace_of(10, NOW - timedelta(days=20), (0, 0), NOW).reason == "idle"


def test_the_database_measures_pace_and_time(make: Callable[..., Study]) -> None:
    """Six judgements five minutes apart, of 10 to 60 seconds: the median is 35, the pace that of the hour they took."""
    from rubrica.store.counting.progress import of_study

    study = make(overlap=3)
    for number, item in enumerate(plain_items(study)):
        judge(study, "ana", [item], seconds=10.0 * (number + 1), start=NOW + number * timedelta(minutes=5))
    judge(study, "ben", plain_items(study, 1), seconds=None, start=NOW)
    later = NOW + timedelta(hours=1)
    [found] = of_study(study.stages.all(), later)
    assert (found.median_seconds, found.hours) == (pytest.approx(35), pytest.approx(210 / 3600))
    assert (found.pace.per_hour, found.pace.judgements) == (pytest.approx(7), 7)
    assert found.end == later + timedelta(hours=11 / 7)


def test_agreement_is_per_question_and_person(make: Callable[..., Study]) -> None:
    """Ana and Ben agree on all but meaning of two items: 100 % and 0 %, and on 5 of 6 answers for each person."""
    from rubrica.store.counting.submitted import picture
    from rubrica.store.counting.trust import trust

    study = make(items=2)
    judge(study, "ana", said=Judgement(GOOD))
    judge(study, "ben", said=Judgement({**GOOD, "meaning": 2}))
    found = trust(picture(study))
    stage = study.stages.get().pk
    assert found.questions[stage, "fluency"][:2] == (2, 2)
    assert found.questions[stage, "meaning"][:2] == (0, 2)
    ana = found.with_others["ana"]
    assert (ana.same, ana.pairs, ana.units, ana.share) == (10, 12, 2, pytest.approx(5 / 6))


def test_checks_compare_known_answers_and_duplicates(make: Callable[..., Study]) -> None:
    """A gold item graded against its answer, a hidden duplicate against the annotator's own first answer."""
    from rubrica.store.counting.submitted import picture
    from rubrica.store.counting.trust import trust

    gold = [(Item("g", {"source": "A gold source.", "rewrite": "Gold."}), {"meaning": 3, "fluency": 1})]
    study = make(items=4, gold=gold, duplicates=0.25)
    duplicate = study.items.get(planted__kind="duplicate")
    original = duplicate.planted.original
    judge(study, "ana", [study.items.get(planted__kind="gold"), original], said=Judgement(GOOD))
    judge(study, "ana", [duplicate], said=Judgement({**GOOD, "fluency": 2}))
    checks = trust(picture(study)).checks_of(study.annotators.get().name)
    assert (checks.right, checks.graded) == (1, 2)
    assert (checks.same, checks.compared) == (len(GOOD) - 1, len(GOOD))


def test_the_picture_follows_every_change(make: Callable[..., Study]) -> None:
    """A new judgement, an exclusion and an erasure each show at once; without a change it is the same object."""
    from rubrica.store.counting.submitted import picture
    from rubrica.store.people import annotators, erasure

    study = make()
    judge(study, "ana", plain_items(study, 2))
    first = picture(study)
    assert picture(study) is first
    judge(study, "ben", plain_items(study, 1))
    assert len(picture(study).counted) == 3
    ben = study.annotators.get(name="ben")
    annotators.exclude(ben, "Careless.", NOW)
    assert len(picture(study).counted) == 2
    erasure.erase(ben, NOW, actor="r")
    assert len(picture(study).every) == 2
