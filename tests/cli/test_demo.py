"""`rubrica demo`: a study for every protocol, mostly done, with links to look at and to join."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from rubrica.protocols.catalog import load_shipped, shipped
from tests.conftest import Ran

pytestmark = pytest.mark.any_database

MEASURED = {"adequacy_fluency", "breve", "claro", "quality", "salsa", "split_rate"}
"""Protocols whose demo has metrics beside people: those of rewritten sentences."""


def test_demo_is_made_once_and_kept(rubrica: Callable[..., Ran], demo: Path) -> None:
    """Each protocol has a study with judgements, a link to join by and work left; a second run changes nothing.

    Beside them: a study that collects a benchmark, and an expert's sample of another, which is for nobody else. They
    were made with ``--anew`` where a study of the name was: it is deleted.
    """
    from rubrica.store.models import Invitation, Judgement, Revision, Study

    names = sorted(Study.objects.living().values_list("name", flat=True))
    assert names == sorted([*(f"demo-{protocol}" for protocol in shipped()), "demo-collecting", "demo-expert"])
    assert [study.name for study in Study.objects.exclude(deleted_at=None)] == ["demo-breve"]
    for study in Study.objects.living():
        assert Judgement.objects.filter(stage__study=study, state="submitted").exists()
        assert Invitation.objects.filter(study=study, kind="open").count() == (study.name != "demo-expert")
    before = Revision.objects.count()
    assert rubrica("demo", "--no-serve").code == 0
    assert Revision.objects.count() == before
    _visit_every_study()


def _visit_every_study() -> None:
    """The simulated annotators leave something to do, and lease like people: the overlap is never exceeded.

    Metrics stand beside them where sentences are rewritten.
    """
    from rubrica.demo.marked_edits import ways_in
    from rubrica.store.allocation import leases
    from rubrica.store.counting.progress import of_stages
    from rubrica.store.metric_annotators import registered
    from rubrica.store.models import Invitation, Study
    from rubrica.store.people import invitations
    from tests.conftest import NOW

    for door in Invitation.objects.filter(kind="open"):
        visitor = invitations.enter(door, {}, NOW).annotator
        assert visitor is not None
        stage = door.study.stages.get(key=door.step) if door.step else door.study.stages.get(position=0)
        assert leases.take(visitor, stage, NOW).leases, door.study.name
    beyond = [sum(one.extra for one in of_stages(study.stages.all())) for study in Study.objects.living()]
    assert beyond == [0] * (len(shipped()) + 2)
    assert [study.name for study in Study.objects.living() if list(ways_in(study))] == ["demo-salsa"]
    measured = {study.name.removeprefix("demo-"): registered(study) for study in Study.objects.living()}
    assert {name for name, metrics in measured.items() if metrics} == MEASURED
    numbers = {name: len(metrics) for name, metrics in measured.items() if metrics}
    assert numbers == {name: 3 if name == "split_rate" else 2 for name in MEASURED}
    assert all(one.items for metrics in measured.values() for one in metrics)


def test_edits_can_be_marked_settled_and_rated_at_once(home: Path) -> None:
    """In the study of edits a link for each leads straight to work of its stage; people differ in what they marked."""
    from rubrica.demo import demonstration
    from rubrica.demo.marked_edits import ways_in
    from rubrica.store.adjudication.adjudication import overlays
    from rubrica.store.allocation.leases import take
    from rubrica.store.people.participation import current_stage, way
    from tests.conftest import NOW

    stages = []
    for _, link in ways_in(demonstration.make("demo-salsa", load_shipped("salsa"), NOW)):
        assert link.annotator is not None
        assert way(link.annotator).due == "work"
        stage = current_stage(link.annotator)
        stages.append(stage.key)
        held = take(link.annotator, stage, NOW).leases
        assert held
        groups = [group for one in overlays(stage, [lease.item_id for lease in held]).values() for group in one.groups]
        assert {group.agreed for group in groups} == ({True, False} if stage.key == "adjudicate" else set())
    assert stages == ["select", "adjudicate", "classify"]
