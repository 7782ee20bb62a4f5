"""How a benchmark says what it measured: a figure, a limit, and whether it holds. Absolute figures are only printed.

And how the memory of a command is measured, for all benchmarks that do.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Sequence
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


_MEASURED = """
import resource, sys
from rubrica.cli.main import main
code = main(sys.argv[1:])
own = next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM"))
print(max(int(own), resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss), file=sys.stderr)
sys.exit(code)
"""


class Measured(NamedTuple):
    """A command that ran: what it printed, its seconds, and the most memory of any of its processes."""

    printed: str
    seconds: float
    megabytes: float


def measured(arguments: Sequence[object]) -> Measured:
    """Run `rubrica` in a process of its own. Raises CalledProcessError if it fails.

    Linux counts the memory of the process that starts another as the other's until that one's program is loaded, and
    ``ru_maxrss`` keeps it: a command that a benchmark of 2 GB started seemed to need 2 GB. The high-water mark in
    ``/proc`` is that of the program alone; those of its workers are at the least its own.
    """
    start = time.perf_counter()
    ended = subprocess.run(
        [sys.executable, "-c", _MEASURED, *map(str, arguments)], check=True, capture_output=True, text=True
    )
    return Measured(ended.stdout, time.perf_counter() - start, int(ended.stderr.split()[-1]) / 1024)
