"""SARI against the published formula, written out here with plain counters, and a case counted by hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rubrica.core.errors import InputError
from rubrica.metrics.catalog import metrics_of
from rubrica.metrics.metric import Block, Options

Texts = tuple[str, str, list[str]]


def grams(text: str, order: int) -> Counter[tuple[str, ...]]:
    """The n-grams of a text."""
    tokens = text.split()
    return Counter(tuple(tokens[place : place + order]) for place in range(len(tokens) - order + 1))


def plainly(corpus: Sequence[Texts], *, deletion: str = "f1") -> list[float]:
    """SARI, add, keep, delete as Xu et al. 2016 define them, sums over sentences, as EASSE averages them."""
    scores = np.zeros((3, 4))
    for order in range(1, 5):
        counts = np.zeros((3, 3))
        for source, rewrite, references in corpus:
            old, new = grams(source, order), grams(rewrite, order)
            wanted: Counter[tuple[str, ...]] = Counter()
            for reference in references:
                wanted += grams(reference, order)
            added, to_add = set(new) - set(old), set(wanted) - set(old)
            counts[0] += len(added & set(wanted)), len(added), len(to_add)
            times = len(references)
            there = Counter({gram: count * times for gram, count in old.items()})
            here = Counter({gram: count * times for gram, count in new.items()})
            for operation, by_system, by_references in (
                (1, there & here, there & wanted),
                (2, there - here, there - wanted),
            ):
                both = sum((by_system & by_references).values())
                counts[operation] += both, sum(by_system.values()), sum(by_references.values())
        for operation, (correct, by_system, by_references) in enumerate(counts):
            precision = correct / by_system if by_system else 0.0
            recall = correct / by_references if by_references else 0.0
            f1 = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
            scores[operation, order - 1] = precision if operation == 2 and deletion == "precision" else f1
    parts = 100 * scores.mean(axis=1)
    return [float(parts.mean()), *map(float, parts)]


def ours(corpus: Sequence[Texts], name: str = "sari", **options: object) -> list[float]:
    """What the metric gives for a corpus."""
    (metric,) = metrics_of([name], Options(**options))  # type: ignore[arg-type]
    block = Block(0, [one[0] for one in corpus], [one[2] for one in corpus], {"it": [one[1] for one in corpus]})
    return list(metric.scores(metric.statistics(block, "it").sum(axis=0)))


sentences = st.lists(st.sampled_from("abcde"), max_size=7).map(" ".join)
corpora = st.lists(st.tuples(sentences, sentences, st.lists(sentences, min_size=1, max_size=3)), min_size=1, max_size=5)


@settings(max_examples=150)
@given(corpora)
def test_any_corpus_has_the_sari_of_the_formula(corpus: list[Texts]) -> None:
    """Uneven numbers of references, repeated words, empty rewrites."""
    assert ours(corpus) == pytest.approx(plainly(corpus), abs=1e-9)
    assert ours(corpus, deletion="precision") == pytest.approx(plainly(corpus, deletion="precision"), abs=1e-9)


def test_a_case_by_hand() -> None:
    """One sentence of one word each, so that only unigrams count: the other orders are 0.

    Source "big", rewrite "large", references "large" and "big". Added: large, and a reference has it: 1 of 1, 1 of 1,
    F1 1. Kept: the rewrite keeps nothing: 0. Deleted: big, which counts twice for two references (2 by the system); one
    reference deleted it (1); both: 1, so precision 1/2, recall 1, F1 2/3. Each is divided by the four orders.
    """
    found = ours([("big", "large", ["large", "big"])])
    assert found[1:] == pytest.approx([25, 0, 100 * 2 / 3 / 4])
    assert found[0] == pytest.approx((25 + 0 + 100 / 6) / 3)


def test_means_of_operations_as_in_the_paper() -> None:
    """Precision and recall are averaged over orders before F1 is taken: here add has 1/4 and 1/4, so F1 is 1/4."""
    corpus = [("big", "large", ["large", "big"])]
    assert ours(corpus, averaging="operations")[1] == pytest.approx(25)
    # Delete: precision 1/2 / 4, recall 1 / 4: F1 of 1/8 and 1/4 is 1/6.
    assert ours(corpus, averaging="operations")[3] == pytest.approx(100 / 6)


def test_case_and_tokens_are_options() -> None:
    """Lowercased and cut by 13a unless told otherwise."""
    corpus = [("The cat.", "the Cat .", ["the cat."])]
    assert ours(corpus)[2] == pytest.approx(75)  # three tokens kept: orders 1 to 3
    assert ours(corpus, lowercase=False)[2] < 75
    assert ours(corpus, tokenizer="none")[2] < 75


def test_the_mean_of_sentences() -> None:
    """Each sentence for itself, then the mean."""
    corpus = [("a b", "a", ["a"]), ("c d", "c d e", ["c e"])]
    assert ours(corpus, "sent_sari")[0] == pytest.approx(np.mean([plainly([one])[0] for one in corpus]))


@pytest.mark.parametrize("options", [{"deletion": "recall"}, {"averaging": "all"}])
def test_unknown_choices_are_refused(options: dict[str, str]) -> None:
    """With those that exist."""
    with pytest.raises(InputError, match="Use one of"):
        metrics_of(["sari"], Options(**options))  # type: ignore[arg-type]
