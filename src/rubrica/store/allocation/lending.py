"""What an annotator gets next: looks at what is there and asks the pure functions. Writes nothing."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from django.db.models import QuerySet

from rubrica.core.assignment import Want, pick, planted_due
from rubrica.core.protocol import Protocol
from rubrica.core.protocol import Stage as Step
from rubrica.store import models
from rubrica.store.allocation.eligibility import barred, writes
from rubrica.store.allocation.overlap import COUNTED
from rubrica.store.allocation.wanted_items import PlantedItem, may_come, open_items, planted_items
from rubrica.store.options import Options
from rubrica.store.recording.prepared import Prepared
from rubrica.store.recording.prepared_rows import PreparedRows
from rubrica.store.translate import protocol_of, rules_of


class Choice(NamedTuple):
    """What the annotator holds, and the keys of the items to lease in addition; if there is nothing, why.

    ``planted`` are those of the keys that have no overlap. ``again`` are leases that can be renewed, by the row number
    of their item; ``position`` is that of the last lease.
    """

    held: list[models.Assignment]
    keys: list[str]
    planted: set[str]
    again: dict[int, int]
    position: int
    reason: str = ""


class _Mine(NamedTuple):
    """A lease that the annotator has or had: what choosing the next ones needs of it."""

    pk: int
    item: int
    key: str
    group: str
    state: str
    position: int


def choose(stage: models.Stage, person: models.Annotator, options: Options) -> Choice:
    """The leases that this annotator should have, as far as the overlap and the rules allow."""
    held = open_leases.all(stage.pk, person.pk)
    missing = options.ahead - len(pages(held))
    if missing <= 0:
        return Choice(held, [], set(), {}, 0)
    mine = [_Mine(*row) for row in _all_leases.rows(stage.pk, person.pk)]
    return _Chooser(stage, person, options, mine).choice(held, missing)


def _leases(stage: int, person: int) -> QuerySet[models.Assignment]:
    return models.Assignment.objects.filter(stage=stage, annotator=person).order_by("position", "pk")


open_leases = PreparedRows(
    lambda stage, person: _leases(stage, person).filter(state="open").select_related("item"), int, int
)
"""What the annotator of that row number holds at the stage of that one, with the items."""
_all_leases = Prepared(
    lambda stage, person: _leases(stage, person).values_list(
        "pk", "item", "item__key", "item__group", "state", "position"
    ),
    int,
    int,
)


def pages(leases: Iterable[models.Assignment]) -> list[list[str]]:
    """The keys of the leases' items, those of one group together."""
    return _groups((lease.item.group, lease.item.key) for lease in leases)


def _groups(items: Iterable[tuple[str, str]]) -> list[list[str]]:
    groups: dict[str, list[str]] = {}
    for group, key in items:
        groups.setdefault(group or f"\0{key}", []).append(key)
    return list(groups.values())


class _Chooser:
    """One request for more work."""

    def __init__(self, stage: models.Stage, person: models.Annotator, options: Options, mine: Sequence[_Mine]) -> None:
        self.stage, self.person, self.options, self.mine = stage, person, options, mine
        self.protocol = protocol_of(stage)
        self.rules = rules_of(stage, self.protocol)
        self.again = self._may_have_again()
        self.had = [lease for lease in mine if lease.item not in self.again]
        self.planted: list[PlantedItem] = []

    def choice(self, held: list[models.Assignment], missing: int) -> Choice:
        position = max((lease.position for lease in self.mine), default=0)
        self.planted = [] if self.rules.items_from else planted_items(self.stage)
        keys, reason = self._keys(missing)
        return Choice(held, keys, {row.key for row in self.planted} & {*keys}, self.again, position, reason)

    def _keys(self, missing: int) -> tuple[list[str], str]:
        me = {self.person.name: self.person.identity}
        if _restricts(self.stage, self.rules, self.protocol) and barred(self.stage, self.protocol, me):
            return [], "not_eligible"
        chosen = self._plain(missing)
        due = self._planted_due(more_to_come=bool(chosen)) if self.planted else []
        if due or chosen:
            within = self._within_limit([*due, *chosen])
            return [key for group in within for key in group], "" if within else "limit"
        waits = may_come(self.stage, self.rules, self.person, [lease.item for lease in self.had])
        return [], "waiting" if waits else "finished"

    def _may_have_again(self) -> dict[int, int]:
        """Leases that ended by time alone: the annotator neither judged the item nor passed it on."""
        returned = {lease.item: lease.pk for lease in self.mine if lease.state == "returned"}
        if returned:
            judged = models.Judgement.objects.filter(
                stage=self.stage, annotator=self.person, item__in=returned, state="submitted"
            )
            for item in judged.values_list("item", flat=True):
                returned.pop(item)
        return returned

    def _plain(self, missing: int) -> list[list[str]]:
        """Plain groups for this annotator. An original is not handed out once its hidden duplicate was."""
        items = open_items(self.stage, self.rules, self.person, self.again)
        had = {lease.key for lease in self.had}
        late = {row.original for row in self.planted if row.kind == "duplicate" and row.key in had}
        return pick(
            [Want(item.key, item.group, self.stage.overlap - item.taken) for item in items],
            lambda key: key not in late,
            taken={item.key: item.taken for item in items},
            count=missing,
            seed=f"{self.stage.study.seed}:{self.stage.key}:{self.person.pid}",
            first={lease.key for lease in self.mine if lease.item in self.again},
        )

    def _planted_due(self, *, more_to_come: bool) -> list[list[str]]:
        gold = _groups((row.group, row.key) for row in self.planted if row.kind == "gold")
        duplicates = {row.original: row.key for row in self.planted if row.kind == "duplicate"}
        plain = models.Item.objects.filter(study=self.stage.study, planted=None).count()
        every = max(3, min(20, math.ceil(plain / (len(gold) + 1)))) if gold else 1
        past = _groups((lease.group, lease.key) for lease in self.had)
        return planted_due(past, gold, duplicates, every=every, more_to_come=more_to_come)

    def _within_limit(self, groups: list[list[str]]) -> list[list[str]]:
        """The first groups that do not lead beyond the limit; whoever has had nothing gets one group in any case."""
        limit = self.options.limit_per_annotator
        if limit is None:
            return groups
        had = sum(lease.state in (*COUNTED, "extra") for lease in self.mine)
        within: list[list[str]] = []
        for group in groups:
            if had and had + len(group) > limit:
                break
            had += len(group)
            within.append(group)
        return within


def _restricts(stage: models.Stage, rules: Step, protocol: Protocol) -> bool:
    """Whether some people may not take part in this stage at all."""
    return bool(
        rules.not_authors
        or any(stage.role == "adjudicator" for stage in protocol.stages)
        or rules.other_people_than
        or any(rules.id in other.other_people_than for other in protocol.stages)
        or (writes(rules, protocol) and models.Study.objects.filter(authors_from=stage.study_id).exists())
    )
