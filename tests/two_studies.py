"""Two studies for tests: people write in the first, others judge what they wrote in the second."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rubrica.core.study import Item, Judgement
from rubrica.protocols.catalog import load_shipped
from tests.conftest import NOW

if TYPE_CHECKING:
    from rubrica.store.models import Annotator, Invitation, Stage, Study

SENTENCES = ("The gate, which is old, stays shut.", "The mill, which is new, runs all day.")


def make(protocol: str, name: str, items: Any = (), authors_from: Study | None = None, **more: Any) -> Study:
    """A running study without steps before the work; ``more`` is of its plan."""
    from rubrica.exchange.study_options import STEPS, checked
    from rubrica.store import studies

    study = studies.create(
        studies.Plan(name=name, loaded=load_shipped(protocol), items=items, **more), NOW, authors_from=authors_from
    )
    study.update(options=checked({**study.options, "steps": dict.fromkeys(STEPS, False)}).stored())
    return study


def writing(name: str = "writing") -> Study:
    """Two sentences, three writers each."""
    return make("split_rewrite", name, [Item(f"s{n}", {"source": text}) for n, text in enumerate(SENTENCES, start=1)])


def rating(source: Study, name: str = "rating", **more: Any) -> Study:
    """A study that judges what people wrote in the other."""
    from rubrica.store.people.joining import items_from

    items = items_from(source, load_shipped("split_rate").protocol).items
    return make("split_rate", name, items, authors_from=source, **more)


def stage_of(study: Study) -> Stage:
    """Its only stage."""
    return study.stages.select_related("study", "protocol_version").get()


def prolific(study: Study) -> Invitation:
    """A door for Prolific."""
    from rubrica.store.people.invitations import open_door

    return open_door(study, "prolific", NOW)


def come(door: Invitation, participant: str) -> Annotator:
    """Somebody comes from Prolific."""
    from rubrica.store.people.invitations import enter

    person = enter(door, {"PROLIFIC_PID": participant}, NOW).annotator
    assert person is not None
    return person


def call(study: Study, name: str) -> Annotator:
    """Somebody who is invited by name."""
    from rubrica.store.people.invitations import invite

    person = invite(study, [name], NOW)[0].annotator
    assert person is not None
    return person


def text_of(person: Annotator, item: str) -> str:
    """What this person writes about this item."""
    return f"Text {item} by {person.pid}. It has two sentences."


def write(person: Annotator, outcome: str = "") -> list[str]:
    """The person writes all that there is for them, or leaves it by a way out; what they wrote."""
    from rubrica.store.allocation import leases
    from rubrica.store.recording import judgements

    stage = stage_of(person.study)
    texts = []
    while work := leases.take(person, stage, NOW).leases:
        for lease in work:
            lease.stage = stage
            text = text_of(person, lease.item.key)
            judgement = Judgement({}, (), outcome) if outcome else Judgement({"rewrite": text})
            judgements.submit([judgements.Said(lease, f"key-{lease.pid}", judgement)], NOW)
            texts.append(text)
    return texts


def given(person: Annotator) -> list[str]:
    """The keys of the items that the person gets on asking for work; or, in brackets, why none."""
    from rubrica.store.allocation import leases

    work = leases.take(person, stage_of(person.study), NOW)
    return [lease.item.key for lease in work.leases] or [f"({work.reason})"]
