"""Tags of words: good where an edit is a success, bad where it is an error, ok where nothing came of it.

Tokens are those of SALSA's statistics, between single spaces. Both sides are tagged: in the source, what became of
words; in the rewrite, the words that stand there now.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Protocol

import attrs

from rubrica.core.edits import SIDES, Span
from rubrica.edits.annotated import AnnotatedPair, whole_edits
from rubrica.edits.selection import inside, space_tokens
from rubrica.edits.typology import ERROR, Classified, Typology

GOOD, OK, BAD = "good", "ok", "bad"
TAGS = (BAD, OK, GOOD)
"""From worst to best."""

Tags = Mapping[str, tuple[str, ...]]
"""The tag of every token, by side."""


@attrs.frozen(kw_only=True)
class Pair:
    """A pair of texts to tag; ``name`` is the researcher's id, ``language`` a code such as ``en``."""

    name: str
    source: str
    rewrite: str
    system: str = ""
    language: str = "en"

    def text(self, side: str) -> str:
        """The text of one side, ``source`` or ``rewrite``."""
        return self.source if side == "source" else self.rewrite


@attrs.frozen
class TaggedToken:
    """A token with its tag, and how likely each tag is."""

    span: Span
    tag: str
    likely: Mapping[str, float]


Tagged = Mapping[str, tuple[TaggedToken, ...]]
"""The tagged tokens of a pair, by side."""


class Tagger(Protocol):
    """Whatever tags pairs. ``name`` says which backend and which version, for signatures."""

    @property
    def name(self) -> str:
        """Which backend, trained on what."""

    def tag(self, pairs: Sequence[Pair]) -> Iterator[Tagged]:
        """The tags of each pair, in the order of the pairs."""


@attrs.frozen
class Example:
    """A pair whose tags are known, from the edits of people."""

    pair: Pair
    tags: Tags


def examples(annotations: Iterable[AnnotatedPair], typology: Typology, language: str = "en") -> list[Example]:
    """What people's edits say of each pair.

    Of several annotators the middle tag counts, from worst to best; of an even number, the worse of the two in the
    middle.
    """
    by_key: dict[str, list[AnnotatedPair]] = {}
    for annotation in annotations:
        by_key.setdefault(annotation.key, []).append(annotation)
    return [_example(people, typology, language) for people in by_key.values()]


def _example(people: Sequence[AnnotatedPair], typology: Typology, language: str) -> Example:
    first = people[0]
    said = [tags_of(annotation, typology) for annotation in people]
    tags = {side: tuple(map(_middle, zip(*(one[side] for one in said), strict=True))) for side in SIDES}
    texts = {"source": first.source, "rewrite": first.rewrite}
    return Example(Pair(name=first.name, system=first.system, language=language, **texts), tags)


def tags_of(annotation: AnnotatedPair, typology: Typology) -> Tags:
    """The tags that one annotator's edits give; where a success and an error meet, the error counts."""
    found: dict[str, tuple[str, ...]] = {}
    edits = [(whole, _tag(typology.classify(whole.edit))) for whole in whole_edits(annotation.edits)]
    for side in SIDES:
        tokens = space_tokens(annotation.text(side))
        tags = [OK] * len(tokens)
        for wanted in (GOOD, BAD):
            spans = [span for whole, tag in edits if tag == wanted for span in whole.spans(side)]
            for index in inside(tokens, spans):
                tags[index] = wanted
        found[side] = tuple(tags)
    return found


def _tag(what: Classified) -> str:
    if what.added or (what.side == ERROR and not what.trivial):
        return BAD
    if what.kind is None or (what.trivial and what.rating is None):
        return OK
    return GOOD


def _middle(tags: Sequence[str]) -> str:
    ordered = sorted(tags, key=TAGS.index)
    return ordered[(len(ordered) - 1) // 2]
