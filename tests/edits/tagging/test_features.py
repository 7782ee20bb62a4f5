"""What is seen of a word."""

from __future__ import annotations

from rubrica.edits.space_tokens import space_tokens
from rubrica.edits.tagging.features import blocks, features, plain_words
from rubrica.edits.tagging.tags import Pair
from tests.edits.pairs import REWRITE, SOURCE

PAIR = Pair(name="1", source=SOURCE, rewrite=REWRITE)


def test_words_are_compared_without_case_and_punctuation() -> None:
    """Kept, replaced and new stretches; a sign that is nothing but punctuation stays."""
    assert plain_words("“Noon.” || It") == ["noon", "||", "it"]
    found = blocks(plain_words(SOURCE), plain_words(REWRITE))
    assert [(block.kind, len(block.source), len(block.rewrite)) for block in found] == [
        ("kept", 1, 1),
        ("replaced", 2, 2),
        ("kept", 2, 2),
        ("replaced", 1, 1),
        ("kept", 2, 2),
        ("new", 0, 1),
    ]


def test_every_token_has_features() -> None:
    """As many as tokens, on both sides, named by side and kind."""
    found = features(PAIR)
    assert [len(found[side]) for side in ("source", "rewrite")] == [8, 9]
    assert found["source"][1]["source:replaced:bias"] == 1
    assert found["rewrite"][8]["rewrite:new:stop"] == 1
    assert found["rewrite"][5]["rewrite:replaced:split"] == 1


def test_odd_texts_have_features_too() -> None:
    """Empty texts, double spaces and texts without a common word."""
    for source, rewrite in (("", ""), ("a  b", "c"), ("x", "x"), ("", "new words")):
        found = features(Pair(name="1", source=source, rewrite=rewrite))
        assert [len(found["source"]), len(found["rewrite"])] == [len(space_tokens(source)), len(space_tokens(rewrite))]
