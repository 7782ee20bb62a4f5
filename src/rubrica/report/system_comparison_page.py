"""The page of a comparison: one file that asks nothing from outside, readable without a script.

What needs a script is only looking through the sentences: sorting, filtering, more of them. Differences between texts
are computed here, and every text that goes into the page is escaped, in the data for the script, too.

A rewrite with its differences to the source in one line of text: what stayed, what is new, what is gone. Read without
what is gone, the pieces are the rewrite exactly as it is.
"""

from __future__ import annotations

import base64
import hashlib
import json
import math
import re
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

from markupsafe import Markup

from rubrica import __version__
from rubrica.core.marking import Piece, cut, differences
from rubrica.core.metric_values import HIGHER, LOWER, NEITHER
from rubrica.core.sentences import count_sentences
from rubrica.metrics.metric import Figure
from rubrica.report.html import accessible, templates
from rubrica.report.report import Report
from rubrica.report.system_comparison_choice import Chosen, End, KeptSentence, is_copy
from rubrica.report.system_comparison_tables import titled, titles

KEPT, GONE, NEW, GAP = "", "gone", "new", "gap"
"""Kinds of pieces. A gap is white space that is there only because something gone is shown."""


class _Word(NamedTuple):
    """A word or sign, the white space after it, and whether the other text lacks it."""

    text: str
    space: str
    changed: bool


def merged(source: str, rewrite: str) -> list[Piece]:
    """The rewrite with what is gone from the source put where it was, before what is new there."""
    if source == rewrite:
        return [Piece(rewrite)] if rewrite else []
    left, right = differences(source, rewrite)
    old, new = _words(left), _words(right)
    pieces: list[list[str]] = []
    _put(pieces, rewrite[: len(rewrite) - len(rewrite.lstrip())], KEPT)
    place, apart = 0, True
    for index, word in enumerate(new):
        place = _lost(pieces, old, place, apart)
        _put(pieces, word.text, NEW if word.changed else KEPT)
        joined = word.changed and index + 1 < len(new) and new[index + 1].changed
        _put(pieces, word.space, NEW if joined else KEPT)
        apart = bool(word.space)
        place += not word.changed
    _lost(pieces, old, place, apart)
    return [Piece(text, kind) for text, kind in pieces]


def word_count(text: str) -> int:
    """Words of a text; in scripts without spaces between words, characters."""
    return sum(any(map(str.isalnum, token)) for token in cut(text))


def _lost(pieces: list[list[str]], old: Sequence[_Word], place: int, apart: bool) -> int:
    """Put in what is gone from here on; returns where the source goes on.

    ``apart``: the rewrite has white space here, so that a gap is needed after what is put in, and else before.
    """
    start = place
    while place < len(old) and old[place].changed:
        place += 1
    gone = old[start:place]
    if not gone:
        return place
    _put(pieces, "" if apart or not start else old[start - 1].space, GAP)
    _put(pieces, "".join(word.text + word.space for word in gone).rstrip(), GONE)
    _put(pieces, gone[-1].space if apart else "", GAP)
    return place


def _put(pieces: list[list[str]], text: str, kind: str) -> None:
    if not text:
        return
    if pieces and pieces[-1][1] == kind:
        pieces[-1][0] += text
    else:
        pieces.append([text, kind])


def _words(pieces: Sequence[Piece]) -> list[_Word]:
    found: list[_Word] = []
    for piece in pieces:
        for token in cut(piece.text):
            if not token.isspace():
                found.append(_Word(token, "", bool(piece.kind)))
            elif found:
                found[-1] = found[-1]._replace(space=found[-1].space + token)
    return found


SCRIPTS = ("comparison_order.js", "comparison_cards.js", "comparison_browser.js")
"""Modules of our own, in the order in which one needs another."""
KINDS = {KEPT: 0, GONE: 1, NEW: 2, GAP: 3}
"""Kinds of pieces as the script knows them."""
MOST_ENTRIES = 1500
"""How many sentences the lists of both ends have in all, at the most, so that the page opens at once."""
MOST_ON_CARDS = 8
"""How many figures cards show at first; the others can be ticked."""
DIGITS = 6
"""Digits after the point in the data for the script; people see as many as the figure has."""


class Entry(NamedTuple):
    """A sentence in a list of one end: its figure, and the rewrite with its differences."""

    number: int
    name: str
    value: str
    pieces: Sequence[Piece]


class Listed(NamedTuple):
    """One end of a figure for one system. ``more``: how many share the outermost value, where not all are listed."""

    title: str
    entries: Sequence[Entry]
    more: str


class Ends(NamedTuple):
    """Both ends of a figure for one system; none, but ``same`` in words, if all its sentences have one value."""

    system: str
    lists: tuple[Listed, ...]
    same: str = ""


class Best(NamedTuple):
    """Both ends of a figure, system by system."""

    figure: Figure
    title: str
    systems: Sequence[Ends]


def as_page(report: Report, pictures: Mapping[str, str], *, chosen: Chosen, language: str) -> str:
    """The page. ``pictures`` are the charts as SVG, by their id."""
    drawn = {chart.id: accessible(pictures[chart.id], chart) for chart in report.charts if chart.id in pictures}
    script = inlined(SCRIPTS)
    shown = {place: _shown(one, chosen) for place, one in chosen.sentences.items()}
    return (
        templates()
        .get_template("comparison.html")
        .render(
            report=report,
            pictures=drawn,
            version=__version__,
            chosen=chosen,
            titles=titles(chosen.figures),
            on_cards=[figure.key for figure in chosen.figures if not figure.part][:MOST_ON_CARDS],
            language=language,
            best=best_and_worst(chosen),
            data=_data(chosen, language, list(shown.values())),
            script=Markup(script),  # noqa: S704 (our own, from this package)
            digest=base64.b64encode(hashlib.sha256(script.encode()).digest()).decode(),
        )
    )


@cache
def inlined(names: tuple[str, ...]) -> str:
    """Modules as one: a page from a disk may not load a module from another file, so imports are put in place."""
    texts = [(files("rubrica.report") / "scripts" / name).read_text(encoding="utf-8") for name in names]
    joined = "\n".join(re.sub(r"^import .*;\n|^export (?=\w)", "", text, flags=re.MULTILINE) for text in texts)
    assert "</script" not in joined, "it would end the script"
    return f"\n{joined}"


def best_and_worst(chosen: Chosen) -> list[Best]:
    """Both ends of every figure that is no part of another, for every system."""
    main = [figure for figure in chosen.figures if not figure.part]
    most = max(1, MOST_ENTRIES // max(1, 2 * len(main) * len(chosen.systems)))
    found = []
    for figure in main:
        systems = [_ends(chosen, system, figure, most) for system in chosen.systems]
        found.append(Best(figure, titled(figure), systems))
    return found


def _ends(chosen: Chosen, system: str, figure: Figure, most: int) -> Ends:
    high, low = chosen.highest[system, figure.key], chosen.lowest[system, figure.key]
    if not high.places:
        return Ends(system, (), "No sentence has this figure.")
    outermost = [_value(chosen, system, figure, end.places[0]) for end in (high, low)]
    if outermost[0] == outermost[1]:
        return Ends(system, (), f"All {high.sharing:,} sentences have the same value, {outermost[0]}.")
    titles = {HIGHER: ("Best", "Worst"), LOWER: ("Worst", "Best"), NEITHER: ("Highest", "Lowest")}[figure.better]
    lists = [_list(chosen, system, figure, end, title, most) for end, title in zip((high, low), titles, strict=True)]
    return Ends(system, tuple(lists if figure.better != LOWER else lists[::-1]))


def _list(chosen: Chosen, system: str, figure: Figure, end: End, title: str, most: int) -> Listed:
    entries = []
    for place in end.places[:most]:
        one = chosen.sentences[place]
        value = _value(chosen, system, figure, place)
        entries.append(Entry(place + 1, name_of(one), value, _pieces(one, one.outputs[system] or "")))
    hidden = end.sharing > len(entries)
    more = f"{end.sharing:,} sentences share the value {entries[0].value}; these are the first." if hidden else ""
    return Listed(title, entries, more)


def _value(chosen: Chosen, system: str, figure: Figure, place: int) -> str:
    value = chosen.sentences[place].figures[system][chosen.figures.index(figure)]
    return f"{value:.{figure.digits}f}"


def _pieces(one: KeptSentence, text: str) -> Sequence[Piece]:
    """The rewrite with its differences; as it is where the source is not known."""
    return merged(one.source, text) if one.source.strip() else [Piece(text)]


def name_of(one: KeptSentence) -> str:
    """What a sentence is called: its id, else its number from 1."""
    return one.id or str(one.place + 1)


def _shown(one: KeptSentence, chosen: Chosen) -> dict[str, Any]:
    """A sentence as the script reads it; keys are short, since there are thousands."""
    return {
        "n": one.place + 1,
        "id": name_of(one),
        "w": word_count(one.source),
        "s": one.source,
        "r": list(one.references),
        "o": [_output(one, system) for system in chosen.systems],
    }


def _output(one: KeptSentence, system: str) -> dict[str, Any] | None:
    text = one.outputs[system]
    if text is None:
        return None
    return {
        "p": [[piece.text, KINDS[piece.kind]] for piece in _pieces(one, text)],
        "s": count_sentences(text),
        "c": int(is_copy(one.source, text)),
        "v": [None if math.isnan(value) else round(value, DIGITS) for value in one.figures[system].tolist()],
    }


def _data(chosen: Chosen, language: str, sentences: Sequence[Mapping[str, Any]]) -> Markup:
    named = titles(chosen.figures)
    figures = [
        {"key": one.key, "title": named[one.key], "better": one.better, "digits": one.digits, "part": one.part}
        for one in chosen.figures
    ]
    found = {
        "figures": figures,
        "systems": list(chosen.systems),
        "language": language,
        "total": chosen.total,
        "sentences": sentences,
    }
    text = json.dumps(found, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    for sign in "<>&\u2028\u2029":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return Markup(text)  # noqa: S704 (JSON, in which no sign can end the element that it stands in)
