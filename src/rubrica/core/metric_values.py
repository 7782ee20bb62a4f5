"""What a metric gives each unit: numbers on its own scale, kept apart from what raters answered."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Protocol, TypeVar

import attrs

from rubrica.core.errors import Problem, wrong
from rubrica.core.names import METRIC_PREFIX

METRIC = "metric"
"""The kind of rater that is a formula."""
HIGHER, LOWER, NEITHER = "higher", "lower", "neither"
"""Which of two figures is the better one. Neither: it describes a rewrite without judging it."""
SAME = 1e-9
"""Numbers this close, relative or absolute, are the same: machines add up in different orders."""
MOST_NAMED = 5
"""How many items a message names."""


@attrs.frozen(eq=False)
class MetricValues:
    """A metric beside the raters. ``values`` are by unit; a unit that it gives no number is not there.

    ``name`` tells registrations of one figure under several settings apart, ``better`` is higher, lower or neither,
    ``signature`` is every setting that the numbers depend on.
    """

    name: str
    title: str
    better: str
    signature: str
    values: Mapping[str, float]


class Registration(Protocol):
    """A figure that was registered under a name with its settings."""

    @property
    def name(self) -> str:
        """What it is called in the study."""

    figure: str
    signature: str


Known = TypeVar("Known", bound=Registration)


def defined(figure: str, values: Mapping[str, float | None]) -> dict[str, float]:
    """The numbers among the values of a figure. Raises InputError if there are none."""
    found = {key: value for key, value in values.items() if value is not None and math.isfinite(value)}
    if not found:
        fix = "Score items that it is defined for, or leave the metric out."
        raise wrong(f"{figure} has no value for any item", "metric", fix, value=figure)
    return found


def unknown_items(study: str, keys: Sequence[str]) -> list[Problem]:
    """What is said of numbers for items that a study has not got, or that are planted."""
    fix = "Give values of the study's own items: `rubrica score study:NAME` reads them."
    what = "the study {!r} has no item {!r}, or it is a planted one"
    return [Problem(what=what.format(study, key), rule="unknown_item", value=key, fix=fix) for key in keys[:MOST_NAMED]]


def refuse_others(name: str, had: Mapping[str, float], given: Mapping[str, float]) -> None:
    """Raise InputError if these numbers differ from those that a metric of the same settings has."""
    both = [key for key in given if key in had]
    other = [key for key in both if not math.isclose(given[key], had[key], rel_tol=SAME, abs_tol=SAME)]
    if other:
        first = other[0]
        what = f"{name} is registered with the same settings and other values for {len(other)} of {len(given)} items"
        fix = f"Remove it first if the new values are right: --unregister {name}."
        raise wrong(f"{what} ({first}: {had[first]:g}, now {given[first]:g})", "metric", fix, value=name)


def the_one(registered: Sequence[Known], wanted: str, study: str) -> Known:
    """The metric of that name, or of that figure if it was registered once. Raises InputError if there is none."""
    named = [one for one in registered if one.name == wanted.removeprefix(METRIC_PREFIX)]
    same = named or [one for one in registered if one.figure == wanted]
    if len(same) == 1:
        return same[0]
    if same:
        listed = "; ".join(f"{one.name} ({one.signature})" for one in same)
        what = f"{wanted} is registered under {len(same)} settings"
        raise wrong(what, "metric", f"Name one of them: {listed}.", value=wanted)
    none = "No metric is registered: `rubrica score study:NAME --register`."
    fix = f"Registered: {', '.join(one.name for one in registered)}." if registered else none
    raise wrong(f"the study {study!r} has no metric {wanted!r}", "unknown_metric", fix, value=wanted)
