"""Rules that propose where a sentence can be split, over Universal Dependencies. When in doubt they propose nothing.

A clause is walked from its predicate: its conjuncts, its adverbial clauses, the modifiers of its nouns. What becomes a
sentence of its own is walked in turn. What is said under a condition, by somebody, or of nothing in particular stays
where it is: clauses that are not walked are never taken apart.
"""

from __future__ import annotations

from collections.abc import Iterator

from rubrica.rewriting.split.adverbials import Adverbials
from rubrica.rewriting.split.clause import CLAUSES
from rubrica.rewriting.split.conjunctions import Conjunctions
from rubrica.rewriting.split.modifiers import Modifiers
from rubrica.rewriting.split.operations import Operation
from rubrica.rewriting.split.tree import NAMES
from rubrica.rewriting.split.wording import (
    Mention,
    mention,
)


class Rules(Conjunctions, Adverbials, Modifiers):
    """All rules together."""

    def propose(self) -> list[Operation]:
        """All proposals for the sentence; none for questions and sentences without a finite main verb."""
        tree = self.tree
        if len(tree) < 6 or tree.text.rstrip().endswith("?"):
            return []
        if (
            tree.finite(tree.root) is None
            or tree.subject(tree.root) is None
            or tree.child(tree.root, "mark") is not None
        ):
            self._plain_cut(lost=True)
            return self.found
        self._clause(tree.root, None, None)
        if not any(one.pattern == "conj" for one in self.found):
            self._plain_cut()
        if not self.found or (
            tree.tense(tree.root) == "modal" and not any(one.pattern == "conj" for one in self.found)
        ):
            self._doing_so(tree.root)
        return self.found

    def _clause(self, verb: int, parent: Operation | None, who: Mention | None) -> None:
        """Walk a clause whose subject is named again as ``who``, or by its own."""
        tree = self.tree
        subject = tree.subject(verb)
        if who is None and subject is not None:
            who = self._as_its_verb(mention(tree, subject, subject=True), verb)
        self._conjuncts(verb, parent, who)
        for kid in tree.kids[verb]:
            label = tree.label(kid)
            if label == "advcl":
                self._adverbial(kid, verb, parent, who)
            elif label == "parataxis":
                self._parataxis(kid, parent)
            elif label == "xcomp" and kid > verb:
                for late in tree.children(kid, "advcl"):
                    if tree.tag(late) == "VBG" and late > kid and self._free(tree.subtree(late)):
                        self._adverbial(late, verb, parent, who)
        if who is not None and tree.tense(verb) != "modal":
            self._being(verb, parent, who)
        for noun, predicate in self._nouns(verb):
            self._modifiers(noun, verb, parent, who if predicate else None)
            self._with_clause(noun, verb, parent)
            self._after_comma(noun, verb, parent)

    def _nouns(self, verb: int) -> Iterator[tuple[int, bool]]:
        """The nouns of a clause, its own ones, in order, and whether each is its predicate."""
        tree = self.tree
        found: list[tuple[int, bool]] = []
        stack = [verb]
        while stack:
            place = stack.pop()
            if tree.words[place].upos in {"NOUN", "PROPN", "PRON", "X", "NUM"}:
                predicate = place == verb or (tree.label(place) == "conj" and tree.words[place].head == verb)
                found.append((place, predicate))
            for kid in tree.kids[place]:
                clausal = tree.label(kid) in CLAUSES or (tree.label(kid) in {"conj", "xcomp"} and self._verbal(kid))
                name = tree.label(kid) == "appos" and kid == place + 1 and tree.tag(kid) in NAMES
                if not clausal and (name or tree.label(kid) != "appos"):
                    stack.append(kid)
        return iter(sorted(found))
