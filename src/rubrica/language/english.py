"""Rubrica's own English parser: a transformer in ONNX Runtime that tells tags, lemmas, trees and ends of sentences.

Each text is read by itself: weights are whole numbers of 8 bits, and how finely the rest is rounded depends on all that
is read together. So a sentence has the same parse wherever it stands in a file, in as many processes as there are.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from rubrica.language.lemma_rules import applied
from rubrica.language.trees import best_tree
from rubrica.language.wordpieces import Pieces, kind

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from onnxruntime import InferenceSession

CLASSES = "rubrica"
"""The entry of the model's own description that has its pieces and classes, as JSON."""
_INFLECTED = frozenset({"VB", "VBD", "VBG", "VBN", "VBP", "VBZ", "NNS"})
MOST, USUAL = 500, 100
"""Pieces that the model can read at once, and that it reads where ends of sentences are to be found."""
BEGUN = -1.5
"""From which score a word begins a sentence, after the development set."""


class Told(NamedTuple):
    """What is told of a word; ``head`` is a place in the text, the word's own for a root."""

    head: int
    label: str
    tag: str
    upos: str
    feats: str
    lemma: str


class Window(NamedTuple):
    """What the model says of words that it read together."""

    arcs: NDArray[np.float32]
    labels: NDArray[np.int32]
    tags: NDArray[np.int32]
    morphs: NDArray[np.int32]
    lemmas: NDArray[np.int32]
    starts: NDArray[np.float32]


class EnglishParser:
    """The model, loaded: tells of each word what there is to tell."""

    def __init__(self, model: bytes) -> None:
        from onnxruntime import InferenceSession, SessionOptions

        options = SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        self._session: InferenceSession = InferenceSession(model, options, providers=["CPUExecutionProvider"])
        known = json.loads(self._session.get_modelmeta().custom_metadata_map[CLASSES])
        self._pieces = Pieces(known["pieces"])
        self._labels, self._tags, self._lemmas = known["labels"], known["tags"], known["lemmas"]
        self._morphs = [one.split("|", 1) for one in known["morphs"]]

    def told(self, words: Sequence[str], sentences: Sequence[range] | None = None) -> list[Told]:
        """Of each word of a text. Where ``sentences`` are given they stay, otherwise they are found."""
        each: list[Told] = []
        for window, part in self._windows(words) if sentences is None else self._each(words, sentences):
            each += self._decoded(window, part, words, len(each))
        return each

    def _each(self, words: Sequence[str], sentences: Sequence[range]) -> Iterator[tuple[Window, range]]:
        """The sentences, as many together as are usually read; one that is too long at once has several roots."""
        start, waiting = 0, deque(sentences)
        while waiting:
            fits = self._end(words, start, USUAL)
            together = [waiting.popleft()]
            while waiting and waiting[0].stop <= fits:
                together.append(waiting.popleft())
            stop = together[-1].stop
            while start < stop:
                end = min(stop, self._end(words, start, MOST))
                window = self._read(words[start:end])
                for one in together:
                    if one.start < end and start < one.stop:
                        yield window, range(max(one.start, start) - start, min(one.stop, end) - start)
                start = end

    def _windows(self, words: Sequence[str]) -> Iterator[tuple[Window, range]]:
        """The sentences that are found, from as many words as are usually read at once; the last may go on."""
        start = 0
        while start < len(words):
            for pieces in (USUAL, MOST):
                end = self._end(words, start, pieces)
                window = self._read(words[start:end])
                begun = [0, *(np.flatnonzero(window.starts[1:] > BEGUN) + 1).tolist()]
                if end == len(words) or len(begun) > 1:
                    break
            begun += [end - start] if end == len(words) or len(begun) == 1 else []
            for first, last in pairwise(begun):
                yield window, range(first, last)
            start += begun[-1]

    def _end(self, words: Sequence[str], start: int, pieces: int) -> int:
        """Where the words from ``start`` on that have so many pieces end; one word at least."""
        left = pieces - 2
        for place in range(start, len(words)):
            left -= len(self._pieces.of(words[place]))
            if left < 0:
                return max(place, start + 1)
        return len(words)

    def _read(self, words: Sequence[str]) -> Window:
        ids, kinds = [self._pieces.begin], [0]
        first, last = [], []
        for word in words:
            pieces = self._pieces.of(word)
            first.append(len(ids))
            ids += pieces
            kinds += [kind(word)] * len(pieces)
            last.append(len(ids) - 1)
        given = {"ids": [*ids, self._pieces.end], "kinds": [*kinds, 0], "first": first, "last": last}
        return Window(*self._session.run(None, {name: np.array(one, dtype=np.int64) for name, one in given.items()}))

    def _decoded(self, window: Window, part: range, words: Sequence[str], before: int) -> Iterator[Told]:
        """The words of a part of a window, of which ``before`` come first in the text."""
        own = slice(part.start, part.stop)
        columns = [0, *range(part.start + 1, part.stop + 1)]
        heads = best_tree(window.arcs[own][:, columns])
        for place, head in enumerate(heads):
            row = part.start + place
            label = self._labels[window.labels[row, part.start + head + 1]] if head != place else self._labels[0]
            upos, feats = self._morphs[window.morphs[row]]
            word, tag = words[before + place], self._tags[window.tags[row]]
            rule = self._lemmas[window.lemmas[row]]
            lemma = (tag in _INFLECTED and _base_form(word.lower(), upos)) or applied(rule, word)
            yield Told(before + head, label, tag, upos, feats, lemma)


@lru_cache(maxsize=50_000)
def _base_form(word: str, upos: str) -> str:
    """Of an inflected word: dictionaries know irregular ones that a rule must have seen."""
    from lemminflect import getLemma

    found: tuple[str, ...] = getLemma(word, upos if upos in {"VERB", "AUX"} else "NOUN")
    return found[0] if found else ""
