"""Answers, patterns, times and shares as people read them. Texts of the protocol come from it; the rest is ours.

A stage is called by its title in the reader's language, not by the key that files and commands use.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from rubrica.core.answers import NOT_APPLICABLE, Answer
from rubrica.core.conditions import Case, on_case
from rubrica.core.edit_marks import reading_order
from rubrica.core.edits import Edit, Span
from rubrica.core.protocol import UNCOMFORTABLE, Protocol, Question, Rule
from rubrica.core.scales import Choice, Choices, FreeText, Option, Ordinal, RewrittenText, Scale, ShortAnswers, YesNo
from rubrica.core.study import ANSWERED, Item, Judgement
from rubrica.core.texts import shown
from rubrica.edits.typology import Typology
from rubrica.studio.formats import number
from rubrica.studio.marked_texts import Tag, tags

if TYPE_CHECKING:
    from rubrica.report.checks_findings import Finding
from django.utils.translation import get_language

from rubrica.store import models
from rubrica.store.translate import protocol_of, rules_of


class Said(NamedTuple):
    """One answer in words. ``kind``: choice, text (the annotator's own words), not_applicable or way_out."""

    question: str
    title: str
    prompt: str
    answer: str
    kind: str = "choice"


class EditSaid(NamedTuple):
    """One edit in words: the operation, the words it touches on each side, what was found (its type), its answers.

    ``tag`` is how the marked text names it; ``part``: it belongs to the composite edit before it.
    """

    id: str
    tag: Tag
    part: bool
    operation: str
    source: str
    rewrite: str
    found: str
    answers: list[Said]


def answers_in_words(protocol: Protocol, language: str, judgement: Judgement, item: Item | None = None) -> list[Said]:
    """What a judgement says, in the order of the questions, with the protocol's own labels.

    Of a known item the prompts are as they were asked: a rule may have given them other words.
    """
    case = Case({}, item.fields) if item else None
    rules = [rule for rule in protocol.rules if case and on_case(rule.condition)(case)]
    asked = reworded(rules, language)
    said = []
    if judgement.outcome != ANSWERED:
        way = outcome_in_words(protocol, language, judgement.outcome)
        said.append(Said("", _("Left without answering"), "", way, "way_out"))
    for question in protocol.questions:
        if question.id in judgement.answers:
            one = _said(protocol, language, question, judgement.answers[question.id])
            said.append(one._replace(prompt=asked.get(question.id, one.prompt)))
    return said


def reworded(rules: Iterable[Rule], language: str) -> dict[str, str]:
    """The prompts that these rules give to questions, by question."""
    return {name: shown(text, language) for rule in rules for name, text in rule.reword.items()}


def edits_in_words(protocol: Protocol, language: str, item: Item, judgement: Judgement) -> list[EditSaid]:
    """The edits of a judgement in reading order, with the words they touch."""
    if protocol.edits is None:
        return []
    tag = tags(protocol.edits, judgement.edits)
    return [_edit(protocol, language, item, edit, tag[edit.id]) for edit in reading_order(judgement.edits)]


def _edit(protocol: Protocol, language: str, item: Item, edit: Edit, tag: Tag) -> EditSaid:
    operation = protocol.edits.by_id.get(edit.operation) if protocol.edits else None
    sides = {field.role: item.fields.get(field.id, "") for field in protocol.fields}
    known = protocol.questions_by_id
    return EditSaid(
        edit.id,
        tag,
        bool(edit.parent),
        shown(operation.label, language) if operation else edit.operation,
        _words(sides.get("source", ""), edit.source),
        _words(sides.get("rewrite", ""), edit.rewrite),
        found_in_words(protocol, language, edit),
        [_said(protocol, language, known[name], value) for name, value in edit.answers.items() if name in known],
    )


def found_in_words(protocol: Protocol, language: str, edit: Edit) -> str:
    """The type that an edit turned out to be with its degree, as ``said`` of edits/editor.js: *Bad Deletion, minor*."""
    own, added = Typology(protocol).reached(edit)
    if own is None:
        return ""
    scales = {name: protocol.scale_of(protocol.questions_by_id[name]) for name in edit.answers}
    points = [
        shown(point.label, language).lower()
        for name, scale in scales.items()
        if isinstance(scale, Ordinal)
        for point in scale.points
        if point.value == edit.answers[name]
    ]
    kind = ", ".join([shown(own.label, language), *points])
    return " · ".join([kind, *(shown(one.label, language) for one in added)])


def _words(text: str, spans: tuple[Span, ...]) -> str:
    return " … ".join(text[span.start : span.end] for span in spans)


def _said(protocol: Protocol, language: str, question: Question, answer: Answer) -> Said:
    scale = protocol.scale_of(question)
    kind = "text" if isinstance(scale, FreeText | RewrittenText | ShortAnswers) else "choice"
    if answer is NOT_APPLICABLE:
        kind = "not_applicable"
    words = answer_in_words(protocol, language, question.id, answer)
    return Said(question.id, title_of(question), shown(question.prompt, language), words, kind)


def title_of(question: Question) -> str:
    """A short name of the question: its header, else its id read as words."""
    return question.header or question.id.replace("_", " ").capitalize()


def question_title(protocol: Protocol, question: str) -> str:
    """The short name of the question of this id."""
    known = protocol.questions_by_id.get(question)
    return title_of(known) if known else question


def answer_in_words(protocol: Protocol, language: str, question: str, answer: Answer | None) -> str:
    """One answer with the labels of its scale."""
    asked = protocol.questions_by_id.get(question)
    if answer is None:
        return _("no answer")
    if answer is NOT_APPLICABLE:
        return _("not applicable")
    if asked is None:
        return outcome_in_words(protocol, language, str(answer)) if not question else str(answer)
    return on_scale(protocol.scale_of(asked), answer, language)


def on_scale(scale: Scale, answer: Answer, language: str) -> str:
    """An answer as a person reads it, in one line: the number and its label, the chosen labels, the text itself."""
    match scale:
        case Ordinal():
            label = next((shown(point.label, language) for point in scale.points if point.value == answer), "")
            return f"{answer}: {label}" if label and label != str(answer) else str(answer)
        case YesNo() | Choice() | Choices():
            labels = {option.id: option_label(scale, option, language) for option in scale.options}
            chosen = answer if isinstance(answer, tuple) else (str(answer),)
            return ", ".join(labels.get(part, part) for part in chosen) or _("none of them")
        case ShortAnswers() if answer == ():
            return shown(scale.label, language) or _("none")
    return ", ".join(answer) if isinstance(answer, tuple) else str(answer)


def option_label(scale: Scale, option: Option, language: str) -> str:
    """What an option is called; the two of yes or no have names even if the protocol gives them none."""
    words = {"yes": _("Yes"), "no": _("No")} if isinstance(scale, YesNo) else {}
    return shown(option.label, language) or words.get(option.id, option.id)


def outcome_in_words(protocol: Protocol, language: str, outcome: str) -> str:
    """How an item was ended: answered, or by which way out."""
    if outcome == ANSWERED:
        return _("answered")
    if outcome == UNCOMFORTABLE:
        return _("rather not judged, passed on")
    label = next((shown(way.label, language) for way in protocol.ways_out if way.id == outcome), "")
    return label or (_("erased") if outcome == "erased" else outcome)


def pattern_in_words(protocol: Protocol, language: str, finding: Finding) -> str:
    """What was noticed, in one sentence, figures included."""
    known, title = finding.evidence, question_title(protocol, finding.question)
    share, others, n = percent(finding.value.value), percent(finding.peers.value), finding.n
    match finding.check:
        case "one_label":
            told = {"answer": _answers(protocol, language, finding), "share": share, "count": n, "peers": others}
            if not finding.question:
                return _("Nearly always the same judgement: %(answer)s in %(share)s of %(count)s.") % told
            text = _(
                "Nearly always one answer to %(question)s: “%(answer)s” in %(share)s of %(count)s, others in %(peers)s."
            )
            if finding.peers.value is None:
                text = _("Nearly always one answer to %(question)s: “%(answer)s” in %(share)s of %(count)s.")
            return text % {**told, "question": title}
        case "long_run":
            return _("The same judgement %(length)s times in a row, from the %(first)s. on.") % known
        case "fast":
            return _fast(finding)
        case "with_others":
            text = _(
                "Answers that may have been given without a look: the probability is %(chance)s, on %(count)s items."
            )
            return text % {"chance": percent(finding.probability.value), "count": n}
        case "gold":
            told = {"right": known["right"], "count": n}
            return _("%(right)s of %(count)s known answers are right.") % told
        case "consistency":
            told = {"same": known["consistent"], "count": n}
            return _("%(same)s of %(count)s answers to hidden duplicates are as before, or near.") % told
        case "none_simpler":
            return _("No simpler word in %(share)s of %(count)s, others in %(peers)s.") % {
                "share": share,
                "count": n,
                "peers": others,
            }
        case "pasted":
            times = sum(one["times"] for one in known["texts"])
            text = known["texts"][0]["text"]
            told = {"times": times, "count": n, "question": title, "text": text}
            return _("Pasted texts at %(question)s: %(times)s of %(count)s, such as “%(text)s”") % told
        case "unchanged":
            told = {"times": known["times"], "count": n, "question": title}
            return _("Texts handed back as they were at %(question)s: %(times)s of %(count)s.") % told
    return finding.check


def _answers(protocol: Protocol, language: str, finding: Finding) -> str:
    """The answer to a question; to several scales at once, all of them."""
    answer = finding.evidence["answer"]
    if isinstance(answer, list):
        return ", ".join(map(str, answer))
    return answer_in_words(protocol, language, finding.question, answer)


def _fast(finding: Finding) -> str:
    told = {
        "own": duration(finding.value.value),
        "count": finding.n,
        "peers": duration(finding.peers.value),
        "fast": finding.evidence["too_fast"],
        "least": duration(finding.evidence["least_seconds"]),
    }
    if finding.basis == "alone":
        text = _(
            "Faster than can be read: %(fast)s of %(count)s items, %(own)s at the median where %(least)s are the least."
        )
        return text % told
    return _("Much faster than others: %(own)s per item at the median of %(count)s; others %(peers)s.") % told


def pattern_name(kind: str) -> str:
    """A word or two for a table."""
    return {
        "one_label": _("one answer"),
        "long_run": _("long run"),
        "fast": _("very fast"),
        "with_others": _("without a look"),
        "none_simpler": _("none simpler"),
        "pasted": _("same text"),
        "unchanged": _("handed back"),
    }.get(kind, kind)


def percent(share: float | None) -> str:
    """A share as whole percent; a dash where there is none."""
    return "–" if share is None else f"{round(share * 100)} %"


def duration(seconds: float | None) -> str:
    """Active time: 42 s, 3 min, 3 min 5 s, 2 h 10 min; a dash where nothing was measured."""
    if seconds is None:
        return "–"
    if seconds < 60:
        exact = round(seconds, 1)
        return _("%(seconds)s s") % {"seconds": number(exact if exact < 10 and exact % 1 else round(seconds))}
    minutes, rest = divmod(round(seconds), 60)
    if minutes < 60 and not rest:
        return _("%(minutes)s min") % {"minutes": minutes}
    if minutes < 60:
        return _("%(minutes)s min %(seconds)s s") % {"minutes": minutes, "seconds": rest}
    return _("%(hours)s h %(minutes)s min") % {"hours": minutes // 60, "minutes": minutes % 60}


def span_of_time(hours: float) -> str:
    """A length of time in one unit, for paces and ends."""
    if hours < 2:
        minutes = max(1, round(hours * 60))
        return ngettext("%(n)s minute", "%(n)s minutes", minutes) % {"n": minutes}
    if hours < 48:
        return ngettext("%(n)s hour", "%(n)s hours", round(hours)) % {"n": round(hours)}
    return ngettext("%(n)s day", "%(n)s days", round(hours / 24)) % {"n": round(hours / 24)}


def stage_title(stage: models.Stage) -> str:
    """The title of a stage; a later version of the same step adds its own key, so that the two differ."""
    label = shown(rules_of(stage, protocol_of(stage)).label, get_language() or "en")
    return f"{label} ({stage.key})" if stage.part and stage.part != stage.key else label
