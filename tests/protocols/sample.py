"""A protocol file with one of everything, and ways to spoil it."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import NamedTuple

import pytest

from rubrica.core.errors import InputError, Problem
from rubrica.protocols.loader import Loaded, load

SAMPLE = (Path(__file__).parent / "sample.yaml").read_text(encoding="utf-8")


class Mistake(NamedTuple):
    """One change to the sample that spoils it: ``old`` becomes ``new``, and a problem is found.

    Its line is the one on which ``at`` stands (``new``, if nothing is said), its rule is ``rule``.
    """

    old: str
    new: str
    rule: str
    at: str = ""

    def __str__(self) -> str:
        return f"{self.rule}: {self.new[:50]!r}"


def mistakes(*made: Mistake) -> pytest.MarkDecorator:
    """Run a test for each of these mistakes."""
    return pytest.mark.parametrize("mistake", made, ids=str)


def spoil(text: str, *made: Mistake) -> str:
    """The text with these mistakes in it."""
    for mistake in made:
        assert text.count(mistake.old) == 1, f"{mistake.old!r} stands {text.count(mistake.old)} times in the sample"
        text = text.replace(mistake.old, mistake.new)
    return text


def line_of(text: str, words: str) -> int:
    """The line on which the words start; they must stand once."""
    assert text.count(words) == 1, f"{words!r} stands {text.count(words)} times"
    return text[: text.index(words)].count("\n") + 1


def load_text(text: str) -> Loaded:
    """What the loader makes of a file with this text."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "sample.yaml"
        file.write_text(text, encoding="utf-8", newline="")
        return load(file)


def problems_of(text: str) -> list[Problem]:
    """What the loader finds wrong with this text; nothing if it loads."""
    try:
        load_text(text)
    except InputError as error:
        return list(error.problems)
    return []


def check_one(mistake: Mistake) -> Problem:
    """Make the mistake in the sample: exactly one problem, at the right line, by the right rule, with a fix."""
    text = spoil(SAMPLE, mistake)
    found = problems_of(text)
    expected = [(line_of(text, mistake.at or mistake.new.strip("\n")), mistake.rule)]
    assert [(problem.line, problem.rule) for problem in found] == expected, "\n".join(map(str, found))
    assert found[0].what
    assert found[0].fix.endswith((".", "?"))
    return found[0]
