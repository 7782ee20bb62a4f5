"""A block of sentences with the rewrites of every system: what metrics are computed on, a few thousand at a time.

Work that several metrics or systems share (tokenising the references, counting n-grams) is done once for each block.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any, TypeVar, cast

import attrs

from rubrica.metrics.tokens import Normalisation

Made = TypeVar("Made")


@attrs.frozen
class Normalised:
    """The texts of a block as one tokeniser cuts them, tokens separated by single spaces."""

    sources: Sequence[str]
    references: Mapping[str, Sequence[Sequence[str]]]
    """By :meth:`Block.shared_by`."""
    rewrites: Mapping[str, Sequence[str]]


@attrs.define(eq=False)
class Block:
    """Sentences ``first``, ``first + 1``, … (from 0) with their references (any number each) and rewrites by system.

    A system that did not rewrite a sentence has None there; metrics see an empty text, and its row is not counted.
    ``ids`` name the sentences, ``keys`` the single rewrites where each has a name of its own, by system. ``apart`` are
    the references of systems that are not held against ``references`` as the others are: a person's rewrite is never
    its own reference. All sentences are of one ``dataset``.
    """

    first: int
    sources: Sequence[str]
    references: Sequence[Sequence[str]]
    outputs: Mapping[str, Sequence[str | None]]
    ids: Sequence[str] = ()
    keys: Mapping[str, Sequence[str]] = attrs.field(factory=dict)
    apart: Mapping[str, Sequence[Sequence[str]]] = attrs.field(factory=dict)
    dataset: str = ""
    _made: dict[Hashable, Any] = attrs.field(factory=dict, init=False, repr=False)

    def __len__(self) -> int:
        return len(self.sources)

    @property
    def rewrites(self) -> Mapping[str, Sequence[str]]:
        """The rewrites of each system as texts."""
        return self.once("rewrites", lambda: {name: [text or "" for text in own] for name, own in self.outputs.items()})

    def references_of(self, system: str) -> Sequence[Sequence[str]]:
        """What the rewrites of a system are held against, sentence by sentence."""
        return self.apart.get(system, self.references)

    def shared_by(self, system: str) -> str:
        """The name under which references are counted: the system's own, or one for all that share theirs."""
        return system if system in self.apart else ""

    def references_at(self, place: int) -> list[str]:
        """Every reference of a sentence, each as often as the rewrite has it that has it most often."""
        found: list[str] = []
        for own in (self.references, *self.apart.values()):
            left = Counter(found)
            for text in own[place]:
                if left[text]:
                    left[text] -= 1
                else:
                    found.append(text)
        return found

    def once(self, key: Hashable, make: Callable[[], Made]) -> Made:
        """What ``make`` makes, made at the first call with this key and kept."""
        if key not in self._made:
            self._made[key] = make()
        return cast(Made, self._made[key])

    def normalised(self, how: Normalisation) -> Normalised:
        """All texts cut into tokens, each different text once."""
        return self.once(("normalised", how), lambda: self._normalised(how))

    def _every(self) -> dict[str, Sequence[Sequence[str]]]:
        """All references, by :meth:`shared_by`."""
        return {self.shared_by(name): self.references_of(name) for name in self.outputs}

    def _normalised(self, how: Normalisation) -> Normalised:
        cut = how.cutter()
        return Normalised(
            [cut(text) for text in self.sources],
            {name: [[cut(text) for text in own] for own in every] for name, every in self._every().items()},
            {name: [cut(text) for text in own] for name, own in self.rewrites.items()},
        )

    def __getstate__(self) -> tuple[Any, ...]:
        """What is made from the texts stays here when a block is sent to another process."""
        return (
            *(self.first, self.sources, self.references, self.outputs),
            *(self.ids, self.keys, self.apart, self.dataset),
        )

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        self.first, self.sources, self.references, self.outputs = state[:4]
        self.ids, self.keys, self.apart, self.dataset = state[4:]
        self._made = {}
