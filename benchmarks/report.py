"""How a benchmark says what it measured: a figure, a limit, and whether it holds. Absolute figures are only printed."""

from __future__ import annotations

from typing import NamedTuple


class Figure(NamedTuple):
    """One measured figure. ``limit`` is compared as ``at most`` or ``at least``; None is for information."""

    name: str
    value: float
    unit: str
    limit: float | None = None
    at_least: bool = False
    detail: str = ""

    @property
    def holds(self) -> bool:
        """Whether the figure keeps its limit."""
        if self.limit is None:
            return True
        return self.value >= self.limit if self.at_least else self.value <= self.limit

    def line(self) -> str:
        """The figure as a line of text."""
        bound = "" if self.limit is None else f"  ({'at least' if self.at_least else 'at most'} {self.limit:,g})"
        mark = "" if self.limit is None else ("  ok" if self.holds else "  MISSED")
        detail = f"  {self.detail}" if self.detail else ""
        return f"  {self.name}: {self.value:,.2f} {self.unit}{bound}{mark}{detail}"
