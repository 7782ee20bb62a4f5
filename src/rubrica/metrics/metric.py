"""What a metric is, the settings it takes and the block of sentences it is computed on.

What a metric is: sufficient statistics of every sentence, and figures that follow from their sums. A metric never
computes a figure from texts directly. It turns each sentence into a row of numbers that can be added (matches,
lengths, counts); the figure of a corpus, of one sentence, of a resample and of a permutation all follow from sums of
such rows. So intervals and tests cost no second look at the texts (the idea of sacreBLEU; Post, WMT 2018).

A block of sentences with the rewrites of every system: what metrics are computed on, a few thousand at a time. Work
that several metrics or systems share (tokenising the references, counting n-grams) is done once for each block.

The settings of metrics, as they are chosen on the command line; None is the custom of the field for each metric.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any, TypeVar, cast

import attrs
import numpy as np
import numpy.typing as npt

from rubrica.core.errors import Problem
from rubrica.core.metric_values import HIGHER
from rubrica.metrics.tokens import TOKENIZERS, Normalisation

Floats = npt.NDArray[np.float64]


@attrs.frozen
class Figure:
    """One number that a metric reports: the key in JSON, the title in tables, which is better, digits shown.

    ``part`` says that it is one of the parts of the first figure of its metric, such as SARI's three operations.
    """

    key: str
    title: str
    better: str = HIGHER
    digits: int = 2
    part: bool = False


class Metric(ABC):
    """A metric with its settings. Objects are small and can be sent to another process."""

    name: str
    """How it is asked for: ``--metrics name``."""
    figures: tuple[Figure, ...] = ()
    needs_references: bool = False
    needs_sources: bool = True
    undefined: str = "there is nothing to count"
    """Why a figure has no value, in words, where :meth:`scores` gives NaN."""

    @abstractmethod
    def statistics(self, block: Block, system: str) -> Floats:
        """A row of numbers for each sentence of the block, rewritten by ``system``, that can be added up."""

    @abstractmethod
    def scores(self, sums: Floats) -> Floats:
        """The figures of a corpus from the sums of its rows; any number of leading axes, NaN where undefined."""

    def sentence_scores(self, statistics: Floats) -> Floats:
        """The figures of each sentence alone, a row for each. Most metrics treat it as a corpus of one sentence."""
        return self.scores(statistics)

    @abstractmethod
    def settings(self) -> Mapping[str, object]:
        """Every choice that changes the figures, for the signature."""


def mean_of(values: npt.ArrayLike) -> Floats:
    """Rows for a figure that is the mean of a value of each sentence; NaN are sentences without a value."""
    found = np.asarray(values, dtype=float).reshape(-1)
    known = ~np.isnan(found)
    return np.stack([np.where(known, found, 0.0), known.astype(float)], axis=-1)


def ratio(above: npt.ArrayLike, below: npt.ArrayLike, otherwise: float = np.nan) -> Floats:
    """``above / below`` element by element, and ``otherwise`` where there is nothing below."""
    over, under = np.broadcast_arrays(np.asarray(above, dtype=float), np.asarray(below, dtype=float))
    found: Floats = np.divide(over, under, out=np.full(over.shape, otherwise), where=under != 0)
    return found


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


DELETION = ("f1", "precision")
AVERAGING = ("orders", "operations")
SMOOTHING: Mapping[str, float] = {"exp": 0.0, "floor": 0.1, "add-k": 1.0, "none": 0.0}
"""BLEU's ways of smoothing, with the value of those that have one."""


@attrs.frozen
class Options:
    """How texts are compared.

    ``lowercase`` and ``tokenizer`` hold for every metric on tokens if given. ``deletion`` is how SARI scores deletions
    (``f1`` as EASSE, ``precision`` as in Xu et al. 2016), ``averaging`` where it takes means (``orders``: F1 of each
    order, then their mean, as EASSE; ``operations``: mean precision and recall, then F1, as the paper). ``language`` is
    the language of the texts (ISO 639-1), ``parser`` the name of an installed spaCy pipeline;
    none is Rubrica's own, for English.
    ``models`` has the model of a learned metric, by the metric's name: a name or a path. ``lens_python`` is the Python
    of the environment that LENS runs in.
    """

    tokenizer: str | None = None
    lowercase: bool | None = None
    smoothing: str | None = None
    deletion: str = "f1"
    averaging: str = "orders"
    language: str = "en"
    parser: str = ""
    models: Mapping[str, str] = attrs.field(factory=dict, hash=False)
    lens_python: str = ""

    def chosen(self) -> dict[str, object]:
        """The choices that are not the usual ones; where another Python stands on a machine is none."""
        usual = attrs.asdict(Options(lens_python=self.lens_python))
        return {name: value for name, value in attrs.asdict(self).items() if value != usual[name]}

    def problems(self) -> list[Problem]:
        """A problem for each choice that there is not."""
        choices = (
            ("tokenizer", self.tokenizer, TOKENIZERS, "tokenizer"),
            ("smoothing", self.smoothing, SMOOTHING, "smoothing"),
            ("sari", self.deletion, DELETION, "way to score deletions"),
            ("sari", self.averaging, AVERAGING, "way of averaging SARI"),
        )
        return [
            Problem(what=f"there is no {what} {value!r}", rule=rule, fix=f"Use one of {', '.join(known)}.", value=value)
            for rule, value, known, what in choices
            if value is not None and value not in known
        ]
