"""The words for what the server remarks while somebody writes, and for what keeps a judgement from being submitted."""

from __future__ import annotations

import re
from collections.abc import Mapping

from django.utils.text import format_lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from rubrica.core import hints
from rubrica.core.errors import Problem
from rubrica.core.hints import Remark
from rubrica.core.protocol import Protocol
from rubrica.core.scales import MAX_TEXT, Choices, RewrittenText, ShortAnswers
from rubrica.core.study import Item

_WORDED = {
    hints.WORDS_GONE: gettext_lazy("No longer there: {words}"),
    hints.WORDS_NEW: gettext_lazy("New: {words}"),
    hints.PRONOUN: gettext_lazy("May mean several things: {words}"),
    hints.SAME_WORD: gettext_lazy("The same word again means that none is simpler: {words}"),
    hints.REPEATED: gettext_lazy("Given twice: {words}"),
    hints.SEVERAL_WORDS: gettext_lazy("More than one word: {words}"),
    hints.OTHER_SCRIPT: gettext_lazy("In another script than the word: {words}"),
}
_COMMON = {
    "en": " the of and to in is that for was on with as it by at from his her are were ",
    "es": " de la que el en y los se del las por con una su para es al lo un no ",
}


def remark_text(remark: Remark) -> str:
    """A remark in the reader's language."""
    if remark.kind == hints.PROTOCOL:
        return str(remark.values[0])
    if remark.kind == hints.SENTENCES:
        count = int(remark.values[0])
        return ngettext("{count} sentence", "{count} sentences", count).format(count=count)
    words = ", ".join(map(str, remark.values))
    return str(format_lazy(_WORDED[remark.kind], words=words))


def language_of(item: Item, protocol: Protocol) -> str:
    """The language of an item's texts: as its metadata says, else whose common words it has most of."""
    told = item.metadata.get("language") or item.metadata.get("lang")
    if told:
        return told
    words = re.findall(r"[^\W\d_]+", " ".join(item.fields.values()).casefold())
    counts = {language: sum(f" {word} " in common for word in words) for language, common in _COMMON.items()}
    best = max(counts, key=lambda language: counts[language])
    return best if counts[best] else protocol.fallback


def problem_text(problem: Problem, protocol: Protocol) -> str:
    """What keeps a judgement from being submitted, and what to do, in the reader's language."""
    if problem.rule == "required":
        return _("This question is not answered yet.")
    question = protocol.questions_by_id.get(problem.question)
    if problem.rule == "scale" and question is not None:
        return _about_scale(protocol, question.scale)
    return {
        "not_shown": _("This question is not asked here. Load the page again."),
        "way_out": _("An item that you leave this way takes no answers but remarks."),
        "unknown_question": _("This question is not asked here. Load the page again."),
    }.get(problem.rule, problem.what)


def _about_scale(protocol: Protocol, scale_id: str) -> str:
    scale = protocol.scales[scale_id]
    if isinstance(scale, RewrittenText) and scale.minimum_sentences > 1:
        told = ngettext(
            "Write at least {count} sentence, or choose another way to end this item.",
            "Write at least {count} sentences, or choose another way to end this item.",
            scale.minimum_sentences,
        )
        return told.format(count=scale.minimum_sentences)
    if isinstance(scale, Choices):
        return _("Choose {low} to {high}.").format(low=scale.minimum, high=scale.maximum)
    if isinstance(scale, ShortAnswers):
        return _("Give {low} to {high} different answers of at most 200 characters.").format(
            low=scale.minimum, high=scale.maximum
        )
    if not scale.values():
        return _("Write something, in at most {count} characters.").format(count=f"{MAX_TEXT:,}")
    return _("Choose one of the answers.")


def worded(by_lease: Mapping[str, list[Problem]], protocol: Protocol) -> list[dict[str, object]]:
    """The problems of a refused submit, by lease, as the API and the page tell them."""
    return [
        problem.as_json() | {"lease": lease, "what": problem_text(problem, protocol)}
        for lease, problems in by_lease.items()
        for problem in problems
    ]
