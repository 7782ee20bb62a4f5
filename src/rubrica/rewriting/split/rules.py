"""Rules that propose where a sentence can be split, over Universal Dependencies. When in doubt they propose nothing.

A clause is walked from its predicate: its conjuncts, its adverbial clauses, the modifiers of its nouns. What becomes a
sentence of its own is walked in turn. What is said under a condition, by somebody, or of nothing in particular stays
where it is: clauses that are not walked are never taken apart.
"""

from __future__ import annotations

from collections.abc import Iterator

from rubrica.rewriting.split.operations import Operation
from rubrica.rewriting.split.tree import FINITE, NAMES, Tree
from rubrica.rewriting.split.wording import (
    STATES,
    Item,
    Mention,
    be,
    finite_form,
    is_place,
    lowered,
    mention,
    tense_of_state,
    verb_lemma,
)

CONDITIONS = {"if", "unless", "provided", "providing", "whether", "once", "until", "except", "wherever", "whenever"}
_RESULTS = frozenset(
    "lead cause result mean allow make enable bring force prompt leave cost ensure render trigger spark yield "
    "prevent".split()
)
"""Verbs whose subject can be all that was said before: *which led to*, *making it*."""
_NO_PARTICIPLE = frozenset(
    "according depending following including regarding concerning based given considering excluding using owing "
    "pending provided barring during beginning starting compared".split()
)
_TIMES = frozenset(
    "then later subsequently afterwards soon eventually finally now today also still currently january february march "
    "april june july august september october november december".split()
)
_EMPTY_HEADS = frozenset("person people one thing something someone anything anyone those way type kind form".split())
_RELATIVES = {"who", "which", "whom", "whose", "where", "when", "that"}
_CLAUSES = {"acl", "advcl", "ccomp", "csubj", "parataxis"}


class Rules:
    """The proposals for one sentence, outer ones first."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.found: list[Operation] = []
        self.left: list[tuple[str, int, str]] = []
        """What was seen and left alone: a pattern, a word, and why."""

    def propose(self) -> list[Operation]:
        """All proposals for the sentence; none for questions and sentences without a finite main verb."""
        tree = self.tree
        if len(tree) < 6 or tree.text.rstrip().endswith("?"):
            return []
        if tree.finite(tree.root) is None or tree.subject(tree.root) is None or tree.child(tree.root, "mark") is not None:
            return []
        self._clause(tree.root, None, None)
        if not any(one.pattern == "conj" for one in self.found):
            self._plain_cut()
        if not self.found or (tree.tense(tree.root) == "modal" and not any(one.pattern == "conj" for one in self.found)):
            self._doing_so(tree.root)
        return self.found

    def _add(self, operation: Operation) -> Operation:
        self.found.append(operation)
        return operation

    def _leave(self, pattern: str, place: int, why: str) -> None:
        self.left.append((pattern, place, why))

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
        for noun, predicate in self._nouns(verb):
            self._modifiers(noun, verb, parent, who if predicate else None)
            self._with_clause(noun, verb, parent)
            self._after_comma(noun, verb, parent)

    def _as_its_verb(self, who: Mention | None, verb: int) -> Mention | None:
        """A subject with the number that its verb shows: *The Awards is*."""
        tree = self.tree
        finite = tree.finite(verb)
        if who is None or finite is None or who.text in {"they", "we", "you", "i", "I"}:
            return who
        if tree.tag(finite) == "VBZ" or tree.low(finite) == "was":
            return who._replace(plural=False)
        return who._replace(plural=True) if tree.tag(finite) == "VBP" or tree.low(finite) == "were" else who

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
                clausal = tree.label(kid) in _CLAUSES or (tree.label(kid) in {"conj", "xcomp"} and self._verbal(kid))
                name = tree.label(kid) == "appos" and kid == place + 1 and tree.tag(kid) in NAMES
                if not clausal and (name or tree.label(kid) != "appos"):
                    stack.append(kid)
        return iter(sorted(found))

    def _verbal(self, place: int) -> bool:
        tree = self.tree
        if tree.words[place].upos in {"VERB", "AUX"} and tree.tag(place) != "NN":
            return True
        return tree.finite(place) is not None and (tree.subject(place) is not None or bool(tree.auxiliaries(place)))

    # Conjunction

    def _conjuncts(self, verb: int, parent: Operation | None, who: Mention | None) -> None:
        """Clauses joined to this one, with a subject of their own or the same."""
        tree = self.tree
        joined = [one for one in tree.children(verb, "conj") if self._verbal(one) and one > verb]
        if not joined:
            return
        whole = [place for place in tree.subtree(verb) if place >= tree.subtree(joined[0])[0]]
        if not tree.contiguous(whole):
            return
        starts = [tree.subtree(one)[0] for one in joined]
        ends = [*starts[1:], whole[-1] + 1]
        words = [self._joining(one) for one in joined]
        if words[-1] == "" and tree.low(starts[-1]) != ";":
            words[-1] = "?"
        groups: list[list[int]] = []
        for index in range(len(joined)):
            listed = index > 0 and words[index - 1] == "" and tree.low(starts[index - 1]) != ";"
            groups[-1].append(index) if listed else groups.append([index])
        for group in groups:
            why = next((said for said in (self._not_joined(verb, joined, i, words, who) for i in group) if said), "")
            made = [] if why else [self._conjunct(verb, joined[i], range(starts[i], ends[i]), who) for i in group]
            if why or not all(made):
                self._leave("conj", joined[group[0]], why or "no verb form fits")
                if len(group) == 1 and group[0] + 1 < len(joined):
                    continue
                return
            self._cut_conjuncts([joined[i] for i in group], [range(starts[i], ends[i]) for i in group], made, parent, who)

    def _cut_conjuncts(
        self,
        joined: list[int],
        regions: list[range],
        made: list[list[Item]],
        parent: Operation | None,
        who: Mention | None,
    ) -> None:
        tree = self.tree
        take = frozenset(place for region in regions for place in region if not self._is_end(place))
        cue = next((cc for one in joined for cc in tree.children(one, "cc")), regions[0][0])
        operation = self._add(
            Operation("conj", "conjunct", (cue,), take, tuple(tuple(items) for items in made), parent)
        )
        for one in joined:
            own = tree.subject(one)
            relative = own is not None and tree.low(own) in _RELATIVES
            self._clause(one, operation, who if own is None or relative else None)

    def _joining(self, place: int) -> str:
        """The word that joins a conjunct: *and*, *but*, *or*, or nothing."""
        tree = self.tree
        found = next((tree.low(cc) for cc in tree.children(place, "cc")), "")
        start = tree.subtree(place)[0]
        return found or (tree.low(start - 1) if tree.tag(start - 1) == "CC" else "")

    def _not_joined(self, verb: int, joined: list[int], index: int, words: list[str], who: Mention | None) -> str:
        """Why a conjunct stays; empty if it need not."""
        tree, one = self.tree, joined[index]
        own = tree.subject(one)
        last = next((word for word in words[index:] if word), words[index])
        if last not in {"and", "but", ";", "so", "yet"} and tree.low(tree.subtree(one)[0]) != ";":
            return f"joined by {last or 'a comma'}"
        if tree.children(verb, "cc") and any(tree.words[cc].label == "cc:preconj" for cc in tree.kids[verb]):
            return "one of a pair"
        if tree.finite(one) is None and own is not None:
            return "no finite verb"
        lead = self._lead(verb)
        if lead == "attribution" or (lead == "condition" and not (last == "and" and self._duty(verb))):
            return f"a {lead} holds for both"
        between = range(verb + 1, tree.subtree(one)[0])
        if any(tree.low(place) in CONDITIONS and tree.label(place) in {"mark", "advmod"} for place in between):
            return "it may be part of a condition"
        if own is not None:
            speech = tree.child(verb, "ccomp")
            if speech is not None and speech < one and tree.low(tree.subtree(one)[0]) != ",":
                return "it may be part of what was said"
            return ""
        if who is None:
            return "the subject cannot be named again"
        if tree.child(verb, "expl") is not None:
            return "there is no subject to repeat"
        if tree.negated(verb) and tree.finite(one) is None:
            return "negation holds for both"
        before = tree.subtree(one)[0]
        own_words = [kid for kid in tree.kids[verb] if verb < kid < before and tree.label(kid) not in {"punct", "cc"}]
        if not own_words and not tree.auxiliaries(verb) and index == 0:
            return "both verbs share what follows"
        if not own_words and index == 0 and tree.words[verb].upos == "VERB":
            return "both verbs share what follows"
        if lead == "time" and not self._has_time(tree.subtree(one)):
            return "a time holds for both"
        if any(tree.low(mark) in CONDITIONS for kid in tree.children(one, "advcl") for mark in tree.kids[kid]):
            return "a condition may hold for both"
        return ""

    def _duty(self, verb: int) -> bool:
        """Whether a clause says what shall or may be done in a case that is named before it."""
        tree = self.tree
        return tree.tense(verb) == "modal" and tree.low(0) in {"if", "when"}

    def _lead(self, verb: int) -> str:
        """What stands before the subject and holds for all that follows."""
        tree = self.tree
        subject = tree.subject(verb)
        edge = subject if subject is not None else verb
        for kid in tree.kids[verb]:
            if kid >= edge:
                continue
            marks = {tree.low(one) for one in tree.kids[kid] if tree.label(one) in {"mark", "advmod", "case"}}
            label = tree.label(kid)
            if label == "advcl" and (marks & CONDITIONS or (tree.tense(verb) != "past" and "when" in marks)):
                return "condition"
            if label == "advcl" and tree.low(tree.subtree(kid)[0]) in {"if", "unless", "in", "where"}:
                return "condition"
            if tree.low(tree.subtree(kid)[0]) in {"according", "per", "allegedly", "reportedly", "supposedly"}:
                return "attribution"
            if label == "obl" and any(tree.tag(one) == "CD" for one in tree.subtree(kid)):
                return "time"
            if tree.low(tree.subtree(kid)[0]) == "to" and "extent" in {tree.low(one) for one in tree.subtree(kid)}:
                return "condition"
            if label == "obl" and tree.low(tree.subtree(kid)[0]) in {"upon", "without", "under", "subject", "except"}:
                return "condition"
        return ""

    def _has_time(self, places: list[int]) -> bool:
        tree = self.tree
        return any(
            (tree.tag(one) == "CD" and len(tree.low(one)) == 4) or tree.low(one) in _TIMES or tree.low(one) in {"after", "until", "before"}
            for one in places
        )

    def _conjunct(self, verb: int, one: int, region: range, who: Mention | None) -> list[Item]:
        """The words of a conjunct as a sentence; none if no form fits."""
        tree = self.tree
        places = [place for place in region if not self._is_end(place)]
        opening: list[Item] = []
        while places and (tree.label(places[0]) in {"cc", "punct"} or tree.low(places[0]) in {",", ";"}):
            first = places.pop(0)
            if tree.low(first) in {"but", "yet", "so"}:
                opening = [{"but": "However,", "yet": "However,", "so": "So"}[tree.low(first)]]
        if self._lead(verb) == "condition":
            opening = ["In that case,"]
        own = tree.subject(one)
        if own is not None and tree.low(own) not in _RELATIVES:
            return [*opening, *places]
        if own is not None:
            places = [place for place in places if place != own]
        if who is None or not places:
            return []
        finite = tree.finite(one)
        before = [place for place in places if place < one and tree.label(place) in {"advcl", "obl"}]
        if before:
            return []
        if finite is not None and not self._shares_passive(verb, one):
            return [*opening, who.text, *places] if self._agrees(finite, who) else []
        shared = self._auxiliaries(verb)
        if tree.tag(one) == "VB" and not tree.auxiliaries(one) and tree.tense(verb) == "present" and who.plural and (
            tree.tag(verb) != "VB"
        ):
            return [*opening, who.text, *places]
        tags = {tree.tag(one), tree.tag(verb)}
        same = tree.tag(one) == tree.tag(verb) or tags == {"VBN", "VBD"}
        if not shared or not same or tree.auxiliaries(one):
            return []
        return [*opening, who.text, *shared, *places]

    def _shares_passive(self, verb: int, one: int) -> bool:
        """*was founded in 1994 and based in* …: the second looks like a past tense."""
        tree = self.tree
        passive = any(tree.words[aux].label == "aux:pass" for aux in self._own_or_shared(verb))
        agent = any(tree.words[kid].label == "obl:agent" for kid in tree.kids[one])
        state = verb_lemma(tree.words[one].text) in STATES and tree.child(one, "obl") is not None
        bare = tree.tag(one) == "VBD" and not tree.auxiliaries(one) and tree.child(one, "obj") is None
        return passive and bare and (agent or state)

    def _own_or_shared(self, verb: int) -> list[int]:
        tree = self.tree
        found = tree.auxiliaries(verb)
        while not found and tree.label(verb) == "conj" and tree.finite(verb) is None:
            verb = tree.words[verb].head
            found = tree.auxiliaries(verb)
        return found

    def _auxiliaries(self, verb: int) -> list[Item]:
        tree = self.tree
        return [tree.words[aux].text.lower() for aux in self._own_or_shared(verb)]

    def _agrees(self, finite: int, who: Mention) -> bool:
        """Whether a finite verb agrees with how its subject is named."""
        tree = self.tree
        form, tag = tree.low(finite), tree.tag(finite)
        if who.text.lower() in {"i", "you"}:
            return True
        if tag == "VBZ" or form == "was":
            return not who.plural
        if tag == "VBP" or form == "were":
            return who.plural
        return True

    def _parataxis(self, one: int, parent: Operation | None) -> None:
        """A clause after a semicolon, or after a comma if it has subject and verb."""
        tree = self.tree
        places = tree.subtree(one)
        subject = tree.subject(one)
        before = places[0] if tree.low(places[0]) in {";", ","} else places[0] - 1
        if subject is None or tree.finite(one) is None or not tree.contiguous(places) or one < tree.words[one].head:
            return
        if tree.low(before) not in {";", ","} or tree.low(subject) in _RELATIVES:
            return
        if any(tree.low(place) in _RELATIVES and tree.tag(place)[:1] == "W" for place in places[:4]):
            return
        if tree.low(before) == "," and verb_lemma(tree.words[one].text) in {"say", "write", "think", "state", "report"}:
            return
        words = [place for place in places if place > before and not self._is_end(place)]
        if not words or tree.low(words[0]) in {"so", "not"}:
            return
        take = frozenset([*words, before])
        operation = self._add(Operation("conj", "joined by a sign", (before,), take, (tuple(words),), parent))
        self._clause(one, operation, None)

    # Adverbial clauses, participles, infinitives

    def _adverbial(self, one: int, verb: int, parent: Operation | None, who: Mention | None) -> None:
        tree = self.tree
        places = tree.subtree(one)
        if not tree.contiguous(places):
            return
        mark = next((kid for kid in tree.kids[one] if tree.label(kid) in {"mark", "advmod", "case"} and kid <= places[0] + 2), None)
        marked = tree.low(mark) if mark is not None and tree.label(mark) != "advmod" or (
            mark is not None and tree.tag(mark) == "WRB") else ""
        if tree.finite(one) is not None and tree.subject(one) is not None:
            self._finite_adverbial(one, verb, parent, marked)
        elif tree.tag(one) == "VBG" or (tree.tag(one) in {"VBN", "VBD"} and tree.finite(one) is None) or (
            tree.tag(one) == "VBD" and tree.subject(one) is None
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
        if leading and start == 0 and tree.subject(verb) is not None:
            opening = {"although": "However,", "though": "However,", "after": "After that,", "because": "Because of this,"}
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
        if subject is None or later is None or subject != rest[0] or tree.low(subject) not in {"he", "she", "it", "they"}:
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
        static = tree.low(one) == "based" and one < verb and (
            tree.child(verb, "cop") is not None or any(tree.words[aux].label == "aux:pass" for aux in tree.kids[verb])
        )
        if tree.low(one) in _NO_PARTICIPLE and not static:
            return
        own = tree.subject(one)
        tense = tree.tense(verb)
        comma = tree.low(places[0]) == "," or tree.low(places[0] - 1) == ","
        words = [place for place in places if tree.low(place) != "," or places[0] < place < places[-1]]
        if own is not None:
            if marked in {"with", ""} and comma and one > verb and tree.words[own].upos != "PRON":
                self._absolute(one, own, words, take, tense, parent, marked)
            return
        if who is None or tree.negated(verb) and one > verb and not comma:
            return
        if tense == "modal" or self._under(words):
            self._leave("part", one, "what shall be is not what is")
            return
        rest = [place for place in words if tree.low(place) != marked or place > words[0]]
        if marked in {"before", "after"} and tree.tag(one) == "VBG" and tense == "past":
            self._sequence(one, verb, rest, take, marked, parent, who)
            return
        if marked or not comma and not (one < verb and "," in {tree.low(places[-1] + 1), tree.low(places[-1])}):
            return
        subject = who
        verbal = tree.tag(one) == "VBG"
        if one > verb and ((not verbal and tree.child(verb, "obj", "xcomp") is not None) or (parent and parent.pattern == "rc")):
            self._leave("part", one, "it may belong to another noun")
            return
        if verbal and one > verb and verb_lemma(tree.words[one].text) in _RESULTS:
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
        if tree.low(0) not in {"a", "an", "the"} or who.plural or "," not in {tree.low(places[-1]), tree.low(places[-1] + 1)}:
            return
        new: tuple[Item, ...] = (who.text, be(tree.tense(verb), False), lowered(tree, 0, tree.words[0].text), *words[1:])
        self._add(Operation("appos", "noun before", (0,), frozenset(places), (new,), parent, before=True))

    def _finite_words(self, one: int, words: list[int], tense: str, who: Mention) -> list[Item]:
        """A participle's words with a subject and a finite verb."""
        tree = self.tree
        head = [place for place in words if place < one]
        plural = who.plural
        same = [kid for kid in tree.children(one, "conj") if tree.tag(kid) == "VBG" and not tree.auxiliaries(kid)]
        also = {kid: finite_form(tree.words[kid].text, tense, plural) for kid in same if tree.tag(one) == "VBG"}
        tail: list[Item] = [also.get(place, place) for place in words if place > one]
        if any(tree.label(place) not in {"advmod", "aux", "punct"} for place in head):
            return []
        auxiliary = [place for place in head if tree.label(place) == "aux"]
        if auxiliary:
            first = finite_form(tree.words[auxiliary[0]].text, "past", plural)
            others = [place for place in head if place != auxiliary[0] and tree.low(place) != ","]
            return [who.text, first, *map(self._inside, others), self._inside(one), *tail]
        head = [place for place in head if tree.low(place) != ","]
        if tree.tag(one) == "VBG":
            if any(tree.low(place) in {"currently", "now", "still", "presently"} for place in (*head, one + 1)) and tense == "present":
                return [who.text, be("present", plural), *map(self._inside, head), self._inside(one), *tail]
            return [who.text, *map(self._inside, head), finite_form(tree.words[one].text, tense, plural), *tail]
        state = "past" if tree.low(one) == "born" else tense_of_state(tree, one, tense)
        return [who.text, be(state, plural), *map(self._inside, head), self._inside(one), *tail]

    def _inside(self, place: int) -> Item:
        """A word that no longer begins the sentence."""
        return lowered(self.tree, place, self.tree.words[place].text) if place == 0 else place

    def _absolute(
        self, one: int, own: int, words: list[int], take: frozenset[int], tense: str, parent: Operation | None, marked: str
    ) -> None:
        """*with the winner becoming champion*: a clause whose verb lacks only its tense."""
        tree = self.tree
        rest = [place for place in words if not (place == words[0] and tree.low(place) == "with")]
        if tree.tag(one) != "VBG" or tense == "modal" or not rest or rest[0] > own or marked == "with" and len(rest) == len(words):
            return
        plural = tree.plural(own)
        verb: Item = finite_form(tree.words[one].text, tense, plural)
        new = tuple(verb if place == one else place for place in rest)
        cue = words[0] if marked else one
        operation = self._add(Operation("prep" if marked else "part", "with a clause", (cue,), take, (new,), parent))
        self._clause(one, operation, None)

    def _sequence(
        self, one: int, verb: int, rest: list[int], take: frozenset[int], marked: str, parent: Operation | None, who: Mention
    ) -> None:
        """*before returning to Italy*: *He then returned to Italy.* *After leaving*, at the start: the other way round."""
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
            operation = self._add(Operation("adv", "after", cue, take, (new,), parent, before=True, opening="After that,"))
        else:
            return
        self._clause(one, operation, who)

    # Modifiers of nouns

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

    def _subject_of(self, verb: int) -> Mention | None:
        subject = self.tree.subject(verb)
        return None if subject is None else self._as_its_verb(mention(self.tree, subject, subject=True), verb)

    def _place(self, noun: int, verb: int) -> tuple[bool, bool]:
        """Whether a modifier's sentence goes before its host; and whether the noun stands before the subject."""
        tree = self.tree
        subject = tree.subject(verb)
        if subject is None:
            return False, noun < verb
        within = noun in tree.subtree(subject)
        first = tree.low(tree.subtree(subject)[0])
        return within and subject == noun and noun < verb and first not in {"a", "an"}, noun < subject and not within

    def _taken(self, places: list[int], lead: bool) -> frozenset[int]:
        """The words of a modifier with the comma before it and the one after it."""
        tree = self.tree
        taken = {place for place in places if not self._is_end(place)}
        low, high = min(taken), max(taken)
        opened = tree.low(low) == "," or tree.low(low - 1) == ","
        if tree.low(low - 1) == ",":
            taken.add(low - 1)
        if opened and tree.low(high + 1) == "," and not lead and tree.low(high) != ",":
            taken.add(high + 1)
        if opened and tree.low(high) == "," and lead:
            taken.discard(high)
        if lead and opened and tree.low(high + 1) == ",":
            taken.discard(high + 1)
        return frozenset(taken)

    def _free(self, places: list[int]) -> bool:
        """Whether a comma parts a modifier from its noun."""
        return self.tree.low(places[0]) == "," or self.tree.low(places[0] - 1) == ","

    def _ends_well(self, places: list[int], noun: int, verb: int, free: bool, parent: Operation | None) -> bool:
        """Whether a modifier ends where its end can be seen: at a comma, or at the end of a clause."""
        tree = self.tree
        after = places[-1] + 1
        if after >= len(tree) - 1 or tree.low(places[-1]) in {",", ")"}:
            return True
        if parent and parent.pattern in {"appos", "rc"} and places[-1] == max(p for p in parent.take if tree.low(p) != ","):
            return True
        if free:
            return tree.low(after) in {",", ";", ".", ")"} or (noun > verb and tree.low(after) in {"and", "but"})
        if tree.low(after) == ",":
            return tree.low(after + 1) in _RELATIVES | {"and", "but", "while", "although"} or tree.tag(after + 1) == "VBG"
        return True

    def _may_define(self, noun: int, verb: int, who: Mention | None, places: list[int]) -> str:
        """Why a modifier without a comma stays; empty where the noun is new and the sentence says what it is."""
        tree = self.tree
        joined = [noun, tree.words[noun].head] if tree.label(noun) == "conj" else [noun]
        first = next((tree.low(kid) for one in joined for kid in tree.kids[one] if tree.label(kid) == "det"), "")
        if first not in {"a", "an"}:
            return "it says which is meant"
        if tree.words[noun].lemma.lower() in _EMPTY_HEADS or tree.negated(verb) or tree.tense(verb) == "modal":
            return "it says which is meant"
        if places[-1] < len(tree) - 2 and tree.low(places[-1] + 1) not in {",", ".", "and", "but", ";", "that", "which"}:
            return "it stands inside the sentence"
        subject = tree.subject(verb)
        if who is not None:
            generic = subject is not None and tree.low(tree.subtree(subject)[0]) in {"a", "an"}
            return "it is a definition" if generic else ""
        if tree.tense(verb) != "past" or noun < verb:
            return "it says which is meant"
        return ""

    def _relative(self, one: int, noun: int, verb: int, parent: Operation | None, who: Mention | None) -> None:
        tree = self.tree
        places = [place for place in tree.subtree(one) if not self._is_end(place)]
        if not tree.contiguous(places) or tree.finite(one) is None:
            return
        words = [place for place in places if not (place == places[0] and tree.low(place) == ",")]
        while words and tree.low(words[-1]) == ",":
            words.pop()
        relative = next((place for place in words[:4] if tree.low(place) in _RELATIVES and tree.tag(place)[:1] in {"W", "I"}), None)
        if relative is None or not words:
            return
        free = self._free(places) and tree.low(relative) != "that"
        why = "" if free else self._may_define(noun, verb, who, places)
        if not self._ends_well(places, noun, verb, free, parent):
            why = "its end is not clear"
        if why:
            self._leave("rc", relative, why)
            return
        named = who or mention(tree, noun)
        finite = tree.finite(one)
        while named and finite is not None and tree.subject(one) == relative and not self._agrees(finite, named):
            if tree.words[noun].label != "nmod":
                break
            noun = tree.words[noun].head
            named = mention(tree, noun)
        if named is None:
            self._leave("rc", relative, "the noun cannot be named again")
            return
        made = self._relative_words(one, noun, words, relative, named, free)
        if not made:
            self._leave("rc", relative, "no sentence of its own could be made")
            return
        before, lead = self._place(noun, verb)
        operation = self._add(
            Operation("rc", tree.low(relative), (relative,), self._taken(places, lead), (tuple(made),), parent, before=before)
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
            if said == "which" and verb_lemma(tree.words[one].text) in _RESULTS and not tree.auxiliaries(one):
                return ["This", *tail]
            front = [kid for kid in tree.kids[one] if relative < kid < one and tree.label(kid) == "obl"]
            if front and tree.subtree(front[0])[0] == tail[0]:
                moved = tree.subtree(front[0])
                return [*moved, ",", named.text, *(place for place in tail if place not in moved and tree.low(place) != ",")]
            return [named.text, *tail] if self._agrees(finite, named) else []
        if said == "whose" and not head and free:
            return [named.text + ("'" if named.text.endswith("s") else "'s"), *tail]
        if said == "where" and not head and free and subject is not None:
            return ["There,", *tail]
        if said == "when" and not head and free and subject is not None:
            return ["That", be(tree.tense(one), False), "when", *tail]
        if said in {"which", "whom"} and head and free:
            return self._prepositional_relative(one, noun, head, tail, named)
        if said in {"which", "whom", "that"} and not head and subject is not None and tree.words[relative].label == "obj":
            after = [place for place in tail if place > one and tree.words[place].label != "compound:prt"]
            upto = [place for place in tail if place not in after]
            return [*upto, named.text, *after]
        return []

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

    def _reduced(self, one: int, noun: int, verb: int, parent: Operation | None, who: Mention | None) -> None:
        """A participle, or an adjective with words of its own, after a noun."""
        tree = self.tree
        places = [place for place in tree.subtree(one) if not self._is_end(place)]
        if not tree.contiguous(places) or places[0] <= noun or len(places) < 3:
            return
        words = [place for place in places if tree.low(place) != "," or places[0] < place < places[-1]]
        tag = tree.tag(one)
        if tree.low(one) in _NO_PARTICIPLE or tree.low(words[0]) in _NO_PARTICIPLE or tree.child(one, "mark", "case") is not None:
            return
        if tree.tense(verb) == "modal" or self._under(words):
            self._leave("part", one, "what shall be is not what is")
            return
        free = self._free(places)
        why = "" if free else self._may_define(noun, verb, who, places)
        if not self._ends_well(places, noun, verb, free, parent):
            why = "its end is not clear"
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
        if not tree.contiguous(places) or not self._free(places) or tree.words[one].upos != "NOUN":
            return
        words = [place for place in places if tree.low(place) != "," or places[0] < place < places[-1]]
        after = tree.low(places[-1] + 1)
        listed = after == "," and tree.low(places[-1] + 2) in {"and", "or"} and not self._verb_near(places[-1] + 2)
        if any(tree.label(kid) == "acl" for kid in tree.kids[noun] if noun < kid < one):
            return
        if listed or after in {"and", "or", "("} or tree.children(noun, "conj") or tree.children(one, "conj"):
            return
        first = tree.low(words[0])
        article = first in {"a", "an", "the", "his", "her", "its", "their"}
        of = any(tree.label(kid) == "nmod" and tree.low(tree.subtree(kid)[0]) == "of" for kid in tree.kids[one])
        if not article and not (of and not tree.plural(one)):
            return
        named = who or mention(tree, noun)
        if named is None or named.plural != tree.plural(one) or len(words) < 2:
            return
        if not self._ends_well(places, noun, verb, True, parent):
            return
        tense = tree.tense(verb)
        state = "past" if tense == "past" and not is_place(tree, one) else "present"
        made: list[Item] = [named.text, be(state, named.plural), *([] if article else ["the"]), *words]
        before, lead = self._place(noun, verb)
        operation = self._add(
            Operation("appos", "apposition", (words[0],), self._taken(places, lead), (tuple(made),), parent, before=before)
        )
        self._clause(one, operation, named)

    def _verb_near(self, place: int) -> bool:
        """Whether a verb follows a conjunction at once."""
        tree = self.tree
        return any(tree.tag(one) in FINITE for one in range(place + 1, min(place + 4, len(tree))))

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
        if len(words) < 2 or not tree.contiguous(places) or not self._free(places) or words[0] < verb or tree.negated(verb):
            return
        said = tree.low(words[0])
        past = tree.tense(verb) == "past"
        stop = next((at for at in words[2:] if tree.low(at - 1) == "," and tree.tag(at) in {"IN", "TO"}), None)
        if stop is not None and said == "including":
            places = [place for place in places if place < stop - 1]
            words = [place for place in words if place < stop - 1]
        if said == "including":
            before = words[0] - 2
            while before > 0 and tree.words[before].upos not in {"NOUN", "PROPN"}:
                before -= 1
            head = tree.words[noun].head if tree.label(noun) == "nmod" else before
            plural = tree.tag(head) == "NNS" and head > verb
            start: list[Item] = [f"These {tree.words[head].text}"] if plural else ["This"]
            form = "included" if past else "include" if plural else "includes"
        elif said == "following" and past and tree.low(words[-1] + 1) in {",", ".", ""}:
            start, form = ["This"], "followed"
        else:
            return
        new = ((*start, form, *words[1:]),)
        self._add(Operation("prep", said, (words[0],), self._taken(places, lead=False), new, parent))

    # What is left

    def _under(self, places: list[int]) -> bool:
        return any(self.tree.low(place) in CONDITIONS for place in places)

    def _is_end(self, place: int) -> bool:
        return place == len(self.tree) - 1 and self.tree.low(place) in {".", "!"}

    def _plain_cut(self) -> None:
        """*and* or *but* before a clause that the parser missed: cut, and let the verification see whether both stand."""
        tree = self.tree
        subordinate = _RELATIVES | CONDITIONS | {"because", "although", "as", "since", "while", "either", "both", "how"}
        if self._lead(tree.root) in {"condition", "attribution"}:
            return
        for place in range(4, len(tree) - 4):
            if tree.low(place) in subordinate:
                return
            if tree.low(place) not in {"and", "but"} or tree.tag(place) != "CC":
                continue
            begun = self._begins_clause(place + 1)
            if not begun or not any(tree.tag(one) in FINITE for one in range(place)):
                continue
            words = [one for one in range(place + 1, len(tree)) if not self._is_end(one)]
            opening: list[Item] = ["However,"] if tree.low(place) == "but" else []
            self._add(
                Operation("conj", "plain cut", (place,), frozenset([place, *words]), ((*opening, *begun, *words),))
            )
            return

    def _begins_clause(self, after: int) -> list[Item]:
        """What must stand before the words from here on to make them a clause: nothing, or the subject; else false."""
        tree = self.tree
        rest = range(after, len(tree))
        if not any(tree.tag(one) in FINITE for one in rest) or tree.low(after) in {"them", "him", "her", "me", "us"}:
            return []
        if tree.tag(after) in {"PRP", "PRP$", "DT", "EX"}:
            return [""]
        if tree.tag(after) == "IN":
            said = {"he", "she", "it", "they"}
            near = any(tree.low(one) in said for one in range(after, min(after + 8, len(tree))))
            return [""] if near or (tree.tag(after + 1) == "CD" and tree.tag(after + 2) in NAMES | {"DT", ","}) else []
        if tree.tag(after) in {"VBD", "VBZ"} and self._lead(tree.root) != "time":
            listed = any(tree.low(one) == "," and tree.tag(one + 1) in FINITE for one in range(after))
            who = None if listed else self._subject_of(tree.root)
            same = tree.tag(after) == "VBD" and tree.tense(tree.root) == "past" or tree.tag(after) == "VBZ"
            return [who.text] if who is not None and same and self._agrees(after, who) else []
        return []

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
        words: list[Item] = [place for place in places if tree.low(place) != "," or place not in {places[0], places[-1]}]
        if leading:
            words[0] = tree.low(places[0])
        taken = frozenset(place for place in range(len(tree)) if place in places)
        self._add(Operation("inf" if purpose else "prep", "do so", (places[0],), taken, ((*start, *words),)))

    def _circumstance(self, verb: int) -> tuple[bool, list[int], bool] | None:
        """The last words of a clause, if they say when, where or what for."""
        tree = self.tree
        kids = [kid for kid in tree.kids[verb] if kid > verb and tree.label(kid) != "punct"]
        if len(kids) < 2:
            return None
        last = kids[-1]
        places = [place for place in tree.subtree(last) if not self._is_end(place)]
        before = kids[-2]
        if tree.label(before) == "obl" and tree.low(tree.subtree(before)[0]) == "at" and len(kids) > 2:
            places = tree.subtree(before) + places
        label, first = tree.words[last].label, tree.low(places[0])
        purpose = label == "advcl" and first == "to" and tree.tag(last) == "VB"
        when = {"within", "during", "before", "after", "at", "until", "through", "upon", "prior", "on"}
        adjunct = label.startswith("obl") and first in when
        if not (purpose or adjunct) or len(places) < 5 or not tree.contiguous(places) or self._under(places):
            return None
        rest = len(tree) - len(places)
        return (purpose, places, False) if rest >= 8 else None

    def _leading_circumstance(self, verb: int) -> tuple[bool, list[int], bool] | None:
        """The first words of a clause, if they say before or after what something shall be done."""
        tree = self.tree
        places = tree.subtree(next((kid for kid in tree.kids[verb] if tree.label(kid) in {"advcl", "obl"}), verb))
        if places[0] != 0 or tree.low(0) not in {"before", "after", "within", "prior", "during"} or len(places) < 5:
            return None
        if places[-1] >= verb or not tree.contiguous(places) or self._under(places):
            return None
        after = places[-1] + 1
        return False, [*places, *([after] if tree.low(after) == "," else [])], True


