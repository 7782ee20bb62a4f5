"""The annotator's API: what is saved, what is refused, and how little a save asks of the database."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import TYPE_CHECKING, Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.studio.conftest import NOW

if TYPE_CHECKING:
    from rubrica.store.models import Assignment, Invitation, Study

pytestmark = pytest.mark.postgres

ANSWERS = {
    "meaning": 3,
    "simplification": 3,
    "fluency": 3,
    "concern": "no",
    "acceptance": "accept",
    "needed": "yes",
}


class Caller:
    """Calls the API with the token of a link."""

    def __init__(self, token: str) -> None:
        self.token, self.client = token, Client()

    def __call__(self, method: str, path: str, data: Any = None, **headers: str) -> Any:
        given = {"Authorization": f"Bearer {self.token}", **headers} if self.token else headers
        return self.client.generic(
            method,
            f"/api/v1/work{path}",
            data if isinstance(data, str | bytes) else _json(data),
            content_type="application/json",
            headers=given,
        )

    def draft(self, lease: str, key: str = "key-0000001", **more: Any) -> Any:
        return self("PUT", f"/{lease}/draft", {"key": key, **more})

    def submit(self, lease: str, key: str = "key-0000001", **more: Any) -> Any:
        return self("POST", "/submit", {"judgements": [{"lease": lease, "key": key, "answers": ANSWERS, **more}]})


def _json(data: Any) -> str:
    import json

    return "" if data is None else json.dumps(data)


@pytest.fixture
def ana(link: Invitation) -> Caller:
    """Ana, through her link."""
    from rubrica.store.people.invitations import token

    return Caller(token(link))


@pytest.fixture
def leases(study: Study, link: Invitation) -> list[Assignment]:
    """What ana holds."""
    from django.utils import timezone

    from rubrica.store.allocation.leases import take

    assert link.annotator is not None
    return take(link.annotator, study.stages.get(), timezone.now()).leases


@pytest.fixture
def lease(leases: list[Assignment]) -> str:
    """The public id of ana's first lease."""
    return leases[0].pid


def _only_error(response: Any) -> dict[str, Any]:
    errors = response.json()["errors"]
    assert {"what", "rule", "fix", "value"} <= errors[0].keys()
    return dict(errors[0])


def test_draft_is_kept_and_receipted(ana: Caller, lease: str) -> None:
    """A draft becomes revision 1 with its answers, time and visit, and the receipt says when."""
    from rubrica.store.models import Judgement

    response = ana.draft(lease, answers={"meaning": 2}, visit="v-1", seconds=4.5)
    assert response.status_code == 200, response.content
    receipt = response.json()
    assert (receipt["revision"], receipt["repeated"], receipt["superseded"]) == (1, False, False)
    assert receipt["at"].endswith(("Z", "+00:00"))
    head = Judgement.objects.get()
    assert head.state == "draft"
    assert head.pending is not None
    assert (head.pending.answers, head.pending.visit_seconds) == ({"meaning": 2}, 4.5)


def test_repeated_draft_is_one_revision(ana: Caller, lease: str) -> None:
    """The same key again answers with the same revision and adds none."""
    from rubrica.store.models import Revision

    first, again = ana.draft(lease).json(), ana.draft(lease).json()
    assert (first["revision"], again["revision"], again["repeated"]) == (1, 1, True)
    assert Revision.objects.count() == 1


def test_draft_of_an_overtaken_page_is_kept_beside(ana: Caller, lease: str) -> None:
    """However often an old page saves, it does not replace what another visit said since."""
    from rubrica.store.models import Judgement

    ana.draft(lease, "key-0000001", visit="phone", answers={"meaning": 1})
    ana.draft(lease, "key-0000002", visit="desk", base=1, answers={"meaning": 2})
    late = [ana.draft(lease, f"key-000001{n}", visit="phone", base=1, answers={"meaning": 3}).json() for n in (0, 1)]
    assert [one["superseded"] for one in late] == [True, True]
    pending = Judgement.objects.get().pending
    assert pending is not None
    assert pending.answers == {"meaning": 2}
    assert not ana.draft(lease, "key-0000020", visit="phone", base=4, answers={"meaning": 3}).json()["superseded"]


def test_page_behind_its_own_saves_is_not_overtaken(ana: Caller, lease: str) -> None:
    """Drafts of one visit follow each other even if the page has not seen their receipts."""
    for number in range(3):
        assert not ana.draft(lease, f"key-000000{number}", visit="v", base=0).json()["superseded"]


def test_a_further_draft_asks_the_database_twice(ana: Caller, lease: str) -> None:
    """The link with the lease, and the new row: of ten saves, nine are such drafts."""
    first = ana.draft(lease).json()
    with CaptureQueriesContext(connection) as asked:
        second = ana.draft(lease, "key-0000002", visit="v", base=1)
    # Several rows at once are noted as "1 times: INSERT …".
    statements = [one["sql"].removeprefix("1 times: ").split()[0] for one in asked.captured_queries]
    assert [word for word in statements if word not in ("BEGIN", "COMMIT")] == ["SELECT", "INSERT"]
    assert (second.status_code, second.json().keys(), second.json()["revision"]) == (200, first.keys(), 2)
    assert second["Content-Type"].startswith("application/json")


def test_a_submit_passes_at_most_14_modules(ana: Caller, lease: str) -> None:
    """From the view to the commit: a newcomer can follow a judgement from click to table."""
    passed: list[str] = []

    def note(frame: FrameType, event: str, value: Any) -> None:
        module = frame.f_globals.get("__name__", "")
        if event == "call" and module.startswith("rubrica."):
            done = (module, frame.f_code.co_name) == ("rubrica.store.allocation.leases", "next_held")
            if done or passed[-1:] == ["committed"]:
                passed.append("committed")
            elif passed or (module, frame.f_code.co_name) == ("rubrica.studio.api.work", "submit"):
                passed.append(module)

    ana.draft(lease)
    sys.setprofile(note)
    try:
        response = ana.submit(lease, "key-0000002", visit="v", base=1)
    finally:
        sys.setprofile(None)
    assert response.status_code == 200, response.content
    modules = set(passed) - {"committed"}
    assert len(modules) <= 14, "\n".join(sorted(modules))


def test_submit_is_final_and_leads_on(ana: Caller, leases: list[Assignment]) -> None:
    """A submitted judgement is current, its lease done, and the next page is that of the next lease."""
    from rubrica.store.models import Assignment, Judgement

    response = ana.submit(leases[0].pid, visit="v", seconds=9)
    assert response.status_code == 200, response.content
    assert response.json()["next"] == f"/w/{ana.token}/work/{leases[1].pid}/"
    head = Judgement.objects.get()
    assert (head.state, head.current and head.current.seconds) == ("submitted", 9.0)
    assert Assignment.objects.get(pid=leases[0].pid).state == "done"


def test_doubled_submit_is_one_revision(ana: Caller, lease: str) -> None:
    """The same submit again answers 200 and changes nothing."""
    from rubrica.store.models import Revision

    first, again = ana.submit(lease).json(), ana.submit(lease).json()
    assert again["receipts"][0]["repeated"]
    assert again["next"] == first["next"]
    assert Revision.objects.count() == 1


def test_last_submit_leads_to_the_work_page(ana: Caller, leases: list[Assignment]) -> None:
    """With nothing more held, the work page is next: it looks for more or says why there is none."""
    answers = [ana.submit(lease.pid, f"key-{number:08}").json()["next"] for number, lease in enumerate(leases)]
    assert answers[-1] == f"/w/{ana.token}/work/"


def test_submit_with_gaps_is_refused_whole(ana: Caller, leases: list[Assignment]) -> None:
    """One judgement with a gap keeps all of the page from being submitted, and says lease and question."""
    from rubrica.store.models import Revision

    good = {"lease": leases[0].pid, "key": "key-0000001", "answers": ANSWERS}
    gap = {"lease": leases[1].pid, "key": "key-0000002", "answers": {**ANSWERS, "meaning": 9, "concern": "maybe"}}
    gap["answers"].pop("fluency")  # type: ignore[attr-defined]
    response = ana("POST", "/submit", {"judgements": [good, gap]})
    assert response.status_code == 422
    errors = response.json()["errors"]
    assert {(one["lease"], one["question"], one["rule"]) for one in errors} == {
        (leases[1].pid, "fluency", "required"),
        (leases[1].pid, "meaning", "scale"),
        (leases[1].pid, "concern", "scale"),
    }
    assert Revision.objects.count() == 0


def test_problems_are_told_in_the_annotators_language(ana: Caller, lease: str, link: Invitation) -> None:
    """What keeps a judgement from being submitted is worded for the annotator, not for a developer."""
    what = ana("POST", "/submit", {"judgements": [{"lease": lease, "key": "key-0000001"}]}).json()["errors"][0]["what"]
    assert "_" not in what
    assert what.endswith(".")


def test_skip_needs_no_answers(ana: Caller, lease: str) -> None:
    """An uncomfortable item is left without answers, and its place goes to somebody else."""
    from rubrica.store.models import Assignment

    assert ana.submit(lease, answers={"meaning": 1, "comment": "no"}, outcome="uncomfortable").status_code == 200
    assert Assignment.objects.get(pid=lease).state == "returned"


@pytest.mark.parametrize(
    ("data", "rule"),
    [
        ({"key": "key-0000001", "answers": {"meaning": "a\0b"}}, "form"),
        ({"key": "key-0000001", "answers": {"meaning": "\ud800"}}, "form"),
        ({"key": "key-0000001", "answers": {"meaning": [{"a": 1}]}}, "form"),
        ({"key": "key-0000001", "answers": {"meaning": 1e300}}, "form"),
        ({"key": "key-0000001", "answers": {"nobody": 1}}, "unknown_question"),
        ({"key": "key-0000001", "outcome": "gone"}, "way_out"),
        ({"key": "short"}, "form"),
        ({"key": "key-0000001", "visit": "a b"}, "form"),
        ({"key": "key-0000001", "seconds": -1}, "form"),
        ({"key": "key-0000001", "base": 2**40}, "form"),
        ({}, "form"),
        ([], "form"),
    ],
)
def test_what_no_page_sends_is_refused(ana: Caller, lease: str, data: Any, rule: str) -> None:
    """Values that no database could hold, unknown questions and broken fields answer 422 with rule and fix."""
    response = ana("PUT", f"/{lease}/draft", data)
    assert response.status_code == 422, response.content
    assert _only_error(response)["rule"] == rule


@pytest.mark.parametrize("body", ["{", '{"key": "key-0000001", "seconds": NaN}', "[" * 100_000, b"\xff"])
def test_broken_json_is_refused(ana: Caller, lease: str, body: Any) -> None:
    """A body that is not JSON answers 400 in the same shape."""
    response = ana("PUT", f"/{lease}/draft", body)
    assert response.status_code == 400
    _only_error(response)


def test_infinite_number_is_refused(ana: Caller, lease: str) -> None:
    """A number too large for a float is no answer."""
    body = '{"key": "key-0000001", "answers": {"meaning": 1e999}}'
    assert ana("PUT", f"/{lease}/draft", body).status_code == 422


def test_too_large_body_is_refused(ana: Caller, lease: str) -> None:
    """More than the server takes answers 413 in the same shape."""
    response = ana.draft(lease, answers={"comment": "a" * 6_000_000})
    assert response.status_code == 413
    assert _only_error(response)["rule"] == "too_big"


@pytest.mark.parametrize("token", ["", "nonsense", "a" * 38])
def test_bad_token_is_401(ana: Caller, lease: str, token: str) -> None:
    """Without a link that we made there is nobody to save for."""
    response = Caller(token).draft(lease)
    assert response.status_code == 401
    assert _only_error(response)["rule"] == "token"


def test_revoked_link_is_410(ana: Caller, lease: str, link: Invitation) -> None:
    """A revoked link says that it has ended."""
    from rubrica.store.people.invitations import revoke

    revoke(link, NOW)
    response = ana.draft(lease)
    assert response.status_code == 410
    assert _only_error(response)["rule"] == "link_ended"


def test_nothing_is_taken_from_who_has_withdrawn(ana: Caller, lease: str, link: Invitation) -> None:
    """After stopping, what is still in the browser's queue is not saved; after coming back it is."""
    from rubrica.store.models import Revision
    from rubrica.store.people.consents import come_back, stop

    assert link.annotator is not None
    stop(link.annotator, NOW)
    for response in (ana.draft(lease), ana.submit(lease)):
        assert response.status_code == 410
        assert _only_error(response)["rule"] == "link_ended"
    assert Revision.objects.count() == 0
    assert ana("GET", "/next").json()["reason"] == "withdrawn"
    come_back(link.annotator, NOW)
    assert ana.submit(lease).status_code == 200


def test_lease_of_another_is_404(lease: str, study: Study) -> None:
    """Nobody can save, submit, flag or ask about another's lease."""
    from rubrica.store.people.invitations import invite, token

    ben = Caller(token(invite(study, ["ben"], NOW)[0]))
    for response in (
        ben.draft(lease),
        ben.submit(lease),
        ben("POST", f"/{lease}/flag", {"reason": "odd"}),
        ben("POST", "/hints", {"lease": lease}),
    ):
        assert response.status_code == 404
        assert _only_error(response)["rule"] == "not_found"


def test_wrong_method_is_405(ana: Caller, lease: str) -> None:
    """A method that an address does not take is refused in the one shape, with those that it takes."""
    response = ana("DELETE", f"/{lease}/draft")
    assert (response.status_code, response["Allow"]) == (405, "PUT")
    assert _only_error(response)["rule"] == "method"


def test_same_lease_twice_is_refused(ana: Caller, lease: str) -> None:
    """A page has one judgement for each lease."""
    one = {"lease": lease, "key": "key-0000001", "answers": ANSWERS}
    assert ana("POST", "/submit", {"judgements": [one, {**one, "key": "key-0000002"}]}).status_code == 422


def test_next_tells_what_is_held(ana: Caller, study: Study) -> None:
    """The pages that are held ahead are told with their addresses, so that they can be kept for offline work."""
    told = ana("GET", "/next").json()
    assert len(told["leases"]) == 3
    assert told["next"] == told["leases"][0]["page"] == f"/w/{ana.token}/work/{told['leases'][0]['lease']}/"


def test_next_says_why_there_is_nothing(ana: Caller, study: Study) -> None:
    """In a paused study there is nothing to hold, and the reason is told."""
    study.stages.update(state="paused")
    assert ana("GET", "/next").json() == {"next": f"/w/{ana.token}/work/", "leases": [], "reason": "paused"}


def test_flag_is_kept_once(ana: Caller, lease: str) -> None:
    """Flagging twice keeps one flag, with the last reason."""
    from rubrica.store.models import Flag

    for reason in ("odd", " two texts in one "):
        assert ana("POST", f"/{lease}/flag", {"reason": reason}).status_code == 200
    assert Flag.objects.get().reason == "two texts in one"
    assert ana("POST", f"/{lease}/flag", {"reason": "a\0"}).status_code == 422


def test_draft_renews_a_lease_that_is_half_over(ana: Caller, lease: str) -> None:
    """Who is still working keeps the item."""
    from datetime import timedelta

    from django.utils import timezone

    from rubrica.store.models import Assignment

    soon = timezone.now() + timedelta(minutes=5)
    Assignment.objects.filter(pid=lease).update(expires_at=soon)
    ana.draft(lease)
    ends = Assignment.objects.get(pid=lease).expires_at
    assert ends is not None
    assert ends > soon + timedelta(hours=1)


def test_hints_for_a_rewrite(make_study: Callable[..., Study]) -> None:
    """Hints on a rewrite count sentences and name words that went, in words."""
    from django.utils import timezone

    from rubrica.store.allocation.leases import take
    from rubrica.store.people.invitations import invite, token
    from rubrica.store.people.participation import current_stage

    invitation = invite(make_study("split_rewrite"), ["wu"], NOW)[0]
    assert invitation.annotator is not None
    lease = take(invitation.annotator, current_stage(invitation.annotator), timezone.now()).leases[0]
    caller = Caller(token(invitation))
    response = caller("POST", "/hints", {"lease": lease.pid, "answers": {"rewrite": "The doors. They stay."}})
    assert response.status_code == 200, response.content
    texts = [one["text"] for one in response.json()["hints"]]
    assert texts[0] == "2 sentences"
    assert any("gates" in text for text in texts)


def test_hints_for_words(make_study: Callable[..., Study]) -> None:
    """The word itself and a word given twice are noticed however they are written, as results count them."""
    from django.utils import timezone

    from rubrica.core.study import Item
    from rubrica.store.allocation.leases import take
    from rubrica.store.people.invitations import invite, token
    from rubrica.store.people.participation import current_stage

    word = Item("w", {"context": "A vast field lay there.", "target": "vast"})
    invitation = invite(make_study("lexical_simplification", rows=[word]), ["wu"], NOW)[0]
    assert invitation.annotator is not None
    lease = take(invitation.annotator, current_stage(invitation.annotator), timezone.now()).leases[0]
    said = {"lease": lease.pid, "answers": {"substitutes": ["VA\u00adST", "big", "ＢＩＧ"]}}
    response = Caller(token(invitation))("POST", "/hints", said)
    assert response.status_code == 200, response.content
    texts = " ".join(one["text"] for one in response.json()["hints"])
    assert "VA\u00adST" in texts
    assert "ＢＩＧ" in texts
    assert " big" not in texts


def test_that_no_word_is_simpler_must_be_said(make_study: Callable[..., Study]) -> None:
    """An answer left out, empty texts and nothing are refused and stored nowhere; an empty list says that none is."""
    from django.utils import timezone

    from rubrica.core.study import Item
    from rubrica.store.allocation.leases import take
    from rubrica.store.models import Revision
    from rubrica.store.people.invitations import invite, token
    from rubrica.store.people.participation import current_stage

    word = Item("w", {"context": "A vast field lay there.", "target": "vast"})
    invitation = invite(make_study("lexical_simplification", rows=[word]), ["wu"], NOW)[0]
    assert invitation.annotator is not None
    lease = take(invitation.annotator, current_stage(invitation.annotator), timezone.now()).leases[0]
    caller = Caller(token(invitation))
    blank: list[dict[str, Any]] = [{}, {"substitutes": ""}, {"substitutes": [""]}, {"substitutes": None}]
    for number, answers in enumerate(blank):
        said = {"judgements": [{"lease": lease.pid, "key": f"blank-page-{number}", "answers": answers}]}
        response = caller("POST", "/submit", said)
        assert response.status_code == 422, (answers, response.content)
    assert not Revision.objects.exists()
    missing = caller("POST", "/submit", {"judgements": [{"lease": lease.pid, "key": "blank-page", "answers": {}}]})
    assert "empty list" in missing.json()["errors"][0]["fix"]
    said = {"judgements": [{"lease": lease.pid, "key": "none-simpler", "answers": {"substitutes": []}}]}
    assert caller("POST", "/submit", said).status_code == 200
    assert Revision.objects.get().answers == {"substitutes": []}


def test_openapi_describes_every_address(ana: Caller) -> None:
    """The description has all endpoints of this room, each with its refusals."""
    paths = Client().get("/api/v1/openapi.json").json()["paths"]
    assert {
        "/api/v1/work/{lease}/draft",
        "/api/v1/work/submit",
        "/api/v1/work/hints",
        "/api/v1/work/{lease}/flag",
        "/api/v1/work/next",
    } <= paths.keys()
    assert "422" in paths["/api/v1/work/submit"]["post"]["responses"]
