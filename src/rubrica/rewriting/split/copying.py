"""`copy`, a learned model with copying built in: each word is kept, dropped, or kept with a phrase put before it.

Phrases are those that editors of Wikipedia put where they cut a sentence in two (*. He*, *. It was*, …), so that all
else is copied. Trained by ``make splitter``; what was tried and how good it is: design/040-copying.md.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from rubrica.language.models import unpacked
from rubrica.language.parsing import Token, english, tokens_of
from rubrica.rewriting.split.splitting import Split
from rubrica.rewriting.split.wording import ENDS, capitalised, is_apart

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

MODEL = "sentence_copier"
KEEP, DROP, CUT = "KEEP", "DROP", "|"
"""Tags: kept, dropped; any other is a phrase put before the word, in which CUT ends a sentence."""
LEAST = 0.02
"""A sentence is cut where a cut is likeliest, if it is at least so likely there."""


@lru_cache(maxsize=1)
def copier() -> Language:
    """The trained model."""
    return english(unpacked(MODEL))


def split_by_copying(sources: Iterable[str]) -> Iterator[Split]:
    """Split each source by the trained model."""
    pipeline = copier()
    for source in sources:
        yield _split(source, pipeline, tokens_of(pipeline, source))


def tags_of(pipeline: Language, doc: Doc) -> list[str]:
    """A tag for each word: the likeliest, and at least one cut."""
    tagger: Any = pipeline.get_pipe("tagger")
    raw = tagger.model.predict([doc])[0]
    scores = np.exp(raw - raw.max(axis=1, keepdims=True))
    scores /= scores.sum(axis=1, keepdims=True)
    labels: Sequence[str] = tagger.labels
    best = scores.argmax(axis=1)
    cuts = [place for place, label in enumerate(labels) if CUT in label]
    tags = [labels[number] for number in best]
    if not any(CUT in tag for tag in tags[2:]) and len(tags) > 4 and cuts:
        inner = scores[2:-2, cuts]
        word = int(inner.sum(axis=1).argmax())
        if inner[word].sum() >= LEAST:
            tags[word + 2] = labels[cuts[int(inner[word].argmax())]]
    return tags


def _split(source: str, pipeline: Language, tokens: Sequence[Token]) -> Split:
    from spacy.tokens import Doc

    if not tokens:
        return Split(source, ())
    doc = Doc(pipeline.vocab, words=[token.text for token in tokens])
    apart = is_apart(source)
    sentences: list[str] = [""]
    operations: list[dict[str, object]] = []
    closes = [False, *(one.end == other.start for one, other in pairwise(tokens))]
    for token, tag, close in zip(tokens, tags_of(pipeline, doc), closes, strict=True):
        if tag == DROP:
            continue
        if tag != KEEP:
            ended, _, begun = tag.rpartition(CUT)
            if CUT in tag and sentences[-1]:
                sentences[-1] = _ended(sentences[-1], apart)
                sentences.append("")
            sentences[-1] = " ".join(part for part in (sentences[-1], begun.strip() or ended.strip(" .")) if part)
            cue = [token.start, token.end]
            operations.append({"pattern": None, "rule": tag, "cue": token.text, "cue_span": cue, "span": cue})
            close = close and not begun.strip()
        elif not sentences[-1] and not any(sign.isalnum() for sign in token.text):
            continue
        sentences[-1] += ("" if close or not sentences[-1] else " ") + token.text
    sentences[-1] = _ended(sentences[-1], apart)
    made = tuple(capitalised(one) for one in sentences if one.strip(" ."))
    return Split(source, made, tuple(operations)) if made else Split(source, (source.strip(),))


def _ended(sentence: str, apart: bool) -> str:
    bare = sentence.rstrip(" ,;:")
    return bare if not bare or bare.endswith(ENDS) else bare + (" ." if apart else ".")
