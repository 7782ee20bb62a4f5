"""What a metric gives each unit: numbers on its own scale, kept apart from what raters answered."""

from __future__ import annotations

from collections.abc import Mapping

import attrs

METRIC = "metric"
"""The kind of rater that is a formula."""
LOWER, NEITHER = "lower", "neither"


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
