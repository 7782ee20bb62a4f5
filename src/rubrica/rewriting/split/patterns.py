"""The seven patterns of the paper's Table 1, counted by rules: what could be split in a sentence.

A pattern counts once a sentence, as in the paper, where each of a hundred sentences has a pattern or not; several
patterns a sentence are possible. What a pattern is over Universal Dependencies: design/039-split-and-rephrase.md.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import attrs

from rubrica.language.parsing import ENGLISH, parse, tagging
from rubrica.rewriting.split.operations import PATTERNS
from rubrica.rewriting.split.tree import Tree

_MARKS = {"VBN", "VBG"}
_LONG = 4
"""Words from which a phrase that is set off counts."""


@attrs.frozen
class Mark:
    """A pattern in a text: its key, the word that shows it, and where the words it covers begin and end."""

    pattern: str
    cue: str
    start: int
    end: int


def marks(texts: Sequence[str], parser: str = ENGLISH) -> Iterator[list[Mark]]:
    """For each text, a sentence, its patterns in the order of the words."""
    for text, parsed in zip(texts, parse(texts, tagging(parser), one_sentence=True), strict=True):
        yield seen(Tree(parsed, text))


def seen(tree: Tree) -> list[Mark]:
    """The patterns in a sentence, in the order of the words."""
    found = (_mark(tree, place) for place in range(len(tree)))
    return [mark for mark in found if mark]


def counted(found: Iterable[list[Mark]]) -> dict[str, int]:
    """How many sentences have each pattern."""
    counts = dict.fromkeys(PATTERNS, 0)
    for sentence in found:
        for pattern in {mark.pattern for mark in sentence}:
            counts[pattern] += 1
    return counts


def marked(text: str, found: Sequence[Mark]) -> str:
    """A text with brackets around what the patterns cover: ``[rc who left]``; inner ones inside outer ones."""
    opened = sorted(found, key=lambda mark: (mark.start, -mark.end))
    signs: list[tuple[int, int, str]] = [(mark.start, index, f"[{mark.pattern} ") for index, mark in enumerate(opened)]
    signs += [(mark.end, -1 - index, "]") for index, mark in enumerate(opened)]
    out, last = "", 0
    for place, _, sign in sorted(signs, key=lambda sign: (sign[0], sign[1])):
        out, last = out + text[last:place] + sign, place
    return out + text[last:]


def _mark(tree: Tree, place: int) -> Mark | None:
    pattern, cue = _pattern(tree, place)
    if not pattern:
        return None
    places = [one for one in tree.subtree(place) if one != len(tree) - 1 or tree.words[one].upos != "PUNCT"]
    while places and tree.words[places[0]].upos == "PUNCT":
        places.pop(0)
    while places and tree.words[places[-1]].upos == "PUNCT":
        places.pop()
    if not places:
        return None
    start, end = tree.chars(places)
    return Mark(pattern, tree.words[cue].text, start, end)


def _pattern(tree: Tree, place: int) -> tuple[str, int]:
    """The pattern that a word heads, and its cue; empty if none."""
    word, places = tree.words[place], tree.subtree(place)
    free = "," in {tree.low(places[0]), tree.low(places[0] - 1)} or (places[0] == 0 and tree.low(places[-1]) == ",")
    label = tree.label(place)
    if word.label in {"acl:relcl", "advcl:relcl"} or _is_relative(tree, place):
        relative = next((one for one in places if tree.tag(one)[:1] == "W" or tree.low(one) == "that"), place)
        return "rc", relative
    if label in {"acl", "advcl"}:
        return _clause(tree, place, free)
    if label == "conj" and (_is_clause(tree, place) or len(places) > _LONG):
        return "conj", next(iter(tree.children(place, "cc")), place)
    if label == "parataxis" and _is_clause(tree, place) and tree.subject(place) is not None:
        return "conj", places[0]
    if label == "appos" and free and word.upos in {"NOUN", "PROPN"} and len(places) >= _LONG - 1:
        return "appos", places[0]
    if label in {"obl", "nmod"} and free and len(places) > _LONG and tree.child(place, "case") is not None:
        return "prep", places[0]
    return "", place


def _clause(tree: Tree, place: int, free: bool) -> tuple[str, int]:
    mark = next(
        (kid for kid in tree.kids[place] if tree.label(kid) in {"mark", "case"} or tree.tag(kid) == "WRB"), None
    )
    if tree.tag(place) == "VB" and mark is not None and tree.low(mark) == "to":
        return ("inf", mark) if free or len(tree.subtree(place)) > _LONG else ("", place)
    if mark is None and tree.tag(place) in _MARKS:
        return "part", place
    if tree.label(place) == "advcl" and mark is not None and tree.words[mark].tag != "TO":
        return "adv", mark
    return "", place


def _is_relative(tree: Tree, place: int) -> bool:
    """A clause that begins with a relative pronoun or *where*, whatever the parser made of it."""
    if tree.label(place) not in {"advcl", "acl", "parataxis"} or tree.finite(place) is None:
        return False
    begins = [one for one in tree.subtree(place) if tree.words[one].upos != "PUNCT"][:4]
    before = tree.words[begins[0] - 1] if begins[0] else None
    late = {"where", "when"} if before and (before.text == "," or before.upos in {"NOUN", "NUM"}) else {"where"}
    if (
        tree.low(begins[0]) == "that"
        and tree.label(place) != "parataxis"
        and before
        and before.upos in {"NOUN", "NUM", "PROPN"}
    ):
        return True
    return any(tree.low(one) in {"who", "which", "whose", "whom"} for one in begins) or (
        begins[0] > 0 and tree.low(begins[0]) in late
    )


def _is_clause(tree: Tree, place: int) -> bool:
    return tree.words[place].upos in {"VERB", "AUX"} or tree.child(place, "cop") is not None
