"""Setup, the last step: the arithmetic, what is missing, and the launch."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _

from rubrica.core.errors import InputError
from rubrica.store.launching import launch as open_stages
from rubrica.store.launching import readiness, state_of
from rubrica.studio.access import StudyRequest
from rubrica.studio.studies.arithmetic import arithmetic_context, people_from
from rubrica.studio.studies.setup_steps import setup_step, show


@setup_step
def launch(request: StudyRequest) -> HttpResponse:
    """The numbers, the checklist, the button."""
    study = request.study
    if request.method == "POST":
        was_draft = state_of(study.stages.all()) == "draft"
        try:
            open_stages(study, timezone.now(), request.user.get_username())
        except InputError:
            return _page(request, 422)
        if was_draft:
            messages.success(request, _("The study is running. Invite people to begin."), extra_tags="success")
        return redirect("setup_launch", study.pid)
    return _page(request)


def _page(request: StudyRequest, status: int = 200) -> HttpResponse:
    ready = readiness(request.study)
    context = {
        "blocks": ready.blocks,
        "advice": ready.advice,
        **arithmetic_context(request.study, people_from(request.GET)),
    }
    return show(request, "launch", context, status=status)
