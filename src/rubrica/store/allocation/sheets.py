"""Excel sheets: items dealt to annotators, a sheet as the file it becomes, and the answers of a file that came back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

import attrs
from django.db import transaction
from django.db.models import Count, Prefetch, Q

from rubrica.core.annotator_names import name_problems
from rubrica.core.assignment import Want, arrange, deal, sheets
from rubrica.core.errors import InputError, Problem, wrong
from rubrica.core.protocol import Protocol, Stage
from rubrica.core.study import Judgement
from rubrica.exchange.sheets.layout import SheetFile, SheetRow
from rubrica.exchange.sheets.read import OpenedSheet, read_sheet
from rubrica.store import audit, models
from rubrica.store.adjudication.given_edits import given_edits
from rubrica.store.allocation.eligibility import eligibility_problems
from rubrica.store.parts import stages_of_part
from rubrica.store.people.annotators import named, spelling_problems
from rubrica.store.people.identities import Stone, erased_problem, erased_problems, identities_of
from rubrica.store.recording.judgements import Said, Saved, record
from rubrica.store.translate import item_from, judgement_from, protocol_of, rules_of


@attrs.frozen
class Request:
    """Who is to get sheets, how large, in which language."""

    annotators: Sequence[str]
    size: int
    language: str


class Dealt(NamedTuple):
    """The sheets to write, and why somebody got none."""

    files: list[SheetFile]
    empty_handed: dict[str, str]


def deal_sheets(stage: models.Stage, request: Request, now: datetime) -> Dealt:
    """Sheets for these annotators: those they still hold, then new ones as far as the overlap allows."""
    protocol = protocol_of(stage)
    rules = rules_of(stage, protocol)
    with transaction.atomic():
        locked = models.Stage.objects.select_for_update().get(pk=stage.pk)
        _refuse(name_problems(request.annotators))
        who = identities_of(locked.study, request.annotators)
        _refuse(
            spelling_problems(locked.study, request.annotators)
            + erased_problems(locked.study, who)
            + eligibility_problems(locked, protocol, who)
        )
        people = named(locked.study, request.annotators, now)
        held = list(
            models.Sheet.objects.filter(stage=locked, annotator__in=people.values(), assignments__state="open")
            .distinct()
            .order_by("annotator__name", "number")
        )
        waiting = {sheet.annotator_id for sheet in held} if protocol.one_sheet_at_a_time else set()
        free = {name: person for name, person in people.items() if person.pk not in waiting}
        dealer = _Dealer(locked, protocol, rules, free, request, now)
        fresh = dealer.sheets() if free else []
        audit.record("sheets dealt", locked.study, now, stage=locked.key, sheets=len(fresh), annotators=len(people))
        holders = {sheet.annotator_id for sheet in [*held, *fresh]}
        empty = {name: dealer.why_nothing(name) for name, person in people.items() if person.pk not in holders}
    return Dealt([sheet_file(sheet) for sheet in [*held, *fresh]], empty)


def recall(study: models.Study, stages: Sequence[models.Stage], names: Sequence[str], now: datetime) -> dict[str, int]:
    """Return the open leases of these annotators to the pool; how many each had. What was judged stays."""
    known = set(study.annotators.values_list("name", flat=True))
    _refuse(
        [
            Problem(
                what=f"there is no annotator {name!r}",
                rule="unknown_annotator",
                fix=f"There are: {', '.join(sorted(known))}." if known else "Nobody has a sheet yet.",
                value=name,
            )
            for name in names
            if name not in known
        ]
    )
    with transaction.atomic():
        returned = {
            name: models.Assignment.objects.filter(stage__in=stages, annotator__name=name, state="open").update(
                state="returned"
            )
            for name in names
        }
        audit.record("leases recalled", study, now, rows=sum(returned.values()), annotators=len(names))
    return returned


def _refuse(problems: list[Problem]) -> None:
    if problems:
        raise InputError(*problems)


class _Dealer:
    """One deal: looks at what is there, asks the pure functions, writes sheets and leases."""

    def __init__(
        self,
        stage: models.Stage,
        protocol: Protocol,
        rules: Stage,
        people: dict[str, models.Annotator],
        request: Request,
        now: datetime,
    ) -> None:
        self.stage, self.protocol, self.rules = stage, protocol, rules
        self.people, self.request, self.now = people, request, now
        self.items = {row.key: row for row in stage.study.items.select_related("planted", "planted__original")}
        self.leases = list(stage.assignments.values_list("item__key", "annotator__name", "state"))
        self.had = {(name, item) for item, name, _ in self.leases}

    def sheets(self) -> list[models.Sheet]:
        wants = self._wants()
        room = {name: self._room(name) for name in self.people} if self.protocol.one_sheet_at_a_time else None
        load = Counter(name for _, name, state in self.leases if state != "returned")
        dealt = deal(wants, list(self.people), self._may, load=load, room=room, seed=self.stage.study.seed)
        made: list[models.Sheet] = []
        for name, groups in dealt.items():
            made += self._sheets_of(name, groups)
        return made

    def _wants(self) -> list[Want]:
        """Items that still want judgements; planted ones follow their own rules."""
        taken = Counter(item for item, _, state in self.leases if state != "returned")
        ready = self._ready()
        return [
            Want(key, row.group, self.stage.overlap - taken[key])
            for key, row in self.items.items()
            if not hasattr(row, "planted") and (ready is None or key in ready)
        ]

    def _ready(self) -> set[str] | None:
        """Items that the earlier stage has finished; None if the stage takes all."""
        if not self.rules.items_from:
            return None
        finished: set[str] = set()
        for earlier in stages_of_part(self.stage.study, self.rules.items_from):
            done = Count("assignments", filter=Q(assignments__stage=earlier, assignments__state="done"))
            items = models.Item.objects.filter(study=self.stage.study).annotate(done=done)
            finished |= set(items.filter(done__gte=earlier.overlap).values_list("key", flat=True))
        return finished

    def why_nothing(self, name: str) -> str:
        """The reason why an annotator gets no sheet."""
        ready = self._ready()
        if not self.items:
            return "the study has no items"
        if ready is not None and not ready:
            return f"it waits for the stage {self.rules.items_from!r}"
        same = self.rules.same_people_as
        if same and not any(person == name for person, _ in self._did(same)):
            return f"it is for those who took part in the stage {same!r}"
        if any(person == name for person, _ in self.had):
            return "this annotator has had all items that still want judgements"
        return "every item has its judgements, or they are handed out"

    def _may(self, name: str, item: str) -> bool:
        if (name, item) in self.had:
            return False
        if self.rules.same_people_as:
            return (name, item) in self._did(self.rules.same_people_as)
        return True

    def _did(self, stage: str) -> set[tuple[str, str]]:
        if not hasattr(self, "_took_part"):
            self._took_part = set(
                models.Assignment.objects.filter(
                    stage__in=stages_of_part(self.stage.study, stage), state="done"
                ).values_list("annotator__name", "item__key")
            )
        return self._took_part

    def _sheets_of(self, name: str, groups: list[list[str]]) -> list[models.Sheet]:
        """Arrange one annotator's items with the planted ones, cut them into sheets, write the leases."""
        planted = self._planted_for(name) if groups else []
        duplicates = self._duplicates() if not self.rules.items_from else {}
        if not groups and not planted:
            return []
        person = self.people[name]
        number = person.sheets.filter(stage=self.stage).count()
        seed = f"{self.stage.study.seed}:{self.stage.key}:{name}:{number}"
        if self.protocol.one_sheet_at_a_time:
            rows = sum(map(len, groups)) + sum(map(len, planted))
            duplicates = _that_fit(duplicates, groups, self.request.size - rows)
        parts = sheets(arrange(groups, duplicates, planted, seed=seed), self.request.size)
        made = []
        for offset, keys in enumerate(parts, start=1):
            sheet = models.Sheet.objects.create(
                annotator=person,
                stage=self.stage,
                number=number + offset,
                language=self.request.language,
                written_at=self.now,
            )
            models.Assignment.objects.bulk_create(
                [
                    models.Assignment(
                        stage=self.stage,
                        item=self.items[key],
                        annotator=person,
                        sheet=sheet,
                        position=position,
                        leased_at=self.now,
                    )
                    for position, key in enumerate(keys, start=1)
                ]
            )
            made.append(sheet)
        return made

    def _duplicates(self) -> dict[str, str]:
        return {
            row.planted.original.key: key
            for key, row in self.items.items()
            if hasattr(row, "planted") and row.planted.original is not None
        }

    def _planted_for(self, name: str) -> list[list[str]]:
        """Gold items that this annotator has not had: all of them, or on single sheets a tenth of each."""
        if self.rules.items_from:
            return []
        gold = [
            key
            for key, row in self.items.items()
            if hasattr(row, "planted") and row.planted.kind == "gold" and (name, key) not in self.had
        ]
        groups: dict[str, list[str]] = {}
        for key in gold:
            groups.setdefault(self.items[key].group or f"\0{key}", []).append(key)
        most = self.request.size // 10 if self.protocol.one_sheet_at_a_time else len(gold)
        chosen: list[list[str]] = []
        for group in groups.values():
            if sum(map(len, chosen)) + len(group) <= max(most, 1):
                chosen.append(group)
        return chosen

    def _room(self, name: str) -> int:
        """How many plain items fit on a single sheet beside the planted ones."""
        gold = sum(map(len, self._planted_for(name)))
        plain = sum(not hasattr(row, "planted") for row in self.items.values())
        share = len(self._duplicates()) / plain if plain else 0.0
        return max(1, int((self.request.size - gold) / (1 + share)))


def _that_fit(duplicates: dict[str, str], groups: list[list[str]], room: int) -> dict[str, str]:
    """The duplicates of these groups that still fit on a sheet."""
    fitting: dict[str, str] = {}
    for group in groups:
        if all(key in duplicates for key in group) and len(fitting) + len(group) <= room:
            fitting |= {key: duplicates[key] for key in group}
    return fitting


def default_stage(study: models.Study) -> models.Stage:
    """The first stage that still wants judgements; the last if none does."""
    every = list(study.stages.select_related("protocol_version"))
    stages = [stage for stage in every if stage.state != "closed"] or every
    if not stages:
        raise wrong(f"the study {study.name!r} has no stage", "stage", "Make it again with `rubrica study new`.")
    wanted = study.items.filter(planted=None).count()
    for stage in stages:
        done = stage.assignments.filter(item__planted=None).exclude(state="returned").count()
        if done < wanted * stage.overlap:
            return stage
    return stages[-1]


def sheet_file(sheet: models.Sheet) -> SheetFile:
    """Everything the Excel file of a sheet holds, with the answers given so far."""
    stage = sheet.stage
    protocol = protocol_of(stage)
    rules = rules_of(stage, protocol)
    leases = list(sheet.assignments.select_related("item").order_by("position"))
    items = [lease.item_id for lease in leases]
    said = _current(stage, items, sheet.annotator_id)
    earlier = given_edits(stage, items)
    return SheetFile(
        study=stage.study.name,
        study_pid=stage.study.pid,
        pid=sheet.pid,
        stage=rules,
        annotator=sheet.annotator.name,
        number=sheet.number,
        protocol=protocol,
        language=sheet.language,
        rows=[
            SheetRow(
                lease.pid,
                item_from(lease.item),
                said.get(lease.item_id),
                earlier.get(lease.item_id, ()),
            )
            for lease in leases
        ],
    )


def _current(stage: models.Stage, items: Sequence[int], annotator: int) -> dict[int, Judgement]:
    heads = models.Judgement.objects.filter(stage=stage, annotator=annotator, item__in=items, state="submitted")
    related = heads.select_related("current").prefetch_related(
        Prefetch("current__edits", models.Edit.objects.order_by("position"))
    )
    return {head.item_id: judgement_from(head.current) for head in related if head.current}


class ReadResult(NamedTuple):
    """What came of one file: saved judgements, rows still open, blanks taken as an answer; whose it is, and where."""

    saved: Saved
    open: int
    blanks: int
    annotator: str
    stage: str


def read_file(study: models.Study, opened: OpenedSheet, now: datetime, *, blank_is_answer: bool = False) -> ReadResult:
    """Read a returned file into the study: all of it or nothing."""
    meta = opened.meta
    if meta.get("study") != study.pid:
        raise InputError(_foreign(study, opened))
    sheet = (
        models.Sheet.objects.filter(pid=meta.get("sheet", ""), stage__study=study)
        .select_related("stage__study", "stage__protocol_version", "annotator")
        .first()
    )
    if sheet is None:
        raise InputError(
            Problem(
                what="this study has no record of having written this sheet",
                rule="identity",
                file=opened.file,
                fix="Write the sheet again and copy the answers into it.",
                value=meta.get("sheet"),
            )
        )
    if sheet.annotator.erased_at is not None:
        told = erased_problem(study, Stone(study, sheet.annotator.erased_at), "whoever filled in this sheet")
        raise InputError(told.at(file=opened.file, fix="Delete the file: an erasure is not undone."))
    back = read_sheet(opened, sheet_file(sheet), blank_is_answer=blank_is_answer)
    leases = {lease.pid: lease for lease in sheet.assignments.all()}
    said = [Said(leases[row], "", judgement) for row, judgement in back.judgements.items()]
    with transaction.atomic():
        saved = Saved.of(record(sheet.stage, said, models.Revision.Origin.SHEET, now))
        sheet.read_at = now
        sheet.save(update_fields=["read_at"])
        audit.record("sheet read", study, now, sheet=sheet.pid, **saved._asdict())
    return ReadResult(saved, len(back.open), len(back.blanks), sheet.annotator.name, sheet.stage.key)


def _foreign(study: models.Study, opened: OpenedSheet) -> Problem:
    name = opened.meta.get("study_name", "unknown")
    other = models.Study.objects.filter(pid=opened.meta.get("study", "")).first()
    fix = "Read it in the home where that study is."
    if other is not None and other.deleted_at is not None:
        fix = f"That study is in the trash: `rubrica study restore {other.name} --as NEW`, then read it there."
    elif other is not None:
        fix = f"Read it with `rubrica sheets read {other.name} …`."
    return Problem(
        what=f"this sheet belongs to another study ({name!r}), not to {study.name!r}",
        rule="identity",
        value=name,
        fix=fix,
        file=opened.file,
    )
