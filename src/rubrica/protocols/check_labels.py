"""Labels of options and ways out: in a spreadsheet or on a page, one label must mean one thing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from rubrica.protocols.report import Report, entries, mapping
from rubrica.protocols.yaml_source import Path


class _Label(NamedTuple):
    """One wording of a label in one language; ``wording`` is None where there is only one."""

    place: Path
    wording: Any
    language: Any
    words: str

    def clashes_with(self, other: _Label) -> bool:
        same_wording = self.wording is None or other.wording is None or self.wording == other.wording
        return same_wording and self.language == other.language and folded(self.words) == folded(other.words)


def check_labels(report: Report, data: dict[Any, Any]) -> None:
    """Every label that is also the label, or the id, of another option or way out."""
    fallback = data.get("fallback", "en")
    for name in mapping(data.get("scales")):
        _check_distinct(report, data, ("scales", name, "options"), fallback)
    _check_distinct(report, data, ("ways_out",), fallback)


def _check_distinct(report: Report, data: dict[Any, Any], path: tuple[str, ...], fallback: Any) -> None:
    every = list(entries(data, *path))
    ids = {index: entry.get("id") for index, (_, entry) in enumerate(every)}
    seen: list[_Label] = []
    for index, (place, entry) in enumerate(every):
        labels = list(_labels((*place, "label"), entry.get("label"), fallback))
        taken = {folded(name) for other, name in ids.items() if other != index and isinstance(name, str)}
        for label in labels:
            if any(label.clashes_with(other) for other in seen):
                what = f"the label {label.words!r} stands twice in {'.'.join(map(str, path))}"
            elif folded(label.words) in taken - {folded(str(entry.get("id")))}:
                what = f"the label {label.words!r} is the id of another one in {'.'.join(map(str, path))}"
            else:
                continue
            report.say(label.place, what, "duplicate_label", "Choose another label.", label.words)
            break
        else:
            seen += labels


def _labels(place: Path, text: Any, fallback: Any, wording: Any = None) -> Iterator[_Label]:
    if isinstance(text, str):
        yield _Label(place, wording, fallback, text)
    elif "wording_by" in mapping(text):
        for option, part in text.items():
            if option != "wording_by":
                yield from _labels((*place, option), part, fallback, option)
    else:
        for language, words in mapping(text).items():
            if isinstance(words, str):
                yield _Label((*place, language), wording, language, words)


def folded(words: str) -> str:
    """A label as far as it tells things apart: without case, and with single spaces."""
    return " ".join(words.split()).casefold()
