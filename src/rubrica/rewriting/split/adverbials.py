"""Rules for adverbial clauses, participles and infinitives of a clause, and for what it says of when and what for."""

from __future__ import annotations

from rubrica.rewriting.split.clause import (
    NO_PARTICIPLE,
    RESULTS,
    Walk,
)
from rubrica.rewriting.split.operations import Operation
from rubrica.rewriting.split.tree import NAMES, listed
from rubrica.rewriting.split.wording import (
    Item,
    Mention,
    be,
    finite_form,
    lowered,
    mention,
    verb_lemma,
)

_WHEN = listed("within during before after at until through upon prior on throughout")
_STATIVE = listed("consider deem construe regard include contain constitute mean exceed equal apply")
"""Verbs of which nothing is done."""
_HOW = {("in", "accordance"), ("in", "a"), ("in", "writing"), ("in", "conjunction"), ("for", "the")}
"""Words with which a circumstance begins that can be said apart: *shall do so within …*."""


class Adverbials(Walk):
    """Clauses and phrases that hang on a verb."""

    def _adverbial(self, one: int, verb: int, parent: Operation | None, who: Mention | None) -> None:
        tree = self.tree
        places = tree.subtree(one)
        if not tree.contiguous(places):
            return
        mark = next(
            (kid for kid in tree.kids[one] if tree.label(kid) in {"mark", "advmod", "case"} and kid <= places[0] + 2),
            None,
        )
        marked = (
            tree.low(mark)
            if (mark is not None and tree.label(mark) != "advmod") or (mark is not None and tree.tag(mark) == "WRB")
            else ""
        )
        if tree.finite(one) is not None and tree.subject(one) is not None:
            self._finite_adverbial(one, verb, parent, marked)
        elif (
            tree.tag(one) == "VBG"
            or (tree.tag(one) in {"VBN", "VBD"} and tree.finite(one) is None)
            or (tree.tag(one) == "VBD" and tree.subject(one) is None)
        ):
            self._participle_adverbial(one, verb, parent, who, marked)
        elif tree.words[one].upos == "NOUN" and not marked and who is not None and places[0] == 0:
            self._leading_noun(one, verb, parent, who)

    def _finite_adverbial(self, one: int, verb: int, parent: Operation | None, marked: str) -> None:
        """*although*, *while*, *because*, *after* and others with a clause that has subject and verb."""
        tree = self.tree
        places = [place for place in tree.subtree(one) if not self._is_end(place)]
        take = frozenset(places)
        comma = tree.low(places[0]) == "," or tree.low(places[0] - 1) == ","
        words = [place for place in places if tree.low(place) != "," or place > places[0]]
        start = next((place for place in words if tree.low(place) == marked), None)
        if start is None or start > words[0] + 1:
            return
        opened = tree.low(words[0])
        rest = [place for place in words if place > start]
        leading = one < verb
        past = tree.tense(verb) == "past"
        if not leading and not self._closed(places) and tree.low(places[-1] + 1) not in {"and", "but"}:
            return
        if leading and start == 0 and tree.subject(verb) is not None:
            opening = {
                "although": "However,",
                "though": "However,",
                "after": "After that,",
                "because": "Because of this,",
            }
            if marked in opening and (marked != "after" or (past and tree.tense(one) == "past")):
                new: tuple[Item, ...] = tuple(self._renamed(one, verb, rest))
                operation = self._add(
                    Operation("adv", marked, (start,), take, (new,), parent, before=True, opening=opening[marked])
                )
                self._clause(one, operation, None)
            return
        if leading:
            return
        first: list[Item] = []
        if marked in {"although", "though"} and comma:
            first = ["However,"]
        elif marked == "whereas" or (marked == "while" and comma):
            first = ["Meanwhile,"] if marked == "while" else ["In contrast,"]
        elif marked == "because" or (marked in {"since", "as"} and comma and opened == marked):
            if tree.negated(verb) or (opened not in {marked}):
                return
            first = ["This", be("past" if past else "present", False), "because"]
        elif marked == "before" and past and tree.tense(one) == "past" and opened == marked:
            first = ["After that,"]
        elif marked == "when" and comma and past:
            first = ["That", "was", "when"]
        if not first:
            self._leave("adv", one, f"{marked} holds the two together")
            return
        operation = self._add(Operation("adv", marked, (start,), take, ((*first, *rest),), parent))
        if marked not in {"because", "since", "as", "when"}:
            self._clause(one, operation, None)

    def _renamed(self, one: int, verb: int, rest: list[int]) -> list[Item]:
        """A leading clause whose pronoun points to the subject after it begins with that subject."""
        tree = self.tree
        subject, later = tree.subject(one), tree.subject(verb)
        if (
            subject is None
            or later is None
            or subject != rest[0]
            or tree.low(subject) not in {"he", "she", "it", "they"}
        ):
            return list(rest)
        who = mention(tree, later)
        if who is None or tree.words[later].upos == "PRON" or who.plural != (tree.low(subject) == "they"):
            return list(rest)
        return [who.text, *rest[1:]]

    def _participle_adverbial(
        self, one: int, verb: int, parent: Operation | None, who: Mention | None, marked: str
    ) -> None:
        tree = self.tree
        places = [place for place in tree.subtree(one) if not self._is_end(place)]
        take = frozenset(places)
        static = (
            tree.low(one) == "based"
            and one < verb
            and (
                tree.child(verb, "cop") is not None
                or any(tree.words[aux].label == "aux:pass" for aux in tree.kids[verb])
            )
        )
        if tree.low(one) in NO_PARTICIPLE and not static:
            return
        own = tree.subject(one)
        tense = tree.tense(verb)
        comma = tree.low(places[0]) == "," or tree.low(places[0] - 1) == ","
        words = [place for place in places if tree.low(place) != "," or places[0] < place < places[-1]]
        if own is not None:
            if marked == "with" and comma and one > verb and tree.words[own].upos != "PRON":
                self._absolute(one, own, words, take, tense, parent, marked)
            return
        if who is None or (tree.negated(verb) and one > verb and not comma):
            return
        if tense == "modal" or self._under(words):
            self._leave("part", one, "what shall be is not what is")
            return
        rest = [place for place in words if tree.low(place) != marked or place > words[0]]
        if marked in {"before", "after"} and tree.tag(one) == "VBG" and tense == "past":
            self._sequence(one, verb, rest, take, marked, parent, who)
            return
        if marked or (not comma and not (one < verb and "," in {tree.low(places[-1] + 1), tree.low(places[-1])})):
            return
        subject = who
        if one > verb and not self._closed(places) and tree.low(places[-1] + 1) not in {"and", "but"}:
            return
        verbal = tree.tag(one) == "VBG"
        before = places[0] - (0 if tree.low(places[0]) == "," else 1)
        if one > verb and not verbal and tree.tag(before - 1) in NAMES:
            self._leave("part", one, "it may belong to another noun")
            return
        if one > verb and (
            (not verbal and tree.child(verb, "obj", "xcomp") is not None) or (parent and parent.pattern == "rc")
        ):
            self._leave("part", one, "it may belong to another noun")
            return
        if verbal and one > verb and verb_lemma(tree.words[one].text) in RESULTS:
            subject = Mention("this", False)
        new = self._finite_words(one, words, tense, subject)
        if not new:
            return
        leading = one < verb
        cue = (one,)
        operation = self._add(Operation("part", "participle", cue, take, (tuple(new),), parent, before=leading))
        self._clause(one, operation, subject)

    def _leading_noun(self, one: int, verb: int, parent: Operation | None, who: Mention) -> None:
        """*A native of Ohio, he …*"""
        tree = self.tree
        places = tree.subtree(one)
        words = [place for place in places if not (place == places[-1] and tree.low(place) == ",")]
        if (
            tree.low(0) not in {"a", "an", "the"}
            or who.plural
            or "," not in {tree.low(places[-1]), tree.low(places[-1] + 1)}
        ):
            return
        new: tuple[Item, ...] = (
            who.text,
            be(tree.tense(verb), False),
            lowered(tree, 0, tree.words[0].text),
            *words[1:],
        )
        self._add(Operation("appos", "noun before", (0,), frozenset(places), (new,), parent, before=True))

    def _sequence(
        self,
        one: int,
        verb: int,
        rest: list[int],
        take: frozenset[int],
        marked: str,
        parent: Operation | None,
        who: Mention,
    ) -> None:
        """*before returning to Italy*: *He then returned to Italy.* *After leaving*: the other way round."""
        tree = self.tree
        head = [place for place in rest if place < one]
        tail = [place for place in rest if place > one]
        if any(tree.label(place) not in {"advmod"} for place in head) or not tail:
            return
        if tree.low(rest[0]) in {"shortly", "just", "soon"} or tree.low(min(take)) not in {marked, ","}:
            return
        form: Item = finite_form(tree.words[one].text, "past", who.plural)
        cue = (next(place for place in sorted(take) if tree.low(place) == marked),)
        if marked == "before" and one > verb:
            then = () if any(tree.low(place) in {"finally", "eventually", "later"} for place in head) else ("then",)
            new: tuple[Item, ...] = (who.text, *then, *head, form, *tail)
            operation = self._add(Operation("adv", "before", cue, take, (new,), parent))
        elif marked == "after" and one < verb and min(take) == 0:
            new = (who.text, *head, form, *tail)
            operation = self._add(
                Operation("adv", "after", cue, take, (new,), parent, before=True, opening="After that,")
            )
        else:
            return
        self._clause(one, operation, who)

    def _doing_so(self, verb: int) -> None:
        """*… within 30 days of …*: *The Contractor shall do so within 30 days of …*."""
        tree = self.tree
        subject = tree.subject(verb)
        modal = next((one for one in tree.auxiliaries(verb) if tree.tag(one) == "MD"), None)
        if len(tree) < 18 or subject is None or modal is None or tree.negated(verb) or tree.words[verb].upos != "VERB":
            return
        who = mention(tree, subject, subject=True)
        passive = tree.words[subject].label == "nsubj:pass"
        if (who is None and not passive) or any(self._verbal(one) for one in tree.children(verb, "conj")):
            return
        found = self._circumstance(verb) or self._leading_circumstance(verb)
        if not found:
            return
        purpose, places, leading = found
        aux = tree.low(modal)
        start: list[Item] = ["This", aux, "be", "done"] if passive or who is None else [who.text, aux, "do", "so"]
        words: list[Item] = [
            place for place in places if tree.low(place) != "," or place not in {places[0], places[-1]}
        ]
        if leading:
            words[0] = tree.low(places[0])
        taken = frozenset(place for place in range(len(tree)) if place in places)
        self._add(Operation("inf" if purpose else "prep", "do so", (places[0],), taken, ((*start, *words),)))

    def _circumstance(self, verb: int) -> tuple[bool, list[int], bool] | None:
        """The last words of a clause, if they say when, where or what for."""
        tree = self.tree
        if verb_lemma(tree.words[verb].text) in _STATIVE:
            return None
        told = next((at for at in range(verb + 4, len(tree) - 4) if self._as_told(at)), None)
        if told is not None:
            return False, [place for place in range(told, len(tree)) if not self._is_end(place)], False
        kids = [kid for kid in tree.kids[verb] if kid > verb and tree.label(kid) != "punct"]
        if len(kids) < 2:
            return None
        last = kids[-1]
        places = [place for place in tree.subtree(last) if not self._is_end(place)]
        before = kids[-2]
        if tree.label(before) == "obl" and tree.low(tree.subtree(before)[0]) == "at" and len(kids) > 2:
            places = tree.subtree(before) + places
        places = [place for place in places if place > places[0] or tree.low(place) != ","]
        label, first = tree.label(last), tree.low(places[0])
        second = tree.low(places[0] + 1)
        comma = tree.low(places[0] - 1) == ","
        purpose = label == "advcl" and tree.tag(last) == "VB" and (first == "to" or (first, second) == ("in", "order"))
        adjunct = label == "obl" and (
            first in _WHEN or (first, second) in _HOW or (comma and first in {"with", "subject"})
        )
        means = label == "advcl" and (
            (first == "by" and tree.tag(last) == "VBG")
            or first == "until"
            or (first == "as" and tree.tag(last) == "VBN" and comma)
        )
        held = [place for place in places if place > places[0]]
        if not (purpose or adjunct or means) or len(places) < 4 or not tree.contiguous(places) or self._under(held):
            return None
        rest = len(tree) - len(places)
        return (purpose, places, False) if rest >= 8 else None

    def _as_told(self, at: int) -> bool:
        """*, as provided in this clause*, to the end of the sentence."""
        tree = self.tree
        begins = tree.low(at - 1) == "," and tree.low(at) == "as" and tree.tag(at + 1) == "VBN"
        return begins and all(tree.low(place) != "," for place in range(at, len(tree)))

    def _leading_circumstance(self, verb: int) -> tuple[bool, list[int], bool] | None:
        """The first words of a clause, if they say before or after what something shall be done."""
        tree = self.tree
        places = tree.subtree(next((kid for kid in tree.kids[verb] if tree.label(kid) in {"advcl", "obl"}), verb))
        said = tree.low(0) in {"before", "after", "within", "prior", "during", "upon"} or (
            (tree.low(0), tree.low(1)) in _HOW | {("at", "any"), ("with", "the")}
        )
        if places[0] != 0 or not said or len(places) < 5:
            return None
        if places[-1] >= verb or not tree.contiguous(places) or self._under(places):
            return None
        after = places[-1] + 1
        return False, [*places, *([after] if tree.low(after) == "," else [])], True
