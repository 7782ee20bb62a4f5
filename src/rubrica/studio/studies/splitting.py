"""Try the splitter: a pasted text is split, with its patterns marked and every decision explained, and becomes a study.

What was split last is kept in the session, so that a study is made of exactly what was seen.
"""

from __future__ import annotations

from itertools import chain
from typing import Any, NamedTuple

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from rubrica.core.edit_marks import segments
from rubrica.core.edits import Edit, Span
from rubrica.core.errors import InputError, Problem, wrong
from rubrica.core.names import name_from
from rubrica.core.study import Item
from rubrica.core.typed import storable
from rubrica.exchange.study_plan import Plan
from rubrica.protocols.catalog import load_shipped
from rubrica.rewriting.split.explaining import LONGEST, Explained, explain
from rubrica.rewriting.split.models import MODELS
from rubrica.store import models, studies
from rubrica.store.setup import setting_up
from rubrica.studio.marked_texts import MarkedPiece, MarkedText, Tag
from rubrica.studio.studies.uploads import read_apart

KEPT = "split"
NAMES = {
    "rc": gettext_lazy("relative clause"),
    "conj": gettext_lazy("conjunction"),
    "part": gettext_lazy("participle"),
    "prep": gettext_lazy("prepositional phrase"),
    "adv": gettext_lazy("adverbial"),
    "appos": gettext_lazy("apposition"),
    "inf": gettext_lazy("infinitive"),
}
LOOKS = {pattern: look for look, pattern in enumerate(NAMES, start=1)}
ABOUT = {
    "rubrica": gettext_lazy("Rubrica’s own: rules that leave alone what they are not sure of"),
    "paper": gettext_lazy("after the paper of Zhang and others (2020), a baseline"),
    "copy": gettext_lazy("trained to copy and insert, a baseline"),
}
GOALS = {
    "split_rate": gettext_lazy("People rate these splits"),
    "split_rewrite": gettext_lazy("People split the originals themselves"),
}


class Decision(NamedTuple):
    """What was done at a place of the sentence with which words, or that nothing was, and why."""

    done: bool
    tag: Tag | None
    pattern: str
    cue: str
    words: str
    why: str


class Shown(NamedTuple):
    """A sentence on the page."""

    text: MarkedText
    sentences: tuple[str, ...]
    decisions: list[Decision]


@login_required
@require_http_methods(["GET", "POST"])
def splitting(request: Any) -> HttpResponse:
    """Paste a text and see it split; make a study of it."""
    problems: tuple[Problem, ...] = ()
    found: list[Explained] = []
    text, model = request.POST.get("text", ""), request.POST.get("model", MODELS[0])
    if request.method == "POST":
        try:
            if request.POST.get("action") == "study":
                return redirect("setup_review", _study(request).pid)
            found = _split(text, model)
            kept = [(one.split.source, one.split.text) for one in found]
            request.session[KEPT] = {"model": model, "pairs": kept}
        except InputError as error:
            problems = error.problems
    context = {
        "text": text if storable(text) else "",
        "longest": LONGEST,
        "models": ABOUT.items(),
        "model": model,
        "goals": GOALS.items(),
        "shown": [_shown(one) for one in found],
        "legend": [(Tag(key, LOOKS[key]), name) for key, name in NAMES.items()],
        "made": sum(len(one.split.sentences) for one in found),
        "problems": problems,
    }
    return render(request, "studies/splitting.html", context, status=422 if problems else 200)


def _split(text: str, model: str) -> list[Explained]:
    if not storable(text):
        raise wrong("the text holds a broken character", "characters", "Paste it again.")
    return read_apart(explain, "", text, model)


def _study(request: Any) -> models.Study:
    """A draft of what was seen last: its splits to rate, or its sentences to split."""
    kept, goal = request.session.get(KEPT), request.POST.get("goal", "")
    if not kept:
        raise wrong("nothing was split yet", "empty", "Paste a text and split it first.")
    if goal not in GOALS:
        raise wrong("it is not said what people should do", "protocol", "Choose one of the two.", value=goal)
    split_by = _("Sentences split by %(model)s") % {"model": kept["model"]}
    title = split_by if goal == "split_rate" else _("Sentences to split")
    items = [
        Item(str(number), {"source": source, "rewrite": rewrite}, kept["model"])
        if goal == "split_rate"
        else Item(str(number), {"source": source})
        for number, (source, rewrite) in enumerate(kept["pairs"], start=1)
    ]
    name = studies.free_name(name_from(title))
    plan = Plan(title=title, name=name, loaded=load_shipped(goal), items=items)
    return setting_up.begin(plan, request.user, timezone.now())


def _shown(one: Explained) -> Shown:
    """A sentence with lines under its patterns, and each decision in the order of the words."""
    source = one.split.source
    edits = [Edit(str(n), mark.pattern, (Span(mark.start, mark.end),)) for n, mark in enumerate(one.marks)]
    tags = {edit.id: Tag(edit.operation, LOOKS[edit.operation]) for edit in edits}
    cut = segments(source, "source", edits, LOOKS)
    pieces = tuple(MarkedPiece(each.text, each.marks, tuple(tags[name] for name in each.ends), False) for each in cut)
    lanes = max((mark.lane + 1 for each in cut for mark in each.marks), default=0)
    marked = MarkedText("source", str(_("Original")), source, pieces, "en", min(lanes, 4))
    told = chain(((True, each) for each in one.split.operations), ((False, each) for each in one.split.left))
    return Shown(marked, one.split.sentences, [_decision(source, done, each) for done, each in told])


def _decision(source: str, done: bool, told: dict[str, Any]) -> Decision:
    pattern = told["pattern"] or ""
    start, end = told["span"]
    return Decision(
        done=done,
        tag=Tag(pattern, LOOKS[pattern]) if pattern in LOOKS else None,
        pattern=str(NAMES.get(pattern, "")),
        cue=told["cue"],
        words=told.get("within", source)[start:end].strip(" ,;") if done else "",
        why=told["rule"] if done else told["why"],
    )
