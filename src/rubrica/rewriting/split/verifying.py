"""Whether sentences that came of a split can stand: they are parsed again, and their words are counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from rubrica.language.parsing import Parse
from rubrica.rewriting.split.mending import mended
from rubrica.rewriting.split.operations import Plan
from rubrica.rewriting.split.tree import FINITE, Tree, listed

CONTENT = {"NOUN", "PROPN", "VERB", "ADJ", "NUM", "ADV", "SYM", "X", "INTJ"}
_MAY_GO = {
    "which", "who", "whom", "whose", "that", "where", "when", "and", "but", "so", "yet", "while", "whereas", "although",
    "though", "because", "since", "before", "after", "with", "including", "being", "having", "in", "order", "such",
}  # fmt: skip
_PAIRS = (("(", ")"), ("[", "]"), ("“", "”"))
_OPENERS = listed("due despite although though while because since if whether when before as unlike like to")
"""A sentence that begins so has a comma before what it says."""
_NEVER_LAST = listed("for of with to by from as than between among")
_NOT_BEFORE = {"at", "in", "on", "by", "for", "with", "to", "from"}
"""Words that no subject begins with."""
_WORDS_AT_START = {"where", "which", "who", "whom", "whose", "that", "how", "why"}


_SURE = listed("is was are were has had will would can could did does")
"""Forms that are finite wherever they stand."""
_BEGINS = {"DT", "NNP", "NNPS", "NN", "NNS", "PRP", "PRP$", "CD", "JJ", "JJS", "EX"}
"""Tags with which a sentence begins whose subject comes first."""


def fault_of(text: str, parsed: Parse, *, assured: bool = False, ended: bool = False) -> str:
    """What keeps a text from being a sentence; empty if nothing does.

    ``assured``: it begins with a subject that was put in before a finite verb, so that these need not be found.
    ``ended``: it ends where the source does, whatever its end is.
    """
    tree = Tree(mended(parsed), text)
    if len(tree) < 3:
        return "it is too short"
    if any(text.count(opening) != text.count(closing) for opening, closing in _PAIRS):
        return "a bracket or quotation mark is open"
    if text.count('"') % 2 or text.count("''") % 2:
        return "a bracket or quotation mark is open"
    if ", ." in text or ",." in text or ", ," in text:
        return "its signs do not fit"
    if tree.low(0) in _WORDS_AT_START and tree.tag(0) in {"WDT", "WP", "WP$", "WRB"}:
        return "it begins with a relative pronoun"
    if any(tree.low(at) in {"whom", "which"} and tree.low(at - 1) == "of" for at in range(min(6, len(tree)))):
        return "it begins with a relative pronoun"
    explained = tree.low(0) in {"this", "that"} and tree.low(1) in {"is", "was", "happened"}
    if tree.marked(tree.root) and not assured and not explained:
        return "it is a subordinate clause"
    if tree.low(0) in _OPENERS and "," not in text and tree.tag(1) != "CD":
        return "it is a subordinate clause"
    last = next((place for place in range(len(tree) - 1, -1, -1) if tree.words[place].upos != "PUNCT"), 0)
    if not ended and _is_open(tree, last):
        return "its end is missing"
    if assured and tree.low(last) in {"is", "was", "are", "were"} and tree.tag(last - 1) != "PRP":
        return "its end is missing"
    if assured or _is_plain(tree):
        return ""
    if tree.finite(tree.root) is None:
        return "it has no finite verb"
    if _is_asked(tree):
        return "it has no finite verb"
    subject = tree.subject(tree.root)
    if subject is None and tree.child(tree.root, "expl") is None:
        return "it has no subject"
    if subject is not None and any(tree.low(kid) in _NOT_BEFORE for kid in tree.children(subject, "case")):
        return "it has no subject"
    return ""


def _is_open(tree: Tree, last: int) -> bool:
    """Whether a sentence stops before its end."""
    loose = tree.tag(last) == "IN" and (tree.label(last) in {"case", "mark"} or tree.low(last) in _NEVER_LAST)
    alone = (
        tree.tag(last) == "DT"
        and tree.label(last) not in {"det", "advmod"}
        and tree.low(last) not in {"a", "an", "the"}
    )
    alone = alone or tree.low(last) == "each"
    if (tree.tag(last) in {"DT", "CC", "PRP$", "TO", "WDT"} and not alone) or loose:
        return True
    if tree.tag(last) == "VBG" and tree.low(last - 1) == ",":
        return True
    if any(tree.low(at) in _OPENERS | {"after"} and tree.low(at + 1) == "," for at in range(len(tree) - 1)):
        return True
    broken = [at for at in range(len(tree) - 1) if tree.low(at) in {"and", "but"} and tree.low(at + 1) == ","]
    return bool(broken) and not any(tree.tag(at) in FINITE for at in range(broken[-1], len(tree)))


def _is_asked(tree: Tree) -> bool:
    """Whether the only finite verb stands in *what was to become*; a title such as *The Man That Sang* is a name."""
    finite = tree.finite(tree.root) or 0
    asked = [at for at in range(1, finite) if tree.tag(at) in {"WP", "WDT"} and tree.words[at].text[:1].islower()]
    return bool(asked) and not any(tree.tag(at) in FINITE for at in range(asked[-1], finite))


def _is_plain(tree: Tree) -> bool:
    """Whether the words show a main verb though the tree does not: *Berg - Olsen is*, *he answers*."""
    first = 2 if tree.low(1) == "," else 0
    if tree.tag(first) not in _BEGINS:
        return False
    for place in range(first, len(tree) - 2):
        relative = tree.tag(place)[:1] == "W" and tree.words[place].text[:1].islower()
        glued = tree.words[place].text.endswith(".") and tree.tag(place + 1) == "DT"
        if relative or glued or tree.tag(place) == ":" or (tree.tag(place) == "IN" and tree.label(place) == "mark"):
            return False
        after = place + 2 if tree.tag(place + 1) == "RB" else place + 1
        sure = tree.low(after) in _SURE and tree.tag(place)[:2] == "NN" and place > first
        begun = place == first or tree.low(place - 1) == "," or tree.tag(place - 1) == "CC"
        said = begun and tree.low(place) in {"he", "she", "it", "they", "we"}
        if tree.tag(after) in FINITE and (sure or said) and tree.low(after + 1) != "to":
            return tree.words[after + 1].upos != "PUNCT"
    return False


def is_new_verb(tree: Tree, plan: Plan, parsed: Parse) -> bool:
    """Whether what a sentence has for a finite verb was none in the source: *a sports meet*."""
    again = Tree(parsed, "")
    finite = again.finite(again.root)
    word = "" if finite is None else again.low(finite)
    before = [item for item in plan.items if isinstance(item, int) and tree.low(item) == word]
    return bool(before) and not any(tree.tag(item)[:1] in {"V", "M"} for item in before)


def lost_words(tree: Tree, plans: Sequence[Plan]) -> list[str]:
    """Content words of the source that are in none of the sentences, not even in another form."""
    there = {item for plan in plans for item in plan.items if isinstance(item, int)}
    put_in = Counter(
        word.lower().rstrip(",")
        for plan in plans
        for item in plan.items
        if isinstance(item, str)
        for word in item.split()
    )
    lost = []
    for place, word in enumerate(tree.words):
        if place in there or word.upos not in CONTENT or word.text.lower() in _MAY_GO:
            continue
        if not put_in[word.text.lower()] and not any(_same_verb(word.text, other) for other in put_in):
            lost.append(word.text)
    return lost


def _same_verb(form: str, other: str) -> bool:
    from rubrica.rewriting.split.wording import verb_lemma

    return verb_lemma(form) == verb_lemma(other)
