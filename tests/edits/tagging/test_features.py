"""What is seen of a word: the edit that is suggested there."""

from __future__ import annotations

import math

import pytest

from rubrica.edits.space_tokens import space_tokens
from rubrica.edits.tagging.features import features
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
