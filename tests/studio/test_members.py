"""Members of a study: roles given, changed, taken; invitations to make an account; always an owner."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest
from django.test import Client

if TYPE_CHECKING:
    from rubrica.store.models import Study

As = Callable[[str], Client]
PASSWORD = "a long passphrase"


def page(study: Study, more: str = "") -> str:
    """The address of the page, or of one of its actions."""
    return f"/s/{study.pid}/members/{more}"


def role_of(study: Study, name: str) -> str:
    """The role of that account in the study."""
    member = study.members.filter(user__username=name).first()
    return member.role if member else ""


def invitation_in(content: str) -> str:
    """The path of the invitation link that a page shows."""
    found = re.search(r"http://testserver(/sign-up/[^\s<]+)", content)
    assert found is not None
    return found[1]


def test_owner_adds_and_changes(study: Study, as_: As) -> None:
    """The owner gives an existing account a role, and another one later; doing it twice changes nothing."""
    client = as_("owner")
    for _ in range(2):
        assert client.post(page(study, "add/"), {"name": "stranger", "role": "viewer"}).status_code == 302
    assert role_of(study, "stranger") == "viewer"
    client.post(page(study, "add/"), {"name": "stranger", "role": "manager"})
    assert role_of(study, "stranger") == "manager"
    assert study.members.filter(user__username="stranger").count() == 1


@pytest.mark.parametrize(
    ("name", "role"), [("nobody", "viewer"), ("stranger", "owner"), ("stranger", "king"), ("", "")]
)
def test_what_cannot_be_added(study: Study, as_: As, name: str, role: str) -> None:
    """Unknown accounts and roles that are not given are refused on the page."""
    assert as_("owner").post(page(study, "add/"), {"name": name, "role": role}).status_code == 422
    assert role_of(study, "stranger") == ""


def test_removing_can_be_undone(study: Study, as_: As) -> None:
    """The page after a removal offers to bring the member back with the same role."""
    client = as_("owner")
    answer = client.post(page(study, "remove/"), {"name": "adjudicator"}, follow=True)
    assert role_of(study, "adjudicator") == ""
    assert 'value="adjudicator"' in answer.content.decode()
    assert "Undo" in answer.content.decode()
    client.post(page(study, "add/"), {"name": "adjudicator", "role": "adjudicator"})
    assert role_of(study, "adjudicator") == "adjudicator"


def test_removing_twice(study: Study, as_: As) -> None:
    """Who is no member any more is not there."""
    client = as_("owner")
    client.post(page(study, "remove/"), {"name": "viewer"})
    assert client.post(page(study, "remove/"), {"name": "viewer"}).status_code == 404


def test_the_last_owner_stays(study: Study, as_: As) -> None:
    """A study always has an owner: neither removing nor another role takes the last one away."""
    client = as_("owner")
    assert client.post(page(study, "remove/"), {"name": "owner"}).status_code == 422
    assert client.post(page(study, "add/"), {"name": "owner", "role": "viewer"}).status_code == 422
    assert role_of(study, "owner") == "owner"


def test_transfer(study: Study, as_: As) -> None:
    """Another member becomes the owner, the owner until now a manager; who is no member cannot."""
    client = as_("owner")
    assert client.post(page(study, "transfer/"), {"name": "stranger"}).status_code == 404
    assert client.post(page(study, "transfer/"), {"name": "viewer"}).status_code == 302
    assert (role_of(study, "viewer"), role_of(study, "owner")) == ("owner", "manager")
    assert client.post(page(study, "transfer/"), {"name": "owner"}).status_code == 403


def test_invitation_makes_account_and_membership(study: Study, as_: As) -> None:
    """The link asks for a password, makes the account with its role, signs in, and works once."""
    from django.contrib.auth.models import User

    answer = as_("owner").post(page(study, "invite/"), {"name": "nia", "role": "manager"})
    address = invitation_in(answer.content.decode())
    client = Client()
    assert "nia" in client.get(address).content.decode()
    assert client.post(address, {"new_password1": "short", "new_password2": "short"}).status_code == 422
    answer = client.post(address, {"new_password1": PASSWORD, "new_password2": PASSWORD})
    assert answer.headers["Location"] == "/studies/"
    user = User.objects.get(username="nia")
    assert user.password.startswith("argon2")
    assert not user.is_superuser
    assert role_of(study, "nia") == "manager"
    assert client.get(page(study)).status_code == 200
    assert Client().get(address).status_code == 404
    assert Client().post(address, {"new_password1": PASSWORD, "new_password2": PASSWORD}).status_code == 404


def test_invitation_ends_with_the_senders_rights(study: Study, as_: As) -> None:
    """A link of somebody who does not own the study any more promises nothing."""
    address = invitation_in(
        as_("owner").post(page(study, "invite/"), {"name": "nia", "role": "viewer"}).content.decode()
    )
    as_("owner").post(page(study, "transfer/"), {"name": "manager"})
    assert Client().get(address).status_code == 404


def test_old_and_forged_invitations(study: Study, as_: As, monkeypatch: pytest.MonkeyPatch) -> None:
    """After a week, or with a letter changed, the link is nothing."""
    from django.core import signing

    address = invitation_in(
        as_("owner").post(page(study, "invite/"), {"name": "nia", "role": "viewer"}).content.decode()
    )
    assert Client().get(address[:-3] + "xx/").status_code == 404
    now = signing.time.time()
    monkeypatch.setattr(signing.time, "time", lambda: now + 8 * 86_400)
    assert Client().get(address).status_code == 404


@pytest.mark.parametrize(("name", "role"), [("viewer", "viewer"), ("a b", "viewer"), ("", "viewer"), ("nia", "owner")])
def test_invitations_that_cannot_be_made(study: Study, as_: As, name: str, role: str) -> None:
    """Names that are taken or impossible, and roles that are not given, are refused on the page."""
    assert as_("owner").post(page(study, "invite/"), {"name": name, "role": role}).status_code == 422


@pytest.mark.parametrize("who", ["viewer", "adjudicator", "manager"])
def test_only_the_owner_changes(study: Study, as_: As, who: str) -> None:
    """Every member sees the team; only the owner changes it."""
    client = as_(who)
    answer = client.get(page(study))
    assert answer.status_code == 200
    assert "Remove" not in answer.content.decode()
    for action in ("add/", "remove/", "transfer/", "invite/"):
        assert client.post(page(study, action), {"name": "viewer"}).status_code == 403


def test_strangers_find_nothing(study: Study, as_: As) -> None:
    """A study that one is no member of is not there, nor is one that does not exist."""
    assert as_("stranger").get(page(study)).status_code == 404
    assert as_("stranger").post(page(study, "add/"), {"name": "stranger", "role": "manager"}).status_code == 404
    assert as_("owner").get("/s/nothing/members/").status_code == 404


@pytest.mark.parametrize("action", ["add/", "remove/", "transfer/", "invite/"])
def test_actions_need_a_post(study: Study, as_: As, action: str) -> None:
    """A link to an action does nothing."""
    assert as_("owner").get(page(study, action)).status_code == 405


def test_changes_are_written_down(study: Study, as_: As, people: Any) -> None:
    """The audit trail names who gave whom which role."""
    from rubrica.store.models import AuditEvent
    from tests.store.conftest import first_break

    as_("owner").post(page(study, "add/"), {"name": "stranger", "role": "viewer"})
    event = AuditEvent.objects.get(action="member added")
    assert (event.actor, event.detail) == ("owner", {"member": "stranger", "role": "viewer"})
    assert first_break() is None
