"""What people wrote, as items for those who judge it: of another study, or of an earlier stage of the same.

Texts go under the names of the other protocol: the same name, else the same role.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from typing import NamedTuple

import attrs

from rubrica.core.errors import Problem, wrong
from rubrica.core.protocol import Protocol
from rubrica.core.scales import RewrittenText
from rubrica.core.study import ANSWERED, Item, Judgement
from rubrica.core.verdicts import of_item, of_judgement

DISCARDED = "discarded"
"""The verdict on an item whose texts are not handed on."""
SOURCE = "source_item"
"""The metadata of a text that names the item that it was written about."""
MOST_KEY = 190
ORIGINAL, STUDY = "sampled_from_item", "sampled_from_study"
"""What a sampled item was: the metadata with its key, and with its study."""


class HandedOn(NamedTuple):
    """``people`` is how many wrote the items, ``discarded`` how many items of the other study were left out because
    enough people had flagged them, ``without`` how many have no text."""

    items: list[Item]
    people: int = 0
    discarded: int = 0
    without: int = 0


class Said(NamedTuple):
    """What one person said about an item, and what they were asked."""

    name: str
    protocol: Protocol
    judgement: Judgement

    @property
    def texts(self) -> list[str]:
        """The texts they wrote."""
        answers = self.judgement.answers if self.judgement.outcome == ANSWERED else {}
        written = [answers.get(question) for question in written_questions(self.protocol)]
        return [text for text in written if isinstance(text, str) and text.strip()]


class Written(NamedTuple):
    """An item with what was said about it, in the order in which it came."""

    item: Item
    said: Sequence[Said]


def written_questions(protocol: Protocol) -> list[str]:
    """Ids of the questions that ask for a rewrite."""
    return [question.id for question in protocol.questions if isinstance(protocol.scale_of(question), RewrittenText)]


def as_they_are(items: Iterable[Item], before: Protocol, after: Protocol) -> HandedOn:
    """The same items for another protocol."""
    return HandedOn([attrs.evolve(item, fields=_fields(item, before, after)) for item in items])


def texts_written(rows: Iterable[Written], before: Protocol, after: Protocol) -> HandedOn:
    """One item for each text, under a number that does not tell who wrote it.

    ``before`` is the protocol of items that nobody said anything about. Raises InputError if the protocol ``after`` has
    no field for a rewrite.
    """
    _rewrite_field(after)
    items: dict[str, Item] = {}
    people: set[str] = set()
    discarded = without = 0
    for item, said in rows:
        asked = said[0].protocol if said else before
        if said and _is_discarded(asked, item, [one.judgement for one in said]):
            discarded += 1
            continue
        texts = [(one.name, text) for one in said for text in one.texts]
        without += not texts
        for number, (name, text) in enumerate(texts, start=1):
            made = text_item(item, asked, after, number, name, text, items)
            items[made.key] = made
            people.add(name)
    return HandedOn(list(items.values()), len(people), discarded, without)


def text_item(
    item: Item, before: Protocol, after: Protocol, number: int, name: str, text: str, taken: Container[str]
) -> Item:
    """One text about an item as an item of the protocol ``after``, under a key that is not ``taken``."""
    key = f"{item.key[:MOST_KEY]}-{number}"
    while key in taken:
        key = f"{key}+"
    fields = {**_fields(item, before, after), _rewrite_field(after): text}
    return Item(key, fields, "", name, "", {**item.metadata, SOURCE: item.key})


def _rewrite_field(protocol: Protocol) -> str:
    target = next(iter(protocol.rewrites), None)
    if target is None:
        fix = "Use a protocol that judges rewrites."
        raise wrong(f"{protocol.id} has no field for what people wrote", "items_from", fix, value=protocol.id)
    return target


def pairing_problems(before: Protocol, after: Protocol) -> list[Problem]:
    """Why what is written by the one protocol cannot be judged by the other, as two steps of one study."""
    found = []
    if not written_questions(before):
        what, fix = f"{before.id} asks nobody to write a text", "Begin with a protocol such as split_rewrite."
        found.append(Problem(what=what, rule="protocols", fix=fix, value=before.id))
    roles = {field.role for field in before.fields} | {"rewrite"}
    names = {field.id for field in before.fields}
    lacking = [one.id for one in after.fields if one.required and one.role not in roles and one.id not in names]
    if not after.rewrites:
        lacking = lacking or ["rewrite"]
    if lacking:
        what = f"{after.id} cannot judge what is written by {before.id}: nothing fills {', '.join(lacking)}"
        fix = "Use a protocol that judges rewrites, such as split_rate."
        found.append(Problem(what=what, rule="protocols", fix=fix, value=after.id))
    twice = [one.id for one in after.stages if one.id in {stage.id for stage in before.stages}]
    if twice:
        what, fix = f"both protocols have a stage {twice[0]!r}", "Use two studies: rubrica study new --from STUDY."
        found.append(Problem(what=what, rule="protocols", fix=fix, value=after.id))
    return found


class Settled(NamedTuple):
    """What becomes of the texts about an item: they ``wait``, are ``handed_on``, or the item is ``discarded``.

    ``flagged`` and ``said`` are how many people flagged it, of those who did not pass it on.
    """

    state: str
    flagged: int
    said: int


WAIT, HAND_ON, DISCARD = "wait", "handed_on", "discarded"
FLAGGED = "flagged by writers: "
"""Begins the reason why a sentence was closed because enough writers flagged it."""


def settle(protocol: Protocol, item: Item, judgements: Sequence[Judgement], places: int, *, ended: bool) -> Settled:
    """Whether the texts about an item go to those who judge them.

    They do when as many people as asked for (``places``) have answered, or when nobody will any more (``ended``), so
    that nothing is judged that is discarded later. An item is discarded by the protocol's verdict of that name, as
    soon as no further answer can change it.
    """
    said = [one for one in judgements if not protocol.passes_on(one.outcome)]
    verdict = next((one for one in protocol.verdicts if one.id == DISCARDED and one.of_item), None)
    flagged = sum(of_judgement(protocol, item, one).get(verdict.counts, False) for one in said) if verdict else 0
    if verdict and flagged and len(said) >= verdict.at_least:
        most = len(said) if ended else max(places, len(said))
        if flagged >= {"every": most, "any": 1, "most": most // 2 + 1}[verdict.share]:
            return Settled(DISCARD, flagged, len(said))
    return Settled(HAND_ON if ended or len(said) >= places else WAIT, flagged, len(said))


def nameless_copy(item: Item, key: str, study: str) -> Item:
    """An item for somebody who must not know where it comes from; its metadata, which nobody is shown, say it."""
    origin = {ORIGINAL: item.key, STUDY: study}
    return attrs.evolve(item, key=key, system="", group="", metadata={**item.metadata, **origin})


class Sentence(NamedTuple):
    """An item that people write about: why it was ``closed``, if it was, its texts that were handed on, and whether
    nobody will be asked about it any more."""

    key: str
    closed: str | None
    texts: int
    settled: bool


class Collected(NamedTuple):
    """The given items (``sentences``) of such a study, and what was written about them.

    ``handed_on`` have texts that reached those who judge, ``discarded`` were flagged by enough writers, ``left_out``
    were closed by a researcher, ``waiting`` want more answers. ``texts`` were handed on; ``short`` are the keys of
    sentences that are settled and have fewer texts than asked for; ``skips`` is how often somebody passed one on.
    """

    sentences: int
    waiting: int
    handed_on: int
    discarded: int
    left_out: int
    texts: int
    places: int
    skips: int
    short: list[str]

    @classmethod
    def of(cls, sentences: Sequence[Sentence], places: int, skips: int) -> Collected:
        """Count these sentences, of which each wants so many texts."""
        alive = [one for one in sentences if one.closed is None]
        flagged = sum(one.closed.startswith(FLAGGED) for one in sentences if one.closed is not None)
        return cls(
            sentences=len(sentences),
            waiting=sum(not one.texts and not one.settled for one in alive),
            handed_on=sum(one.texts > 0 for one in alive),
            discarded=flagged,
            left_out=len(sentences) - len(alive) - flagged,
            texts=sum(one.texts for one in alive),
            places=places,
            skips=skips,
            short=[one.key for one in alive if one.texts < places and one.settled],
        )


def missing_fields(items: Sequence[Item], protocol: Protocol, source: str) -> list[Problem]:
    """Fields that the protocol requires and items of that study have nothing for."""
    return [
        Problem(
            what=f"the items of {source!r} have nothing for the field {field.id!r} of {protocol.id}",
            rule="items_from",
            fix="Use a protocol for such texts, or a file of items.",
            value=field.id,
        )
        for field in protocol.fields
        if field.required and not all(item.fields.get(field.id) for item in items)
    ]


def _fields(item: Item, before: Protocol, after: Protocol) -> dict[str, str]:
    role = {field.role: item.fields[field.id] for field in before.fields if item.fields.get(field.id)}
    given = {field.id: item.fields.get(field.id) or role.get(field.role, "") for field in after.fields}
    return {name: text for name, text in given.items() if text}


def _is_discarded(protocol: Protocol, item: Item, judgements: Sequence[Judgement]) -> bool:
    verdict = of_item(protocol, item, judgements).get(DISCARDED)
    return verdict is not None and verdict.value is True
