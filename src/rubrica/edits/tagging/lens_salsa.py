"""LENS-SALSA (Heineman et al., 2023) as a backend: a large model that scores subwords, if it is on the machine.

The package is ``lens-metric``; the weights are a checkpoint of about 1.4 GB that nobody gets by surprise: nothing is
ever downloaded here. A checkpoint is code as much as data, so only load one that you trust.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import attrs

from rubrica.core.edits import Span
from rubrica.core.errors import wrong
from rubrica.edits.selection import space_tokens
from rubrica.edits.tagging.tags import BAD, GOOD, OK, TAGS, Pair, Tagged, TaggedToken

MODEL = "davidheineman/lens-salsa"
CHECKPOINT = Path("checkpoints", "model.ckpt")
BETWEEN = "</s>"
"""What the model puts twice between the rewrite, which comes first, and the source."""
SPACE = "Ġ"
"""What begins a subword after a space."""

Subword = tuple[str, float]


@attrs.frozen
class LensSalsa:
    """The loaded model (an object of ``lens.LENS_SALSA``)."""

    model: Any
    name: str = "lens-salsa"

    def tag(self, pairs: Sequence[Pair]) -> Iterator[Tagged]:
        """The tags of each pair. Pairs go to the model one by one, so that nothing can be mixed up."""
        for pair in pairs:
            _, scored = self.model.score([pair.source], [pair.rewrite], batch_size=1, devices=None)
            yield tagged(pair, {name: [tuple(one) for one in scored[name][0]] for name in scored})


def tagged(pair: Pair, scored: Mapping[str, Sequence[Subword]]) -> Tagged:
    """Tags of words from the model's scores of subwords, by tag; a word has the mean of its subwords.

    Raises InputError if the model's words are not those of the pair.
    """
    sides: dict[str, list[dict[str, float]]] = {"source": [], "rewrite": []}
    for tag in (BAD, GOOD):
        for side, means in _word_means(scored.get(tag, ())).items():
            for index, mean in enumerate(means):
                if index == len(sides[side]):
                    sides[side].append({})
                sides[side][index][tag] = mean
    return {side: tuple(_tokens(pair, side, sides[side])) for side in sides}


def _tokens(pair: Pair, side: str, words: Sequence[Mapping[str, float]]) -> Iterator[TaggedToken]:
    tokens = space_tokens(pair.text(side))
    written = [token for token in tokens if pair.text(side)[token.start : token.end].strip()]
    if len(written) != len(words):
        what = f"{pair.name}: the model has {len(words)} words in the {side}, the text {len(written)}"
        raise wrong(what, "lens_salsa", "Remove unusual spaces from the text.", value=pair.text(side)[:80])
    found = iter(words)
    for token in tokens:
        yield _tagged(token, next(found) if token in written else {})


def _tagged(span: Span, scores: Mapping[str, float]) -> TaggedToken:
    good, bad = scores.get(GOOD, 0.0), scores.get(BAD, 0.0)
    likely = {BAD: bad, OK: max(0.0, 1 - good - bad), GOOD: good}
    return TaggedToken(span, max(reversed(TAGS), key=likely.__getitem__), likely)


def _word_means(subwords: Sequence[Subword]) -> dict[str, list[float]]:
    """The mean score of each word: rewrite before the two separators, source after them."""
    groups: dict[str, list[list[float]]] = {"rewrite": [], "source": []}
    side, fresh = "rewrite", True
    for text, value in subwords:
        if text == BETWEEN:
            side, fresh = "source", True
            continue
        if text.startswith(SPACE) or fresh:
            groups[side].append([])
        if text.strip(SPACE):
            groups[side][-1].append(value)
        fresh = False
    return {name: [sum(word) / len(word) for word in words if word] for name, words in groups.items()}


def load_lens_salsa(checkpoint: Path | None = None) -> LensSalsa:
    """The model from a checkpoint, or from where it was once downloaded to. Never from the network.

    Raises InputError if the package or the weights are not here.
    """
    os.environ["HF_HUB_OFFLINE"] = os.environ["TRANSFORMERS_OFFLINE"] = "1"
    try:
        from huggingface_hub import snapshot_download
        from huggingface_hub.errors import LocalEntryNotFoundError
        from lens import LENS_SALSA
    except ImportError as error:
        fix = "Install it: pip install lens-metric. Or train a light model: rubrica edits tag train."
        raise wrong(f"LENS-SALSA is not installed: {error}", "not_installed", fix, value=error.name) from error
    try:
        path = checkpoint or Path(snapshot_download(MODEL, local_files_only=True)) / CHECKPOINT
        if not path.is_file():
            raise FileNotFoundError(path)
        return LensSalsa(LENS_SALSA(str(path)))
    except (LocalEntryNotFoundError, OSError) as error:
        fix = f"Download {MODEL} yourself and name its file: --checkpoint {CHECKPOINT}."
        raise wrong("the weights of LENS-SALSA are not on this machine", "no_weights", fix) from error
