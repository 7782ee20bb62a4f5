"""Who may not take part in a stage, and why; and what a person must not judge: what they or their system wrote.

Decided on identities (``people/identities.py``): a person is the same under another spelling, through another door, and
in the study that the texts come from. One rule for leases on pages, sheets and imports, whatever the protocol says of
authors. Who is part of which system is recorded with the study (``Options.teams``), by name.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping

from django.db.models import Q, QuerySet

from rubrica.core import eligibility
from rubrica.core.eligibility import Barred, barred_problem, kept_apart, team_problems, writes
from rubrica.core.errors import Problem, refuse
from rubrica.core.protocol import Protocol
from rubrica.core.protocol import Stage as Step
from rubrica.core.study import systems_named
from rubrica.store import models
from rubrica.store.allocation.overlap import give_back
from rubrica.store.options import change, options_of
from rubrica.store.people.identities import AT_ONCE, identities_of
from rubrica.store.stages import part_of, stages_of_part
from rubrica.store.translate import protocol_of, rules_of


def eligibility_problems(stage: models.Stage, protocol: Protocol, people: Mapping[str, str]) -> list[Problem]:
    """People (identities by name) who may not take part in this stage at all, excluded ones too."""
    return [barred_problem(stage.key, one) for one in barred(stage, protocol, people)]


def barred(stage: models.Stage, protocol: Protocol, people: Mapping[str, str]) -> list[Barred]:
    """Those of these people (identities by name) who may not take part, each with the first reason."""
    found: dict[str, Barred] = {}
    for one in _reasons(stage, rules_of(stage, protocol), protocol, people):
        found.setdefault(one.name, one)
    return list(found.values())


def restricts(stage: models.Stage, rules: Step, protocol: Protocol) -> bool:
    """Whether some people may not take part in this stage at all."""
    judged_elsewhere = writes(rules, protocol) and models.Study.objects.filter(authors_from=stage.study_id).exists()
    two_sides = bool(stage.takes or takers_of(stage, rules, protocol))
    return eligibility.restricts(rules, protocol) or judged_elsewhere or two_sides


def _reasons(stage: models.Stage, rules: Step, protocol: Protocol, people: Mapping[str, str]) -> Iterator[Barred]:
    if rules.not_authors:
        written = models.Item.objects.filter(study=stage.study_id)
        yield from _among(people, written, "author_identity", "author")
        for source in sources(stage.study):
            began = models.Assignment.objects.filter(stage__in=stages_that_write(source))
            yield from _among(people, began, "annotator__identity", "writer", source.name)
    if writes(rules, protocol):
        for other in judged_in(stage.study):
            took = models.Assignment.objects.filter(stage__in=_closed_to_authors(other))
            yield from _among(people, took, "annotator__identity", "rater", other.name)
    writers = [stage.takes] if stage.takes else []
    for part in (*kept_apart(rules, protocol), *writers, *takers_of(stage, rules, protocol)):
        took = models.Assignment.objects.filter(stage__in=stages_of_part(stage.study, part))
        yield from _among(people, took, "annotator__identity", "step", part)
    yield from _named_ones(stage, rules, people)
    yield from _invited_elsewhere(stage, people)
    out = models.Annotator.objects.filter(study=stage.study_id).excluded()
    yield from _among(people, out, "identity", "excluded")


def takers_of(stage: models.Stage, rules: Step, protocol: Protocol) -> list[str]:
    """The steps of the study that judge what is written at this one: writers and judges are other people."""
    if not writes(rules, protocol):
        return []
    taking = models.Stage.objects.filter(study=stage.study_id, takes=part_of(stage))
    return list(dict.fromkeys(part_of(one) for one in taking))


def _invited_elsewhere(stage: models.Stage, people: Mapping[str, str]) -> Iterator[Barred]:
    """Those whose link is for another step of the study."""
    links = models.Invitation.objects.filter(study=stage.study_id).exclude(step__in=("", part_of(stage)))
    steps = dict(
        links.exclude(annotator=None).exclude(annotator__identity="").values_list("annotator__identity", "step")
    )
    return (Barred(name, "invited", steps[identity]) for name, identity in people.items() if identity in steps)


def _among(
    people: Mapping[str, str],
    rows: QuerySet[models.Item] | QuerySet[models.Assignment] | QuerySet[models.Annotator],
    column: str,
    why: str,
    where: str = "",
) -> Iterator[Barred]:
    """Those of these people whose identity stands in that column of these rows."""
    wanted = sorted({identity for identity in people.values() if identity})
    known: set[str] = set()
    for start in range(0, len(wanted), AT_ONCE):
        some = rows.filter(**{f"{column}__in": wanted[start : start + AT_ONCE]})
        known |= set(some.order_by().values_list(column, flat=True).distinct())
    return (Barred(name, why, where) for name, identity in people.items() if identity in known)


def sources(study: models.Study) -> list[models.Study]:
    """The study that the texts come from, the one that its texts come from, and so on."""
    found: list[models.Study] = []
    while study.authors_from is not None and study.authors_from not in found:
        study = study.authors_from
        found.append(study)
    return found


def judged_in(study: models.Study) -> list[models.Study]:
    """The studies whose texts come from this one, directly or not."""
    found: list[models.Study] = []
    new = [study]
    while new:
        new = [other for other in models.Study.objects.filter(authors_from__in=new) if other not in found]
        found += new
    return found


def stages_that_write(study: models.Study) -> list[models.Stage]:
    """The stages of a study at which people write."""
    return [stage for stage, rules, protocol in _ruled(study) if writes(rules, protocol)]


def _closed_to_authors(study: models.Study) -> list[models.Stage]:
    return [stage for stage, rules, _ in _ruled(study) if rules.not_authors]


def _ruled(study: models.Study) -> Iterator[tuple[models.Stage, Step, Protocol]]:
    for stage in study.stages.select_related("protocol_version", "study"):
        protocol = protocol_of(stage)
        yield stage, rules_of(stage, protocol), protocol


def _named_ones(stage: models.Stage, rules: Step, people: Mapping[str, str]) -> Iterator[Barred]:
    """Where a study names its adjudicators: they do nothing else, and nobody else does what they do."""
    named_ones = stage.study.options.get("adjudicators", ())
    apart = set(identities_of(stage.study, named_ones).values()) if named_ones else set()
    for name, identity in people.items() if apart else ():
        if rules.role == "adjudicator" and identity not in apart:
            yield Barred(name, "not_named", stage.key)
        elif rules.role != "adjudicator" and identity in apart:
            yield Barred(name, "kept")


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
