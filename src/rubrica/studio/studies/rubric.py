"""A rubric of one's own by a form: what was typed, the buttons of the form, its preview and its YAML.

The form is part of the page of a new study and of the protocol's step of a draft. Every button works without script;
what was typed is kept in the session, so that it is still there when somebody comes back, and for the preview.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import attrs
from django.http import HttpResponse, QueryDict
from django.utils.translation import get_language, gettext_lazy
from django.views.decorators.http import require_GET

from rubrica.core.errors import Problem
from rubrica.core.typed import storable
from rubrica.protocols import rubric as rubrics
from rubrica.protocols.catalog import load_shipped
from rubrica.protocols.loader import as_yaml
from rubrica.protocols.rubric import Rubric, RubricQuestion
from rubrica.store import models
from rubrica.store.stages import current_stages
from rubrica.store.translate import loaded_from
from rubrica.studio.access import StudyRequest, study_page
from rubrica.studio.languages import language_names

NEW = "own"
"""The rubric of a study that is not made yet, in the session and in the address of its preview."""
READY = "quality"
"""The protocol that can be copied into the form."""
KINDS = {
    "scale": gettext_lazy("A scale of points"),
    "yes_no": gettext_lazy("Yes or no"),
    "choice": gettext_lazy("A choice of one"),
    "text": gettext_lazy("Free text"),
}
FIELDS = {
    "source": gettext_lazy("The original"),
    "rewrite": gettext_lazy("The rewrite"),
    "reference": gettext_lazy("A reference"),
}


def key_of(study: models.Study | None) -> str:
    """Under which name the session keeps the rubric of this study, or of a new one."""
    return NEW if study is None else f"{NEW}-{study.pid}"


def kept(request: Any) -> Rubric:
    """What was typed last for a new study, else an empty form."""
    noted = request.session.get(NEW)
    language = (get_language() or "en")[:2]
    empty = Rubric(title="", language=language if language in rubrics.LANGUAGES else "en")
    return rubrics.from_json(noted) if noted else empty


def keep(request: Any, rubric: Rubric, study: models.Study | None = None) -> None:
    """Remember what was typed."""
    request.session[key_of(study)] = attrs.asdict(rubric)


def forget(request: Any) -> None:
    """What was typed for a new study is in one now."""
    request.session.pop(NEW, None)


def typed(post: QueryDict, title: str) -> Rubric:
    """What the form says, whether or not it makes sense."""
    sent = {name: str(post.get(name, "")) for name in post}
    texts = {name: value.replace("\r\n", "\n") for name, value in sent.items() if storable(value)}
    numbers = sorted({int(found[1]) for name in post if (found := re.fullmatch(r"q\.([0-9]{1,2})\.kind", name))})
    language = texts.get("rubric_language", "")
    return Rubric(
        title=title,
        language=language if language in rubrics.LANGUAGES else "en",
        fields=tuple(name for name in rubrics.FIELDS if name in post.getlist("rubric_field")),
        instructions=texts.get("rubric_instructions", "").strip(),
        questions=tuple(_question(texts, f"q.{number}") for number in numbers),
    )


def _question(texts: dict[str, str], head: str) -> RubricQuestion:
    kind, points = texts.get(f"{head}.kind", ""), texts.get(f"{head}.points", "").strip()
    return RubricQuestion(
        name=" ".join(texts.get(f"{head}.name", "").split()),
        prompt=" ".join(texts.get(f"{head}.prompt", "").split()),
        kind=kind if kind in rubrics.KINDS else "scale",
        points=int(points) if re.fullmatch(r"[0-9]{1,3}", points) else 0,
        labels=tuple(filter(None, (line.strip() for line in texts.get(f"{head}.labels", "").split("\n")))),
        required=f"{head}.required" in texts,
        alone=f"{head}.alone" in texts,
    )


def pressed(request: Any, title: str, study: models.Study | None = None) -> tuple[Rubric, list[Problem]]:
    """The rubric after the button that was pressed, kept; what is wrong only where somebody asked to see it."""
    step = request.POST.get("rubric", "")
    if step == "copy":
        ready = load_shipped(READY).protocol.resolve({})
        rubric = attrs.evolve(rubrics.rubric_of(ready, (get_language() or "en")[:2]), title=title)
    else:
        rubric = rubrics.changed(typed(request.POST, title), step)
    keep(request, rubric, study)
    return rubric, rubrics.rubric_problems(rubric) if step in ("preview", "yaml", "save") else []


def status(request: Any, wrong: Sequence[Problem]) -> int:
    """Of a page with these problems; htmx shows what it asked for only if it is no refusal."""
    return 422 if wrong and request.headers.get("HX-Request") != "true" else 200


def context(rubric: Rubric, study: models.Study | None = None) -> dict[str, Any]:
    """What the form's template shows."""
    fine = not rubrics.rubric_problems(rubric)
    return {
        "rubric": rubric,
        "rubric_kinds": KINDS.items(),
        "rubric_fields": FIELDS.items(),
        "rubric_languages": [(code, name) for code, name in language_names().items() if code in rubrics.LANGUAGES],
        "rubric_preview": key_of(study) if fine else "",
        "rubric_points": (rubrics.LEAST, rubrics.MOST),
    }


def yaml_file(text: str, name: str) -> HttpResponse:
    """A protocol to download."""
    response = HttpResponse(text, content_type="application/yaml; charset=utf-8")
    response.headers["Content-Disposition"] = f'attachment; filename="{name}.yaml"'
    return response


def loaded_of(study: models.Study) -> Any:
    """The protocol that a study runs now, as it was loaded."""
    return loaded_from(current_stages(study)[0].protocol_version)


@study_page("viewer")
@require_GET
def protocol_yaml(request: StudyRequest) -> HttpResponse:
    """The protocol of a study as one YAML file."""
    loaded = loaded_of(request.study)
    return yaml_file(as_yaml(loaded.canonical), loaded.protocol.id)
