"""Rules for participles, appositions and phrases of a noun."""

from __future__ import annotations

from rubrica.rewriting.split.clause import (
    NO_PARTICIPLE,
)
from rubrica.rewriting.split.operations import Operation
from rubrica.rewriting.split.relatives import Relatives
from rubrica.rewriting.split.tree import FINITE, NAMES, PLURAL, listed
from rubrica.rewriting.split.wording import (
    Item,
    Mention,
    be,
    core,
    is_place,
    mention,
    verb_lemma,
)

SUMMARIES = listed(
    "feat achievement accomplishment move decision distinction honor honour position post role practice process event "
    "fact tradition trend phenomenon task act victory defeat loss win appointment situation arrangement development "
    "step change result success failure mistake pattern custom habit record strategy measure feature term nickname "
    "claim goal theme concept technique method approach title rank figure total belief view theory argument reputation"
)
"""Nouns that say what all before them was."""


class Modifiers(Relatives):
    """Clauses and phrases that hang on a noun."""

    def _modifiers(self, noun: int, verb: int, parent: Operation | None, who: Mention | None) -> None:
        """Relative clauses, participles and appositions of a noun; ``who`` names it if it is a predicate."""
        tree = self.tree
        for kid in tree.kids[noun]:
            if kid < noun:
                continue
            label = tree.words[kid].label
            if label == "acl:relcl":
                self._relative(kid, noun, verb, parent, who)
            elif label in {"acl", "amod"}:
                inner = self._free(tree.subtree(kid)) and noun != verb and verb in self._above(noun) and who is None
                if inner and tree.tag(noun) in NAMES:
                    self._leave("part", kid, "it may belong to another noun")
                    continue
                self._reduced(kid, noun, verb, parent, self._subject_of(verb) if inner else who)
            elif label == "appos":
                self._apposition(kid, noun, verb, parent, who)

    def _above(self, noun: int) -> set[int]:
        """The nouns that a noun is an *of* phrase of, if the topmost is a predicate."""
        tree, found = self.tree, set()
        while tree.words[noun].label == "nmod" and tree.words[noun].head != noun:
            noun = tree.words[noun].head
            found.add(noun)
        return found if tree.child(noun, "cop") is not None else set()

    def _reduced(self, one: int, noun: int, verb: int, parent: Operation | None, who: Mention | None) -> None:
        """A participle, or an adjective with words of its own, after a noun."""
        tree = self.tree
        places = [place for place in tree.subtree(one) if not self._is_end(place)]
        if not tree.contiguous(places) or places[0] <= noun or len(places) < 3:
            return
        words = [place for place in places if tree.low(place) != "," or places[0] < place < places[-1]]
        words = words[1:] if tree.low(words[0]) == "and" else words
        tag = tree.tag(one)
        same_name = tree.low(noun) == "name" and tree.low(noun - 1) == "same" and tree.words[noun].label == "nmod"
        noun = tree.words[noun].head if same_name else noun
        based = tree.low(one) == "based" and tree.low(one + 1) in {"in", "at", "out", "near"}
        if (
            (tree.low(one) in NO_PARTICIPLE and not based)
            or (tree.low(words[0]) in NO_PARTICIPLE and not based)
            or tree.child(one, "mark", "case") is not None
            or (tree.low(words[0]) == "having" and not self._free(places))
        ):
            return
        free = self._free(places)
        if tree.tense(verb) == "modal" and tag == "VBG" and words[0] == one and not free:
            lemma = verb_lemma(tree.words[one].text)
            if self._specified(noun, verb, places, one, [lemma, *words[1:]], parent):
                return
        if tree.tense(verb) == "modal" or self._under(words):
            self._leave("part", one, "what shall be is not what is")
            return
        why = "" if free else self._may_define(noun, verb, who, places)
        if not self._ends_well(places, noun, verb, free, parent):
            why = "its end is not clear"
        between = range(noun + 1, places[0])
        told = any(tree.words[kid].label == "acl:relcl" and noun < kid < one for kid in tree.kids[noun])
        subject = noun == tree.subject(verb) and free and places[-1] < verb
        alias = subject and tree.low(one) in {"known", "called", "nicknamed"}
        alias = alias and tree.words[core(tree, noun)[-1] + 1].text in {",", "("}
        new = any(tree.low(kid) in {"a", "an"} for kid in tree.children(noun, "det")) and not tree.plural(noun)
        agent = new and (free or same_name) and any(tree.words[kid].label == "obl:agent" for kid in tree.kids[one])
        if told or (
            who is None
            and not alias
            and not agent
            and any(tree.tag(at)[:2] == "NN" and tree.label(at) != "flat" for at in between)
        ):
            why = "it may belong to another noun"
        if why:
            self._leave("part", one, why)
            return
        if tree.low(one) == "starring" and tree.tag(noun) in NAMES and tree.child(tree.root, "cop") is not None:
            who = self._subject_of(tree.root)
        named = who or mention(tree, noun)
        if named is None or tree.subject(one) is not None:
            return
        tense = tree.tense(verb)
        if tag in {"VBN", "VBG", "VBD"}:
            made = self._finite_words(one, words, tense, named)
        elif free and tag == "JJ" and words[0] == one:
            made = [named.text, be(tense, named.plural), *words]
        else:
            return
        if not made:
            return
        before, lead = self._place(noun, verb)
        if before and named.text.startswith("these ") and isinstance(made[0], str):
            made[0] = tree.said(core(tree, noun))
        operation = self._add(
            Operation("part", "participle", (one,), self._taken(places, lead), (tuple(made),), parent, before=before)
        )
        self._clause(one, operation, named)

    def _apposition(self, one: int, noun: int, verb: int, parent: Operation | None, who: Mention | None) -> None:
        tree = self.tree
        places = [place for place in tree.subtree(one) if not self._is_end(place)]
        one_of = tree.low(one) == "one" and tree.low(one + 1) == "of"
        timed = [tree.low(kid) for kid in tree.children(noun, "case")] == ["during"]
        if (
            timed
            or not tree.contiguous(places)
            or not self._free(places)
            or not (one_of or tree.words[one].upos == "NOUN")
        ):
            return
        if self._summary(one, verb, parent):
            return
        words = [place for place in places if tree.low(place) != "," or places[0] < place < places[-1]]
        after = tree.low(places[-1] + 1)
        in_list = after == "," and tree.low(places[-1] + 2) in {"and", "or"} and not self._verb_near(places[-1] + 2)
        if any(tree.label(kid) == "acl" for kid in tree.kids[noun] if noun < kid < one):
            return
        last = [kid for kid in tree.children(noun, "conj") if kid < one]
        if last and tree.tag(last[-1]) in NAMES and words[0] - 2 in tree.subtree(last[-1]):
            noun = last[-1]
        both = [kid for kid in tree.children(one, "conj") if tree.low(tree.subtree(kid)[1]) not in {"a", "an", "the"}]
        if in_list or after in {"and", "or", "("} or tree.children(noun, "conj") or both:
            return
        before = words[0] - 2
        while before > noun and tree.words[before].text in {"''", '"', "”", ")"} and tree.label(before) == "punct":
            before -= 1
        if before != noun and (who is not None or before not in tree.subtree(noun)):
            self._leave("appos", one, "it may belong to another noun")
            return
        first = tree.low(words[1] if tree.tag(words[0]) == "RB" and len(words) > 1 else words[0])
        article = first in {"a", "an", "the", "his", "her", "its", "their"} or one_of
        of = any(tree.label(kid) == "nmod" and tree.low(tree.subtree(kid)[0]) == "of" for kid in tree.kids[one])
        if not article and not (of and not tree.plural(one)):
            return
        named = who or mention(tree, noun)
        if noun == tree.subject(verb):
            named = self._as_its_verb(named, verb)
        if who is not None and tree.tag(noun) in NAMES and noun == verb:
            named = mention(tree, noun)
        several = tree.plural(one) and tree.tag(one) in PLURAL
        if named is None or named.plural != several or len(words) < 2:
            return
        if not self._ends_well(places, noun, verb, True, parent):
            return
        tense = tree.tense(verb)
        state = "past" if tense == "past" and not is_place(tree, one) else "present"
        made: list[Item] = [named.text, be(state, named.plural), *([] if article else ["the"]), *words]
        before, lead = self._place(noun, verb)
        operation = self._add(
            Operation(
                "appos", "apposition", (words[0],), self._taken(places, lead), (tuple(made),), parent, before=before
            )
        )
        self._clause(one, operation, named)

    def _born(self, verb: int, parent: Operation | None, who: Mention) -> None:
        """*Mia Berg (born 3 May 1950) is*: *Mia Berg was born 3 May 1950.*"""
        tree = self.tree
        subject = tree.subject(verb)
        if subject is None or parent is not None or tree.tag(subject) not in NAMES:
            return
        opened = next((at for at in range(subject, verb - 3) if tree.low(at) == "("), None)
        closed = next((at for at in range(opened or 0, verb) if tree.low(at) == ")"), None)
        if opened is None or closed is None or tree.low(opened + 1) != "born":
            return
        words = range(opened + 1, closed)
        if any(tree.low(at) in {";", "née", "(", "-", "–"} for at in words):
            return
        dated = len(tree.low(opened + 2)) != 4 and (tree.low(opened + 2).isdigit() or tree.tag(opened + 2) in NAMES)
        when = "on" if dated else "in"
        said: tuple[Item, ...] = () if tree.tag(opened + 2) == "IN" else (when,)
        new: tuple[Item, ...] = (who.text, "was", words[0], *said, *words[1:])
        self._add(Operation("part", "born", (words[0],), frozenset(range(opened, closed + 1)), (new,), before=True))

    def _summary(self, one: int, verb: int, parent: Operation | None) -> bool:
        """*, a feat that made him known*: *This was a feat that made him known.*"""
        tree = self.tree
        places = [place for place in tree.subtree(one) if not self._is_end(place)]
        words = [place for place in places if tree.low(place) != "," or places[0] < place]
        if (
            tree.low(one) not in SUMMARIES
            or tree.finite(one) is not None
            or not tree.contiguous(places)
            or not self._free(places)
            or one < verb
        ):
            return False
        if tree.low(words[0]) not in {"a", "an", "the"} or not self._closed(places) or tree.tense(verb) == "modal":
            return False
        new: tuple[Item, ...] = ("This", be(tree.tense(verb), False), *words)
        self._add(Operation("appos", "summary", (one,), self._taken(places, lead=False), (new,), parent))
        return True

    def _verb_near(self, place: int) -> bool:
        """Whether a verb follows a conjunction at once."""
        tree = self.tree
        return any(tree.tag(one) in FINITE for one in range(place + 1, min(place + 4, len(tree))))

    def _being(self, verb: int, parent: Operation | None, who: Mention) -> None:
        """*, being later one of the founders*: *He was later one of the founders.*"""
        tree = self.tree
        for place in tree.subtree(verb):
            head = tree.words[place].head
            if tree.low(place) != "being" or tree.label(place) != "cop" or place < verb or tree.low(place - 1) != ",":
                continue
            places = [one for one in tree.subtree(head) if not self._is_end(one)]
            if (
                tree.subject(head) is None
                and tree.contiguous(places)
                and self._closed(places)
                and places[0] >= place - 1
            ):
                words = [one for one in places if one > place]
                new: tuple[Item, ...] = (who.text, be(tree.tense(verb), who.plural), *words)
                self._add(Operation("part", "being", (place,), frozenset([*places, place - 1]), (new,), parent))

    def _with_clause(self, noun: int, verb: int, parent: Operation | None) -> None:
        """*, with the winner becoming champion*, parsed as a noun with a participle."""
        tree = self.tree
        clause = next(
            (kid for kid in tree.children(noun, "acl") if tree.tag(kid) in {"VBG", "VBN"} and kid > noun), None
        )
        places = [place for place in tree.subtree(noun) if not self._is_end(place)]
        words = [place for place in places if not (place == places[0] and tree.low(place) == ",")]
        if clause is None or not words or not self._free(places) or noun < verb or not self._closed(places):
            return
        marked = "with" if tree.low(words[0]) == "with" else ""
        own = tree.tag(words[0]) == "PRP$" and clause == noun + 1 and tree.label(noun) == "parataxis"
        if tree.contiguous(places) and tree.tense(verb) != "modal" and not self._under(words) and (marked or own):
            self._absolute(clause, noun, words, frozenset(places), tree.tense(verb), parent, marked)

    def _after_comma(self, noun: int, verb: int, parent: Operation | None) -> None:
        """*, including A and B*: *These … include A and B.* *, following a war*: *This followed a war.*"""
        tree = self.tree
        places = [place for place in tree.subtree(noun) if not self._is_end(place)]
        words = [place for place in places if not (place == places[0] and tree.low(place) == ",")]
        while words and tree.low(words[-1]) == ",":
            words.pop()
        if len(words) < 2 or not tree.contiguous(places) or words[0] < verb or tree.negated(verb):
            return
        if not self._free(places):
            return
        said = tree.low(words[0])
        past = tree.tense(verb) == "past"
        if not self._closed(places):
            return
        stop = next((at for at in words[2:] if tree.low(at - 1) == "," and tree.tag(at) in {"IN", "TO"}), None)
        if stop is not None and said == "including":
            places = [place for place in places if place < stop - 1]
            words = [place for place in words if place < stop - 1]
        if said == "including":
            before = words[0] - 2
            while before > 0 and tree.words[before].upos not in {"NOUN", "PROPN"}:
                before -= 1
            head = tree.words[noun].head if tree.label(noun) == "nmod" else before
            plural = tree.tag(head) == "NNS" and head > verb and head == words[0] - 2
            if not plural and tree.tense(verb) == "modal" and tree.low(before) not in {"property", "work", "equipment"}:
                return
            start: list[Item] = [f"These {tree.words[head].text}"] if plural else ["This"]
            form = "included" if past else "include" if plural else "includes"
        elif said == "following" and past and tree.low(words[-1] + 1) in {",", ".", ""}:
            start, form = ["This"], "followed"
        else:
            return
        new = ((*start, form, *words[1:]),)
        self._add(Operation("prep", said, (words[0],), self._taken(places, lead=False), new, parent))
