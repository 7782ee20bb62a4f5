"""The baseline of complexity: what it learns, how it explains itself, how it is kept."""

from __future__ import annotations

import numpy as np
import pytest

from rubrica.core.errors import InputError
from rubrica.rewriting.lexical.complexity import (
    FREQUENCY_ONLY,
    Instance,
    cross_validated,
    features,
    loads,
    train,
)

EASY = ["house", "water", "school", "friend", "table", "money", "night", "story", "green", "happy"]
HARD = [
    "abscond",
    "perfidy",
    "obdurate",
    "lachrymose",
    "recondite",
    "turpitude",
    "querulous",
    "insouciant",
    "mendacious",
]
WORDS = [
    Instance(f"People spoke of the {word} for a long time in town {place}.", word)
    for place, word in enumerate([*EASY, *HARD])
]
VALUES = [0.1] * len(EASY) + [0.8] * len(HARD)


def test_it_learns_that_rare_words_are_hard() -> None:
    """On words that it has not seen."""
    model = train(WORDS, VALUES, "en")
    easy, hard = model.predict(
        [Instance("A garden is here.", "garden"), Instance("A sesquipedalian is here.", "sesquipedalian")]
    )
    assert 0 <= easy < 0.45
    assert 0.6 < hard <= 1


def test_the_parts_of_an_explanation_add_up() -> None:
    """Mean and parts are the prediction, unless it was cut at 0 or 1."""
    one = train(WORDS, VALUES, "en").explain(Instance("The river was cold in winter.", "river"))
    assert one.value == pytest.approx(one.mean + sum(part.adds for part in one.parts))
    assert abs(one.parts[0].adds) >= abs(one.parts[-1].adds)


def test_with_one_feature_and_no_penalty_it_is_the_regression_line() -> None:
    """The least penalty is nearly least squares: the slope equals numpy's."""
    model = train(WORDS, VALUES, "en", only=("rarity",))
    own = np.array([features(word, "en")["rarity"] for word in WORDS])
    slope = np.polyfit(own, VALUES, 1)[0]
    assert model.weights[0] / model.spreads[0] == pytest.approx(slope, rel=0.1)


def test_a_model_comes_back_from_its_file() -> None:
    """Equal, and with equal predictions."""
    model = train(WORDS, VALUES, "en", data="abc")
    again = loads(model.dumps(), "m.json")
    assert again == model
    assert again.predict(WORDS[:3]) == model.predict(WORDS[:3])


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"form": "rubrica-complexity-1"}', '{"form": "other"}'])
def test_other_files_are_no_models(text: str) -> None:
    """Each is refused with its name."""
    with pytest.raises(InputError, match=r"m\.json: this is no model"):
        loads(text, "m.json")


def test_a_context_is_never_in_both_parts() -> None:
    """So a value that hangs on the context alone cannot be learned by heart."""
    shared = [Instance(f"Town {place} has a {word} and more.", word) for place in range(6) for word in EASY[:3]]
    found = cross_validated(
        shared, [place / 10 for place in range(6) for _ in range(3)], "en", 6, only=("context_words",)
    )
    assert np.ptp(found) < 0.2


def test_languages_without_a_list() -> None:
    """Sinhala has no frequencies: the other features are left, and a frequency baseline is refused."""
    words = [Instance(f"මෙය {'පොත' * (1 + place % 4)} වේ.", "පොත" * (1 + place % 4)) for place in range(12)]
    values = [0.2 * (1 + place % 4) for place in range(12)]
    model = train(words, values, "si")
    assert "rarity" not in model.names
    assert model.frequencies == ""
    with pytest.raises(InputError, match="no word frequencies for Sinhala"):
        train(words, values, "si", only=FREQUENCY_ONLY)


def test_too_few_words() -> None:
    """Nothing is learned from seven."""
    with pytest.raises(InputError, match="too few to learn from"):
        train(WORDS[:7], VALUES[:7], "en")
