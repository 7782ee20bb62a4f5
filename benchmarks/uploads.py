"""Reading what strangers send: 200,000 items of 190 MB in each format within the limits, and time that grows evenly.

Each file is read as the studio reads it, in a process of its own with the default limits. Memory is the most that the
process held, of what it may hold; time is its processor time, of the time it may take.
"""

from __future__ import annotations

import json
import resource
import tempfile
import time
from collections.abc import Callable, Iterator
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

import polars
import xlsxwriter

from benchmarks.report import Figure
from rubrica.core.errors import InputError
from rubrica.engine.limits import Limits
from rubrica.engine.own_process import in_own_process
from rubrica.exchange.items import look_at_items
from rubrica.protocols.catalog import load_shipped
from rubrica.protocols.loader import check_text

ITEMS, MEGABYTES = 200_000, 190
COLUMNS = ("id", "source", "rewrite")
WORDS = "The office asks every person who moves to another town to hand in the long form within ten working days. "


def _texts(megabytes: float) -> Iterator[tuple[str, str, str]]:
    """Items of so many megabytes in all, each its own."""
    length = int(megabytes * 1_000_000 / ITEMS / 2) - 20
    text = (WORDS * (length // len(WORDS) + 1))[:length]
    return ((f"item-{number}", f"{number} {text}", f"{text} {number}") for number in range(ITEMS))


def _csv(path: Path) -> None:
    with path.open("w", encoding="utf-8") as out:
        out.write(",".join(COLUMNS) + "\n")
        out.writelines(f'{name},"{source}","{rewrite}"\n' for name, source, rewrite in _texts(MEGABYTES))


def _jsonl(path: Path) -> None:
    with path.open("w", encoding="utf-8") as out:
        for row in _texts(MEGABYTES - 10):
            out.write(json.dumps(dict(zip(COLUMNS, row, strict=True))) + "\n")


def _xlsx(path: Path) -> None:
    with xlsxwriter.Workbook(str(path), {"constant_memory": True}) as book:
        page = book.add_worksheet()
        page.write_row(0, 0, COLUMNS)
        for number, row in enumerate(_texts(MEGABYTES - 40), start=1):
            page.write_row(number, 0, row)


def _parquet(path: Path) -> None:
    polars.DataFrame(list(_texts(MEGABYTES)), schema=list(COLUMNS), orient="row").write_parquet(path)


MAKERS: dict[str, Callable[[Path], None]] = {".csv": _csv, ".jsonl": _jsonl, ".xlsx": _xlsx, ".parquet": _parquet}


class Cost(NamedTuple):
    """What reading took: items, processor seconds and megabytes of the process that read, seconds until we had it."""

    items: int
    processor: float
    memory: float
    seconds: float


def _read(path: Path) -> Cost:
    """In a process that starts one reader, so that the figures of its children are those of the reader."""
    protocol = load_shipped("breve").protocol
    start = time.monotonic()
    looked = in_own_process(look_at_items, str(path), path, protocol, {}, True, {}, first=5, whole=True)
    seconds = time.monotonic() - start
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return Cost(len(looked.items), used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, seconds)


def _unknown_keys(keys: int) -> float:
    """Processor seconds of refusing a protocol with so many unknown keys."""
    text = "id: mine\n" + "".join(f"key{number}: 1\n" for number in range(keys))
    start = time.process_time()
    try:
        check_text(text, "mine.yaml")
    except InputError:
        return time.process_time() - start
    raise AssertionError("it was not refused")


def run() -> Iterator[Figure]:
    """Shares of the limits for each format, and how time grows with a protocol."""
    bounds = Limits()
    with tempfile.TemporaryDirectory() as folder:
        for ending, make in MAKERS.items():
            path = Path(folder) / f"items{ending}"
            make(path)
            with get_context("spawn").Pool(1) as pool:
                cost = pool.apply(_read, [path])
            path.unlink()
            assert cost.items == ITEMS
            detail = (
                f"{cost.processor:.1f} s of processor, {cost.memory:,.0f} MB, {cost.seconds:.1f} s until it was here"
            )
            yield Figure(
                f"{ITEMS:,} items as {ending}: time", cost.processor / bounds.seconds, "of it", 0.5, detail=detail
            )
            yield Figure(f"{ITEMS:,} items as {ending}: memory", cost.memory / bounds.memory, "of it", 0.8)
    _unknown_keys(1_000)
    small, large = _unknown_keys(15_000), _unknown_keys(60_000)
    yield Figure("60,000 unknown keys against 15,000", large / small, "times", 8, detail=f"{large:.1f} s of processor")
