"""Rules for relative clauses, participles, appositions and phrases of a noun."""

from __future__ import annotations

from rubrica.rewriting.split.clause import (
    EMPTY_HEADS,
    NO_PARTICIPLE,
    RELATIVES,
    RESULTS,
    Walk,
)
from rubrica.rewriting.split.operations import Operation
from rubrica.rewriting.split.tree import FINITE, NAMES, PLURAL, listed
from rubrica.rewriting.split.wording import (
    Item,
    Mention,
    be,
    is_place,
    mention,
    singular,
    verb_lemma,
)

_SUMMARIES = listed(
    "feat achievement accomplishment move decision distinction honor honour position post role practice process event "
    "fact tradition trend phenomenon task act victory defeat loss win appointment"
)
"""Nouns that say what all before them was."""


class Modifiers(Walk):
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

    def _may_define(self, noun: int, verb: int, who: Mention | None, places: list[int]) -> str:
        """Why a modifier without a comma stays; empty where the noun is new and the sentence says what it is."""
        tree = self.tree
        joined = [noun, tree.words[noun].head] if tree.label(noun) == "conj" else [noun]
        first = next((tree.low(kid) for one in joined for kid in tree.kids[one] if tree.label(kid) == "det"), "")
        counted = any(tree.tag(kid) == "CD" for kid in tree.kids[noun] if kid < noun)
        total = tree.words[noun].label == "nmod" and tree.low(tree.words[noun].head) == "total"
        there = tree.child(verb, "expl") is not None and (tree.words[noun].label == "nsubj" or total)
        new = first in {"a", "an"} or (not first and tree.tag(noun) == "NNS" and (counted or there))
        owned = any(tree.words[kid].label == "nmod:poss" for kid in tree.kids[noun])
        placed = who is not None and first != "the" and tree.low(places[0]) in {"located", "situated", "based"}
        if (not new or owned) and not placed:
            return "it says which is meant"
        if singular(tree.low(noun)) in EMPTY_HEADS or tree.negated(verb) or tree.tense(verb) == "modal":
            return "it says which is meant"
        if places[-1] < len(tree) - 2 and tree.low(places[-1] + 1) not in {
            ",",
            ".",
            "and",
            "but",
            ";",
            "that",
            "which",
        }:
            return "it stands inside the sentence"
        subject = tree.subject(verb)
        if who is not None:
            generic = subject is not None and tree.low(tree.subtree(subject)[0]) in {"a", "an"}
            return "it is a definition" if generic else ""
        return "it says which is meant" if (tree.tense(verb) != "past" and not there) or noun < verb else ""

    def _ends_well(self, places: list[int], noun: int, verb: int, free: bool, parent: Operation | None) -> bool:
        """Whether a modifier ends where its end can be seen: at a comma, or at the end of a clause."""
        tree = self.tree
        after = places[-1] + 1
        if after >= len(tree) - 1 or tree.low(places[-1]) in {",", ")"}:
            return True
        if (
            parent
            and parent.pattern in {"appos", "rc"}
            and places[-1] == max(p for p in parent.take if tree.low(p) != ",")
        ):
            return True
        if free:
            return tree.low(after) in {",", ";", ".", ")"} or (noun > verb and tree.low(after) in {"and", "but"})
        if tree.low(after) == ",":
            return (
                tree.low(after + 1) in RELATIVES | {"and", "but", "while", "although"} or tree.tag(after + 1) == "VBG"
            )
        return True

    def _relative(self, one: int, noun: int, verb: int, parent: Operation | None, who: Mention | None) -> None:
        tree = self.tree
        places = [place for place in tree.subtree(one) if not self._is_end(place)]
        if not tree.contiguous(places) or tree.finite(one) is None:
            return
        words = [place for place in places if not (place == places[0] and tree.low(place) == ",")]
        while words and tree.low(words[-1]) == ",":
            words.pop()
        relative = next(
            (place for place in words[:4] if tree.low(place) in RELATIVES and tree.tag(place)[:1] in {"W", "I"}), None
        )
        if relative is None or not words:
            return
        noun = self._person(noun) if tree.low(relative) in {"who", "whom"} else noun
        name = tree.tag(noun) in NAMES and tree.tense(verb) != "modal"
        article = "the" in {tree.low(kid) for kid in tree.kids[noun]}
        bare = name and (tree.low(relative) in {"where", "which"} or not article)
        free = (self._free(places) and tree.low(relative) != "that") or bare
        why = "" if free else self._may_define(noun, verb, who, places)
        if not self._ends_well(places, noun, verb, free, parent):
            why = "its end is not clear"
        if why and tree.tense(verb) == "modal" and self._specified_clause(one, noun, verb, words, relative, parent):
            return
        if why:
            self._leave("rc", relative, why)
            return
        named = who or mention(tree, noun)
        finite = tree.finite(one)
        while finite is not None and tree.subject(one) == relative and not (named and self._agrees(finite, named)):
            if tree.label(noun) not in {"nmod", "conj"} or tree.words[noun].head > noun:
                break
            noun = tree.words[noun].head
            named = mention(tree, noun)
        if named is None and free and tree.low(relative) == "where":
            named = Mention("it", False)
        if named is None:
            self._leave("rc", relative, "the noun cannot be named again")
            return
        made = self._relative_words(one, noun, words, relative, named, free)
        if not made:
            self._leave("rc", relative, "no sentence of its own could be made")
            return
        before, lead = self._place(noun, verb)
        operation = self._add(
            Operation(
                "rc", tree.low(relative), (relative,), self._taken(places, lead), (tuple(made),), parent, before=before
            )
        )
        own = tree.subject(one)
        self._clause(one, operation, named if own is None or own == relative else None)

    def _relative_words(
        self, one: int, noun: int, words: list[int], relative: int, named: Mention, free: bool
    ) -> list[Item]:
        tree = self.tree
        said, index = tree.low(relative), words.index(relative)
        head, tail = words[:index], words[index + 1 :]
        subject = tree.subject(one)
        if said in {"who", "which", "that"} and subject == relative and not head:
            finite = tree.finite(one)
            assert finite is not None
            if said == "which" and verb_lemma(tree.words[one].text) in RESULTS and not tree.auxiliaries(one):
                return ["This", *tail]
            front = [kid for kid in tree.kids[one] if relative < kid < one and tree.label(kid) == "obl"]
            if front and tree.subtree(front[0])[0] == tail[0]:
                moved = tree.subtree(front[0])
                return [
                    *moved,
                    ",",
                    named.text,
                    *(place for place in tail if place not in moved and tree.low(place) != ","),
                ]
            return [named.text, *tail] if self._agrees(finite, named) else []
        if said == "whose" and not head and free:
            return [named.text + ("'" if named.text.endswith("s") else "'s"), *tail]
        if said == "where" and not head and free and subject is not None:
            return ["There,", *tail]
        if said == "when" and not head and free and subject is not None:
            return [*self._at_that_time(noun), *tail]
        if said in {"which", "whom"} and head and free:
            return self._prepositional_relative(one, noun, head, tail, named)
        if (
            said in {"which", "whom", "that"}
            and not head
            and subject is not None
            and tree.words[relative].label == "obj"
        ):
            if said == "whom" and any(tree.words[kid].label == "nmod:poss" for kid in tree.kids[noun]):
                return []
            after = [place for place in tail if place > one and tree.words[place].label != "compound:prt"]
            upto = [place for place in tail if place not in after]
            return [*upto, named.text, *after]
        return []

    def _at_that_time(self, noun: int) -> list[Item]:
        tree = self.tree
        year = len(tree.low(noun)) == 4 and tree.low(noun).isdigit()
        return [f"In {tree.words[noun].text},"] if year and tree.low(noun - 1) != "of" else ["At that time,"]

    def _person(self, noun: int) -> int:
        """Whom *who* means: not where or when something happened, but the person before that."""
        tree = self.tree
        case = tree.child(noun, "case")
        if case is None or tree.low(case) not in {"in", "at", "on", "during", "near", "into"}:
            return noun
        host = tree.words[noun].head
        others = [kid for kid in tree.kids[host] if kid < noun and tree.label(kid) in {"obj", "obl", "nmod"}]
        named = [kid for kid in (*others, host) if tree.tag(kid) in NAMES and kid < noun]
        return named[-1] if named else noun

    def _misread(self, one: int, verb: int, parent: Operation | None) -> bool:
        """A relative clause that hangs on the verb instead of the noun before it: is it one?"""
        tree = self.tree
        places = [place for place in tree.subtree(one) if tree.words[place].upos != "PUNCT"]
        begins = [place for place in places[:4] if tree.low(place) in RELATIVES and tree.tag(place)[:1] == "W"]
        if not begins or one < verb or places[0] < verb or tree.low(begins[0]) in {"that", "when"}:
            return False
        if tree.low(begins[0]) == "where" and begins[0] != places[0]:
            return False
        noun = places[0] - 1
        while noun > verb and tree.words[noun].upos == "PUNCT":
            noun -= 1
        while tree.label(noun) in {"flat", "compound"} and tree.words[noun].head < noun:
            noun = tree.words[noun].head
        if noun <= verb and not (noun == verb and tree.words[noun].upos == "NOUN"):
            return True
        if tree.words[noun].upos in {"NOUN", "PROPN", "NUM"}:
            self._relative(one, noun, verb, parent, None)
        return True

    def _prepositional_relative(
        self, one: int, noun: int, head: list[int], tail: list[int], named: Mention
    ) -> list[Item]:
        """*in which he played*, *many of whom were*."""
        tree = self.tree
        subject = tree.subject(one)
        if tail and tree.words[tail[0] - 1].label == "det" and tree.low(tail[0]) in {"time", "case", "point"}:
            return [*head, "that", tail[0], ",", *tail[1:]]
        if subject is not None and subject in head:
            name = "them" if named.plural else named.text
            return [*head, name, *tail]
        if len(head) == 1 and subject is not None and subject in tail:
            if tree.low(head[0]) == "after":
                return ["After that,", *tail]
            if tree.low(head[0]) in {"in", "at", "on", "during", "for", "to", "from", "by", "with"}:
                return [*head, named.text + ",", *tail]
        return []

    def _specified_clause(
        self, one: int, noun: int, verb: int, words: list[int], relative: int, parent: Operation | None
    ) -> bool:
        """*shall state a price that includes tax*: *The price shall include tax.*"""
        tree = self.tree
        finite = tree.finite(one)
        if (
            finite is None
            or tree.subject(one) != relative
            or words[0] != relative
            or tree.tag(finite) not in {"VBZ", "VBP"}
        ):
            return False
        if len(tree.auxiliaries(one)) > 1 or tree.low(finite) in {"has", "have", "do", "does"}:
            return False
        lemma = "be" if tree.low(finite) in {"is", "are"} else verb_lemma(tree.words[finite].text)
        rest: list[Item] = [lemma if place == finite else place for place in words[1:]]
        return self._specified(noun, verb, words, relative, rest, parent)

    def _specified(
        self, noun: int, verb: int, places: list[int], cue: int, rest: list[Item], parent: Operation | None
    ) -> bool:
        """*shall keep records showing the cost*: *These records shall show the cost.*"""
        tree = self.tree
        modal = next((tree.low(aux) for aux in tree.auxiliaries(verb) if tree.tag(aux) == "MD"), "")
        first = next((tree.low(kid) for kid in tree.kids[noun] if tree.label(kid) == "det"), "")
        new_to_us = first in {"a", "an"} or (not first and tree.tag(noun) == "NNS")
        if (
            modal not in {"shall", "must", "will"}
            or not new_to_us
            or tree.words[noun].label != "obj"
            or tree.negated(verb)
        ):
            return False
        if tree.words[noun].head != verb or places[-1] < len(tree) - 2 or self._under(places) or len(places) < 4:
            return False
        named = mention(tree, noun)
        if named is None:
            return False
        pattern = "rc" if tree.low(cue) in RELATIVES else "part"
        new = ((named.text, modal, *rest),)
        self._add(Operation(pattern, "specified", (cue,), frozenset(places), new, parent))
        return True

    def _reduced(self, one: int, noun: int, verb: int, parent: Operation | None, who: Mention | None) -> None:
        """A participle, or an adjective with words of its own, after a noun."""
        tree = self.tree
        places = [place for place in tree.subtree(one) if not self._is_end(place)]
        if not tree.contiguous(places) or places[0] <= noun or len(places) < 3:
            return
        words = [place for place in places if tree.low(place) != "," or places[0] < place < places[-1]]
        tag = tree.tag(one)
        based = tree.low(one) == "based" and tree.low(one + 1) in {"in", "at", "out", "near"}
        if (
            (tree.low(one) in NO_PARTICIPLE and not based)
            or (tree.low(words[0]) in NO_PARTICIPLE and not based)
            or tree.child(one, "mark", "case") is not None
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
        if who is None and any(tree.tag(at)[:2] == "NN" and tree.label(at) != "flat" for at in between):
            why = "it may belong to another noun"
        if why:
            self._leave("part", one, why)
            return
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
        operation = self._add(
            Operation("part", "participle", (one,), self._taken(places, lead), (tuple(made),), parent, before=before)
        )
        self._clause(one, operation, named)

    def _apposition(self, one: int, noun: int, verb: int, parent: Operation | None, who: Mention | None) -> None:
        tree = self.tree
        places = [place for place in tree.subtree(one) if not self._is_end(place)]
        one_of = tree.low(one) == "one" and tree.low(one + 1) == "of"
        if not tree.contiguous(places) or not self._free(places) or not (one_of or tree.words[one].upos == "NOUN"):
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
        if words[0] - 2 != noun and (who is not None or words[0] - 2 not in tree.subtree(noun)):
            self._leave("appos", one, "it may belong to another noun")
            return
        first = tree.low(words[0])
        article = first in {"a", "an", "the", "his", "her", "its", "their"} or one_of
        of = any(tree.label(kid) == "nmod" and tree.low(tree.subtree(kid)[0]) == "of" for kid in tree.kids[one])
        if not article and not (of and not tree.plural(one)):
            return
        named = who or mention(tree, noun)
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
        if tree.low(one) not in _SUMMARIES or not tree.contiguous(places) or not self._free(places) or one < verb:
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
        clause = next((kid for kid in tree.children(noun, "acl") if tree.tag(kid) == "VBG" and kid > noun), None)
        places = [place for place in tree.subtree(noun) if not self._is_end(place)]
        words = [place for place in places if not (place == places[0] and tree.low(place) == ",")]
        if clause is None or not words or tree.low(words[0]) != "with" or not self._free(places) or noun < verb:
            return
        if tree.contiguous(places) and tree.tense(verb) != "modal" and not self._under(words):
            self._absolute(clause, noun, words, frozenset(places), tree.tense(verb), parent, "with")

    def _after_comma(self, noun: int, verb: int, parent: Operation | None) -> None:
        """*, including A and B*: *These … include A and B.* *, following a war*: *This followed a war.*"""
        tree = self.tree
        places = [place for place in tree.subtree(noun) if not self._is_end(place)]
        words = [place for place in places if not (place == places[0] and tree.low(place) == ",")]
        while words and tree.low(words[-1]) == ",":
            words.pop()
        if (
            len(words) < 2
            or not tree.contiguous(places)
            or not self._free(places)
            or words[0] < verb
            or tree.negated(verb)
        ):
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
