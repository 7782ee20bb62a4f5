"""Cuts by the words alone, before clauses that the parser missed; the verification shows whether they hold."""

from __future__ import annotations

from rubrica.rewriting.split.clause import CONDITIONS, SAYING, Walk
from rubrica.rewriting.split.judging import cut_places, ranked
from rubrica.rewriting.split.operations import Operation
from rubrica.rewriting.split.tree import FINITE, NAMES, listed
from rubrica.rewriting.split.wording import Item, verb_lemma

_BEST = 2.5
"""The judge's score of the best place from which a cut before a noun is made without a comma."""


_ADVERBS = listed(
    "however therefore thus hence consequently nevertheless nonetheless unfortunately furthermore moreover additionally"
)
"""Words with which a sentence begins that goes on from the one before."""
_FIRST = {"PRP", "PRP$", "DT", "EX", "NNP", "NNPS", "NN", "NNS", "CD", "JJ"}
"""Tags with which a clause begins whose subject comes first."""
_NEVER = {"while", "whereas", "although", "though", "despite", "which"}
"""Words with which no sentence begins that was a part after a semicolon."""
_SIGNS = {":", "-", "--", "–", "—"}
_QUOTES = {"''", '"', "``", "“", "”"}


class Cuts(Walk):
    """Cuts at *and*, *but*, *however* and at signs."""

    def _plain_cut(self, *, lost: bool = False) -> None:
        """*and*, *but* or a sign before a clause that the parser missed: cut, and let the verification see.

        ``lost``: the main verb was not found, so that only what surely begins a clause is cut.
        """
        tree = self.tree
        if self._cut_semicolon() or self._cut_adverb() or self._cut_colon():
            return
        subordinate = CONDITIONS | {"either", "both", "how", "neither", "that", "between"}
        self._exception()
        if self._lead(tree.root) in {"condition", "attribution"} or tree.child(tree.root, "ccomp") is not None:
            return
        for place in range(len(tree) - 4):
            adverb = tree.low(place) == "once" and tree.tag(place + 1) in FINITE
            if (tree.low(place) in subordinate and not adverb) or tree.tag(place)[:1] == "W":
                return
            if tree.label(place) == "mark" and tree.tag(place) != "TO":
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
            if self._is_pronoun_clause(place):
                words = [one for one in range(place + 1, len(tree)) if not self._is_end(one)]
                new: tuple[Item, ...] = (*([] if tree.low(place) == "and" else ["However,"]), *words)
                take = frozenset([place, *words])
                self._add(Operation("conj", "after a clause", (place,), take, (new,)))
                return
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
            if (
                all(any(tree.tag(one) in FINITE for one in side) for side in sides)
                and tree.tag(words[0]) != "CC"
                and tree.low(words[0]) not in _NEVER
            ):
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

    def _is_pronoun_clause(self, place: int) -> bool:
        """*The house dates from 1900, and it is red*: a clause stands before, though no verb was seen in it."""
        tree = self.tree
        after = place + 2 if tree.tag(place + 2) != "RB" else place + 3
        told = tree.low(place + 1) in {"he", "she", "it", "they"} and tree.tag(after) in FINITE
        seen = any(tree.tag(at) in FINITE or tree.tag(at)[:1] == "W" for at in range(place))
        noun = any(tree.tag(at)[:2] in {"NN", "VB"} for at in range(2, place - 2))
        first = tree.tag(0) in _FIRST and not any(tree.low(at) == "," for at in range(place - 1))
        return tree.low(place - 1) == "," and place > 5 and told and noun and first and not seen

    def _cut_adverb(self) -> bool:
        """*, however they left*, *, therefore it closed*: the comma should have been a full stop."""
        tree = self.tree
        for place in range(4, len(tree) - 4):
            if tree.low(place) not in _ADVERBS or tree.low(place - 1) not in {",", ";"}:
                continue
            after = place + 1 + (tree.low(place + 1) == ",")
            words = [one for one in range(after, len(tree)) if not self._is_end(one)]
            verb = next((one for one in words if tree.tag(one) in FINITE), None)
            told = any(tree.tag(one) in FINITE for one in range(place))
            if verb is None or verb == after or not told or tree.tag(place - 2) == "CC":
                continue
            however = tree.low(place) == "however"
            between = {tree.tag(one) for one in range(after, verb)}
            clear = tree.tag(after) in _FIRST and verb - after < 9 and not between & {",", "WDT", "WP", "CC"}
            held = self._under(list(range(place))) or tree.child(tree.root, "ccomp") is not None
            if not however and (not clear or held):
                continue
            if however and held and not clear:
                continue
            take = frozenset(range(place - 1, words[-1] + 1))
            new: list[Item] = ["However,", *words] if however else [*range(place, after), *words]
            self._add(Operation("conj", tree.low(place), (place,), take, (tuple(new),)))
            return True
        return False

    def _cut_colon(self) -> bool:
        """*He went to a doctor: she sent him home*, also with a dash: two clauses, the second with its subject."""
        tree = self.tree
        for place in range(5, len(tree) - 4):
            after = place + 1
            apart = tree.space_before(after) and (tree.low(place) == ":" or tree.space_before(place))
            if tree.low(place) not in _SIGNS or not apart:
                continue
            verb = next((one for one in range(after, len(tree)) if tree.tag(one) in FINITE), len(tree))
            short = tree.low(after) in {"he", "she", "it", "they", "there"} and verb - after <= 2
            short = short or (tree.tag(after) == "DT" and 1 < verb - after <= 6 and tree.low(after + 1) != "one")
            between = {tree.tag(one) for one in range(after, verb)}
            said = any(verb_lemma(tree.words[at].text) in SAYING for at in range(place - 3, place))
            told = tree.finite(tree.root) is not None and tree.root < place and tree.subject(tree.root) is not None
            signs = any(tree.words[at].text in _QUOTES for at in range(len(tree)))
            paired = tree.low(place) != ":" and any(tree.low(at) == tree.low(place) for at in range(after, len(tree)))
            signs = signs or paired
            if short and told and not said and not signs and not between & {",", "CC", "WDT", "WP", "WRB", "IN"}:
                words = [one for one in range(after, len(tree)) if not self._is_end(one)]
                take = frozenset([place, *words])
                self._add(Operation("conj", "joined by a sign", (place,), take, (tuple(words),)))
                return True
        return False

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
        if tree.low(after) == "that" and any(tree.low(at) == "that" for at in range(after)):
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
                if sure and verb - after <= 7 and not {",", ":", "CC", "WDT", "WP", "WRB", "TO", "VBG"} & between
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
