"""Trees of the other English scheme in Universal Dependencies, near enough for rules.

The pipelines of spaCy's makers (``en_core_web_sm``, ``_md``, ``_lg``, ``_trf``) have labels after ClearNLP (Choi and
Palmer 2012): prepositions and forms of *be* are heads, and each conjunct hangs on the one before. In Universal
Dependencies (Nivre et al. 2020) content words are heads. The differences in heads are turned round here, then labels
are renamed; what has no counterpart becomes ``dep``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

SIGNS = frozenset({"pobj", "dobj", "nsubjpass"})
"""Labels that only the other scheme has: a parser that knows one speaks it."""

_NOMINAL = ("NOUN", "PROPN", "PRON", "NUM", "SYM")
_SAME = frozenset(
    {"acl", "advcl", "advmod", "amod", "appos", "aux", "case", "cc", "ccomp", "compound", "conj", "cop", "csubj", "dep"}
    | {"det", "expl", "mark", "nmod", "nsubj", "nummod", "obl", "parataxis", "punct", "root", "xcomp"}
)
_RENAMED = {
    "acomp": "xcomp",
    "agent": "obl:agent",
    "attr": "xcomp",
    "auxpass": "aux:pass",
    "csubjpass": "csubj:pass",
    "dative": "iobj",
    "dobj": "obj",
    "intj": "discourse",
    "neg": "advmod",
    "nsubjpass": "nsubj:pass",
    "oprd": "xcomp",
    "poss": "nmod:poss",
    "preconj": "cc:preconj",
    "predet": "det:predet",
    "prt": "compound:prt",
    "quantmod": "advmod",
    "relcl": "acl:relcl",
    "ROOT": "root",
}
_BE = frozenset({"be", "is", "was", "are", "were", "am", "been", "being", "'s", "’s", "'re", "’re", "'m", "’m"})
"""Its lemma, and its forms, where a pipeline tells no lemmas."""
_PREPOSITIONS = frozenset({"prep", "agent", "dative"})


class Tree(NamedTuple):
    """The head of each word, its own place for a root, and each word's label."""

    heads: list[int]
    labels: list[str]


def universal(tree: Tree, upos: Sequence[str], lemmas: Sequence[str]) -> Tree:
    """The same sentence with content words as heads and labels of Universal Dependencies.

    A word stands for its lemma where that is not known.
    """
    heads, labels = list(tree.heads), list(tree.labels)
    for place in range(len(heads)):
        if labels[place] in _PREPOSITIONS or (labels[place] == "conj" and upos[place] == "ADP"):
            _turn_preposition(place, heads, labels, upos)
    for place in range(len(heads)):
        if labels[place] in ("attr", "acomp") and lemmas[heads[place]].lower() in _BE:
            _turn_copula(place, heads, labels)
        elif labels[place] == "aux" and upos[place] == "PART":
            labels[place] = "mark"
    _flatten_conjuncts(heads, labels)
    named = [_renamed(label, upos[heads[place]]) for place, label in enumerate(labels)]
    return Tree(heads, ["root" if heads[place] == place else label for place, label in enumerate(named)])


def _turn_preposition(place: int, heads: list[int], labels: list[str], upos: Sequence[str]) -> None:
    """*sat on the mat*: the noun hangs on the verb, and its preposition on the noun."""
    objects = [other for other, head in enumerate(heads) if head == place and labels[other] in ("pobj", "pcomp")]
    above, nominal = heads[place], upos[heads[place]] in _NOMINAL
    if not objects:
        # None of its own: one before another (*out of the house*), or a person to whom something is given.
        labels[place] = "advmod" if labels[place] == "prep" else labels[place]
        return
    noun = objects[0]
    if labels[noun] == "pcomp" and upos[noun] in ("VERB", "AUX"):
        label, mark = ("acl" if nominal else "advcl"), "mark"
    else:
        label, mark = ("nmod" if nominal else "obl"), "case"
    label = {"agent": "obl:agent", "conj": "conj"}.get(labels[place], label)
    for other, head in enumerate(heads):
        if head == place and other != noun:
            heads[other] = noun
    heads[noun], labels[noun] = above, label
    heads[place], labels[place] = noun, mark


def _turn_copula(place: int, heads: list[int], labels: list[str]) -> None:
    """*she is a doctor*: the doctor is the head, and *is* hangs on it; in *there is a doctor* she is the subject."""
    verb = heads[place]
    if any(head == verb and labels[other] == "expl" for other, head in enumerate(heads)):
        labels[place] = "nsubj"
        return
    heads[place], labels[place] = (place if heads[verb] == verb else heads[verb]), labels[verb]
    for other, head in enumerate(heads):
        if head == verb and other not in (verb, place):
            heads[other] = place
    heads[verb], labels[verb] = place, "cop"


def _flatten_conjuncts(heads: list[int], labels: list[str]) -> None:
    """Every conjunct hangs on the first, every conjunction on the conjunct after it."""
    chained = list(heads)
    for place, label in enumerate(labels):
        first = chained[place]
        while label == "conj" and labels[first] == "conj":
            first = chained[first]
        heads[place] = first if label == "conj" else heads[place]
    for place, label in enumerate(labels):
        if label == "cc":
            later = [other for other in range(place, len(heads)) if chained[other] == chained[place]]
            heads[place] = next((other for other in later if labels[other] == "conj"), heads[place])


def _renamed(label: str, head_upos: str) -> str:
    if label == "npadvmod":
        return "nmod:unmarked" if head_upos in _NOMINAL else "obl:unmarked"
    if label in ("pobj", "pcomp", "prep"):
        return "nmod" if head_upos in _NOMINAL else "obl"
    return _RENAMED.get(label, label if label in _SAME or ":" in label else "dep")
