"""The list of studies; deleting a study and bringing it back."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any, NamedTuple

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.timesince import timesince
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from rubrica.core.texts import shown
from rubrica.store import models
from rubrica.store.counting.progress import Card, cards
from rubrica.store.studies import bring_back
from rubrica.store.studies import delete as move_to_trash
from rubrica.store.translate import protocol_of
from rubrica.studio.access import StudyRequest, role_in, studies_of, study_page

MINUTE = timedelta(minutes=1)
STATES = {
    "draft": (gettext_lazy("Draft"), "warn"),
    "running": (gettext_lazy("Running"), "good"),
    "paused": (gettext_lazy("Paused"), "info"),
    "closed": (gettext_lazy("Closed"), ""),
}
ROLES = {
    "owner": gettext_lazy("owner"),
    "manager": gettext_lazy("manager"),
    "adjudicator": gettext_lazy("adjudicator"),
    "viewer": gettext_lazy("viewer"),
    "administrator": gettext_lazy("administrator"),
}


class StudyCard(NamedTuple):
    """A study as the list shows it."""

    card: Card
    protocol: str
    state: str
    tone: str
    role: str
    active: str


@login_required
@require_GET
def studies(request: HttpRequest) -> HttpResponse:
    """Every study that the researcher may see, the one with the latest activity first."""
    now, gone = timezone.now(), trashed(request.user)
    just_deleted = gone.filter(pid=request.GET.get("deleted", "")).first()
    trash = [(study, _deleted(study.deleted_at, now)) for study in gone]
    roles = dict(models.Member.objects.filter(user=request.user.pk).values_list("study", "role"))
    found = [_shown(card, roles, request.user, now) for card in cards(list(studies_of(request.user)))]
    context = {"cards": found, "trash": trash, "just_deleted": just_deleted}
    return render(request, "studies/studies.html", context)


def trashed(user: Any) -> QuerySet[models.Study]:
    """Deleted studies that this researcher owns, the last deleted first."""
    gone = models.Study.objects.trashed().order_by("-deleted_at")
    return gone if user.is_superuser else gone.filter(members__user=user, members__role=models.Member.Role.OWNER)


def _shown(card: Card, roles: dict[int, str], user: Any, now: datetime) -> StudyCard:
    word, tone = STATES[card.state]
    role = roles.get(card.study.pk, "administrator" if user.is_superuser else "")
    title = shown(protocol_of(card.stage).title, get_language() or "en")
    return StudyCard(card, title, str(word), tone, str(ROLES.get(role, role)), _active(card.active_at, now))


def _active(at: datetime, now: datetime) -> str:
    return _("active just now") if now - at < MINUTE else _("active %(ago)s ago") % {"ago": timesince(at, now)}


def _deleted(at: datetime | None, now: datetime) -> str:
    if at is None or now - at < MINUTE:
        return _("deleted just now")
    return _("deleted %(ago)s ago") % {"ago": timesince(at, now)}


@study_page("owner")
@require_POST
def delete_study(request: StudyRequest) -> HttpResponse:
    """Move a study to the trash; the list offers to undo it."""
    move_to_trash(request.study.name, timezone.now(), request.user.get_username())
    return redirect(f"{reverse('studies')}?deleted={request.study.pid}")


@login_required
@require_POST
def restore_study(request: HttpRequest, study: str) -> HttpResponse:
    """Bring a study back from the trash."""
    found = models.Study.objects.filter(pid=study).first()
    if found is None or role_in(found, request.user) != "owner":
        raise Http404
    back = bring_back(found, timezone.now(), request.user.get_username())
    words = _("“%(title)s” is back.") % {"title": back.title or back.name}
    messages.success(request, words, extra_tags="success")
    return redirect("studies")
