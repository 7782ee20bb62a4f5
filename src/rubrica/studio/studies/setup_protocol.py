"""Setup, step by step: the title of the study, its protocol and the protocol's parameters."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.utils import timezone

from rubrica.core.errors import InputError, Problem
from rubrica.core.protocol import Protocol
from rubrica.core.typed import storable
from rubrica.protocols.rubric import Rubric, editable, rubric_protocol, rubric_yaml
from rubrica.store.setup import setting_up, versions
from rubrica.store.stages import current_stages
from rubrica.store.translate import protocol_of
from rubrica.studio.access import StudyRequest
from rubrica.studio.studies import rubric as rubric_form
from rubrica.studio.studies import uploads
from rubrica.studio.studies.new import parameter_fields, parameters_from, protocol_card
from rubrica.studio.studies.setup_steps import saved, setup_step, show
from rubrica.studio.wording import stage_title


@setup_step
def protocol(request: StudyRequest) -> HttpResponse:
    """The title, and the parameters as long as nothing was judged."""
    problems: tuple[Problem, ...] = ()
    stages = current_stages(request.study)
    loaded = protocol_of(stages[0])
    frozen = any(stage.frozen_at for stage in request.study.stages.all())
    made = None if frozen else editable(rubric_form.loaded_of(request.study).protocol)
    form: dict[str, Any] = {}
    if made:
        rubric_form.keep(request, made, request.study)
        form = rubric_form.context(made, request.study)
    if request.method == "POST" and made and "rubric" in request.POST:
        rubric, wrong = rubric_form.pressed(request, made.title, request.study)
        form = {**rubric_form.context(rubric, request.study), "rubric_problems": wrong}
        if request.POST["rubric"] == "yaml" and not wrong:
            return rubric_form.yaml_file(rubric_yaml(rubric, loaded.id, loaded.version), loaded.id)
        if request.POST["rubric"] == "save" and not wrong:
            try:
                return _save(request, rubric, loaded)
            except InputError as error:
                form["rubric_problems"] = error.problems
    elif request.method == "POST":
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
        "preview": stages[0].protocol_version.hash,
        "stages": [stage_title(stage) for stage in request.study.stages.select_related("protocol_version")],
        "parameters": parameter_fields(loaded, stages[0].settings, request.POST),
        "frozen": frozen,
        "problems": problems,
        **form,
        "new_title": request.POST.get("title", request.study.title or request.study.name),
    }
    wrong_form = [*problems, *form.get("rubric_problems", ())]
    return show(request, "protocol", context, status=rubric_form.status(request, wrong_form))


def _save(request: StudyRequest, rubric: Rubric, running: Protocol) -> HttpResponse:
    """Put the changed questions in place of those of a study in which nothing was judged."""
    changed = uploads.read_apart(rubric_protocol, "", rubric, running.id, running.version)
    if changed.protocol.hash != running.hash:
        versions.start(request.study, changed, timezone.now(), request.user.get_username())
    return saved(request, "protocol")
