"""The work page without network, in two tabs and on two devices: nothing is lost and nothing is doubled."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import NOW
from tests.browser.desks import Work
from tests.browser.saved import drafts, submitted
from tests.browser.test_desk import ANSWERS

At = Callable[..., Work]


def _worker_is_ready(page: Page) -> None:
    """Wait until this page, the guidelines and the two pages ahead are kept."""
    for _ in range(900):
        if page.evaluate("caches.open('rubrica-pages').then(async (pages) => (await pages.keys()).length)") >= 4:
            return
        page.wait_for_timeout(100)
    raise AssertionError("the pages ahead were not kept")


def test_offline_changes_wait_and_are_delivered(at_work: At) -> None:
    """Without network the page goes on, says how much waits, and delivers when the network returns."""
    work = at_work()
    work.page.context.set_offline(True)
    work.choose("meaning", 2)
    expect(work.state).to_have_text("Offline: one answer waiting")
    work.choose("fluency", 1)
    assert drafts(work) == []
    work.page.context.set_offline(False)
    work.saved()
    assert [one.answers for one in drafts(work)] == [{"meaning": 2, "fluency": 1}]


def test_offline_reload_shows_the_page_with_its_answers(at_work: At) -> None:
    """A reload without network brings the kept page with what was answered since, and it is sent later."""
    work = at_work()
    _worker_is_ready(work.page)
    work.choose("meaning", 2)
    work.saved()
    work.page.context.set_offline(True)
    work.choose("fluency", 1)
    work.page.reload()
    work.ready()
    expect(work.input("meaning", 2)).to_be_checked()
    expect(work.input("fluency", 1)).to_be_checked()
    expect(work.state).to_have_text("Offline: one answer waiting")
    work.page.context.set_offline(False)
    work.saved()
    assert drafts(work)[-1].answers == {"meaning": 2, "fluency": 1}


def test_offline_submits_are_sent_in_order_even_after_a_reload(at_work: At) -> None:
    """Submitting without network goes on to the next kept page; both judgements arrive once the network is back."""
    work = at_work()
    page = work.page
    _worker_is_ready(page)
    first = page.url
    page.context.set_offline(True)
    work.answer(ANSWERS)
    work.submit()
    page.wait_for_url(lambda url: url != first)
    work.ready()
    second = page.url
    expect(work.state).to_have_text("Offline: one answer waiting")
    work.answer({**ANSWERS, "meaning": 1})
    work.submit()
    page.wait_for_url(lambda url: url != second)
    work.ready()
    expect(work.state).to_have_text("Offline: 2 answers waiting")
    page.reload()
    work.ready()
    assert submitted(work) == []
    page.context.set_offline(False)
    work.saved()
    assert [one.answers["meaning"] for one in submitted(work)] == [3, 1]


def test_last_kept_page_says_that_the_submit_waits(at_work: At) -> None:
    """With no further page at hand the submit is kept, said so, and the page goes on when it was sent."""
    work = at_work(items=1)
    page = work.page
    first = page.url
    page.context.set_offline(True)
    work.answer(ANSWERS)
    work.submit()
    expect(page.locator("[data-notice=kept]")).to_have_text("Offline: your answers are kept and will be sent.")
    page.context.set_offline(False)
    page.wait_for_url(lambda url: url != first)
    assert len(submitted(work)) == 1


def test_server_that_fails_is_tried_again(at_work: At) -> None:
    """An error of the server is no answer: the save waits and is sent again under the same key."""
    work = at_work()
    keys: list[str] = []

    def fail(route: object) -> None:
        keys.append(route.request.post_data_json["key"])  # type: ignore[attr-defined]
        if len(keys) < 3:
            route.fulfill(status=503, body="{}")  # type: ignore[attr-defined]
        else:
            route.continue_()  # type: ignore[attr-defined]

    work.page.route("**/draft", fail)
    work.choose("meaning", 2)
    work.saved()
    assert len(set(keys)) == 1
    assert len(drafts(work)) == 1


FULL = {
    "what": "The disk of the server is full, so nothing can be saved.",
    "rule": "disk_full",
    "fix": "Free space on the server, then send it again.",
    "value": None,
}
"""What the API answers to a save on a full disk (tests/studio/test_storage.py)."""


def test_full_disk_of_the_server_is_told_and_nothing_is_lost(at_work: At) -> None:
    """The page says why nothing is saved, keeps what was answered over a reload, and saves it when there is room."""
    work = at_work()
    page = work.page
    page.route("**/draft", lambda route: route.fulfill(status=507, json={"errors": [FULL]}))
    work.choose("meaning", 2)
    expect(work.state).to_have_text("Not saved. Trying again…")
    notice = page.locator("[data-notice=server]")
    expect(notice).to_contain_text("The disk of the server is full")
    expect(notice).to_contain_text("kept on this device")
    page.reload()
    work.ready()
    expect(work.input("meaning", 2)).to_be_checked()
    expect(notice).to_contain_text("The disk of the server is full")
    assert drafts(work) == []
    page.unroute("**/draft")
    work.saved()
    expect(notice).to_have_count(0)
    assert [one.answers for one in drafts(work)] == [{"meaning": 2}]


def test_submit_on_a_full_disk_waits_and_then_goes_on(at_work: At) -> None:
    """A submit that the server cannot keep stays on the device under its key, and the page goes on once it is saved."""
    work = at_work(items=1)
    page = work.page
    first = page.url
    for path in ("**/draft", "**/api/v1/work/submit"):
        page.route(path, lambda route: route.fulfill(status=507, json={"errors": [FULL]}))
    work.answer(ANSWERS)
    work.submit()
    expect(page.locator("[data-notice=server]")).to_contain_text("The disk of the server is full")
    expect(page.locator("[data-notice=kept]")).to_have_count(0)
    assert submitted(work) == []
    page.unroute_all()
    page.wait_for_url(lambda url: url != first)
    assert len(submitted(work)) == 1


def test_lost_answer_of_the_server_makes_no_second_revision(at_work: At) -> None:
    """If only the server's answer is lost, the repeated submit is the same revision."""
    work = at_work()
    lost: list[int] = []

    def lose(route: object) -> None:
        if not lost:
            lost.append(1)
            route.fetch()  # type: ignore[attr-defined]
            route.abort()  # type: ignore[attr-defined]
        else:
            route.continue_()  # type: ignore[attr-defined]

    work.page.route("**/api/v1/work/submit", lose)
    first = work.page.url
    work.answer(ANSWERS)
    work.submit()
    work.page.wait_for_url(lambda url: url != first)
    work.ready()
    work.saved()
    assert len(submitted(work)) == 1


def test_second_tab_follows_the_first(at_work: At) -> None:
    """The same item in two tabs shows the same answers, and submitting in both makes one further revision at most."""
    work = at_work()
    other = Work(work.studio, work.study, work.page.context.new_page(), work.door)
    other.page.goto(work.page.url)
    other.ready()
    work.choose("meaning", 2)
    expect(other.input("meaning", 2)).to_be_checked()
    other.page.wait_for_timeout(3100)
    other.choose("fluency", 1)
    expect(work.input("fluency", 1)).to_be_checked()
    other.saved()
    assert drafts(work)[-1].answers == {"meaning": 2, "fluency": 1}
    assert len({one.visit for one in drafts(work)}) == 1
    expect(work.page.locator("[data-notice=elsewhere]")).to_have_count(0)


def test_other_device_resumes_and_the_first_is_told(at_work: At, browser: Browser) -> None:
    """Another device goes on with the draft; the first one's late change is kept beside it, and it is told."""
    work = at_work()
    work.choose("meaning", 2)
    work.saved()
    phone = Work(work.studio, work.study, browser.new_context().new_page(), work.door)
    phone.page.goto(work.page.url)
    phone.ready()
    expect(phone.input("meaning", 2)).to_be_checked()
    phone.choose("fluency", 3)
    phone.saved()
    work.choose("concern", "yes")
    notice = work.page.locator("[data-notice=elsewhere]")
    expect(notice).to_be_visible()
    notice.get_by_role("button").click()
    work.ready()
    expect(work.input("fluency", 3)).to_be_checked()
    expect(work.page.locator("[data-question=concern] input:checked")).to_have_count(0)
    work.choose("concern", "no")
    work.saved()
    assert drafts(work)[-1].answers == {"meaning": 2, "fluency": 3, "concern": "no"}
    expect(notice).to_have_count(0)
    phone.page.context.close()


def test_ended_link_keeps_what_was_not_sent(at_work: At) -> None:
    """When the link was revoked, the page says so, keeps the answers, and sends them once the link is good again."""
    from rubrica.store.models import Invitation
    from rubrica.store.people.invitations import revoke

    work = at_work()
    link = Invitation.objects.get(study=work.study)
    revoke(link, NOW)
    work.choose("meaning", 2)
    expect(work.page.locator("[data-notice=ended]")).to_contain_text("kept on this device")
    assert drafts(work) == []
    Invitation.objects.filter(pk=link.pk).update(revoked_at=None)
    work.page.reload()
    work.ready()
    work.saved()
    assert drafts(work)[-1].answers == {"meaning": 2}


def test_queued_submit_that_is_refused_is_kept_and_linked(at_work: At) -> None:
    """A submit that the server refuses later is not lost: the page says so and leads to the item."""
    work = at_work("split_rewrite")
    page = work.page
    _worker_is_ready(page)
    first = page.url
    page.context.set_offline(True)
    page.locator("[data-question=rewrite] textarea").fill("One sentence only.")
    work.submit()
    page.wait_for_url(lambda url: url != first)
    work.ready()
    page.context.set_offline(False)
    notice = page.locator("[data-notice=refused]")
    expect(notice).to_be_visible()
    notice.get_by_role("link").click()
    page.wait_for_url(first)
    work.ready()
    box = page.locator("[data-question=rewrite] textarea")
    expect(box).to_have_value("One sentence only.")
    expect(page.locator("[data-question=rewrite] .problem")).to_contain_text("at least 2 sentences")
    box.fill("One. And two.")
    work.submit()
    page.wait_for_url(lambda url: url != first)
    work.ready()
    expect(notice).to_have_count(0)
    assert [one.answers["rewrite"] for one in submitted(work)] == ["One. And two."]


def test_browser_back_to_a_submitted_page_shows_it_as_it_is(at_work: At) -> None:
    """The back button shows the submitted answers, and changing one is a new draft, not a conflict."""
    work = at_work()
    page = work.page
    first = page.url
    work.answer(ANSWERS)
    work.submit()
    page.wait_for_url(lambda url: url != first)
    work.ready()
    page.go_back()
    work.ready()
    expect(work.input("meaning", 3)).to_be_checked()
    work.choose("meaning", 1)
    work.saved()
    expect(page.locator("[data-notice=elsewhere]")).to_have_count(0)
    assert drafts(work)[-1].answers["meaning"] == 1
