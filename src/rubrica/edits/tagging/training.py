"""Training the light model on pairs whose tags are known, with scikit-learn (the extra ``tagging``).

With few sentences a model learns their accidents. So weights are held near zero, except those that say what a
comparison found of a word (``bias``): held strongly enough, the model is the diff baseline. How strongly is decided
by the training sentences themselves: each part is predicted from the others, and the strength that predicts best (log
loss) is taken.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import attrs

from rubrica.core.edits import SIDES
from rubrica.core.errors import wrong
from rubrica.edits.tagging.evaluation import Fold, sentence_folds
from rubrica.edits.tagging.linear import BIAS, Features, LinearTagger, features
from rubrica.edits.tagging.tags import BAD, TAGS, Example

STRENGTHS = (0.001, 0.03, 1.0)
"""What is tried: the inverse of how strongly weights are held near zero (scikit-learn's C)."""
FREE = 10.0
"""Biases are made so much larger in training, and so held so much (squared) less."""
PARTS = 3
ROUNDS = 2000
NEVER = -1e9
"""The bias of a tag that training never met."""
_LEAST = 1e-6
PRECISION, LEAST_GIVEN = 0.5, 20
"""A word is called bad only where half of such words are bad, measured on so many at least, and still are without any
one sentence: the twenty words of one bad edit prove no more than one word."""


def train(examples: Sequence[Example], trained: Mapping[str, Any] | None = None) -> LinearTagger:
    """The model of these examples, the same for the same examples.

    Raises InputError without scikit-learn, or when fewer than two different tags occur.
    """
    tags = [tag for example in examples for tag in right_tags(example)]
    if len(set(tags)) < 2:
        what = f"all {len(tags)} words are {tags[0]}" if tags else "there are no words"
        raise wrong(what, "training", "Train on pairs with successful or failed edits, classified.", value=len(tags))
    seen = {id(example): _all_features(example) for example in examples}
    strength = _best_strength(examples, seen)
    bad = _bad_words(examples, seen, strength)
    model = _fit(examples, seen, strength, {**(trained or {}), "strength": strength, "bad": bad.as_json()})
    return attrs.evolve(model, bad_from=bad.above)


@attrs.frozen
class BadWords:
    """How well bad words are found on sentences that training did not see, and from which likelihood on.

    ``above`` is None where no likelihood is right often enough: then no word is called bad.
    """

    above: float | None
    given: int
    right: int
    bad: int

    def f1(self) -> float:
        """F1 of the words called bad; 0 where none is."""
        return 2 * self.right / (self.given + self.bad) if self.given else 0.0

    def as_json(self) -> dict[str, Any]:
        """Precision and recall, or that there are none."""
        if self.above is None:
            why = f"no {LEAST_GIVEN} words are bad with a precision of {PRECISION:.0%}, whichever sentence is left out"
            return {"precision": None, "reason": why, "recall": None, "words": 0}
        return {"precision": self.right / self.given, "recall": self.right / self.bad, "words": self.given}


def _bad_words(examples: Sequence[Example], seen: Mapping[int, list[Features]], strength: float) -> BadWords:
    """The likelihood that finds bad words best (F1) and is right half of the time, by predicting parts from others."""
    found: list[tuple[float, bool, str]] = []
    for fold in _telling(examples):
        model = _fit(fold.seen, seen, strength, {})
        for example in fold.unseen:
            likely = (model.likely(one)[BAD] for one in seen[id(example)])
            found += [
                (value, tag == BAD, example.pair.source) for value, tag in zip(likely, right_tags(example), strict=True)
            ]
    found.sort(reverse=True)
    bad, right = sum(is_bad for _, is_bad, _ in found), 0
    best = BadWords(None, 0, 0, bad)
    by_sentence: dict[str, list[bool]] = {}
    for given, (above, is_bad, sentence) in enumerate(found, start=1):
        right += is_bad
        by_sentence.setdefault(sentence, []).append(is_bad)
        ends = given == len(found) or found[given][0] < above
        here = BadWords(above, given, right, bad)
        if ends and given >= LEAST_GIVEN and here.f1() > best.f1() and _holds(by_sentence.values(), given, right):
            best = here
    return best


def _holds(sentences: Iterable[Sequence[bool]], given: int, right: int) -> bool:
    """Whether half of the words called bad are, with all sentences and without any one of them."""
    fewest = min((right - sum(words) - PRECISION * (given - len(words)) for words in sentences), default=-1.0)
    return right >= PRECISION * given and fewest > 0


def right_tags(example: Example) -> list[str]:
    """The tags of all words, source first."""
    return [tag for side in SIDES for tag in example.tags[side]]


def _all_features(example: Example) -> list[Features]:
    found = features(example.pair)
    return [seen for side in SIDES for seen in found[side]]


def _best_strength(examples: Sequence[Example], seen: Mapping[int, list[Features]]) -> float:
    """The strength whose models predict unseen sentences best; the strongest hold if there is nothing to compare."""
    folds = _telling(examples)
    return min(STRENGTHS, key=lambda strength: sum(_loss(fold.seen, fold.unseen, seen, strength) for fold in folds))


def _telling(examples: Sequence[Example]) -> list[Fold]:
    """Parts of the sentences, each with the others to learn from; without those from which nothing is learnt."""
    return [
        fold
        for fold in sentence_folds(examples, PARTS, 0)
        if len({tag for example in fold.seen for tag in right_tags(example)}) > 1
    ]


def _loss(
    known: Sequence[Example], unseen: Sequence[Example], seen: Mapping[int, list[Features]], strength: float
) -> float:
    model = _fit(known, seen, strength, {})
    return -sum(
        math.log(max(_LEAST, model.likely(found)[tag]))
        for example in unseen
        for found, tag in zip(seen[id(example)], right_tags(example), strict=True)
    )


def _fit(
    examples: Sequence[Example], seen: Mapping[int, list[Features]], strength: float, trained: Mapping[str, Any]
) -> LinearTagger:
    extraction, linear_model = _library()
    table = extraction.DictVectorizer()
    rows = [_freed(found) for example in examples for found in seen[id(example)]]
    model = linear_model.LogisticRegression(C=strength, max_iter=ROUNDS)
    model.fit(table.fit_transform(rows), [tag for example in examples for tag in right_tags(example)])
    return _linear(model, list(table.get_feature_names_out()), trained)


def _freed(found: Features) -> Features:
    return {name: value * _scale(name) for name, value in found.items()}


def _scale(name: str) -> float:
    return FREE if name.endswith(BIAS) else 1.0


def _linear(model: Any, names: list[str], trained: Mapping[str, Any]) -> LinearTagger:
    """The fitted model by tag. Of two tags the library fits one, against the other; one never met is never likely."""
    met = [str(tag) for tag in model.classes_]
    fitted = met[-len(model.coef_) :]
    weights = dict(zip(fitted, model.coef_.tolist(), strict=True))
    biases = dict(zip(fitted, model.intercept_.tolist(), strict=True))
    bias = tuple(biases.get(tag, 0.0 if tag in met else NEVER) for tag in TAGS)
    return LinearTagger(
        bias,
        {
            name: tuple(weights[tag][index] * _scale(name) if tag in weights else 0.0 for tag in TAGS)
            for index, name in enumerate(names)
        },
        trained,
    )


def _library() -> tuple[Any, Any]:
    try:
        from sklearn import feature_extraction, linear_model
    except ImportError as error:
        fix = "Install it: pip install 'rubrica[tagging]'. Tagging with a trained model does not need it."
        raise wrong("training needs scikit-learn", "not_installed", fix, value=error.name) from error
    return feature_extraction, linear_model
