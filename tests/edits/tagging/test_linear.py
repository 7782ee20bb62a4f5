"""The light model: its arithmetic by hand, and its file."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest

from rubrica.edits.tagging.linear import LinearTagger, from_json, to_json
from rubrica.edits.tagging.tags import Pair

MODEL = LinearTagger(
    (0.0, 1.0, 0.0), {"source:deletion:bias": (3.0, 0.0, 1.0), "rewrite:insertion:bias": (0.0, 0.0, 2.0)}, {"n": 1}, 0.5
)
PAIR = Pair(name="1", source="The old gate", rewrite="The gate here")


def test_tags_follow_from_the_weights() -> None:
    """A word has the tag with the highest sum; the shares are those of the exponentials."""
    (found,) = MODEL.tag([PAIR])
    # "old" is gone: sums 3, 1, 1. "here" is new: 0, 1, 2. All others have the bias: 0, 1, 0.
    assert [token.tag for token in found["source"]] == ["ok", "bad", "ok"]
    assert [token.tag for token in found["rewrite"]] == ["ok", "ok", "good"]
    powers = [math.exp(3), math.exp(1), math.exp(1)]
    assert found["source"][1].likely["bad"] == pytest.approx(powers[0] / sum(powers))
    assert found["source"][1].span.of(PAIR.source) == "old"


def test_a_word_is_bad_only_where_training_could_tell() -> None:
    """Without a likelihood from which on half are bad, no word is, and the model says that this means nothing."""
    blind = LinearTagger(MODEL.bias, MODEL.weights, {"bad": {"precision": None, "reason": "too few"}})
    (found,) = blind.tag([PAIR])
    assert [token.tag for token in found["source"]] == ["ok", "good", "ok"]
    assert "none means nothing" in blind.on_bad_words
    sure = LinearTagger(MODEL.bias, MODEL.weights, {"bad": {"precision": 0.62, "recall": 0.2, "words": 40}}, 0.7)
    assert sure.on_bad_words.startswith("words tagged bad were bad in 62% of cases on unseen sentences")


def test_a_model_round_trips_through_its_file() -> None:
    """What is written is read again, and its name follows from its content."""
    again = from_json(json.loads(to_json(MODEL)))
    assert again == MODEL
    assert again.name == MODEL.name
    assert LinearTagger((0.0, 1.0, 0.5), MODEL.weights).name != MODEL.name


@pytest.mark.parametrize(
    "spoilt",
    [
        {"format": "pickle"},
        {"version": 1},
        {"features": "0"},
        {"tags": ["good", "ok", "bad"]},
        {"weights": []},
        {"trained": None},
        {"bias": [1, 2]},
        {"bad_from": "often"},
        {"bad_from": 2},
        {"bias": [1, 2, "3"]},
        {"weights": {"a": [1, 2, True]}},
        {"weights": {"a": [1, 2, float("inf")]}},
    ],
)
def test_other_files_are_refused(spoilt: dict[str, Any]) -> None:
    """Whatever is no model of this version is refused in words."""
    with pytest.raises(ValueError, match=r"\w+"):
        from_json({**json.loads(to_json(MODEL)), **spoilt})
    with pytest.raises(ValueError, match="format"):
        from_json([])
