"""Studies that are joined: the texts of one were written in the other, and people are the same in both (design/016).

A study is joined by naming the study that its authors come from, by taking its items from there, or by items that
somebody exported there: each text is looked for under its author's name, and where it was written is the study.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from django.contrib.auth.models import User
from django.db.models import Q, QuerySet, Value
from django.db.models.fields.json import KeyTextTransform
from django.db.models.lookups import Exact

from rubrica.core.errors import refuse, wrong
from rubrica.core.handed_on import (
    HandedOn,
    Said,
    Written,
    as_they_are,
    missing_fields,
    texts_written,
    written_questions,
)
from rubrica.core.protocol import Protocol
from rubrica.core.study import Item
from rubrica.exchange.target_places import Placing, place_targets
from rubrica.store import audit, models
from rubrica.store.allocation.eligibility import barred, sources, stages_that_write
from rubrica.store.people.erasure import erase_author
from rubrica.store.people.identities import erased_problem, of_names, tombstones
from rubrica.store.stages import current_stages
from rubrica.store.translate import current_of, item_from, protocol_of, rules_of

SAMPLE = 20
"""How many texts, each of another author, are looked for in other studies."""


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
    with study.held():
        if study.authors_from_id == source.pk:
            return Joined(0, 0, [])
        _refuse(study, source, actor)
        if study.authors_from_id is not None:
            _refuse_if_begun(study)
        _join(study, source, now, actor)
        found = _settle_again(study, now)
    return found._replace(already=_already(study))


def leave(study: models.Study, now: datetime, actor: str = "") -> None:
    """Take it back that the authors come from another study, as long as nothing was handed out."""
    with study.held():
        if study.authors_from is None:
            return
        _refuse_if_begun(study)
        audit.record("studies parted", study, now, actor=actor, authors_from=study.authors_from.pid)
        study.update(authors_from=None)
        _settle_again(study, now)


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
    study.update(authors_from=source)
    audit.record("studies joined", study, now, actor=actor, authors_from=source.pid)


def _settle_again(study: models.Study, now: datetime) -> Joined:
    """Find out anew who the authors of the items are."""
    written = study.items.exclude(author="").order_by()
    people = _authors(study, list(written.values_list("author", flat=True).distinct()))
    stones = tombstones(study, people)
    erased = sum(erase_author(study, name, now) for name in stones)
    for name, identity in people.items():
        written.filter(author=name).update(author_identity=identity)
    there = models.Annotator.objects.filter(study=study.authors_from_id).values_list("identity", flat=True)
    return Joined(len(set(there) & {people[name] for name in people if name not in stones}), erased, [])


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
    known = carried | wrote if stages_that_write(source) else wrote | carried
    return {name: known.get(name, identity) for name, identity in found.items()}


def _refuse_erased(study: models.Study, people: Mapping[str, str], items: Sequence[Item]) -> None:
    stones = tombstones(study, people)
    refuse(
        erased_problem(study, stones[item.author], f"item {item.key}: its author {item.author!r}").at(
            value=item.author, fix="Leave their texts out: an erasure is not undone."
        )
        for item in items
        if item.author in stones
    )


def _written_in(study: models.Study, items: Sequence[Item], actor: str) -> models.Study | None:
    """The one study where most of these texts were submitted by somebody of their author's name."""
    rewrites = protocol_of(current_stages(study)[0]).rewrites
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
    questions = {question for stage in stages_that_write(source) for question in written_questions(protocol_of(stage))}
    said = models.Revision.objects.filter(judgement__stage__study=source).submitted()
    count = 0
    for name, of_author in texts.items():
        same = Q(pk__in=[])
        for question in questions:
            for text in of_author:
                same |= Q(Exact(KeyTextTransform(question, "answers"), Value(text)))
        count += said.filter(same, judgement__annotator__name=name).exists()
    return count


def items_from(source: models.Study, protocol: Protocol) -> HandedOn:
    """What a study of this protocol takes from that one: what people wrote there, or its items where nobody writes.

    Raises InputError if its texts do not fit.
    """
    stages = stages_that_write(source)
    rows = source.items.given().unplanted().open().order_by("position")
    if stages:
        said = _said(stages)
        written = [Written(item_from(row), said.get(row.pk, [])) for row in rows]
        found = texts_written(written, protocol_of(stages[0]), protocol)
    else:
        found = as_they_are(map(item_from, rows), protocol_of(current_stages(source)[0]), protocol)
    if not found.items:
        what = f"nobody has written anything in {source.name!r} yet" if stages else f"{source.name!r} has no items"
        raise wrong(what, "items_from", "Wait until there is something to take, or use a file.", value=source.name)
    refuse(missing_fields(found.items, protocol, source.name))
    placed = place_targets([Placing(number, item) for number, item in enumerate(found.items, start=1)], protocol)
    refuse(placed.problems)
    return found._replace(items=placed.items)


def _said(stages: Sequence[models.Stage]) -> dict[int, list[Said]]:
    """By item, what was submitted at these stages, in the order in which it came; excluded people aside."""
    protocols = {stage.pk: protocol_of(stage) for stage in stages}
    heads = models.Judgement.objects.filter(stage__in=stages).counted().with_edits().select_related("annotator")
    said: dict[int, list[Said]] = defaultdict(list)
    for head in heads.order_by("current__created_at", "pk"):
        said[head.item_id].append(Said(head.annotator.name, protocols[head.stage_id], current_of(head)))
    return said
