"""A parsed sentence as the rules see it: children, subtrees, subjects, tense, what stands before and after."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from rubrica.language.parsing import Parse, Word

SUBJECTS = {"nsubj", "nsubj:pass", "nsubj:outer", "csubj", "csubj:pass"}
FINITE = {"VBD", "VBZ", "VBP", "MD"}
PLURAL = {"NNS", "NNPS"}
_PLURALS = {
    "they",
    "we",
    "these",
    "those",
    "you",
    "people",
    "police",
    "larvae",
    "bacteria",
    "alumni",
    "fungi",
    "criteria",
}
"""Words that are plural and do not look it."""
NAMES = {"NNP", "NNPS"}
NEGATIONS = {"nothing", "none", "nobody", "not", "n't", "n’t", "never", "no", "neither", "nor", "hardly", "without"}
BE = {"be", "is", "was", "are", "were", "been", "being", "am", "'s", "’s"}


def listed(words: str) -> frozenset[str]:
    """Words, written in a row."""
    return frozenset(words.split())


class Tree:
    """One sentence with one root; words are named by their places."""

    def __init__(self, parsed: Parse, text: str) -> None:
        self.words: tuple[Word, ...] = parsed.words
        self.text = text
        self._lower = [word.text.lower() for word in self.words]
        self._labels = [word.label.partition(":")[0] for word in self.words]
        self.kids: list[list[int]] = [[] for _ in self.words]
        for place, word in enumerate(self.words):
            if word.head != place:
                self.kids[word.head].append(place)
        self.root = next((place for place, word in enumerate(self.words) if word.head == place), 0)

    def __len__(self) -> int:
        return len(self.words)

    def low(self, place: int) -> str:
        """A word in lower case; nothing outside the sentence."""
        return self._lower[place] if 0 <= place < len(self._lower) else ""

    def tag(self, place: int) -> str:
        return self.words[place].tag if 0 <= place < len(self.words) else ""

    def label(self, place: int) -> str:
        """The relation to the head, without what stands after its colon."""
        return self._labels[place]

    def space_before(self, place: int) -> bool:
        """Whether the text has a space before the word."""
        before = self.words[place - 1] if place else None
        return before is None or before.start + len(before.text) < self.words[place].start

    @cached_property
    def subtrees(self) -> list[list[int]]:
        """For each word the places of all that hangs on it, itself included, in order."""
        found: list[list[int]] = [[place] for place in range(len(self.words))]
        downwards = [self.root]
        for place in downwards:
            downwards += self.kids[place]
        for place in reversed(downwards[1:]):
            found[self.words[place].head] += found[place]
        return [sorted(places) for places in found]

    def subtree(self, place: int) -> list[int]:
        return self.subtrees[place]

    def child(self, place: int, *labels: str) -> int | None:
        """The first child with one of these labels, subtypes included."""
        return next((one for one in self.kids[place] if self.label(one) in labels), None)

    def children(self, place: int, *labels: str) -> list[int]:
        return [one for one in self.kids[place] if self.label(one) in labels]

    def subject(self, place: int) -> int | None:
        """The subject of a predicate, its own."""
        return next((one for one in self.kids[place] if self.words[one].label in SUBJECTS), None)

    def marked(self, place: int) -> bool:
        """Whether a clause is a subordinate one; *the plan was to leave* and *were to leave* are none."""
        outer = any(self.words[kid].label == "nsubj:outer" for kid in self.kids[place])
        marks = [kid for kid in self.children(place, "mark") if kid < place and self.tag(kid + 1) != "CD"]
        tensed = [aux for aux in self.auxiliaries(place) if self.tag(aux) in FINITE]
        return any(self.low(kid) != "to" or not (outer or min(tensed, default=kid) < kid) for kid in marks)

    def auxiliaries(self, place: int) -> list[int]:
        """Auxiliaries and copula of a predicate, in order, of its own."""
        return [one for one in self.kids[place] if self.label(one) in {"aux", "cop"}]

    def finite(self, place: int) -> int | None:
        """The word that carries the tense of a predicate; None if it has none."""
        for one in self.auxiliaries(place):
            if self.tag(one) in FINITE:
                return one
        if self.auxiliaries(place) or self.tag(place) not in FINITE | {"VB"}:
            return None
        bare = self.tag(place) == "VB" and (self.subject(place) is None or self.child(place, "mark") is not None)
        return None if bare else place

    def tense(self, place: int) -> str:
        """``past``, ``present`` or ``modal`` of a predicate; of its head if it has none of its own."""
        while True:
            found = self.finite(place)
            if found is not None:
                tag = self.tag(found)
                return "past" if tag == "VBD" else "modal" if tag == "MD" else "present"
            if self.words[place].head == place:
                return "past" if self.tag(place) in {"VBD", "VBN"} else "present"
            place = self.words[place].head

    def negated(self, place: int) -> bool:
        """Whether a predicate, or an argument of its own, is negated."""
        near = [one for kid in self.kids[place] for one in (kid, *self.kids[kid]) if one < place or kid == one]
        return any(self.low(one) in NEGATIONS for one in near)

    def contiguous(self, places: Iterable[int]) -> bool:
        listed = list(places)
        return listed == list(range(listed[0], listed[-1] + 1))

    def plural(self, noun: int) -> bool:
        """Whether a noun phrase is plural: its head, or several that are joined by *and*."""
        joined = any(self.low(cc) == "and" for one in self.children(noun, "conj") for cc in self.children(one, "cc"))
        return self.tag(noun) in PLURAL or joined or self.low(noun) in _PLURALS

    def chars(self, places: Iterable[int]) -> tuple[int, int]:
        """Where words begin and end in the text."""
        listed = sorted(places)
        last = self.words[listed[-1]]
        return self.words[listed[0]].start, last.start + len(last.text)

    def said(self, places: Iterable[int]) -> str:
        """Words as the text has them, joined by its own spaces where they are neighbours."""
        out, before = "", None
        for place in places:
            if before is not None and (place != before + 1 or self.space_before(place)):
                out += " "
            out, before = out + self.words[place].text, place
        return out
