"""Choosing complex sentences for a benchmark, and why the others were left out.

Zhang et al. (Small but Mighty, 2020, section 4.1) take sentences with only letters, digits, white space, commas and
periods, draw 500, and look at each to see that it is well-formed. What a program can see of the last is tested here;
the rest is for people, in the review of a study's items. Limits of length and of complexity, and leaving out sentences
that are nearly the same, are ours.
"""

from __future__ import annotations

import math
import random
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence

import attrs

from rubrica.core.marking import is_unspaced
from rubrica.core.sentences import sentence_ends

REASONS: Mapping[str, str] = {
    "empty": "there is nothing",
    "characters": "other characters than letters, digits, spaces, commas and periods",
    "start": "does not begin with a capital letter or a digit",
    "end": "does not end with a period",
    "punctuation": "punctuation stands doubled, or at the beginning",
    "one_sentence": "more than one sentence",
    "short": "too short",
    "long": "too long",
    "simple": "too few places to split",
    "duplicate": "nearly the same as an earlier sentence",
}
"""Why a sentence is left out, in the order in which it is asked."""
_SIGNS = ",."
_OPENING, _CLOSING = "\"'“”„‘’«»‹›¿¡([「『（", "\"'“”’«»‹›)]」』）"
_DOUBLED = re.compile(r",\s*[,.]|\.\s*\.|^\s*[,.]")
_ABBREVIATED = re.compile(
    r"(?:^|\s)(?:(?:[A-Za-z]\.)+[A-Za-z]|Adm|Bros|Cmdr|Co|Corp|Ft|Gov|Inc|Jr|Ltd|Maj|Mt|Pres|Rep|Sec|Sen|Sr)\s?\.$"
)
"""What ends with a full stop that need not end the sentence: in doubt a sentence is kept, and people look at it."""
_SHOWN = 5
"""How many of the characters that may not be there are named."""


@attrs.frozen(kw_only=True)
class Limits:
    """What we ask beyond the paper. ``alike`` is the share of words that two sentences have in common from which the
    later one is left out; ``least_patterns`` needs a counter of patterns. None asks nothing."""

    least_words: int | None = 10
    most_words: int | None = 100
    least_patterns: int | None = None
    alike: float | None = 0.8


AS_PAPER = Limits(least_words=None, most_words=None, least_patterns=None, alike=None)


@attrs.frozen
class Rejected:
    """A sentence that was left out: its line, the reason as in REASONS, and what of it exactly."""

    line: int
    text: str
    reason: str
    what: str = ""


@attrs.frozen
class Chosen:
    """What became of a file of sentences, each with its line: those drawn, and how many could have been."""

    sample: tuple[tuple[int, str], ...]
    fitting: int
    rejected: tuple[Rejected, ...]

    @property
    def counts(self) -> dict[str, int]:
        """How many were left out for each reason that occurred."""
        found = Counter(one.reason for one in self.rejected)
        return {reason: found[reason] for reason in REASONS if found[reason]}


def choose(
    texts: Iterable[tuple[int, str]],
    limits: Limits,
    sample: int = 0,
    seed: int = 0,
    patterns: Callable[[Sequence[str]], Sequence[int]] | None = None,
) -> Chosen:
    """Filter sentences, given with their lines, and draw so many (0: all) in the order of the file.

    ``patterns`` counts the places at which each sentence could be split; it is asked only about what is left.
    """
    kept: list[tuple[int, str]] = []
    out: list[Rejected] = []
    for line, raw in texts:
        text = " ".join(raw.split())
        found = _problem(text, limits)
        if found:
            out.append(Rejected(line, text, *found))
        else:
            kept.append((line, text))
    if limits.least_patterns and patterns is not None:
        numbers = patterns([text for _, text in kept])
        few = {line for (line, _), number in zip(kept, numbers, strict=True) if number < limits.least_patterns}
        what = f"fewer than {limits.least_patterns}"
        out += [Rejected(line, text, "simple", what) for line, text in kept if line in few]
        kept = [one for one in kept if one[0] not in few]
    if limits.alike is not None:
        twins = nearly_the_same([text for _, text in kept], limits.alike)
        out += [
            Rejected(line, text, "duplicate", f"line {kept[twins[place]][0]}")
            for place, (line, text) in enumerate(kept)
            if place in twins
        ]
        kept = [one for place, one in enumerate(kept) if place not in twins]
    places: Sequence[int] = range(len(kept))
    if sample and sample < len(kept):
        places = sorted(random.Random(seed).sample(places, sample))
    return Chosen(tuple(kept[place] for place in places), len(kept), tuple(sorted(out, key=lambda one: one.line)))


def _problem(text: str, limits: Limits) -> tuple[str, str] | None:
    """The first reason against a sentence, with what shows it."""
    if not text:
        return "empty", ""
    others = sorted({sign for sign in text if not _allowed(sign)})
    if others:
        return "characters", " ".join(others[:_SHOWN])
    return malformed(text, limits, ".")


def malformed(
    text: str, limits: Limits, stops: str, ends: Callable[[str], Iterable[int]] = sentence_ends
) -> tuple[str, str] | None:
    """What keeps a text from being one whole sentence of the right length that ends with one of ``stops``.

    Quotation marks and brackets may stand around it. ``ends`` tells where sentences end.
    """
    first = text.lstrip(_OPENING)[:1]
    if not first.isalnum() or first.islower():
        # A script without capital letters begins its sentences with any letter.
        return "start", text.split(maxsplit=1)[0]
    if not text.rstrip(_CLOSING).endswith(tuple(stops)):
        return "end", text.rsplit(maxsplit=1)[-1]
    doubled = _DOUBLED.search(text)
    if doubled:
        return "punctuation", doubled[0].strip()
    number = sum(end == len(text) or not _ABBREVIATED.search(text[:end]) for end in ends(text))
    if number > 1:
        return "one_sentence", str(number)
    words = length_in_words(text)
    if limits.least_words is not None and words < limits.least_words:
        return "short", f"{words} words"
    if limits.most_words is not None and words > limits.most_words:
        return "long", f"{words} words"
    return None


def _allowed(sign: str) -> bool:
    """Letters and digits of any script, with the marks that belong to letters; spaces, commas, periods."""
    return sign.isalnum() or sign == " " or sign in _SIGNS or unicodedata.category(sign) in ("Mn", "Mc")


def length_in_words(text: str) -> int:
    """How many words a text has; in scripts without spaces two characters are taken for one."""
    signs = sum(map(str.isalnum, text)) if is_unspaced(text) else 0
    return max(len(words_of(text)), signs // 2)


def alike(one: frozenset[str], other: frozenset[str], share: float) -> bool:
    """Whether two sets of words have at least this share in common (Jaccard's)."""
    return len(one & other) >= share * len(one | other)


def words_of(text: str) -> list[str]:
    """The words of a sentence, without punctuation that stands with or beside them."""
    return [word for part in text.split() if (word := part.strip(_SIGNS))]


def nearly_the_same(texts: Sequence[str], share: float) -> dict[int, int]:
    """By place, sentences that have at least this share of their words in common with an earlier one that stays.

    The share is Jaccard's, over the set of words without case. Two such sets have one of their rarest words in common,
    so only those that do are compared.
    """
    sets = [frozenset(word.lower() for word in words_of(text)) for text in texts]
    often = Counter(word for words in sets for word in words)
    seen: dict[str, list[int]] = defaultdict(list)
    found: dict[int, int] = {}
    for place, words in enumerate(sets):
        rare = sorted(words, key=lambda word: (often[word], word))[: len(words) - math.ceil(share * len(words)) + 1]
        earlier = sorted({other for word in rare for other in seen[word]})
        twin = next((one for one in earlier if alike(words, sets[one], share)), None)
        if twin is not None:
            found[place] = twin
            continue
        for word in rare:
            seen[word].append(place)
    return found
