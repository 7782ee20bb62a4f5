"""`rubrica score`: equal to EASSE, how much quicker than the direct way, and a million sentences in little memory.

The systems are those in `turk/` of the folder that RUBRICA_DATA names, and variants of them made here. The million
pairs are made of words of our own. Only ratios have limits.
"""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from benchmarks.metrics_directly import bleu, sari
from benchmarks.report import Figure, measured

SYSTEMS = ("ACCESS", "Dress-Ls", "PBMT-R", "SBMT-SARI")
REFERENCES = 8
REPLICATES = 1000
SMALL, LARGE = 100_000, 1_000_000
WORDS = (
    "river bank village old new teacher wrote long letter school winter summer train station morning people city bread "
    "market council decided build bridge over water small house garden open close window reads book under tree"
)
RUBRICA = (sys.executable, "-c", "from rubrica.cli.main import run; run()")
KEYS = {"compression_ratio", "levenshtein_similarity", "exact_copies"}


def _lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()


def _systems(folder: Path) -> dict[str, list[str]]:
    """The four systems, and two variants of each: some words left out, some sentences as in another system."""
    found = {name: _lines(folder / name) for name in SYSTEMS}
    generator = random.Random(0)
    for name in SYSTEMS:
        shorter = [[word for word in text.split() if generator.random() > 0.1] or ["."] for text in found[name]]
        found[f"{name}-shorter"] = [" ".join(words) for words in shorter]
        other = found[generator.choice(SYSTEMS)]
        found[f"{name}-mixed"] = [
            own if generator.random() < 0.7 else theirs for own, theirs in zip(found[name], other, strict=True)
        ]
    return found


def _seconds(work: Callable[[], object], times: int) -> float:
    """Processor seconds of the quickest of several runs."""
    found = []
    for _ in range(times):
        start = time.process_time()
        work()
        found.append(time.process_time() - start)
    return min(found)


def _quickness(folder: Path) -> Iterator[Figure]:
    from rubrica.metrics.catalog import metrics_of
    from rubrica.metrics.metric import Block, Options
    from rubrica.metrics.results import Scores, Totals
    from rubrica.metrics.scoring import Resampling, Scorer
    from rubrica.metrics.tokens import Normalisation

    sources = _lines(folder / "test.orig")
    references = list(zip(*(_lines(folder / f"test.simp.{number}") for number in range(REFERENCES)), strict=True))
    systems = _systems(folder)

    def ours(replicates: int) -> Scores:
        scorer = Scorer(metrics_of(["sari", "bleu"], Options()), Resampling(replicates, 0))
        totals = Totals(scorer, list(systems))
        totals.add(scorer(Block(0, sources, references, systems)))
        return totals.scores({})

    def directly() -> dict[str, tuple[float, float]]:
        lower, cased = Normalisation("13a", True).cutter(), Normalisation("13a").cutter()
        return {
            name: (sari(sources, texts, references, lower), bleu(texts, references, cased))
            for name, texts in systems.items()
        }

    scored, expected = ours(0), directly()
    for system in scored.systems:
        found = (system.scores["sari"].value.value, system.scores["bleu"].value.value)
        assert all(abs((one or 0) - two) < 1e-9 for one, two in zip(found, expected[system.name], strict=True))
    slow, quick, with_intervals = (
        _seconds(directly, 2),
        _seconds(lambda: ours(0), 5),
        _seconds(lambda: ours(REPLICATES), 5),
    )
    what = f"SARI and BLEU of {len(systems)} systems, {len(sources)} sentences, {REFERENCES} references"
    detail = f"{quick:.2f} s against {slow:.2f} s of processor time, the same figures to 1e-9"
    yield Figure(f"{what}: direct implementation", slow / quick, "x our time", 10, True, detail)
    detail = f"{with_intervals - quick:.2f} s on top of {quick:.2f} s, tests of all pairs included"
    yield Figure(f"{REPLICATES:,} resamples on top", (with_intervals - quick) / quick, "x scoring", 2, detail=detail)


def _equal_to_easse(folder: Path) -> Iterator[Figure]:
    """The greatest difference from EASSE's own figures, over all systems."""
    expected = json.loads((folder / "expected_easse.json").read_text(encoding="utf-8"))
    rewrites = [part for name in SYSTEMS for part in ("--rewrite", str(folder / name))]
    asked = ["--test-set", str(folder), *rewrites, "--bootstrap", "0", "--json"]
    found = _command(["score", *asked, "--metrics", "sari,bleu,bleu_lc,token_f1,fkgl," + ",".join(KEYS)])["systems"]
    exact, grade = 0.0, 0.0
    for name in SYSTEMS:
        own, theirs = found[name], expected[name]
        pairs = [(own[key], theirs[key]) for key in ("sari", "sari_add", "sari_keep", "sari_del")]
        pairs += [(own["bleu"], theirs["bleu_cased(function default)"]), (own["bleu_lc"], theirs["bleu_lc(CLI)"])]
        pairs += [(own["token_f1"], theirs["f1_token_lc"]), *((own[key], theirs["qe"][key]) for key in KEYS)]
        exact = max(exact, *(abs(one - two) for one, two in pairs))
        grade = max(grade, abs(own["fkgl"] - theirs["fkgl"]))
    yield Figure("SARI, BLEU, token F1, compression, Levenshtein, copies", exact * 1e6, "millionths from EASSE", 1)
    yield Figure("FKGL", grade, "from EASSE", 0.3)


def _command(arguments: list[str]) -> dict[str, Any]:
    ended = subprocess.run([*RUBRICA, *arguments], check=True, capture_output=True, text=True)
    found: dict[str, Any] = json.loads(ended.stdout)
    return found


def _made(folder: Path, count: int) -> list[str]:
    """Parallel files of that many sentences, and the options that name them."""
    generator = random.Random(1)
    place = folder / str(count)
    place.mkdir()
    names, known = ("source", "reference", "system"), WORDS.split()
    files = {name: (place / name).open("w", encoding="utf-8") for name in names}
    for number in range(count):
        words = [generator.choice(known) for _ in range(generator.randint(8, 24))]
        texts = (words, [word for word in words if generator.random() > 0.2], words[: len(words) - number % 5])
        for name, own in zip(names, texts, strict=True):
            files[name].write(f"{' '.join(own or words)} {number} .\n")
    for file in files.values():
        file.close()
    return [
        "--source",
        str(place / "source"),
        "--references",
        str(place / "reference"),
        "--rewrite",
        str(place / "system"),
    ]


def _million(folder: Path) -> Iterator[Figure]:
    """Memory at ten times the sentences, and how a run goes on after it was killed."""
    asked = ["--metrics", "sari,bleu", "--json", "--home", str(folder / "home")]
    small = measured(["score", *_made(folder, SMALL), *asked])
    files = _made(folder, LARGE)
    large = measured(["score", *files, *asked])
    megabytes = f"{small.megabytes:.0f} MB for {SMALL:,}, {large.megabytes:.0f} MB for {LARGE:,}"
    detail = f"{megabytes} in {large.seconds:.0f} s, each process"
    yield Figure("peak memory at ten times the sentences", large.megabytes / small.megabytes, "x", 1.25, detail=detail)
    started = subprocess.Popen([*RUBRICA, "score", *files, *asked], stdout=subprocess.DEVNULL, start_new_session=True)
    time.sleep(large.seconds / 2)
    os.killpg(started.pid, signal.SIGKILL)
    started.wait()
    again = measured(["score", *files, *asked])
    assert again.printed == large.printed, "the same figures after a kill"
    detail = f"{again.seconds:.0f} s instead of {large.seconds:.0f} s after kill -9 half way, the same figures"
    yield Figure("a run that goes on after a kill", again.seconds / large.seconds, "x a whole run", 0.8, detail=detail)


def run() -> Iterator[Figure]:
    """Speed and equality on real systems where they are; then a million sentences."""
    data = os.environ.get("RUBRICA_DATA", "")
    folder = Path(data) / "turk"
    if data and folder.is_dir():
        yield from _quickness(folder)
        yield from _equal_to_easse(folder)
    else:
        print("  RUBRICA_DATA names no folder with turk/: figures on real systems are left out")
    with tempfile.TemporaryDirectory() as made:
        yield from _million(Path(made))
