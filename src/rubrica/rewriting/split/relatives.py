"""Rules for relative clauses, and what they share with participles: whether they say which is meant, where they end."""

from __future__ import annotations

from rubrica.rewriting.split.clause import (
    EMPTY_HEADS,
    RELATIVES,
    RESULTS,
    Walk,
)
from rubrica.rewriting.split.operations import THINGS, Operation
from rubrica.rewriting.split.tree import NAMES, PLURAL, listed
from rubrica.rewriting.split.wording import Item, Mention, is_person, mention, singular, verb_lemma

_WISHES = listed(
    "want need seek require look hope like prefer wish expect plan intend try help use allow believe think say"
)
"""Verbs of which the object need not be there."""
_PLACED = listed("based located situated headquartered founded established")
"""What is said of names, which need no clause that says which is meant."""
_WHICH = listed("first last only same other next second third main new")
"""Adjectives that say which one it is, and not what it is like."""
_NOBODY = listed("book film album song novel play story house building bridge road river town village city station")
"""Things that *who* never means."""
_HAS = listed("have feature include contain star follow tell depict show comprise present describe offer record house")
"""Verbs that say of something known what is in it."""
_TIMED = {"after": "After that,", "during": "During this time,", "before": "Before that,",
          "following": "After that,"}  # fmt: skip
"""*after which*, and what it begins with on its own."""


class Relatives(Walk):
    """Clauses that begin with *who*, *which*, *that*, *where*, *when*."""

    def _may_define(self, noun: int, verb: int, who: Mention | None, places: list[int]) -> str:
        """Why a modifier without a comma stays; empty where the noun is new and the sentence says what it is."""
        tree = self.tree
        joined = [noun, tree.words[noun].head] if tree.label(noun) == "conj" else [noun]
        first = next((tree.low(kid) for one in joined for kid in tree.kids[one] if tree.label(kid) == "det"), "")
        counted = any(tree.tag(kid) == "CD" for kid in tree.kids[noun] if kid < noun)
        total = tree.words[noun].label == "nmod" and tree.low(tree.words[noun].head) == "total"
        there = tree.child(verb, "expl") is not None and (tree.words[noun].label == "nsubj" or total)
        past = tree.tense(verb) == "past" and noun >= verb
        told = past and tree.tag(places[0]) != "VBG"
        new = first in {"a", "an"} or (not first and tree.tag(noun) == "NNS" and (counted or there or told))
        owned = any(tree.words[kid].label == "nmod:poss" for kid in tree.kids[noun])
        placed = who is not None and first != "the" and tree.low(places[0]) in {"located", "situated", "based"}
        subject = tree.subject(verb)
        known = subject is not None and "the" in {
            tree.low(at) for at in (tree.subtree(subject)[0], tree.subtree(verb)[0])
        }
        known = known or (subject is not None and tree.tag(subject) in NAMES)
        name = tree.tag(noun) in NAMES and tree.tag(places[0] - 1) in NAMES
        placed = placed or (name and tree.low(places[0]) in _PLACED and tree.tense(verb) != "modal")
        placed = placed or (who is not None and known and not first and tree.tag(noun) == "NNS" and noun == verb)
        if (not new or owned) and not placed:
            return "it says which is meant"
        if subject is not None and tree.low(subject) == "this":
            return "it says which is meant"
        said = [kid for kid in tree.children(noun, "amod") if tree.tag(kid) == "JJ" and tree.low(kid) not in _WHICH]
        empty = singular(tree.low(noun)) in EMPTY_HEADS and not said and tree.child(noun, "compound") is None
        if empty or tree.negated(verb) or tree.tense(verb) == "modal":
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
        if there or past:
            return "it says which is meant" if noun < verb else ""
        known = subject is not None and (tree.tag(subject) in NAMES or tree.low(subject) in {"he", "she", "it"})
        lemma = verb_lemma(tree.words[verb].text)
        owner = subject is not None and tree.low(tree.subtree(subject)[0]) in {
            "the",
            "his",
            "her",
            "its",
            "their",
            "this",
        }
        known = known or (owner and lemma in _HAS)
        real = known and first in {"a", "an"} and lemma not in _WISHES
        return "" if real and noun > verb else "it says which is meant"

    def _ends_well(self, places: list[int], noun: int, verb: int, free: bool, parent: Operation | None) -> bool:
        """Whether a modifier ends where its end can be seen: at a comma, or at the end of a clause."""
        tree = self.tree
        after = places[-1] + 1
        if not free and any([tree.low(at + step) for step in range(4)] == [",", "as", "well", "as"] for at in places):
            return False
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
        noun, who = self._meant(noun, verb, who, relative, words)
        at_name = tree.low(relative) == "where" and words[0] == relative and tree.tag(relative - 1) in NAMES
        at_name = at_name and not (tree.tag(noun) in PLURAL | {"CD"} or tree.low(noun) in {"place", "only", "part"})
        name = tree.tag(noun) in NAMES and tree.tense(verb) != "modal"
        article = "the" in {tree.low(kid) for kid in tree.kids[noun]}
        bare = name and (tree.low(relative) in {"where", "which"} or not article)
        of_name = tree.low(relative) == "which" and tree.tag(relative - 1) in NAMES and article
        of_name = of_name and (tree.low(noun + 1) == "of" or relative - 1 == noun) and tree.tag(noun) == "NN"
        bare = bare or ((at_name or of_name) and tree.tense(verb) != "modal")
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
        if finite is not None and named is not None and self._all_singular(one, noun, verb, relative, named):
            new: tuple[Item, ...] = ("This", *(place for place in words if place > relative))
            self._add(Operation("rc", "which", (relative,), self._taken(places, lead=False), (new,), parent))
            return
        while finite is not None and tree.subject(one) == relative and not (named and self._agrees(finite, named)):
            above = tree.words[noun].head
            reduced = tree.label(noun) == "obl" and tree.label(above) == "acl" and tree.finite(above) is None
            if (tree.label(noun) not in {"nmod", "conj"} and not reduced) or above > noun:
                break
            noun = tree.words[above].head if reduced else above
            named = mention(tree, noun)
        if named is None and free and (tree.low(relative) == "where" or tree.low(relative - 1) in _TIMED):
            named = Mention("it", False)
        if named is None or (tree.low(relative) in {"who", "whom"} and self._is_no_person(noun, named)):
            self._leave("rc", relative, "the noun cannot be named again")
            return
        made = self._relative_words(one, noun, words, relative, named, free)
        if not made:
            self._leave("rc", relative, "no sentence of its own could be made")
            return
        before, lead = self._place(noun, verb)
        before = before and places[0] < verb
        if before and isinstance(made[0], str) and made[0] in {"There,", "At that time,"}:
            self._leave("rc", relative, "what it means would come after it")
            return
        operation = self._add(
            Operation(
                "rc", tree.low(relative), (relative,), self._taken(places, lead), (tuple(made),), parent, before=before
            )
        )
        own = tree.subject(one)
        self._clause(one, operation, named if own is None or own == relative else None)

    def _is_of_name(self, noun: int, above: int, words: list[int]) -> bool:
        """*is a fish of the family Elopidae that lives in rivers*: a name needs no clause that says which is meant."""
        tree = self.tree
        case, copula = tree.child(noun, "case"), tree.child(above, "cop")
        dets = {tree.low(at) for at in range(above if copula is None else copula + 1, above)}
        inside = tree.subtree(noun)
        named = any(tree.tag(at) in NAMES for at in inside if at < words[0]) and tree.tag(noun) != "NNS"
        new = bool(dets & {"a", "an"}) and above < noun
        of = case is not None and (tree.low(case) == "of" or tree.low(words[0]) == "that")
        of = of and (tree.low(case or 0) == "of" or tree.tag(words[0] - 1) in NAMES)
        return new and named and of and tree.low(words[0] - 1) != ","

    def _whole_name(self, noun: int) -> int:
        """Of *the Society of Wood Engravers* the Society."""
        tree = self.tree
        above = tree.words[noun].head
        inside = tree.label(noun) == "nmod" and above < noun and {tree.tag(noun), tree.tag(above)} <= NAMES
        return above if inside and tree.low(above + 1) == "of" else noun

    def _meant(
        self, noun: int, verb: int, who: Mention | None, relative: int, words: list[int]
    ) -> tuple[int, Mention | None]:
        """The noun that a relative pronoun means, which may be another than the parser's, and how it is named."""
        tree = self.tree
        above = tree.words[noun].head
        if who is None and tree.low(relative) in {"that", "who"} and self._is_of_name(noun, above, words):
            noun, who = above, self._subject_of(above)
        noun = self._whole_name(noun) if who is None else noun
        if tree.low(relative) in {"who", "whom"} and who is None:
            noun = self._person(noun, relative)
            who = self._subject_of(noun) if tree.child(noun, "cop") is not None else None
        if tree.low(relative) == "which" and words[0] == relative and is_person(tree, noun):
            noun = self._no_person(noun)
        noun = self._not_the_time(noun, verb) if tree.low(relative) == "which" and words[0] == relative else noun
        return noun, who

    def _is_no_person(self, noun: int, named: Mention) -> bool:
        """Whether *who* cannot mean it: a book, or a title of several words."""
        title = named.text[-1:] in {"'", '"'} and len(named.text.split()) > 4
        return title or self.tree.low(noun) in _NOBODY

    def _all_singular(self, one: int, noun: int, verb: int, relative: int, named: Mention) -> bool:
        """Whether *, which affects …* after a plural, at the end, speaks of all that was said."""
        tree = self.tree
        finite, places = tree.finite(one), [place for place in tree.subtree(one) if not self._is_end(place)]
        if finite is None or tree.low(relative) != "which" or tree.subject(one) != relative or not named.plural:
            return False
        single = tree.tag(finite) == "VBZ" and tree.low(finite) not in {"is", "has"} and tree.tag(noun) in PLURAL
        above = tree.tag(tree.words[noun].head)[:2] != "NN" and tree.finite(verb) is not None and noun > verb
        return single and above and self._free(places) and places[-1] >= len(tree) - 2 and not tree.negated(verb)

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
            all_said = verb_lemma(tree.words[one].text) in RESULTS and not tree.auxiliaries(one) and noun > tree.root
            if said == "which" and all_said:
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
            commas = [place for place in tail if place < finite and tree.low(place) == ","]
            if len(commas) == 1:
                first = [place for place in tail if place < commas[0]]
                tail = [place for place in tail if place > commas[0]]
                return [*first, ",", named.text, *tail] if self._agrees(finite, named) else []
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
            particle = one + 1 if tree.label(one + 1 if one + 1 < len(tree) else one) == "compound" else one
            after = [place for place in tail if place > particle]
            upto = [place for place in tail if place not in after]
            return [*upto, named.text, *after]
        return []

    def _at_that_time(self, noun: int) -> list[Item]:
        tree = self.tree
        year = len(tree.low(noun)) == 4 and tree.low(noun).isdigit()
        return [f"In {tree.words[noun].text},"] if year and tree.low(noun - 1) != "of" else ["At that time,"]

    def _not_the_time(self, noun: int, verb: int) -> int:
        """What *in 1922, which …* means: what was made then, or what happened."""
        tree = self.tree
        if not (tree.tag(noun) == "CD" and len(tree.low(noun)) == 4) or tree.child(verb, "xcomp", "ccomp") is not None:
            return noun
        made = [kid for kid in tree.children(verb, "obj") if verb < kid < noun]
        subject = tree.subject(verb)
        return made[-1] if made else noun if subject is None else subject

    def _no_person(self, noun: int) -> int:
        """What *which* means after a person's name: what is of that person, or was made by them."""
        tree = self.tree
        found = tree.words[noun].head
        while tree.label(found) == "acl":
            found = tree.words[found].head
        if tree.words[found].upos == "VERB":
            made = [kid for kid in tree.children(found, "obj", "nsubj") if kid < noun]
            found = made[-1] if made else found
        return found if tree.tag(found)[:2] == "NN" and found < noun and not is_person(tree, found) else noun

    def _person(self, noun: int, relative: int) -> int:
        """Whom *who* means: not where or when something happened, but the person before that."""
        tree = self.tree
        last = relative - 2 if tree.low(relative - 1) == "," else relative - 1
        if singular(tree.low(noun)) in THINGS and tree.tag(last) in NAMES and last > noun:
            while tree.label(last) in {"flat", "compound"}:
                last = tree.words[last].head
            maker = tree.child(last, "case")
            if maker is not None and tree.low(maker) == "by":
                return last
        case = tree.child(noun, "case")
        above = tree.words[noun].head
        quality = case is not None and tree.low(case) == "of" and tree.tag(noun) == "NN"
        if quality and tree.child(noun, "det", "nmod:poss") is None and tree.child(above, "cop") is not None:
            return above
        if case is None or tree.low(case) not in {"in", "at", "on", "during", "near", "into", "from"}:
            return noun
        host = tree.words[noun].head
        if tree.child(host, "cop") is not None and tree.tag(host) in {"NN", "NNP"} and host < noun:
            return host
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
        if (
            tree.low(begins[0]) == "which"
            and verb_lemma(tree.words[one].text) in RESULTS
            and self._all_before(one, verb)
        ):
            words = [place for place in tree.subtree(one) if not self._is_end(place) and place > begins[0]]
            taken = self._taken(tree.subtree(one), lead=False)
            self._add(Operation("rc", "which", (begins[0],), taken, (("This", *words),), parent))
            return True
        noun = places[0] - 1
        while noun > verb and tree.words[noun].upos == "PUNCT":
            noun -= 1
        while tree.label(noun) in {"flat", "compound"} and tree.words[noun].head < noun:
            noun = tree.words[noun].head
        noun = self._whole_name(noun)
        if noun <= verb and not (noun == verb and tree.words[noun].upos == "NOUN"):
            return True
        if tree.words[noun].upos in {"NOUN", "PROPN", "NUM"}:
            self._relative(one, noun, verb, parent, None)
        return True

    def _all_before(self, one: int, verb: int) -> bool:
        """Whether *, which led to* … speaks of all that was said: it ends the sentence, in a tense of its own."""
        tree = self.tree
        places = [place for place in tree.subtree(one) if not self._is_end(place)]
        closed = tree.contiguous(places) and self._free(places) and self._closed(places) and places[0] > verb
        return closed and tree.finite(one) == one and tree.tag(one) in {"VBD", "VBZ"} and not self._under(places)

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
            if tree.low(head[0]) in _TIMED:
                return [_TIMED[tree.low(head[0])], *tail]
            if tree.low(head[0]) in {"in", "at", "on", "for", "to", "from", "by", "with"}:
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
