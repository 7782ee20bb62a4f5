"""Setup, the last step: the way of an annotator, the arithmetic, what is missing, and the launch."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from django.contrib import messages
from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from rubrica.core.errors import InputError
from rubrica.exchange.launch import ATTESTED
from rubrica.language.catalogues import offered
from rubrica.store.models import Study
from rubrica.store.options import options_of
from rubrica.store.people.consents import take_responsibility, unread
from rubrica.store.setup.running import is_draft, readiness
from rubrica.store.setup.running import launch as open_stages
from rubrica.store.setup.setting_up import change_options
from rubrica.store.stages import current_stages
from rubrica.store.translate import protocol_of
from rubrica.studio.access import StudyRequest
from rubrica.studio.dashboard.controls import say_problems
from rubrica.studio.formats import own_name
from rubrica.studio.guidelines import render_markdown
from rubrica.studio.studies.annotators_way import colleagues, way_ahead
from rubrica.studio.studies.arithmetic import arithmetic_context, people_from
from rubrica.studio.studies.setup_ethics import open_fields
from rubrica.studio.studies.setup_steps import setup_step, show


class Translation(NamedTuple):
    """Our consent in a language that nobody has reviewed, and the original beside it."""

    code: str
    name: str
    original: str
    text: str


@setup_step
def launch(request: StudyRequest) -> HttpResponse:
    """The way of an annotator, the numbers, the checklist, the button."""
    study, now, actor = request.study, timezone.now(), request.user.get_username()
    if request.method == "POST" and "answer_for" in request.POST:
        take_responsibility(study, request.POST.getlist("consent"), now, actor)
        return redirect("setup_launch", study.pid)
    action = request.POST.get("action")
    if action in ("shorten", "lengthen"):
        try:
            change_options(study, colleagues(options_of(study), action == "shorten"), now, actor)
        except InputError as error:
            say_problems(request, error)
        return redirect(f"{reverse('setup_launch', args=[study.pid])}#way")
    if request.method == "POST":
        was_draft = is_draft(study)
        said = [name for name in ATTESTED if request.POST.get(name) == "yes"]
        without = request.POST.get("without") == "yes"
        read = request.POST.getlist("consent")
        try:
            with transaction.atomic():
                if was_draft:
                    _leave_out_unread(study, read, now, actor)
                open_stages(study, now, actor, attested=said, leave_open=without, consents_read=read)
        except InputError as error:
            asked = [str(problem.value) for problem in error.problems if problem.rule in ("attest", "consent")]
            return _page(request, 422, [*said, *read], asked)
        if was_draft:
            messages.success(request, _("The study is running. Invite people to begin."), extra_tags="success")
        return redirect("invite" if was_draft else "setup_launch", study.pid)
    return _page(request)


def _page(
    request: StudyRequest, status: int = 200, said: Sequence[str] = (), unsaid: Sequence[str] = ()
) -> HttpResponse:
    """The page; ``said`` are the boxes that were ticked, ``unsaid`` those for want of which it was not launched."""
    ready = readiness(request.study)
    sums = arithmetic_context(request.study, people_from(request.GET))
    consents = [
        Translation(one.language, own_name(one.language), _html(one.original), _html(one.text))
        for one in unread(request.study, every=not is_draft(request.study))
    ]
    context = {
        "way": way_ahead(request.study, sums["costs"]) if not ready.blocks else None,
        "open_fields": open_fields(request.study) if "ethics" in ready.advice else [],
        "blocks": ready.blocks,
        "open_points": set(ready.advice) - {"review"} or sums["below"],
        "advice": ready.advice,
        "said": said,
        "unsaid": unsaid,
        "read_languages": ", ".join(map(own_name, _read_languages(request.study))),
        "unread_languages": ", ".join(one.name for one in consents),
        "said_languages": any(one.code in said for one in consents),
        "unfolded": "annotators" in request.GET,
        "consents": consents,
        **sums,
    }
    return show(request, "launch", context, status=status)


def _read_languages(study: Study) -> list[str]:
    """The languages that the study offers, without those whose consent somebody must still read."""
    waiting = {one.language for one in unread(study)}
    return [code for code in _offered(study) if code not in waiting]


def _offered(study: Study) -> list[str]:
    """The languages that the study offers, at any of its stages."""
    each = [offered(protocol_of(stage), options_of(study).languages) for stage in current_stages(study)]
    return list(dict.fromkeys(code for some in each for code in some))


def _leave_out_unread(study: Study, read: Sequence[str], now: datetime, actor: str) -> None:
    """Offer no language whose consent nobody has read; the last one stays, for the launch to ask for its reading."""
    waiting = {one.language for one in unread(study)} - set(read)
    left = [code for code in _offered(study) if code not in waiting]
    if waiting and left:
        change_options(study, {"languages": left}, now, actor)


def _html(text: str) -> str:
    return render_markdown(text, "consent-", 4)
