"""Who is who: the same person in another study, in another spelling, or after they were erased (design/016).

An identity is a keyed hash: HMAC-SHA256 with the secret key of the home, 128 bits of it. It is used for rules alone
and never leaves the database. Whoever has the database but not the key can neither compute nor test one.

- ``p:…`` is of a crowd platform and its id of the person: one person in all studies of the studio.
- ``n:…`` is of a name (personal link, sheet, import, author of a text): one person in studies that are joined.
- ``o:…`` is random, of somebody who came through an open link: nobody can know them again elsewhere.

Names are compared as a reader would: case, Unicode form and spaces do not matter.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple, TypeVar

from django.db import transaction
from django.db.models import Model, QuerySet
from django.utils.crypto import salted_hmac

from rubrica.core.errors import Problem, wrong
from rubrica.core.names import normal
from rubrica.home.database import KEY_FILE, current_home, secret_key
from rubrica.store import audit, models

NAME, PLATFORM, OPEN = "n:", "p:", "o:"
AT_ONCE = 500
"""Values in one query: SQLite takes no more than 999."""
Row = TypeVar("Row", bound=Model)


def digest(secret: str, kind: str, *parts: str) -> str:
    """The identity of these parts under this secret key."""
    value = "\0".join((kind, *map(normal, parts)))
    return kind + salted_hmac("rubrica.identity", value, secret=secret, algorithm="sha256").hexdigest()[:32]


def fingerprint(secret: str) -> str:
    """What tells one secret key from another and tells nothing else."""
    return salted_hmac("rubrica.identity.key", "", secret=secret, algorithm="sha256").hexdigest()


def matching(rows: QuerySet[Row], column: str, values: Sequence[Any]) -> Iterator[Row]:
    """Those of these rows that have one of many values in this column, some hundred values in a query."""
    for start in range(0, len(values), AT_ONCE):
        yield from rows.filter(**{f"{column}__in": values[start : start + AT_ONCE]})


def of_name(name: str) -> str:
    """The identity of whoever has this name in a study and those joined with it."""
    return of_names([name])[name]


def of_names(names: Sequence[str]) -> dict[str, str]:
    """The identities of these names."""
    secret = _key()
    return {name: digest(secret, NAME, name) for name in names}


def of_platform(platform: str, participant: str) -> str:
    """The identity of a crowd platform's person, in every study of the studio."""
    return digest(_key(), PLATFORM, platform, participant)


def unknown() -> str:
    """The identity of somebody who cannot be known again."""
    return OPEN + secrets.token_hex(16)


def _key() -> str:
    """The secret key of the home, if the people of this database are known by it."""
    secret = secret_key(current_home())
    known = models.IdentityKey.objects.first()
    if known is None:
        known, _ = models.IdentityKey.objects.get_or_create(pk=1, defaults={"fingerprint": fingerprint(secret)})
    if known.fingerprint != fingerprint(secret):
        raise wrong(
            "people of these studies are known by another key than this home has",
            "identity_key",
            f"Put the {KEY_FILE} of the studio's home (or of its backup) here. If it is lost: `rubrica people rekey`.",
            file=str(current_home() / KEY_FILE),
        )
    return secret


class Rekeyed(NamedTuple):
    """How many annotators and authors are known by the new key, and how many erased people by none any more."""

    annotators: int
    authors: int
    erased: int


def rekey(now: datetime, actor: str = "") -> Rekeyed:
    """Know everybody by the key that the home has now, after the old one was lost.

    Of the erased only a hash of the old key is left: they cannot be recognised any more, and the audit says how many.
    """
    secret = secret_key(current_home())
    with transaction.atomic():
        models.IdentityKey.objects.all().delete()
        models.IdentityKey.objects.create(pk=1, fingerprint=fingerprint(secret))
        living = models.Annotator.objects.living().exclude(identity__startswith=OPEN)
        fresh: dict[str, str] = {}
        rows = list(living.select_related("external__invitation", "invitation"))
        for row in rows:
            external: models.ExternalIdentity | None = getattr(row, "external", None)
            named = getattr(row, "invitation", None)
            by_name = (NAME, (named.note if named else "") or row.name)
            known = (PLATFORM, external.invitation.kind, external.participant) if external else by_name
            old, row.identity = row.identity, digest(secret, *known)
            fresh[old] = row.identity
        models.Annotator.objects.bulk_update(rows, ["identity"], AT_ONCE)
        written = models.Item.objects.exclude(author="").exclude(author_identity__startswith=OPEN)
        authors = list(written.values_list("author", "author_identity").order_by().distinct())
        for author, old in authors:
            # Nobody here with that identity: a name alone, or a platform's person who was erased since.
            now_known = fresh.get(old) or (digest(secret, NAME, author) if old.startswith(NAME) else unknown())
            written.filter(author=author, author_identity=old).update(author_identity=now_known)
        lost = models.Annotator.objects.erased()
        gone = lost.exclude(former="").update(identity="", former="")
        audit.record("identities rekeyed", None, now, actor=actor, annotators=len(rows), erased=gone)
    return Rekeyed(len(rows), len(authors), gone)


def circle(study: models.Study) -> list[int]:
    """The row numbers of this study and of all that are joined with it, over however many steps; the trash included."""
    joined: dict[int, set[int]] = {}
    for one, other in models.Study.objects.exclude(authors_from=None).values_list("pk", "authors_from"):
        if other is not None:
            joined.setdefault(one, set()).add(other)
            joined.setdefault(other, set()).add(one)
    found, new = {study.pk}, {study.pk}
    while new:
        new = {other for one in new for other in joined.get(one, ())} - found
        found |= new
    return sorted(found)


def identities_of(study: models.Study, names: Sequence[str]) -> dict[str, str]:
    """Who these names mean in this study, by name, whether they are annotators yet or not.

    A pseudonym, which a link for many gave, means whoever got it: in this study, else in one joined with it.
    """
    found = of_names(names)
    joined = models.Annotator.objects.filter(study__in=circle(study)).exclude(identity="")
    for row in sorted(matching(joined, "name", list(found)), key=lambda row: (row.study_id == study.pk, row.pk)):
        if row.study_id == study.pk or not row.identity.startswith(NAME):
            found[row.name] = row.identity
    return found


def tombstones(study: models.Study, people: Mapping[str, str]) -> dict[str, models.Annotator]:
    """The tombstones of those of these people (identities by name) who were erased from this study or a joined one.

    A tombstone has no name. It is recognised by the identity, and by that of the name that the person had, which for
    somebody of a platform is a pseudonym. Whoever is alive in this study under exactly this name is somebody else.
    """
    by_name = of_names(list(people))
    wanted = sorted({identity for name in people for identity in (people[name], by_name[name]) if identity})
    erased = models.Annotator.objects.filter(study__in=circle(study)).erased().select_related("study")
    rows = [*matching(erased, "identity", wanted), *matching(erased, "former", wanted)] if erased.exists() else []
    stones: dict[str, models.Annotator] = {}
    for row in sorted(rows, key=lambda row: row.study_id != study.pk, reverse=True):
        stones |= dict.fromkeys(filter(None, (row.identity, row.former)), row)
    found = {name: stones.get(people[name]) or stones.get(by_name[name]) for name in people}
    here = models.Annotator.objects.filter(study=study).living()
    alive = {row.name for row in matching(here, "name", [name for name, stone in found.items() if stone])}
    return {name: stone for name, stone in found.items() if stone and name not in alive}


def erased_problems(study: models.Study, people: Mapping[str, str]) -> list[Problem]:
    """Why these people (identities by name) can bring nothing into the study: they were erased at their request."""
    stones = tombstones(study, people)
    return [erased_problem(study, stone, repr(name)).at(value=name) for name, stone in stones.items()]


def erased_problem(study: models.Study, stone: models.Annotator, who: str) -> Problem:
    """What is told of somebody who was erased."""
    where = "this study" if stone.study_id == study.pk else f"the study {stone.study.name!r}, which is joined with this"
    return Problem(
        what=f"{who} was erased from {where} on {stone.erased_at:%Y-%m-%d}, at their request",
        rule="erased",
        fix="Leave out what is theirs: an erasure is not undone. Another person of that name needs another name.",
    )
