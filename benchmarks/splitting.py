"""What the three models make of Wiki-BM and of contract clauses: BLEU, SARI, counts, and speed against parsing.

Needs `split/` in the folder that RUBRICA_DATA names, and spaCy. BLEU and SARI are smoke tests: the source alone scores
about 70 and 28, a blind cut at the middle comma 47.9 SARI. Only counts are printed, no sentences. `rubrica` must be
above the source and the other models.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from sacrebleu.metrics.bleu import BLEU

from benchmarks.report import Figure
from rubrica.language.parsing import ENGLISH, parse
from rubrica.metrics.metric import Block, Options
from rubrica.metrics.sari import Sari
from rubrica.rewriting.split.models import MODELS, split
from rubrica.rewriting.split.patterns import counted, marks
from rubrica.rewriting.split.splitting import Split
from rubrica.rewriting.split.tree import Tree
from rubrica.rewriting.split.verifying import CONTENT, fault_of

PAPER = {"rc": 34, "conj": 71, "part": 34, "prep": 12, "adv": 19, "appos": 10, "inf": 5}
"""Table 1, Wiki-BM."""
PAPER_BLEU = {"paper": "paper, rules: 77.2", "copy": "paper, its neural model: 87.0", "rubrica": "paper, people: 77.8"}
"""Table 3, Wiki-BM, of other sentences of the same benchmark."""
PUT_IN = {
    "however",
    "then",
    "there",
    "do",
    "done",
    "so",
    "case",
    "year",
    "month",
    "day",
    "include",
    "included",
    "includes",
    "meanwhile",
    "time",
    "contrast",
    "due",
}
"""Content words that rules may put in."""


def _references(path: Path) -> dict[str, list[str]]:
    """The rewrites of each source, in the order of the file."""
    found: dict[str, list[str]] = {}
    for line in path.read_text(encoding="utf-8").splitlines()[1:]:
        source, simple = line.split("\t")[:2]
        found.setdefault(source, []).append(" ".join(simple.split()))
    return found


def _bleu(outputs: Sequence[str], references: Sequence[Sequence[str]]) -> float:
    most = max(map(len, references))
    streams = [[one[place] if place < len(one) else None for one in references] for place in range(most)]
    return float(BLEU().corpus_score(list(outputs), streams).score)


def _sari(sources: Sequence[str], outputs: Sequence[str], references: Sequence[Sequence[str]]) -> float:
    metric = Sari(Options())
    block = Block(0, sources, references, {"one": outputs})
    return float(metric.scores(metric.statistics(block, "one").sum(axis=0))[0])


def _content(texts: Sequence[str]) -> list[set[str]]:
    """The content words of each text, their lemmas in lower case."""
    return [
        {word.lemma.lower() for word in one.words if word.upos in CONTENT and word.text.isalnum()}
        for one in parse(texts, one_sentence=True)
    ]


def _counts(name: str, done: Sequence[Split]) -> Iterator[Figure]:
    sources, outputs = [one.source for one in done], [one.text for one in done]
    changed = [one for one in done if len(one.sentences) > 1]
    yield Figure(f"{name}, sentences an output", sum(len(one.sentences) for one in done) / len(done), "")
    yield Figure(f"{name}, sources split", 100 * len(changed) / len(done), "%")
    before, after = _content(sources), _content(outputs)
    lost = sum(len(one - other) for one, other in zip(before, after, strict=True))
    added = sum(len(other - one - PUT_IN) for one, other in zip(before, after, strict=True))
    yield Figure(
        f"{name}, content words lost", lost / len(done), "a source", detail="another tag counts as lost and added"
    )
    yield Figure(f"{name}, content words added", added / len(done), "a source")
    texts = [text for one in changed for text in one.sentences]
    faulty = {text for text, one in zip(texts, parse(texts, one_sentence=True), strict=True) if fault_of(text, one)}
    failing = sum(any(text in faulty for text in one.sentences) for one in changed)
    yield Figure(f"{name}, outputs failing verification", failing, f"of {len(changed)}")


def _speed(texts: Sequence[str]) -> Iterator[Figure]:
    list(split(texts[:20]))
    begun = time.process_time()
    words = sum(len(Tree(one, "")) for one in parse(texts, ENGLISH, one_sentence=True))
    parsing = time.process_time() - begun
    begun = time.process_time()
    list(split(texts))
    splitting = time.process_time() - begun
    yield Figure("parsing", words / parsing, "words a second")
    yield Figure("splitting, with its parsing, against parsing", splitting / parsing, "times as long", 2)


def run() -> Iterator[Figure]:
    """All figures; none without the data."""
    folder = Path(os.environ.get("RUBRICA_DATA", "")) / "split"
    if "RUBRICA_DATA" not in os.environ or not (folder / "wiki_bm_dev.tsv").is_file():
        print("  RUBRICA_DATA names no folder with split/: left out")
        return
    known = _references(folder / "wiki_bm_dev.tsv")
    sources, references = list(known), list(known.values())
    clauses = (folder / "contract_clauses_200.txt").read_text(encoding="utf-8").splitlines()
    yield from _scored("source", sources, sources, references)
    others = [_bleu(sources, references), _sari(sources, sources, references)]
    for model in reversed(MODELS):
        done = list(split(sources, model))
        figures = list(_scored(model, sources, [one.text for one in done], references))
        if model == "rubrica":
            figures = [one._replace(limit=best, at_least=True) for one, best in zip(figures, others, strict=True)]
        others = [max(one.value, best) for one, best in zip(figures, others, strict=True)]
        yield from figures
        yield from _counts(f"Wiki-BM, {model}", done)
        yield from _counts(f"contracts, {model}", list(split(clauses, model)))
    for pattern, number in counted(marks(sources)).items():
        share = 100 * number / len(sources)
        yield Figure(f"pattern {pattern}", share, "of 100", detail=f"paper: {PAPER[pattern]}")
    yield from _speed(clauses + sources)


def _scored(name: str, sources: Sequence[str], outputs: Sequence[str], references: list[list[str]]) -> Iterator[Figure]:
    yield Figure(f"Wiki-BM, {name}, BLEU", _bleu(outputs, references), "", detail=PAPER_BLEU.get(name, ""))
    yield Figure(f"Wiki-BM, {name}, SARI", _sari(sources, outputs, references), "")
