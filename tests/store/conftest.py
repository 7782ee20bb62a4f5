"""A running study without pages, and several people who ask at once."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from rubrica.protocols.catalog import load_shipped
from tests.conftest import NOW
from tests.making import pairs

if TYPE_CHECKING:
    from rubrica.core.study import Judgement, Receipt
    from rubrica.store.models import Annotator, Assignment, Stage
    from rubrica.store.recording.judgements import Said


@pytest.fixture
def make_stage(home: Path) -> Callable[..., Stage]:
    """Makes a study and gives its first stage: ``make_stage("breve", items=6, overlap=2, …options)``.

    ``rows`` are items instead of pairs; ``duplicates`` and ``gold`` are planted as in a plan.
    """

    def make(protocol: str = "breve", items: int = 6, overlap: int = 2, **more: Any) -> Stage:
        from rubrica.exchange.study_options import checked
        from rubrica.protocols.catalog import load_shipped
        from rubrica.store import studies

        loaded = load_shipped(protocol)
        plan = studies.Plan(
            name=more.pop("name", "s"),
            loaded=loaded,
            items=more.pop("rows", None) or pairs(items),
            overlap={stage.id: overlap for stage in loaded.protocol.stages},
            duplicates=more.pop("duplicates", 0.0),
            gold=more.pop("gold", ()),
        )
        study = studies.create(plan, NOW)
        study.update(options=checked({**study.options, **more}).stored())
        return study.stages.select_related("study", "protocol_version").first()  # type: ignore[return-value]

    return make


@pytest.fixture
def stage(make_stage: Callable[..., Stage]) -> Stage:
    """A running stage of six pairs for two annotators each, one at a time."""
    return make_stage(ahead=1)


@pytest.fixture
def owner(home: Path) -> Any:
    """A researcher."""
    from django.contrib.auth.models import User

    return User.objects.create(username="owner")


@pytest.fixture
def draft(owner: Any) -> Callable[..., Any]:
    """Makes a draft: ``draft("breve", title="…", settings={…})``."""

    def make(protocol: str = "breve", title: str = "A study", **more: Any) -> Any:
        from rubrica.core.names import name_from
        from rubrica.store.setup.setting_up import begin
        from rubrica.store.studies import Plan, free_name

        name = more.pop("name", "") or free_name(name_from(title))
        return begin(Plan(title=title, name=name, loaded=load_shipped(protocol), **more), owner, NOW)

    return make


def person(stage: Stage, name: str) -> Annotator:
    """The annotator of that name, made if need be."""
    from rubrica.store.people.annotators import named

    return named(stage.study, [name], NOW)[name]


def take(stage: Stage, name: str, now: datetime = NOW) -> list[Assignment]:
    """What the annotator of that name holds after asking for work."""
    from rubrica.store.allocation import leases

    return leases.take(person(stage, name), stage, now).leases


def keys(leases: Iterable[Assignment]) -> list[str]:
    """The keys of the items, in order."""
    return [lease.item.key for lease in leases]


def at_once(actions: Sequence[Callable[[], Any]]) -> list[Any]:
    """Do all of it at the same moment, each in a thread with a connection of its own; results or exceptions."""
    from django.db import connections

    ready = threading.Barrier(len(actions))
    results: list[Any] = [None] * len(actions)

    def run(index: int) -> None:
        try:
            ready.wait()
            results[index] = actions[index]()
        except Exception as error:  # noqa: BLE001 the test looks at it
            results[index] = error
        finally:
            connections.close_all()

    threads = [threading.Thread(target=run, args=(index,)) for index in range(len(actions))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    return results


def judged(lease: Assignment, seed: str = "") -> Judgement:
    """A valid judgement of the leased item."""
    from rubrica.core.simulation import Simulator
    from rubrica.store.translate import item_from, protocol_of, rules_of

    protocol = protocol_of(lease.stage)
    return Simulator(protocol, rules_of(lease.stage, protocol), f"{seed}:{lease.pid}").judge(item_from(lease.item))


def said(lease: Assignment, key: str, judgement: Judgement | None = None, **more: Any) -> Said:
    """One save under this key, by default a whole valid judgement."""
    from rubrica.store.recording.judgements import Said

    return Said(lease, key.ljust(8, "-"), judgement or judged(lease), **more)


def submit(lease: Assignment, key: str = "submit", now: datetime = NOW, outcome: str = "") -> Receipt:
    """Submit a judgement of this item, or a way out."""
    from rubrica.core.study import Judgement
    from rubrica.store.recording import judgements

    judgement = Judgement({}, (), outcome) if outcome else judged(lease)
    return judgements.submit([said(lease, key, judgement)], now)[0]


def places(stage: Stage) -> dict[str, int]:
    """How many places of each plain item are taken by people who count."""
    from rubrica.store.allocation.overlap import counted

    return dict(Counter(counted(stage).filter(item__planted=None).values_list("item__key", flat=True)))


def first_break() -> int | None:
    """The id of the first entry of the audit trail that does not fit the chain; None if it is whole."""
    from rubrica.store.audit import digest
    from rubrica.store.models import AuditEvent

    previous = ""
    for event in AuditEvent.objects.order_by("id").iterator():
        if event.previous != previous or event.hash != digest(event):
            return event.pk
        previous = event.hash
    return None
