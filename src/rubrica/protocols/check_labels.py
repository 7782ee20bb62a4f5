"""Labels of options and ways out: in a spreadsheet or on a page, one label must mean one thing."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any, NamedTuple

from rubrica.protocols.report import Report, entries, mapping
from rubrica.protocols.yaml_source import Path


class _Label(NamedTuple):
    """One wording of a label in one language; ``wording`` is None where there is only one."""

    place: Path
    wording: Any
    language: Any
    words: str

    def clashes_with(self, wordings: Collection[Any]) -> bool:
        """Whether one of these wordings of the same words can stand beside it."""
        return bool(wordings) and (self.wording is None or None in wordings or self.wording in wordings)


def check_labels(report: Report, data: dict[Any, Any]) -> None:
    """Every label that is also the label, or the id, of another option or way out."""
    fallback = str(data.get("fallback", "en"))
    for name in mapping(data.get("scales")):
        _check_distinct(report, data, ("scales", name, "options"), fallback)
    _check_distinct(report, data, ("ways_out",), fallback)


def _check_distinct(report: Report, data: dict[Any, Any], path: tuple[str, ...], fallback: str) -> None:
    every = list(entries(data, *path))
    taken = {folded(entry["id"]) for _, entry in every if isinstance(entry.get("id"), str)}
    seen: dict[tuple[Any, str], list[Any]] = {}
    for place, entry in every:
        labels = list(_labels((*place, "label"), entry.get("label"), fallback))
        own = folded(str(entry.get("id")))
        for label in labels:
            words = folded(label.words)
            if label.clashes_with(seen.get((label.language, words), ())):
                what = f"the label {label.words!r} stands twice in {'.'.join(map(str, path))}"
            elif words in taken and words != own:
                what = f"the label {label.words!r} is the id of another one in {'.'.join(map(str, path))}"
            else:
                continue
            report.say(label.place, what, "duplicate_label", "Choose another label.", label.words)
            break
        else:
            for label in labels:
                seen.setdefault((label.language, folded(label.words)), []).append(label.wording)


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
