"""How complex a word is in its context: a ridge regression on few features, which says what each adds.

A baseline in the way of the first systems for complex words (Paetzold and Specia, SemEval 2016 Task 11; Shardlow
et al., SemEval-2021 Task 1): frequency, length, syllables, characters and the context. Users train it on their own
released file; none is shipped, since the shared tasks' files may not be used commercially. The penalty is chosen by
leaving one instance out (Golub, Heath and Wahba, Generalized cross-validation, Technometrics 21, 1979); it is harder on
what is known to matter less, so that few words do not teach it chance.
"""

from __future__ import annotations

import json
import math
import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import attrs
import numpy as np
import numpy.typing as npt

from rubrica.core.errors import wrong
from rubrica.core.marking import cut, is_unspaced
from rubrica.language import frequency
from rubrica.language.names import base_language, language_name
from rubrica.language.syllables import syllables

Real = npt.NDArray[np.float64]
FORM = "rubrica-complexity-1"
FEATURES: Mapping[str, str] = {
    "rarity": "how rare the word is: 8 less its Zipf frequency",
    "unlisted": "the word is not in the frequency list",
    "letters": "letters of the word",
    "syllables": "syllables of the word",
    "distinct": "different letters of the word",
    "capital": "begins with a capital letter, though not the sentence",
    "position": "how far into the sentence it stands, from 0 to 1",
    "context_words": "words of the context, as a logarithm",
    "context_rarity": "how rare the other words of the context are, on average",
}
FREQUENCY_ONLY = ("rarity", "unlisted")
"""The plain frequency baseline."""
TRUST = {"rarity": 1.0, "unlisted": 0.5, "letters": 0.5, "syllables": 0.5}
"""How far a feature is trusted beforehand: the penalty is divided by the square; 0.2 for others."""
PENALTIES = (0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0, 300.0)
MANY = 200
"""Up to about so many words intervals of correlations are wide, and it is said."""
LEAST = 8
"""From fewer instances nothing is learned."""


class Instance(NamedTuple):
    """A word in its context."""

    context: str
    target: str


class Part(NamedTuple):
    """What a feature adds to a prediction: its value, and how far it moves the prediction from the mean."""

    feature: str
    value: float
    adds: float


class Explained(NamedTuple):
    """A prediction from 0 to 1, and what it is made of: the mean of the training data and what each feature adds."""

    value: float
    mean: float
    parts: tuple[Part, ...]


def features(instance: Instance, language: str) -> dict[str, float]:
    """The features of a word. A language without a frequency list has none of those that need it."""
    word, text = instance.target.strip(), instance.context
    table = frequency.table(language)
    letters = [sign for sign in word if sign.isalpha()]
    start = max(text.find(word), 0)
    spaced = [token for token in cut(text) if token[:1].isalnum()]
    found = {
        "letters": float(len(letters)),
        "syllables": float(syllables(word, language) or len(letters)),
        "distinct": float(len({unicodedata.normalize("NFD", sign.lower())[0] for sign in letters})),
        "capital": float(word[:1].isupper() and start > 0),
        "position": start / max(1, len(text)),
        "context_words": math.log(1 + len(spaced)),
    }
    if table is not None:
        zipf = frequency.listed_zipf(table, word)
        others = [frequency.listed_zipf(table, token) for token in spaced if token != word and not is_unspaced(token)]
        known = [8 - value for value in others if value]
        found["rarity"], found["unlisted"] = 8 - zipf, float(not zipf)
        found["context_rarity"] = sum(known) / len(known) if known else 0.0
    return {name: found[name] for name in FEATURES if name in found}


FARTHEST = 3.0
"""So many standard deviations a feature counts at most: beyond what was seen a line says nothing."""


def _bounded(standard: float) -> float:
    return min(FARTHEST, max(-FARTHEST, standard))


@attrs.frozen(kw_only=True)
class Model:
    """A trained regression: means and spreads of the features, their weights, and what it was trained on."""

    language: str
    names: tuple[str, ...]
    means: tuple[float, ...]
    spreads: tuple[float, ...]
    weights: tuple[float, ...]
    mean: float
    penalty: float
    instances: int
    data: str = ""
    frequencies: str = ""

    def explain(self, instance: Instance) -> Explained:
        """A prediction with its parts, the largest first; never below 0 or above 1."""
        own = features(instance, self.language)
        parts = [
            Part(name, own.get(name, mean), weight * _bounded((own.get(name, mean) - mean) / spread))
            for name, mean, spread, weight in zip(self.names, self.means, self.spreads, self.weights, strict=True)
        ]
        value = self.mean + sum(part.adds for part in parts)
        return Explained(min(1.0, max(0.0, value)), self.mean, tuple(sorted(parts, key=lambda part: -abs(part.adds))))

    def predict(self, instances: Sequence[Instance]) -> list[float]:
        """The complexity of each, from 0 to 1."""
        return [self.explain(one).value for one in instances]

    def check_language(self, language: str) -> None:
        """Raise InputError for words of another language: its frequencies would say nothing of them."""
        if base_language(self.language) != base_language(language):
            what = f"the model is for {language_name(self.language)}, the texts are in {language_name(language)}"
            raise wrong(what, "model", "Train one on words of this language.", value=self.language)

    def dumps(self) -> str:
        """As a file has it."""
        return json.dumps({"form": FORM, **attrs.asdict(self)}, ensure_ascii=False, indent=1) + "\n"


def loads(text: str, file: str) -> Model:
    """A model from the text of its file. Raises InputError for anything else."""
    fix = "Give a file that `rubrica complexity train` wrote."
    try:
        found = json.loads(text)
        model = None
        if isinstance(found, dict) and found.pop("form", "") == FORM:
            lists: dict[str, Any] = {key: tuple(value) for key, value in found.items() if isinstance(value, list)}
            model = Model(**{**found, **lists})
    except (ValueError, TypeError) as error:
        raise wrong(f"this is no model of complexity: {error}", "model", fix, file=file) from error
    if model is None or len({len(model.names), len(model.means), len(model.spreads), len(model.weights)}) != 1:
        raise wrong("this is no model of complexity", "model", fix, file=file)
    return model


def train(
    instances: Sequence[Instance], values: Sequence[float], language: str, only: Sequence[str] = (), data: str = ""
) -> Model:
    """Train on words with their complexity. ``only`` takes some features. Raises InputError for too few words."""
    if len(instances) < LEAST:
        words = "word is" if len(instances) == 1 else "words are"
        what = f"{len(instances)} {words} too few to learn from"
        raise wrong(what, "training", f"Give at least {LEAST}.", value=len(instances))
    rows = [features(one, language) for one in instances]
    names = [name for name in rows[0] if not only or name in only]
    if not names:
        what = f"there are no word frequencies for {language_name(language)}"
        raise wrong(what, "language", "Leave the frequency baseline out.", value=language)
    table = np.array([[row[name] for name in names] for row in rows])
    means, spreads = table.mean(axis=0), table.std(axis=0)
    spreads = np.where(spreads > 1e-9, spreads, 1.0)
    standard, wanted = (table - means) / spreads, np.asarray(values, dtype=float)
    trust = np.array([TRUST.get(name, 0.2) for name in names])
    shrunk, penalty = _ridge(standard * trust, wanted - wanted.mean())
    weights = shrunk * trust
    return Model(
        language=language,
        names=tuple(names),
        means=tuple(means.tolist()),
        spreads=tuple(spreads.tolist()),
        weights=tuple(weights.tolist()),
        mean=float(wanted.mean()),
        penalty=penalty,
        instances=len(instances),
        data=data,
        frequencies=frequency.list_version() if frequency.table(language) is not None else "",
    )


def _ridge(standard: Real, wanted: Real) -> tuple[Real, float]:
    """Weights with the penalty whose predictions of left-out instances are nearest."""
    left, sizes, right = np.linalg.svd(standard, full_matrices=False)
    turned = left.T @ wanted
    best: tuple[float, Real, float] | None = None
    for penalty in PENALTIES:
        shrunk = sizes**2 / (sizes**2 + penalty)
        rest = wanted - left @ (shrunk * turned)
        # What an instance contributes to its own prediction, its share of the mean included.
        own = (left**2 * shrunk).sum(axis=1) + 1 / len(wanted)
        error = float(np.mean((rest / np.maximum(1 - own, 1e-6)) ** 2))
        if best is None or error < best[0]:
            best = error, right.T @ (sizes / (sizes**2 + penalty) * turned), penalty
    assert best is not None
    return best[1], best[2]


def cross_validated(
    instances: Sequence[Instance], values: Sequence[float], language: str, folds: int, only: Sequence[str] = ()
) -> list[float]:
    """A prediction of each word by a model that has not seen its context; folds take contexts in turn."""
    order = {context: place for place, context in enumerate(dict.fromkeys(one.context for one in instances))}
    if len(order) < 2:
        raise wrong("all words stand in one context", "training", "Give several contexts.", value=len(order))
    fold = [order[one.context] % min(folds, len(order)) for one in instances]
    found = [0.0] * len(instances)
    for number in set(fold):
        kept = [place for place, own in enumerate(fold) if own != number]
        model = train([instances[place] for place in kept], [values[place] for place in kept], language, only)
        for place, own in enumerate(fold):
            if own == number:
                found[place] = model.explain(instances[place]).value
    return found
