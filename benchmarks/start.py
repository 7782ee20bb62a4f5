"""How long `rubrica --help` takes, beside a bare interpreter and `import typer`."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator

from benchmarks.report import Figure


def _fastest(code: str, rounds: int = 7) -> float:
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.DEVNULL)
        times.append(time.perf_counter() - start)
    return min(times)


def run() -> Iterator[Figure]:
    """The time of the help page and of its parts."""
    bare = _fastest("pass")
    typer = _fastest("import typer")
    ours = _fastest("import sys; sys.argv = ['rubrica', '--help']; from rubrica.cli.main import run; run()")
    yield Figure("bare interpreter", bare * 1000, "ms")
    yield Figure("import typer", typer * 1000, "ms")
    yield Figure("rubrica --help", ours * 1000, "ms", 300)
    yield Figure("ratio to import typer", ours / typer, "x")
