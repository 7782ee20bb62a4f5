"""Rules for adverbial clauses, participles and infinitives of a clause, and for what it says of when and what for."""

from __future__ import annotations

from rubrica.rewriting.split.clause import (
    NO_PARTICIPLE,
    RESULTS,
)
from rubrica.rewriting.split.modifiers import Modifiers
from rubrica.rewriting.split.operations import Operation
from rubrica.rewriting.split.tree import FINITE, NAMES, listed
from rubrica.rewriting.split.wording import (
    STATES,
    Item,
    Mention,
    be,
    finite_form,
    inflected,
    is_place,
    lowered,
    mention,
    verb_lemma,
)

_LENGTHS = listed("day days night week weeks month months year years evening morning shortly just soon long")
"""What says how long before, and belongs to *before*."""
_WHEN = listed("within during before after at until through prior on throughout")
_WHERE = {"in", "near", "at", "on", "for", "from", "throughout"}
_LYING = {"in", "on", "at", "near", "between", "along", "within", "about", "around", "beside", "opposite", "off"}
"""Words that say where a place is."""
_DIRECTIONS = listed(
    "north south east west northeast northwest southeast southwest north-east north-west south-east south-west "
    "northern southern eastern western"
)
_SINCE = {"since", "decades", "years", "centuries", "later"}
"""Words that make a present tense a perfect."""
_CAUSES = {("due", "to"), ("because", "of"), ("thanks", "to")}
_UNDONE = listed(
    "be have remain become seem appear begin start continue need want try help use wait agree like know belong consist "
    "include contain go come stop take fail tend refuse decide hope plan get happen cause allow"
)
"""Verbs after which *did so* says nothing, or says it wrongly."""
_STATIVE = listed("cooperate consider deem construe regard include contain constitute mean exceed equal apply")
"""Verbs of which nothing is done."""
_LONG = 30
"""Words from which a duty and when or how it is done are two things to read."""
_HOW = {("in", "accordance"), ("in", "a"), ("in", "conjunction"), ("for", "the")}
"""Words with which a circumstance begins that can be said apart: *shall do so within …*."""


class Adverbials(Modifiers):
    """Clauses and phrases that hang on a verb."""

    def _adverbial(self, one: int, verb: int, parent: Operation | None, who: Mention | None) -> None:
        tree = self.tree
        places = tree.subtree(one)
        if not tree.contiguous(places) or (tree.finite(one) is not None and self._misread(one, verb, parent)):
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
        marked = "while" if marked == "whilst" else marked
        if tree.finite(one) is not None and tree.subject(one) is not None and marked != "with":
            self._finite_adverbial(one, verb, parent, marked)
        elif (
            tree.tag(one) == "VBG"
            or marked == "with"
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
        start = next((place for place in words if tree.low(place) in {marked, f"{marked[:-1]}st"}), None)
        if start is None or start > words[0] + 1:
            return
        opened = tree.low(words[0])
        rest = [place for place in words if place > start]
        leading = one < verb
        past = tree.tense(verb) == "past"
        long = tree.low(places[0] - 1) in _LENGTHS
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
        elif marked == "so" and comma and tree.low(start + 1) != "that":
            first = ["So"]
        elif marked == "whereas" or (marked == "while" and comma):
            first = ["Meanwhile,"] if marked == "while" else ["In contrast,"]
        elif marked == "because" or (marked == "since" and comma and opened == marked and not self._perfect(verb)):
            if tree.negated(verb) or (opened not in {marked}):
                return
            first = ["This", be("past" if past else "present", False), "because"]
        elif marked == "before" and past and tree.tense(one) == "past" and opened == marked and not long:
            first = ["After that,"]
        elif marked == "when" and past and (comma or tree.tag(places[0] - 1) == "CD"):
            first = ["At that time,"]
        if not first and self._told_apart(one, verb, places, opened, parent):
            if marked == "after" and self._same_or_named(one, verb):
                new = tuple(self._renamed(one, verb, rest))
                after = Operation("adv", marked, (start,), take, (new,), parent, before=True, opening="After that,")
                self._clause(one, self._add(after), None)
                return
            first = self._said_of_when(one, verb, marked)
        if not first:
            self._leave("adv", one, f"{marked} holds the two together")
            return
        operation = self._add(Operation("adv", marked, (start,), take, ((*first, *rest),), parent))
        if marked not in {"because", "since"}:
            self._clause(one, operation, None)

    def _told_apart(self, one: int, verb: int, places: list[int], opened: str, parent: Operation | None) -> bool:
        """Whether a clause that ends a story of one clause says when it happened: both are past, neither is denied."""
        tree = self.tree
        past = tree.tense(verb) == "past" and tree.tense(one) == "past"
        alone = (
            parent is None
            and not tree.negated(verb)
            and not any(self._verbal(at) for at in tree.children(verb, "conj"))
        )
        ends = places[-1] >= len(tree) - 2 and places[0] > 4 and len(tree) > 11
        before = places[0] - 1 - (tree.low(places[0] - 1) == ",")
        adverb = tree.tag(before) in {"RB", "RBR", "IN"} or tree.low(before) in {
            "only",
            "ago",
            "years",
            "months",
            "days",
        }
        return past and alone and ends and not adverb and opened in {"after", "when"} and not self._under(places[2:])

    def _same_or_named(self, one: int, verb: int) -> bool:
        """Whether a clause may come before: a pronoun in the other is not taken for its subject then."""
        tree = self.tree
        subject, later = tree.subject(one), tree.subject(verb)
        if subject is None or later is None or self._lead(verb):
            return False
        return tree.words[later].upos != "PRON" or tree.low(later) == tree.low(subject)

    def _said_of_when(self, one: int, verb: int, marked: str) -> list[Item]:
        """What a clause with *when* begins with on its own; nothing if it cannot."""
        tree = self.tree
        event = tree.words[verb].upos == "VERB" and verb_lemma(tree.words[verb].text) not in _UNDONE | STATES
        dated = any(sign.isdigit() for sign in tree.low(tree.subtree(one)[0] - 1))
        if marked == "when" and (dated or tree.child(one, "cop") is not None):
            return ["At that time,"]
        if marked == "when" and event:
            return ["This happened when"]
        return []

    def _perfect(self, verb: int) -> bool:
        """*has lived there since*: a time, no cause."""
        return any(self.tree.low(aux) in {"has", "have", "had"} for aux in self.tree.auxiliaries(verb))

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
        if tree.low(one) in NO_PARTICIPLE and not static and (marked or not self._is_means(one, verb)):
            return
        own = tree.subject(one)
        tense = tree.tense(verb)
        comma = tree.low(places[0]) == "," or tree.low(places[0] - 1) == ","
        words = [place for place in places if tree.low(place) != "," or places[0] < place < places[-1]]
        if own is not None:
            if marked == "with" and comma and one > verb and tree.words[own].upos != "PRON":
                self._absolute(one, own, words, take, tense, parent, marked)
            elif not marked and comma and one > verb and self._closed(places) and tree.tag(one) == "VBG":
                if tree.tag(words[0]) != "PRP$" and tree.low(words[0]) != "each":
                    return
                self._absolute(one, own, words, take, tense, parent, marked)
            return
        if who is None or (tree.negated(verb) and one > verb and not comma):
            return
        if tense == "modal" or self._under(words):
            if not self._shall_also(one, verb, words, who, marked):
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
        if one > verb and not verbal and tree.tag(before - 1) in NAMES and not tree.low(before - 2).isdigit():
            self._leave("part", one, "it may belong to another noun")
            return
        if one > verb and (
            (not verbal and tree.child(verb, "obj", "xcomp") is not None) or (parent and parent.pattern == "rc")
        ):
            self._leave("part", one, "it may belong to another noun")
            return
        made = {tree.low(kid) for kid in tree.children(one, "obj")} & {"debut", "use", "appearance", "way"}
        if verbal and one > verb and verb_lemma(tree.words[one].text) in RESULTS and not made:
            subject = Mention("this", False)
        after = places[-1] + 1
        joined = {cc for kid in tree.children(verb, "conj") for cc in tree.children(kid, "cc")}
        if (
            tree.low(after) == ","
            and one > verb
            and after + 1 not in joined
            and tree.tag(after + 1) in {"CC", "CD", "IN"}
            and after < len(tree) - 3
        ):
            self._leave("part", one, "its end is not clear")
            return
        new = self._finite_words(one, words, tense, subject)
        if not new:
            return
        long_ago = tense == "present" and any(tree.low(at) in _SINCE for at in words)
        had = any(tree.low(aux) in {"has", "have"} for aux in tree.auxiliaries(verb))
        if verbal and words[0] == one and (had or long_ago):
            perfect = ("have" if subject.plural else "has", inflected(verb_lemma(tree.words[one].text), "VBN"))
            new = [subject.text, *perfect, *new[2:]]
        leading = one < verb
        cue = (one,)
        operation = self._add(Operation("part", "participle", cue, take, (tuple(new),), parent, before=leading))
        self._clause(one, operation, subject)

    def _is_means(self, one: int, verb: int) -> bool:
        """Whether *, using …* says what the subject used: it does something."""
        tree = self.tree
        passive = any(tree.words[aux].label == "aux:pass" for aux in tree.auxiliaries(verb))
        places = [place for place in tree.subtree(one) if not self._is_end(place)]
        return tree.low(one) == "using" and one > verb and not passive and self._free(places) and self._closed(places)

    def _shall_also(self, one: int, verb: int, words: list[int], who: Mention, marked: str) -> bool:
        """*shall tell the owner, giving the date*: *The agent shall give the date.*"""
        tree = self.tree
        modal = next((tree.low(aux) for aux in tree.auxiliaries(verb) if tree.tag(aux) == "MD"), "")
        lemma, lead = verb_lemma(tree.words[one].text), self._lead(verb)
        own = [aux for aux in tree.auxiliaries(verb) if tree.tag(aux) != "MD"]
        if modal not in {"shall", "must", "will"} or marked or lemma in RESULTS or own or tree.negated(verb):
            return False
        if one < verb or words[0] != one or tree.tag(one) != "VBG" or tree.low(one - 1) != "," or len(words) < 5:
            return False
        if words[-1] < len(tree) - 2 or self._under(words) or (lead and not self._duty(verb)):
            return False
        opening = ["In that case,"] if lead else []
        take = frozenset([one - 1, *words])
        new: tuple[Item, ...] = (*opening, who.text, modal, lemma, *words[1:])
        self._add(Operation("part", "shall also", (one,), take, (new,)))
        return True

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

    def _apart(self, verb: int) -> None:
        """A sentence of one clause: why or how something was done, said apart if it is the end of it.

        What it was done for stays: raters are told that a purpose and its action belong together.
        """
        tree = self.tree
        subject = tree.subject(verb)
        kids = [kid for kid in tree.kids[verb] if kid > verb and tree.label(kid) != "punct"]
        if len(tree) < 16 or subject is None or not kids or tree.tense(verb) == "modal" or self._lead(verb):
            return
        last = kids[-1]
        places = [place for place in tree.subtree(last) if not self._is_end(place)]
        words = [place for place in places if tree.low(place) != "," or place > places[0]]
        who, tense = self._subject_of(verb), tree.tense(verb)
        if len(words) < 5 or words[0] - verb < 5 or words[-1] < len(tree) - 2 or not tree.contiguous(places):
            if who is not None and not tree.negated(verb):
                self._said_again(verb, who)
            return
        passive = tree.words[subject].label == "nsubj:pass"
        active = tree.words[verb].upos == "VERB" and not passive and verb_lemma(tree.words[verb].text) not in _UNDONE
        first, second = tree.low(words[0]), tree.low(words[0] + 1)
        result = (first, second) == ("as", "a") and tree.low(words[0] + 2) in {"result", "consequence"}
        cause = ((first, second) in _CAUSES or result) and tree.label(last) in {"obl", "advcl"}
        means = tree.label(last) == "advcl" and tree.tag(last) == "VBG" and first == "by"
        if (tree.negated(verb) and not cause) or any(tree.low(place) == "only" for place in range(words[0])):
            return
        start: list[Item] = []
        if cause:
            start = ["This", be(tense, False)]
        elif means and active and who is not None and not tree.auxiliaries(verb):
            start = [who.text, "did" if tense == "past" else "do" if who.plural else "does", "so"]
        elif means and passive and verb_lemma(tree.words[verb].text) not in STATES:
            start = ["This", be(tense, False), "done"]
        if not start and who is not None and not tree.negated(verb):
            self._said_again(verb, who)
            return
        if start:
            self._add(
                Operation(
                    "adv" if means else "prep",
                    "why" if cause else "how",
                    (words[0],),
                    frozenset(places),
                    ((*start, *words),),
                )
            )

    def _origin(self, verb: int) -> None:
        """*is a Swiss painter from Bern*: *She is from Bern.*"""
        tree = self.tree
        copula, who = tree.child(verb, "cop"), self._subject_of(verb)
        nouns = [kid for kid in tree.children(verb, "nmod") if kid > verb]
        if copula is None or who is None or not nouns or tree.tag(copula) not in FINITE or tree.negated(verb):
            return
        places = [place for place in tree.subtree(nouns[-1]) if not self._is_end(place)]
        new = {tree.low(kid) for kid in tree.children(verb, "det")} & {"a", "an"}
        if not new or tree.low(places[0]) != "from" or places[-1] < len(tree) - 2 or not tree.contiguous(places):
            return
        if len(places) >= 2 and tree.tag(nouns[-1]) in NAMES and places[0] - verb <= 2 and len(tree) >= 9:
            made: tuple[Item, ...] = (who.text, tree.low(copula), *places)
            self._add(Operation("prep", "from", (places[0],), frozenset(places), (made,)))

    def _lies(self, verb: int) -> None:
        """*is a village in Kent, between the woods and the sea*: *The village is between the woods and the sea.*"""
        tree = self.tree
        copula, who = tree.child(verb, "cop"), self._subject_of(verb)
        if copula is None or who is None or who.plural or not is_place(tree, verb) or tree.tag(copula) not in FINITE:
            return
        comma = next((at for at in range(len(tree) - 4, verb + 2, -1) if tree.low(at) == ","), None)
        words = [at for at in range((comma or 0) + 1, len(tree)) if not self._is_end(at)]
        if comma is None or len(words) < 4 or any(tree.tag(at)[:1] in {"V", "W", "M"} for at in words):
            return
        near = tree.tag(words[0]) == "IN" and tree.low(words[0]) in _LYING
        far = any(tree.low(at) in _DIRECTIONS for at in words[:6]) and "of" in {tree.low(at) for at in words[1:8]}
        if (near or far) and tree.tag(words[0]) != "CC":
            new: tuple[Item, ...] = (who.text, tree.low(copula), *words)
            self._add(Operation("prep", "place", (words[0],), frozenset([comma, *words]), (new,)))

    def _said_again(self, verb: int, who: Mention) -> None:
        """*worked as a cook in Rome and as a guide in Pisa*: *She worked as a guide in Pisa.*

        Also for two objects with circumstances of their own, and for a phrase after a comma at the end.
        """
        tree = self.tree
        if tree.words[verb].upos != "VERB" or any(tree.label(kid) == "conj" for kid in tree.kids[verb]):
            return
        objects = tree.children(verb, "obj")
        found = [one for one in (*objects, *tree.children(verb, "obl")) if one > verb]
        for one in found:
            joined = tree.children(one, "conj")
            last = joined[-1] if len(joined) == 1 else None
            parted = tree.low(tree.subtree(one)[0]) == "," and tree.low(tree.subtree(one)[1]) in _WHERE
            parted = parted and any(tree.words[aux].label == "aux:pass" for aux in tree.auxiliaries(verb))
            if last is None and parted and one == found[-1] and not objects and not joined:
                places = tree.subtree(one)
            elif last is not None and self._own_circumstance(one, last):
                places = tree.subtree(last)
            else:
                continue
            places = [place for place in places if not self._is_end(place)]
            words = [place for place in places if tree.label(place) not in {"punct", "cc"} or place > places[0] + 1]
            between = [] if last is None or one in objects else objects
            if places[-1] < len(tree) - 2 or len(words) < 5 or between or not tree.contiguous(places):
                continue
            held = any(tree.tag(at)[:1] == "W" or tree.low(at) == "that" for at in words)
            if (
                held
                or places[0] - verb < (5 if last is not None else 4)
                or any(tree.low(at) in {"both", "only"} for at in range(places[0]))
            ):
                continue
            aux: list[Item] = [tree.low(at) for at in tree.auxiliaries(verb)]
            particle = tree.children(verb, "compound")
            new: tuple[Item, ...] = (who.text, *aux, tree.words[verb].text, *particle, *words)
            cue = (places[0] if tree.low(places[0]) != "," else places[0] + 1,)
            self._add(Operation("prep" if last is None else "conj", "said again", cue, frozenset(places), (new,)))
            return

    def _own_circumstance(self, one: int, last: int) -> bool:
        """Whether each of two joined phrases says where or when of its own, or both begin with the same word."""
        tree = self.tree
        cc = tree.child(last, "cc")
        if cc is None or tree.low(cc) != "and" or len(tree.subtree(last)) < 5:
            return False
        cases = [tree.child(at, "case") for at in (one, last)]
        if None not in cases:
            return len({tree.low(at) for at in cases if at is not None}) == 1
        dets = [tree.child(at, "det", "nummod") for at in (one, last)]
        own = [[at for at in tree.subtree(at) if tree.tag(at) == "CD" and len(tree.low(at)) == 4] for at in (one, last)]
        return cases == [None, None] and None not in dets and bool(own[0]) and set(own[1]) != set(own[0]) != set()

    def _doing_so(self, verb: int) -> None:
        """*… within 30 days of …*: *The Contractor shall do so within 30 days of …*."""
        tree = self.tree
        subject = tree.subject(verb)
        modal = next((one for one in tree.auxiliaries(verb) if tree.tag(one) == "MD"), None)
        if (
            len(tree) < _LONG
            or subject is None
            or modal is None
            or tree.negated(verb)
            or tree.words[verb].upos != "VERB"
        ):
            return
        if verb_lemma(tree.words[verb].text) in _STATIVE or self._lead(verb) == "condition":
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
        told = next((at for at in range(verb + 4, len(tree) - 4) if self._as_told(at)), None)
        if told is not None:
            return False, [place for place in range(told, len(tree)) if not self._is_end(place)], False
        kids = [kid for kid in tree.kids[verb] if kid > verb and tree.label(kid) != "punct"]
        if len(kids) < 2:
            return None
        last = kids[-1]
        places = [place for place in tree.subtree(last) if not self._is_end(place)]
        before = kids[-2]
        if [tree.low(places[0] - back) for back in (3, 2, 1)] == ["at", "any", "time"]:
            places = [*range(places[0] - 3, places[0]), *places]
        elif tree.label(before) == "obl" and tree.subtree(before)[-1] == places[0] - 1 and len(kids) > 2:
            first = tree.low(tree.subtree(before)[0])
            places = tree.subtree(before) + places if first in _WHEN else places
        places = [place for place in places if place > places[0] or tree.low(place) != ","]
        label, first = tree.label(last), tree.low(places[0])
        second = tree.low(places[0] + 1)
        comma = tree.low(places[0] - 1) == ","
        plan = label == "advcl" and tree.tag(last) == "VB"
        purpose = plan and ((first == "to" and comma) or (first, second) == ("in", "order"))
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
        said = tree.low(0) in {"before", "after", "within", "prior", "during"} or (
            (tree.low(0), tree.low(1)) in _HOW | {("at", "any")}
        )
        if places[0] != 0 or not said or len(places) < 5:
            return None
        if places[-1] >= verb or not tree.contiguous(places) or self._under(places):
            return None
        after = places[-1] + 1
        return False, [*places, *([after] if tree.low(after) == "," else [])], True
