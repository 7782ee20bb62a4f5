"""What the rules share: proposals, what was left alone, and what can be asked of a clause and its words."""

from __future__ import annotations

from rubrica.rewriting.split.operations import Operation
from rubrica.rewriting.split.tree import Tree, listed
from rubrica.rewriting.split.wording import (
    Item,
    Mention,
    be,
    finite_form,
    lowered,
    mention,
    tense_of_state,
    verb_lemma,
)

CONDITIONS = {"if", "unless", "provided", "providing", "whether", "once", "until", "except", "wherever", "whenever"}
RESULTS = listed(
    "lead cause result mean allow make enable bring force prompt leave cost ensure render trigger spark yield prevent "
    "end mark increase reduce create signal contribute give require necessitate"
)
"""Verbs whose subject can be all that was said before: *which led to*, *making it*."""
NO_PARTICIPLE = listed(
    "according depending following including regarding concerning based given considering excluding using owing "
    "pending provided barring during beginning starting compared"
)
INTRANSITIVE = listed("graduate die grow arrive come go retire rise fall return become appear emerge occur happen")
"""Verbs whose past participle is no passive."""
_MONTHS = listed("january february march april may june july august september october november december")
_TIMES = (_MONTHS - {"may"}) | listed(
    "then later subsequently afterwards soon eventually finally now today also still currently"
)
_NOW = {"currently", "now", "still", "presently"}
_CIRCUMSTANCES = listed("upon without under subject except with")
"""Words with which something begins that holds for all that follows, unless it is a story."""
SAYING = listed("say write think state report argue claim believe suggest note explain add")
_NO_TIMES = listed("with despite behind among like unlike as of because due")
"""Words with which something begins that has a number, and is no time."""
_TOLD = listed("the his her its their some all most both many several each these those")
"""Words with which something begins that is spoken of."""
EMPTY_HEADS = listed("person people one thing something someone anything anyone those way type kind form term word")
TWICE = 9
"""Words of a condition, a source or a time that can be said twice."""
RELATIVES = {"who", "which", "whom", "whose", "where", "when", "that"}
CLAUSES = {"acl", "advcl", "ccomp", "csubj", "parataxis"}


class Walk:
    """The proposals for one sentence, outer ones first; rules of several kinds walk its clauses."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.found: list[Operation] = []
        self.left: list[tuple[str, int, str]] = []
        """What was seen and left alone: a pattern, a word, and why."""

    def _clause(self, verb: int, parent: Operation | None, who: Mention | None) -> None:
        """Walk a clause whose subject is named again as ``who``, or by its own."""
        raise NotImplementedError

    def _add(self, operation: Operation) -> Operation:
        self.found.append(operation)
        return operation

    def _leave(self, pattern: str, place: int, why: str) -> None:
        self.left.append((pattern, place, why))

    def _as_its_verb(self, who: Mention | None, verb: int) -> Mention | None:
        """A subject with the number that its verb shows: *The Awards is*."""
        tree = self.tree
        finite = tree.finite(verb)
        if who is None or finite is None or who.text.lower() in {"we", "you", "i"}:
            return who
        if who.text == "they" and not self._agrees(finite, who):
            return None
        if tree.tag(finite) == "VBZ" or tree.low(finite) == "was":
            return who._replace(plural=False)
        return who._replace(plural=True) if tree.tag(finite) == "VBP" or tree.low(finite) == "were" else who

    def _verbal(self, place: int) -> bool:
        tree = self.tree
        nominal = {tree.words[kid].label for kid in tree.kids[place] if kid < place} & {"det", "amod", "nmod:poss"}
        if nominal and not tree.auxiliaries(place) and tree.subject(place) is None:
            return False
        if tree.words[place].upos in {"VERB", "AUX"} and tree.tag(place) != "NN":
            return True
        return tree.finite(place) is not None and (tree.subject(place) is not None or bool(tree.auxiliaries(place)))

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
            opened = tree.low(tree.subtree(kid)[0])
            if [tree.low(one) for one in tree.subtree(kid)[:3]] == ["in", "the", "event"]:
                return "condition"
            if label == "obl" and opened not in _NO_TIMES and any(tree.tag(one) == "CD" for one in tree.subtree(kid)):
                return "time"
            if tree.low(tree.subtree(kid)[0]) == "to" and "extent" in {tree.low(one) for one in tree.subtree(kid)}:
                return "condition"
            told = tree.tense(verb) == "past" or (opened == "with" and tree.tense(verb) != "modal")
            if label == "obl" and not told and opened in _CIRCUMSTANCES:
                return "condition"
        return ""

    def _duty(self, verb: int) -> bool:
        """Whether a clause says what shall or may be done in a case that is named before it."""
        tree = self.tree
        modal = {tree.low(aux) for aux in tree.auxiliaries(verb) if tree.tag(aux) == "MD"}
        return bool(modal & {"shall", "may", "must", "will"}) and tree.low(0) in {"if", "when"}

    def _said_again_before(self, verb: int) -> str:
        """What stands before the subject and holds for all, if it is short enough to be said twice."""
        tree = self.tree
        subject = tree.subject(verb)
        kids = [kid for kid in tree.kids[verb] if tree.subtree(kid)[0] == 0]
        if subject is None or not kids or kids[0] >= subject or tree.words[kids[0]].upos == "PUNCT":
            return ""
        places = tree.subtree(kids[0])
        words = places[:-1] if tree.low(places[-1]) == "," else places
        parted = bool(words) and tree.low(words[-1] + 1) == "," and tree.contiguous(places)
        parted = parted and not (tree.low(words[0]) == "in" and tree.tag(words[0] + 1) == "VBG")
        plain = not any(tree.tag(at)[:1] == "W" or tree.low(at) in {",", "which"} for at in words)
        if not parted or not plain or len(words) > TWICE:
            return ""
        return lowered(tree, 0, tree.said(words)) + ","

    def _same_time(self) -> str:
        """*That year,* where the sentence begins with *In 1972*; a day and a month likewise; empty if it does not."""
        tree = self.tree
        lead = [tree.low(place) for place in range(min(6, len(tree)))]
        if len(lead) < 6:
            return ""
        year = [len(word) == 4 and word.isdigit() for word in lead]
        if lead[0] == "in" and year[1] and (lead[2] == "," or tree.label(2) in {"det", "nsubj", "compound"}):
            return "That year,"
        if lead[0] == "in" and lead[1] in _MONTHS and year[2]:
            return "That month,"
        if lead[0] == "on" and (
            (lead[1] in _MONTHS and lead[2].isdigit()) or (lead[1].isdigit() and lead[2] in _MONTHS)
        ):
            return "That day,"
        if lead[0] in {"from", "between", "during"} or (lead[:2] == ["in", "the"] and "s" in lead[2] + lead[3]):
            return "During that time,"
        if lead[0] == "since":
            return "Since then,"
        return "By then," if lead[0] == "by" and year[1] else ""

    def _has_time(self, places: list[int]) -> bool:
        tree = self.tree
        return any(
            (len(tree.low(one)) == 4 and tree.low(one).isdigit())
            or tree.low(one) in _TIMES
            or tree.low(one) in {"after", "until", "before"}
            for one in places
        )

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
            if any(tree.low(place) in _NOW for place in (*head, one + 1)) and tense == "present":
                return [who.text, be("present", plural), *map(self._inside, head), self._inside(one), *tail]
            return [who.text, *map(self._inside, head), finite_form(tree.words[one].text, tense, plural), *tail]
        if verb_lemma(tree.words[one].text) in INTRANSITIVE:
            return []
        state = "past" if tree.low(one) == "born" else tense_of_state(tree, one, tense)
        state = tense if any(tree.low(place) in _NOW for place in (*head, one + 1)) else state
        return [who.text, be(state, plural), *map(self._inside, head), self._inside(one), *tail]

    def _inside(self, place: int) -> Item:
        """A word that no longer begins the sentence."""
        return lowered(self.tree, place, self.tree.words[place].text) if place == 0 else place

    def _absolute(
        self,
        one: int,
        own: int,
        words: list[int],
        take: frozenset[int],
        tense: str,
        parent: Operation | None,
        marked: str,
    ) -> None:
        """*with the winner becoming champion*: a clause whose verb lacks only its tense."""
        tree = self.tree
        rest = [place for place in words if not (place == words[0] and tree.low(place) == "with")]
        if tense == "modal" or not rest or rest[0] > own or (marked == "with" and len(rest) == len(words)):
            return
        new = self._absolute_words(one, own, rest, tense)
        if not new:
            return
        cue = words[0] if marked else one
        operation = self._add(Operation("prep" if marked else "part", "with a clause", (cue,), take, (new,), parent))
        self._clause(one, operation, None)

    def _absolute_words(self, one: int, own: int, rest: list[int], tense: str) -> tuple[Item, ...]:
        """The words of a clause without a tense, with one; none if there is no verb that could have it."""
        tree = self.tree
        plural = tree.plural(own)
        aux = [at for at in tree.auxiliaries(one) if own < at < one]
        if aux and tree.low(aux[0]) in {"being", "having"}:
            had = "had" if tense == "past" else "have" if plural else "has"
            form = be(tense, plural) if tree.low(aux[0]) == "being" else had
            return tuple(form if at == aux[0] else at for at in rest)
        if aux or one < own:
            return ()
        if tree.tag(one) == "VBG":
            return tuple(finite_form(tree.words[one].text, tense, plural) if at == one else at for at in rest)
        said = tree.low(tree.subtree(own)[0]) in _TOLD or tree.low(rest[0]) in _TOLD
        if tree.tag(one) in {"VBN", "VBD"} and said and verb_lemma(tree.words[one].text) not in INTRANSITIVE:
            first = next(at for at in rest if at == one or (own < at < one and tree.label(at) == "advmod"))
            found: list[Item] = []
            for at in rest:
                found += [be(tense, plural), at] if at == first else [at]
            return tuple(found)
        return ()

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
        goes_on = tree.tag(high + 2) in {"WDT", "WP", "WP$", "WRB"} or tree.low(high + 2) in {"a", "an", "the"}
        goes_on = goes_on or tree.tag(high + 2) in {"PRP", "PRP$"}
        if opened and tree.low(high + 1) == "," and not lead and not goes_on and tree.low(high) != ",":
            taken.add(high + 1)
        if opened and tree.low(high) == "," and lead:
            taken.discard(high)
        if lead and opened and tree.low(high + 1) == ",":
            taken.discard(high + 1)
        return frozenset(taken)

    def _free(self, places: list[int]) -> bool:
        """Whether a comma parts a modifier from its noun."""
        return self.tree.low(places[0]) == "," or self.tree.low(places[0] - 1) == ","

    def _closed(self, places: list[int]) -> bool:
        """Whether words end at a comma, or with the clause."""
        tree = self.tree
        after = places[-1] + 1
        return after >= len(tree) - 1 or tree.low(after) in {",", ";", ".", ")"} or tree.low(places[-1]) == ","

    def _under(self, places: list[int]) -> bool:
        tree = self.tree
        dated = {place for place in places if tree.low(place) == "until" and tree.tag(place + 1) in {"CD", "NNP"}}
        return any(tree.low(place) in CONDITIONS for place in places if place not in dated)

    def _is_end(self, place: int) -> bool:
        return place == len(self.tree) - 1 and self.tree.low(place) in {".", "!"}
