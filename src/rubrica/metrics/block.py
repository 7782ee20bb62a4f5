"""A block of sentences with the rewrites of every system: what metrics are computed on, a few thousand at a time.

Work that several metrics or systems share (tokenising the references, counting n-grams) is done once for each block.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any, TypeVar, cast

import attrs

from rubrica.metrics.tokens import Normalisation

Made = TypeVar("Made")


@attrs.frozen
class Normalised:
    """The texts of a block as one tokeniser cuts them, tokens separated by single spaces."""

    sources: Sequence[str]
    references: Sequence[Sequence[str]]
    rewrites: Mapping[str, Sequence[str]]


@attrs.define(eq=False)
class Block:
    """Sentences ``first``, ``first + 1``, … (from 0) with their references (any number each) and rewrites by system.

    A system that did not rewrite a sentence has None there; metrics see an empty text, and its row is not counted.
    ``ids`` name the sentences, ``keys`` the single rewrites where each has a name of its own, by system.
    """

    first: int
    sources: Sequence[str]
    references: Sequence[Sequence[str]]
    outputs: Mapping[str, Sequence[str | None]]
    ids: Sequence[str] = ()
    keys: Mapping[str, Sequence[str]] = attrs.field(factory=dict)
    _made: dict[Hashable, Any] = attrs.field(factory=dict, init=False, repr=False)

    def __len__(self) -> int:
        return len(self.sources)

    @property
    def rewrites(self) -> Mapping[str, Sequence[str]]:
        """The rewrites of each system as texts."""
        return self.once("rewrites", lambda: {name: [text or "" for text in own] for name, own in self.outputs.items()})

    def once(self, key: Hashable, make: Callable[[], Made]) -> Made:
        """What ``make`` makes, made at the first call with this key and kept."""
        if key not in self._made:
            self._made[key] = make()
        return cast(Made, self._made[key])

    def normalised(self, how: Normalisation) -> Normalised:
        """All texts cut into tokens, each different text once."""
        return self.once(("normalised", how), lambda: self._normalised(how))

    def _normalised(self, how: Normalisation) -> Normalised:
        cut = how.cutter()
        return Normalised(
            [cut(text) for text in self.sources],
            [[cut(text) for text in own] for own in self.references],
            {name: [cut(text) for text in own] for name, own in self.rewrites.items()},
        )

    def __getstate__(self) -> tuple[Any, ...]:
        """What is made from the texts stays here when a block is sent to another process."""
        return self.first, self.sources, self.references, self.outputs, self.ids, self.keys

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        self.first, self.sources, self.references, self.outputs, self.ids, self.keys = state
        self._made = {}
