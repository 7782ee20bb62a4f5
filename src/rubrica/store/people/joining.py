"""Studies that are joined: the texts of one were written in the other, and people are the same in both (design/016).

A study is joined by naming the study that its authors come from, by taking its items from there, or by items that
somebody exported there: each text is looked for under its author's name, and where it was written is the study.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q, QuerySet, Value
from django.db.models.fields.json import KeyTextTransform
from django.db.models.lookups import Exact

from rubrica.core.errors import InputError, Problem, wrong
from rubrica.core.protocol import Protocol
from rubrica.core.scales import RewrittenText
from rubrica.core.study import ANSWERED, Item, Judgement
from rubrica.core.verdicts import of_item
from rubrica.store import audit, models
from rubrica.store.allocation.eligibility import barred, sources, writes
from rubrica.store.parts import current_stages
from rubrica.store.people.erasure import erase_author
from rubrica.store.people.identities import erased_problem, of_names, tombstones
from rubrica.store.translate import item_from, judgement_from, protocol_of, rules_of

SAMPLE = 20
"""How many texts, each of another author, are looked for in other studies."""
DISCARDED = "discarded"
"""The verdict on an item whose texts are not handed on."""
MOST_KEY = 190


class Joined(NamedTuple):
    """What joining came to: how many authors are people of the other study, how many texts were erased because their
    author was erased there, and who has judged here although they wrote there."""

    authors: int
    erased: int
    already: list[str]


def joinable(actor: str) -> QuerySet[models.Study]:
    """The studies that this researcher may join with others: an erasure reaches through. A command may join all."""
    living = models.Study.objects.living()
    roles = (models.Member.Role.MANAGER, models.Member.Role.OWNER)
    mine = Q(members__user__username=actor, members__role__in=roles)
    if not actor or User.objects.filter(username=actor, is_superuser=True).exists():
        return living
    return living.filter(mine).distinct()


def join(study: models.Study, source: models.Study, now: datetime, actor: str = "") -> Joined:
    """Say that the authors of this study's texts are people of that one. Also in a running study, for what comes.

    Whoever was erased there is erased here. Raises InputError if the two cannot be joined.
    """
    with transaction.atomic():
        locked = models.Study.objects.select_for_update(no_key=True).get(pk=study.pk)
        if locked.authors_from_id == source.pk:
            return Joined(0, 0, [])
        _refuse(locked, source, actor)
        if locked.authors_from_id is not None:
            _refuse_if_begun(locked)
        _join(locked, source, now, actor)
        known, erased = _settle_again(locked, now)
    study.authors_from = source
    return Joined(known, erased, _already(locked))


def leave(study: models.Study, now: datetime, actor: str = "") -> None:
    """Take it back that the authors come from another study, as long as nothing was handed out."""
    with transaction.atomic():
        locked = models.Study.objects.select_for_update(no_key=True).get(pk=study.pk)
        if locked.authors_from is None:
            return
        _refuse_if_begun(locked)
        audit.record("studies parted", locked, now, actor=actor, authors_from=locked.authors_from.pid)
        locked.authors_from = None
        locked.save(update_fields=["authors_from"])
        _settle_again(locked, now)
    study.authors_from = None


def _refuse(study: models.Study, source: models.Study, actor: str) -> None:
    if source.pk == study.pk or study in sources(source):
        what = f"the texts of {source.name!r} come from {study.name!r}" if source.pk != study.pk else "it is the same"
        raise wrong(what, "authors_from", "Name the study in which the texts were written.", value=source.name)
    if not joinable(actor).filter(pk=source.pk).exists():
        fix = "Name a study that you manage: whoever is erased in one of the two is erased in both."
        raise wrong(f"{source.name!r} cannot be joined", "authors_from", fix, value=source.name)


def _refuse_if_begun(study: models.Study) -> None:
    if models.Assignment.objects.filter(stage__study=study).exists():
        raise wrong(
            "work was handed out by the rules of now",
            "authors_from",
            "The study stays joined as it is. Make another study for the rest.",
        )


def _join(study: models.Study, source: models.Study, now: datetime, actor: str) -> None:
    study.authors_from = source
    study.save(update_fields=["authors_from"])
    audit.record("studies joined", study, now, actor=actor, authors_from=source.pid)


class _Settled(NamedTuple):
    """How many authors are people of the other study, and how many texts were erased with their author."""

    known: int
    erased: int


def _settle_again(study: models.Study, now: datetime) -> _Settled:
    """Find out anew who the authors of the items are."""
    written = study.items.exclude(author="").order_by()
    people = _authors(study, list(written.values_list("author", flat=True).distinct()))
    stones = tombstones(study, people)
    erased = sum(erase_author(study, name, now) for name in stones)
    for name, identity in people.items():
        written.filter(author=name).update(author_identity=identity)
    there = models.Annotator.objects.filter(study=study.authors_from_id).values_list("identity", flat=True)
    return _Settled(len(set(there) & {people[name] for name in people if name not in stones}), erased)


def _already(study: models.Study) -> list[str]:
    """Who took part here although they wrote there."""
    found: set[str] = set()
    for stage in study.stages.select_related("protocol_version"):
        took = models.Annotator.objects.filter(assignments__stage=stage).distinct().values_list("name", "identity")
        found |= {one.name for one in barred(stage, protocol_of(stage), dict(took)) if one.why in ("author", "writer")}
    return sorted(found)


def authors_by_name_only(study: models.Study) -> bool:
    """Whether authors must not judge here, and nobody has said in which study they wrote."""
    stages = current_stages(study) if study.authors_from_id is None else []
    ruled = any(rules_of(stage, protocol_of(stage)).not_authors for stage in stages)
    return ruled and study.items.exclude(author="").exists()


def author_identities(study: models.Study, items: Sequence[Item], now: datetime, actor: str = "") -> dict[str, str]:
    """Who the authors of new items are, by name; joins the study in which they wrote the texts, if there is one.

    Raises InputError for texts of people who were erased.
    """
    names = list(dict.fromkeys(item.author for item in items if item.author))
    if not names:
        return {}
    source = _written_in(study, items, actor) if study.authors_from_id is None else None
    if source is not None:
        _join(study, source, now, actor)
        _settle_again(study, now)
    people = _authors(study, names)
    _refuse_erased(study, people, items)
    return people


def _authors(study: models.Study, names: Sequence[str]) -> dict[str, str]:
    """Who these authors are: people of the study that they come from, or the authors of its own items."""
    found = of_names(names)
    source = study.authors_from
    if source is None:
        return found
    wrote = dict(models.Annotator.objects.filter(study=source).exclude(identity="").values_list("name", "identity"))
    written = source.items.exclude(author="").exclude(author_identity="").order_by()
    carried = dict(written.values_list("author", "author_identity").distinct())
    known = carried | wrote if any(_writing(source)) else wrote | carried
    return {name: known.get(name, identity) for name, identity in found.items()}


def _refuse_erased(study: models.Study, people: Mapping[str, str], items: Sequence[Item]) -> None:
    stones = tombstones(study, people)
    problems = [
        erased_problem(study, stones[item.author], f"item {item.key}: its author {item.author!r}").at(
            value=item.author, fix="Leave their texts out: an erasure is not undone."
        )
        for item in items
        if item.author in stones
    ]
    if problems:
        raise InputError(*problems)


def _written_in(study: models.Study, items: Sequence[Item], actor: str) -> models.Study | None:
    """The one study where most of these texts were submitted by somebody of their author's name."""
    rewrites = [field.id for field in protocol_of(current_stages(study)[0]).fields if field.role == "rewrite"]
    first = {item.author: item for item in reversed(items) if item.author}
    texts = {
        name: {item.fields[field] for field in rewrites if item.fields.get(field)}
        for name, item in list(first.items())[:SAMPLE]
    }
    there = joinable(actor).filter(annotators__name__in=texts).exclude(pk=study.pk).distinct()
    found = [source for source in there if _has_written(source, texts) * 2 > len(texts)]
    return found[0] if len(found) == 1 and study not in sources(found[0]) else None


def _has_written(source: models.Study, texts: Mapping[str, set[str]]) -> int:
    """How many of these people submitted one of their texts in this study."""
    questions = {question for stage in _writing(source) for question in _written_questions(stage)}
    said = models.Revision.objects.filter(judgement__stage__study=source).submitted()
    count = 0
    for name, of_author in texts.items():
        same = Q(pk__in=[])
        for question in questions:
            for text in of_author:
                same |= Q(Exact(KeyTextTransform(question, "answers"), Value(text)))
        count += said.filter(same, judgement__annotator__name=name).exists()
    return count


def _writing(study: models.Study) -> Iterator[models.Stage]:
    """The stages of a study at which people write."""
    for stage in study.stages.select_related("protocol_version", "study"):
        protocol = protocol_of(stage)
        if writes(rules_of(stage, protocol), protocol):
            yield stage


def _written_questions(stage: models.Stage) -> list[str]:
    protocol = protocol_of(stage)
    rewritten = [question for question in protocol.questions if isinstance(protocol.scale_of(question), RewrittenText)]
    return [question.id for question in rewritten]


class HandedOn(NamedTuple):
    """Items that one study takes from another: what people wrote there, or its items where nobody writes.

    ``people`` is how many wrote them, ``discarded`` how many items of the other study were left out because enough
    people had flagged them, ``without`` how many have no text.
    """

    items: list[Item]
    people: int = 0
    discarded: int = 0
    without: int = 0


def items_from(source: models.Study, protocol: Protocol) -> HandedOn:
    """What a study of this protocol takes from that one. Raises InputError if its texts do not fit."""
    stages = list(_writing(source))
    found = _texts(source, stages, protocol) if stages else _as_they_are(source, protocol)
    if not found.items:
        what = f"nobody has written anything in {source.name!r} yet" if stages else f"{source.name!r} has no items"
        raise wrong(what, "items_from", "Wait until there is something to take, or use a file.", value=source.name)
    problems = [
        Problem(
            what=f"the items of {source.name!r} have nothing for the field {field.id!r} of {protocol.id}",
            rule="items_from",
            fix="Use a protocol for such texts, or a file of items.",
            value=field.id,
        )
        for field in protocol.fields
        if field.required and not all(item.fields.get(field.id) for item in found.items)
    ]
    if problems:
        raise InputError(*problems)
    return found


def _fields(item: models.Item, before: Protocol, after: Protocol) -> dict[str, str]:
    """The texts of an item under the names of another protocol: the same name, else the same role."""
    role = {field.role: item.fields[field.id] for field in before.fields if item.fields.get(field.id)}
    given = {field.id: item.fields.get(field.id) or role.get(field.role, "") for field in after.fields}
    return {name: text for name, text in given.items() if text}


def _as_they_are(source: models.Study, protocol: Protocol) -> HandedOn:
    before = protocol_of(current_stages(source)[0])
    rows = source.items.unplanted().open().order_by("position")
    items = [
        Item(row.key, _fields(row, before, protocol), row.system, row.author, row.group, row.metadata) for row in rows
    ]
    return HandedOn(items)


def _texts(source: models.Study, stages: Sequence[models.Stage], protocol: Protocol) -> HandedOn:
    """One item for each text, under a number that does not tell who wrote it."""
    target = next((field.id for field in protocol.fields if field.role == "rewrite"), None)
    if target is None:
        fix = "Use a protocol that judges rewrites."
        raise wrong(f"{protocol.id} has no field for what people wrote", "items_from", fix, value=protocol.id)
    taken: set[str] = set()
    items: list[Item] = []
    people: set[str] = set()
    discarded = without = 0
    for row, said in _said(source, stages):
        before = protocol_of(said[0].stage) if said else protocol_of(stages[0])
        if said and _is_discarded(before, row, [one.judgement for one in said]):
            discarded += 1
            continue
        texts = [(one.name, text) for one in said for text in one.texts]
        without += not texts
        for number, (name, text) in enumerate(texts, start=1):
            key = _free(f"{row.key[:MOST_KEY]}-{number}", taken)
            fields = {**_fields(row, before, protocol), target: text}
            items.append(Item(key, fields, "", name, "", {**row.metadata, "source_item": row.key}))
            people.add(name)
    return HandedOn(items, len(people), discarded, without)


class _Said(NamedTuple):
    """What one person said about an item, and the texts they wrote."""

    stage: models.Stage
    name: str
    judgement: Judgement
    texts: list[str]


def _said(source: models.Study, stages: Sequence[models.Stage]) -> Iterator[tuple[models.Item, list[_Said]]]:
    """Every plain item with what was submitted about it, in the order in which it came; excluded people aside."""
    by_pk = {stage.pk: stage for stage in stages}
    heads = models.Judgement.objects.filter(stage__in=stages).counted()
    said: dict[int, list[_Said]] = {}
    rows = heads.select_related("current", "annotator").order_by("current__created_at", "pk")
    asked = {stage.pk: _written_questions(stage) for stage in stages}
    for head in rows.exclude(current=None).prefetch_related("current__edits"):
        assert head.current is not None
        judgement, stage = judgement_from(head.current), by_pk[head.stage_id]
        answers = judgement.answers if judgement.outcome == ANSWERED else {}
        written = [answers.get(question) for question in asked[stage.pk]]
        texts = [text for text in written if isinstance(text, str) and text.strip()]
        said.setdefault(head.item_id, []).append(_Said(stage, head.annotator.name, judgement, texts))
    for row in source.items.unplanted().open().order_by("position"):
        yield row, said.get(row.pk, [])


def _is_discarded(protocol: Protocol, row: models.Item, judgements: Sequence[Judgement]) -> bool:
    verdict = of_item(protocol, item_from(row), judgements).get(DISCARDED)
    return verdict is not None and verdict.value is True


def _free(key: str, taken: set[str]) -> str:
    while key in taken:
        key = f"{key}+"
    taken.add(key)
    return key
