"""The work page: leases, showing and changing what was said, submitting without script, previews and trials."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest
from django.test import Client

from rubrica.core.study import Item
from tests.studio.conftest import NOW

if TYPE_CHECKING:
    from rubrica.store.models import Invitation, Study

GOOD = {
    "simplification": "3",
    "meaning": "3",
    "fluency": "2",
    "concern": "no",
    "acceptance": "accept",
    "needed": "yes",
}
ACCEPTED = {**GOOD, "simplification": 3, "meaning": 3, "fluency": 2}
CONTEXT = "The taciturn archivist catalogued the lamp."
WORDS = [
    Item(f"{word}", {"context": CONTEXT, "target": word}, group=CONTEXT) for word in ("taciturn", "archivist", "lamp")
]


def door_of(study: Study, name: str = "ana") -> str:
    """The address of that annotator's pages."""
    from rubrica.store.people.invitations import invite, token

    return f"/w/{token(invite(study, [name], NOW)[0])}/"


def first_page(client: Client, door: str) -> str:
    """The address of the page that asking for work shows."""
    response = client.get(f"{door}work/")
    assert response.status_code == 200, response.content
    return address_on(response)


def address_on(response: Any) -> str:
    """Where the form of a work page goes: its own address. Nothing if there is no work on the page."""
    found = re.search(r'action="([^"]+)" class="desk-form"', html_of(response))
    return found[1] if found else ""


def lease_in(page: str) -> str:
    """The lease in the address of a page."""
    return page.rstrip("/").rpartition("/")[2]


def form(page: str, **answers: str) -> dict[str, str]:
    """The fields that a form sends."""
    lease = lease_in(page)
    return {f"{lease}.key": f"key-of-{lease}", **{f"{lease}.{name}": value for name, value in answers.items()}}


def html_of(response: Any) -> str:
    """The text of a response."""
    return str(response.content.decode())


def test_work_shows_the_page_of_the_first_lease(door: str) -> None:
    """Asking for work takes leases and shows the page of the first, with honest progress."""
    client = Client()
    page = first_page(client, door)
    assert first_page(client, door) == page
    response = client.get(page)
    html = html_of(response)
    assert response.status_code == 200
    assert f'data-lease="{lease_in(page)}"' in html
    assert "1 of about 6" in html
    assert response["Cache-Control"] == "no-store"
    assert response["Referrer-Policy"] == "same-origin"


def test_progress_counts_planted_items_from_the_start(door: str, study: Study) -> None:
    """Six pairs, three hidden duplicates (half of six) and two with known answers: eleven, on every page."""
    from rubrica.store.setup.study_items import set_duplicates, set_gold

    set_duplicates(study, 0.5, NOW, "owner")
    texts = {"source": "The lamp was lit by him.", "rewrite": "He lit the lamp."}
    set_gold(study, [(Item(f"gold-{number}", texts), {"meaning": 3}) for number in (1, 2)], NOW, "owner")
    client = Client()
    seen = []
    while page := address_on(found := client.get(f"{door}work/")):
        seen.append(re.search(r"(\d+) of (?:about )?(\d+)", html_of(found))[0])  # type: ignore[index]
        assert client.post(page, form(page, **GOOD)).status_code == 302
    assert found["Location"] == f"{door}thanks/"
    assert seen[:1] == ["1 of about 11"]
    assert {words.rpartition(" ")[2] for words in seen} == {"11"}
    assert seen[-1] == "11 of 11"


def test_welcome_and_work_tell_one_number(client: Client, make_study: Callable[..., Study]) -> None:
    """What is planted is an item like any other to annotators: the welcome and the work page count the same eleven."""
    from rubrica.store.setup.study_items import set_duplicates, set_gold

    study = make_study(name="counted", items=6)
    set_duplicates(study, 0.5, NOW, "owner")
    texts = {"source": "The lamp was lit by him.", "rewrite": "He lit the lamp."}
    set_gold(study, [(Item(f"gold-{number}", texts), {"meaning": 3}) for number in (1, 2)], NOW, "owner")
    door = door_of(study)
    assert "up to 11 items" in html_of(client.get(f"{door}welcome/"))
    assert "1 of about 11" in html_of(client.get(f"{door}work/"))
    assert "up to 11 items" in html_of(client.get(f"{door}welcome/")), "also once some were handed out"


def test_a_group_is_counted_in_items_and_pages(client: Client, make_study: Callable[..., Study]) -> None:
    """Where several items stand on a page, the welcome names both numbers, and the work page counts its pages."""
    study = make_study("lexical_simplification", name="grouped", rows=WORDS)
    door = door_of(study)
    assert "up to 3 items on one page" in html_of(client.get(f"{door}welcome/"))
    assert "1 of 1" in html_of(client.get(f"{door}work/"))


def test_blank_boxes_are_asked_about_without_script(make_study: Callable[..., Study]) -> None:
    """A blank form stores nothing and asks, by its word; the button that answers, or the choice, stores "none"."""
    from rubrica.store.models import Revision

    study = make_study("lexical_simplification", rows=WORDS)
    client, door = Client(), door_of(study)
    page = first_page(client, door)
    leases = re.findall(r'data-lease="([^"]+)"', html_of(client.get(page)))
    blank = {f"{lease}.substitutes": ["", "", ""] for lease in leases} | {f"{one}.key": f"key-{one}" for one in leases}
    asked = client.post(page, blank)
    assert asked.status_code == 422
    assert not Revision.objects.exists()
    for word in ("taciturn", "archivist", "lamp"):
        assert f"No simpler word for {word}?" in html_of(asked)
    assert 'name="none" value="yes" class="primary" autofocus' in html_of(asked)
    some = {**blank, f"{leases[0]}.substitutes": ["quiet"], f"{leases[1]}.substitutes.none": ["none"]}
    assert "No simpler word for taciturn?" not in html_of(client.post(page, some))
    assert client.post(page, {**some, "none": "yes"}).status_code == 302
    assert [one.answers["substitutes"] for one in Revision.objects.order_by("pk")] == [["quiet"], [], []]


def test_submit_without_script(door: str, study: Study) -> None:
    """A form sent without script is a submitted judgement, and leads on to the next page."""
    from rubrica.store.models import Assignment, Judgement

    client = Client()
    page = first_page(client, door)
    response = client.post(page, form(page, **GOOD))
    assert (response.status_code, response["Location"]) == (302, f"{door}work/")
    judgement = Judgement.objects.get(item__assignments__pid=lease_in(page))
    assert judgement.current is not None
    assert judgement.current.answers == ACCEPTED
    assert Assignment.objects.get(pid=lease_in(page)).state == "done"
    assert first_page(client, door) != page


def test_a_double_post_is_one_revision(door: str) -> None:
    """The same form sent twice makes one revision."""
    from rubrica.store.models import Revision

    client = Client()
    page = first_page(client, door)
    for _ in range(2):
        assert client.post(page, form(page, **GOOD)).status_code == 302
    assert Revision.objects.count() == 1


def test_what_is_missing_is_said_in_place(door: str) -> None:
    """A refused form comes back with what was typed and the problem at its question; nothing is stored."""
    from rubrica.store.models import Revision

    client = Client()
    page = first_page(client, door)
    answers = {**GOOD, "comment": "I <b>wonder</b>", "acceptance": "reject", "severity": "2"}
    del answers["meaning"]
    response = client.post(page, form(page, **answers))
    html = html_of(response)
    assert response.status_code == 422
    assert "2 things are missing" in html
    assert "I &lt;b&gt;wonder&lt;/b&gt;" in html
    assert re.search(r'name="[^"]+\.fluency" value="2"[^>]*checked', html)
    assert re.search(rf'id="q-{lease_in(page)}-corrected"(?![^>]*hidden)', html)
    assert Revision.objects.count() == 0


def test_hidden_answers_are_forgotten(door: str) -> None:
    """An answer to a question that is not shown any more is not kept."""
    from rubrica.store.models import Revision

    client = Client()
    page = first_page(client, door)
    assert client.post(page, form(page, **GOOD, severity="3", edit="Better.")).status_code == 302
    assert Revision.objects.get().answers == ACCEPTED


def test_done_pages_can_be_opened_and_changed(door: str) -> None:
    """A done page shows the submitted answers, its neighbours, and can be submitted anew."""
    from rubrica.store.models import Judgement

    client = Client()
    page = first_page(client, door)
    client.post(page, form(page, **GOOD))
    second = first_page(client, door)
    assert f'data-previous="{page}"' in html_of(client.get(second))
    html = html_of(client.get(page))
    assert f'data-next="{second}"' in html
    assert 'data-base="1" aria-label="Questions"' in html.replace("  ", " ")
    assert re.search(r'name="[^"]+\.meaning" value="3"[^>]*checked', html)
    changed = {**form(page, **{**GOOD, "meaning": "1"}), f"{lease_in(page)}.key": "another-key"}
    assert client.post(page, changed).status_code == 302
    head = Judgement.objects.get(item__assignments__pid=lease_in(page))
    assert head.current is not None
    assert (head.current.number, head.current.answers["meaning"]) == (2, 1)


def test_a_pending_draft_is_shown(door: str) -> None:
    """A draft saved from another device is what the page opens with."""
    from rubrica.core.study import Judgement
    from rubrica.store.models import Assignment
    from rubrica.store.recording.drafts import save_draft
    from rubrica.store.recording.judgements import Said

    client = Client()
    page = first_page(client, door)
    lease = Assignment.objects.get(pid=lease_in(page))
    save_draft(Said(lease, "draft-key-1", Judgement({"meaning": 2, "comment": "so far"})), NOW)
    html = html_of(client.get(page))
    assert re.search(r'name="[^"]+\.meaning" value="2"[^>]*checked', html)
    assert "so far</textarea>" in html


def test_rather_not(door: str) -> None:
    """An item can always be left at no loss; it goes back to the others."""
    from rubrica.store.models import Assignment, Revision

    client = Client()
    page = first_page(client, door)
    assert client.post(page, {**form(page), "outcome": "uncomfortable"}).status_code == 302
    assert Revision.objects.get().outcome == "uncomfortable"
    assert Assignment.objects.get(pid=lease_in(page)).state == "returned"


def test_an_unknown_way_out_is_refused(door: str) -> None:
    """A way out that the protocol does not have is refused, and the page says so."""
    client = Client()
    page = first_page(client, door)
    response = client.post(page, {**form(page), "outcome": "nonsense\0"})
    assert response.status_code == 422


def test_flag_without_script(door: str) -> None:
    """Flagging keeps the page as it was typed; a flag without a reason is asked for one."""
    from rubrica.store.models import Flag

    client = Client()
    page = first_page(client, door)
    sent = {**form(page, comment="kept"), "flag": lease_in(page), "flag_reason": "cut off"}
    for _ in range(2):
        response = client.post(page, sent)
        assert response.status_code == 200
        assert "kept</textarea>" in html_of(response)
        assert "Flagged." in html_of(response)
    assert Flag.objects.get().reason == "cut off"
    assert client.post(page, {**sent, "flag_reason": " "}).status_code == 422
    assert client.post(page, {**sent, "flag": "another"}).status_code == 404


def test_a_group_is_one_page(make_study: Callable[..., Study]) -> None:
    """The words of a context are shown and submitted together; one gap refuses all."""
    from rubrica.store.models import Judgement

    door = door_of(make_study("lexical_complexity", rows=WORDS))
    client = Client()
    page = first_page(client, door)
    html = html_of(client.get(page))
    leases = re.findall(r'data-lease="(\w+)"', html)
    assert len(leases) == 3
    assert html.count(">lamp</mark>") == 1
    assert "1 of 1" in html
    sent = {f"{lease}.complexity": "2" for lease in leases} | {f"{lease}.key": "k" * 10 for lease in leases}
    assert client.post(page, sent | {f"{leases[1]}.complexity": ""}).status_code == 422
    assert Judgement.objects.count() == 0
    assert client.post(page, sent).status_code == 302
    assert Judgement.objects.filter(state="submitted").count() == 3
    assert client.get(f"{door}work/")["Location"] == f"{door}thanks/"


def test_only_own_pages(door: str, study: Study) -> None:
    """Another annotator's page is not found, nor one that never was; bad links and other methods lead nowhere."""
    client = Client()
    page = first_page(client, door)
    other = door_of(study, "ben")
    assert client.get(f"{other}work/{lease_in(page)}/").status_code == 404
    assert client.post(f"{other}work/{lease_in(page)}/", {}).status_code == 404
    assert client.get(f"{door}work/nothing/").status_code == 404
    assert client.get(f"/w/{'x' * 38}/work/").status_code == 404
    assert client.put(page).status_code == 405
    assert client.post(f"{door}work/").status_code == 405


@pytest.mark.parametrize(
    ("state", "words"),
    [("paused", "The study is paused"), ("closed", "The study is closed"), ("draft", "has not started yet")],
)
def test_no_work_says_why(door: str, study: Study, state: str, words: str) -> None:
    """Without work the page says why."""
    study.stages.update(state=state)
    response = Client().get(f"{door}work/")
    assert response.status_code == 200
    assert words in html_of(response)


def test_excluded_people_are_told(door: str, link: Invitation) -> None:
    """Somebody who was excluded is told so."""
    assert link.annotator is not None
    link.annotator.excluded_at = NOW
    link.annotator.save()
    assert "no more work for you" in html_of(Client().get(f"{door}work/"))


def test_the_limit_is_told(make_study: Callable[..., Study]) -> None:
    """Whoever has judged as many items as one person may is told so, and the progress counts only those."""
    door = door_of(make_study(limit_per_annotator=1))
    client = Client()
    while page := address_on(response := client.get(f"{door}work/")):
        client.post(page, form(page, **GOOD))
    assert "You have done your share" in html_of(response)


def test_steps_come_first(make_study: Callable[..., Study]) -> None:
    """Whoever has not finished the steps before the work is led to them."""
    door = door_of(make_study(steps=True))
    response = Client().get(f"{door}work/")
    assert response.status_code == 302
    assert not response["Location"].startswith(f"{door}work/")


def test_stage_that_marks_edits_has_the_editor(make_study: Callable[..., Study]) -> None:
    """A stage that marks edits leases as any other, and its page loads the editor; other pages do not."""
    page = html_of(Client().get(f"{door_of(make_study('salsa'))}work/"))
    assert "<rubrica-edits" in page
    assert "rubrica/edits/editor.js" in page
    assert "rubrica/edits" not in html_of(Client().get(f"{door_of(make_study('claro'))}work/"))


def test_guide_fragment(door: str, study: Study) -> None:
    """The guidelines come as a fragment whose sections have the ids of the questions."""
    stage = study.stages.get()
    response = Client().get(f"{door}work/guide/{stage.pid}/")
    assert 'id="guide-meaning"' in html_of(response)
    assert "<html" not in html_of(response)
    assert Client().get(f"{door}work/guide/nothing/").status_code == 404


@pytest.mark.parametrize("protocol", ["breve", "split_rate", "lexical_complexity", "lexical_simplification"])
def test_preview(as_: Callable[[str], Client], protocol: str) -> None:
    """A signed-in researcher sees a protocol as annotators do, in a frame of our own pages; others sign in first."""
    response = as_("stranger").get(f"/protocols/{protocol}/preview/1/")
    assert response.status_code == 200
    assert 'data-mode="preview"' in html_of(response)
    assert "frame-ancestors 'self'" in response["Content-Security-Policy"]
    assert as_("").get(f"/protocols/{protocol}/preview/1/").status_code == 302


def test_preview_of_what_is_not_there(as_: Callable[[str], Client]) -> None:
    """Unknown protocols and pages beyond the end are not found."""
    client = as_("owner")
    for address in ("nothing/preview/1/", "breve/preview/0/", "breve/preview/999/", "nothing/guide/"):
        assert client.get(f"/protocols/{address}").status_code == 404
    assert client.post("/protocols/breve/preview/1/").status_code == 405
    assert client.get("/protocols/breve/preview/1/submit").status_code == 405


def test_preview_follows_the_settings(as_: Callable[[str], Client]) -> None:
    """Parameters and the language of the preview come from the query."""
    client = as_("owner")
    html = html_of(client.get("/protocols/lexical_complexity/preview/1/?wording=audience&audience=nurses"))
    assert "for nurses" in html
    assert "¿Significan lo mismo" in html_of(client.get("/protocols/breve/preview/1/?language=es"))


def test_preview_of_a_studys_own_protocol(as_: Callable[[str], Client], study: Study) -> None:
    """A stored protocol is previewed by its hash by those who may see its study, and by nobody else."""
    address = f"/protocols/{study.stages.get().protocol_version.hash}/preview/1/"
    assert as_("viewer").get(address).status_code == 200
    assert as_("stranger").get(address).status_code == 404


def test_trial_leaves_no_trace(as_: Callable[[str], Client], study: Study) -> None:
    """The trial checks answers as in earnest and stores nothing at all."""
    from rubrica.store.models import Annotator, Assignment, Judgement

    client = as_("viewer")
    address = f"/s/{study.pid}/try/1/"
    response = client.get(address)
    assert 'data-mode="trial"' in html_of(response)
    assert "This is a trial: nothing is kept" in html_of(response)
    lease = re.findall(r'data-lease="(\w+)"', html_of(response))[0]
    sent = {"judgements": [{"lease": lease, "answers": ACCEPTED}]}
    answer = client.post(f"{address}submit", json.dumps(sent), content_type="application/json")
    assert answer.json() == {"next": f"/s/{study.pid}/try/2/"}
    sent["judgements"][0]["answers"] = {"meaning": 9}
    refused = client.post(f"{address}submit", json.dumps(sent), content_type="application/json")
    assert refused.status_code == 422
    assert {error["lease"] for error in refused.json()["errors"]} == {lease}
    assert client.post(f"{address}submit", "{", content_type="application/json").status_code == 422
    assert client.post(f"{address}submit", "[]", content_type="application/json").status_code == 422
    assert client.post(address, {f"{lease}.{name}": value for name, value in GOOD.items()}).status_code == 302
    assert client.post(address, {}).status_code == 422
    for stored in (Assignment, Judgement, Annotator):
        assert not stored.objects.exists()


def test_trial_ends(as_: Callable[[str], Client], study: Study) -> None:
    """After the last page the trial is over; beyond it there is nothing."""
    client = as_("viewer")
    assert "The trial is over" in html_of(client.get(f"/s/{study.pid}/try/7/"))
    assert client.get(f"/s/{study.pid}/try/8/").status_code == 404
    assert client.get(f"/s/{study.pid}/try/0/").status_code == 404


def test_trial_is_for_members(as_: Callable[[str], Client], study: Study) -> None:
    """Strangers find nothing, nobody must sign in, and the wrong methods are refused."""
    assert as_("stranger").get(f"/s/{study.pid}/try/1/").status_code == 404
    assert as_("stranger").post(f"/s/{study.pid}/try/1/submit").status_code == 404
    assert as_("").get(f"/s/{study.pid}/try/1/").status_code == 302
    assert as_("viewer").get(f"/s/{study.pid}/try/1/submit").status_code == 405
    assert as_("viewer").put(f"/s/{study.pid}/try/1/").status_code == 405


def test_trial_without_items(as_: Callable[[str], Client], study: Study) -> None:
    """A study without items says what to do first."""
    study.items.all().delete()
    assert "Add items to the study first" in html_of(as_("owner").get(f"/s/{study.pid}/try/1/"))
