"""What a learner is told after an answer: ours laid over theirs, edit by edit and question by question, and why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from rubrica.core.course import ASK, COMPOSE, FACTS, MARKING, TYPE, Step
from rubrica.core.course_grading import OnEdit, Result
from rubrica.core.edit_scoring import EXACT, EXTRA, MISSING, OPERATION, OVERLAP, Pairing
from rubrica.core.edits import Edit
from rubrica.core.grading import MISSING as UNANSWERED
from rubrica.core.grading import WRONG
from rubrica.core.protocol import Protocol
from rubrica.core.study import Judgement
from rubrica.core.texts import shown
from rubrica.studio.annotate.course_edits import ShownEdit, ShownSide, listed, sides, words_of_edit
from rubrica.studio.annotate.practice import Compared
from rubrica.studio.wording import answer_in_words, on_scale

VERDICTS: dict[str, str | Promise] = {
    EXACT: gettext_lazy("You marked the same words"),
    OVERLAP: gettext_lazy("You marked a part of it, or too much"),
    OPERATION: gettext_lazy("You marked these words as something else"),
    MISSING: gettext_lazy("You did not mark this"),
    EXTRA: gettext_lazy("Only you marked this"),
}
LIKE = {EXACT: "right", OVERLAP: "near", OPERATION: "wrong", MISSING: "wrong", EXTRA: "wrong"}
"""How a verdict is drawn."""


@dataclass(frozen=True)
class Line:
    """A gold edit, or one that only the learner has, with what became of it."""

    edit: ShownEdit | None
    verdict: str
    told: str
    yours: str
    compared: tuple[Compared, ...] = ()


@dataclass(frozen=True)
class Feedback:
    """Everything about one answer. ``percent`` is the agreement where it is measured."""

    right: bool
    why: str
    sides: tuple[ShownSide, ...] = ()
    lines: tuple[Line, ...] = ()
    compared: tuple[Compared, ...] = ()
    percent: int | None = None
    selection: int | None = None

    @property
    def close(self) -> bool:
        """Whether it is enough without being the same."""
        return self.right and self.percent is not None and self.percent < 100


def feedback(protocol: Protocol, language: str, step: Step, given: Judgement, result: Result) -> Feedback:
    """What to show after this answer."""
    why = shown(step.why, language)
    if step.kind in MARKING:
        ours = sides(protocol, language, step, step.edits, given.edits)
        lines = _lines(protocol, language, step, given, result)
        asked = bool(result.answers)
        return Feedback(
            result.right,
            why,
            tuple(ours),
            tuple(lines),
            percent=round(result.share * 100),
            selection=round(result.selection * 100) if asked else None,
        )
    edits = step.edits if step.kind == COMPOSE else (step.edit, *step.parts(step.edit.id)) if step.edits else ()
    drawn = sides(protocol, language, step, edits)
    compared = [_compared(protocol, language, step, one) for one in result.answers]
    return Feedback(result.right, why, tuple(drawn), compared=tuple(compared))


def _lines(protocol: Protocol, language: str, step: Step, given: Judgement, result: Result) -> list[Line]:
    ours = {edit.id: edit for edit in listed(protocol, language, step, step.edits)}
    answers: dict[str, list[OnEdit]] = {}
    for one in result.answers:
        answers.setdefault(one.edit, []).append(one)
    pairings = {pairing.gold.id: pairing for pairing in result.compared.pairings if pairing.gold}
    ordered = [pairings[name] for name in ours if name in pairings]
    ordered += [pairing for pairing in result.compared.pairings if pairing.gold is None]
    return [_line(protocol, language, step, given.edits, ours, pairing, answers) for pairing in ordered]


def _line(
    protocol: Protocol,
    language: str,
    step: Step,
    given: Sequence[Edit],
    ours: dict[str, ShownEdit],
    pairing: Pairing,
    answers: dict[str, list[OnEdit]],
) -> Line:
    theirs = ""
    if pairing.given is not None and pairing.verdict != EXACT:
        assert protocol.edits is not None
        label = shown(protocol.edits.by_id[pairing.given.operation].label, language)
        theirs = f"{label}: {words_of_edit(step, pairing.given, given)}"
    compared = (
        [_compared(protocol, language, step, one) for one in answers.get(pairing.gold.id, [])] if pairing.gold else []
    )
    return Line(
        ours[pairing.gold.id] if pairing.gold else None,
        LIKE[pairing.verdict],
        str(VERDICTS[pairing.verdict]),
        theirs,
        tuple(compared),
    )


def _compared(protocol: Protocol, language: str, step: Step, one: OnEdit) -> Compared:
    graded = one.graded
    verdict = WRONG if graded.verdict == UNANSWERED else graded.verdict
    if step.kind in (FACTS, COMPOSE):
        names = _names(protocol, language, step)
        given, expected = (
            "; ".join(names.get(part, part) for part in value) if isinstance(value, tuple) and value else _("none")
            for value in (graded.given, graded.expected)
        )
        asked = shown(step.prompt, language) or (_("Facts that are lost") if step.kind == FACTS else _("Parts"))
        return Compared(asked, given, expected, verdict)
    if step.kind == TYPE:
        assert protocol.edits is not None
        labels = {kind.id: shown(kind.label, language) for kind in protocol.edits.types}
        given, expected = (labels.get(str(value), "") for value in (graded.given, graded.expected))
        return Compared(_("Type of the edit"), given, expected, verdict)
    if step.kind == ASK:
        assert step.scale is not None
        given, expected = (
            "" if value is None else on_scale(step.scale, value, language) for value in (graded.given, graded.expected)
        )
        return Compared(shown(step.prompt, language), given, expected, verdict)
    question = protocol.questions_by_id[graded.question]
    given, expected = (
        answer_in_words(protocol, language, question.id, value) for value in (graded.given, graded.expected)
    )
    return Compared(shown(question.prompt, language), given, expected, verdict)


def _names(protocol: Protocol, language: str, step: Step) -> dict[str, str]:
    """What the things to choose are called."""
    if step.kind == FACTS:
        return {fact.id: shown(fact.text, language) for fact in step.facts}
    edits = listed(protocol, language, step, step.edits)
    return {edit.id: f"{edit.operation} “{edit.words}”" for edit in edits}
