"""The words for what the server remarks while somebody writes, and for what keeps a judgement from being submitted."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from django.utils.text import format_lazy
from django.utils.translation import get_language, gettext_lazy, ngettext
from django.utils.translation import gettext as _

from rubrica.core import hints
from rubrica.core.errors import Problem
from rubrica.core.hints import Overused, Remark
from rubrica.core.protocol import Protocol
from rubrica.core.scales import MAX_TEXT, Choices, RewrittenText, ShortAnswers
from rubrica.core.study import Item
from rubrica.core.texts import shown
from rubrica.studio.formats import listed
from rubrica.studio.wording import on_scale, title_of

_WORDED = {
    hints.WORDS_GONE: gettext_lazy("No longer there: {words}"),
    hints.WORDS_NEW: gettext_lazy("New: {words}"),
    hints.PRONOUN: gettext_lazy("May mean several things: {words}"),
    hints.SAME_WORD: gettext_lazy("The same word again? That says that none is simpler: {words}"),
    hints.REPEATED: gettext_lazy("Twice the same? {words}"),
    hints.SEVERAL_WORDS: gettext_lazy("More than one word? {words}"),
    hints.OTHER_SCRIPT: gettext_lazy("In another script than the word? {words}"),
    hints.SAME_TEXT: gettext_lazy("This is word for word “{words}”. Is that what you mean?"),
}
_BY_RULE = {
    "not_shown": gettext_lazy("This question is not asked here. Load the page again."),
    "unknown_question": gettext_lazy("This question is not asked here. Load the page again."),
    "unchanged": gettext_lazy(
        "Nothing was changed: this is still the text as it was. Change it, or answer differently."
    ),
    "way_out": gettext_lazy("An item that you leave this way takes no answers but remarks."),
    "form": gettext_lazy("This answer cannot be kept. Give it again, in fewer or other characters."),
    "key": gettext_lazy("This cannot be kept. Load the page again."),
    "erased": gettext_lazy("You asked for your answers to be erased, so nothing more is saved."),
    "edits": gettext_lazy("No edits, or not so many, are marked here. Load the page again."),
    "duplicate_edit": gettext_lazy("This edit is there twice. Remove one of the two."),
    "operation": gettext_lazy("An edit of this kind cannot be like this. Remove it and make it again."),
    "span": gettext_lazy("The words of this edit are not marked rightly. Mark them again, each word once."),
    "constituents": gettext_lazy("This edit is made of parts: add them, and answer for the whole."),
    "parent": gettext_lazy("This edit cannot be a part of that one. Take it out."),
    "fixed_edit": gettext_lazy("The edits are given here and stay as they are. Load the page again."),
}
"""What each rule of the validator comes down to for whoever is at work; the details stay in ``fix`` and ``value``."""
_COMMON = {
    "en": " the of and to in is that for was on with as it by at from his her are were ",
    "es": " de la que el en y los se del las por con una su para es al lo un no ",
}


def overuse_text(found: Overused, protocol: Protocol, language: str) -> str:
    """That somebody gives one answer to nearly everything, gently: they may well be right."""
    asked = protocol.questions_by_id[found.question]
    text = _(
        "%(times)s of your last %(of)s answers are %(answer)s (question: %(question)s). Please use the whole scale "
        "where the texts differ. If your answers are right, simply go on: nothing is held against you."
    )
    return text % {
        "times": found.times,
        "of": found.of,
        "question": shown(asked.prompt, language) or title_of(asked),
        "answer": on_scale(protocol.scale_of(asked), found.answer, language),
    }


def remark_text(remark: Remark) -> str:
    """A remark in the reader's language."""
    if remark.kind == hints.PROTOCOL:
        return str(remark.values[0])
    if remark.kind == hints.SENTENCES:
        count = int(remark.values[0])
        return ngettext("{count} sentence", "{count} sentences", count).format(count=count)
    words = listed(map(str, remark.values))
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
    question = protocol.questions_by_id.get(problem.question)
    if problem.rule == "required":
        scale = protocol.scale_of(question) if question else None
        if isinstance(scale, ShortAnswers) and scale.none:
            return _("Please write something, or choose “{none}”.").format(
                none=shown(scale.label, get_language() or "")
            )
        return _("This question is not answered yet.")
    if problem.rule == "scale" and question is not None:
        return _about_scale(protocol, question.scale)
    return rule_text(problem)


def rule_text(problem: Problem) -> str:
    """The same where the protocol is not at hand: what the broken rule comes down to.

    Of an edit the validator's own words, which are English, say more.
    """
    if problem.edit and (get_language() or "en").startswith("en"):
        return problem.what
    if problem.rule.startswith("rule:"):
        return _("This question is settled for this item. Load the page again.")
    return str(_BY_RULE.get(problem.rule, problem.what))


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
        text = _("Give {low} to {high} different answers of at most 200 characters.")
        if scale.none:
            text = _("Give {low} to {high} different answers of at most 200 characters, or only choose “{none}”.")
        none = shown(scale.label, get_language() or "")
        return text.format(low=scale.minimum, high=scale.maximum, none=none)
    if not scale.values():
        return _("Write something, in at most {count} characters.").format(count=f"{MAX_TEXT:,}")
    return _("Choose one of the answers.")


def worded(by_lease: Mapping[str, Sequence[Problem]], protocol: Protocol) -> list[dict[str, object]]:
    """The problems of a refused submit, by lease, as the API and the page tell them."""
    return [
        problem.as_json() | {"lease": lease, "what": problem_text(problem, protocol)}
        for lease, problems in by_lease.items()
        for problem in problems
    ]
