"""Judging the best systems of a lexical shared task by hand: which systems, which instances, which outputs.

The MLSP guidelines (BEA 2024, *post-hoc human evaluation*) take the five best systems of each language and a common
sample of instances. Ours shows each output in its sentence, mixed, under keys that tell nothing. What several systems
gave for a word is judged once and credited to each of them (``core.study.systems_named``). design/053 says what
becomes of outputs that are empty or have several words.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from rubrica.prepare.comparison import mixed

LEAVE_OUT, UNCHANGED = "leave-out", "unchanged"
"""What becomes of an instance for which a system gave nothing: no output, or the word as it was."""
JUDGE, NEXT = "judge", "next"
"""What becomes of an output of several words: judged like any other, left out, or the next of one word in its place."""
EMPTY = (LEAVE_OUT, UNCHANGED)
SEVERAL_WORDS = (JUDGE, LEAVE_OUT, NEXT)
ALL, FIRST = "all", "first"
TIES = (ALL, FIRST)
"""Of systems that are tied at the last place: all of them, or those whose names come first."""


class Picked(NamedTuple):
    """A system that is judged, with its score and place; systems of the same score have the same place."""

    system: str
    score: float
    place: int


class Best(NamedTuple):
    """The best systems; those tied at the last place if not all of them had room; and of these who is not judged."""

    picked: list[Picked]
    tied: list[str]
    passed_over: list[str]


class Instance(NamedTuple):
    """A word in its context, and by system the substitutes that it gave, the best first, without the word itself."""

    id: str
    target: str
    outputs: Mapping[str, Sequence[str]]


class Fates(NamedTuple):
    """How many outputs of a system are judged, and what became of the rest."""

    judged: int = 0
    shared: int = 0
    several_words: int = 0
    unchanged: int = 0
    left_out: int = 0


class Judged(NamedTuple):
    """An output to be judged: of which instance (its place), which systems gave it, whose are left out there."""

    key: str
    instance: int
    substitute: str
    systems: tuple[str, ...]
    left_out: tuple[str, ...]


class Draw(NamedTuple):
    """What is judged, in the order in which it is shown; the places of the instances; what became of outputs."""

    items: list[Judged]
    sample: list[int]
    fates: dict[str, Fates]


class Choices(NamedTuple):
    """How many instances, how many first outputs of each, and what becomes of outputs that are no single word."""

    sample: int
    first: int = 1
    seed: int = 0
    empty: str = LEAVE_OUT
    several_words: str = JUDGE


def best(scores: Mapping[str, float], top: int, ties: str = ALL) -> Best:
    """The best systems. Those tied at the last place are all taken, or the first by name (``ties``)."""
    order = sorted(scores, key=lambda name: (-scores[name], name))
    if not order:
        return Best([], [], [])
    last = scores[order[:top][-1]]
    able = [name for name in order if scores[name] >= last]
    kept = able if ties == ALL else able[:top]
    tied = [name for name in able if scores[name] == last] if len(able) > top else []
    places = {name: 1 + sum(other > scores[name] for other in scores.values()) for name in kept}
    return Best([Picked(name, scores[name], places[name]) for name in kept], tied, able[len(kept) :])


def draw(
    instances: Sequence[Instance], systems: Sequence[str], choices: Choices, shown: Callable[[int, str], str]
) -> Draw:
    """A common sample of instances, and of each what these systems gave.

    ``shown`` is the sentence with a substitute in place: outputs that make the same sentence are the same. Instances
    for which no system has an output are not drawn.
    """
    given = [{system: _outputs(one, system, choices) for system in systems} for one in instances]
    able = [place for place, own in enumerate(given) if any(own.values())]
    random.Random(f"{choices.seed}:instances").shuffle(able)
    sample = sorted(able[: choices.sample])
    fates = dict.fromkeys(systems, Fates())
    found: list[Judged] = []
    for place in sample:
        credits: dict[str, dict[str, None]] = {}
        words: dict[str, str] = {}
        for system, outputs in given[place].items():
            for word in outputs:
                sentence = shown(place, word)
                words.setdefault(sentence, word)
                credits.setdefault(sentence, {})[system] = None
        nothing = tuple(system for system, outputs in given[place].items() if not outputs)
        found += [Judged("", place, words[sentence], tuple(own), nothing) for sentence, own in credits.items()]
        for system in systems:
            own = [words[sentence] for sentence, by in credits.items() if system in by]
            shared = sum(len(by) > 1 for by in credits.values() if system in by)
            fates[system] = _counted(fates[system], own, shared, instances[place].target)
    items = [one._replace(key=key) for key, one in mixed(found, choices.seed, "p")]
    return Draw(items, sample, fates)


def _outputs(one: Instance, system: str, choices: Choices) -> list[str]:
    """The outputs of a system that are judged for an instance."""
    given = list(one.outputs.get(system, ()))
    if choices.several_words == NEXT:
        given = [word for word in given if not several_words(word)]
    given = given[: choices.first]
    if not given and choices.empty == UNCHANGED:
        return [one.target]
    return [word for word in given if choices.several_words == JUDGE or not several_words(word)]


def _counted(before: Fates, own: Sequence[str], shared: int, target: str) -> Fates:
    return Fates(
        before.judged + len(own),
        before.shared + shared,
        before.several_words + sum(map(several_words, own)),
        before.unchanged + (target in own),
        before.left_out + (not own),
    )


def several_words(text: str) -> bool:
    """Whether it has a space within; in scripts without spaces that cannot be told, and it is one."""
    return len(text.split()) > 1
