"""The light model.

What is seen of a word: the edit that is suggested there.

The light model: its arithmetic by hand, and its file.
"""

from __future__ import annotations

import json
import math
from typing import Any

import pytest

from rubrica.edits.selection import space_tokens
from rubrica.edits.tagging.linear import LinearTagger, features, from_json, to_json
from rubrica.edits.tagging.tags import Pair

PAIR = Pair(
    name="1", source="The mayor, who was 60, opened the bridge.", rewrite="The mayor opened the bridge on Monday."
)
"""Suggested: "who was 60," is deleted, "on Monday." inserted."""


def test_every_token_has_features() -> None:
    """As many as tokens, on both sides, named by side and operation."""
    found = features(PAIR)
    assert [len(found[side]) for side in ("source", "rewrite")] == [8, 7]
    kinds = [[next(iter(seen)).split(":")[1] for seen in found[side]] for side in ("source", "rewrite")]
    assert kinds[0] == ["kept", "kept", "deletion", "deletion", "deletion", "kept", "kept", "kept"]
    assert kinds[1] == ["kept"] * 5 + ["insertion"] * 2


def test_features_of_an_edit_and_of_a_word() -> None:
    """The size of the edit, whether it stands at an end, and what the word looks like."""
    found = features(PAIR)
    sixty, monday = found["source"][4], found["rewrite"][6]
    assert sixty["source:deletion:number"] == 1
    assert sixty["source:deletion:here"] == pytest.approx(math.log(3) / 3)
    assert "source:deletion:last" not in sixty
    assert (monday["rewrite:insertion:last"], monday["rewrite:insertion:name"]) == (1, 1)
    assert monday["rewrite:insertion:ratio"] == pytest.approx(7 / 8)
    assert "source:kept:between" not in found["source"][0]


@pytest.mark.parametrize(
    ("source", "rewrite"), [("", ""), ("a  b", "c"), ("x", "x"), ("", "new words"), ("gone", ""), ("a || b", "a. || B")]
)
def test_odd_texts_have_features_too(source: str, rewrite: str) -> None:
    """Empty texts, double spaces, marks of a split and texts without a common word."""
    found = features(Pair(name="1", source=source, rewrite=rewrite))
    assert [len(found["source"]), len(found["rewrite"])] == [len(space_tokens(source)), len(space_tokens(rewrite))]


MODEL = LinearTagger(
    (0.0, 1.0, 0.0), {"source:deletion:bias": (3.0, 0.0, 1.0), "rewrite:insertion:bias": (0.0, 0.0, 2.0)}, {"n": 1}, 0.5
)
LINEAR_PAIR = Pair(name="1", source="The old gate", rewrite="The gate here")


def test_tags_follow_from_the_weights() -> None:
    """A word has the tag with the highest sum; the shares are those of the exponentials."""
    (found,) = MODEL.tag([LINEAR_PAIR])
    # "old" is gone: sums 3, 1, 1. "here" is new: 0, 1, 2. All others have the bias: 0, 1, 0.
    assert [token.tag for token in found["source"]] == ["ok", "bad", "ok"]
    assert [token.tag for token in found["rewrite"]] == ["ok", "ok", "good"]
    powers = [math.exp(3), math.exp(1), math.exp(1)]
    assert found["source"][1].likely["bad"] == pytest.approx(powers[0] / sum(powers))
    assert found["source"][1].span.of(LINEAR_PAIR.source) == "old"


def test_a_word_is_bad_only_where_training_could_tell() -> None:
    """Without a likelihood from which on half are bad, no word is, and the model says that this means nothing."""
    blind = LinearTagger(MODEL.bias, MODEL.weights, {"bad": {"precision": None, "reason": "too few"}})
    (found,) = blind.tag([LINEAR_PAIR])
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
