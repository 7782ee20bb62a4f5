"""Links: what is forged, revoked or of another kind leads nowhere; caps hold when many come at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from rubrica.core.errors import InputError
from tests.conftest import NOW
from tests.store.conftest import at_once

if TYPE_CHECKING:
    from rubrica.store.models import Invitation, Stage, Study


@pytest.fixture
def study(stage: Stage) -> Study:
    """The study of the running stage."""
    return stage.study


@pytest.fixture
def ana(study: Study) -> Invitation:
    """Ana's personal link."""
    from rubrica.store.people.invitations import invite

    return invite(study, ["ana"], NOW)[0]


def leads_to(token: str) -> int | None:
    """The invitation that a token leads to, if it is alive."""
    from rubrica.store.people.invitations import follow

    link = follow(token)
    return link.invitation.pk if link.invitation and not link.revoked else None


def test_a_token_leads_to_its_invitation_and_is_not_stored(ana: Invitation) -> None:
    """The token works, and no column of the database holds it."""
    from rubrica.store.models import Invitation as Row
    from rubrica.store.people.invitations import token

    assert leads_to(token(ana)) == ana.pk
    assert not any(token(ana)[16:] in str(value) for value in Row.objects.values_list().get())


def test_forged_tokens_lead_nowhere(ana: Invitation) -> None:
    """Every change of a token, in its id or its signature, makes it worthless; so does any text that is none."""
    from rubrica.store.people.invitations import follow, token

    good = token(ana)
    changed = [good[:n] + ("b" if good[n] != "b" else "c") + good[n + 1 :] for n in range(len(good))]
    for forged in [*changed, good[:-1], good + "A", good.upper(), "", "\0" * 38, "é" * 38, good[:16], f" {good}"]:
        assert follow(forged).invitation is None, forged


def test_a_token_of_one_person_is_not_another_s(study: Study) -> None:
    """An id with the signature of another link leads nowhere."""
    from rubrica.store.people.invitations import invite, token

    ana, bob = map(token, invite(study, ["ana", "bob"], NOW))
    assert leads_to(ana[:16] + bob[16:]) is None


def test_a_token_holds_for_its_kind_only(ana: Invitation) -> None:
    """A link whose kind was changed in the database has another token."""
    from rubrica.store.people.invitations import token

    old = token(ana)
    ana.kind = "open"
    ana.save()
    assert leads_to(old) is None


def test_revoking_and_renewing(ana: Invitation) -> None:
    """A revoked link says so; a renewed one has a new token, and the old one leads nowhere."""
    from rubrica.store.people.invitations import follow, renew, revoke, token

    old = token(ana)
    revoke(ana, NOW, "owner")
    assert follow(old).revoked
    renew(ana, NOW, "owner")
    assert follow(old).invitation is None
    assert leads_to(token(ana)) == ana.pk != old


def test_links_of_a_deleted_study_have_ended(ana: Invitation) -> None:
    """A study in the trash takes no work; brought back, its links work again."""
    from rubrica.store import studies
    from rubrica.store.people.invitations import follow, token

    studies.delete("s", NOW)
    assert follow(token(ana)).revoked
    studies.restore("s", NOW)
    assert leads_to(token(ana)) == ana.pk


def test_inviting_twice_keeps_the_link(study: Study, ana: Invitation) -> None:
    """Whoever has a link keeps it, and their name stays one annotator."""
    from rubrica.store.people.invitations import invite

    again, _ = invite(study, ["ana", "bob"], NOW)
    assert again.pk == ana.pk
    assert study.annotators.count() == 2


@pytest.mark.parametrize("names", [["a/b"], ["ana", "ana"], ["ana", "Ana"], [""], ["x" * 201]])
def test_names_that_cannot_be_used_are_refused(study: Study, names: list[str]) -> None:
    """Nobody is invited when one name is wrong."""
    from rubrica.store.people.invitations import invite

    with pytest.raises(InputError):
        invite(study, names, NOW)
    assert study.annotators.count() == 0


def test_a_name_in_another_spelling_is_not_somebody_new(study: Study, ana: Invitation) -> None:
    """As somebody new, ana could do as Ana what she may not: the study's own spelling is told."""
    from rubrica.store.people.invitations import invite

    with pytest.raises(InputError, match="'ANA' is spelt 'ana' in this study"):
        invite(study, ["ANA"], NOW)
    assert study.annotators.count() == 1


@pytest.mark.postgres
def test_a_cap_holds_when_many_come_at_once(study: Study) -> None:
    """Of eight who come at the same moment through a door for five, five get in, each as a person of their own."""
    from rubrica.store.people.invitations import enter, open_door

    door = open_door(study, "open", NOW, cap=5)
    results = at_once([lambda: enter(door, {}, NOW)] * 8)
    full = [result for result in results if isinstance(result, InputError)]
    assert [error.problems[0].rule for error in full] == ["link_full"] * 3
    assert len({result.annotator_id for result in results if result not in full}) == 5
    assert study.annotators.count() == 5


@pytest.mark.postgres
def test_two_doors_at_once_make_different_people(study: Study) -> None:
    """People who come through different links at the same moment never share an identity."""
    from rubrica.store.people.invitations import enter, open_door

    doors = [open_door(study, "open", NOW), open_door(study, "open", NOW)]
    results = at_once([lambda n=n: enter(doors[n % 2], {}, NOW) for n in range(8)])
    assert len({result.annotator_id for result in results}) == 8


@pytest.mark.postgres
def test_a_participant_is_one_person_however_often_they_come(study: Study) -> None:
    """The same Prolific id, eight times at once and later again, is one annotator with one link."""
    from rubrica.store.people.invitations import enter, open_door

    door = open_door(study, "prolific", NOW, cap=1)
    given = {"PROLIFIC_PID": "p1", "STUDY_ID": "s", "SESSION_ID": "1", "other": "dropped"}
    results = at_once([lambda: enter(door, given, NOW)] * 8)
    assert len({result.pk for result in results}) == 1
    later = enter(door, {**given, "SESSION_ID": "2"}, NOW)
    assert later.pk == results[0].pk
    assert later.annotator is not None
    assert later.annotator.external.details == {"PROLIFIC_PID": "p1", "STUDY_ID": "s", "SESSION_ID": "2"}


@pytest.mark.postgres
def test_the_same_participant_at_two_doors_is_one_person(study: Study) -> None:
    """A platform's person is one in the whole studio; the door by which they came last is kept for its code."""
    from rubrica.store.people.invitations import enter, open_door

    doors = [open_door(study, "prolific", NOW, cap=1, code=code) for code in ("ONE", "TWO")]
    one, two = (enter(door, {"PROLIFIC_PID": "p1"}, NOW) for door in doors)
    assert one.pk == two.pk
    assert two.annotator is not None
    assert two.annotator.external.invitation == doors[1]
    assert enter(doors[1], {"PROLIFIC_PID": "p2"}, NOW).annotator_id != one.annotator_id


@pytest.mark.parametrize(
    ("kind", "given"),
    [
        ("prolific", {}),
        ("prolific", {"PROLIFIC_PID": "  "}),
        ("mturk", {"assignmentId": "a"}),
        ("prolific", {"PROLIFIC_PID": "a\0b"}),
        ("mturk", {"workerId": "w", "hitId": "\ud800"}),
    ],
)
def test_a_platform_s_link_needs_its_parameters(study: Study, kind: str, given: dict[str, str]) -> None:
    """Without the platform's id of the person, or with characters that no text has, nobody is let in."""
    from rubrica.store.people.invitations import enter, open_door

    door = open_door(study, kind, NOW)
    with pytest.raises(InputError):
        enter(door, given, NOW)
    assert study.annotators.count() == 0


def test_a_revoked_door_lets_nobody_in(study: Study) -> None:
    """Even whoever has the page open gets no further; who came before keeps their own link."""
    from rubrica.store.people.invitations import enter, open_door, revoke, token

    door = open_door(study, "open", NOW)
    early = enter(door, {}, NOW)
    revoke(door, NOW, "owner")
    with pytest.raises(InputError):
        enter(door, {}, NOW)
    assert leads_to(token(early)) == early.pk


@pytest.mark.parametrize(("kind", "cap"), [("party", None), ("open", 0), ("open", -1), ("personal", None)])
def test_doors_that_make_no_sense_are_refused(study: Study, kind: str, cap: int | None) -> None:
    """A door has a kind that strangers can use and lets at least one person in."""
    from rubrica.store.people.invitations import open_door

    with pytest.raises(InputError):
        open_door(study, kind, NOW, cap=cap)


def test_pseudonyms_avoid_names_in_use(make_stage: Callable[..., Stage]) -> None:
    """A newcomer never becomes somebody who was invited by name."""
    from rubrica.store.people.invitations import enter, invite, open_door

    study = make_stage().study
    taken = invite(study, ["annotator-002", "annotator-003"], NOW)
    came = enter(open_door(study, "open", NOW), {}, NOW)
    assert came.annotator_id not in {one.annotator_id for one in taken}
