"""A Thresh data file: a JSON list of entries, read without losing anything, each with its line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from rubrica.core.errors import InputError, Problem, wrong
from rubrica.core.text_helpers import first_of
from rubrica.core.thresh import ThreshNames
from rubrica.core.typed import storable_json
from rubrica.engine.limits import limits
from rubrica.exchange.thresh.json_layout import BrokenError, Layout, parse
from rubrica.exchange.thresh.offsets import UTF16, differ

TEXTS = ("source", "target", "context")


class EntryAt(NamedTuple):
    """An entry, its number from 1, and the line on which it starts."""

    number: int
    line: int
    data: dict[str, Any]


class ThreshData(NamedTuple):
    """The entries of a file and its layout; ``exact`` if writing them so gives the same bytes."""

    file: str
    entries: list[EntryAt]
    layout: Layout
    exact: bool


def read_file(path: Path, needed: Sequence[str] = ()) -> ThreshData:
    """Read a data file whose entries have the ``needed`` texts. Raises InputError with every entry that is none."""
    if not path.is_file():
        raise wrong("there is no such file", "file", "Check the name and the folder.", file=str(path))
    bounds = limits()
    bounds.check_file(path)
    data = path.read_bytes()
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise wrong("this is not UTF-8 text", "encoding", "Save it as UTF-8.", file=str(path), line=line) from error
    values = sum(map(text.count, ",[{"))
    if values > bounds.cells:
        what = f"this file has up to {values:,} values, at most {bounds.cells:,} are read"
        raise bounds.beyond("cells", what, file=str(path), value=values)
    try:
        parsed = parse(text)
    except BrokenError as error:
        fix = "A Thresh data file is a JSON list of entries with source, target and edits."
        raise wrong(str(error), "json", fix, file=str(path), line=error.line) from error
    entries = [
        EntryAt(number, line, entry)
        for number, (line, entry) in enumerate(zip(parsed.lines, parsed.entries, strict=True), start=1)
    ]
    problems = [problem for entry in entries for problem in _problems(entry, needed)]
    if not entries:
        problems.append(Problem(what="there are no entries", rule="empty", fix="Add some.", line=1))
    if problems:
        raise InputError(*(problem.at(file=str(path)) for problem in problems))
    return ThreshData(str(path), entries, parsed.layout, parsed.exact)


def _problems(entry: EntryAt, needed: Sequence[str]) -> Iterator[Problem]:
    """Why an entry cannot be one."""

    def problem(what: str, rule: str, fix: str, value: Any = None) -> Problem:
        return Problem(what=f"entry {entry.number}: {what}", rule=rule, fix=fix, line=entry.line, value=value)

    data = entry.data
    if not isinstance(data, dict):
        yield problem("not an object", "form", 'Write {"source": …, "target": …, "edits": […]}.')
        return
    if not storable_json(data):
        what = "it holds a NUL character or half of a surrogate pair"
        yield problem(what, "characters", "Remove the broken character.")
    for key in TEXTS:
        if not isinstance(data.get(key), str | None):
            yield problem(f"{key} is not a text", "form", "Put it in quotes.", data[key])
    for key in needed:
        if not str(data.get(key) or "").strip():
            yield problem(f"it has no {key}", "required", "Fill it in, or remove the entry.", data.get(key))
    if not needed and not any(isinstance(data.get(key), str) for key in TEXTS):
        yield problem("it has neither source nor target", "required", "Give at least one text.")
    edits = data.get("edits")
    if edits is not None and not isinstance(edits, list):
        yield problem("edits is not a list", "form", "Write a list, or leave it out if nobody annotated.")
    for index, edit in enumerate(edits if isinstance(edits, list) else (), start=1):
        if not isinstance(edit, dict):
            yield problem(f"edit {index} is not an object", "form", 'Write {"category": …, "id": …}.')


def edited_entries(path: Path) -> int:
    """How many entries of a file have edits."""
    return sum(bool(entry.data.get("edits")) for entry in read_file(path).entries)


def check_categories(data: ThreshData, names: ThreshNames) -> None:
    """A file none of whose edits the protocol knows belongs to another template. Raises InputError."""
    used = {str(edit.get("category")) for entry in data.entries for edit in entry.data.get("edits") or ()}
    if used and not used & names.by_name.keys():
        theirs, ours = ", ".join(sorted(used)[:8]), ", ".join(list(names.by_name)[:8])
        what = f"none of its categories ({theirs}) is an edit of this protocol ({ours})"
        fix = "Import it into a study of its own template."
        raise wrong(what, "unknown_category", fix, file=data.file, line=data.entries[0].line)


def remarks(data: ThreshData, offsets: str) -> list[str]:
    """What whoever imports the file should know of it; ``offsets`` is how those of the file were taken to count."""
    found = []
    if not data.exact:
        found.append("its layout is not one that JSON writers make: an export is equal as JSON, not byte for byte")
    wide = [entry.number for entry in data.entries if _counts_differ(entry.data)]
    if wide:
        other = "codepoints" if offsets == UTF16 else UTF16
        found.append(
            f"entries {first_of(wide, 5)} have characters beyond U+FFFF; offsets are taken to count {offsets} "
            f"(--offsets {other} if they do not)"
        )
    return found


def _counts_differ(entry: dict[str, Any]) -> bool:
    return any(isinstance(entry.get(key), str) and differ(entry[key]) for key in ("source", "target"))
