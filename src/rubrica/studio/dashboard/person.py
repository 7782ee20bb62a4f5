"""One annotator: where they stand, how they work, a sample to review, and what can be done."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from statistics import median
from typing import TYPE_CHECKING, Any, NamedTuple

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_GET, require_POST

from rubrica.core.errors import InputError, wrong
from rubrica.core.ratings import GOLD
from rubrica.core.typed import whole
from rubrica.report.trust import Trust
from rubrica.store import models
from rubrica.store.adjudication.adjudication import SAMPLE, sample
from rubrica.store.counting.progress import of_people
from rubrica.store.counting.submitted import Picture, picture
from rubrica.store.counting.trust import trust
from rubrica.store.options import options_of
from rubrica.store.people import annotators, consents, devices, invitations
from rubrica.store.people.erasure import erase, joined_places
from rubrica.store.setup import running
from rubrica.studio.access import StudyRequest, has, role_in, study_page
from rubrica.studio.annotate.work_pages import OVERUSE
from rubrica.studio.dashboard import charts
from rubrica.studio.dashboard.controls import say_problems, whole_number
from rubrica.studio.dashboard.forms import Refused, form_key, one
from rubrica.studio.dashboard.judgements import language, view_of
from rubrica.studio.dashboard.people import NOBODY, came_by, steps_of
from rubrica.studio.formats import country
from rubrica.studio.wording import answer_in_words, duration, pattern_in_words, percent, question_title

if TYPE_CHECKING:
    from rubrica.report.checks_planted import PlantedCheck

MOST_SAMPLED = 50


class CheckRow(NamedTuple):
    """One planted judgement, ready to print; ``known`` says that it is held against a known answer."""

    judgement: str
    item: str
    known: bool
    right: int
    graded: int
    missed: list[tuple[str, str, str]]


class Event(NamedTuple):
    """One line of the timeline."""

    at: datetime
    text: str


@require_GET
@study_page()
def person_page(request: StudyRequest, person: str) -> HttpResponse:
    """Everything about one annotator."""
    return page(request, _find(request, person))


def page(request: StudyRequest, found: models.Annotator, refused: Refused | None = None) -> HttpResponse:
    """The page of this annotator; with a form that was not taken, that one as it was sent."""
    known = picture(request.study)
    figures = trust(known)
    manages = has(request.role, "manager")
    link = models.Invitation.objects.filter(annotator=found).select_related("came_by").first()
    did = of_people(request.study).get(found.pk, NOBODY)
    step, level = steps_of([found], {found.pk: link} if link else {}, {found.pk: did})[found.pk]
    wanted = _sample_size(request)
    return render(
        request,
        "dashboard/person.html",
        {
            "study": request.study,
            "role": request.role,
            "section": "people",
            "person": found,
            "link": link,
            "came_by": came_by(found, link),
            "step": step,
            "level": level,
            "work": did,
            "consent": consents.latest(found),
            "asks_consent": options_of(request.study).steps.consent,
            "views": [view_of(judgement) for judgement in sample(found, wanted)],
            "sampled": wanted,
            "sample": figures.sample,
            "more": min(wanted + SAMPLE, MOST_SAMPLED),
            "leases": found.assignments.open().select_related("item", "stage", "sheet").order_by("position"),
            "now": timezone.now(),
            "timeline": _timeline(found),
            "may_manage": manages,
            "may_review": has(request.role, "adjudicator"),
            "profile": _profile(found) if manages else [],
            "note": link.note if manages and link else "",
            "external": models.ExternalIdentity.objects.filter(annotator=found).first() if manages else None,
            "refused": refused,
            "joined": _visible(request, joined_places(found)) if manages and not found.erased_at else [],
            **_figures(known, figures, found),
        },
        status=422 if refused else 200,
    )


def _find(request: StudyRequest, pid: str) -> models.Annotator:
    return one(models.Annotator.objects.select_related("study").filter(study=request.study), pid)


def _sample_size(request: StudyRequest) -> int:
    """How many judgements to show, from the address; anything odd is the usual number."""
    given = whole(request.GET.get("sample", ""))
    return SAMPLE if given is None else min(given, MOST_SAMPLED)


def _figures(known: Picture, figures: Trust, person: models.Annotator) -> dict[str, Any]:
    own = known.by_person.get(person.pk, [])
    seconds = [entry.seconds for entry in own]
    measured = [value for value in seconds if value is not None]
    everybody = [entry.seconds for entry in known.counted if entry.seconds is not None]
    agreement = figures.with_others.get(person.name)
    return {
        "judgements": len(own),
        "time": duration(median(measured) if measured else None),
        "hours": sum(measured) / 3600,
        "times": charts.in_order(seconds, median(everybody) if everybody else None),
        "checks": figures.checks_of(person.name),
        "check_rows": _check_rows(known, figures.planted.get(person.name, [])),
        "gold": bool(known.gold),
        "duplicates": bool(known.duplicates),
        "agreement": agreement,
        "agrees": percent(agreement.share if agreement else None),
        "patterns": [
            pattern_in_words(known.protocols[stage], language(), finding)
            for stage, finding in figures.findings.get(person.name, ())
        ],
        "untold": bool(own) and bool(figures.untold(person.name)),
    }


def _check_rows(known: Picture, checks: Iterable[tuple[int, PlantedCheck]]) -> list[CheckRow]:
    rows = []
    for stage, check in checks:
        protocol, rating = known.protocols[stage], check.rating
        missed = [
            (
                question_title(protocol, one.question) if one.question else _("Way out"),
                answer_in_words(protocol, language(), one.question, one.given),
                answer_in_words(protocol, language(), one.question, one.expected),
            )
            for one in check.missed
        ]
        rows.append(CheckRow(rating.pid, rating.unit, rating.planted == GOLD, check.right, len(check.every), missed))
    return rows


def _timeline(person: models.Annotator) -> list[Event]:
    """What happened, the oldest first; work by day."""
    events = [Event(person.created_at, _("joined the study"))]
    words = {"agreed": _("agreed to the consent"), "declined": _("declined the consent"), "withdrawn": _("withdrew")}
    for consent in models.Consent.objects.filter(annotator=person).select_related("text"):
        version = " " + _("(wording %(n)s)") % {"n": consent.text.number} if consent.text else ""
        events.append(Event(consent.at, words[consent.decision] + version))
    for step in models.StepDone.objects.filter(annotator=person):
        name = step.step.partition("@")[0]
        noticed = name == OVERUSE
        text = _("told of one answer to nearly everything") if noticed else _("finished: %(step)s") % {"step": name}
        events.append(Event(step.at, text))
    days: dict[Any, list[datetime]] = {}
    for at in person.judgements.submitted().values_list("current__created_at", flat=True):
        if at:
            days.setdefault(at.date(), []).append(at)
    for made in days.values():
        text = ngettext("%(n)s judgement", "%(n)s judgements", len(made)) % {"n": len(made)}
        events.append(Event(max(made), text))
    for flag in models.Flag.objects.filter(annotator=person).select_related("item"):
        events.append(Event(flag.at, _("flagged item %(item)s") % {"item": flag.item.key}))
    if person.excluded_at:
        events.append(Event(person.excluded_at, _("excluded")))
    if person.erased_at:
        events.append(Event(person.erased_at, _("erased")))
    return sorted(events)


PROFILE_WORDS = {
    "education_years": gettext_lazy("Years of education"),
    "native_speaker": gettext_lazy("Native speaker"),
    "age": gettext_lazy("Age"),
    "reading_hours": gettext_lazy("Hours of reading a week"),
    "first_language": gettext_lazy("First language"),
    "languages": gettext_lazy("Number of languages"),
    "country": gettext_lazy("Country of residence"),
}


def _profile(person: models.Annotator) -> list[tuple[str, str]]:
    """What the person told about themselves, labelled."""
    row = models.Profile.objects.filter(annotator=person).first()
    own = {question.id: question.label for question in options_of(person.study).profile.own}
    told = []
    for name, value in (row.answers if row else {}).items():
        label = str(PROFILE_WORDS.get(name, own.get(name, name)))
        said = _("not said") if value is None else country(str(value)) if name == "country" else str(value)
        told.append((label, said))
    return told


def _visible(request: StudyRequest, studies: list[models.Study]) -> list[str]:
    """What these studies are called, as far as this researcher may know of them."""
    return [
        study.title or study.name if role_in(study, request.user) else _("a study of somebody else")
        for study in studies
    ]


def _also_in(names: list[str]) -> list[str]:
    """That the person was erased in joined studies too, if so."""
    return [_("Also erased in joined studies: %(names)s.") % {"names": ", ".join(names)}] if names else []


@require_POST
@study_page("manager")
def act(request: StudyRequest, person: str) -> HttpResponse:
    """Exclude, take back, revoke, renew, give time, reset the device, erase."""
    found = _find(request, person)
    action = request.POST.get("action", "")
    try:
        said = _act(request, found, action)
    except InputError as error:
        if action in ("exclude", "time", "erase"):
            return page(request, found, Refused.by(error, action, request))
        say_problems(request, error)
    else:
        messages.success(request, said)
    return redirect("person", request.study.pid, found.pid)


def _act(request: StudyRequest, person: models.Annotator, action: str) -> str:
    now, actor = timezone.now(), request.user.get_username()
    match action:
        case "exclude":
            annotators.exclude(person, request.POST.get("reason", ""), now, actor=actor)
            return _("Excluded: their judgements are kept, out of the results, and their places are free.")
        case "include":
            beyond = annotators.include_again(person, now, actor=actor)
            text = ngettext(
                "Included again. %(n)s judgement is beyond the overlap now.",
                "Included again. %(n)s judgements are beyond the overlap now.",
                beyond,
            )
            return text % {"n": beyond} if beyond else _("Included again: their judgements count.")
        case "return":
            count = running.take_back(person, now, actor=actor, lease=form_key(request.POST.get("lease", "")))
            text = ngettext("%(n)s item is free for others.", "%(n)s items are free for others.", count)
            return text % {"n": count}
        case "time":
            hours = whole_number(request.POST.get("hours", ""), "hours")
            count = running.give_time(request.study, hours, now, actor=actor, annotator=person)
            return ngettext("%(n)s item may take longer now.", "%(n)s items may take longer now.", count) % {"n": count}
        case "erase":
            if request.POST.get("sure") != "yes":
                raise wrong("nothing was erased", "confirm", "Tick the box to say that they asked for it.")
            done = erase(person, now, actor=actor)
            said = _("Erased: the answers and everything that tells who it was are gone.")
            return " ".join([said, *_also_in(_visible(request, [one.study for one in done.elsewhere]))])
        case "reset":
            if not devices.reset(person, now, actor):
                raise Http404
            return _("The place is free: the next device that comes with the platform's link and this id keeps it.")
        case "revoke" | "renew":
            link = models.Invitation.objects.select_related("study").filter(annotator=person).first()
            if link is None:
                raise Http404
            if action == "revoke":
                invitations.revoke(link, now, actor)
                return _("The link leads nowhere now. What was done through it stays.")
            invitations.renew(link, now, actor)
            return _("There is a new link; the old one leads nowhere. Find it on the page Invite.")
    raise wrong(f"there is no action {action!r}", "action", "Use one of the buttons.", value=action)
