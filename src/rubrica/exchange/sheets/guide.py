"""The guidelines sheet: the protocol's Markdown as plain, readable rows, and every scale in full."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from rubrica.core.scales import Ordinal, Slider
from rubrica.core.texts import shown
from rubrica.exchange.sheets.layout import SheetFile, answer_columns, way_out_labels

_ANCHOR = re.compile(r"\s*\{#[a-z0-9_-]+\}\s*$")
_INLINE = re.compile(r"\*\*(.+?)\*\*|`(.+?)`|\[(.+?)\]\([^)]*\)|(?<![\w*])\*(?!\s)(.+?)\*(?![\w*])")
_WORDS = {
    "en": ("Where each answer goes", "Column", "Question", "Answer", "Meaning", "Instead of answering"),
    "es": ("Dónde va cada respuesta", "Columna", "Pregunta", "Respuesta", "Significado", "En lugar de responder"),
}


class Line(NamedTuple):
    """A row of the guidelines sheet: title, heading, head (of a table), item or text; one or more cells."""

    style: str
    cells: tuple[str, ...]


def guide_lines(sheet: SheetFile) -> Iterator[Line]:
    """The rows of the guidelines sheet."""
    yield from _markdown(sheet.protocol.guidelines.get(sheet.language))
    words = _WORDS.get(sheet.language.split("-")[0], _WORDS["en"])
    yield Line("text", ("",))
    yield Line("heading", (words[0],))
    yield Line("head", words[1:5])
    for question in (*sheet.questions(), *sheet.edit_questions()):
        scale = sheet.protocol.scale_of(question)
        header = answer_columns(question, scale, sheet.language)[0].header
        prompt = shown(question.prompt, sheet.language)
        for value, meaning in _points(scale, sheet.language) or [("", "")]:
            yield Line("item", (header, prompt, value, meaning))
            header = prompt = ""
    yield Line("heading", (words[5],))
    for way, label in way_out_labels(sheet).items():
        found = [known for known in sheet.protocol.ways_out if known.id == way]
        meaning = shown(found[0].meaning, sheet.language) if found else ""
        yield Line("item", ("way_out", "", label, meaning))


def _points(scale: object, language: str) -> list[tuple[str, str]]:
    if isinstance(scale, Ordinal):
        return [
            (str(point.value), ": ".join(filter(None, (shown(point.label, language), shown(point.meaning, language)))))
            for point in scale.points
        ]
    if isinstance(scale, Slider):
        low, high = shown(scale.low, language), shown(scale.high, language)
        return [(f"{scale.minimum:g}", low), (f"{scale.maximum:g}", high)]
    options = getattr(scale, "options", ())
    return [(shown(option.label, language), shown(option.meaning, language)) for option in options]


def _markdown(text: str) -> Iterator[Line]:
    paragraph: list[str] = []
    for raw in [*text.splitlines(), ""]:
        line = raw.rstrip()
        special = not line or line.startswith(("#", "- ", "* ", "|", "> ")) or re.match(r"\d+\. ", line)
        continues = raw.startswith("  ") and paragraph and line
        if (special or not line) and not continues and paragraph:
            yield Line("text", (_clean(" ".join(paragraph)),))
            paragraph = []
        if not line:
            continue
        if line.startswith("#"):
            level = len(line) - len(line.lstrip("#"))
            yield Line("title" if level == 1 else "heading", (_clean(line.lstrip("# ")),))
        elif line.startswith("|"):
            cells = [_clean(cell.strip()) for cell in line.strip("|").split("|")]
            if not all(set(cell) <= set("-: ") for cell in cells):
                yield Line("item", tuple(cells))
        elif line.startswith(("- ", "* ")):
            paragraph = ["• " + line[2:]]
        else:
            paragraph.append(line.strip().removeprefix("> "))


def _clean(text: str) -> str:
    """Text without Markdown's marks."""
    return _INLINE.sub(lambda found: next(part for part in found.groups() if part), _ANCHOR.sub("", text))
