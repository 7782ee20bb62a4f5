"""Who works in a demo study, how much each has done, and on what terms: by protocol.

Nobody was paid: prices, wages and the ethics record are examples, and say so.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

import attrs

from rubrica.core.protocol import Protocol

WAGE = Decimal(17)
"""Euros that an hour of median work brings."""
MINIMUM_WAGES = {"ES": 9, "MX": 3, "AR": 3, "CO": 2, "GB": 14, "IE": 14, "US": 7, "IN": 1}
"""Round figures in euros per hour, to have something to compare with; some countries are left out."""

FIVE = (1.0, 1.0, 1.0, 0.8, 0.6)
ELEVEN = (*(1.0,) * 10, 0.6)


@attrs.frozen
class Team:
    """``shares`` is how much of the work each has done; the rest is left for visitors.

    ``seconds`` is the median time for a judgement. ``overlap`` is how many judgements an item gets; without it, one
    more than there are people. ``excluded`` is the place (from 0) of somebody who was excluded for the ``reason``.
    ``countries`` are where people come from, ``language`` is that of the texts.
    """

    shares: tuple[float, ...] = (1.0, 0.8, 0.4)
    seconds: float = 30
    overlap: int = 0
    excluded: int | None = None
    reason: str = ""
    countries: tuple[str, ...] = ("GB", "IE", "US", "NO", "IN")
    language: str = "English"

    @property
    def names(self) -> tuple[str, ...]:
        """What the people are called: it says that they are simulated."""
        return tuple(f"simulated_{number}" for number in range(1, len(self.shares) + 1))

    @property
    def places(self) -> int:
        """How many judgements an item gets."""
        return self.overlap or len(self.shares) + 1

    @property
    def price(self) -> Decimal:
        """What one judgement is paid, in euros."""
        return (WAGE * Decimal(self.seconds) / 3600).quantize(Decimal("0.01"), ROUND_HALF_UP)


_SPANISH: Mapping[str, Any] = {"countries": ("ES", "MX", "AR", "ES", "CO"), "language": "Spanish"}
TEAMS: Mapping[str, Team] = {
    "adequacy_fluency": Team(
        (*FIVE[:4], 1.0, 0.7, 1.0, 0.9),
        25,
        excluded=4,
        reason="Took about five seconds for a pair, and gave other answers to most pairs that came twice.",
    ),
    "breve": Team(FIVE, 45, **_SPANISH),
    "claro": Team(FIVE, 40, **_SPANISH),
    "lexical_complexity": Team(ELEVEN, 8),
    "lexical_posthoc": Team(FIVE, 20),
    "lexical_simplification": Team(ELEVEN, 18),
    "quality": Team(FIVE, 35),
    "salsa": Team((1.0, 1.0, 0.75), 100),
    "split_patterns": Team((1.0, 1.0, 0.5), 40),
    "split_rate": Team((1.0, 0.7, 0.6, 0.35, 0.2), 50, overlap=3),
    "split_rewrite": Team((1.0, 0.9, 0.7), 90),
}


def team_of(protocol: Protocol) -> Team:
    """The team of a protocol; one that has none of its own gets three people."""
    return TEAMS.get(protocol.id, Team())


def terms(protocol: Protocol, team: Team) -> dict[str, Any]:
    """The settings of a demo study beside protocol and items, as ``options.checked`` takes them."""
    return {
        "completion_code": "DEMO-DONE",
        "items_reviewed": True,
        "payment": {
            "currency": "EUR",
            "per_task": {stage.id: team.price for stage in protocol.stages},
            "platform_fee": 10,
            "minimum_wages": {name: wage for name, wage in MINIMUM_WAGES.items() if name in team.countries},
            "median_seconds": {stage.id: team.seconds for stage in protocol.stages},
        },
        "ethics": {
            "approval": "None needed: this is a demonstration and its annotators are simulated.",
            "contact": "Whoever runs this studio",
            "sources_attested": True,
            "sources": "Written for this demonstration; nothing is taken from a text or data set.",
            "licence": "Apache-2.0",
        },
    }
