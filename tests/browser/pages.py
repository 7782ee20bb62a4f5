"""Every page of the studio and where to find it, in a world with a study at work, one being set up, and people in it.

The browser tests go through this table, and so does the command that makes the pictures for the documentation: a page
that is in the address table but not here fails a test.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from django.urls import URLPattern, URLResolver, get_resolver

from rubrica.exchange.exports import Wanted

if TYPE_CHECKING:
    from django.contrib.auth.models import User

    from rubrica.store.models import Invitation, Study

ACCOUNT, PASSWORD = "rosa", "a quiet reading desk"


class World(NamedTuple):
    """Public ids and tokens of what there is."""

    study: str
    draft: str
    item: str
    person: str
    judgement: str
    join: str
    fresh: str
    consenting: str
    telling: str
    reading: str
    practising: str
    examined: str
    working: str
    lease: str
    stage: str
    sign_up: str
    new_password: str
    taught: str
    learning: str
    marking: str
    settling: str
    rating: str
    bound: str


class Page(NamedTuple):
    """One page. ``who`` is nobody, researcher or annotator; ``picture`` says that the guide shows it.

    ``repeats`` is what comes many times on a page, so that axe-core looks at it in `make test-all` only.
    """

    path: Callable[[World], str]
    who: str = "researcher"
    picture: str = ""
    repeats: str = ""


def _s(rest: str = "") -> Callable[[World], str]:
    return lambda world: f"/s/{world.study}/{rest}"


def _d(rest: str) -> Callable[[World], str]:
    return lambda world: f"/s/{world.draft}/{rest}"


PAGES: dict[str, Page] = {
    "sign_in": Page(lambda world: "/sign-in/", "nobody", "sign-in"),
    "sign_up": Page(lambda world: f"/sign-up/{world.sign_up}/", "nobody"),
    "new_password": Page(lambda world: f"/new-password/{world.new_password}/", "nobody"),
    "account": Page(lambda world: "/account/", picture="account"),
    "accounts": Page(lambda world: "/accounts/", picture="accounts"),
    "studies": Page(lambda world: "/studies/", picture="studies"),
    "new_study": Page(lambda world: "/studies/new/?protocol=breve", picture="new-study"),
    "splitting": Page(lambda world: "/split/"),
    "translations": Page(lambda world: "/translations/"),
    "translation": Page(lambda world: "/translations/de/pages/"),
    "setup_protocol": Page(_d("setup/protocol/"), picture="setup-protocol"),
    "setup_items": Page(_d("setup/items/"), picture="setup-items"),
    "setup_review": Page(_d("setup/review/"), picture="setup-review"),
    "setup_annotators": Page(_d("setup/annotators/"), picture="setup-annotators"),
    "setup_ethics": Page(_d("setup/ethics/"), picture="setup-ethics"),
    "setup_quality": Page(_d("setup/quality/"), picture="setup-quality"),
    "setup_payment": Page(_d("setup/payment/"), picture="setup-payment"),
    "setup_launch": Page(_d("setup/launch/"), picture="setup-launch"),
    "dashboard": Page(_s(), picture="overview"),
    "people": Page(_s("people/"), picture="people"),
    "person": Page(lambda world: f"/s/{world.study}/people/{world.person}/", picture="person"),
    "judgement": Page(lambda world: f"/s/{world.study}/judgements/{world.judgement}/", picture="judgement"),
    "study_course": Page(lambda world: f"/s/{world.taught}/course/", picture="course-report"),
    "attention": Page(_s("attention/"), picture="to-read"),
    "payments": Page(_s("payments/"), picture="payments"),
    "sheets": Page(_s("sheets/")),
    "export": Page(_s("export/"), picture="export"),
    "results": Page(_s("results/"), picture="results"),
    "items": Page(_s("items/"), picture="items"),
    "item": Page(lambda world: f"/s/{world.study}/items/{world.item}/", picture="item"),
    "items_add": Page(_s("items/add/"), picture="items-add"),
    "items_targets": Page(_s("items/targets/")),
    "invite": Page(_s("invite/"), picture="invite"),
    "members": Page(_s("members/"), picture="members"),
    "new_version": Page(_s("new-version/"), picture="new-version"),
    "try_study": Page(_s("try/1/"), picture="try"),
    "protocol_preview": Page(lambda world: "/protocols/lexical_simplification/preview/1/", picture="preview"),
    "protocol_guide": Page(lambda world: "/protocols/breve/guide/"),
    "api_docs": Page(lambda world: "/api/v1/docs", picture="api", repeats=".api-group ~ *"),
    "join": Page(lambda world: f"/join/{world.join}/", "nobody", "join"),
    "annotator_device": Page(lambda world: f"/w/{world.bound}/device/", "annotator"),
    "annotator_welcome": Page(lambda world: f"/w/{world.fresh}/welcome/", "annotator", "welcome"),
    "annotator_consent": Page(lambda world: f"/w/{world.consenting}/consent/", "annotator", "consent"),
    "annotator_profile": Page(lambda world: f"/w/{world.telling}/profile/", "annotator", "profile"),
    "annotator_guidelines": Page(lambda world: f"/w/{world.reading}/guidelines/", "annotator", "guidelines"),
    "annotator_course": Page(lambda world: f"/w/{world.learning}/course/", "annotator", "course"),
    "annotator_course_step": Page(lambda world: f"/w/{world.learning}/course/goal/5/", "annotator", "course-step"),
    "annotator_practice": Page(lambda world: f"/w/{world.practising}/practice/", "annotator"),
    "annotator_practice_page": Page(lambda world: f"/w/{world.practising}/practice/1/1/", "annotator", "practice"),
    "annotator_qualification": Page(lambda world: f"/w/{world.examined}/qualification/", "annotator", "qualification"),
    "annotator_work_item": Page(lambda world: f"/w/{world.working}/work/{world.lease}/", "annotator", "work"),
    "annotator_work_item/marking": Page(lambda world: f"/w/{world.marking}/work/", "annotator", "marking"),
    "annotator_work_item/settling": Page(lambda world: f"/w/{world.settling}/work/", "annotator", "settling"),
    "annotator_work_item/rating": Page(lambda world: f"/w/{world.rating}/work/", "annotator", "rating-edits"),
    "annotator_work_guide": Page(lambda world: f"/w/{world.working}/work/guide/{world.stage}/", "annotator"),
    "annotator_history": Page(lambda world: f"/w/{world.working}/history/", "annotator", "history"),
    "annotator_withdraw": Page(lambda world: f"/w/{world.working}/withdraw/", "annotator", "withdraw"),
    "annotator_thanks": Page(lambda world: f"/w/{world.working}/thanks/", "annotator", "thanks"),
}
"""Pages by the name of their address; what looks quite different under the same address has a second name."""

FRAGMENTS = {"protocol_guide", "annotator_work_guide"}
"""Parts of pages, without a head of their own."""

NO_PAGE = {
    *(
        "annotator_course_done",
        "annotator_course_stage",
        "annotator_practice_done",
        "start",
        "protocol_yaml",
        "translation_file",
        "health",
        "look_colours",
        "sign_out",
        "first_account",
        "change_password",
        "make_token",
        "revoke_token",
        "language",
    ),
    *("invite_account", "password_link", "switch_account", "service_worker", "annotator_start", "annotator_work"),
    *("annotator_qualification_page", "annotator_feedback_read", "annotator_flag_taken_back", "annotator_language"),
    *("preview_submit", "try_submit", "dashboard_live", "run_study", "person_act", "remove_metric"),
    *(
        "review_judgement",
        "give_feedback",
        "take_feedback_back",
        "attention_act",
        "record_payment",
        "payments_csv",
        "correct_payment",
    ),
    *("deal_sheets", "read_sheets", "recall_sheets", "all_sheets", "one_sheet"),
    *(
        "one_export",
        "export_file",
        "results_state",
        "results_archive",
        "results_part",
        "new_name",
        "restore_study",
        "delete_study",
        "setup",
        "setup_arithmetic",
        "items_undo",
    ),
    *("item_close", "item_reopen", "invite_people", "invite_door", "invite_csv", "invite_cap", "invite_revoke"),
    *("invite_renew", "members_add", "members_remove", "members_transfer", "members_invite"),
}
"""Addresses that only lead on, take a form, or answer a script; the pages' own tests cover them."""


def address_names() -> set[str]:
    """The names of all addresses of the studio but the API's."""

    def walk(patterns: list[URLPattern | URLResolver]) -> set[str]:
        found: set[str] = set()
        for pattern in patterns:
            if isinstance(pattern, URLPattern):
                found.add(str(pattern.name))
            elif pattern.namespace != "api":
                found |= walk(pattern.url_patterns)
        return found

    return walk(get_resolver().url_patterns)


def build(now: datetime, home: Path, reported: bool = True) -> World:
    """Make the world in this open home: a demo study with something to read, a draft, and people at every step.

    Writing its report takes as long as much of the rest: without ``reported`` it waits for somebody to do it.
    """
    from django.contrib.auth.models import User

    from rubrica.demo import demonstration
    from rubrica.protocols.catalog import load_shipped
    from rubrica.store import models, reporting, studies
    from rubrica.store.adjudication import flags
    from rubrica.store.allocation import leases
    from rubrica.store.jobs import exporting
    from rubrica.store.people import invitations
    from rubrica.studio.job_worker import do_at_once

    user = User.objects.create_superuser(ACCOUNT, password=PASSWORD)
    study = demonstration.make("demo-breve", load_shipped("breve"), now)
    models.Member.objects.create(study=study, user=user, role="owner", since=now)
    study.options |= {"steps": {"qualification": True}, "payment": {"currency": "EUR", "per_hour": "14"}}
    study.save()
    loaded = load_shipped("breve")
    plan = studies.Plan(name="new-pairs", loaded=loaded, items=demonstration.items_of(loaded))
    draft = studies.create(plan, now)
    draft.stages.update(state="draft")
    models.Member.objects.create(study=draft, user=user, role="owner", since=now)
    judgement = models.Judgement.objects.filter(stage__study=study, state="submitted").order_by("pk").first()
    assert judgement is not None
    people = _people(study, now)
    stage = study.stages.select_related("study", "protocol_version").get()
    work = leases.take(people["working"].annotator, stage, now)
    flags.flag(work.leases[1], "The rewrite is cut off in the middle.", now)
    models.Feedback.objects.create(
        revision=judgement.current, author=ACCOUNT, text="Look again at the tense, please.", at=now
    )
    exporting.ask(study, Wanted(form="csv"), ACCOUNT, now)
    wanted = reporting.ask(study, "", ACCOUNT, now)
    if reported:
        do_at_once(wanted.pid, home)
    door = study.invitations.filter(kind="open").first()
    assert door is not None
    token = {name: invitations.token(invitation) for name, invitation in people.items()}
    return World(
        study=study.pid,
        draft=draft.pid,
        item=judgement.item.pid,
        person=judgement.annotator.pid,
        judgement=judgement.pid,
        join=invitations.token(door),
        lease=work.leases[0].pid,
        stage=stage.pid,
        **_account_links(user, study),
        bound=_bound(study, now),
        **_edits(user, now),
        **token,
    )


def _people(study: Study, now: datetime) -> dict[str, Invitation]:
    """One annotator at each step of the way, and one who has worked before and holds work."""
    from rubrica.exchange.study_options import STEPS
    from rubrica.store.options import options_of
    from rubrica.store.people import consents, invitations, participation

    steps = [step for step in STEPS if step != "course"]
    names = ("fresh", "consenting", "telling", "reading", "practising", "examined", "working")
    people = dict(zip(names, invitations.invite(study, list(names), now), strict=True))
    for place, name in enumerate(names):
        person = people[name].annotator
        assert person is not None
        for step in steps[:place]:
            if step == "consent":
                text = options_of(study).consent_wording()
                consents.decide(person, consents.digest(text), agrees=True, now=now)
            else:
                participation.finish(person, step, now)
    return people


def _bound(study: Study, now: datetime) -> str:
    """The token of somebody from Prolific whose place is bound to a device."""
    from rubrica.store.people import invitations

    door = invitations.open_door(study, "prolific", now, code="C0DE")
    return invitations.token(invitations.enter(door, {"PROLIFIC_PID": "5f1a"}, now, device="a device"))


def _edits(user: User, now: datetime) -> dict[str, str]:
    """The demo study of edits; an annotator who has done the first four steps of its course, and links to its work."""
    from rubrica.demo import demonstration, marked_edits
    from rubrica.exchange.study_options import STEPS, checked
    from rubrica.protocols.catalog import load_shipped
    from rubrica.store import models
    from rubrica.store.course import course
    from rubrica.store.people import invitations

    loaded = load_shipped("salsa")
    study = demonstration.make("demo-salsa", loaded, now)
    study.update(options=checked({**study.options, "steps": {step: step == "course" for step in STEPS}}).stored())
    models.Member.objects.create(study=study, user=user, role="owner", since=now)
    links = [link for _, link in marked_edits.ways_in(study)]
    marking, settling, rating = map(invitations.token, links)
    link = invitations.invite(study, ["ida"], now)[0]
    assert link.annotator is not None
    for step in loaded.protocol.course[0].steps[:4]:
        course.see(link.annotator, loaded.protocol.course[0].id, step, now)
    learning = invitations.token(link)
    return {"taught": study.pid, "learning": learning, "marking": marking, "settling": settling, "rating": rating}


def _account_links(user: User, study: Study) -> dict[str, str]:
    from rubrica.store.people.accounts import Invited
    from rubrica.studio.accounts import sign_up

    invited = Invited(name="newcomer", by=user.username, study=study.pid, role="viewer")
    return {"sign_up": sign_up.invitation(invited), "new_password": sign_up.new_password_link(user)}
