"""Trees of the other English scheme come out as Universal Dependencies has them, derived by hand."""

from __future__ import annotations

import pytest

from rubrica.language.clearnlp import Tree, universal

Row = tuple[str, str, str, int, str, int, str]
"""A word, its lemma and part of speech, then head and label in the other scheme and in Universal Dependencies."""

SENTENCES: dict[str, list[Row]] = {
    "a preposition hangs on its noun, the noun on the verb": [
        ("Cats", "cat", "NOUN", 1, "nsubj", 1, "nsubj"),
        ("sat", "sit", "VERB", 1, "ROOT", 1, "root"),
        ("on", "on", "ADP", 1, "prep", 3, "case"),
        ("mats", "mat", "NOUN", 2, "pobj", 1, "obl"),
        ("of", "of", "ADP", 3, "prep", 5, "case"),
        ("straw", "straw", "NOUN", 4, "pobj", 3, "nmod"),
    ],
    "the predicate is the head of a copula": [
        ("She", "she", "PRON", 1, "nsubj", 3, "nsubj"),
        ("is", "be", "AUX", 1, "ROOT", 3, "cop"),
        ("not", "not", "PART", 1, "neg", 3, "advmod"),
        ("ill", "ill", "ADJ", 1, "acomp", 3, "root"),
        (".", ".", "PUNCT", 1, "punct", 3, "punct"),
    ],
    "what there is, is the subject": [
        ("There", "there", "PRON", 1, "expl", 1, "expl"),
        ("were", "be", "VERB", 1, "ROOT", 1, "root"),
        ("boats", "boat", "NOUN", 1, "attr", 1, "nsubj"),
    ],
    "conjuncts hang on the first, a conjunction on the one after it": [
        ("Ann", "Ann", "PROPN", 4, "nsubj", 4, "nsubj"),
        ("Ben", "Ben", "PROPN", 0, "conj", 0, "conj"),
        ("and", "and", "CCONJ", 1, "cc", 3, "cc"),
        ("Cem", "Cem", "PROPN", 1, "conj", 0, "conj"),
        ("left", "leave", "VERB", 4, "ROOT", 4, "root"),
    ],
    "a second phrase with a preposition is a conjunct": [
        ("Sail", "sail", "VERB", 0, "ROOT", 0, "root"),
        ("by", "by", "ADP", 0, "prep", 2, "case"),
        ("day", "day", "NOUN", 1, "pobj", 0, "obl"),
        ("or", "or", "CCONJ", 1, "cc", 5, "cc"),
        ("at", "at", "ADP", 1, "conj", 5, "case"),
        ("night", "night", "NOUN", 4, "pobj", 2, "conj"),
    ],
    "passives, agents, particles and infinitives have their names": [
        ("Tea", "tea", "NOUN", 2, "nsubjpass", 2, "nsubj:pass"),
        ("was", "be", "AUX", 2, "auxpass", 2, "aux:pass"),
        ("handed", "hand", "VERB", 2, "ROOT", 2, "root"),
        ("out", "out", "ADP", 2, "prt", 2, "compound:prt"),
        ("by", "by", "ADP", 2, "agent", 5, "case"),
        ("her", "she", "PRON", 4, "pobj", 2, "obl:agent"),
        ("to", "to", "PART", 7, "aux", 7, "mark"),
        ("end", "end", "VERB", 2, "advcl", 2, "advcl"),
        ("thirst", "thirst", "NOUN", 7, "dobj", 7, "obj"),
    ],
    "a clause after a preposition is marked by it": [
        ("He", "he", "PRON", 1, "nsubj", 1, "nsubj"),
        ("left", "leave", "VERB", 1, "ROOT", 1, "root"),
        ("without", "without", "ADP", 1, "prep", 3, "mark"),
        ("paying", "pay", "VERB", 2, "pcomp", 1, "advcl"),
    ],
}


@pytest.mark.parametrize("what", SENTENCES)
def test_a_tree_is_turned_round(what: str) -> None:
    """Heads and labels are those of the guidelines of Universal Dependencies."""
    rows = SENTENCES[what]
    found = universal(
        Tree([row[3] for row in rows], [row[4] for row in rows]), [row[2] for row in rows], [row[1] for row in rows]
    )
    assert list(zip(*found, strict=True)) == [row[5:] for row in rows]


def test_a_label_that_nobody_knows_is_a_dependency() -> None:
    """Rules never meet a label of the other scheme."""
    assert universal(Tree([0, 0], ["ROOT", "meta"]), ["VERB", "X"], ["go", "x"]).labels == ["root", "dep"]
