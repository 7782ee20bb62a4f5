"""The menu of every annotator page: guide, own history, language, the link to keep, stopping."""

from __future__ import annotations

from typing import NamedTuple

from django.urls import reverse

from rubrica.core.crowd_platforms import PLATFORMS
from rubrica.store.adjudication.adjudication import unread_feedback
from rubrica.store.models import Stage
from rubrica.store.options import options_of
from rubrica.store.translate import protocol_of
from rubrica.studio.access import AnnotatorRequest
from rubrica.studio.annotate.languages import Offered, offered, spoken


class Menu(NamedTuple):
    """What ``annotate/menu.html`` draws, as ``menu``. ``address`` is the personal link in full.

    ``bound``: the annotator comes from a crowd platform, whose link opens this place on one device only.
    """

    token: str
    address: str
    unread: int
    languages: list[Offered]
    language: str
    here: str
    bound: bool


def menu_of(request: AnnotatorRequest, stage: Stage) -> Menu:
    """The menu for this annotator, who is at this stage."""
    return Menu(
        request.token,
        request.build_absolute_uri(reverse("annotator_start", args=[request.token])),
        unread_feedback(request.annotator),
        offered(protocol_of(stage), options_of(request.study)),
        spoken(request),
        request.get_full_path() if request.method == "GET" else reverse("annotator_start", args=[request.token]),
        request.invitation.came_by is not None and request.invitation.came_by.kind in PLATFORMS,
    )
