"""Setup, the last step: the arithmetic, what is missing, and the launch."""

from __future__ import annotations

from collections.abc import Sequence

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _

from rubrica.core.errors import InputError
from rubrica.store.setup.launching import ATTESTED, readiness, state_of
from rubrica.store.setup.launching import launch as open_stages
from rubrica.studio.access import StudyRequest
from rubrica.studio.studies.arithmetic import arithmetic_context, people_from
from rubrica.studio.studies.setup_steps import setup_step, show


@setup_step
def launch(request: StudyRequest) -> HttpResponse:
    """The numbers, the checklist, the button."""
    study = request.study
    if request.method == "POST":
        was_draft = state_of(study.stages.all()) == "draft"
        said = [name for name in ATTESTED if request.POST.get(name) == "yes"]
        without = request.POST.get("without") == "yes"
        try:
            open_stages(study, timezone.now(), request.user.get_username(), attested=said, leave_open=without)
        except InputError as error:
            return _page(request, 422, said, [problem.value for problem in error.problems if problem.rule == "attest"])
        if was_draft:
            messages.success(request, _("The study is running. Invite people to begin."), extra_tags="success")
        return redirect("setup_launch", study.pid)
    return _page(request)


def _page(
    request: StudyRequest, status: int = 200, said: Sequence[str] = (), unsaid: Sequence[str] = ()
) -> HttpResponse:
    """The page; ``said`` are the boxes that were ticked, ``unsaid`` those for want of which it was not launched."""
    ready = readiness(request.study)
    context = {
        "blocks": ready.blocks,
        "advice": ready.advice,
        "said": said,
        "unsaid": unsaid,
        **arithmetic_context(request.study, people_from(request.GET)),
    }
    return show(request, "launch", context, status=status)
