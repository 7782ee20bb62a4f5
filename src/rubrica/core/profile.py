"""The profile: what a person tells about themselves, and which answers are taken.

The usual questions are the metadata that the guideline of the lexical shared task requires. Each can be left unsaid;
unsaid is stored as null, so that it differs from a question that was never asked.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from rubrica.core.errors import InputError, Problem
from rubrica.core.iso_codes import COUNTRIES
from rubrica.core.numbers import Fault, number
from rubrica.core.typed_text import unfit

LONGEST = 500
"""Characters of a text."""

UNSAID = "-"
"""What a page sends for a question that one would rather not answer."""

Value = str | int | float | None


class Asked(NamedTuple):
    """One question about the person. ``own``: of this study, with a label that the researcher wrote."""

    id: str
    kind: str
    low: float = -1e12
    high: float = 1e12
    whole: bool = False
    options: tuple[str, ...] = ()
    required: bool = True
    own: bool = False
    label: str = ""


USUAL = {
    asked.id: asked
    for asked in (
        Asked("education_years", "number", 0, 40, whole=False),
        Asked("native_speaker", "yes_no"),
        Asked("age", "number", 10, 120, whole=True),
        Asked("reading_hours", "number", 0, 168),
        Asked("first_language", "text"),
        Asked("languages", "number", 1, 100, whole=True),
        Asked("country", "country", options=COUNTRIES),
    )
}
"""The usual questions and their ranges."""


class Wanted(NamedTuple):
    """Whom a study looks for, by what they tell of themselves; what is not set does not matter."""

    native_speaker: bool = False
    ages: tuple[float | None, float | None] = (None, None)
    education: tuple[float | None, float | None] = (None, None)
    countries: tuple[str, ...] = ()

    @property
    def asked(self) -> tuple[str, ...]:
        """The questions that tell whether somebody fits."""
        needed = {
            "education_years": any(end is not None for end in self.education),
            "native_speaker": self.native_speaker,
            "age": any(end is not None for end in self.ages),
            "country": bool(self.countries),
        }
        return tuple(name for name, is_needed in needed.items() if is_needed)

    def misfits(self, answers: Mapping[str, Value]) -> list[str]:
        """The questions whose answer does not fit, or was not given: then it cannot be told."""
        fits = {
            "native_speaker": answers.get("native_speaker") == "yes",
            "age": _within(answers.get("age"), self.ages),
            "education_years": _within(answers.get("education_years"), self.education),
            "country": answers.get("country") in self.countries,
        }
        return [name for name in self.asked if not fits[name]]


def _within(value: Value, ends: tuple[float | None, float | None]) -> bool:
    low, high = ends
    if not isinstance(value, int | float):
        return False
    return (low is None or value >= low) and (high is None or value <= high)


def checked(asked: list[Asked], given: Mapping[str, str]) -> dict[str, Value]:
    """Answers as they are stored. Raises InputError with a problem for each question that needs another answer."""
    answers: dict[str, Value] = {}
    problems: list[Problem] = []
    for question in asked:
        text = given.get(question.id, "").strip()
        if text == UNSAID:
            answers[question.id] = None
        elif text:
            value = _value(question, text)
            if isinstance(value, Problem):
                problems.append(value)
            else:
                answers[question.id] = value
        elif question.required:
            problems.append(
                Problem(
                    what=f"{question.id} is not answered",
                    rule="required",
                    fix="Answer it, or say that you would rather not.",
                    question=question.id,
                )
            )
    if problems:
        raise InputError(*problems)
    return answers


def _value(question: Asked, text: str) -> Value | Problem:
    if question.kind == "number":
        return _number(question, text)
    allowed = ("yes", "no") if question.kind == "yes_no" else question.options
    if allowed and text not in allowed:
        return Problem(
            what=f"{question.id} is not one of the answers",
            rule="choice",
            fix="Choose one of the answers.",
            question=question.id,
            value=text[:100],
        )
    problem = unfit(text, question.id, LONGEST)
    return problem.at(question=question.id) if problem else text


def _number(question: Asked, text: str) -> int | float | Problem:
    """A number in the question's range."""
    said = number(text)
    kind = "a whole number" if question.whole else "a number"
    if isinstance(said, Fault) or (question.whole and not isinstance(said, int)):
        fix = f"Write {kind} in digits."
        return Problem(what=f"{question.id} is not {kind}", rule="number", fix=fix, question=question.id, value=text)
    if not question.low <= said <= question.high:
        fix = f"Use {kind} from {question.low:g} to {question.high:g}."
        what = f"{question.id} is {said:g}"
        return Problem(what=what, rule="range", fix=fix, question=question.id, value=text)
    return said
