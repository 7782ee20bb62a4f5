"""Verdicts as gold: what a protocol derives from one judgement (*correct*) and from all of an item (*perfect*).

Which judgements decide a verdict of an item, and how many must agree, is the protocol's: ``core.verdicts`` decides it.
Judgements that left an item by a way out count where the protocol says so, for instance to discard it.

Which source sentences need rewriting: the verdict of ``breve`` and ``claro``, by sentence. The question is about the
source, so that judgements of several rewrites of one sentence decide it together.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from rubrica.core.errors import wrong
from rubrica.core.ratings import Criterion, Rating, Ratings, Unit
from rubrica.core.study import Item, Judgement
from rubrica.core.verdicts import of_item, of_judgement
from rubrica.exchange.needs_rewriting import NeedsRewriting
from rubrica.stats.aggregation import ENTROPY, Gold, entropy
from rubrica.stats.statistic import Statistic, wilson


def of_judgements(ratings: Ratings, criterion: Criterion) -> Iterator[tuple[Unit, Gold]]:
    """Of each unit, the share of its judgements that have the verdict: the value is a number from 0 to 1."""
    for key, said in _by_unit(ratings).items():
        votes = [rating.answers[criterion.id] == "yes" for rating in said if criterion.id in rating.answers]
        if votes:
            yield ratings.units[key], _gold(sum(votes) / len(votes), votes)


def of_items(ratings: Ratings) -> Iterator[tuple[Unit, str, Gold]]:
    """Each verdict of each item, yes or no; undefined where too few judgements decide it."""
    protocol = ratings.protocol
    assert protocol is not None
    counted = [verdict for verdict in protocol.verdicts if verdict.of_item]
    found = [
        (ratings.units[key], *judged(ratings, ratings.units[key], said)) for key, said in _by_unit(ratings).items()
    ]
    for verdict in counted:
        for unit, decided, votes in found:
            value, reason = decided[verdict.id]
            word = None if value is None else "yes" if value else "no"
            yield unit, verdict.id, _gold(word, votes.get(verdict.counts, [])[: verdict.first], reason)


def judged(
    ratings: Ratings, unit: Unit, said: Sequence[Rating]
) -> tuple[dict[str, tuple[bool | None, str]], dict[str, list[bool]]]:
    """The verdicts of an item with their reasons, and the votes of its judgements by verdict."""
    protocol = ratings.protocol
    assert protocol is not None
    item = Item(unit.key, unit.texts, unit.system)
    judgements = [Judgement(rating.answers, (), rating.outcome) for rating in said]
    votes: dict[str, list[bool]] = {}
    for judgement in judgements:
        if not protocol.passes_on(judgement.outcome):
            for name, value in of_judgement(protocol, item, judgement).items():
                votes.setdefault(name, []).append(value)
    decided = {name: (derived.value, derived.reason) for name, derived in of_item(protocol, item, judgements).items()}
    return decided, votes


def _gold(value: float | str | None, votes: Sequence[bool], reason: str = "") -> Gold:
    if not votes:
        nothing = Statistic(None, reason or "no judgement decides it")
        return Gold(None, 0, 0, nothing, nothing, nothing, nothing, ENTROPY, nothing.reason)
    import numpy as np

    yes = sum(votes)
    support = len(votes) - yes if value == "no" else yes
    share, interval = support / len(votes), wilson(support / len(votes), len(votes))
    return Gold(
        value,
        len(votes),
        support,
        Statistic(share),
        Statistic(interval.low),
        Statistic(interval.high),
        Statistic(entropy(np.array([share, 1 - share]))),
        ENTROPY,
        reason,
    )


def _by_unit(ratings: Ratings) -> dict[str, list[Rating]]:
    """What counts, by unit, in the order in which it came: ways out too, for verdicts may follow from them."""
    found: dict[str, list[Rating]] = {}
    for rating in ratings.standing:
        found.setdefault(rating.unit, []).append(rating)
    for said in found.values():
        if all(rating.came for rating in said):
            said.sort(key=lambda rating: rating.came or datetime.max.replace(tzinfo=UTC))
    return found


VERDICT = "needs_rewriting"


class Sentences(NamedTuple):
    """The sentences that are decided, and how many are not."""

    decided: list[NeedsRewriting]
    undecided: int


def needs_rewriting(ratings: Ratings) -> Sentences:
    """Each sentence once, in the order of the items. Raises InputError if the protocol has no such verdict."""
    protocol = ratings.protocol
    if protocol is None or all(verdict.id != VERDICT for verdict in protocol.verdicts):
        name = protocol.id if protocol else ratings.name
        fix = "Use a study or an export of breve or claro, or name the protocol: --protocol breve."
        raise wrong(f"{name} does not ask whether sentences need rewriting", "verdict", fix, value=VERDICT)
    field = next(field.id for field in protocol.fields if field.role == "source")
    said: dict[str, list[Rating]] = {}
    for rating in ratings.standing:
        sentence = ratings.units[rating.unit].texts.get(field, "")
        if not sentence:
            fix = f"Name the column with the sentences {field!r} and give --text {field}."
            raise wrong(f"the item {rating.unit!r} has no {field}", "field", fix, value=rating.unit)
        said.setdefault(sentence, []).append(rating)
    decided = []
    for sentence, ratings_of in said.items():
        unit = ratings.units[ratings_of[0].unit]
        needed, _ = judged(ratings, unit, ratings_of)[0][VERDICT]
        if needed is not None:
            decided.append(NeedsRewriting(sentence, needed, unit.key))
    return Sentences(decided, len(said) - len(decided))
