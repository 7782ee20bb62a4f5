"""Any order of asking, saving, sheets, imports, leaving and coming back, against a simple model of what should be."""

from __future__ import annotations

import itertools
import tempfile
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import attrs
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test

from rubrica.core.errors import InputError
from rubrica.core.study import Item, Judgement
from rubrica.exchange.records import Record
from rubrica.exchange.sheets.read import OpenedSheet
from rubrica.exchange.sheets.write import write_sheet
from tests.conftest import NOW
from tests.length import either
from tests.store.conftest import person, places, said
from tests.studio.judging import GOOD

if TYPE_CHECKING:
    from rubrica.exchange.sheets.layout import SheetFile
    from rubrica.store.models import Assignment

pytestmark = pytest.mark.postgres

PEOPLE = st.sampled_from(["ana", "bob", "eva"])
KEYS = st.sampled_from([f"i{number}" for number in range(5)])
OWN = {"ana": "i0"}
"""Who wrote which of the texts."""
NUMBERS = st.integers(0, 1000)
AHEAD = 2
PASSED_ON = Judgement({}, (), "uncomfortable")
_names = itertools.count()
Lease = tuple[str, str]
"""Whose, of which item."""


class Studio(RuleBasedStateMachine):
    """Three people, five items for one or more each; the model is a few dictionaries, in the order of the leases."""

    def __init__(self) -> None:
        super().__init__()
        from rubrica.exchange.study_options import checked
        from rubrica.protocols.catalog import load_shipped
        from rubrica.store import studies

        plan = studies.Plan(name=f"s{next(_names)}", loaded=load_shipped("breve"), items=_items(), overlap={"rate": 1})
        self.study = studies.create(plan, NOW)
        self.study.update(options=checked({"ahead": AHEAD}).stored())
        self.stage = self.study.stages.select_related("study", "protocol_version").get()
        self.now: datetime = NOW
        self.overlap, self.paused = 1, False
        self.states: dict[Lease, str] = {}
        self.ends: dict[Lease, datetime | None] = {}
        self.told: dict[Lease, Judgement] = {}
        self.saves: dict[Lease, int] = {}
        self.keys: list[tuple[Lease, str]] = []
        self.files: list[SheetFile] = []
        self.excluded: set[str] = set()
        self.closed: set[str] = set()
        self.numbers = itertools.count()

    def taken(self, item: str) -> int:
        """How many places of the item are taken, as the model has it."""
        return sum(
            key == item and state in ("open", "done") and name not in self.excluded
            for (name, key), state in self.states.items()
        )

    def fill(self) -> None:
        """What was extra takes places that have become free, the oldest first."""
        for (name, item), state in self.states.items():
            if state == "extra" and name not in self.excluded and self.taken(item) < self.overlap:
                self.states[name, item] = "done"

    def arrives(self, lease: Lease, judgement: Judgement) -> None:
        """A judgement comes, by whatever way: it counts if there is a place for it, and is extra otherwise.

        It frees the place if it passes the item on. What says the same as before changes nothing.
        """
        if self.told.get(lease) == judgement:
            return
        before = self.states.setdefault(lease, "returned")
        free = before in ("open", "done") or self.taken(lease[1]) < self.overlap
        self.states[lease] = "returned" if judgement == PASSED_ON else "done" if free else "extra"
        self.told[lease] = judgement
        self.saves[lease] = self.saves.get(lease, 0) + 1

    def lent(self, name: str) -> None:
        """What this person was handed is nothing that they judged, wrote or have twice, and of open items only."""
        from rubrica.store.models import Assignment

        rows = Assignment.objects.filter(stage=self.stage, annotator__name=name, state="open").order_by("pk")
        for item, end in rows.values_list("item__key", "expires_at"):
            if self.states.get((name, item)) != "open":
                assert (name, item) not in self.told
                assert OWN.get(name) != item
                assert item not in self.closed
                assert not self.paused
                assert self.taken(item) < self.overlap
            self.states[name, item], self.ends[name, item] = "open", end

    @rule(name=PEOPLE)
    def ask(self, name: str) -> None:
        """Asking on a page gives what is held, topped up; leases that are over return."""
        from rubrica.store.allocation.leases import Work, take

        self.stage.refresh_from_db()
        work = take(person(self.stage, name), self.stage, self.now)
        if name in self.excluded or self.paused:
            assert work == Work([], "excluded" if name in self.excluded else "paused")
            return
        for lease, end in self.ends.items():
            if self.states[lease] == "open" and end is not None and end < self.now:
                self.states[lease] = "returned"
        self.lent(name)
        assert bool(work.leases) != bool(work.reason)
        assert all(lease.expires_at is None or lease.expires_at > self.now for lease in work.leases)
        open_ones = sorted(item for (who, item), state in self.states.items() if (who, state) == (name, "open"))
        assert sorted(lease.item.key for lease in work.leases) == open_ones

    @rule(minutes=st.sampled_from([1, 50, 70, 200]))
    def wait(self, minutes: int) -> None:
        """Time goes by."""
        self.now += timedelta(minutes=minutes)

    def _lease(self, number: int) -> tuple[Lease, Assignment]:
        from rubrica.store.models import Assignment

        name, item = list(self.states)[number % len(self.states)]
        found = Assignment.objects.select_related("item", "annotator", "stage__study", "stage__protocol_version")
        return (name, item), found.get(stage=self.stage, annotator__name=name, item__key=item)

    def _new(self, number: int) -> Judgement:
        """A judgement that nobody has given yet, or one in four that passes the item on."""
        return PASSED_ON if number % 4 == 0 else Judgement({**GOOD, "comment": f"This is number {next(self.numbers)}."})

    @precondition(lambda self: self.states)
    @rule(number=NUMBERS)
    def draft(self, number: int) -> None:
        """A draft of any lease, even one that ended, is kept and changes no place."""
        from rubrica.store.recording.drafts import save_draft

        lease, row = self._lease(number)
        key = f"key-{next(self.numbers):06}"
        save_draft(said(row, key, Judgement({"meaning": number % 3 + 1})), self.now)
        self.saves[lease] = self.saves.get(lease, 0) + 1
        self.keys.append((lease, key))

    @precondition(lambda self: self.states)
    @rule(number=NUMBERS)
    def submit(self, number: int) -> None:
        """A page is submitted, whatever became of its lease."""
        from rubrica.store.recording.judgements import submit

        lease, row = self._lease(number)
        key, judgement = f"key-{next(self.numbers):06}", self._new(number)
        (receipt,) = submit([said(row, key, judgement)], self.now)
        assert receipt.repeated == (self.told.get(lease) == judgement)
        if not receipt.repeated:
            self.keys.append((lease, key))
        self.arrives(lease, judgement)

    @precondition(lambda self: self.keys)
    @rule(number=NUMBERS)
    def repeat(self, number: int) -> None:
        """The same key again changes nothing."""
        from rubrica.store.recording.judgements import submit

        (lease, key) = self.keys[number % len(self.keys)]
        _, row = self._lease(list(self.states).index(lease))
        assert submit([said(row, key, Judgement(GOOD))], self.now)[0].repeated

    @rule(name=PEOPLE)
    def write_sheets(self, name: str) -> None:
        """Sheets are written for somebody; of an excluded annotator the command says so."""
        from rubrica.store.allocation.sheets import Request, deal_sheets

        if name in self.excluded:
            with pytest.raises(InputError, match="was excluded"):
                deal_sheets(self.stage, Request([name], 2, "en"), self.now)
            return
        dealt = deal_sheets(self.stage, Request([name], 2, "en"), self.now)
        assert bool(dealt.files) != bool(dealt.empty_handed)
        self.lent(name)
        known = {file.pid for file in self.files}
        self.files += [file for file in dealt.files if file.pid not in known]

    @precondition(lambda self: self.files)
    @rule(number=NUMBERS)
    def read_sheet(self, number: int) -> None:
        """A sheet comes back, however late, with one of its rows answered."""
        from rubrica.store.allocation.sheets import read_file, sheet_file
        from rubrica.store.models import Sheet

        sheet = self.files[number % len(self.files)]
        row, judgement = sheet.rows[number % len(sheet.rows)], self._new(number)
        now = sheet_file(Sheet.objects.get(pid=sheet.pid))
        rows = [
            attrs.evolve(one, judgement=judgement if one.id == row.id else kept.judgement)
            for one, kept in zip(sheet.rows, now.rows, strict=True)
        ]
        with tempfile.TemporaryDirectory() as folder:
            write_sheet(attrs.evolve(sheet, rows=rows), Path(folder) / "s.xlsx")
            read_file(self.study, OpenedSheet(Path(folder) / "s.xlsx"), self.now)
        self.arrives((sheet.annotator, row.item.key), judgement)

    @rule(name=PEOPLE, item=KEYS, number=NUMBERS)
    def imports(self, name: str, item: str, number: int) -> None:
        """A judgement is imported, whether or not it was ever leased; one of somebody's own text is refused."""
        from rubrica.store.recording.imports import import_records

        judgement = self._new(number)
        (whole,) = (one for one in _items() if one.key == item)
        record = Record(
            study=self.study.name,
            stage="rate",
            item=whole,
            annotator=name,
            judgement=judgement,
            revision=self.saves.get((name, item), 0) + 1,
            submitted_at=self.now,
        )
        if OWN.get(name) == item:
            with pytest.raises(InputError, match="nobody judges their own"):
                import_records(self.study, [(1, record)], "f", self.now)
            return
        import_records(self.study, [(1, record)], "f", self.now)
        self.arrives((name, item), judgement)

    @precondition(lambda self: len(self.excluded) < 2)
    @rule(name=PEOPLE)
    def exclude(self, name: str) -> None:
        """A researcher excludes somebody: what they hold returns, what others had too much counts."""
        from rubrica.store.people import annotators

        annotators.exclude(person(self.stage, name), "Careless.", self.now)
        self.excluded.add(name)
        for lease, state in self.states.items():
            if (lease[0], state) == (name, "open"):
                self.states[lease] = "returned"
        self.fill()

    @precondition(lambda self: self.excluded)
    @rule()
    def include(self) -> None:
        """Somebody counts again, where their place was not taken meanwhile."""
        from rubrica.store.people import annotators

        name = min(self.excluded)
        annotators.include_again(person(self.stage, name), self.now)
        for lease, state in self.states.items():
            if (lease[0], state) == (name, "done") and self.taken(lease[1]) >= self.overlap:
                self.states[lease] = "extra"
        self.excluded.remove(name)

    @rule()
    def pause_or_resume(self) -> None:
        """A paused stage hands out nothing, and takes in what comes."""
        from rubrica.store.setup import running

        assert running.move(self.study, "resume" if self.paused else "pause", self.now) == ["rate"]
        self.paused = not self.paused

    @precondition(lambda self: len(self.closed) < 3)
    @rule(item=KEYS)
    def close(self, item: str) -> None:
        """A closed item is taken back from pages; a sheet cannot be taken back."""
        from rubrica.store.setup.study_items import close

        close(self.study.items.get(key=item), "Broken.", self.now, "rosa")
        self.closed.add(item)
        for lease, state in self.states.items():
            if (lease[1], state) == (item, "open") and self.ends[lease] is not None:
                self.states[lease] = "returned"

    @precondition(lambda self: self.overlap < 3)
    @rule()
    def raise_overlap(self) -> None:
        """More judgements are asked for: what was extra counts first."""
        from rubrica.store.setup.running import set_overlap

        self.overlap += 1
        set_overlap(self.study, {"rate": self.overlap}, self.now)
        self.fill()

    @invariant()
    def overlap_holds(self) -> None:
        """Leases that count never pass the overlap."""
        assert all(count <= self.overlap for count in places(self.stage).values())

    @invariant()
    def states_are_as_expected(self) -> None:
        """Every lease is there once, in the state that the model says."""
        rows = list(self.stage.assignments.values_list("annotator__name", "item__key", "state"))
        assert {(name, item): state for name, item, state in rows} == self.states
        assert len(rows) == len(self.states)

    @invariant()
    def nothing_is_lost(self) -> None:
        """Every save is in the database once, and what was said last is current."""
        from rubrica.store import models

        heads = models.Judgement.objects.filter(stage=self.stage).select_related("item", "annotator", "current")
        kept: dict[Lease, Any] = {(head.annotator.name, head.item.key): head for head in heads}
        assert {lease: head.revisions.count() for lease, head in kept.items()} == self.saves
        for lease, judgement in self.told.items():
            current = kept[lease].current
            assert (current.outcome, current.answers.get("comment")) == (
                judgement.outcome,
                judgement.answers.get("comment"),
            )


def _items() -> list[Item]:
    authors = {item: name for name, item in OWN.items()}
    return [
        Item(f"i{n}", {"source": f"The {n} old gates.", "rewrite": f"Gate {n}."}, author=authors.get(f"i{n}", ""))
        for n in range(5)
    ]


def test_pages_sheets_and_imports_against_a_model(home: Path) -> None:
    """Whatever people do in whatever order, by whatever way, overlap, states and revisions are what the model says."""
    run_state_machine_as_test(
        Studio,
        settings=settings(
            max_examples=either(8, 100),
            stateful_step_count=either(30, 50),
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
