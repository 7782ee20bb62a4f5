"""Any order of asking, saving, leaving and coming back, against a simple model of what should be there."""

from __future__ import annotations

import itertools
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test

from rubrica.core.study import Item, Judgement
from tests.conftest import NOW
from tests.store.conftest import judged, keys, person, places, said

PEOPLE = st.sampled_from(["ana", "bob", "eva"])
NUMBERS = st.integers(0, 1000)
OVERLAP, AHEAD = 2, 2
_names = itertools.count()


class Studio(RuleBasedStateMachine):
    """Three people, four items for two each; the model is a few dictionaries."""

    def __init__(self) -> None:
        super().__init__()
        from rubrica.protocols.catalog import load_shipped
        from rubrica.store import studies
        from rubrica.store.options import checked, keep

        plan = studies.Plan(
            name=f"s{next(_names)}", loaded=load_shipped("adequacy_fluency"), items=_items(), overlap={"rate": OVERLAP}
        )
        study = studies.create(plan, NOW)
        keep(study, checked({"ahead": AHEAD}))
        study.save()
        self.stage = study.stages.select_related("study", "protocol_version").get()
        self.now: datetime = NOW
        self.saves: dict[tuple[str, str], dict[str, Any]] = {}
        self.current: dict[str, str] = {}
        self.told: dict[str, Judgement] = {}
        self.states: dict[str, str] = {}
        self.ends: dict[str, datetime] = {}
        self.excluded: set[str] = set()
        self.keys = (f"key-{number:06}" for number in itertools.count())

    @rule(name=PEOPLE)
    def ask(self, name: str) -> None:
        """Asking gives what is held, and nothing that was judged or passed on."""
        from rubrica.store.allocation import leases

        work = leases.take(person(self.stage, name), self.stage, self.now)
        if name in self.excluded:
            assert work == leases.Work([], "excluded")
            return
        for pid, end in self.ends.items():
            if self.states[pid] == "open" and end < self.now:
                self.states[pid] = "returned"
        assert len(work.leases) <= AHEAD
        assert bool(work.leases) != bool(work.reason)
        assert len(set(keys(work.leases))) == len(work.leases)
        for lease in work.leases:
            assert lease.pid not in self.current
            assert lease.expires_at is not None
            assert lease.expires_at > self.now
            self.states[lease.pid], self.ends[lease.pid] = "open", lease.expires_at

    @rule(minutes=st.sampled_from([1, 50, 70, 200]))
    def wait(self, minutes: int) -> None:
        """Time goes by."""
        self.now += timedelta(minutes=minutes)

    def _lease(self, number: int) -> Any:
        from rubrica.store.models import Assignment

        pid = sorted(self.states)[number % len(self.states)]
        found = Assignment.objects.select_related("item", "annotator", "stage__study", "stage__protocol_version")
        return found.get(pid=pid)

    @precondition(lambda self: self.states)
    @rule(number=NUMBERS)
    def draft(self, number: int) -> None:
        """A draft of any lease, even one that ended, is kept."""
        from rubrica.store.recording import drafts

        lease, key = self._lease(number), next(self.keys)
        drafts.save_draft(said(lease, key, Judgement({"content_preservation": number % 5 + 1})), self.now)
        self.saves[lease.pid, key] = {"content_preservation": number % 5 + 1}

    @precondition(lambda self: self.states)
    @rule(number=NUMBERS, skip=st.integers(0, 4).map(lambda n: n == 0))
    def submit(self, number: int, skip: bool) -> None:
        """A submit counts if there is a place for it, frees the place if it passes on, and is extra otherwise.

        What says the same as before is no new revision.
        """
        from rubrica.store.recording import judgements

        lease, key = self._lease(number), next(self.keys)
        judgement = Judgement({}, (), "uncomfortable") if skip else judged(lease, key)
        taken = places(self.stage).get(lease.item.key, 0)
        (receipt,) = judgements.submit([said(lease, key, judgement)], self.now)
        if self.current.get(lease.pid) is not None and self.told[lease.pid] == judgement:
            assert receipt.repeated
            return
        self.told[lease.pid] = judgement
        before = self.states[lease.pid]
        late = before in ("returned", "extra") and taken >= OVERLAP
        self.states[lease.pid] = "returned" if skip else "extra" if late else "done"
        self.saves[lease.pid, key] = dict(judgement.answers)
        self.current[lease.pid] = key

    @precondition(lambda self: self.saves)
    @rule(number=NUMBERS)
    def repeat(self, number: int) -> None:
        """The same key again, draft or submit, changes nothing."""
        from rubrica.store.recording import drafts, judgements

        pid, key = sorted(self.saves)[number % len(self.saves)]
        lease = self._lease(sorted(self.states).index(pid))
        one = said(lease, key, judged(lease))
        assert (judgements.submit([one], self.now)[0] if number % 2 else drafts.save_draft(one, self.now)).repeated

    @precondition(lambda self: len(self.excluded) < 1)
    @rule(name=PEOPLE)
    def exclude(self, name: str) -> None:
        """A researcher excludes somebody."""
        from rubrica.store.models import Annotator

        self.excluded.add(name)
        person(self.stage, name)
        Annotator.objects.filter(study=self.stage.study, name=name).update(excluded_at=self.now)

    @invariant()
    def overlap_holds(self) -> None:
        """Leases that count never pass the overlap."""
        assert all(count <= OVERLAP for count in places(self.stage).values())

    @invariant()
    def states_are_as_expected(self) -> None:
        """Every lease is in the state that the model says."""
        from rubrica.store.models import Assignment

        rows = Assignment.objects.filter(stage=self.stage)
        assert dict(rows.values_list("pid", "state")) == self.states

    @invariant()
    def every_save_is_there_once(self) -> None:
        """What was acknowledged is in the database exactly once, and the newest submit is current."""
        from rubrica.store import models

        pids = {
            (item, annotator): pid
            for pid, item, annotator in self.stage.assignments.values_list("pid", "item", "annotator")
        }
        rows = models.Revision.objects.filter(judgement__stage=self.stage)
        found = {
            (pids[item, annotator], key): answers
            for item, annotator, key, answers in rows.values_list(
                "judgement__item", "judgement__annotator", "key", "answers"
            )
        }
        assert found == self.saves
        assert rows.count() == len(self.saves)
        heads = models.Judgement.objects.filter(stage=self.stage).exclude(current=None)
        current = heads.values_list("item", "annotator", "current__key")
        assert {pids[item, annotator]: key for item, annotator, key in current} == self.current


def _items() -> list[Item]:
    return [Item(f"i{n}", {"reference": f"Gate {n} is shut.", "hypothesis": f"The gate {n}."}) for n in range(4)]


def test_leases_and_saves_against_a_model(home: Path) -> None:
    """Whatever people do in whatever order, overlap, states and revisions are what the model says."""
    run_state_machine_as_test(
        Studio,
        settings=settings(
            max_examples=12, stateful_step_count=30, deadline=None, suppress_health_check=list(HealthCheck)
        ),
    )
