"""Temperaments of simulated annotators: how far what somebody says lies from what a careful person would say.

Made up, not estimated from anybody: they give demonstrations people who agree for the most part, and somebody for the
checks to find.
"""

from __future__ import annotations

import random

import attrs


@attrs.frozen
class Temperament:
    """How one simulated annotator judges.

    On a scale, ``leniency`` moves every answer towards the good end (below 0: away from it) and ``noise`` is the
    standard deviation of the rest, both for a scale of two points; a scale with n points has sqrt(n - 1) times as much.
    The others are probabilities: ``slips`` that a yes becomes a no, ``habit`` that the favourite answer is given
    without a look, ``memory`` that an item seen before gets the same answers. ``pace`` multiplies the time for an item.
    """

    name: str
    leniency: float = 0.0
    noise: float = 0.0
    slips: float = 0.0
    habit: float = 0.0
    memory: float = 1.0
    pace: float = 1.0


CAREFUL = Temperament("careful", 0.0, 0.23, 0.02, 0.0, 0.95, 1.15)
LENIENT = Temperament("lenient", 0.16, 0.28, 0.04, 0.0, 0.85, 0.95)
SEVERE = Temperament("severe", -0.16, 0.28, 0.04, 0.0, 0.85, 1.1)
CARELESS = Temperament("careless", 0.0, 0.34, 0.09, 0.04, 0.6, 0.75)
HURRIED = Temperament("hurried", 0.1, 0.45, 0.15, 0.5, 0.3, 0.2)

TEAM = (CAREFUL, LENIENT, SEVERE, CARELESS, HURRIED, CAREFUL, LENIENT, CAREFUL, SEVERE, CAREFUL, CARELESS)
"""In a group of simulated people, who comes first, second and so on; a larger group begins again."""


def temperament_of(place: int, seed: str) -> Temperament:
    """That of the person at this place (from 0) of a group: its kind is fixed, its degree comes from the seed."""
    kind = TEAM[place % len(TEAM)]
    rng = random.Random(f"temperament:{seed}:{place}")
    return attrs.evolve(
        kind,
        leniency=kind.leniency * rng.uniform(0.7, 1.3) + rng.uniform(-0.03, 0.03),
        noise=kind.noise * rng.uniform(0.8, 1.2),
        slips=kind.slips * rng.uniform(0.7, 1.3),
        pace=kind.pace * rng.uniform(0.85, 1.15),
    )
