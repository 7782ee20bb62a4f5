"""Rules for clauses joined by *and*, *but* or a sign."""

from __future__ import annotations

from rubrica.rewriting.split.clause import (
    CONDITIONS,
    INTRANSITIVE,
    RELATIVES,
    SAYING,
)
from rubrica.rewriting.split.modifiers import Modifiers
from rubrica.rewriting.split.operations import Operation
from rubrica.rewriting.split.tree import FINITE, NAMES, PLURAL, listed
from rubrica.rewriting.split.wording import (
    STATES,
    Item,
    Mention,
    inflected,
    verb_lemma,
)

_WITHOUT_OBJECT = listed(
    "move live serve work play study remain stay begin start settle reside compete perform travel continue act end "
    "finish debut last live sail run fight participate progress train teach write lead meet open turn fail sign break "
    "follow change air pass close drop premiere resign survive pay speak stand contribute result fly land escape "
    "switch operate succeed drive walk decline arise star expand burn belong consist originate increase merge relocate "
    "wait transfer vote peak collaborate sing qualify enroll withdraw exist apply crash embark complain tour commence "
    "disappear emigrate sound sink ride sleep march cease recover sit testify advance jump race evolve hide climb "
    "defect disband specialize rely expire listen campaign explode head descend retreat respond lie span rush reopen "
    "coincide coach migrate spread collapse excel flourish immigrate shift focus persist develop form "
    "refuse accept agree win lose leave"
)
"""Verbs that are often without an object (a third and more of their past tenses in the automatically parsed sentences
of the parser), so that they are no passive after one."""


_UNIONS = listed(
    "amalgamation merger combination mixture mix blend union hybrid cross comparison collaboration fusion set pair "
    "partnership collection group series conflict match compound alliance"
)
"""Nouns of things of which there are two."""
_THOUGHT = listed("consider know think believe say expect suppose")
"""Verbs of which the passive has *to be* after it: *thought to be*, but not *decided to be*."""
_OF_SOMEBODY = listed(
    "friend student pupil colleague supporter opponent critic admirer follower relative cousin descendant founder "
    "member leader head director president part citizen resident native alumnus graduate fan patron chairman professor "
    "author editor translator user teacher disciple enemy rival partner contemporary ally"
)
"""Nouns that want somebody or something of whom they are, perhaps said only once for two."""


class Conjunctions(Modifiers):
    """Clauses joined to another, with a subject of their own or the same."""

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
            in_list = index > 0 and words[index - 1] == "" and tree.low(starts[index - 1]) != ";"
            groups[-1].append(index) if in_list else groups.append([index])
        kept: list[tuple[list[int], list[list[Item]]]] = []
        for group in groups:
            why = next((said for said in (self._not_joined(verb, joined, i, words, who) for i in group) if said), "")
            last = groups[-1] is group
            spans = [range(starts[i], ends[i]) for i in group]
            made = (
                []
                if why
                else [self._conjunct(verb, joined[i], span, who) for i, span in zip(group, spans, strict=True)]
            )
            if why or not all(made):
                self._leave("conj", joined[group[0]], why or "no verb form fits")
                if not last and not kept:
                    continue
                if kept:
                    # It stays with the conjunct before it.
                    group_before, items = kept[-1]
                    items[-1] += [place for span in spans for place in span if not self._is_end(place)]
                    group_before += group
                continue
            kept.append((list(group), made))
        for group, made in kept:
            regions = [range(starts[i], ends[i]) for i in group]
            self._cut_conjuncts([joined[i] for i in group], regions, made, parent, who)

    def _predicates(self, verb: int, parent: Operation | None, who: Mention) -> None:
        """*is the author of two books and a judge in Rome*: *She is a judge in Rome.*"""
        tree = self.tree
        copula = tree.child(verb, "cop")
        if copula is None or tree.words[verb].upos not in {"NOUN", "PROPN"} or tree.negated(verb):
            return
        own = {tree.low(kid) for kid in tree.kids[verb] if tree.label(kid) == "det"}
        inner = [kid for noun in tree.children(verb, "nmod") for kid in tree.children(noun, "conj")]
        for one in [*tree.children(verb, "conj"), *inner]:
            places = [place for place in tree.subtree(one) if not self._is_end(place)]
            words = [place for place in places if tree.label(place) != "punct" or place > places[0]]
            start = next((place for place in words if tree.label(place) == "cc"), None)
            rest = [place for place in words if start is not None and place > start]
            if start != words[0] or len(rest) < 4 or tree.low(start) != "and" or not tree.contiguous(places):
                continue
            article = tree.low(rest[0]) in {"a", "an"} or (tree.low(rest[0]), tree.low(rest[0] + 1)) == ("one", "of")
            article = article or (tree.low(rest[0]) == "the" and one not in inner)
            own |= {"the"} if any(tree.words[kid].label == "nmod:poss" for kid in tree.kids[verb]) else set()
            titled = "of" in {tree.low(at) for at in rest[2:5]} and tree.low(verb) not in _OF_SOMEBODY
            titled = titled and not (own & {"the"} and tree.low(rest[0]) == "the")
            if not article or not own & {"a", "an", "the"} or not self._closed(places):
                continue
            if (places[0] - verb < 3 and not titled) or (one in inner and tree.low(verb) in _UNIONS):
                continue
            if tree.low(rest[-1] + 1) == "," and tree.tag(rest[-1] + 2) in {"IN", "VBG", "VBN"}:
                continue
            if self._verbal(one) or tree.tag(copula) not in FINITE:
                continue
            new: tuple[Item, ...] = (who.text, tree.low(copula), *rest)
            operation = self._add(Operation("conj", "predicate", (start,), frozenset(places), (new,), parent))
            self._clause(one, operation, who)

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
            relative = own is not None and tree.low(own) in RELATIVES
            self._clause(one, operation, who if own is None or relative else None)

    def _joining(self, place: int) -> str:
        """The word that joins a conjunct: *and*, *but*, *or*, or nothing."""
        tree = self.tree
        found = next((tree.low(cc) for cc in tree.children(place, "cc")), "")
        start = tree.subtree(place)[0]
        words = [at for at in tree.subtree(place)[:2] if tree.low(at) != ","]
        if not found and words and tree.low(words[0]) == "then" and "," in {tree.low(start), tree.low(start - 1)}:
            return "and"
        if not found and words and tree.low(words[0]) == "and" and tree.subject(place) is not None:
            return "and"
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
        twice = last == "and" and self._said_again_before(verb)
        duty = lead == "condition" and last == "and" and self._duty(verb)
        if lead in {"attribution", "condition"} and not duty and not twice:
            return f"a {lead} holds for both"
        between = range(verb + 1, tree.subtree(one)[0])
        held = any(tree.low(place) in CONDITIONS and tree.label(place) in {"mark", "advmod"} for place in between)
        but = last == "but" and own is not None and tree.low(tree.subtree(one)[0] - 1) == ","
        but = but or (last == "but" and own is not None and tree.low(tree.subtree(one)[0]) == ",")
        if held and not but and not (own is None and self._same_modal(verb, one)):
            return "it may be part of a condition"
        relative = own is not None and tree.low(own) in RELATIVES and "acl" in map(tree.label, range(verb + 1, one))
        if relative and not any(tree.low(kid) in RELATIVES for kid in tree.kids[verb]):
            return "it belongs to a relative clause"
        if own is not None:
            speech = tree.child(verb, "ccomp")
            if speech is not None and speech < one and tree.low(tree.subtree(one)[0]) != ",":
                return "it may be part of what was said"
            return ""
        if who is None:
            return "the subject cannot be named again"
        if tree.child(verb, "expl") is not None:
            return "there is no subject to repeat"
        if any(tree.words[kid].label == "nsubj:outer" for kid in tree.kids[verb]) and tree.finite(one) is None:
            return "both verbs are what it was"
        if tree.negated(verb) and tree.finite(one) is None:
            return "negation holds for both"
        before = tree.subtree(one)[0]
        own_words = [kid for kid in tree.kids[verb] if verb < kid < before and tree.label(kid) not in {"punct", "cc"}]
        near = [kid for kid in tree.children(verb, "advcl") if verb < kid < before and tree.subject(kid) is not None]
        adjacent = bool(near) and tree.finite(near[-1]) is not None and tree.subtree(near[-1])[-1] == before - 1
        relatives = [at for at in range(verb + 1, before) if tree.words[at].label == "acl:relcl"]
        relatives = [at for at in relatives if tree.words[at].head != verb]
        ends = [at for at in relatives if tree.subtree(at)[-1] == before - 1]
        ends = [at for at in ends if (tree.tense(at) == "modal") == (tree.tense(one) == "modal")]
        ends = [at for at in ends if self._number(at) & self._number(one)]
        said = any(tree.low(subject) in {"that", "who"} for at in ends if (subject := tree.subject(at)) is not None)
        said = said and not any(kid < one and tree.label(kid) == "obl" for kid in tree.kids[one])
        if said and tree.low(before) != "," and tree.low(before - 1) != ")" and tree.finite(one) is not None:
            return "it may be joined to the clause before it"
        if adjacent and tree.low(before) != "," and tree.tense(near[-1]) == tree.tense(one):
            return "it may be joined to the clause before it"
        passive = any(tree.words[aux].label == "aux:pass" for aux in tree.auxiliaries(verb))
        other = tree.auxiliaries(one) and (passive or tree.low(before) == "," or not tree.auxiliaries(verb))
        active = passive and not tree.auxiliaries(one) and tree.child(one, "obj") is not None
        apart = other or active
        bare = index and not any(
            self._has_words(at, joined[0] if at == verb else one) for at in [verb, *joined[:index]]
        )
        if (bare or (not own_words and index == 0)) and tree.words[verb].upos == "VERB" and not apart:
            return "both verbs share what follows"
        perfect = any(tree.low(aux) in {"has", "have"} for aux in tree.auxiliaries(one)) and tree.tense(verb) == "past"
        timed = self._has_time(tree.subtree(one)) or self._same_time() or twice
        if lead == "time" and not perfect and not timed:
            return "a time holds for both"
        late = [kid for kid in tree.children(one, "advcl") if kid > one]
        if any(tree.low(mark) in CONDITIONS for kid in late for mark in tree.kids[kid]):
            return "a condition may hold for both"
        return ""

    def _has_words(self, verb: int, end: int) -> bool:
        """Whether a verb of a list has an object or the like of its own."""
        tree = self.tree
        return any(verb < kid < end and tree.label(kid) not in {"punct", "cc", "conj"} for kid in tree.kids[verb])

    def _number(self, verb: int) -> set[str]:
        """The numbers that the form of a verb with a tense can have."""
        finite = self.tree.finite(verb)
        if finite is None or self.tree.tag(finite) == "MD":
            return {"one", "many"}
        form, tag = self.tree.low(finite), self.tree.tag(finite)
        if tag == "VBZ" or form == "was":
            return {"one"}
        return {"many"} if tag == "VBP" or form == "were" else {"one", "many"}

    def _has_present_copula(self, verb: int) -> bool:
        copula = self.tree.child(verb, "cop")
        return copula is not None and self.tree.low(copula) in {"is", "are"} and not self.tree.negated(verb)

    def _after_copula(self, verb: int, one: int, places: list[int]) -> list[Item]:
        """*is a singer and known for* …: *is known for* …; *is a series and first aired in* … is a past tense."""
        tree, lemma = self.tree, verb_lemma(self.tree.words[one].text)
        if lemma in INTRANSITIVE | _WITHOUT_OBJECT:
            return [*places] if inflected(lemma, "VBD") == tree.low(one) else []
        planned = tree.child(one, "xcomp") is not None and lemma not in _THOUGHT
        if planned or tree.child(one, "obl", "xcomp", "advcl", "nmod") is None or tree.child(one, "obj") is not None:
            return []
        clauses = [at for at in range(verb, one) if tree.words[at].label == "acl:relcl"]
        aux = [at for clause in clauses[-1:] for at in tree.auxiliaries(clause)]
        passive = bool(aux) and tree.words[aux[-1]].label == "aux:pass"
        form = tree.low(aux[0] if passive else tree.auxiliaries(verb)[-1])
        dated = any(tree.tag(at) == "CD" and len(tree.low(at)) == 4 for at in places)
        return [] if dated and form not in {"was", "were"} else [form, *places]

    def _same_modal(self, verb: int, one: int) -> bool:
        """*will find out whether … and will tell*: the second can only be joined to the first."""
        tree = self.tree
        modal = [{tree.low(aux) for aux in tree.auxiliaries(at) if tree.tag(aux) == "MD"} for at in (verb, one)]
        return bool(modal[0] & modal[1])

    def _conjunct(self, verb: int, one: int, region: range, who: Mention | None) -> list[Item]:
        """The words of a conjunct as a sentence; none if no form fits."""
        tree = self.tree
        places = [place for place in region if not self._is_end(place)]
        opening: list[Item] = []
        while places and (tree.label(places[0]) in {"cc", "punct"} or tree.low(places[0]) in {",", ";"}):
            first = places.pop(0)
            if tree.low(first) in {"but", "yet", "so"}:
                but = "But" if any("However," in new for done in self.found for new in done.new) else "However,"
                opening = [{"but": but, "yet": but, "so": "So"}[tree.low(first)]]
        lead = self._lead(verb)
        if lead == "condition" and self._duty(verb):
            opening = ["In that case,"]
        elif lead in {"condition", "attribution"}:
            opening = [self._said_again_before(verb)]
        own = tree.subject(one)
        if own is not None and tree.low(own) not in RELATIVES:
            return [*opening, *places]
        if own is not None:
            places = [place for place in places if place != own]
        if who is None or not places or tree.low(places[0]) == "to":
            return []
        perfect = any(tree.low(aux) in {"has", "have"} for aux in tree.auxiliaries(one)) and tree.tense(verb) == "past"
        if not opening and not perfect and self._lead(verb) == "time" and not self._has_time(tree.subtree(one)):
            opening = [self._same_time() or self._said_again_before(verb)]
        finite = tree.finite(one)
        front = self._fronted(one, places)
        if front is None:
            return []
        if front:
            places = places[len(front) :]
            opening = [*opening, *(at for at in front if tree.low(at) != "," or at < front[-1]), ","]
        if finite is not None and not self._shares_passive(verb, one):
            several = not who.plural and tree.low(finite) in {"were", "are", "have"} and self._is_group(verb)
            named = "they" if several else who.text
            return [*opening, named, *places] if several or self._agrees(finite, who) else []
        shared = self._auxiliaries(verb)
        form = tree.low(one)
        if (
            tree.tag(one) == "VBN"
            and not shared
            and tree.tag(verb) == "VBD"
            and inflected(verb_lemma(form), "VBD") == form
        ):
            return [*opening, who.text, *places]
        if (
            tree.tag(one) == "VB"
            and not tree.auxiliaries(one)
            and tree.tense(verb) == "present"
            and who.plural
            and (tree.tag(verb) != "VB")
        ):
            return [*opening, who.text, *places]
        reduced = tree.finite(verb) is None and tree.tag(verb) == "VBN"
        after_comma = tree.finite(verb) == verb and tree.low(region[0]) == "," and not tree.auxiliaries(one)
        if (reduced or after_comma) and tree.tag(one) == "VBG" and not front:
            return [*opening, who.text, *self._finite_words(one, places, tree.tense(verb), who)[1:]]
        if tree.tag(one) == "VBN" and not tree.auxiliaries(one) and not front and self._has_present_copula(verb):
            verbal = self._after_copula(verb, one, places)
            return [*opening, who.text, *verbal] if verbal else []
        tags = {tree.tag(one), tree.tag(verb)}
        same = tree.tag(one) == tree.tag(verb) or tags == {"VBN", "VBD"}
        dated = any(tree.tag(at) == "CD" and len(tree.low(at)) == 4 for at in places)
        if not shared or not same or tree.auxiliaries(one) or (dated and shared[0] in {"is", "are"}):
            return []
        return [*opening, who.text, *shared, *places]

    def _fronted(self, one: int, places: list[int]) -> list[int] | None:
        """When or where of a conjunct, said before its verb: *and in 1958 began*. None if something else is there."""
        tree = self.tree
        kids = [kid for kid in tree.kids[one] if kid < one and tree.label(kid) in {"advcl", "obl"}]
        if not kids:
            return []
        end = tree.subtree(kids[-1])[-1] + 1
        end += tree.low(end) == ","
        front = [place for place in places if place < end]
        own = [kid for kid in tree.kids[one] if end <= kid < one]
        clean = tree.contiguous(front) and all(tree.label(kid) in {"aux", "cop", "advmod"} for kid in own)
        inverted = tree.child(one, "cop") is not None and tree.tag(one) in NAMES
        if (
            inverted
            or not clean
            or front[0] != places[0]
            or tree.tag(front[0]) not in {"IN", "TO", "NNP", "DT", "RB", "CD", "WRB"}
        ):
            return None
        finite = any(tree.label(kid) == "advcl" for kid in kids)
        return None if (self._under(front) or finite) and tree.low(end - 1) != "," else front

    def _is_group(self, verb: int) -> bool:
        """*The band won and were paid*: a group that is several."""
        tree = self.tree
        subject = tree.subject(verb)
        return subject is not None and tree.tag(subject) in NAMES | {"NN"} and tree.tense(verb) == "past"

    def _shares_passive(self, verb: int, one: int) -> bool:
        """*was founded in 1994 and based in* …: the second looks like a past tense."""
        tree = self.tree
        passive = any(tree.words[aux].label == "aux:pass" for aux in self._own_or_shared(verb))
        agent = any(tree.words[kid].label == "obl:agent" for kid in tree.kids[one])
        lemma, form = verb_lemma(tree.words[one].text), tree.low(one)
        state = lemma in STATES and tree.child(one, "obl") is not None
        bare = tree.tag(one) == "VBD" and not tree.auxiliaries(one) and tree.child(one, "obj", "ccomp") is None
        needed = inflected(lemma, "VBN") == form and lemma not in INTRANSITIVE | _WITHOUT_OBJECT
        return passive and bare and (agent or state or (needed and self._joining(one) != "but"))

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

    def _parataxis(self, one: int, parent: Operation | None) -> None:
        """A clause after a semicolon, or after a comma if it has subject and verb."""
        tree = self.tree
        places = tree.subtree(one)
        subject = tree.subject(one)
        before = places[0] if tree.low(places[0]) in {";", ","} else places[0] - 1
        if subject is None and tree.words[one].upos == "NOUN":
            self._summary(one, tree.words[one].head, parent)
            self._with_clause(one, tree.words[one].head, parent)
        if subject is None or tree.finite(one) is None or not tree.contiguous(places) or one < tree.words[one].head:
            return
        if tree.low(before) not in {";", ","} or tree.low(subject) in RELATIVES or not self._closed(places):
            return
        if any(tree.low(place) in RELATIVES and tree.tag(place)[:1] == "W" for place in places[:6]):
            self._some_of_which(places, before, parent)
            return
        held = {
            "after",
            "before",
            "since",
            "until",
            "because",
            "as",
            "when",
            "while",
            "that",
            "who",
            "which",
        } | CONDITIONS
        if tree.low(before) == "," and any(tree.low(place) in held for place in range(max(0, before - 12), before)):
            return
        near = range(max(0, before - 8), before)
        if any(tree.tag(place) == "CC" and tree.low(place + 1) == "," for place in near):
            return
        if tree.low(before) == "," and verb_lemma(tree.words[one].text) in SAYING:
            return
        before = self._joined_before(before)
        words: list[int] = [place for place in range(before + 1, places[-1] + 1) if not self._is_end(place)]
        if (
            not words
            or tree.low(words[0]) in {"not", "while", "whereas", "although", "though"} | CONDITIONS
            or (tree.low(words[0]), tree.low(words[0] + 1)) == ("so", "that")
        ):
            return
        if tree.low(words[0]) == "one" and tree.low(words[0] + 1) == "of":
            return
        if parent is None:
            stop = next((at for at in range(before + 1, len(tree)) if tree.low(at) == ";"), len(tree))
            words = [place for place in range(before + 1, stop) if not self._is_end(place)]
        opening: list[Item] = []
        if tree.tag(words[0]) == "CC":
            opening = ["However,"] if tree.low(words.pop(0)) == "but" else []
        if not words:
            return
        take = frozenset(at for at in range(before, words[-1] + 1))
        new = (*opening, *words)
        operation = self._add(Operation("conj", "joined by a sign", (before,), take, (new,), parent))
        self._clause(one, operation, None)

    def _joined_before(self, sign: int) -> int:
        """*and in Spain, the rights …*: the clause begins at *and*, not at the comma after its first words."""
        tree = self.tree
        for at in range(sign - 1, max(sign - 9, 0), -1):
            if tree.tag(at) in FINITE:
                break
            if tree.tag(at) == "CC" and tree.tag(at + 1) == "IN":
                return at
        return sign

    def _some_of_which(self, places: list[int], before: int, parent: Operation | None) -> None:
        """*, one of which was* …: *One of these films was* …"""
        tree = self.tree
        words = [place for place in places if place > before and not self._is_end(place)]
        noun = before - 1
        at = next((one for one in words[1:5] if tree.low(one) in {"which", "whom"} and tree.low(one - 1) == "of"), None)
        several = tree.tag(noun) in PLURAL
        if at is None or tree.low(before) != "," or len(words) < 5 or not (several or tree.low(at) == "whom"):
            return
        named = f"these {tree.words[noun].text}" if tree.tag(noun) == "NNS" else "them"
        new: tuple[Item, ...] = tuple(named if one == at else one for one in words)
        self._add(Operation("rc", tree.low(at), (at,), frozenset([before, *words]), (new,), parent))
