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
from rubrica.core.study import pages
from rubrica.core.target_words import context_field
from rubrica.exchange.items import context_problems, group_name
from rubrica.language.names import told_language
from rubrica.prepare import word_review as rules
from rubrica.prepare.word_review import Word, WordCount
from rubrica.store import audit, models
from rubrica.store.models.studies import IN_RESERVE, ItemQuerySet
from rubrica.store.options import options_of
from rubrica.store.setup.study_items import COPY, has_room, plant_duplicates, review, take_out
from rubrica.store.stages import current_stages
from rubrica.store.translate import protocol_of, text_digest

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
    if study.stages.exclude(state=models.Stage.State.DRAFT).exists():
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
