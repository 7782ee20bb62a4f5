"""The end of the work: thanks, what was done, and, once all is done, the code that a crowd platform wants."""

from __future__ import annotations

from typing import NamedTuple
from urllib.parse import quote, urlsplit

from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_GET

from rubrica.core.texts import shown as shown_text
from rubrica.exchange.study_options import Options
from rubrica.store import models
from rubrica.store.people.invitations import completion_code_for
from rubrica.store.people.participation import comes_back, standing, way
from rubrica.store.translate import protocol_of
from rubrica.studio.access import AnnotatorRequest, annotator_page
from rubrica.studio.annotate.languages import spoken
from rubrica.studio.annotate.steps import address, shown
from rubrica.studio.guidelines import render_markdown

PROLIFIC = "https://app.prolific.com/submissions/complete?cc="


class Handover(NamedTuple):
    """How the end is told to the platform that sent the annotator."""

    platform: str
    code: str
    prolific: str = ""
    mturk: str = ""
    assignment: str = ""


@annotator_page
@require_GET
def thanks(request: AnnotatorRequest) -> HttpResponse:
    """Thank, or say what is left for somebody who wants to stop here."""
    found = way(request.annotator)
    if found.due != "work":
        return redirect(address(request.token, found.due))
    stands = standing(request.annotator, found.stage, timezone.now())
    excluded = request.annotator.excluded_at is not None
    context = {
        "standing": stands,
        "total": stands.done + stands.skipped,
        "finished": stands.finished and not excluded,
        "handover": handover(request.invitation, found.options) if stands.finished and not excluded else None,
        "platform": request.invitation.came_by.kind if request.invitation.came_by else "",
        "thanks_html": render_markdown(found.options.text("thanks_text", spoken(request)), "own-", 2),
        "limit": found.options.limit_per_annotator,
        "has_code": bool(completion_code_for(request.invitation, found.options)),
        "contact": found.options.ethics.contact,
        **coming_back(request),
    }
    return shown(request, "annotate/thanks.html", context, step="work")


def coming_back(request: AnnotatorRequest) -> dict[str, object]:
    """For a page without work: at what this person will go on later with the items that they did, and by which link."""
    found = comes_back(request.annotator) if request.annotator.excluded_at is None else None
    if found is None:
        return {}
    stage, count = found
    label = next(one.label for one in protocol_of(stage).stages if one.id == stage.key)
    link = request.build_absolute_uri(reverse("annotator_start", args=[request.token]))
    return {"comes_back": shown_text(label, spoken(request)), "comes_back_count": count, "own_link": link}


def handover(invitation: models.Invitation, options: Options) -> Handover:
    """What the platform of this annotator needs at the end."""
    platform = invitation.came_by.kind if invitation.came_by else ""
    known = completion_code_for(invitation, options)
    if platform == "prolific":
        return Handover(platform, known, prolific=PROLIFIC + quote(known, safe="") if known else "")
    if platform == "mturk":
        identity = models.ExternalIdentity.objects.filter(annotator=invitation.annotator).first()
        details: dict[str, str] = identity.details if identity else {}
        target = external_submit(details.get("turkSubmitTo", ""))
        return Handover(platform, known, mturk=target, assignment=details.get("assignmentId", ""))
    return Handover(platform, known)


def external_submit(submit_to: str) -> str:
    """Where MTurk takes a finished assignment; empty unless the given address is one of MTurk's own, over https."""
    try:
        parts = urlsplit(submit_to)
        host, port = (parts.hostname or "").lower(), parts.port
    except ValueError:
        return ""
    ours = host == "mturk.com" or host.endswith(".mturk.com")
    if parts.scheme != "https" or not ours or port not in (None, 443) or "@" in parts.netloc:
        return ""
    return f"https://{host}/mturk/externalSubmit"
