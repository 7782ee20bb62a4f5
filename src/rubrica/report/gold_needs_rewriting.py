"""Which source sentences need rewriting: the verdict of ``breve`` and ``claro``, by sentence.

The question is about the source, so that judgements of several rewrites of one sentence decide it together.
"""

from __future__ import annotations

from typing import NamedTuple

from rubrica.core.errors import wrong
from rubrica.core.ratings import Rating, Ratings
from rubrica.exchange.needs_rewriting import NeedsRewriting
from rubrica.report.gold_verdicts import judged

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
