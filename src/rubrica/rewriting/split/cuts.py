"""Cuts by the words alone, before clauses that the parser missed; the verification shows whether they hold."""

from __future__ import annotations

from rubrica.rewriting.split.clause import CONDITIONS, SAYING, Walk
from rubrica.rewriting.split.judging import cut_places, ranked
from rubrica.rewriting.split.operations import Operation
from rubrica.rewriting.split.tree import FINITE, NAMES
from rubrica.rewriting.split.wording import Item, verb_lemma

_BEST = 2.5
"""The judge's score of the best place from which a cut before a noun is made without a comma."""


class Cuts(Walk):
    """Cuts at *and*, *but*, *however* and at signs."""

    def _plain_cut(self, *, lost: bool = False) -> None:
        """*and*, *but* or a sign before a clause that the parser missed: cut, and let the verification see.

        ``lost``: the main verb was not found, so that only what surely begins a clause is cut.
        """
        tree = self.tree
        if self._cut_semicolon():
            return
        subordinate = CONDITIONS | {"either", "both", "how", "neither", "that", "between"}
        self._exception()
        if self._lead(tree.root) in {"condition", "attribution"} or tree.child(tree.root, "ccomp") is not None:
            return
        for place in range(len(tree) - 4):
            if tree.low(place) in subordinate or tree.tag(place)[:1] == "W":
                return
            if tree.label(place) == "mark" and tree.tag(place) != "TO":
                return
            if place > 3 and tree.low(place) == "however" and tree.low(place - 1) in {",", ";"}:
                self._cut_however(place)
                return
            if place > 3 and tree.low(place) == "," and self._is_splice(place):
                words = [one for one in range(place + 1, len(tree)) if not self._is_end(one)]
                self._add(Operation("conj", "joined by a sign", (place,), frozenset([place, *words]), (tuple(words),)))
                return
            if place < 3 or tree.low(place) not in {"and", "but", "yet"} or tree.tag(place) != "CC":
                continue
            if tree.low(place) == "but" and not self._begins_clause(place + 1):
                return
            if lost and tree.low(place - 1) != ",":
                continue
            in_list = any(tree.low(one) == "," and tree.tag(one + 1) in FINITE for one in range(place))
            begun = [] if in_list else self._begins_clause(place + 1)
            if not begun or not any(tree.tag(one) in FINITE for one in range(place)):
                continue
            words = [one for one in range(place + 1, len(tree)) if not self._is_end(one)]
            opening: list[Item] = ["However,"] if tree.low(place) != "and" else []
            self._add(
                Operation("conj", "plain cut", (place,), frozenset([place, *words]), ((*opening, *begun, *words),))
            )
            return

    def _cut_semicolon(self) -> bool:
        """Cut at the first semicolon between two finite verbs."""
        tree = self.tree
        for place in range(4, len(tree) - 4):
            if tree.low(place) != ";":
                continue
            words = [one for one in range(place + 1, len(tree)) if not self._is_end(one)]
            sides = (range(place), words)
            if all(any(tree.tag(one) in FINITE for one in side) for side in sides) and tree.tag(words[0]) != "CC":
                take = frozenset([place, *words])
                self._add(Operation("conj", "joined by a sign", (place,), take, (tuple(words),)))
                return True
            return False
        return False

    def _is_splice(self, place: int) -> bool:
        """*, they left*: a comma before a pronoun and its verb."""
        tree = self.tree
        if tree.low(place + 1) in {"he", "she", "it", "they"}:
            return tree.tag(place + 2) in FINITE or tree.tag(place + 3) in FINITE
        if tree.tag(place + 1) not in {"DT", "PRP$"} or tree.tag(0) in {"VBG", "VBN", "TO"}:
            return False
        if tree.tag(0) == "IN" and tree.label(0) != "case":
            return False
        verb = next((at for at in range(place + 2, len(tree)) if tree.tag(at) in FINITE), len(tree))
        between = [tree.tag(at) for at in range(place + 2, verb)]
        near = 0 < len(between) < 7 and not {"CC", ",", "WDT", "WP", "WRB", ":"} & set(between)
        told = any(tree.tag(at) in FINITE for at in range(place)) and tree.tag(place - 1) != "CC"
        return near and told and verb < len(tree) - 2 and verb_lemma(tree.words[verb].text) not in SAYING

    def _predicate_of(self, verb: int) -> int:
        """The predicate that a finite verb or auxiliary belongs to."""
        tree = self.tree
        return tree.words[verb].head if tree.label(verb) in {"aux", "cop"} else verb

    def _cut_however(self, place: int) -> None:
        """*, however they left*: the comma should have been a full stop."""
        tree = self.tree
        words = [one for one in range(place + 1, len(tree)) if not self._is_end(one)]
        while words and tree.low(words[0]) == ",":
            words.pop(0)
        verb = next((one for one in words if tree.tag(one) in FINITE), None)
        if verb is None or verb == words[0] or not any(tree.tag(one) in FINITE for one in range(place)):
            return
        take = frozenset(range(place - 1, words[-1] + 1))
        self._add(Operation("conj", "however", (place,), take, (("However,", *words),)))

    def _exception(self) -> None:
        """*, except that the owner may sell it*: *However, the owner may sell it.*"""
        tree = self.tree
        for place in range(4, len(tree) - 4):
            if tree.low(place) != "except" or tree.low(place + 1) != "that" or tree.low(place - 1) != ",":
                continue
            words = [one for one in range(place + 2, len(tree)) if not self._is_end(one)]
            while words and tree.low(words[0]) == ",":
                words.pop(0)
            if any(tree.tag(one) in FINITE for one in words):
                take = frozenset(range(place - 1, words[-1] + 1))
                self._add(Operation("adv", "except that", (place,), take, (("However,", *words),)))
            return

    def _begins_clause(self, after: int) -> list[Item]:
        """What must stand before the words from here on to make them a clause: nothing, or the subject; else false."""
        tree = self.tree
        rest = range(after, len(tree))
        if not any(tree.tag(one) in FINITE for one in rest) or tree.low(after) in {"them", "him", "her", "me", "us"}:
            return []
        if tree.tag(after) in {"PRP", "PRP$", "DT", "EX"}:
            verb = next(one for one in rest if tree.tag(one) in FINITE)
            return [""] if verb - after <= 7 and not any(tree.low(one) == "," for one in range(after, verb)) else []
        if tree.tag(after) in NAMES | {"NN", "NNS", "JJ", "CD"}:
            verb = next(one for one in rest if tree.tag(one) in FINITE)
            between = {tree.tag(one) for one in range(after, verb)}
            clausal = tree.label(self._predicate_of(verb)) in {"conj", "parataxis"}
            best = clausal and ranked(tree, cut_places(tree))[:1]
            sure = tree.low(after - 2) == "," or (best and best[0][1] == after - 1 and best[0][0] > _BEST)
            return (
                [""]
                if sure and verb - after <= 7 and not {",", "CC", "WDT", "WP", "WRB", "TO", "VBG"} & between
                else []
            )
        if tree.tag(after) == "IN":
            said = {"he", "she", "it", "they"}
            near = any(tree.low(one) in said for one in range(after, min(after + 8, len(tree))))
            near = near or [tree.low(at) for at in range(after, after + 3)] in (
                ["as", "a", "result"],
                ["as", "a", "consequence"],
            )
            return [""] if near or (tree.tag(after + 1) == "CD" and tree.tag(after + 2) in NAMES | {"DT", ","}) else []
        if tree.tag(after) in {"VBD", "VBZ"} and self._lead(tree.root) != "time":
            who = self._subject_of(tree.root)
            same = (tree.tag(after) == "VBD" and tree.tense(tree.root) == "past") or tree.tag(after) == "VBZ"
            return [who.text] if who is not None and same and self._agrees(after, who) else []
        return []
