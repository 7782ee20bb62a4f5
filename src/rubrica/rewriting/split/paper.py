"""`paper`, a baseline after appendix A of "Small but Mighty" (Zhang et al. 2020): three handlings, once each, in order.

Arguments come from the parse instead of a role labeller: design/039-split-and-rephrase.md says what ARG, R-ARG and V
are over Universal Dependencies. Nothing is verified and no copula is put in: it is as clumsy as the paper's.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rubrica.language.parsing import ENGLISH, parse
from rubrica.rewriting.split.operations import Operation, carried_out, texts_of
from rubrica.rewriting.split.splitting import LONGEST, Split, is_too_long
from rubrica.rewriting.split.tree import SUBJECTS, Tree
from rubrica.rewriting.split.wording import Item, is_apart, lowered

ARGUMENTS = SUBJECTS | {"obj", "iobj", "obl", "obl:agent", "obl:unmarked", "ccomp", "xcomp"}
"""Relations of an ARG to its V."""
_RELATIONAL = {"WDT", "WP", "WP$"}
_INSERTED = {
    "acl": "part",
    "acl:relcl": "rc",
    "advcl": "part",
    "nmod": "prep",
    "obl": "prep",
    "amod": "part",
    "appos": "appos",
}
"""Modifiers that are extracted, by their labels."""


def split_as_paper(sources: Sequence[str], parser: str = ENGLISH) -> Iterator[Split]:
    """Split each source by the three handlings."""
    looked_at = ("" if is_too_long(source) else source for source in sources)
    for source, parsed in zip(sources, parse(looked_at, parser, one_sentence=True), strict=True):
        tree = Tree(parsed, source)
        operations = _operations(tree) if 0 < len(tree) <= LONGEST else []
        if not operations:
            yield Split(source, (source.strip(),) if source.strip() else ())
            continue
        texts = texts_of(tree, carried_out(tree, operations), apart=is_apart(source))
        told = tuple(one.as_json(tree) for one in operations)
        yield Split(source, tuple(text for text in texts if text), told)


def _operations(tree: Tree) -> list[Operation]:
    """What the handlings do: an insertion is looked for in what the others left in place."""
    found: list[Operation] = []
    for handling in (_wh, _conjunction, _insertion):
        operation = handling(tree, frozenset(place for one in found for place in one.take))
        if operation:
            found.append(operation)
    return found


def _wh(tree: Tree, _: frozenset[int]) -> Operation | None:
    """The first R-ARG is replaced by the ARG before it, and its clause is a sentence."""
    for place, word in enumerate(tree.words):
        if word.tag not in _RELATIONAL or place == 0:
            continue
        clause = place
        while tree.words[clause].head != clause and tree.words[clause].label != "acl:relcl":
            clause = tree.words[clause].head
        if tree.words[clause].label != "acl:relcl":
            continue
        noun = tree.words[clause].head
        places = [one for one in tree.subtree(clause) if one < len(tree) - 1 or tree.low(one) != "."]
        argument = tree.said([one for one in _noun_phrase(tree, noun) if one < places[0]])
        new: tuple[Item, ...] = tuple(argument if one == place else one for one in places if one >= place)
        return Operation("rc", "wh handling", (place,), frozenset(places), (new,))
    return None


def _conjunction(tree: Tree, taken: frozenset[int]) -> Operation | None:
    """The first *and* before an ARG, or before a V, whose subject is then the nearest before it."""
    starts = {tree.subtree(place)[0] for place, word in enumerate(tree.words) if word.label in ARGUMENTS}
    for place in range(1, len(tree) - 2):
        if tree.low(place) != "and":
            continue
        after = place + 1
        part = [
            one for one in range(place, len(tree)) if (one in taken) == (place in taken) and not _is_stop(tree, one)
        ]
        rest = [one for one in part if one > place]
        argument = after in starts and tree.label(after) != "conj"
        if argument and tree.words[after].upos not in {"VERB", "AUX"}:
            return Operation("conj", "conjunction handling", (place,), frozenset(part), (tuple(rest),))
        if tree.words[after].upos in {"VERB", "AUX"}:
            before = (one for one in range(after, -1, -1) if tree.words[one].label in SUBJECTS)
            subject = next((one for one in before if tree.tag(one) not in _RELATIONAL), None)
            if subject is not None:
                said = _subject(tree, subject)
                return Operation("conj", "conjunction handling", (place,), frozenset(part), ((said, *rest),))
    return None


def _insertion(tree: Tree, taken: frozenset[int]) -> Operation | None:
    """The first modifier that is set off by a comma, put after the subject of the sentence."""
    subject = next((one for one in tree.kids[tree.root] if tree.words[one].label in SUBJECTS), None)
    if subject is None:
        return None
    for place, word in enumerate(tree.words):
        places = [one for one in tree.subtree(place) if not _is_stop(tree, one)]
        participle = word.tag in {"VBN", "VBG"} and tree.child(place, "mark") is None
        if (
            word.label not in _INSERTED
            or (word.label == "advcl" and not participle)
            or not places
            or subject in places
            or len(places) < 3
        ):
            continue
        inside = {one in taken for one in places}
        comma = "," in {tree.low(places[0]), tree.low(places[0] - 1)} or (
            places[0] == 0 and tree.low(places[-1]) == ","
        )
        if len(inside) > 1 or not comma or not tree.contiguous(places):
            continue
        words = [one for one in places if tree.low(one) != "," or one not in {places[0], places[-1]}]
        first = lowered(tree, words[0], tree.words[words[0]].text)
        said = _subject(tree, subject)
        new: tuple[Item, ...] = (said, first, *words[1:])
        return Operation(_INSERTED[word.label], "insertion handling", (words[0],), frozenset(places), (new,))
    return None


def _noun_phrase(tree: Tree, noun: int) -> list[int]:
    """The words of an ARG whose head is this noun: not those of a clause of which it is the predicate."""
    outer = SUBJECTS | {
        "cop",
        "aux",
        "punct",
        "advmod",
        "obl",
        "mark",
        "conj",
        "cc",
        "advcl",
        "case",
        "appos",
        "parataxis",
    }
    kept = [noun]
    for kid in tree.kids[noun]:
        if tree.words[kid].label not in outer and tree.label(kid) not in outer:
            kept += tree.subtree(kid)
    return sorted(kept)


def _subject(tree: Tree, subject: int) -> str:
    """The words of a subject up to its own clauses."""
    whole = tree.subtree(subject)
    cut = min((tree.subtree(kid)[0] for kid in tree.children(subject, "acl", "appos")), default=whole[-1] + 1)
    return tree.said([one for one in whole if one < cut])


def _is_stop(tree: Tree, place: int) -> bool:
    return place == len(tree) - 1 and tree.low(place) in {".", "!", "?"}
