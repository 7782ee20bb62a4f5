"""Charts as plain numbers for SVG templates: bars over time, a distribution, one row a person. No styles, no script.

Coordinates are strings with a point as decimal mark, because templates write numbers in the reader's language.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from datetime import datetime, timedelta
from statistics import median
from typing import NamedTuple

from django.utils.formats import date_format
from django.utils.translation import gettext as _

from rubrica.core.text_helpers import shortened
from rubrica.studio.wording import duration

WIDTH, HEIGHT = 360, 200
LEFT, RIGHT, TOP, BOTTOM = 36, 6, 24, 38
ROW, NAME = 24, 118
HOURS, DAYS = 24, 14
PEOPLE = 12
STEPS = (1, 2, 5, 10, 15, 20, 30, 60, 120, 300, 600, 1200, 1800, 3600)


class Bar(NamedTuple):
    """One bar, its label below (empty where there is no room) and its row in the table behind."""

    x: str
    y: str
    width: str
    height: str
    middle: str
    tick: str
    label: str
    value: str


class Line(NamedTuple):
    """A grid line or a marker with its label."""

    at: str
    label: str


class Chart(NamedTuple):
    """A chart of bars. ``axis`` names the horizontal axis with its unit, ``scale`` the vertical one."""

    id: str
    title: str
    axis: str
    scale: str
    bars: list[Bar]
    grid: list[Line]
    marker: Line | None = None
    level: Line | None = None


class PersonBar(NamedTuple):
    """One person's row: done, and held open after it."""

    y: str
    text_y: str
    name: str
    short: str
    done: int
    held: int
    done_width: str
    held_x: str
    held_width: str
    number_x: str


class PeopleChart(NamedTuple):
    """Progress per annotator. ``rest``: how many stand only in the table behind; ``share``: what a whole row is."""

    height: int
    rows: list[PersonBar]
    everyone: list[tuple[str, int, int]]
    rest: int
    share: int


def over_time(times: Sequence[datetime], now: datetime) -> Chart | None:
    """Judgements per hour while a study is young, per day afterwards; None without any."""
    if not times:
        return None
    first = min(times)
    hourly = now - first <= timedelta(hours=36)
    step, most = (timedelta(hours=1), HOURS) if hourly else (timedelta(days=1), DAYS)
    start = _floor(now, hourly)
    bins = [start - step * back for back in range(most - 1, -1, -1)]
    used = [at for at in bins if at + step > first][-most:]
    bins = bins[-max(len(used), 6) :]
    counts = Counter(_floor(at, hourly) for at in times)
    labels = [date_format(at, "H:i") if hourly else date_format(at, "j M") for at in bins]
    title = _("Judgements per hour") if hourly else _("Judgements per day")
    axis = _("hour (UTC)") if hourly else _("day (UTC)")
    return _bars("over-time", title, axis, _("judgements"), labels, [counts[at] for at in bins])


def _floor(at: datetime, hourly: bool) -> datetime:
    start = at.replace(minute=0, second=0, microsecond=0)
    return start if hourly else start.replace(hour=0)


def distribution(seconds: Sequence[float]) -> Chart | None:
    """How long an item takes, in up to ten classes; the last one is open. None with fewer than five times."""
    if len(seconds) < 5:
        return None
    ordered = sorted(seconds)
    reach = ordered[min(len(ordered) - 1, math.ceil(len(ordered) * 0.95) - 1)]
    step = next((step for step in STEPS if step * 9 >= reach), STEPS[-1])
    counts = [0] * 10
    for value in ordered:
        counts[min(9, int(value // step))] += 1
    labels = [duration(step * place) for place in range(10)]
    labels[9] = "≥ " + labels[9]
    made = _bars(
        "times", _("Active time per item"), _("time from (seconds or minutes)"), _("judgements"), labels, counts
    )
    middle = median(ordered)
    place = min(middle / step, 9.5)
    x = LEFT + place * (WIDTH - LEFT - RIGHT) / 10
    return made._replace(marker=Line(f"{x:.1f}", _("median %(time)s") % {"time": duration(middle)}))


def in_order(seconds: Sequence[float | None], usual: float | None) -> Chart | None:
    """One person's time per judgement, oldest first (the last 60), with everybody's median as a line."""
    measured = [value for value in seconds if value is not None][-60:]
    if len(measured) < 2:
        return None
    labels = [str(place) for place in range(1, len(measured) + 1)]
    made = _bars(
        "own-times", _("Active time per judgement"), _("judgement, oldest first"), _("seconds"), labels, measured
    )
    top = _nice(max(measured))
    if usual is None or usual > top:
        return made
    y = HEIGHT - BOTTOM - usual / top * (HEIGHT - BOTTOM - TOP)
    return made._replace(level=Line(f"{y:.1f}", _("median of all: %(time)s") % {"time": duration(usual)}))


def _bars(name: str, title: str, axis: str, scale: str, labels: list[str], values: Sequence[float]) -> Chart:
    top = _nice(max(values, default=0))
    slot = (WIDTH - LEFT - RIGHT) / len(values)
    gap = min(3.0, slot / 5)
    room = HEIGHT - TOP - BOTTOM
    every = max(1, math.ceil((max(len(label) for label in labels) * 6.6 + 5) / slot))
    bars = []
    for place, (label, value) in enumerate(zip(labels, values, strict=True)):
        height = value / top * room
        x = LEFT + place * slot
        bars.append(
            Bar(
                f"{x + gap / 2:.1f}",
                f"{TOP + room - height:.1f}",
                f"{slot - gap:.1f}",
                f"{height:.1f}",
                f"{x + slot / 2:.1f}",
                label if place % every == 0 and x + slot / 2 + len(label) * 3.3 < WIDTH + 4 else "",
                label,
                f"{value:g}" if value == int(value) else f"{value:.1f}",
            )
        )
    grid = [Line(f"{TOP + room - part * room:.1f}", f"{part * top:g}") for part in (0, 0.5, 1)]
    return Chart(name, title, axis, scale, bars, grid)


def _nice(value: float) -> float:
    """The next of 2, 4, 10, 20, 40, 100, … so that the half is a whole number too."""
    top = 2.0
    while top < value:
        top *= 2.5 if str(int(top)).startswith("4") else 2
    return top


def per_person(rows: Sequence[tuple[str, int, int]], wanted: int) -> PeopleChart | None:
    """Done and held open by annotator, those who did most first; a row is an equal share of what is wanted, or more."""
    if not any(done or held for _, done, held in rows):
        return None
    everyone = sorted(rows, key=lambda row: (-row[1], row[0]))
    shown = everyone[:PEOPLE]
    most = max(math.ceil(wanted / len(rows)), *(done + held for _, done, held in shown))
    room = WIDTH - NAME - 40
    made = []
    for place, (name, done, held) in enumerate(shown):
        y = place * ROW
        full, part = done / most * room, held / most * room
        made.append(
            PersonBar(
                str(y + 5),
                str(y + 17),
                name,
                shortened(name, 16),
                done,
                held,
                f"{full:.1f}",
                f"{NAME + full:.1f}",
                f"{part:.1f}",
                f"{NAME + full + part + 6:.1f}",
            )
        )
    return PeopleChart(len(shown) * ROW + 8, made, everyone, len(everyone) - len(shown), most)
