"""Patterns in one annotator's work that deserve a look, each simple enough to explain to the annotator.

A pattern is a reason to read some judgements, never a verdict on a person. These are rules of thumb for a study that
runs, cheap enough for a page that is always open; ``report.checks`` (`rubrica check`) asks of the same runs, texts,
labels and times how unusual they are among the study's annotators, when there is enough to tell. Judgements left
because they were uncomfortable are not looked at: leaving them is promised to be at no loss.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from statistics import median
from typing import NamedTuple

from rubrica.core.answers import NOT_APPLICABLE, Answer, Answers
from rubrica.core.protocol import UNCOMFORTABLE
from rubrica.core.study import ANSWERED

ENOUGH = 10
"""Fewest answers, own and of all peers together, from which a share or a median says something."""

ONE_LABEL, PEERS_LABEL = 0.9, 0.7
LONG_RUN = 8
FAST = 1 / 3
PASTED_LENGTH, PASTED_TIMES = 20, 3
EXCERPT = 80
"""Longest quotation of a pasted text in a pattern, in characters."""

_ID = re.compile(r"[a-z][a-z0-9_]*")
"""Ids of options: chosen again and again, not pasted."""


class Work(NamedTuple):
    """One judgement as this module sees it: answers, active seconds (None if not measured), outcome."""

    answers: Answers
    seconds: float | None = None
    outcome: str = ANSWERED


class Pattern(NamedTuple):
    """What was noticed, at which question (``""`` for whole judgements), and the figures behind it."""

    kind: str
    question: str
    detail: Mapping[str, float | int | str]


def suspicious(own: Sequence[Work], peers: Sequence[Sequence[Work]]) -> list[Pattern]:
    """Every pattern found in one annotator's judgements, given in the order in which they were made.

    ``one_label``: at least 90 % of 10 or more answers to a question are the same, while fewer than 70 % of the peers'
    answers are. ``long_run``: the same judgement 8 times or more in a row (the longest such run). ``fast``: the median
    of 10 or more answered judgements took less than a third of the peers' median. ``pasted``: the same text of 20
    characters or more at the same question of 3 judgements or more. Peers are pooled; with fewer than 10 answers
    of theirs there is nothing to compare with, and no pattern.
    """
    mine = [work for work in own if work.outcome != UNCOMFORTABLE]
    theirs = [work for peer in peers for work in peer if work.outcome != UNCOMFORTABLE]
    return [*_one_label(mine, theirs), *_long_run(mine), *_fast(mine, theirs), *_pasted(mine)]


def _one_label(own: Sequence[Work], peers: Sequence[Work]) -> Iterator[Pattern]:
    counts, peer_counts = _counts(own), _counts(peers)
    for question, answers in counts.items():
        total, others = answers.total(), peer_counts.get(question, Counter())
        answer, times = answers.most_common(1)[0]
        if total < ENOUGH or others.total() < ENOUGH or times / total < ONE_LABEL:
            continue
        share = others[answer] / others.total()
        if share < PEERS_LABEL:
            detail = {"answer": _written(answer), "share": times / total, "peers_share": share, "answers": total}
            yield Pattern("one_label", question, detail)


def _counts(works: Iterable[Work]) -> dict[str, Counter[Answer]]:
    """How often each answer was given, by question; *not applicable* is no answer."""
    counts: dict[str, Counter[Answer]] = defaultdict(Counter)
    for work in works:
        for question, answer in work.answers.items():
            if answer is not NOT_APPLICABLE and work.outcome == ANSWERED:
                counts[question][answer] += 1
    return counts


def _written(answer: Answer) -> float | int | str:
    if isinstance(answer, int | float):
        return answer
    text = ", ".join(answer) if isinstance(answer, tuple) else str(answer)
    return _excerpt(text)


def _excerpt(text: str) -> str:
    return text if len(text) <= EXCERPT else text[: EXCERPT - 1] + "…"


def _long_run(own: Sequence[Work]) -> Iterator[Pattern]:
    found = longest_run([(work.outcome, dict(work.answers)) for work in own])
    if found.length >= LONG_RUN:
        yield Pattern("long_run", "", {"length": found.length, "first": found.first + 1})


class Run(NamedTuple):
    """The same again and again: from which place on (from 0), how often."""

    first: int
    length: int


def longest_run(entries: Iterable[object]) -> Run:
    """The first of the longest runs of equal entries; of length 0 if there are no entries."""
    longest, start = Run(0, 0), 0
    for _, run in groupby(entries):
        length = sum(1 for _ in run)
        if length > longest.length:
            longest = Run(start, length)
        start += length
    return longest


def _fast(own: Sequence[Work], peers: Sequence[Work]) -> Iterator[Pattern]:
    mine, theirs = _seconds(own), _seconds(peers)
    if len(mine) < ENOUGH or len(theirs) < ENOUGH:
        return
    seconds, usual = median(mine), median(theirs)
    if seconds < usual * FAST:
        yield Pattern("fast", "", {"median_seconds": seconds, "peers_seconds": usual, "judgements": len(mine)})


def _seconds(works: Iterable[Work]) -> list[float]:
    """Times that were measured; a way out takes no time to answer questions."""
    return [work.seconds for work in works if work.seconds is not None and work.outcome == ANSWERED]


def _pasted(own: Sequence[Work]) -> Iterator[Pattern]:
    times = Counter(
        (question, text)
        for work in own
        for question, answer in work.answers.items()
        for text in long_texts(answer)
        if not _ID.fullmatch(text)
    )
    for (question, text), count in times.most_common():
        if count >= PASTED_TIMES:
            yield Pattern("pasted", question, {"text": _excerpt(text), "judgements": count})


def long_texts(answer: Answer) -> set[str]:
    """The texts of an answer that are long enough to be pasted, blanks made equal."""
    texts = {" ".join(part.split()) for part in _texts(answer)}
    return {text for text in texts if len(text) >= PASTED_LENGTH}


def _texts(answer: Answer) -> tuple[str, ...]:
    if isinstance(answer, tuple):
        return answer
    return (answer,) if isinstance(answer, str) else ()
