"""Standing people and a running study for the tests of pages and API: owner, manager, viewer, stranger, annotator."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from django.test import Client

from tests.making import pairs

if TYPE_CHECKING:
    from rubrica.store.models import Invitation, Study

NOW = datetime(2026, 11, 16, 9, 0, tzinfo=UTC)
PEOPLE = ("owner", "manager", "adjudicator", "viewer", "stranger")


@pytest.fixture
def make_study(home: Path) -> Callable[..., Study]:
    """Makes a study of pairs: ``make_study("breve", items=6, overlap=2, steps=False, …options)``."""

    def make(protocol: str = "breve", items: int = 6, overlap: int = 2, steps: bool = False, **more: Any) -> Study:
        from rubrica.exchange.study_options import STEPS, checked
        from rubrica.protocols.catalog import load_shipped
        from rubrica.store import studies

        loaded = load_shipped(protocol)
        stages = {stage.id: overlap for stage in loaded.protocol.stages}
        name = more.pop("name", f"study-{protocol}")
        rows = more.pop("rows", None) or pairs(items)
        plan = studies.Plan(name=name, loaded=loaded, items=rows, overlap=stages)
        study = studies.create(plan, NOW)
        switched = {} if steps else {"steps": dict.fromkeys(STEPS, False)}
        study.update(options=checked({**study.options, **switched, **more}).stored())
        return study

    return make


@pytest.fixture
def study(make_study: Callable[..., Study]) -> Study:
    """A running study of six pairs for two annotators each, without steps before the work."""
    return make_study()


@pytest.fixture
def people(study: Study) -> dict[str, Any]:
    """Accounts: the owner, members by role, and a stranger who is no member."""
    from django.contrib.auth.models import User

    from rubrica.store.models import Member

    found = {}
    for name in PEOPLE:
        found[name] = User.objects.create(username=name)
        if name != "stranger":
            Member.objects.create(study=study, user=found[name], role=name, since=NOW)
    return found


@pytest.fixture
def as_(people: dict[str, Any]) -> Callable[[str], Client]:
    """A browser in which that person is signed in; "" is nobody."""

    def sign_in(name: str) -> Client:
        client = Client()
        if name:
            client.force_login(people[name])
        return client

    return sign_in


@pytest.fixture
def link(study: Study) -> Invitation:
    """The personal link of an annotator named ana."""
    from rubrica.store.people.invitations import invite

    return invite(study, ["ana"], NOW)[0]


@pytest.fixture
def door(link: Invitation) -> str:
    """The address of that annotator's pages, ending in a slash."""
    from rubrica.store.people.invitations import token

    return f"/w/{token(link)}/"
