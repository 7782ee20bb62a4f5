"""Checks from what people write: "no simpler word", pasted texts, texts handed back as they were."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from rubrica.core.answers import NO_SIMPLER_WORD, Answer, compared
from rubrica.core.ratings import TEXT, WORDS, Criterion, Rating, given
from rubrica.core.text_helpers import shortened
from rubrica.report.checks_behaviour import ENOUGH, Work, share_of
from rubrica.report.checks_findings import (
    ENOUGH_CHECKS,
    EXAMPLES,
    NONE_SIMPLER,
    PASTED,
    UNCHANGED,
    Figure,
    Finding,
)
from rubrica.stats.checks.alone import MOST_LIKE_THIS, MOST_WITHOUT

EXCERPT = 80
"""Longest quotation of a pasted text, in characters."""
PASTED_LENGTH, PASTED_TIMES = 20, 3
"""A text of so many characters that stands in so many judgements is pasted."""


def none_simpler(work: Work) -> Iterator[Finding]:
    """How often a rater found no simpler word: blank, or the word itself."""
    for criterion in work.ratings.criteria:
        if not criterion.blank:
            continue
        yield from work.compare(NONE_SIMPLER, criterion.id, [_none(work, criterion, rater) for rater in work.people])


def _none(work: Work, criterion: Criterion, rater: str) -> Figure:
    said = [(one.unit, given(one, criterion.id)) for one in work.answered(rater)]
    asked = [(unit, words) for unit, words in said if words is not None]
    none = [unit for unit, words in asked if words == NO_SIMPLER_WORD]
    evidence = {"times": len(none), "examples": none[:EXAMPLES]}
    return share_of(rater, len(none), len(asked), ENOUGH, evidence, most=MOST_WITHOUT)


def texts(work: Work) -> Iterator[Finding]:
    """Texts that a rater pasted into several judgements, and texts handed back as they were."""
    for criterion in work.ratings.criteria:
        if criterion.kind not in (TEXT, WORDS):
            continue
        given_texts = {rater: _texts(work.answered(rater, planted=True), criterion) for rater in work.people}
        if any(given_texts.values()):
            yield from work.compare(PASTED, criterion.id, [_pasted(*one) for one in given_texts.items()])
            if criterion.kind == TEXT:
                unchanged = [_unchanged(work, *one) for one in given_texts.items()]
                yield from work.compare(UNCHANGED, criterion.id, unchanged)


def _texts(ratings: Iterable[Rating], criterion: Criterion) -> list[tuple[str, str]]:
    """Texts long enough to be pasted, with their units."""
    return [
        (text, one.unit)
        for one in ratings
        if (answer := given(one, criterion.id)) is not None
        for text in sorted(long_texts(answer))
    ]


def _pasted(rater: str, found: Sequence[tuple[str, str]]) -> Figure:
    times = Counter(text for text, _ in found)
    pasted = [(text, number) for text, number in times.most_common() if number >= PASTED_TIMES]
    evidence: dict[str, Any] = {
        "texts": [{"text": shortened(text, EXCERPT), "times": number} for text, number in pasted]
    }
    if pasted:
        evidence["examples"] = [unit for text, unit in found if text == pasted[0][0]][:EXAMPLES]
    again = sum(number for _, number in pasted)
    return share_of(rater, again, len(found), ENOUGH_CHECKS, evidence, "texts", MOST_LIKE_THIS)


def _unchanged(work: Work, rater: str, found: Sequence[tuple[str, str]]) -> Figure:
    same = [unit for text, unit in found if compared(text) in map(compared, work.ratings.units[unit].texts.values())]
    evidence = {"times": len(same), "examples": same[:EXAMPLES]}
    return share_of(rater, len(same), len(found), ENOUGH_CHECKS, evidence, "texts", MOST_LIKE_THIS)


def long_texts(answer: Answer) -> set[str]:
    """The texts of an answer that are long enough to be pasted, blanks made equal."""
    parts = answer if isinstance(answer, tuple) else (answer,) if isinstance(answer, str) else ()
    plain_parts = (" ".join(part.split()) for part in parts)
    return {part for part in plain_parts if len(part) >= PASTED_LENGTH}
