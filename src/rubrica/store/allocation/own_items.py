"""What a person must not judge: a text that they wrote, and what a system gave that they are part of.

One rule for leases on pages, sheets and imports, whatever the protocol says of authors. Who is part of which system is
recorded with the study (``Options.teams``), by name; people are known as everywhere, by their identities.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping

from django.db.models import Q

from rubrica.core.eligibility import Barred, team_problems
from rubrica.core.errors import refuse
from rubrica.core.study import systems_named
from rubrica.store import models
from rubrica.store.allocation.overlap import give_back
from rubrica.store.options import change, options_of
from rubrica.store.people.identities import identities_of


def own_items(study: models.Study, identity: str) -> Q:
    """The items that whoever has this identity must not judge; an unknown person has none."""
    if not identity:
        return Q(pk__in=[])
    wrote = Q(author_identity=identity)
    mine = _systems_by_member(study).get(identity)
    return wrote | Q(system__in=_names_of(study, mine)) if mine else wrote


def own_items_by_person(study: models.Study, people: Collection[models.Annotator]) -> Iterator[tuple[str, Barred]]:
    """The same for many people at once: the key of each item with who must not judge it, and why."""
    names: dict[str, list[str]] = defaultdict(list)
    for person in people:
        if person.identity:
            names[person.identity].append(person.name)
    written = models.Item.objects.filter(study=study).exclude(author_identity="")
    for key, author in written.values_list("key", "author_identity"):
        yield from ((key, Barred(name, "own")) for name in names.get(author, ()))
    for identity, systems in _systems_by_member(study).items():
        if identity in names:
            made = models.Item.objects.filter(study=study, system__in=_names_of(study, systems))
            for key in made.values_list("key", flat=True):
                yield from ((key, Barred(name, "team")) for name in names[identity])


def refuse_teams(study: models.Study, teams: Mapping[str, Collection[str]]) -> None:
    """Raises InputError for systems that the study's items do not name, and for names that nobody can have."""
    refuse(team_problems(teams, systems_of(study)))


def systems_of(study: models.Study) -> set[str]:
    """The systems that the items of a study name."""
    found = models.Item.objects.filter(study=study).order_by().values_list("system", flat=True).distinct()
    return {name for joined in found for name in systems_named(joined)}


def take_back_own(study: models.Study) -> int:
    """Return what people hold on pages and must not judge any more, since their team was recorded; how many leases."""
    people = models.Annotator.objects.filter(study=study, identity__in=_systems_by_member(study))
    held = models.Assignment.objects.filter(stage__study=study).on_pages()
    own = ((person, study.items.filter(own_items(study, person.identity))) for person in people)
    return sum(give_back(held.filter(annotator=person, item__in=items)) for person, items in own)


def forget_member(study: models.Study, identity: str) -> None:
    """Take somebody who is erased out of the teams, under whatever name; the caller holds the study."""
    teams = options_of(study).teams
    who = identities_of(study, sorted({name for names in teams.values() for name in names})) if teams else {}
    kept = {system: [name for name in names if who[name] != identity] for system, names in teams.items()}
    if kept != teams:
        change(study, teams={system: names for system, names in kept.items() if names})


def _systems_by_member(study: models.Study) -> dict[str, set[str]]:
    """By identity, the systems that a person is part of."""
    teams: dict[str, list[str]] = study.options.get("teams", {})
    who = identities_of(study, sorted({name for names in teams.values() for name in names})) if teams else {}
    found: dict[str, set[str]] = defaultdict(set)
    for system, names in teams.items():
        for name in names:
            found[who[name]].add(system)
    return found


def _names_of(study: models.Study, systems: Collection[str]) -> list[str]:
    """What items call these systems: by name, alone or with others that gave the same."""
    every = models.Item.objects.filter(study=study).order_by().values_list("system", flat=True).distinct()
    return [name for name in every if not set(systems).isdisjoint(systems_named(name))]
