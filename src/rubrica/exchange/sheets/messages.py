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

_WORDS = {
    "en": {
        "scale": "{header} is {value}, which is not {expected}",
        "required": "{header} is not answered",
        "not_shown": "{header} is answered with {value} but is not asked in this row",
        "rule": "{header} is {value}, but in this row it is settled already",
        UNCHANGED: "{header} is the same as {field}: nothing was changed",
        SAME_TEXT: "{header} is word for word {field}",
        "fix:scale": "Use {expected}.",
        "fix:required": "Answer it with {expected}.",
        "fix:not_shown": "Remove the answer, or change the one that it depends on.",
        "fix:rule": "Leave the grey cell as it was handed out.",
        "fix:unchanged": "Change the text, or answer differently.",
        "fix:same_text": "Leave it if that is what is meant; else change it.",
        "one of": "one of {listed}",
        "text": "a text",
        "sentences": "a text of at least {count} sentences",
        "answers": "{low} to {high} different short answers",
        "or": "Write {expected}, or say in the column “{column}” why not: {listed}.",
    },
    "es": {
        "scale": "{header} es {value}, que no es {expected}",
        "required": "{header} está sin responder",
        "not_shown": "{header} tiene la respuesta {value}, pero no se pregunta en esta fila",
        "rule": "{header} es {value}, pero en esta fila ya está decidido",
        UNCHANGED: "{header} es igual que {field}: no se cambió nada",
        SAME_TEXT: "{header} es palabra por palabra {field}",
        "fix:scale": "Usa {expected}.",
        "fix:required": "Responde con {expected}.",
        "fix:not_shown": "Quita la respuesta o cambia aquella de la que depende.",
        "fix:rule": "Deja la celda gris como estaba.",
        "fix:unchanged": "Cambia el texto o da otra respuesta.",
        "fix:same_text": "Déjalo si es lo que se quiso decir; si no, cámbialo.",
        "one of": "una de {listed}",
        "text": "un texto",
        "sentences": "un texto de al menos {count} oraciones",
        "answers": "de {low} a {high} respuestas cortas distintas",
        "or": "Escribe {expected}, o di en la columna «{column}» por qué no: {listed}.",
    },
}


class Words:
    """Messages about answers, in the language of a sheet; English where it is another than ours."""

    def __init__(self, protocol: Protocol, language: str, ways_out: Column, reasons: list[str]) -> None:
        self._protocol, self._language = protocol, language
        self._words = _WORDS.get(language.split("-", maxsplit=1)[0], _WORDS["en"])
        self._ways_out, self._reasons = ways_out.header, ", ".join(reasons)

    def told(self, problem: Problem, column: Column | None) -> Problem:
        """The problem as somebody who has the sheet before them understands it."""
        rule = "rule" if problem.rule.startswith("rule:") else problem.rule
        if column is None or column.scale is None or rule not in self._words:
            return problem
        scale, named = column.scale, self._fields()
        value = named.get(problem.value, "") if rule == SAME_TEXT else self._value(problem.value, scale)
        filled = {
            "header": _header(column),
            "value": value,
            "expected": self._expected(scale),
            "field": named.get(problem.value, "") if rule == SAME_TEXT else self._other(scale),
        }
        fix = self._words[f"fix:{rule}"].format(**filled)
        if rule in ("scale", UNCHANGED) and isinstance(scale, RewrittenText) and scale.minimum_sentences > 1:
            fix = self._words["or"].format(**filled, column=self._ways_out, listed=self._reasons)
        return problem.at(what=self._words[rule].format(**filled), fix=fix)

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
            return self._words["answers"].format(low=scale.minimum, high=scale.maximum)
        if isinstance(scale, RewrittenText) and scale.minimum_sentences > 1:
            return self._words["sentences"].format(count=scale.minimum_sentences)
        if isinstance(scale, FreeText | RewrittenText):
            return self._words["text"]
        listed = [str(label) for label in labels(scale, self._language).values()]
        listed = listed or [shown(option.label, self._language) for option in getattr(scale, "options", ())]
        return self._words["one of"].format(listed=", ".join(listed)) if listed else scale.expects()


def _header(column: Column) -> str:
    """The header of the question: of several columns for one question, without the part."""
    return column.whole or column.header
