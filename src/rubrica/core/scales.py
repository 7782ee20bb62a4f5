"""Scales: which answers a question takes. Each is named once in a protocol and used by many questions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import attrs

from rubrica.core.answers import different
from rubrica.core.sentences import count_sentences
from rubrica.core.texts import AnyText
from rubrica.core.typed import storable

MAX_TEXT = 20_000
"""Longest free answer in characters; an Excel cell holds 32,767."""


@attrs.frozen
class Point:
    """A point of an ordinal scale; one without a label is its number."""

    value: int
    label: AnyText | None = None
    meaning: AnyText | None = None


@attrs.frozen
class Option:
    """One of the things that can be chosen."""

    id: str
    label: AnyText
    meaning: AnyText | None = None


@attrs.frozen
class Ordinal:
    """Labelled whole numbers in order."""

    points: tuple[Point, ...]

    def values(self) -> list[Any]:
        """Every valid answer, in order."""
        return [point.value for point in self.points]

    def expects(self) -> str:
        """What a valid answer is, in words."""
        return "one of " + ", ".join(str(point.value) for point in self.points)

    def test(self) -> Callable[[Any], bool]:
        """A quick test of an answer; ``True`` is not 1."""
        allowed = frozenset(self.values())
        return lambda value: type(value) is int and value in allowed


@attrs.frozen
class Slider:
    """A number between two ends that have labels. Whole if ``step`` is whole."""

    minimum: float
    maximum: float
    step: float
    low: AnyText | None = None
    high: AnyText | None = None

    @property
    def whole(self) -> bool:
        """Whether answers are whole numbers."""
        return float(self.step).is_integer() and float(self.minimum).is_integer()

    def values(self) -> list[Any]:
        """Every valid answer, in order; empty when there are more than a list should show (101)."""
        return [self.at(index) for index in range(self.steps + 1)] if self.steps <= 100 else []

    @property
    def steps(self) -> int:
        """How many steps lead from one end to the other."""
        return round((self.maximum - self.minimum) / self.step)

    def at(self, index: int) -> int | float:
        """The answer that many steps from the low end."""
        value = self.minimum + index * self.step
        return int(value) if self.whole else round(value, 9)

    def expects(self) -> str:
        """What a valid answer is, in words."""
        kind = "a whole number" if self.whole else "a number"
        steps = "" if self.step == 1 else f" in steps of {self.step:g}"
        return f"{kind} from {self.minimum:g} to {self.maximum:g}{steps}"

    def test(self) -> Callable[[Any], bool]:
        """A quick test of an answer."""
        low, high, step = self.minimum, self.maximum, self.step
        if self.whole:
            allowed = range(int(low), int(high) + 1, int(step))
            return lambda value: type(value) is int and value in allowed

        def on_a_step(value: Any) -> bool:
            if type(value) not in {int, float} or not low - step < value < high + step:
                return False
            offset: float = (value - low) / step
            return abs(offset - round(offset)) < 1e-6 and 0 <= round(offset) <= self.steps

        return on_a_step


@attrs.frozen
class YesNo:
    """Yes or no, stored as the words ``yes`` and ``no``."""

    yes: AnyText
    no: AnyText

    @property
    def options(self) -> tuple[Option, ...]:
        """The same as a choice between two."""
        return (Option("yes", self.yes), Option("no", self.no))

    def values(self) -> list[Any]:
        """Every valid answer, in order."""
        return ["yes", "no"]

    def expects(self) -> str:
        """What a valid answer is, in words."""
        return "yes or no"

    def test(self) -> Callable[[Any], bool]:
        """A quick test of an answer."""
        return lambda value: type(value) is str and value in {"yes", "no"}


@attrs.frozen
class Choice:
    """Exactly one of several options."""

    options: tuple[Option, ...]

    def values(self) -> list[Any]:
        """Every valid answer, in order."""
        return [option.id for option in self.options]

    def expects(self) -> str:
        """What a valid answer is, in words."""
        return "one of " + ", ".join(option.id for option in self.options)

    def test(self) -> Callable[[Any], bool]:
        """A quick test of an answer."""
        allowed = frozenset(self.values())
        return lambda value: type(value) is str and value in allowed


@attrs.frozen
class Choices:
    """Several of the options at once, stored in the order of the options."""

    options: tuple[Option, ...]
    minimum: int
    maximum: int

    def values(self) -> list[Any]:
        """The options; a valid answer is a tuple of some of them."""
        return [option.id for option in self.options]

    def expects(self) -> str:
        """What a valid answer is, in words."""
        listed = ", ".join(option.id for option in self.options)
        return f"{_between(self.minimum, self.maximum)} different ones of {listed}"

    def test(self) -> Callable[[Any], bool]:
        """A quick test of an answer."""
        allowed, low, high = frozenset(self.values()), self.minimum, self.maximum
        return lambda value: (
            type(value) is tuple
            and low <= len(value) <= high
            and all(type(part) is str and part in allowed for part in value)
            and len(set(value)) == len(value)
        )


@attrs.frozen
class FreeText:
    """Any text, for instance a comment."""

    def values(self) -> list[Any]:
        """Texts cannot be listed."""
        return []

    def expects(self) -> str:
        """What a valid answer is, in words."""
        return f"a text of at most {MAX_TEXT:,} characters"

    def test(self) -> Callable[[Any], bool]:
        """A quick test of an answer."""
        return is_text


@attrs.frozen
class RewrittenText:
    """A text that rewrites another: the field it starts from, and the fewest sentences it may have.

    ``filled``: its box holds that text from the start. It may not read the same as the fields ``differs_from``; where
    it reads the same as one of ``asks_if_same``, whoever wrote it is asked whether that is meant.
    """

    starts_from: str
    minimum_sentences: int = 1
    filled: bool = False
    differs_from: tuple[str, ...] = ()
    asks_if_same: tuple[str, ...] = ()

    def values(self) -> list[Any]:
        """Texts cannot be listed."""
        return []

    def expects(self) -> str:
        """What a valid answer is, in words."""
        if self.minimum_sentences > 1:
            return f"a text of at least {self.minimum_sentences} sentences"
        return f"a text of at most {MAX_TEXT:,} characters"

    def test(self) -> Callable[[Any], bool]:
        """A quick test of an answer."""
        fewest = self.minimum_sentences
        if fewest < 2:
            return is_text
        return lambda value: is_text(value) and count_sentences(value, fewest) >= fewest


@attrs.frozen
class ShortAnswers:
    """One to n short answers in no order. ``none`` says what an empty answer means, if it is one.

    Nobody gives it by doing nothing: on a page it is chosen by its ``label``, and in the API it is an empty list.
    """

    minimum: int
    maximum: int
    none: AnyText | None = None
    label: AnyText | None = None

    def values(self) -> list[Any]:
        """Texts cannot be listed."""
        return []

    def expects(self) -> str:
        """What a valid answer is, in words."""
        blank = ", or blank" if self.none else ""
        return f"{_between(self.minimum, self.maximum)} different short answers{blank}"

    def test(self) -> Callable[[Any], bool]:
        """A quick test of an answer."""
        low, high, blank = self.minimum, self.maximum, self.none is not None
        return lambda value: (
            type(value) is tuple
            and (low <= len(value) <= high or (blank and not value))
            and all(is_text(part) and len(part) <= 200 for part in value)
            and len(different(value)) == len(value)
        )


Scale = Ordinal | Slider | YesNo | Choice | Choices | FreeText | RewrittenText | ShortAnswers


def is_text(value: Any) -> bool:
    """Whether it is a text that an answer may be: not blank, not too long, storable everywhere."""
    return type(value) is str and 0 < len(value) <= MAX_TEXT and not value.isspace() and storable(value)


def _between(low: int, high: int) -> str:
    return f"exactly {low}" if low == high else f"{low} to {high}"
