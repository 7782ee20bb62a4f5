"""The steps of the setup: who may see and change them, and what each keeps."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest
from django.test import Client

from tests.studio.conftest import NOW
from tests.studio.drafting import STEPS, fields, text_of, upload

if TYPE_CHECKING:
    from rubrica.store.models import Study


@pytest.fixture
def draft(study: Study) -> Study:
    """The standing study as a draft."""
    study.stages.update(state="draft")
    return study


def options(study: Study) -> Any:
    """The settings as stored."""
    from rubrica.store.options import options_of

    study.refresh_from_db()
    return options_of(study)


@pytest.mark.parametrize("step", STEPS)
def test_who_may_see_a_step(as_: Callable[[str], Client], study: Study, step: str) -> None:
    """Members see it, viewers cannot change it, strangers and unknown ids find nothing, others sign in."""
    address = f"/s/{study.pid}/setup/{step}/"
    for name in ("owner", "manager", "adjudicator", "viewer"):
        response = as_(name).get(address)
        assert response.status_code == 200
        assert ("You may look at the setup" in text_of(response)) == (name in ("adjudicator", "viewer"))
    assert as_("viewer").post(address).status_code == 403
    assert as_("stranger").get(address).status_code == 404
    assert as_("stranger").post(address).status_code == 404
    assert as_("owner").get(f"/s/nothing/setup/{step}/").status_code == 404
    assert as_("").get(address).status_code == 302
    assert as_("owner").put(address).status_code == 405


def test_the_setup_leads_to_the_first_step_that_needs_one(as_: Callable[[str], Client], draft: Study) -> None:
    """With items the launch, whose ticks settle the rest; the review, where every item must be reviewed."""
    assert as_("owner").get(f"/s/{draft.pid}/setup/").headers["Location"].endswith("/setup/launch/")
    draft.update(options={**draft.options, "review_required": True})
    assert as_("owner").get(f"/s/{draft.pid}/setup/").headers["Location"].endswith("/setup/review/")
    draft.items.all().delete()
    assert as_("owner").get(f"/s/{draft.pid}/setup/").headers["Location"].endswith("/setup/items/")


def test_forms_need_their_csrf_token(draft: Study, people: dict[str, Any]) -> None:
    """Also those that take files and check it themselves."""
    client = Client(enforce_csrf_checks=True)
    client.force_login(people["owner"])
    for step in ("items", "quality", "ethics"):
        assert client.post(f"/s/{draft.pid}/setup/{step}/", {"action": "upload"}).status_code == 403


@pytest.mark.parametrize("step", ["annotators", "ethics", "quality", "payment"])
def test_saving_a_step_as_it_is_changes_nothing(as_: Callable[[str], Client], draft: Study, step: str) -> None:
    """What a page shows is what is set, and once more is the same."""
    address = f"/s/{draft.pid}/setup/{step}/"
    owner = as_("owner")
    before = options(draft)
    for _ in range(2):
        sent = fields(owner.get(address))
        assert owner.post(address, {**sent, "go": "next"}).status_code == 302
    assert options(draft) == before


def test_the_title_is_changed(as_: Callable[[str], Client], draft: Study) -> None:
    """And an empty one refused."""
    address = f"/s/{draft.pid}/setup/protocol/"
    assert as_("manager").post(address, {"title": "Better"}).headers["Location"] == address
    draft.refresh_from_db()
    assert draft.title == "Better"
    assert as_("manager").post(address, {"title": " "}).status_code == 422


def test_parameters_are_changed_until_frozen(as_: Callable[[str], Client], make_study: Any, people: Any) -> None:
    """Then the page says why not, and leads to a new version."""
    from rubrica.core.study import Item
    from rubrica.store.models import Member

    rows = [Item("1", {"context": "A cat sat.", "target": "cat"})]
    study = make_study("lexical_complexity", rows=rows)
    Member.objects.create(study=study, user=people["owner"], role="owner", since=NOW)
    address = f"/s/{study.pid}/setup/protocol/"
    owner = as_("owner")
    owner.post(address, {"title": "Words", "lexical_complexity.wording": "audience"})
    assert study.stages.get().settings == {"wording": "audience"}
    assert owner.post(address, {"title": "Words", "lexical_complexity.wording": "us"}).status_code == 422
    study.stages.update(frozen_at=NOW)
    assert "questions cannot be changed under judgements" in text_of(owner.get(address))
    assert owner.post(address, {"title": "W", "lexical_complexity.wording": "you"}).status_code == 302
    assert study.stages.get().settings == {"wording": "audience"}


def test_who_is_part_of_a_system_is_recorded(as_: Callable[[str], Client], make_study: Any, people: Any) -> None:
    """Asked only where items name systems; a line without a system, and a system that no item names, are refused."""
    from rubrica.core.study import Item
    from rubrica.store.models import Member

    texts = {"context": "A cat sat.", "target": "cat", "substitute": "pet"}
    study = make_study("lexical_posthoc", rows=[Item("1", texts, "alpha | beta"), Item("2", texts, "gamma")])
    other = make_study("quality")
    for one in (study, other):
        Member.objects.create(study=one, user=people["owner"], role="owner", since=NOW)
    owner, address = as_("owner"), f"/s/{study.pid}/setup/annotators/"
    assert "Systems of the items: alpha, beta, gamma" in text_of(owner.get(address))
    sent = fields(owner.get(address))
    kept = owner.post(address, {**sent, "teams": "beta = ana, Ben Ode\r\n\r\ngamma=eva"})
    assert kept.status_code == 302
    assert options(study).teams == {"beta": ["ana", "Ben Ode"], "gamma": ["eva"]}
    assert fields(owner.get(address))["teams"] == "beta = ana, Ben Ode\ngamma = eva"
    for wrong, told in (("ana, ben", "says of no system"), ("bta = ana", "no item is of a system")):
        refused = owner.post(address, {**sent, "teams": wrong})
        assert refused.status_code == 422
        assert told in text_of(refused)
    assert "teams" not in fields(owner.get(f"/s/{other.pid}/setup/annotators/"))


def test_what_annotators_see_is_kept(as_: Callable[[str], Client], draft: Study) -> None:
    """Steps, texts, profile questions, qualification, languages, layout."""
    address = f"/s/{draft.pid}/setup/annotators/"
    owner = as_("owner")
    sent = fields(owner.get(address)) | {
        "step_consent": "on",
        "step_qualification": "on",
        "welcome_text": "Hello <b>you</b>",
        "consent_text": "Do you agree?",
        "asked": ["age", "country"],
        "pass_mark": "62.5",
        "tries": "3",
        "test_items": "4",
        "languages": ["es"],
        "layout": "side_by_side",
        "own-0-label": "Which dialect?",
        "own-0-kind": "choice",
        "own-0-choices": "North\nSouth\n\nNorth",
        "own-0-required": "on",
    }
    assert owner.post(address, sent).status_code == 302
    found = options(draft)
    assert [step for step, on in found.steps if on] == ["consent", "qualification"]
    assert (found.welcome_text, found.consent_text) == ("Hello <b>you</b>", "Do you agree?")
    assert found.profile.asked == ["age", "country"]
    assert [(q.id, q.kind, q.options, q.required) for q in found.profile.own] == [
        ("which_dialect", "choice", ["North", "South"], True)
    ]
    assert (found.qualification.pass_mark, found.qualification.tries, found.qualification.items) == (0.625, 3, 4)
    assert (found.languages, found.layout) == (["es"], "side_by_side")
    assert "<b>you</b>" not in owner.get(address).content.decode()


def test_a_question_of_ones_own_sent_twice_is_kept(as_: Callable[[str], Client], draft: Study) -> None:
    """A doubled submit, or the browser's way back and another one, removes nothing."""
    address = f"/s/{draft.pid}/setup/annotators/"
    owner = as_("owner")
    sent = fields(owner.get(address)) | {"own-0-label": "Your dialect"}
    for _ in range(2):
        assert owner.post(address, sent).status_code == 302
        assert [q.label for q in options(draft).profile.own] == ["Your dialect"]


def test_a_form_of_endless_questions_is_refused(as_: Callable[[str], Client], draft: Study) -> None:
    """Nobody's page has that many, and reading them would take memory for nothing."""
    address = f"/s/{draft.pid}/setup/annotators/"
    owner = as_("owner")
    sent = fields(owner.get(address)) | {"own-TOTAL_FORMS": "900"}
    response = owner.post(address, sent)
    assert response.status_code == 422
    assert "Please submit at most 30 forms" in text_of(response)
    assert response.content.decode().count('class="own-question"') <= 60


def test_own_questions_keep_their_ids_and_can_be_removed(as_: Callable[[str], Client], draft: Study) -> None:
    """Another wording is the same question; two of the same words are two questions."""
    address = f"/s/{draft.pid}/setup/annotators/"
    owner = as_("owner")
    both = {"own-0-label": "Your dialect", "own-1-label": "Your dialect"}
    owner.post(address, fields(owner.get(address)) | both)
    assert [q.id for q in options(draft).profile.own] == ["your_dialect", "your_dialect_2"]
    change = {"own-0-label": "Which dialect do you speak?", "own-1-DELETE": "on"}
    owner.post(address, fields(owner.get(address)) | change)
    assert [(q.id, q.label) for q in options(draft).profile.own] == [("your_dialect", "Which dialect do you speak?")]


@pytest.mark.parametrize(
    ("step", "change"),
    [
        ("annotators", {"tries": "0"}),
        ("annotators", {"layout": "round"}),
        ("annotators", {"languages": ["xx"]}),
        ("annotators", {"welcome_text": "a\0b"}),
        ("annotators", {"own-0-label": "Dialect", "own-0-kind": "choice", "own-0-choices": "one"}),
        ("ethics", {"contact": "x" * 501}),
        ("quality", {"overlap_0": "0"}),
        ("quality", {"duplicates": "101"}),
        ("quality", {"duplicates": "nan"}),
        ("quality", {"lease_minutes": "0"}),
        ("payment", {"currency": "euro"}),
        ("payment", {"currency": "nan"}),
        ("payment", {"per_task_0": "-1"}),
        ("payment", {"per_task_0": "NaN"}),
        ("payment", {"per_task_0": "1e30"}),
        ("payment", {"median_seconds_0": "0"}),
        ("payment", {"wages-0-country": "ES"}),
        ("payment", {"wages-0-wage": "9"}),
        ("payment", {"platform_fee": "101"}),
    ],
)
def test_wrong_values_are_shown_and_change_nothing(
    as_: Callable[[str], Client], draft: Study, step: str, change: dict[str, Any]
) -> None:
    """The page comes back with what was typed and the reason."""
    address = f"/s/{draft.pid}/setup/{step}/"
    owner = as_("owner")
    before = options(draft)
    response = owner.post(address, fields(owner.get(address)) | change)
    assert response.status_code == 422
    assert 'role="alert"' in response.content.decode()
    assert options(draft) == before


def test_the_ethics_record_is_kept(as_: Callable[[str], Client], draft: Study) -> None:
    """And the step is done with approval, contact and sources."""
    sent = {"approval": "No. 7", "contact": "ana@example.org", "sources_attested": "on", "licence": "CC BY 4.0"}
    as_("manager").post(f"/s/{draft.pid}/setup/ethics/", sent)
    found = options(draft).ethics
    assert (found.approval, found.sources_attested, found.master_required) == ("No. 7", True, False)


def test_overlap_duplicates_and_limits_are_kept(as_: Callable[[str], Client], draft: Study) -> None:
    """Half of six items are three duplicates."""
    sent = {"overlap_0": "4", "duplicates": "50", "limit_per_annotator": "10", "lease_minutes": "30"}
    assert as_("owner").post(f"/s/{draft.pid}/setup/quality/", sent).status_code == 302
    found = options(draft)
    assert (found.duplicates, found.limit_per_annotator, found.lease_minutes) == (0.5, 10, 30)
    assert draft.stages.get().overlap == 4
    assert draft.items.filter(planted__kind="duplicate").count() == 3


@pytest.mark.own_process
def test_gold_items_come_from_a_file(as_: Callable[[str], Client], draft: Study) -> None:
    """Sent, replaced, removed; mistakes have their lines."""
    address = f"/s/{draft.pid}/setup/quality/"
    owner = as_("owner")
    good = upload("source,rewrite,meaning\nOne two.,One.,2\nThree four.,Three.,1\n", "gold.csv")
    page = owner.post(address, {"action": "gold", "gold": good}, follow=True)
    assert "2 items with known answers are in the study" in text_of(page)
    bad = upload("source,rewrite,meaning\nOne two.,One.,9\n", "gold.csv")
    response = owner.post(address, {"action": "gold", "gold": bad})
    assert response.status_code == 422
    assert "gold.csv:2" in text_of(response)
    assert draft.items.filter(planted__kind="gold").count() == 2
    owner.post(address, {"action": "no_gold"})
    assert draft.items.filter(planted__kind="gold").count() == 0
    assert owner.post(address, {"action": "gold"}).status_code == 422
    strange = upload("x", "gold.exe")
    assert owner.post(address, {"action": "gold", "gold": strange}).status_code == 422


def test_payment_is_kept_by_stage(as_: Callable[[str], Client], draft: Study) -> None:
    """Decimals stay as typed; an empty field is nothing, not zero."""
    from decimal import Decimal

    address = f"/s/{draft.pid}/setup/payment/"
    owner = as_("owner")
    sent = fields(owner.get(address)) | {
        "currency": "eur",
        "per_task_0": "0.125",
        "bonus_0": "0.5",
        "bonus_share": "10",
        "platform_fee": "33",
        "wages-0-country": "ES",
        "wages-0-wage": "9.26",
    }
    assert owner.post(address, sent).status_code == 302
    found = options(draft).payment
    assert (found.currency, found.per_task, found.per_hour) == ("EUR", {"rate": Decimal("0.125")}, None)
    assert (found.bonus, found.bonus_share, found.platform_fee) == ({"rate": Decimal("0.5")}, 0.1, 33)
    assert found.minimum_wages == {"ES": Decimal("9.26")}
    assert found.median_seconds == {}
    assert owner.post(address, sent).status_code == 302
    assert options(draft).payment == found, "a double click changes nothing"
    owner.post(address, fields(owner.get(address)) | {"per_task_0": "", "wages-0-country": "", "wages-0-wage": ""})
    found = options(draft).payment
    assert (found.per_task, found.minimum_wages) == ({}, {})


def test_onboarding_rounds_are_on_where_the_course_has_them(as_: Callable[[str], Client]) -> None:
    """A new study of `salsa` has the switch of the qualification on, and the page counts what there is."""
    from rubrica.store.models import Study

    owner = as_("owner")
    assert owner.post("/studies/new/", {"title": "Edits", "protocol": "salsa"}).status_code == 302
    made = Study.objects.latest("pk")
    page = owner.get(f"/s/{made.pid}/setup/annotators/")
    assert fields(page)["step_qualification"] == "on"
    shown = text_of(page)
    assert "The protocol's 23 practice items are about edits" in shown
    assert "2 rounds of whole sentences" in shown
    assert "0 practice items" not in shown


def test_overview_says_that_nobody_has_reviewed_the_items(as_: Callable[[str], Client], study: Study) -> None:
    """It leads to the review."""
    shown = as_("owner").get(f"/s/{study.pid}/").content.decode()
    assert "has reviewed 6 items for sensitive material" in shown
    assert f"/s/{study.pid}/setup/review/" in shown
