"""Demo studies: one for each protocol, half done by simulated annotators, ready to be looked at and joined.

Simulated annotators work as people do in the studio: they lease items, save drafts and submit, over the last days, at
a pace of their own. Where edits are marked, see ``demonstration_edits``.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from importlib.resources import as_file, files

from rubrica.core.simulation import Simulator
from rubrica.core.study import Item
from rubrica.exchange.items import read_items
from rubrica.exchange.tables import read_table
from rubrica.protocols.loader import Loaded
from rubrica.store import demonstration_edits, invitations, models, options, studies
from rubrica.store.simulated_work import PEOPLE, do_share
from rubrica.store.translate import item_from, protocol_of, rules_of

SHARE_DONE = (1.0, 0.8, 0.4)
"""How much of the work each simulated annotator has done; the rest is left for visitors."""
SEED = 7


def items_of(loaded: Loaded) -> list[Item]:
    """The demo items of a shipped protocol, written by us."""
    source = files("rubrica.protocols") / loaded.protocol.id / "demo.jsonl"
    with as_file(source) as path:
        return list(read_items(read_table(path), loaded.protocol, {}).items)


def make(name: str, loaded: Loaded, now: datetime) -> models.Study:
    """A demo study with judgements of simulated annotators and an open link for visitors."""
    protocol = loaded.protocol
    items = items_of(loaded)
    whole = not protocol.edits
    overlap = {stage.id: max(stage.overlap, len(PEOPLE) + 1) for stage in protocol.stages} if whole else {}
    checks = 0.2 if whole else 0.0
    plan = studies.Plan(name=name, loaded=loaded, items=items, seed=SEED, overlap=overlap, duplicates=checks)
    study = studies.create(plan, now - timedelta(days=2, hours=3))
    study.title = f"Demo: {protocol.title.get('en')}"  # type: ignore[union-attr]
    options.keep(study, options.checked({**study.options, "completion_code": "DEMO-DONE", "items_reviewed": True}))
    study.save()
    invitations.open_door(study, "open", now, cap=1000)
    if protocol.edits:
        demonstration_edits.work(study, now)
        return study
    for stage in study.stages.select_related("protocol_version", "study"):
        for person, share in zip(PEOPLE, SHARE_DONE, strict=True):
            _work(study, stage, person, share, now)
    return study


def _work(study: models.Study, stage: models.Stage, name: str, share: float, now: datetime) -> None:
    """One simulated annotator at work, from two days ago until their share is done."""
    protocol = protocol_of(stage)
    simulator = Simulator(protocol, rules_of(stage, protocol), f"{SEED}:{study.name}:{name}")
    start = now - timedelta(days=2)
    person = invitations.invite(study, [name], start)[0].annotator
    assert person is not None
    do_share(stage, person, share, start, now, lambda lease: simulator.judge(item_from(lease.item)))
