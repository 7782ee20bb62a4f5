"""Excluding: kept, out of the results, undone; and running a study."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from rubrica.core.errors import InputError
from rubrica.protocols.catalog import load_shipped
from tests.conftest import NOW
from tests.making import pairs
from tests.studio.judging import judge

if TYPE_CHECKING:
    from rubrica.store.models import Study

pytestmark = pytest.mark.postgres


@pytest.fixture
def study(home: Path) -> Study:
    """Three pairs for one annotator each."""
    from rubrica.store import studies

    return studies.create(
        studies.Plan(name="s", loaded=load_shipped("breve"), items=pairs(3), overlap={"rate": 1}), NOW
    )


def test_excluded_judgements_are_kept_but_not_exported(study: Study, rubrica: Callable[..., Any]) -> None:
    """An export leaves them out and says so in its signature; --excluded takes them along."""
    from rubrica.store.people import annotators

    judge(study, "ana")
    judge(study, "ben")
    annotators.exclude(study.annotators.get(name="ben"), "Careless.", NOW)
    without = rubrica("export", "s", "--format", "jsonl").out.splitlines()
    everything = rubrica("export", "s", "--format", "jsonl", "--excluded").out.splitlines()
    assert len(without) == 3
    assert len(everything) == 6
    assert "excluded:left out" in without[0]
    assert "excluded:kept" in everything[0]


def test_excluding_frees_places_and_including_makes_extras(study: Study) -> None:
    """The places go to others; when the annotator counts again, what others did meanwhile keeps its place."""
    from rubrica.store import models
    from rubrica.store.allocation.overlap import counted
    from rubrica.store.people import annotators

    judge(study, "ana")
    ana = study.annotators.get(name="ana")
    assert annotators.exclude(ana, "  Careless.  ", NOW, actor="r")
    assert not annotators.exclude(ana, "Again.", NOW, actor="r")
    assert counted(study.stages.get()).count() == 0
    judge(study, "ben", study.items.all()[:2])
    assert annotators.include_again(ana, NOW, actor="r") == 2
    assert annotators.include_again(ana, NOW, actor="r") == 0
    states = list(models.Assignment.objects.filter(annotator=ana).order_by("pk").values_list("state", flat=True))
    assert states == ["extra", "extra", "done"]
    assert counted(study.stages.get()).count() == 3


@pytest.mark.parametrize("reason", ["", "   ", "a\0b", "x" * 2001, "\ud800"])
def test_a_reason_must_be_given_and_storable(study: Study, reason: str) -> None:
    """Nobody is excluded without a reason that can be read later."""
    from rubrica.store.people import annotators
    from rubrica.store.people.annotators import named

    person = named(study, ["ana"], NOW)["ana"]
    with pytest.raises(InputError):
        annotators.exclude(person, reason, NOW)
    person.refresh_from_db()
    assert person.excluded_at is None


def test_states_follow_the_moves_and_repeat_nothing(study: Study) -> None:
    """Pause, resume, close and reopen change the state once; a repeated or impossible move changes nothing."""
    from rubrica.store import models
    from rubrica.store.setup import running

    assert running.move(study, "pause", NOW, actor="r") == ["rate"]
    assert running.move(study, "pause", NOW, actor="r") == []
    assert running.move(study, "reopen", NOW, actor="r") == []
    for action, state in (("resume", "open"), ("close", "closed"), ("reopen", "open")):
        assert running.move(study, action, NOW, actor="r") == ["rate"]
        assert study.stages.get().state == state
    with pytest.raises(InputError):
        running.move(study, "explode", NOW)
    assert models.AuditEvent.objects.filter(study=study.pid, action__startswith="stage ").count() == 4


def test_the_overlap_is_raised_and_lowered_as_far_as_work_allows(study: Study) -> None:
    """It can go back to what items have, and no further; a stage that there is not is named."""
    from rubrica.store.setup.running import set_overlap

    assert set_overlap(study, {"rate": 3}, NOW) == {"rate": 1}
    judge(study, "ana")
    judge(study, "ben")
    assert set_overlap(study, {"rate": 2}, NOW) == {"rate": 3}
    with pytest.raises(InputError, match="fewer than some items have"):
        set_overlap(study, {"rate": 1}, NOW)
    with pytest.raises(InputError, match="no stage 'select'"):
        set_overlap(study, {"rate": 4, "select": 1}, NOW)
    assert study.stages.get().overlap == 2


def test_what_was_extra_counts_once_there_is_a_place(study: Study) -> None:
    """A higher overlap and an exclusion first let judgements count that were beyond the overlap, the oldest first."""
    from rubrica.store import models
    from rubrica.store.people import annotators
    from rubrica.store.setup.running import set_overlap

    def states(name: str) -> set[str]:
        return set(models.Assignment.objects.filter(annotator__name=name).values_list("state", flat=True))

    for name in ("ana", "ben", "eva"):
        judge(study, name)
    assert (states("ana"), states("ben"), states("eva")) == ({"done"}, {"extra"}, {"extra"})
    set_overlap(study, {"rate": 2}, NOW)
    assert (states("ana"), states("ben"), states("eva")) == ({"done"}, {"done"}, {"extra"})
    annotators.exclude(study.annotators.get(name="ana"), "Careless.", NOW)
    assert (states("ben"), states("eva")) == ({"done"}, {"done"})


def test_more_time_puts_off_every_open_lease_once(study: Study) -> None:
    """A lease that ends sooner ends at the new time; saying it twice changes nothing more."""
    from rubrica.store import models
    from rubrica.store.allocation import leases
    from rubrica.store.people.annotators import named
    from rubrica.store.setup import running

    person = named(study, ["ana"], NOW)["ana"]
    stage = study.stages.get()
    held = leases.take(person, stage, NOW).leases
    assert running.give_time(study, 24, NOW, actor="r") == len(held) > 0
    assert running.give_time(study, 24, NOW, actor="r") == 0
    ends = set(models.Assignment.objects.values_list("expires_at", flat=True))
    assert ends == {NOW + timedelta(hours=24)}
    assert running.take_back(person, NOW, actor="r", lease=held[0].pid) == 1
    assert running.take_back(person, NOW, actor="r") == len(held) - 1
