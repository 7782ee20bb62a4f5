"""The target words of a study: going through picked ones before people are asked, and placing those of older studies.

Who accepted, replaced, edited or dropped a picked word, and when, is kept. It is the review of the items
(``study_items.review``) for items that come from `rubrica words pick`: accepted is fine, dropped is left out. Words are
replaced where they stand, a context by one of the reserve, whose items are closed until then. What was not accepted
reaches nobody: ``settle`` is part of the launch.

What comes into a study today is placed at its entrance (``exchange.target_places``), and the study's settings say so
(``targets_placed``). A study from before marks only what is found without a dictionary, until somebody places the rest.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from django.db.models import Q

from rubrica.core.errors import Problem, refuse, wrong
from rubrica.core.protocol import Protocol
from rubrica.core.study import page_of, pages
from rubrica.core.target_words import Target, context_field, find_targets, target_of
from rubrica.exchange.items import context_problems, group_name
from rubrica.exchange.target_places import Placed, Placing, place_targets
from rubrica.language.names import told_language
from rubrica.prepare import word_review as rules
from rubrica.prepare.word_review import Word, WordCount
from rubrica.store import audit, models
from rubrica.store.models.studies import IN_RESERVE, ItemQuerySet
from rubrica.store.options import change, options_of
from rubrica.store.setup.study_items import COPY, has_room, plant_duplicates, review, take_out
from rubrica.store.stages import current_stages
from rubrica.store.translate import item_from, protocol_of, text_digest

NOT_ACCEPTED = "nobody accepted it before the launch"


class Context(NamedTuple):
    """A context with its words in the order of their places, and what else could be picked in it."""

    items: tuple[models.Item, ...]
    text: str
    language: str
    candidates: Sequence[Word]

    @classmethod
    def of(cls, items: Iterable[models.Item], field: str) -> Context:
        """The context of these words, which are all that it has; ``field`` is that of its text."""
        ordered = tuple(sorted(items, key=rules.start_of))
        text, language = ordered[0].fields.get(field, ""), told_language(ordered[0].metadata)
        return cls(ordered, text, language, rules.free_candidates(ordered, text))

    @property
    def pid(self) -> str:
        """By what it is named: its first word."""
        return self.items[0].pid

    @property
    def state(self) -> str:
        """Waiting, accepted, replaced or dropped."""
        return rules.state_of(self.items)


def is_of_picked_words(study: models.Study) -> bool:
    """Whether items of the study come from `rubrica words pick`."""
    picked = Q(metadata__has_key=rules.WHY) & Q(metadata__has_key=rules.BAND)
    return study.items.given().unplanted().filter(picked).exists()


def counted(study: models.Study) -> WordCount:
    """The counters, over all words of the study."""
    return rules.counted(list(study.items.given().unplanted()), _reserve(study))


def contexts(study: models.Study, wanted: str = "") -> list[Context]:
    """The contexts in their order, or those of one state."""
    field = context_field(_protocol(study))
    rows = study.items.given().unplanted().order_by("position", "pk")
    found = [Context.of(items, field) for items in pages(rows)]
    return [one for one in found if wanted in ("", one.state)]


def context_of(item: models.Item) -> Context:
    """The context of an item, with all its words."""
    rows = [item]
    if item.group:
        rows = list(item.study.items.given().filter(planted=None, group=item.group).order_by("position", "pk"))
    return Context.of(rows, context_field(_protocol(item.study)))


def decide(context: Context, fine: Sequence[str], dropped: dict[str, str], now: datetime, actor: str) -> Context:
    """Accept words of a context, or drop them with a reason, by their public ids. Either can be undone."""
    study, known = context.items[0].study, {item.pid for item in context.items}
    review(study, [pid for pid in fine if pid in known], {p: r for p, r in dropped.items() if p in known}, now, actor)
    return context_of(_again(context.items[0]))


def accept(context: Context, now: datetime, actor: str) -> Context:
    """Accept the words of a context; of one that was dropped as a whole, all of them again."""
    kept = [item.pid for item in context.items if item.closed_at is None] or [item.pid for item in context.items]
    return decide(context, kept, {}, now, actor)


def replace_word(item: models.Item, start: int, now: datetime, actor: str) -> Context:
    """Ask about the word that begins there instead of this one, which is thereby accepted.

    Raises InputError if none begins there, another word of the context is it already, or the study was launched.
    """
    with item.study.held() as study:
        _refuse_launched(study)
        context = context_of(item)
        others = [one for one in context.items if one.pk != item.pk and one.closed_at is None]
        if any(rules.start_of(one) == start for one in others):
            fix = "Choose a word that nobody is asked about yet."
            raise wrong("this word is a target already", "word", fix, value=start)
        word = rules.chosen(context.text, start, context.candidates, context.language)
        if word is None:
            fix = "Give the place of its first letter, in characters from 0."
            raise wrong(f"no word begins at {start}", "word", fix, value=start)
        field = _target_field(_protocol(study))
        before = item.fields.get(field, "").strip()
        if word.text != before or rules.start_of(item) != start:
            _put(item, {**item.fields, field: word.text}, rules.as_metadata(item, word, before))
            audit.record("word replaced", study, now, actor=actor, item=item.key, before=before, after=word.text)
        item.update(reviewed_at=now, reviewed_by=actor, closed_at=None, closed_reason="")
    return context_of(item)


def replace_context(context: Context, now: datetime, actor: str) -> Context:
    """Take one of the reserve instead: that whose main target is nearest in difficulty. It is still to be looked at."""
    with context.items[0].study.held() as study:
        _refuse_launched(study)
        spare = pages(_reserve(study))
        if not spare:
            fix = "Drop the context, or pick words again with a larger --reserve."
            raise wrong("there is no context left in reserve", "reserve", fix)
        band = rules.main_band(context.items)
        taken = min(spare, key=lambda rows: (abs(rules.main_band(rows) - band), rows[0].position))
        for row in taken:
            kept = {name: value for name, value in row.metadata.items() if name != rules.RESERVE}
            place = context.items[0].position
            row.update(closed_at=None, closed_reason="", reviewed_at=None, metadata=kept, position=place)
        pks = [item.pk for item in context.items]
        models.Item.objects.filter(pk__in=pks).update(reviewed_at=now, reviewed_by=actor)
        take_out(models.Item.objects.filter(pk__in=pks), f"{rules.REPLACED_BY}{taken[0].key}", now)
        keys = {"before": context.items[0].key, "after": taken[0].key}
        audit.record("context replaced", study, now, actor=actor, **keys)
    return context_of(_again(taken[0]))


def edit_context(context: Context, text: str, now: datetime, actor: str) -> Context:
    """Change the text; the places of its words follow. Raises InputError if one of them is gone, and other faults."""
    text = " ".join(text.split())
    with context.items[0].study.held() as study:
        _refuse_launched(study)
        protocol = _protocol(study)
        field, target = context_field(protocol), _target_field(protocol)
        refuse(_text_problems(study, context, text))
        for one, after in zip(
            context.items, rules.edited(context.items, context.candidates, text, field, target), strict=True
        ):
            _put(one, *after, group=group_name(text))
        audit.record("context edited", study, now, actor=actor, item=context.items[0].key)
    return context_of(_again(context.items[0]))


def settle(study: models.Study, now: datetime) -> int:
    """Before the launch: what nobody accepted is left out, what only the review needed is gone; how many were left out.

    Hidden duplicates are drawn anew from what is left. A researcher who vouches for all has accepted all.
    """
    rows = study.items.given().unplanted()
    waiting = rows.open().filter(reviewed_at=None)
    left = 0 if options_of(study).items_reviewed else waiting.count()
    if left:
        take_out(models.Item.objects.filter(pk__in=list(waiting.values_list("pk", flat=True))), NOT_ACCEPTED, now)
    for row in rows.filter(metadata__has_key=rules.CANDIDATES):
        row.update(metadata={name: value for name, value in row.metadata.items() if name != rules.CANDIDATES})
    share = options_of(study).duplicates
    if study.items.filter(planted__kind=COPY).exists():
        study.items.filter(planted__kind=COPY).delete()
        if share and has_room(study):
            plant_duplicates(study, share)
    return left


def _refuse_launched(study: models.Study) -> None:
    if study.stages.launched().exists():
        fix = "Drop the word: it is handed out no more, and what was said of it stays."
        raise wrong("words of a launched study cannot be replaced", "launched", fix)


def _text_problems(study: models.Study, context: Context, text: str) -> Iterable[Problem]:
    yield from (problems := context_problems(text))
    same = study.items.filter(group=group_name(text)).exclude(pk__in=[one.pk for one in context.items])
    if not problems and same.exists():
        fix = "Drop one of the two."
        yield Problem(what="another context of the study reads the same", rule="context", fix=fix, value=text[:80])


def _put(item: models.Item, fields: dict[str, str], metadata: dict[str, str], group: str | None = None) -> None:
    named = item.group if group is None or not item.group else group
    item.update(fields=fields, metadata=metadata, digest=text_digest(fields), group=named)


def _reserve(study: models.Study) -> ItemQuerySet:
    return study.items.filter(closed_reason=IN_RESERVE, planted=None).order_by("position", "pk")


def _again(item: models.Item) -> models.Item:
    return models.Item.objects.select_related("study").get(pk=item.pk)


def _protocol(study: models.Study) -> Protocol:
    protocol = protocol_of(current_stages(study)[0])
    if not context_field(protocol):
        fix = "Use a study of words in their contexts, such as lexical_complexity."
        raise wrong(f"{study.name!r} marks no words in contexts", "words", fix, value=protocol.id)
    return protocol


def _target_field(protocol: Protocol) -> str:
    return next(field.id for field in protocol.fields if field.role == "target")


NO_PLACE = "its target word is not in its context"
"""Why an item is closed that is left out."""


class PlacedAgain(NamedTuple):
    """How many items have a place of their own now, how many were left out, and what is worth knowing."""

    placed: int
    left_out: int
    remarks: list[str]


def unmarked(study: models.Study) -> int:
    """How many items are shown without a mark, as pages and sheets show them now; 0 where targets were placed."""
    protocol = protocol_of(current_stages(study)[0])
    field = context_field(protocol)
    if not field or options_of(study).targets_placed:
        return 0
    pages: dict[tuple[str, str], list[Target]] = {}
    for item in map(item_from, _rows(study)):
        page = (item.fields.get(field, ""), page_of(item))
        pages.setdefault(page, []).append(target_of(protocol, item))
    return sum(place is None for (text, _), targets in pages.items() for place in find_targets(text, targets))


def look(study: models.Study, decided: Mapping[str, str]) -> Placed:
    """What placing would come to: the items, and a problem for each target without a place, by its row in the study."""
    return _look(study, protocol_of(current_stages(study)[0]), decided)


def place_again(study: models.Study, decided: Mapping[str, str], now: datetime, actor: str = "") -> PlacedAgain:
    """Keep the place of every target with its item, as for new items; what was judged stays.

    ``decided`` says of an item, by its row in the study, where its target begins in code points, or that it is left
    out, which closes it. Raises InputError with every target that has no place; then nothing is changed.
    """
    with study.held():
        found = _look(study, protocol_of(current_stages(study)[0]), decided)
        refuse(found.problems)
        items = {item.key: item for item in found.items}
        rows = list(_rows(study))
        moved = [row for row in rows if row.key in items and dict(items[row.key].metadata) != row.metadata]
        for row in moved:
            row.metadata = dict(items[row.key].metadata)
            models.Item.objects.filter(planted__kind=COPY, planted__original=row).update(metadata=row.metadata)
        models.Item.objects.bulk_update(moved, ["metadata"], batch_size=1000)
        out = [row.pk for row in rows if row.key not in items]
        take_out(models.Item.objects.filter(pk__in=out), NO_PLACE, now)
        change(study, targets_placed=True)
        audit.record("targets placed", study, now, actor=actor, placed=len(moved), left_out=len(out))
    return PlacedAgain(len(moved), len(out), found.remarks)


def _look(study: models.Study, protocol: Protocol, decided: Mapping[str, str]) -> Placed:
    rows = [Placing(row.position, item_from(row)) for row in _rows(study)]
    return place_targets(rows, protocol, decided)


def _rows(study: models.Study) -> ItemQuerySet:
    """The items that are handed out; a hidden duplicate goes with its original."""
    return study.items.open().exclude(planted__kind=COPY).order_by("position", "pk")
