"""Numbers and lists as prose writes them, so that every section writes them alike."""

from __future__ import annotations

from collections.abc import Iterable

from rubrica.stats.statistic import Statistic

SMALL = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


def counted(number: int, noun: str, plural: str = "") -> str:
    """A number with its noun, small numbers as words: ``three items``, ``1,204 items``."""
    name = noun if number == 1 else plural or f"{noun}s"
    return f"{spelled(number)} {name}"


def spelled(number: int) -> str:
    """A number as it may begin a sentence: small numbers as words."""
    return SMALL[number] if 0 <= number < len(SMALL) else f"{number:,}"


def of(number: int, total: int, noun: str, plural: str = "") -> str:
    """A part of a number of things, in digits: ``7 of 11 items``."""
    return f"{number:,} of {total:,} {noun if total == 1 else plural or f'{noun}s'}"


def sentence(text: str) -> str:
    """The text with a capital letter at its beginning."""
    return text[:1].upper() + text[1:]


def listed(parts: Iterable[str], last: str = "and") -> str:
    """Parts as a list in a sentence: ``a, b and c``."""
    every = list(parts)
    return f"{', '.join(every[:-1])} {last} {every[-1]}" if len(every) > 1 else "".join(every)


def percent(share: float, digits: int = 0) -> str:
    """A share as a percentage; number and sign stay on one line."""
    return f"{100 * share:.{digits}f}\u00a0%"


def decimal(value: float | Statistic | None, digits: int = 2) -> str:
    """A number rounded; ``undefined`` where there is none. A minus is a minus sign; a zero has none."""
    number = value.value if isinstance(value, Statistic) else value
    if number is None:
        return "undefined"
    text = f"{number:.{digits}f}"
    return text.replace("-", "−") if float(text) else text.removeprefix("-")


def short_time(seconds: float, in_minutes: bool) -> str:
    """A time on task in seconds or minutes: times in one sentence have one unit."""
    return f"{seconds / 60:.1f}\u00a0min" if in_minutes else f"{seconds:.0f}\u00a0s"


def quoted(text: str) -> str:
    """A text in quotation marks."""
    return f"“{text}”"
