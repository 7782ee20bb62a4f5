"""`make parser`: train the English parser that Rubrica ships, from a treebank and sentences parsed by a stronger model.

Gold sentences count twice, automatic ones once, and of these only those whose root has a subject: a sentence of
Wikipedia has one, so that where it is missing the main verb was lost. Lemmas are learned from gold alone. A document
holds one to three sentences, so that ends of sentences are learned and the oracle stays quick. The run is seeded. What
is kept are averaged weights of the step that is best on the development set, with as many bits as parsing needs. What
else was tried: design/030-parser.md.
"""

from __future__ import annotations

import os
import random
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
from spacy import util
from spacy.training import Example
from thinc.api import Adam, fix_random_seed, use_ops

from rubrica.language.models import FOLDER, pack
from training.attachment import counts, shares
from training.treebank import Sentence, bare, document, has_subject, read

if TYPE_CHECKING:
    from spacy.language import Language

CONFIG = Path(__file__).with_name("parser.cfg")
NAME, VERSION = "english_parser", "1.0"
SEED, DROPOUT = 20261118, 0.15
STEPS, WARM, GROWTH = 6_933, 250, 3_000
"""Batches to learn from, those in which the learning rate rises, and those in which batches grow."""
WORDS = (400, 1000)
"""Words in a batch, at first and when it has grown."""
RATE, FINAL_RATE, COOLING = 0.001, 0.0001, 0.25
"""Adam's learning rate, its last value, and the last share of the steps in which it falls."""
LOOK = 400
"""Steps between two looks at the development set."""
BITS = 7
"""Of a weight's mantissa: the rest of its 23 is noise to a parser, and zeros pack well."""


class Corpus(NamedTuple):
    """What is learned from, and what decides which step was best."""

    gold: list[Sentence]
    silver: list[Sentence]
    development: list[Sentence]


def corpus(folder: Path) -> Corpus:
    """The files of ``parser/`` in the folder of data."""
    gold, development = (list(read(folder / f"en_ewt-ud-{part}.conllu.xz")) for part in ("train", "dev"))
    silver = [sentence for sentence in read(folder / "wikisplit_silver.conllu.xz") if has_subject(sentence)]
    return Corpus(gold, silver, development)


def train(data: Corpus, steps: int = STEPS, look: int = LOOK) -> bytes:
    """The pipeline of the best step as bytes; figures of each look go to stderr."""
    fix_random_seed(SEED)
    with use_ops("numpy", use_blis=False):
        nlp = util.load_model_from_config(util.load_config(CONFIG), auto_fill=True)
        each = [_example(nlp, [sentence], gold=True) for sentence in data.gold]
        each += [_example(nlp, [sentence], gold=False) for sentence in data.silver]
        nlp.initialize(lambda: each)
        nlp.meta |= _META
        optimizer = Adam(RATE, L2=0.01, L2_is_weight_decay=True, grad_clip=1.0, use_averages=True)
        best, model, begun = -1.0, b"", time.monotonic()
        for step, batch in zip(range(1, steps + 1), _batches(data, nlp), strict=False):
            optimizer.learn_rate = _rate(step - 1, steps)
            nlp.update(batch, sgd=optimizer, drop=DROPOUT)
            if step % look == 0 or step == steps:
                with nlp.use_params(optimizer.averages):
                    found = shares(counts(nlp, data.development))
                    if found["las"] > best:
                        best, model = found["las"], nlp.to_bytes()
                told = ", ".join(f"{name} {value:.2f}" for name, value in found.items())
                print(f"step {step} of {steps}, {time.monotonic() - begun:.0f} s: {told}", file=sys.stderr, flush=True)
    return rounded(nlp.from_bytes(model)).to_bytes()


_META = {
    "name": "rubrica",
    "version": VERSION,
    "description": "English parser of Rubrica: tags, morphology, lemmas, Universal Dependencies, sentences",
    "license": "CC BY-SA 4.0",
}


def _rate(step: int, steps: int) -> float:
    """For steps from 0 on: rises, stays, and falls in a line in the last quarter."""
    left = max(0.0, (steps - step) / (steps * COOLING))
    return min(RATE * (step + 1) / WARM, RATE, FINAL_RATE + (RATE - FINAL_RATE) * left)


def _batches(data: Corpus, nlp: Language) -> Iterator[list[Example]]:
    """Batches without end, growing from the first to the second number of WORDS."""
    rng = random.Random(SEED)
    step, words = 0, 0
    batch: list[Example] = []
    while True:
        for example in _epoch(data, nlp, rng):
            batch.append(example)
            words += len(example.reference)
            if words >= WORDS[0] + (WORDS[1] - WORDS[0]) * min(1.0, step / GROWTH):
                yield batch
                step, batch, words = step + 1, [], 0


def _epoch(data: Corpus, nlp: Language, rng: random.Random) -> Iterator[Example]:
    """Every gold sentence twice with its neighbours, every automatic one once, shuffled."""
    parts: list[tuple[bool, list[Sentence]]] = []
    for gold, sentences in ((True, data.gold), (True, data.gold), (False, data.silver)):
        place = 0
        while place < len(sentences):
            size = rng.choice((1, 2, 3) if gold else (1, 1, 1, 2))
            parts.append((gold, sentences[place : place + size]))
            place += size
    rng.shuffle(parts)
    for gold, part in parts:
        yield _example(nlp, part if gold else [_respaced(one, rng) for one in part], gold=gold)


def _example(nlp: Language, sentences: Sequence[Sentence], *, gold: bool) -> Example:
    return Example(bare(nlp.vocab, sentences), document(nlp.vocab, sentences, lemmas=gold))


def _respaced(sentence: Sentence, rng: random.Random) -> Sentence:
    """An automatic sentence as other texts have it: WikiSplit sets hyphens apart, and some data every token."""
    kind = rng.random()
    if kind < 0.1:
        return tuple(word._replace(space=True, text="''" if word.text == '"' else word.text) for word in sentence)
    if kind < 0.5:
        return sentence
    close = [word.xpos == "HYPH" for word in sentence] + [False]
    return tuple(
        word._replace(space=word.space and not (close[place] or close[place + 1]))
        for place, word in enumerate(sentence)
    )


def rounded(nlp: Language) -> Language:
    """The pipeline with weights of BITS bits, to the nearest; other recipes use it, too."""
    drop = np.uint32(23 - BITS)
    for _, component in nlp.pipeline:
        for layer in component.model.walk():
            for name in layer.param_names:
                if layer.has_param(name):
                    weights = np.ascontiguousarray(layer.get_param(name), dtype=np.float32).view(np.uint32)
                    nearest = (weights + (np.uint32(1) << (drop - np.uint32(1)))) >> drop << drop
                    layer.set_param(name, nearest.view(np.float32))
    return nlp


if __name__ == "__main__":
    if "RUBRICA_DATA" not in os.environ:
        sys.exit("make parser: name the folder of data in RUBRICA_DATA; it has parser/ with the treebank.")
    size = pack(NAME, train(corpus(Path(os.environ["RUBRICA_DATA"]) / "parser")))
    print(f"{FOLDER / NAME}: {size:,} bytes; now measure it: python -m benchmarks parser")
