"""Rules that propose where a sentence can be split, over Universal Dependencies. When in doubt they propose nothing.

A clause is walked from its predicate: its conjuncts, its adverbial clauses, the modifiers of its nouns. What becomes a
sentence of its own is walked in turn. What is said under a condition, by somebody, or of nothing in particular stays
where it is: clauses that are not walked are never taken apart.
"""

from __future__ import annotations

from collections.abc import Iterator

from rubrica.rewriting.split.adverbials import Adverbials
from rubrica.rewriting.split.clause import CLAUSES, CONDITIONS, RESULTS
from rubrica.rewriting.split.conjunctions import Conjunctions
from rubrica.rewriting.split.cuts import Cuts
from rubrica.rewriting.split.judging import cut_places, ranked, score
from rubrica.rewriting.split.modifiers import SUMMARIES
from rubrica.rewriting.split.operations import Operation
from rubrica.rewriting.split.tree import FINITE, NAMES, NEGATIONS, SUBJECTS, listed
from rubrica.rewriting.split.wording import (
    Item,
    Mention,
    be,
    finite_form,
    inflected,
    lowered,
    mention,
    verb_lemma,
)

GOOD_ENOUGH, NEAR_BEST, FOR_A_VERB, UNLIKE = 2.5, 1.0, 1.0, 4.0
"""The score from which a cut is tried and how far it may be below the best of the sentence, both calibrated on forty
sentences of Wiki-BM; less before a verb or a pronoun, with which no noun of a list begins, was set by eye. And how far
below the best a cut by the words alone is like no editor's."""
TRIES, LEAST = 2, 12
"""Cuts that are tried, and words of a sentence that is worth it."""
_CUTS = {"and": "", "but": "However,", "yet": "However,", "so": "So", ";": "", ",": "", "while": "Meanwhile,",
         "although": "However,", "though": "However,", "whereas": "In contrast,"}  # fmt: skip
_LATE = {"as", "when", "while", "after", "before", "since", "because", "although", "though"}
_HOLDING = CONDITIONS | {"either", "both", "between", "neither", "how", "than"}
"""Words that hold what follows together."""
_KIN = listed(
    "son daughter child brother sister twin second third fourth fifth sixth seventh eldest youngest oldest one "
    "grandson granddaughter nephew niece cousin husband wife"
)
"""What one is of somebody: ends with it are of the subject that was born."""
_TIMES_AT_START = listed(
    "day year month week weekend morning evening night season summer winter spring autumn time date later following "
    "next same way moment second minute hour decade century past over"
)
"""Words of a phrase that may say when something happened, and not what the subject is."""
_STARTS = {"PRP", "PRP$", "DT", "EX", "NNP", "NNPS", "NNS", "NN", "JJ", "JJS", "CD", "IN", "RB", "PDT"}
"""Tags with which a clause begins that has a subject of its own."""


class Rules(Conjunctions, Adverbials, Cuts):
    """All rules together."""

    def propose(self) -> list[Operation]:
        """All proposals for the sentence; none for questions and sentences without a finite main verb."""
        tree = self.tree
        if len(tree) < 6 or tree.text.rstrip().endswith("?"):
            return []
        if (
            tree.finite(tree.root) is None
            or (tree.subject(tree.root) is None and tree.child(tree.root, "expl") is None)
            or tree.marked(tree.root)
        ):
            self._plain_cut(lost=True)
            return self.found
        self._clause(tree.root, None, None)
        duties = {"shall", "may", "must"} if tree.tense(tree.root) == "past" else {"shall", "may", "must", "will"}
        if not any(word.text.lower() in duties for word in tree.words):
            self._asides()
        if not any(one.pattern == "conj" for one in self.found):
            self._plain_cut()
        if not self.found or (
            tree.tense(tree.root) == "modal" and not any(one.pattern == "conj" for one in self.found)
        ):
            self._doing_so(tree.root)
        self._kin()
        self._told_of_all()
        self._examples()
        self._result_at_end()
        self._noun_at_start()
        if not self.found:
            self._apart(tree.root)
            self._origin(tree.root)
        if not self.found:
            self._lies(tree.root)
        return self._like_an_editor(self.found)

    def _like_an_editor(self, found: list[Operation]) -> list[Operation]:
        """Without cuts by the words alone that the judge puts far below another place of the sentence."""
        tree = self.tree
        doubtful = [one for one in found if one.rule in {"joined by a sign", "plain cut"} and one.parent is None]
        if not doubtful:
            return found
        places = cut_places(tree)
        best = max((score(tree, place) for place in places), default=0.0)
        unlike = [one for one in doubtful if one.cue[0] in places and score(tree, one.cue[0]) < best - UNLIKE]
        for one in unlike:
            self._leave(one.pattern, one.cue[0], "no editor would cut here")
        return [one for one in found if one not in unlike and one.parent not in unlike]

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
            self._predicates(verb, parent, who)
            self._born(verb, parent, who)
        for noun, predicate in self._nouns(verb):
            self._modifiers(noun, verb, parent, who if predicate else None)
            self._with_clause(noun, verb, parent)
            self._after_comma(noun, verb, parent)

    def spare(self) -> list[Operation]:
        """Cuts to try where no proposal holds: at words and signs that look like an editor's cut, the best first.

        They rest on the words more than on the tree, which is often wrong in such sentences, and are kept only if both
        parts prove to be sentences.
        """
        tree = self.tree
        held = self._lead(tree.root) in {"condition", "attribution"} or tree.low(0) in _HOLDING
        held = held or [tree.low(at) for at in range(3)] == ["in", "the", "event"]
        if len(tree) < LEAST or tree.text.rstrip().endswith("?") or held:
            return []
        found: list[Operation] = []
        every = ranked(tree, cut_places(tree))
        for good, place in every:
            if good < max(FOR_A_VERB, every[0][0] - NEAR_BEST) or len(found) == TRIES:
                break
            verbal = tree.tag(place + 1) in FINITE | {"PRP"} or (
                tree.tag(place + 1) == "RB" and tree.tag(place + 2) in FINITE
            )
            if tree.low(place) not in _CUTS or (good < GOOD_ENOUGH and not verbal):
                continue
            new = self._second_part(place)
            if new:
                start = place - 1 if tree.low(place - 1) in {",", "even"} else place
                take = frozenset(at for at in range(start, len(tree)) if not self._is_end(at))
                found.append(Operation("conj", "judged cut", (place,), take, (tuple(new),)))
        return found

    def _second_part(self, place: int) -> list[Item]:
        """What stands after a cut as a sentence; nothing if a subject is missing, or something before holds for it."""
        tree = self.tree
        before, after = range(place), place + 1
        twice = tree.low(after) == "that" and any(tree.low(at) in {"that", "so"} for at in range(after))
        if any(tree.low(at) in _HOLDING for at in before) or tree.low(after) in _HOLDING or twice:
            return []
        if any(tree.low(at) == "that" and tree.tag(at) == "IN" for at in before) or self._speech(place):
            return []
        words: list[Item] = [at for at in range(after, len(tree)) if not self._is_end(at)]
        low = tree.low(place)
        opening: list[Item] = [_CUTS[low]] if _CUTS[low] else []
        verb = after + 1 if tree.tag(after) == "RB" else after
        relative = any(tree.tag(at)[:1] == "W" for at in before)
        if tree.tag(verb) in FINITE - {"VBP"} and low in {"and", "but", "yet"}:
            if any(tree.low(at) == "," and tree.tag(at + 1) in FINITE for at in before):
                return []
            who = self._subject_of(tree.root)
            timed = self._lead(tree.root) and not self._has_time(list(range(after, len(tree))))
            others = [at for at in before if tree.words[at].label in SUBJECTS]
            denied = any(tree.low(at) in NEGATIONS for at in before)
            if who is None or relative or tree.root > place or timed or denied or len(others) > 1:
                return []
            return [*opening, who.text, *words] if self._agrees(verb, who) else []
        parted = tree.low(place - 1) == "," and low != ","
        begun = tree.tag(after + 1) in {"PRP", "DT", "CD", "PRP$", "EX"} or (parted and tree.tag(after) == "IN")
        if (tree.tag(after) in {"IN", "RB"} and not begun) or tree.tag(after + 1)[:1] == "W":
            return []
        if low == "," and (relative or not self._is_splice_of(place)):
            return []
        if tree.tag(after) in _STARTS and any(tree.tag(at) in FINITE for at in range(after, len(tree))):
            sign = low in {",", ";"} or tree.low(place - 1) == ","
            pronoun = tree.tag(after) in {"PRP", "EX"} and tree.tag(after + 1) in FINITE
            return [*opening, *words] if sign or pronoun or not relative else []
        return []

    def _is_splice_of(self, place: int) -> bool:
        """Two sentences with a comma between: each begins with its subject, or with when it was."""
        tree = self.tree
        begins = tree.tag(0) in {"PRP", "PRP$", "DT", "NNP", "NNPS", "NNS", "NN", "EX", "CD", "JJ"}
        held = any(tree.low(at + 1) in _LATE for at in range(place) if tree.tag(at) in {"CC", ","})
        verb = next((at for at in range(place + 1, len(tree)) if tree.tag(at) in FINITE), None)
        told = any(tree.tag(at) in FINITE for at in range(place)) and tree.low(place - 1) not in {"however", "also"}
        near = verb is not None and all(tree.low(at) != "," for at in range(place + 1, verb))
        starts = tree.tag(place + 1) in {"PRP", "PRP$", "DT", "EX", "IN"}
        return begins and told and near and starts and not held

    def _speech(self, place: int) -> bool:
        """Whether a cut may be inside what somebody said or thought."""
        tree = self.tree
        return any(tree.label(at) == "ccomp" and tree.words[at].head < place for at in range(place, len(tree)))

    def _asides(self) -> None:
        """What is said by the way of a name, also inside what was said, wanted or supposed: it holds all the same."""
        tree = self.tree
        seen = {place for one in self.found for place in one.take}
        for place, word in enumerate(tree.words):
            noun = word.head
            if place in seen or not self._free(tree.subtree(place)):
                continue
            late = word.label in {"advcl", "ccomp", "parataxis"} and tree.finite(place) is not None
            if late and tree.words[noun].label in {"xcomp", "ccomp", "acl", "advcl", "acl:relcl"}:
                self._misread(place, noun, None)
            named = tree.tag(noun) in NAMES or (word.label == "acl:relcl" and tree.tag(noun) in {"NN", "NNS"})
            if word.label not in {"acl:relcl", "appos"} or not named:
                continue
            if any({place, noun} <= set(items) for one in self.found for items in one.new):
                continue
            verb = noun
            while tree.words[verb].head != verb and tree.finite(verb) is None:
                verb = tree.words[verb].head
            where = word.label == "acl:relcl" and tree.low(tree.subtree(place)[0]) in {"where", ","}
            where = where and any(tree.low(kid) == "where" for kid in tree.kids[place])
            if tree.tag(noun) not in NAMES and (self._supposed(verb) or not (where or self._determined(noun))):
                continue
            inside = next((one for one in reversed(self.found) if noun in one.take), None)
            if inside is None and tree.finite(verb) is not None:
                self._modifiers(noun, verb, None, None)

    def _determined(self, noun: int) -> bool:
        tree = self.tree
        return tree.tag(noun) == "NNS" or any(tree.words[kid].label in {"det", "nmod:poss"} for kid in tree.kids[noun])

    def _kin(self) -> None:
        """*was born in 1793, the son of a baker*: *He was the son of a baker.*"""
        tree = self.tree
        who = self._subject_of(tree.root)
        if who is None or who.plural or tree.tense(tree.root) != "past" or tree.negated(tree.root):
            return
        for place in range(tree.root + 2, len(tree) - 4):
            if tree.low(place) != "," or tree.low(place + 1) not in {"the", "a", "an"}:
                continue
            kin = next(
                (at for at in range(place + 2, place + 5) if tree.low(at) in _KIN and tree.low(at + 1) == "of"), 0
            )
            if not kin and tree.child(tree.root, "obj", "xcomp", "ccomp") is None:
                kin = (
                    place + 2 if tree.tag(place + 2) == "JJS" or tree.low(place + 2) in {"first", "only", "last"} else 0
                )
            told = (tree.low(tree.root) == "born" and tree.low(kin) in _KIN) or tree.low(place - 1).isdigit()
            words = [at for at in range(place + 1, len(tree)) if not self._is_end(at)]
            if not kin or not told or any(set(words) & one.take for one in self.found):
                continue
            new: tuple[Item, ...] = (who.text, "was", *words)
            self._add(Operation("appos", "of the subject", (kin,), frozenset([place, *words]), (new,)))
            return

    def _told_of_all(self) -> None:
        """*, a decision that helped them*, where no apposition was seen: *This was a decision that helped them.*"""
        tree = self.tree
        if tree.tense(tree.root) == "modal" or self._lead(tree.root) in {"condition", "attribution"}:
            return
        for place in range(tree.root + 2, len(tree) - 4):
            noun = next((at for at in range(place + 2, place + 5) if tree.low(at) in SUMMARIES), 0)
            if tree.low(place) != "," or tree.low(place + 1) not in {"a", "an", "the"} or not noun:
                continue
            plain = all(tree.tag(at) in {"JJ", "JJS", "RB", "NN"} for at in range(place + 2, noun))
            begun = tree.low(noun + 1) == "that" or tree.tag(noun + 1) == "VBN"
            words = [at for at in range(place + 1, len(tree)) if not self._is_end(at)]
            listed = any(tree.low(at) == "," and tree.tag(at + 1) == "CC" for at in words)
            if plain and begun and not listed and not any(set(words) & one.take for one in self.found):
                new: tuple[Item, ...] = ("This", be(tree.tense(tree.root), False), *words)
                self._add(Operation("appos", "summary", (noun,), frozenset([place, *words]), (new,)))
            return

    def _result_at_end(self) -> None:
        """*He bought land to build a mill, making the town rich*: *This made the town rich.*, whatever it hangs on."""
        tree = self.tree
        if self._lead(tree.root) in {"condition", "attribution"}:
            return
        for place in range(len(tree) - 4, tree.root, -1):
            start = place - (tree.low(place - 1) in {"thus", "thereby"})
            result = tree.tag(place) == "VBG" and (start < place or verb_lemma(tree.words[place].text) in RESULTS)
            if not result or tree.low(start - 1) != "," or tree.label(place) != "advcl":
                continue
            words = [at for at in range(place, len(tree)) if not self._is_end(at)]
            whole = set(words) <= set(tree.subtree(place)) and tree.subject(place) is None
            told = any(place in one.cue or (set(words) & one.take and place not in one.take) for one in self.found)
            tense = self._told(tree.words[place].head)
            own = {tree.low(kid) for kid in tree.children(place, "obj")} & {"debut", "use", "appearance", "way"}
            own |= {"up"} if tree.low(place + 1) == "up" else set()
            if not whole or told or not tense or own or self._under(words):
                return
            taken = frozenset(range(start - 1, words[-1] + 1))
            parent = next((one for one in reversed(self.found) if any(place in new for new in one.new)), None)
            had = any(tree.low(aux) in {"has", "have"} for aux in tree.auxiliaries(tree.words[place].head))
            lemma = verb_lemma(tree.words[place].text)
            form = ["has", inflected(lemma, "VBN")] if had else [finite_form(tree.words[place].text, tense, False)]
            made: tuple[Item, ...] = (*range(start, place), *form)
            self._add(Operation("part", "result", (place,), taken, (("This", *made, *words[1:]),), parent))
            return

    def _examples(self) -> None:
        """*small prey such as worms, fish and snails*, to the end: *This prey includes …*; also *including*."""
        tree = self.tree
        for place in range(tree.root + 1, len(tree) - 4):
            such = tree.low(place) == "such" and tree.low(place + 1) == "as"
            comma = tree.low(place - 1) == ","
            head = place - 2 if comma else place - 1
            words = [at for at in range(place + 1 + such, len(tree)) if not self._is_end(at)]
            if not (such or tree.low(place) == "including") or tree.tag(head) != "NNS" or head < tree.root:
                continue
            several = any(tree.low(at) in {",", "and", "or"} for at in words) and len(words) > 2
            own = [kid for kid in tree.kids[head] if kid < head]
            said = any(tree.label(kid) in {"amod", "compound", "nmod", "nummod"} for kid in own)
            clause = any(tree.tag(at) in FINITE or tree.tag(at)[:1] == "W" for at in words)
            last = next(
                (at for at in words[2:] if tree.low(at - 1) == "," and tree.tag(at) in {"IN", "TO", "VBG", "VBN"}), None
            )
            said = said and tree.low(head)[0].isalpha()
            held = {"any", "all", "no", "every", "each", "these", "those"} & {tree.low(kid) for kid in own}
            tense = self._told(head, can=True)
            taken = frozenset([*([place - 1] if comma else []), place, *([place + 1] if such else []), *words])
            free = not any(taken & one.take and place not in one.take for one in self.found)
            free = free and not any(place in one.cue for one in self.found)
            listed = set(words) <= set(tree.subtree(tree.words[place].head)) and "as" not in map(tree.low, words)
            before = [
                at
                for at in range(tree.words[head].head, head)
                if tree.tag(at) == "NNS" and at not in tree.subtree(head)
            ]
            other = not such and not comma and tree.label(head) != "obj" and before
            again = other or any(tree.low(at) in {"include", "includes", "included"} for at in range(place))
            if not listed or again or not several or not said or clause or last or held or not tense or not free:
                return
            joined = [at for at in words if tree.low(at) in {"and", "or"}][-1:]
            bracket = any(tree.low(at) in {"(", ")"} for at in words)
            rest: list[Item] = ["and" if [at] == joined and not bracket else at for at in words]
            form = "included" if tense == "past" else "include"
            parent = next((one for one in reversed(self.found) if any(place in new for new in one.new)), None)
            new: tuple[Item, ...] = (f"These {tree.words[head].text}", form, *rest)
            self._add(Operation("prep", "such as" if such else "including", (place,), taken, (new,), parent))
            return

    def _told(self, verb: int, *, can: bool = False) -> str:
        """The tense of the clause that a word stands in; empty if it is denied, what shall be, or what was said."""
        tree = self.tree
        while tree.finite(verb) is None:
            if tree.words[verb].head == verb or tree.label(verb) == "ccomp" or tree.negated(verb):
                return ""
            verb = tree.words[verb].head
        above = verb
        while tree.words[above].head != above:
            if tree.label(above) == "ccomp":
                return ""
            above = tree.words[above].head
        finite = tree.finite(verb)
        able = can and finite is not None and tree.low(finite) in {"can", "could"}
        if tree.negated(verb) or (tree.tense(verb) == "modal" and not able) or self._supposed(verb):
            return ""
        return "present" if able else tree.tense(verb)

    def _noun_at_start(self) -> None:
        """*The oldest town of the island, Leby has a harbour*: *Leby is the oldest town of the island.*"""
        tree = self.tree
        comma = next((at for at in range(3, len(tree) - 4) if tree.low(at) == ","), None)
        verb = tree.finite(tree.root)
        if tree.low(0) not in {"a", "an", "the"} or comma is None or verb is None or verb < comma + 2:
            return
        lead, subject = range(comma), range(comma + 1, verb)
        end = next((at for at in lead if at > 1 and tree.tag(at) in {"IN", "VBN", "VBG", "TO", "WDT", "WP"}), comma)
        noun = end - 1 if tree.tag(end - 1) != "RB" else end - 2
        plain = not any(tree.tag(at) in FINITE | {"CC"} or tree.low(at) in _TIMES_AT_START for at in lead)
        this = tree.low(comma + 1) == "this" and all(tree.tag(at) in {"DT", "NN", "JJ"} for at in subject)
        pronoun = tree.low(comma + 1) in {"he", "she", "it"} and len(subject) == 1
        named = all(tree.tag(at) in {"NNP", "RB"} for at in subject) and tree.tag(comma + 1) == "NNP"
        named = named and tree.tag(comma - 1) not in NAMES
        free = not any(0 in one.take for one in self.found) and tree.tense(tree.root) != "modal"
        free = free and not (pronoun and tree.child(tree.root, "cop", "obj", "xcomp") is None)
        if tree.tag(noun) != "NN" or not plain or not free or not (this or pronoun or named) or noun < 1:
            return
        who = tree.said(at for at in subject if tree.tag(at) != "RB")
        new: tuple[Item, ...] = (who, be(tree.tense(tree.root), False), lowered(tree, 0, tree.words[0].text), *lead[1:])
        take = frozenset([*lead, comma])
        self._add(Operation("appos", "noun before", (0,), take, (new,), before=True))

    def _supposed(self, verb: int) -> bool:
        """Whether a clause is under a condition, however far above."""
        tree = self.tree
        while not any(tree.low(kid) in CONDITIONS for kid in tree.children(verb, "mark", "advmod")):
            if tree.words[verb].head == verb:
                return False
            verb = tree.words[verb].head
        return True

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
