"""The desk filled with items whose answers are known: for practice and qualification. Nothing is leased or saved."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from django.http import HttpResponse, JsonResponse
from django.urls import reverse
from django.utils.translation import gettext as _

from rubrica.core.answers import NotApplicable
from rubrica.core.json_text import parse_json
from rubrica.core.qualification import Page, item_of
from rubrica.core.study import Judgement, RefusedError
from rubrica.store.course.attempts import name_on_page
from rubrica.store.translate import validator_of
from rubrica.studio.annotate.desk import Addresses, Desk, Entry, Progress, build_desk
from rubrica.studio.annotate.desk_form import said_from_json, said_from_post
from rubrica.studio.annotate.languages import spoken
from rubrica.studio.annotate.menu import menu_of
from rubrica.studio.annotate.remark_texts import worded
from rubrica.studio.annotate.steps import StepRequest, address
from rubrica.studio.annotate.work import desk_page


class Place(NamedTuple):
    """Which page of which way of using the desk this is."""

    mode: str
    title: str
    url: str
    at: int
    of: int
    previous: str = ""


def is_json(request: StepRequest) -> bool:
    """Whether the page's script asks, rather than a form."""
    return request.content_type == "application/json"


def given(request: StepRequest, page: Page) -> list[Judgement]:
    """What was answered to the items of the page. Raises InputError or NotJsonError if it is no answer at all."""
    places = [name_on_page(number) for number in range(len(page))]
    if is_json(request):
        posted = said_from_json(parse_json(request.body), places)
    else:
        posted = said_from_post(request.POST, validator_of(request.way.stage), places)
    return [Judgement(one.answers, one.edits, one.outcome) for one in posted]


def build(
    request: StepRequest, here: Place, page: Page, said: Sequence[Judgement], refused: RefusedError | None = None
) -> Desk:
    """The desk for this page."""
    problems = refused.by_lease if refused else {}
    entries = [
        Entry(
            lease=name_on_page(number),
            item=item_of(known),
            answers={name: value for name, value in one.answers.items() if not isinstance(value, NotApplicable)},
            edits=one.edits,
            outcome=one.outcome,
            problems=problems.get(name_on_page(number), ()),
        )
        for number, (known, one) in enumerate(zip(page, said, strict=True))
    ]
    addresses = Addresses(
        form=here.url,
        submit=here.url,
        previous=here.previous,
        guide=reverse("annotator_work_guide", args=[request.token, request.way.stage.pid]),
        guide_page=address(request.token, "guidelines"),
    )
    return build_desk(
        validator_of(request.way.stage),
        entries,
        mode=here.mode,
        addresses=addresses,
        language=spoken(request),
        title=here.title,
        progress=Progress(here.at, here.of),
        layout=request.way.options.layout,
    )


def page(request: StepRequest, here: Place, shown: Page, said: Sequence[Judgement], **more: Any) -> HttpResponse:
    """The page with the desk."""
    return _draw(request, build(request, here, shown, said), **more)


def _draw(request: StepRequest, desk: Desk, status: int = 200, **more: Any) -> HttpResponse:
    context = {"study": request.study, "token": request.token, "menu": menu_of(request, request.way.stage), **more}
    return desk_page(request, desk, context, status=status)


def refuse(request: StepRequest, here: Place, shown: Page, refused: RefusedError) -> HttpResponse:
    """The answer when something is missing: told to the script, or at the questions of the form."""
    if is_json(request):
        errors = worded(refused.by_lease, validator_of(request.way.stage).protocol)
        return JsonResponse({"errors": errors}, status=422)
    return _draw(request, build(request, here, shown, given(request, shown), refused), status=422)


def unreadable() -> HttpResponse:
    """The answer to what no page could send."""
    what = _("The page sent something that cannot be read. Please load it again.")
    return JsonResponse({"errors": [{"what": what, "rule": "form", "fix": "", "value": None}]}, status=422)
