"""The corpus form of BrevE and CLaro."""

import json

from rubrica.exchange.needs_rewriting import NeedsRewriting, needs_rewriting_lines


def test_keys_and_labels() -> None:
    """One object a line with the corpus's keys in its order; accents stay as they are."""
    sentences = [NeedsRewriting("Así fue.", False, "d2"), NeedsRewriting("Procedió a «leer».", True, "d1")]
    text = needs_rewriting_lines(sentences)
    assert text.splitlines()[0] == '{"sentence": "Así fue.", "label": 0, "idx": 0, "index": "d2"}'
    assert json.loads(text.splitlines()[1]) == {"sentence": "Procedió a «leer».", "label": 1, "idx": 1, "index": "d1"}


def test_no_sentence_is_an_empty_file() -> None:
    """Nothing decided, nothing written."""
    assert needs_rewriting_lines([]) == ""
