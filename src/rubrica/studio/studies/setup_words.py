"""Setup, the review of picked words: each context with its targets marked, accepted, replaced, edited or dropped."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone

from rubrica.core.errors import InputError, Problem
from rubrica.core.target_words import Marked
from rubrica.core.typed import storable
from rubrica.prepare import word_review as rules
from rubrica.prepare.word_review import Placed, Word
from rubrica.store import models
from rubrica.store.options import options_of
from rubrica.store.setup import target_words as store
from rubrica.store.setup.running import is_draft, review_required
from rubrica.studio.access import StudyRequest, has
from rubrica.studio.studies.setup_steps import show

PAGE = 10
ACTIONS = ("accept", "drop", "context", "edit")
STATES = ("waiting", "accepted", "replaced", "dropped")


class ShownWord(NamedTuple):
    """A target as the page shows it: why it was picked, what programs suggest, what could stand for it."""

    item: models.Item
    text: str
    number: int
    why: str
    band: int
    main: bool
    instead_of: str
    complexity: str
    substitutes: str


class Card(NamedTuple):
    """A context as the page shows it. ``pieces`` are its text with the targets marked; ``problems`` what went wrong."""

    context: store.Context
    pieces: list[Marked]
    words: list[ShownWord]
    every: list[Placed]
    used: frozenset[str]
    problems: Sequence[Problem] = ()
    typed: str = ""

    @property
    def edited(self) -> str:
        """What the field for the text shows."""
        return self.typed or self.context.text

    @property
    def candidates(self) -> list[tuple[Word, bool]]:
        """What else could be picked here, and whether it is picked in another context."""
        return [(one, one.about.get(rules.LEMMA, "") in self.used) for one in self.context.candidates]


def page(request: StudyRequest, status: int = 200, refused: Card | None = None) -> HttpResponse:
    """Ten contexts at a time, those that wait first if that is asked for."""
    study, wanted = request.study, request.GET.get("show", "")
    wanted = wanted if wanted in STATES else ""
    pages = Paginator(store.contexts(study, wanted), PAGE)
    shown = pages.get_page(request.GET.get("page"))
    used = _used(study)
    cards = [_card(one, used) for one in shown]
    if refused is not None:
        cards = [refused if one.context.pid == refused.context.pid else one for one in cards]
    context = {
        **_common(request),
        "page": shown,
        "cards": cards,
        "show": wanted,
        "states": STATES,
        "required": review_required(study),
        "attested": options_of(study).items_reviewed,
    }
    return show(request, "review", context, status=status, template="words")


def act(request: StudyRequest) -> HttpResponse:
    """Do what was asked with one context, and show it again: alone to the page's script, else the whole page."""
    found = _find(request, request.POST.get("context", ""))
    context = store.context_of(found)
    try:
        after = _done(request, context)
    except InputError as error:
        card = _card(context, _used(request.study), error.problems, request.POST.get("text", ""))
        return _shown(request, card) if _by_script(request) else page(request, 422, card)
    card = _card(after, _used(request.study))
    if _by_script(request):
        return _shown(request, card)
    return redirect(f"{reverse('setup_review', args=[request.study.pid])}?{request.GET.urlencode()}#c-{after.pid}")


def _by_script(request: StudyRequest) -> bool:
    return request.headers.get("HX-Request") == "true"


def _done(request: StudyRequest, context: store.Context) -> store.Context:
    now, actor, said = timezone.now(), request.user.get_username(), request.POST
    match said.get("action"):
        case "accept":
            return store.accept(context, now, actor)
        case "context":
            return store.replace_context(context, now, actor)
        case "edit":
            return store.edit_context(context, said.get("text", ""), now, actor)
        case "drop":
            reason = said.get("reason", "")
            out = dict.fromkeys((one.pid for one in context.items), reason if storable(reason) else "")
            return store.decide(context, [], out, now, actor)
    pid, _, start = said.get("word", "").partition(":")
    item = _find(request, pid)
    if start.isascii() and start.isdigit() and len(start) < 9:
        return store.replace_word(item, int(start), now, actor)
    return store.decide(context, [], {item.pid: ""}, now, actor)


def _find(request: StudyRequest, pid: str) -> models.Item:
    rows = request.study.items.given().unplanted().select_related("study")
    found = rows.filter(pid=pid).first() if storable(pid) else None
    if found is None:
        raise Http404
    return found


def _shown(request: StudyRequest, card: Card) -> HttpResponse:
    return render(request, "studies/setup_words_card.html", {**_common(request), "card": card, "alone": True})


def _common(request: StudyRequest) -> dict[str, Any]:
    study = request.study
    count = store.counted(study)
    most = max((*count.bands, 1))
    return {
        "study": study,
        "may_change": has(request.role, "manager"),
        "launched": not is_draft(study),
        "count": count,
        "bands": [(number, many, most) for number, many in enumerate(count.bands, start=1)],
    }


def _used(study: models.Study) -> frozenset[str]:
    rows = study.items.given().unplanted().open().values_list("metadata", flat=True)
    return frozenset(str(one.get(rules.LEMMA, "")) for one in rows) - {""}


def _card(context: store.Context, used: frozenset[str], problems: Sequence[Problem] = (), typed: str = "") -> Card:
    words = [_word(item, number) for number, item in enumerate(context.items, start=1)]
    marked = {
        start: (len(one.text), one.number)
        for one in words
        if one.item.closed_at is None and (start := int(one.item.metadata.get("start") or -1)) >= 0
    }
    pieces, position = [], 0
    for start, (length, number) in sorted(marked.items()):
        pieces += [Marked(context.text[position:start]), Marked(context.text[start : start + length], "target", number)]
        position = start + length
    pieces = [one for one in (*pieces, Marked(context.text[position:])) if one.text]
    return Card(context, pieces, words, _every(context, set(marked)), used, problems, typed)


def _every(context: store.Context, taken: set[int]) -> list[Placed]:
    """The text as words that can be chosen; what stands between them, and targets, are at no place."""
    found, position = [], 0
    for start, text in rules.words_of_context(context.text, context.language):
        found += [Placed(-1, context.text[position:start]), Placed(-1 if start in taken else start, text)]
        position = start + len(text)
    return [*found, Placed(-1, context.text[position:])]


def _word(item: models.Item, number: int) -> ShownWord:
    about = item.metadata
    target = next((item.fields[name] for name in item.fields if name == "target"), "")
    return ShownWord(
        item=item,
        text=str(target).strip(),
        number=number,
        why=str(about.get(rules.WHY, "")),
        band=rules.band_of(about),
        main=about.get(rules.MAIN) == "yes",
        instead_of=str(about.get(rules.INSTEAD, "")),
        complexity=str(about.get(rules.COMPLEXITY, "")),
        substitutes=str(about.get(rules.SUBSTITUTES, "")),
    )
