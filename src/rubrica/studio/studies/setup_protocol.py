"""Setup, step by step: the title of the study, its protocol and the protocol's parameters."""

from __future__ import annotations

from django.http import HttpResponse
from django.utils import timezone

from rubrica.core.errors import InputError, Problem
from rubrica.core.scales import storable
from rubrica.store.parts import current_stages
from rubrica.store.setup import setting_up
from rubrica.store.translate import protocol_of
from rubrica.studio.access import StudyRequest
from rubrica.studio.stage_names import stage_title
from rubrica.studio.studies.new import parameter_fields, parameters_from, protocol_card
from rubrica.studio.studies.setup_steps import saved, setup_step, show


@setup_step
def protocol(request: StudyRequest) -> HttpResponse:
    """The title, and the parameters as long as nothing was judged."""
    problems: tuple[Problem, ...] = ()
    stages = current_stages(request.study)
    loaded = protocol_of(stages[0])
    frozen = any(stage.frozen_at for stage in request.study.stages.all())
    if request.method == "POST":
        now, actor = timezone.now(), request.user.get_username()
        try:
            title = request.POST.get("title", "")
            setting_up.rename(request.study, title if storable(title) else "", now, actor)
            if loaded.parameters and not frozen:
                chosen = parameters_from(request.POST, loaded)
                if chosen != stages[0].settings:
                    setting_up.change_parameters(request.study, chosen, now, actor)
        except InputError as error:
            problems = error.problems
        else:
            return saved(request, "protocol")
    context = {
        "card": protocol_card(loaded, request.POST),
        "version": loaded.version,
        "hash": loaded.hash[:12],
        "stages": [stage_title(stage) for stage in request.study.stages.select_related("protocol_version")],
        "parameters": parameter_fields(loaded, stages[0].settings, request.POST),
        "frozen": frozen,
        "problems": problems,
        "new_title": request.POST.get("title", request.study.title or request.study.name),
    }
    return show(request, "protocol", context, status=422 if problems else 200)
