"""`rubrica`, the model of our own: rules propose splits, a verification parses the result and takes back what fails."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

import attrs

from rubrica.core.sentences import sentence_ends
from rubrica.language.parsing import ENGLISH, Parse, parse, parse_together
from rubrica.rewriting.split.mending import mended
from rubrica.rewriting.split.operations import Operation, Plan, carried_out, named_once, texts_of
from rubrica.rewriting.split.patterns import seen
from rubrica.rewriting.split.rules import Rules
from rubrica.rewriting.split.tree import FINITE, Tree, listed
from rubrica.rewriting.split.verifying import fault_of, is_new_verb, lost_words
from rubrica.rewriting.split.wording import is_apart

_NO_RULE = "no rule parts it from the rest safely"
_WHY = {
    "adv": "what it says holds for the rest of the sentence",
    "rc": "it may say which one is meant",
    "inf": "a purpose stays with what is done for it",
}
"""Why a pattern is left alone that no rule so much as tries, by the pattern."""
_STARTERS = listed(
    "the it he she they this these such in a an his her its their there however after when while we i for on at each "
    "both most many some another although though"
)
"""Words that begin a sentence more often than they follow an abbreviation with a capital letter."""
AGAIN = 9
"""Words from which a sentence that came of a split is looked at again."""
LONGEST = 400
"""Words of a sentence that is looked at; longer ones are left alone."""
_SIGN = re.compile(r"\w+|[^\w\s]")
TOO_LONG = f"it has more than {LONGEST} words and signs, or {LONGEST * 20:,} characters"
NOT_ENGLISH = "it does not look like English"
_ENGLISH = listed(
    "the of and to are were been that for with by from it his her its their they which who had has have not this but"
    " also after when where into during shall will must may any all under such other than before at is became did you"
    " she would could as or be"
)
"""Words of which an English sentence has some, and one in another language hardly any."""
_ENOUGH = 10
"""Words from which a sentence without any of those is taken for another language."""


@attrs.frozen
class Split:
    """A source, the sentences it was split into, what was done and what was left alone, and why."""

    source: str
    sentences: tuple[str, ...]
    operations: tuple[dict[str, object], ...] = ()
    left: tuple[dict[str, object], ...] = ()

    @property
    def text(self) -> str:
        """The sentences in one line."""
        return " ".join(self.sentences)

    def as_json(self) -> dict[str, object]:
        """A line of ``--jsonl``."""
        return {
            "source": self.source,
            "sentences": list(self.sentences),
            "operations": list(self.operations),
            "left_alone": list(self.left),
        }


@attrs.define
class _Draft:
    """A sentence in work."""

    tree: Tree
    apart: bool
    kept: list[Operation]
    left: list[dict[str, object]]
    rules: Rules | None = None
    _spare: list[Operation] | None = None
    """Cuts to try, one after the other, if nothing is kept."""
    plans: list[Plan] = attrs.field(factory=list)
    texts: list[str] = attrs.field(factory=list)
    parses: dict[str, Parse] = attrs.field(factory=dict)
    """Of the sentences that came of it, and in ``faults`` what keeps one from standing."""
    faults: dict[str, str] = attrs.field(factory=dict)

    def deal(self) -> None:
        """Deal the words out anew, by the operations that are kept."""
        while True:
            self.plans = carried_out(self.tree, self.kept)
            named_once(self.tree, self.plans, texts_of(self.tree, self.plans, apart=self.apart))
            self.texts = texts_of(self.tree, self.plans, apart=self.apart)
            lost = lost_words(self.tree, self.plans) if self.kept else []
            if not lost:
                return
            self.take_back(self.kept[-1], f"{', '.join(lost)} would be lost")
            self.next_try()

    def next_try(self) -> bool:
        """If nothing is kept, take the next cut to try; whether there is something to do."""
        if not self.kept and self.rules is not None:
            self._spare = self.rules.spare() if self._spare is None else self._spare
            self.kept = [self._spare.pop(0)] if self._spare else []
        return bool(self.kept)

    def assured(self) -> list[str]:
        """The sentences that begin with a subject that was put in, and a verb whose tense the source shows."""
        found = []
        for plan, text in self.pairs():
            if plan.touched and all(one.rule == "after a clause" for one in plan.touched):
                found.append(text)
                continue
            begun = [item for item in plan.items[:3] if item not in {"However,", "But", "So"}][:2]
            made = any(one.rule == "participle" and plan.items == list(one.new[0]) for one in plan.touched)
            tensed = made and len(begun) == 2 and isinstance(begun[1], str)
            if len(begun) == 2 and isinstance(begun[0], str) and (tensed or begun[1] in {"is", "was", "are", "were"}):
                found.append(text)
                continue
            named = len(begun) == 2 and isinstance(begun[0], str) and isinstance(begun[1], int)
            sure = named and not any(one.rule == "judged cut" for one in plan.touched)
            if sure and self.tree.tag(int(begun[1])) in FINITE:
                found.append(text)
        return found

    @property
    def is_split(self) -> bool:
        """Whether several sentences came of it."""
        return bool(self.kept) and len(self.texts) > 1

    def read(self, parses: dict[str, Parse]) -> None:
        """Look at sentences of its own that were parsed."""
        assured = self.assured()
        ended = {text for plan, text in self.pairs() if _ends(self.tree, plan)}
        self.parses |= parses
        for text, parsed in parses.items():
            self.faults[text] = fault_of(text, parsed, assured=text in assured, ended=text in ended)

    def fails(self) -> bool:
        """Take back the last operation on the first sentence that cannot stand; False if all can."""
        for plan, text in self.pairs():
            fault = self.faults[text]
            if not fault and is_new_verb(self.tree, plan, self.parses[text]):
                fault = "it has no finite verb"
            if fault and plan.touched:
                self.take_back(plan.touched[-1], f"without it, {fault}")
                return True
        return False

    def pairs(self) -> zip[tuple[Plan, str]]:
        """The plans with their texts."""
        return zip(self.plans, self.texts, strict=True)

    def take_back(self, operation: Operation, why: str) -> None:
        """Do without an operation, and without those inside what it made."""
        gone = [operation]
        for other in self.kept:
            if other.parent in gone:
                gone.append(other)
        self.kept = [one for one in self.kept if one not in gone]
        self.left.append(_left(self.tree, operation.pattern, operation.cue[0], why))


def split_sentences(sources: Sequence[str], parser: str = ENGLISH) -> Iterator[Split]:
    """Split each source. They are parsed together, so give as many at a time as is handy."""
    parts = [parts_of(source) for source in sources]
    done = iter(_split_each([text for part in parts for _, text in part], parser))
    for source, part in zip(sources, parts, strict=True):
        found = [(start, next(done)) for start, _ in part]
        yield Split(
            source,
            tuple(text for _, one in found for text in one.sentences),
            tuple(_moved(each, start) for start, one in found for each in one.operations),
            tuple(_moved(each, start) for start, one in found for each in one.left),
        )


def parts_of(source: str) -> list[tuple[int, str]]:
    """The sentences of a source that has several already, and where each begins."""
    ends = [*(end for end in sentence_ends(source) if not _abbreviated(source[:end], source[end:])), len(source)]
    found = [(start, source[start:end]) for start, end in pairwise([0, *ends]) if source[start:end].strip()]
    return [(start + len(text) - len(text.lstrip()), text.strip()) for start, text in found]


def _abbreviated(before: str, after: str) -> bool:
    """Whether the last word may be an abbreviation: *U.S.*, *Inc.*"""
    word = before.rstrip(" .").rpartition(" ")[2].lstrip("(")
    if before.count("(") > before.count(")"):
        return True
    if not before.endswith(".") or not word:
        return False
    plain = after.split(maxsplit=1)[:1]
    return "." in word or (
        len(word) < 5 and (word[0].isupper() or len(word) == 1) and not (plain and plain[0].lower() in _STARTERS)
    )


def _moved(told: dict[str, object], by: int) -> dict[str, object]:
    """Spans of a part as spans of the whole; those ``within`` a sentence that was made stay."""
    if "within" in told:
        return told
    return {key: [at + by for at in value] if isinstance(value, list) else value for key, value in told.items()}


def _split_each(sources: Sequence[str], parser: str) -> Iterator[Split]:
    """Split sentences, and once more what came of it: shorter sentences are parsed better."""
    looked_at = ("" if _why_not(text) else text for text in sources)
    first = _verified(sources, parse(looked_at, parser, one_sentence=True), parser)
    again = [
        (place, text)
        for place, draft in enumerate(first)
        if draft.is_split
        for text in draft.texts
        if len(text.split()) >= AGAIN
    ]
    parts = [text for _, text in again]
    second = _verified(parts, (first[place].parses[text] for place, text in again), parser)
    more = {key: _finished(key[1], draft) for key, draft in zip(again, second, strict=True)}
    for place, (source, draft) in enumerate(zip(sources, first, strict=True)):
        one = _finished(source, draft)
        yield _with_second(one, [more.get((place, text)) for text in one.sentences]) if draft.is_split else one


def is_too_long(text: str) -> bool:
    """Whether a sentence is not even parsed, since it would take seconds and come out as it went in.

    Signs count as well, since a parser takes each for a word, but not before there are as many of them again.
    """
    return len(text) > LONGEST * 20 or len(text.split()) > LONGEST or len(_SIGN.findall(text)) > 2 * LONGEST


def _why_not(text: str) -> str:
    """Why a sentence is not parsed; empty if it is."""
    if is_too_long(text):
        return TOO_LONG
    words = [word.strip(".,;:()'\"").lower() for word in text.split()]
    return NOT_ENGLISH if len(words) >= _ENOUGH and not _ENGLISH.intersection(words) else ""


def _with_second(one: Split, second: Sequence[Split | None]) -> Split:
    """A split with its sentences split again; spans of the second are places in the sentence that it tells."""
    sentences: list[str] = []
    operations, left = list(one.operations), list(one.left)
    late: list[str] = []
    for place, (text, more) in enumerate(zip(one.sentences, second, strict=True)):
        parts = list(more.sentences) if more else [text]
        if more:
            operations += [{**told, "within": text} for told in more.operations]
        sentences += parts[:1]
        late = [*parts[1:], *late]
        after = _tail(one.source, one.sentences[place + 1]) if place + 1 < len(one.sentences) else len(one.source)
        while late and not 0 <= after < _tail(one.source, late[0]):
            sentences.append(late.pop(0))
    sentences += late
    return Split(one.source, tuple(sentences), tuple(operations), tuple(left))


def _tail(source: str, sentence: str) -> int:
    """Where a source has the last words of a sentence; -1 where it has not."""
    return source.rfind(" ".join(sentence.rstrip(" .!").split()[-3:]))


def _verified(sources: Sequence[str], parses: Iterable[Parse], parser: str) -> list[_Draft]:
    """The sentences in work, of which every proposal that is kept holds. What becomes of one is read together."""
    drafts = [_draft(text, parsed) for text, parsed in zip(sources, parses, strict=True)]
    waiting = [draft for draft in drafts if draft.kept]
    while waiting:
        for draft in waiting:
            draft.deal()
        waiting = [draft for draft in waiting if draft.kept]
        new = [[text for text in dict.fromkeys(draft.texts) if text not in draft.parses] for draft in waiting]
        for draft, texts, parsed in zip(waiting, new, parse_together(new, parser), strict=True):
            draft.read(dict(zip(texts, parsed, strict=True)))
        waiting = [draft for draft in waiting if draft.fails() and draft.next_try()]
    return drafts


def _draft(text: str, parsed: Parse) -> _Draft:
    why = _why_not(text) or (TOO_LONG if len(parsed.words) > LONGEST else "")
    if why or not parsed.words:
        told: dict[str, object] = {"pattern": None, "cue": "", "span": [0, len(text)], "why": why}
        return _Draft(Tree(Parse((), ()), text), False, [], [told] if why else [])
    tree = Tree(mended(parsed), text)
    rules = Rules(tree)
    kept = rules.propose()
    left = [_left(tree, pattern, place, why) for pattern, place, why in rules.left]
    draft = _Draft(tree, is_apart(text), kept, left, rules)
    draft.next_try()
    return draft


def _left(tree: Tree, pattern: str, place: int, why: str) -> dict[str, object]:
    return {"pattern": pattern, "cue": tree.words[place].text, "span": list(tree.chars([place])), "why": why}


def _ends(tree: Tree, plan: Plan) -> bool:
    """Whether a sentence ends with the last word of its source."""
    places = [item for item in plan.items if isinstance(item, int) and tree.words[item].upos != "PUNCT"]
    return bool(places) and places[-1] >= len(tree) - 2


def _unmoved(tree: Tree) -> tuple[dict[str, object], ...]:
    """Why a sentence stayed whole in which no rule began anything."""
    marks = seen(tree)
    if not marks and len(tree):
        return ({"pattern": None, "cue": "", "span": [0, len(tree.text)], "why": "nothing in it could stand alone"},)
    return tuple(
        {"pattern": one.pattern, "cue": one.cue, "span": [one.start, one.end], "why": _WHY.get(one.pattern, _NO_RULE)}
        for one in marks
    )


def _finished(source: str, draft: _Draft) -> Split:
    left = tuple(one for place, one in enumerate(draft.left) if one not in draft.left[:place])
    if not draft.is_split:
        return Split(source, (source.strip(),) if source.strip() else (), (), left or _unmoved(draft.tree))
    operations = tuple(one.as_json(draft.tree) for one in draft.kept)
    return Split(source, tuple(draft.texts), operations, left)
