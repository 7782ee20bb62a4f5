"""A statistic's value, or why it has none: missing is never 0."""

from __future__ import annotations

from typing import Any, NamedTuple


class Statistic(NamedTuple):
    """A number, or None with the reason in plain words."""

    value: float | None
    reason: str = ""

    def as_json(self) -> Any:
        """The number itself; ``{"value": null, "reason": …}`` where there is none."""
        return self.value if self.value is not None else {"value": None, "reason": self.reason}
