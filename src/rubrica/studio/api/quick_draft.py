"""Drafts on the shortest way: what comes every second from every annotator, and is nearly always in order.

The same endpoint as ``work.save_draft``, the same answer. Whatever is not in order, whoever may not save, goes the long
way through the API, which says what is wrong. The body is read only if we made the token.
"""

from __future__ import annotations

import re

from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone
from pydantic import ValidationError

from rubrica.core.json_text import NotJsonError
from rubrica.store.allocation import leases
from rubrica.store.people.invitations import surely_ours
from rubrica.store.recording.holding import held
from rubrica.store.recording.quick_drafts import save_next_draft
from rubrica.studio.api.strict_json import parsed
from rubrica.studio.api.work import DraftIn, said_of

_PATH = re.compile(r"/api/v1/work/([0-9a-z]{16})/draft")
_TOKEN = re.compile(r"[Bb]earer (\S+)")


def answer(request: HttpRequest) -> HttpResponse | None:
    """The receipt of a draft that was kept; None for anything else."""
    path = _PATH.fullmatch(request.path_info) if request.method == "PUT" else None
    token = _TOKEN.fullmatch(request.META.get("HTTP_AUTHORIZATION", "")) if path else None
    if path is None or token is None or not surely_ours(token[1]):
        return None
    try:
        data = DraftIn.model_validate(parsed(request))
    except (ValidationError, NotJsonError, RequestDataTooBig):
        return None
    now = timezone.now()
    found = held(token[1], path[1], data.visit, data.base)
    if found is None or found.head is None:
        return None
    receipt = save_next_draft(said_of(found.lease, data), found.head, now)
    if receipt is None:
        return None
    leases.renew(found.lease, now, found.minutes)
    return JsonResponse(receipt._asdict())
