"""From the submissions of a lexical shared task to the items that people judge: the best of each language, by score."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import attrs

from rubrica.core.errors import Problem, refuse, wrong
from rubrica.core.protocol import Protocol
from rubrica.core.study import LEFT_OUT, LONGEST_NAME, SHARED, Item
from rubrica.core.target_words import substituted
from rubrica.exchange.target_places import OUT, UNMARKED, Placing, place_targets
from rubrica.metrics.lexical_scores import Rules
from rubrica.prepare.posthoc import Best, Choices, Draw, Instance, best, draw
from rubrica.report import leaderboard
from rubrica.report.lexical_contest import Contest, ranked_answers, score_substitutes

COLUMNS = ("id", "context", "target", "substitute", "system", "instance", "language", "start", LEFT_OUT)
"""The columns of the items, in their order."""


class Posthoc(NamedTuple):
    """What is judged in one language: the best of all that ``entered``, items, what became of outputs.

    ``unplaced`` are instances whose word is not found in its context.
    """

    language: str
    best: Best
    entered: int
    items: list[Item]
    drawn: Draw
    unplaced: list[str]

    def as_json(self) -> dict[str, Any]:
        """For scripts."""
        return {
            "language": self.language,
            "entered": self.entered,
            "sample": len(self.drawn.sample),
            "items": len(self.items),
            "systems": [{**one._asdict(), **self.drawn.fates[one.system]._asdict()} for one in self.best.picked],
            "tied": self.best.tied,
            "passed_over": self.best.passed_over,
            "unplaced": self.unplaced,
        }


def posthoc(
    contest: Contest, protocol: Protocol, rules: Rules, by: str, top: int, ties: str, choices: Choices
) -> Iterator[Posthoc]:
    """For each language its best systems and what they gave for a common sample. Raises InputError if there is none."""
    refuse(_shared_names(contest))
    scored = score_substitutes(contest, rules, leaderboard.Choices(by=by, replicates=0))
    boards = {board.language: board for board in scored.boards}
    for language in contest.several() or [""]:
        values = {one.system: one.values[by].value for one in boards[language].entries}
        found = best({name: value for name, value in values.items() if value is not None}, top, ties)
        made = _drawn(contest, protocol, rules, language, found, choices)
        if not made.items:
            fix = "Look at the submissions: no system has a substitute for a word that is found in its context."
            raise wrong("there is nothing to judge", "posthoc", fix, value=language)
        refuse(_long_names(made))
        yield made._replace(entered=len(values))


def _drawn(contest: Contest, protocol: Protocol, rules: Rules, language: str, found: Best, choices: Choices) -> Posthoc:
    systems = [one.system for one in found.picked]
    entrants = [one for one in contest.entrants(language) if one.name in systems]
    places = contest.places(language)
    every = [Placing(place, _word(contest, place)) for place in places]
    placed = place_targets(every, protocol, {UNMARKED: OUT})
    words = {int(item.key): item for item in placed.items}
    kept = [place for place in places if place in words]
    instances = [
        Instance(
            _called(contest, place),
            words[place].fields["target"],
            {one.name: ranked_answers(contest, one, place, rules) for one in entrants},
        )
        for place in kept
    ]

    def with_substitute(index: int, word: str) -> Item:
        item = words[kept[index]]
        return attrs.evolve(item, fields={**item.fields, "substitute": word})

    def shown(index: int, word: str) -> str:
        sentence = substituted(protocol, with_substitute(index, word))
        assert sentence is not None, "only words that have a place are drawn"
        return sentence.text

    drawn = draw(instances, systems, choices, shown)
    items = []
    for one in drawn.items:
        item = with_substitute(one.instance, one.substitute)
        left_out = {LEFT_OUT: SHARED.join(one.left_out)} if one.left_out else {}
        metadata = {"instance": instances[one.instance].id, **item.metadata, **left_out}
        items.append(attrs.evolve(item, key=one.key, system=SHARED.join(one.systems), metadata=metadata))
    lost = [_called(contest, place) for place in places if place not in words]
    return Posthoc(language, found, 0, items, drawn, lost)


def _word(contest: Contest, place: int) -> Item:
    row = contest.gold[place]
    language = contest.languages[place]
    fields = {"context": row.context, "target": row.target.strip()}
    return Item(str(place), fields, metadata={"language": language} if language else {})


def _called(contest: Contest, place: int) -> str:
    row = contest.gold[place]
    return row.id or f"line {row.line}"


def _shared_names(contest: Contest) -> Iterator[Problem]:
    """Names that would be taken for those of several systems."""
    for one in contest.submissions:
        if SHARED.strip() in one.name:
            fix = f"Rename it: {SHARED.strip()!r} parts the names of systems that gave the same."
            what = f"the name {one.name!r} has a {SHARED.strip()!r}"
            yield Problem(what=what, rule="system_name", fix=fix, value=one.name, file=str(one.files[0].path))


def _long_names(made: Posthoc) -> Iterator[Problem]:
    longest = max((item.system for item in made.items), key=len)
    if len(longest) > LONGEST_NAME:
        what = f"the names of systems that gave the same have {len(longest)} characters together"
        fix = f"Shorten the names of the submissions: {LONGEST_NAME} are possible."
        yield Problem(what=what, rule="system_name", fix=fix, value=longest)


def item_row(item: Item) -> dict[str, str]:
    """An item as a row of a table, with those of :data:`COLUMNS` that it has."""
    row = {"id": item.key, **item.fields, "system": item.system, **item.metadata}
    return {name: row[name] for name in COLUMNS if name in row}
