"""Going through picked words before people are asked about them: accept, replace, edit, drop; who did it and when.

It is the review of the items (``study_items.review``) for items that come from `rubrica words pick`: accepted is fine,
dropped is left out. Words are replaced where they stand, a context by one of the reserve, whose items are closed
until then. What was not accepted reaches nobody: ``settle`` is part of the launch.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import NamedTuple

from django.db.models import Q

from rubrica.core.errors import Problem, refuse, wrong
from rubrica.core.protocol import Protocol
from rubrica.core.scales import storable
from rubrica.core.study import pages
from rubrica.core.target_words import context_field
from rubrica.exchange.items import MAX_TEXT, excel_length, group_name
from rubrica.language.names import told_language
from rubrica.prepare import word_review as rules
from rubrica.prepare.word_review import Placed, Word
from rubrica.prepare.words import BANDS
from rubrica.store import audit, models
from rubrica.store.models.studies import IN_RESERVE, ItemQuerySet
from rubrica.store.options import options_of
from rubrica.store.setup.study_items import COPY, has_room, plant_duplicates, review, take_out
from rubrica.store.stages import current_stages
from rubrica.store.translate import protocol_of, text_digest

ACCEPTED, WAITING, REPLACED, DROPPED = STATES = ("accepted", "waiting", "replaced", "dropped")
REPLACED_BY = "replaced by the context of "
"""How the reason begins for which a replaced context is closed."""
NOT_ACCEPTED = "nobody accepted it before the launch"


class WordCount(NamedTuple):
    """How far the review is, in words. ``replaced`` were replaced by others, alone or with their context."""

    contexts: int
    accepted: int
    waiting: int
    replaced: int
    dropped: int
    wanted: int
    bands: tuple[int, ...]
    reserve: int

    @property
    def instances(self) -> int:
        """Words that would be asked about."""
        return self.accepted + self.waiting


class Context(NamedTuple):
    """A context with its words in the order of their places, and what else could be picked in it."""

    items: tuple[models.Item, ...]
    text: str
    language: str
    candidates: tuple[Word, ...]

    @property
    def pid(self) -> str:
        """By what it is named: its first word."""
        return self.items[0].pid

    @property
    def state(self) -> str:
        """Waiting while a word of it waits; else accepted, unless all of it is closed."""
        open_items = [item for item in self.items if item.closed_at is None]
        if not open_items:
            gone = all(item.closed_reason.startswith(REPLACED_BY) for item in self.items)
            return REPLACED if gone else DROPPED
        return ACCEPTED if all(item.reviewed_at for item in open_items) else WAITING


def is_of_picked_words(study: models.Study) -> bool:
    """Whether items of the study come from `rubrica words pick`."""
    picked = Q(metadata__has_key=rules.WHY) & Q(metadata__has_key=rules.BAND)
    return study.items.given().unplanted().filter(picked).exists()


def counted(study: models.Study) -> WordCount:
    """The counters, over all words of the study."""
    rows = list(study.items.given().unplanted())
    open_rows = [row for row in rows if row.closed_at is None]
    swapped = [row for row in rows if row.closed_at and row.closed_reason.startswith(REPLACED_BY)]
    bands = [rules.band_of(row.metadata) for row in open_rows]
    wanted = next((int(said) for row in rows if (said := str(row.metadata.get(rules.WANTED, ""))).isdigit()), 0)
    return WordCount(
        contexts=len(pages(open_rows)),
        accepted=sum(row.reviewed_at is not None for row in open_rows),
        waiting=sum(row.reviewed_at is None for row in open_rows),
        replaced=len(swapped) + sum(bool(row.metadata.get(rules.INSTEAD)) for row in open_rows),
        dropped=len(rows) - len(open_rows) - len(swapped),
        wanted=wanted or rules.USUAL_WANTED,
        bands=tuple(bands.count(band) for band in range(1, BANDS + 1)),
        reserve=len(pages(_reserve(study))),
    )


def contexts(study: models.Study, wanted: str = "") -> list[Context]:
    """The contexts in their order, or those of one state."""
    field = context_field(_protocol(study))
    found = [_context(items, field) for items in pages(study.items.given().unplanted().order_by("position", "pk"))]
    return [one for one in found if wanted in ("", one.state)]


def context_of(item: models.Item) -> Context:
    """The context of an item, with all its words."""
    rows = [item]
    if item.group:
        rows = list(item.study.items.given().filter(planted=None, group=item.group).order_by("position", "pk"))
    return _context(rows, context_field(_protocol(item.study)))


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
        if any(_start(one) == start for one in others):
            fix = "Choose a word that nobody is asked about yet."
            raise wrong("this word is a target already", "word", fix, value=start)
        word = rules.chosen(context.text, start, context.candidates, context.language)
        if word is None:
            fix = "Give the place of its first letter, in characters from 0."
            raise wrong(f"no word begins at {start}", "word", fix, value=start)
        field = _target_field(_protocol(study))
        before = item.fields.get(field, "").strip()
        if word.text != before or _start(item) != start:
            _put(item, {**item.fields, field: word.text}, _as_metadata(item, word, before))
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
        band = _main_band(context.items)
        taken = min(spare, key=lambda rows: (abs(_main_band(rows) - band), rows[0].position))
        for row in taken:
            kept = {name: value for name, value in row.metadata.items() if name != rules.RESERVE}
            place = context.items[0].position
            row.update(closed_at=None, closed_reason="", reviewed_at=None, metadata=kept, position=place)
        pks = [item.pk for item in context.items]
        models.Item.objects.filter(pk__in=pks).update(reviewed_at=now, reviewed_by=actor)
        take_out(models.Item.objects.filter(pk__in=pks), f"{REPLACED_BY}{taken[0].key}", now)
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
        places = rules.follow(context.text, text, [Placed(_start(one), _word(one, target)) for one in context.items])
        refuse(_text_problems(study, context, text))
        refuse(
            Problem(
                what=f"the word {_word(one, target)!r} is not in the context any more",
                rule="target",
                fix="Replace or drop the word first, or keep it in the text.",
                value=_word(one, target),
            )
            for one, place in zip(context.items, places, strict=True)
            if place is None and one.closed_at is None
        )
        listed = rules.follow(context.text, text, [Placed(one.start, one.text) for one in context.candidates])
        moved = [
            one._replace(text=place.text, start=place.start)
            for one, place in zip(context.candidates, listed, strict=True)
            if place is not None
        ]
        for one, place in zip(context.items, places, strict=True):
            about = dict(one.metadata)
            if about.get(rules.CANDIDATES):
                about[rules.CANDIDATES] = rules.kept_candidates(moved)
            at = place or Placed(0, "")
            fields = {**one.fields, field: text, **({target: at.text} if place else {})}
            _put(one, fields, {**about, "start": str(at.start)} if place else about, group=group_name(text))
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
    if study.stages.exclude(state=models.Stage.State.DRAFT).exists():
        fix = "Drop the word: it is handed out no more, and what was said of it stays."
        raise wrong("words of a launched study cannot be replaced", "launched", fix)


def _text_problems(study: models.Study, context: Context, text: str) -> Iterable[Problem]:
    if not text or not storable(text):
        fix = "Type a sentence."
        yield Problem(what="the context is empty or holds a broken character", rule="context", fix=fix, value=text[:80])
    elif excel_length(text) > MAX_TEXT:
        yield Problem(what="the context is too long", rule="length", fix="Shorten it.", value=len(text))
    elif study.items.filter(group=group_name(text)).exclude(pk__in=[one.pk for one in context.items]).exists():
        fix = "Drop one of the two."
        yield Problem(what="another context of the study reads the same", rule="context", fix=fix, value=text[:80])


def _put(item: models.Item, fields: dict[str, str], metadata: dict[str, str], group: str | None = None) -> None:
    named = item.group if group is None or not item.group else group
    item.update(fields=fields, metadata=metadata, digest=text_digest(fields), group=named)


def _as_metadata(item: models.Item, word: Word, before: str) -> dict[str, str]:
    """What is known of the new word in place of what was known of the old one."""
    kept = {name: value for name, value in item.metadata.items() if name not in (*rules.OF_THE_WORD, "occurrence")}
    first = item.metadata.get(rules.INSTEAD, before)
    return {**kept, **word.about, "start": str(word.start), rules.INSTEAD: first}


def _context(items: Sequence[models.Item], field: str) -> Context:
    first = items[0]
    text = first.fields.get(field, "")
    listed = next((found for one in items if (found := rules.candidates_of(one.metadata, text))), [])
    taken = {_start(one) for one in items if one.closed_at is None}
    ordered = sorted(items, key=lambda one: (_start(one), one.pk))
    free = tuple(one for one in listed if one.start not in taken)
    return Context(tuple(ordered), text, told_language(first.metadata), free)


def _reserve(study: models.Study) -> ItemQuerySet:
    return study.items.filter(closed_reason=IN_RESERVE, planted=None).order_by("position", "pk")


def _main_band(rows: Sequence[models.Item]) -> int:
    main = next((row for row in rows if row.metadata.get(rules.MAIN) == "yes"), rows[0])
    return rules.band_of(main.metadata)


def _start(item: models.Item) -> int:
    said = str(item.metadata.get("start", ""))
    return int(said) if said.isdigit() else -1


def _word(item: models.Item, field: str) -> str:
    return str(item.fields.get(field, "")).strip()


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
