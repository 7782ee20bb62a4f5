"""Words of Japanese: what MeCab cuts, put together as people would name it."""

from __future__ import annotations

import pytest

from rubrica.language.japanese import Piece, is_there, put_together, word_alone, words_of

READS = [
    *(Piece("彼", "名詞", "代名詞", "彼"), Piece("が", "助詞", "格助詞", "が")),
    *(Piece("掲載", "名詞", "サ変接続", "掲載"), Piece("し", "動詞", "自立", "する")),
    *(Piece("た", "助動詞", "*", "た"), Piece("記事", "名詞", "一般", "記事"), Piece("は", "助詞", "係助詞", "は")),
    *(
        Piece("東京", "名詞", "固有名詞", "東京"),
        Piece("で", "助詞", "格助詞", "で"),
        Piece("長く", "形容詞", "自立", "長い"),
    ),
    *(
        Piece("待ち望ま", "動詞", "自立", "待ち望む"),
        Piece("れ", "動詞", "接尾", "れる"),
        Piece("て", "助詞", "接続助詞", "て"),
    ),
    *(Piece("い", "動詞", "非自立", "いる"), Piece("まし", "助動詞", "*", "ます"), Piece("た", "助動詞", "*", "た")),
    Piece("。", "記号", "句点", "。"),
]
"""What MeCab 0.996 with the IPA dictionary cuts of this sentence."""


def test_inflected_words_are_whole() -> None:
    """A verb with its endings, a noun with the する that makes a verb of it; names are told, pronouns are no words."""
    text = "".join(piece.text for piece in READS)
    assert [(word.text, word.start, word.upos, word.base) for word in put_together(text, READS)] == [
        ("掲載した", 2, "VERB", "掲載"), ("記事", 6, "NOUN", "記事"), ("東京", 9, "PROPN", "東京"),
        ("長く", 12, "ADJ", "長い"), ("待ち望まれていました", 14, "VERB", "待ち望む"),
    ]  # fmt: skip


def test_a_part_of_a_longer_word_is_none() -> None:
    """消防 of 消防士, コーディング of エンコーディング; the piece behind it is one if it stands alone."""
    pieces = [
        Piece("消防", "名詞", "一般", "消防"),
        Piece("士", "名詞", "接尾", "士"),
        Piece("は", "助詞", "係助詞", "は"),
    ]
    pieces += [Piece("エン", "名詞", "一般", "エン"), Piece("コーディング", "名詞", "一般", "コーディング")]
    pieces += [Piece("を", "助詞", "格助詞", "を"), Piece("学ぶ", "動詞", "自立", "学ぶ")]
    text = "消防士は エンコーディングを学ぶ"
    assert [(word.text, word.start) for word in put_together(text, pieces)] == [("学ぶ", 14)]


@pytest.mark.skipif(not is_there(), reason="MeCab is not installed (rubrica[cjk])")
def test_mecab_gives_the_same() -> None:
    """The pieces above are its own; a form by itself has its base."""
    text = "".join(piece.text for piece in READS)
    assert words_of(text) == list(put_together(text, READS))
    assert word_alone("載せました").base == "載せる"
