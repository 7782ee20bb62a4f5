"""`rubrica evaluate`: a hundred submissions of 600 instances each, with intervals, clusters and the official figures.

Words and sentences are made here. Where RUBRICA_DATA names a folder with `mlsp/`, baselines are cross-validated too.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks.report import Figure, measured

SYSTEMS, INSTANCES, ANSWERS = 100, 600, 10
SECONDS = 10.0


def _write(folder: Path) -> None:
    """Gold with ten votes an instance, and systems that find a vote the more seldom the later they come."""
    draw = random.Random(0)
    words = [f"word{number}" for number in range(4000)]
    golds, heads = [], []
    for number in range(INSTANCES):
        own = draw.choices(words, k=6)
        heads.append(f"Sentence {number // 3} stands for a text of about twenty words and more.\ttarget{number}")
        golds.append(draw.choices(own, k=10))
    ids = [f"en_{number + 1}" for number in range(INSTANCES)]
    values = [draw.random() for _ in ids]
    (folder / "ls").mkdir()
    (folder / "lcp").mkdir()
    rows = ["\t".join([head, *gold]) for head, gold in zip(heads, golds, strict=True)]
    (folder / "ls.tsv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    (folder / "lcp.csv").write_text("".join(f"{i},{v}\n" for i, v in zip(ids, values, strict=True)), encoding="utf-8")
    for system in range(SYSTEMS):
        lines = []
        for head, gold in zip(heads, golds, strict=True):
            own = [
                draw.choice(gold) if draw.random() > system / SYSTEMS else draw.choice(words) for _ in range(ANSWERS)
            ]
            lines.append("\t".join([head, *own]))
        (folder / f"ls/s{system:03}.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
        guesses = (f"{i},{v + draw.gauss(0, 0.01 * system)}\n" for i, v in zip(ids, values, strict=True))
        (folder / f"lcp/s{system:03}.csv").write_text("".join(guesses), encoding="utf-8")


def run() -> Iterator[Figure]:
    """Seconds of both tasks, from files to the leaderboard."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        _write(folder)
        for task, gold in (("ls", "ls.tsv"), ("lcp", "lcp.csv")):
            found = measured(["evaluate", task, folder / gold, folder / task, "--json"])
            detail = f"{found.megabytes:,.0f} MB"
            yield Figure(f"evaluate {task}, {SYSTEMS} x {INSTANCES}", found.seconds, "s", SECONDS, detail=detail)
    yield from _baselines()


def _baselines() -> Iterator[Figure]:
    """Cross-validated Pearson on each trial file, beside frequency alone: thirty words cannot rank much."""
    data = os.environ.get("RUBRICA_DATA")
    if not data:
        return
    for path in sorted((Path(data) / "mlsp").glob("*_lcp.tsv")):
        found = json.loads(measured(["complexity", "evaluate", path, "--json"]).printed)
        for name, own in found["systems"].items():
            ends = found["intervals"][name]["pearson"]
            detail = f"95 %: {ends['low']:.2f} to {ends['high']:.2f}; MAE {own['mae']:.3f}"
            yield Figure(f"{path.stem}, {name}, Pearson", own["pearson"], "", detail=detail)
    for path in sorted((Path(data) / "mlsp").glob("*_ls.tsv")):
        yield from _substitutes(path)


def _substitutes(path: Path) -> Iterator[Figure]:
    """ACC@1 and Potential@10 of the thesaurus, where one is installed or RUBRICA_THESAURI names a folder."""
    given = [part for one in os.environ.get("RUBRICA_THESAURI", "").split(":") if one for part in ("--thesaurus", one)]
    with tempfile.TemporaryDirectory() as folder:
        own = Path(folder) / "thesaurus.tsv"
        try:
            measured(["substitutes", path, *given, "-o", own])
        except subprocess.CalledProcessError:
            return
        found = json.loads(measured(["evaluate", "ls", path, own, "--json"]).printed)
    for figure in ("ACC@1", "Potential@10"):
        ends = found["intervals"]["thesaurus"][figure]
        detail = f"95 %: {ends['low']} to {ends['high']}"
        yield Figure(f"{path.stem}, thesaurus, {figure}", found["results"][figure], "", detail=detail)
