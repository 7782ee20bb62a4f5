"""Excel sheets: items dealt to annotators, a sheet as the file it becomes, and the answers of a file that came back."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

import attrs
from django.db import transaction
from django.db.models import Count

from rubrica.core.assignment import SheetRoom, Want, deal, sheet_room, sheets
from rubrica.core.errors import InputError, Problem, refuse, wrong
from rubrica.core.names import annotator_name_problems, unknown_names
from rubrica.core.study import Saved
from rubrica.exchange.sheets.layout import SheetFile, SheetRow
from rubrica.exchange.sheets.read import Returned, other_study, unknown_sheet
from rubrica.store import audit, models
from rubrica.store.adjudication.adjudication import given_edits
from rubrica.store.allocation.allocator import Row, Share, lend
from rubrica.store.allocation.eligibility import eligibility_problems
from rubrica.store.allocation.handing_on import hand_on
from rubrica.store.allocation.overlap import give_back, lock_stage
from rubrica.store.allocation.wanted_items import described, free_for, lacking, wanted
from rubrica.store.options import options_of
from rubrica.store.people.annotators import named, spelling_problems
from rubrica.store.people.identities import erased_problem, erased_problems, identities_of
from rubrica.store.recording.judgements import Said, record
from rubrica.store.stages import stages_of_part
from rubrica.store.translate import current_of, item_from, protocol_of, rules_of


@attrs.frozen
class Request:
    """Who is to get sheets, how large, in which language."""

    annotators: Sequence[str]
    size: int
    language: str


class Dealt(NamedTuple):
    """The sheets to write, why somebody got none, and how many hidden duplicates wait for somebody's next sheet."""

    files: list[SheetFile]
    empty_handed: dict[str, str]
    waiting: dict[str, int]


def deal_sheets(stage: models.Stage, request: Request, now: datetime, actor: str = "") -> Dealt:
    """Sheets for these annotators: those they still hold, then new ones as far as the overlap and the rules allow."""
    if not request.annotators:
        raise wrong("nobody is named", "annotator_name", "Name at least one annotator.")
    with transaction.atomic():
        locked = lock_stage(stage.pk)
        study, protocol = locked.study, protocol_of(locked)
        refuse(annotator_name_problems(request.annotators))
        who = identities_of(study, request.annotators)
        problems = spelling_problems(study, request.annotators) + erased_problems(study, who)
        refuse(problems + eligibility_problems(locked, protocol, who))
        people = {person.name: person for person in named(study, request.annotators, now).values()}
        hand_on(locked, now)
        theirs = models.Sheet.objects.filter(annotator__in=people.values(), assignments__in=locked.assignments.open())
        held = list(theirs.distinct().order_by("annotator__name", "number"))
        dealer = _Dealer(locked, people, request, now)
        one_at_a_time = {sheet.annotator_id for sheet in held if protocol.one_sheet_at_a_time}
        fresh = dealer.sheets([name for name, person in people.items() if person.pk not in one_at_a_time])
        audit.record(
            "sheets dealt", study, now, actor=actor, stage=locked.key, sheets=len(fresh), annotators=len(people)
        )
        holders = {sheet.annotator_id for sheet in [*held, *fresh]}
        empty = {name: dealer.why_nothing(name) for name, person in people.items() if person.pk not in holders}
        waiting = dealer.waiting()
    return Dealt([sheet_file(sheet) for sheet in [*held, *fresh]], empty, waiting)


def recall(
    study: models.Study, stages: Sequence[models.Stage], names: Sequence[str], now: datetime, actor: str = ""
) -> dict[str, int]:
    """Return the open leases of these annotators to the pool; how many each had. What was judged stays."""
    refuse(unknown_names(names, set(study.annotators.values_list("name", flat=True))))
    with transaction.atomic():
        returned = {
            name: give_back(models.Assignment.objects.filter(stage__in=stages, annotator__name=name)) for name in names
        }
        audit.record("leases recalled", study, now, actor=actor, rows=sum(returned.values()), annotators=len(names))
    return returned


class _Dealer:
    """One deal, with the stage locked: asks the rules what everybody may have, deals, writes sheets and leases."""

    def __init__(
        self, stage: models.Stage, people: dict[str, models.Annotator], request: Request, now: datetime
    ) -> None:
        self.stage, self.people, self.request, self.now = stage, people, request, now
        self.protocol = protocol_of(stage)
        self.rules = rules_of(stage, self.protocol)
        self.shares = {name: self._share(name) for name in people}

    def _share(self, name: str) -> Share:
        return Share(self.stage, self.people[name], options_of(self.stage.study))

    def sheets(self, names: Sequence[str]) -> list[models.Sheet]:
        """New sheets for these people. A stage that is not open hands out nothing."""
        if self.stage.state != models.Stage.State.OPEN:
            return []
        items = described(wanted(self.stage, self.rules), self.stage)
        plain = models.Item.objects.filter(study=self.stage.study_id).unplanted().count()
        rooms = {name: self._room(self.shares[name]) for name in names}
        free = {name: self._free(self.shares[name]) for name in names}
        leases = self.stage.assignments.exclude(state=models.Assignment.State.RETURNED)
        dealt = deal(
            [Want(item.key, item.group, self.stage.overlap - item.taken) for item in items],
            names,
            lambda name, key: key in free[name],
            load=dict(leases.order_by().values_list("annotator__name").annotate(Count("pk"))),
            room={name: room.for_plain(plain) for name, room in rooms.items()},
            newcomers={name for name in names if self.shares[name].is_new},
            seed=self.stage.study.seed,
        )
        return [
            sheet for name, groups in dealt.items() for sheet in self._sheets_of(self.shares[name], rooms[name], groups)
        ]

    def _free(self, share: Share) -> set[str]:
        """What is free for this annotator. What once stood on a sheet of theirs does not come on another.

        A row has one id, and its file may still come back.
        """
        again = [lease.pk for lease in share.mine if lease.item in share.again and lease.sheet is None]
        keys = free_for(share.person, self.stage, self.rules, again).values_list("key", flat=True)
        return {key for key in keys if share.may_have(key)}

    def _room(self, share: Share, *, beside_others: bool = True) -> SheetRoom:
        """Single sheets have a bounded number of rows, gold a tenth of them; the limit bounds all sheets together."""
        size = self.request.size if self.protocol.one_sheet_at_a_time else None
        on_sheets = {lease.key for lease in share.mine if lease.sheet is not None}
        gold = [group for group in share.gold if not {*group} & (share.seen | on_sheets)]
        owed = [group for group in share.owed(more_to_come=beside_others) if not {*group} & on_sheets]
        return sheet_room(size, share.room, share.duplicates, gold, owed, beside_others=beside_others)

    def _sheets_of(self, share: Share, room: SheetRoom, groups: list[list[str]]) -> list[models.Sheet]:
        """Arrange one annotator's items with the planted ones, cut them into sheets, write the leases."""
        now = self.now
        if not groups:
            room = self._room(share, beside_others=False)
            if not room.owed:
                return []
        number = share.person.sheets.filter(stage=self.stage).count()
        seed = f"{self.stage.study.seed}:{self.stage.key}:{share.person.name}:{number}"
        cut = sheets(room.arranged(groups, seed), self.request.size)
        like = {"annotator": share.person, "stage": self.stage, "language": self.request.language, "written_at": now}
        made = [models.Sheet(number=place, **like) for place in range(number + 1, number + len(cut) + 1)]
        models.Sheet.objects.bulk_create(made)
        rows = [
            Row(key, position, sheet)
            for sheet, keys in zip(made, cut, strict=True)
            for position, key in enumerate(keys, start=1)
        ]
        assert lend(share, rows, now) is not None, "nobody is faster while the stage is locked"
        return made

    def waiting(self) -> dict[str, int]:
        """How many hidden duplicates of what people have did not fit and will be on their next sheet for certain."""
        if not any(share.duplicates for share in self.shares.values()):
            return {}
        left = {name: self._certain(self._share(name)) for name in self.people}
        return {name: count for name, count in left.items() if count}

    def _certain(self, share: Share) -> int:
        """Whatever others take meanwhile: so not that of the last row, which waits for something to stand between."""
        due = share.owed(more_to_come=False)
        coming = self._room(share, beside_others=bool(self._free(share))).owed
        return sum(len(group) for group in coming if group in due)

    def why_nothing(self, name: str) -> str:
        """The reason why an annotator gets no sheet."""
        share, same = self.shares[name], self.rules.same_people_as
        if self.stage.state != models.Stage.State.OPEN:
            return f"the stage is {_STATES[models.Stage.State(self.stage.state)]}"
        if not models.Item.objects.of_stage(self.stage).exists():
            return f"it waits for the stage {self.stage.takes!r}" if self.stage.takes else "the study has no items"
        if self.rules.items_from and not wanted(self.stage, self.rules).exists():
            return f"it waits for the stage {self.rules.items_from!r}"
        before = models.Assignment.objects.filter(stage__in=stages_of_part(self.stage.study, same)).done()
        if same and not before.filter(annotator=share.person).exists():
            return f"it is for those who took part in the stage {same!r}"
        if share.room == 0:
            return f"the study's limit of {share.options.limit_per_annotator} items is reached"
        if share.mine:
            return "this annotator has had all items that still want judgements"
        return "every item has its judgements, or they are handed out"


_STATES = {
    models.Stage.State.DRAFT: "not released: do that in the studio",
    models.Stage.State.PAUSED: "paused: resume it in the studio",
    models.Stage.State.CLOSED: "closed: open it again in the studio",
}
"""What is said of a stage that hands out nothing."""


def default_stage(study: models.Study) -> models.Stage:
    """The first stage that still wants judgements; the last if none does."""
    every = list(study.stages.select_related("protocol_version"))
    if not every:
        raise wrong(f"the study {study.name!r} has no stage", "stage", "Make it again with `rubrica study new`.")
    stages = [stage for stage in every if stage.state != models.Stage.State.CLOSED] or every
    return next((stage for stage in stages if lacking(stage).exists()), stages[-1])


def sheet_file(sheet: models.Sheet) -> SheetFile:
    """Everything the Excel file of a sheet holds, with the answers given so far."""
    stage = sheet.stage
    protocol = protocol_of(stage)
    rules = rules_of(stage, protocol)
    leases = list(sheet.assignments.select_related("item").order_by("position"))
    items = [lease.item_id for lease in leases]
    heads = models.Judgement.objects.filter(stage=stage, annotator=sheet.annotator_id, item__in=items).submitted()
    said = {head.item_id: current_of(head) for head in heads.with_edits()}
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
            SheetRow(lease.pid, item_from(lease.item), said.get(lease.item_id), earlier.get(lease.item_id, ()))
            for lease in leases
        ],
        stage_key=stage.key,
    )


class ReadResult(NamedTuple):
    """What came of one file: saved judgements, rows still open, blanks taken as an answer; whose it is, and where.

    ``questions`` are answers that were taken and had better be asked about.
    """

    saved: Saved
    open: int
    blanks: int
    annotator: str
    stage: str
    questions: Sequence[Problem]


def read_file(
    study: models.Study, opened: Returned, now: datetime, *, blank_is_answer: bool = False, actor: str = ""
) -> ReadResult:
    """Read a returned file into the study: all of it or nothing."""
    meta = opened.meta
    if meta.get("study") != study.pid:
        other = models.Study.objects.filter(pid=meta.get("study", "")).first()
        raise other_study(opened, study.name, other.name if other else "", trashed=bool(other and other.deleted_at))
    sheets = models.Sheet.objects.filter(pid=meta.get("sheet", ""), stage__study=study)
    sheet = sheets.select_related("stage__study", "stage__protocol_version", "annotator").first()
    if sheet is None:
        raise unknown_sheet(opened)
    if sheet.annotator.erased_at is not None:
        told = erased_problem(study, sheet.annotator, "whoever filled in this sheet")
        raise InputError(told.at(file=opened.file, fix="Delete the file: an erasure is not undone."))
    back = opened.read(sheet_file(sheet), blank_is_answer=blank_is_answer)
    leases = {lease.pid: lease for lease in sheet.assignments.all()}
    said = [Said(leases[row], "", judgement) for row, judgement in back.judgements.items()]
    with transaction.atomic():
        saved = Saved.of(record(sheet.stage, said, models.Revision.Origin.SHEET, now))
        sheet.update(read_at=now)
        audit.record("sheet read", study, now, actor=actor, sheet=sheet.pid, **saved._asdict())
    return ReadResult(saved, len(back.open), len(back.blanks), sheet.annotator.name, sheet.stage.key, back.questions)
