"""What is wrong with an answer on a sheet, in the words that its annotator saw: headers and labels, never ids."""

from __future__ import annotations

from typing import Any

from rubrica.core.errors import Problem
from rubrica.core.protocol import Protocol
from rubrica.core.scales import FreeText, RewrittenText, Scale, ShortAnswers
from rubrica.core.text_helpers import shortened
from rubrica.core.texts import shown
from rubrica.core.validation import SAME_TEXT, UNCHANGED
from rubrica.exchange.sheets.layout import Column, labels
from rubrica.language.catalogues import on_sheet, sheet_text

_WORDS = {
    "scale": sheet_text("{header} is {value}, which is not {expected}"),
    "required": sheet_text("{header} is not answered"),
    "not_shown": sheet_text("{header} is answered with {value} but is not asked in this row"),
    "rule": sheet_text("{header} is {value}, but in this row it is settled already"),
    UNCHANGED: sheet_text("{header} is the same as {field}: nothing was changed"),
    SAME_TEXT: sheet_text("{header} is word for word {field}"),
    "fix:scale": sheet_text("Use {expected}."),
    "fix:required": sheet_text("Answer it with {expected}."),
    "fix:not_shown": sheet_text("Remove the answer, or change the one that it depends on."),
    "fix:rule": sheet_text("Leave the grey cell as it was handed out."),
    "fix:unchanged": sheet_text("Change the text, or answer differently."),
    "fix:same_text": sheet_text("Leave it if that is what is meant; else change it."),
    "one of": sheet_text("one of {listed}"),
    "text": sheet_text("a text"),
    "sentences": sheet_text("a text of at least {count} sentences"),
    "answers": sheet_text("{low} to {high} different short answers"),
    "or": sheet_text("Write {expected}, or say in the column “{column}” why not: {listed}."),
}


class Words:
    """Messages about answers, in the language of a sheet; English where it is another than ours."""

    def __init__(self, protocol: Protocol, language: str, ways_out: Column, reasons: list[str]) -> None:
        self._protocol, self._language = protocol, language
        self._ways_out, self._reasons = ways_out.header, ", ".join(reasons)

    def told(self, problem: Problem, column: Column | None) -> Problem:
        """The problem as somebody who has the sheet before them understands it."""
        rule = "rule" if problem.rule.startswith("rule:") else problem.rule
        if column is None or column.scale is None or rule not in _WORDS:
            return problem
        scale, named = column.scale, self._fields()
        value = named.get(problem.value, "") if rule == SAME_TEXT else self._value(problem.value, scale)
        filled = {
            "header": _header(column),
            "value": value,
            "expected": self._expected(scale),
            "field": named.get(problem.value, "") if rule == SAME_TEXT else self._other(scale),
        }
        fix = self._say(f"fix:{rule}", **filled)
        if rule in ("scale", UNCHANGED) and isinstance(scale, RewrittenText) and scale.minimum_sentences > 1:
            fix = self._say("or", **filled, column=self._ways_out, listed=self._reasons)
        return problem.at(what=self._say(rule, **filled), fix=fix)

    def _say(self, name: str, /, **values: Any) -> str:
        return on_sheet(_WORDS[name], self._language).format(**values)

    def _fields(self) -> dict[Any, str]:
        return {field.id: shown(field.label, self._language) for field in self._protocol.fields}

    def _other(self, scale: Scale) -> str:
        """The label of the text from which an unchanged one does not differ."""
        return self._fields().get(next(iter(getattr(scale, "differs_from", ())), ""), "")

    def _value(self, value: Any, scale: Scale) -> str:
        known = labels(scale, self._language)
        if isinstance(value, tuple):
            options = {option.id: shown(option.label, self._language) for option in getattr(scale, "options", ())}
            return ", ".join(str(options.get(part, part)) for part in value)
        told = known.get(value, value) if isinstance(value, str | int | float) else value
        return shortened(repr(told) if isinstance(told, str) else str(told), 60)

    def _expected(self, scale: Scale) -> str:
        if isinstance(scale, ShortAnswers):
            return self._say("answers", low=scale.minimum, high=scale.maximum)
        if isinstance(scale, RewrittenText) and scale.minimum_sentences > 1:
            return self._say("sentences", count=scale.minimum_sentences)
        if isinstance(scale, FreeText | RewrittenText):
            return self._say("text")
        listed = [str(label) for label in labels(scale, self._language).values()]
        listed = listed or [shown(option.label, self._language) for option in getattr(scale, "options", ())]
        return self._say("one of", listed=", ".join(listed)) if listed else scale.expects()


def _header(column: Column) -> str:
    """The header of the question: of several columns for one question, without the part."""
    return column.whole or column.header
