"""A .po file of annotators' texts that comes back: what it says, and the files that it is put into.

A catalogue of the pages is written with the corrections in it. Of a protocol the YAML, guidelines and practice items
are changed where a text stands and nowhere else, so that a difference shows what was corrected.
"""

from __future__ import annotations

import json
import re
import shutil
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import polib
from ruamel.yaml import YAML
from ruamel.yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from rubrica.core.errors import InputError, Problem, refuse, wrong
from rubrica.core.text_helpers import did_you_mean
from rubrica.exchange.translations import (
    PAGES,
    Entry,
    Said,
    as_po,
    entries,
    entries_of,
    key_of,
    languages,
    parts_of,
    problems_of,
    sections,
)
from rubrica.exchange.whole_files import whole_file
from rubrica.language.catalogues import REVIEWED
from rubrica.protocols.catalog import FOLDER
from rubrica.protocols.loader import load

MOST_BYTES = 5_000_000
"""The largest file that is read: ours have less than a fifth of it."""
WIDTH = 118
_LINE = re.compile(r"\(line (\d+)\)")
_PLAIN = re.compile(r"[^\W\d_][^:#{}\[\]&*!|>'\"%@`\n]*[^\s:#{}\[\]&*!|>'\"%@`,]|[^\W\d_]")


class Corrected(NamedTuple):
    """What a file says: its language and part, its texts, and how many it marks fuzzy, which are left out."""

    language: str
    part: str
    said: list[Said]
    fuzzy: int = 0


def read_po(path: Path, name: str = "") -> Corrected:
    """What a .po file says. Raises InputError with the line of every text that cannot be taken."""
    file = name or str(path)
    rows = _parsed(path, file)
    language, part = _about(rows, file)
    found, problems, fuzzy = _said(rows, entries(language, part), part)
    refuse(problem.at(file=file) for problem in problems)
    return Corrected(language, part, found, fuzzy)


def _parsed(path: Path, file: str) -> polib.POFile:
    try:
        if path.stat().st_size > MOST_BYTES:
            fix = "Send the file that was exported, with corrections only."
            raise wrong(f"this file has more than {MOST_BYTES // 1_000_000} MB", "size", fix, file=file)
        text = path.read_bytes().decode("utf-8-sig")
        if "\0" in text or not text.strip():
            raise wrong("this is no .po file", "format", "Export one from the page Translations.", file=file)
        return polib.pofile(text.replace("\r\n", "\n") + "\n", encoding="utf-8")
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise wrong("this is not UTF-8 text", "encoding", "Save it as UTF-8.", file=file, line=line) from error
    except (OSError, UnicodeError, ValueError, IndexError, KeyError) as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise wrong(f"cannot be read: {error.strerror}", "file", "Check its name.", file=file) from error
        found = _LINE.search(str(error))
        what, fix = "this is no .po file from here on", "Mend the line: msgctxt, msgid, msgstr or a text in quotes."
        raise wrong(what, "format", fix, file=file, line=int(found[1]) if found else None) from error


def _about(rows: polib.POFile, file: str) -> tuple[str, str]:
    """The language and the part that the head of a file names."""
    language = rows.metadata.get("Language", "").strip()
    if language not in languages():
        fix = f"Keep the line “Language: …” of the head as it was exported: one of {', '.join(languages())}."
        raise wrong(f"the file is in no language of annotators: {language!r}", "language", fix, file=file, line=1)
    named = rows.metadata.get("Project-Id-Version", "").split()
    part = named[0] if named else PAGES
    if part not in parts_of(language):
        fix = "Keep the line “Project-Id-Version: …” of the head as it was exported."
        raise wrong(f"there is no {part!r} in {language}", "part", fix, value=part, file=file, line=1)
    return language, part


def _said(rows: polib.POFile, known: Sequence[Entry], part: str) -> tuple[list[Said], list[Problem], int]:
    by_key = {one.key: one for one in known}
    places = {one.place: one for one in known}
    said: list[Said] = []
    problems: list[Problem] = []
    lines: dict[str, int] = {}
    fuzzy = 0
    for row in rows:
        if row.obsolete:
            continue
        key = key_of(row, part)
        one = by_key.get(key)
        if one is None:
            problems.append(_unknown(row, part, places, list(by_key.values())))
        elif key in lines:
            what, fix = f"the text of “{one.original[:60]}” stands on line {lines[key]} too", "Keep one of the two."
            problems.append(Problem(what=what, rule="duplicate", fix=fix, line=row.linenum))
        elif row.fuzzy:
            fuzzy += 1
        else:
            forms = [text for _, text in sorted(row.msgstr_plural.items())] if one.plural else [row.msgstr]
            texts = tuple(text.replace("\r\n", "\n").strip("\n") for text in forms)
            if len(texts) != len(one.texts):
                what = f"“{one.original[:60]}” has {len(texts)} forms, not {len(one.texts)}"
                fix = "Write each form that the exported file has, msgstr[0] and on."
                problems.append(Problem(what=what, rule="plural", fix=fix, line=row.linenum))
                continue
            problems += [problem.at(line=row.linenum) for problem in problems_of(one, texts)]
            said.append(Said(key, texts, REVIEWED in row.flags))
        lines[key] = row.linenum
    return said, problems, fuzzy


def _unknown(row: polib.POEntry, part: str, places: Mapping[str, Entry], known: Sequence[Entry]) -> Problem:
    place = row.msgctxt or ""
    if part != PAGES and place in places:
        what = f"the original of {place} is another by now: “{places[place].original[:80]}”"
        fix = "Export the file again and bring the correction over."
        return Problem(what=what, rule="original", fix=fix, value=row.msgid[:200], line=row.linenum)
    if part == PAGES:
        what = f"no page says “{row.msgid[:60]}”"
        fix = did_you_mean(
            row.msgid, [one.original for one in known], "Remove it, or copy the msgid as it was exported."
        )
    else:
        what = f"{part} has no text {place!r}"
        fix = did_you_mean(place, list(places), "Remove it, or copy the msgctxt as it was exported.")
    return Problem(what=what, rule="unknown_text", fix=fix, value=(place or row.msgid)[:200], line=row.linenum)


def put(corrected: Corrected, folder: Path, file: str) -> list[Path]:
    """Put the texts into a folder: the catalogue, or the files of the protocol, which are those shipped where there are
    none yet. Gives the files that changed. Raises InputError, and then nothing has changed.
    """
    said = {one.key: one for one in corrected.said}
    if corrected.part == PAGES:
        known = entries(corrected.language, PAGES)
        texts = as_po(corrected.language, PAGES, [_after(one, said.get(one.key)) for one in known])
        return _write(folder, {folder / f"{corrected.language}.po": texts})
    return _put_protocol(corrected, said, folder, file)


def _after(one: Entry, said: Said | None) -> Entry:
    """The text as a file has it; line breaks at its ends, which no editor shows, stay as they were."""
    if said is None:
        return one
    if said.texts == tuple(text.strip("\n") for text in one.texts):
        return one._replace(reviewed=said.reviewed)
    return one._replace(texts=said.texts, reviewed=said.reviewed)


def _put_protocol(corrected: Corrected, said: Mapping[str, Said], folder: Path, file: str) -> list[Path]:
    base = folder if (folder / "protocol.yaml").exists() else FOLDER / corrected.part
    protocol = load(base).protocol
    if protocol.id != corrected.part:
        what, fix = f"{folder} holds the protocol {protocol.id!r}, not {corrected.part!r}", "Name another folder."
        raise wrong(what, "part", fix, value=str(folder), file=file)
    known = entries_of(protocol, corrected.language)
    here = {one.key for one in known}
    refuse(
        Problem(
            what=f"{one.place} of {base} has another original than the file",
            rule="original",
            fix="Put the file into the protocol that it was exported from.",
            value=one.original[:200],
            file=file,
        )
        for one in entries(corrected.language, corrected.part)
        if one.key in said and one.key not in here and _after(one, said[one.key]) != one
    )
    wanted = [_after(one, said.get(one.key)) for one in known]
    texts = dict(_changed_files(base, corrected.language, known, wanted))
    return _write_protocol(base, folder, texts, corrected.language, wanted, file)


def _changed_files(
    base: Path, language: str, known: Sequence[Entry], wanted: Sequence[Entry]
) -> Iterator[tuple[str, str]]:
    """Names and texts of the files that become others."""
    changed = [(old, new.texts[0]) for old, new in zip(known, wanted, strict=True) if old.texts != new.texts]
    guide = f"guidelines.{language}.md"
    of_guide = {old.place: text for old, text in changed if old.place.split(".")[0] == "guidelines"}
    if of_guide and (base / guide).exists():
        yield guide, _guidelines(base, language, of_guide)
        changed = [one for one in changed if one[0].place not in of_guide]
    for practice in sorted(base.glob("practice*.jsonl")):
        before = practice.read_text("utf-8")
        after = "".join(_practice_line(line, practice.name, language, changed) for line in before.splitlines(True))
        if after != before:
            yield practice.name, after
    reviewed = all(one.reviewed for one in wanted)
    rest = [(old, text) for old, text in changed if not old.place.startswith("practice.")]
    for source in (base / "protocol.yaml", *sorted((base / "course").glob("*.yaml"))):
        before = source.read_text("utf-8")
        after = _in_yaml(before, language, rest, reviewed=reviewed)
        if after != before:
            yield str(source.relative_to(base)), after


def _guidelines(base: Path, language: str, texts: Mapping[str, str]) -> str:
    own = (base / f"guidelines.{language}.md").read_text("utf-8")
    pairs = sections((base / "guidelines.en.md").read_text("utf-8"), own)
    found = []
    for number, (_, text) in enumerate(pairs, start=1):
        after = texts.get(f"guidelines.{number}" if len(pairs) > 1 else "guidelines")
        found.append(text if after is None else after + text[len(text.rstrip("\n")) :])
    return "\n".join(found)


def _practice_line(line: str, name: str, language: str, changed: Sequence[tuple[Entry, str]]) -> str:
    if not line.strip():
        return line
    item: dict[str, Any] = json.loads(line)
    of_language = name.removeprefix("practice").removesuffix("jsonl").strip(".") or item.get("language", "")
    start = f"practice.{item.get('id')}."
    before = json.dumps(item)
    for old, text in changed:
        if not old.place.startswith(start):
            continue
        field = old.place.removeprefix(start)
        if field == "explanation" and language in item.get("explanation", {}) and of_language in ("", language):
            item["explanation"][language] = text
        elif of_language == language and item.get("fields", {}).get(field) == old.texts[0]:
            item["fields"][field] = text
    return line if json.dumps(item) == before else json.dumps(item, ensure_ascii=False) + "\n"


def _in_yaml(text: str, language: str, changed: Sequence[tuple[Entry, str]], *, reviewed: bool) -> str:
    """The YAML with the texts in the places of the old ones, and everything else as it was written."""
    root = YAML(typ="safe", pure=True).compose(text)
    nodes = list(_translated(root, language, ()))
    cuts: list[tuple[int, int, str]] = []
    for old, new in changed:
        same = [one for one in nodes if (one.original, one.own) == (old.original.strip(), old.texts[0].strip())]
        at_place = [one for one in same if ".".join(one.place) == old.place]
        cuts += [(*_span(one.node, text), _scalar(new, one)) for one in at_place or same]
    if reviewed:
        cuts += _no_more_unreviewed(root, language)
    for start, end, new in sorted(set(cuts), reverse=True):
        text = text[:start] + new + text[end:]
    return text


class _Translated(NamedTuple):
    """Where a text in the language stands in the YAML, with its original; ``flow`` within braces."""

    place: tuple[str, ...]
    original: str
    own: str
    node: ScalarNode
    indent: int
    flow: bool


def _translated(node: Node | None, language: str, place: tuple[str, ...]) -> Iterator[_Translated]:
    if isinstance(node, MappingNode):
        found = {key.value: (key, value) for key, value in node.value}
        if {"en", language} <= found.keys() and all(isinstance(one, ScalarNode) for _, one in found.values()):
            key, own = found[language]
            original = str(found["en"][1].value).strip()
            yield _Translated(
                place, original, str(own.value).strip(), own, key.start_mark.column, bool(node.flow_style)
            )
            return
        for name, (_, value) in found.items():
            yield from _translated(value, language, (*place, str(name)))
    elif isinstance(node, SequenceNode):
        for number, part in enumerate(node.value, start=1):
            named = {key.value: value.value for key, value in part.value} if isinstance(part, MappingNode) else {}
            yield from _translated(part, language, (*place, str(named.get("id") or named.get("value", number))))


def _span(node: ScalarNode, text: str) -> tuple[int, int]:
    """Where a scalar stands, without the blank and comment lines that the parser counts to a block."""
    start, end = node.start_mark.index, node.end_mark.index
    if node.style in ("|", ">"):
        end = start + len(text[start:end].rstrip())
        lines = text[start:end].split("\n")
        while len(lines) > 1 and lines[-1].lstrip().startswith("#"):
            lines.pop()
        end = start + len("\n".join(lines).rstrip())
    return start, end


def _scalar(text: str, place: _Translated) -> str:
    """A text as a value of YAML: bare where that is safe and short, folded where it is long, else in quotes."""
    indent = place.indent
    if place.flow:
        return _quoted(text)
    if "\n" not in text and len(text) + indent < WIDTH - 4:
        return text if _PLAIN.fullmatch(text) and text not in ("yes", "no", "null", "true") else _quoted(text)
    if "\n" in text or "  " in text or text != text.strip() or text[:1] in "#-":
        return _quoted(text)
    room = max(40, WIDTH - indent - 2)
    lines = textwrap.wrap(text, room, break_long_words=False, break_on_hyphens=False)
    return ">-\n" + "\n".join(" " * (indent + 2) + line for line in lines)


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _no_more_unreviewed(root: Node | None, language: str) -> Iterator[tuple[int, int, str]]:
    """The list of languages that nobody has reviewed, without this one."""
    pairs = root.value if isinstance(root, MappingNode) else []
    for key, value in pairs:
        codes = [one.value for one in value.value] if key.value == "unreviewed" else []
        if language in codes:
            left = ", ".join(code for code in codes if code != language)
            yield value.start_mark.index, value.end_mark.index, f"[{left}]"


def _write_protocol(
    base: Path, folder: Path, texts: Mapping[str, str], language: str, wanted: Sequence[Entry], file: str
) -> list[Path]:
    """Write the files, first into a folder beside it, where they are read as a protocol."""
    trial = folder.with_name(f".{folder.name}.part")
    shutil.rmtree(trial, ignore_errors=True)
    try:
        shutil.copytree(base, trial, ignore=shutil.ignore_patterns("__pycache__", "*.py", "README.md", "demo*"))
        for name, text in texts.items():
            (trial / name).write_text(text, "utf-8")
        try:
            found = entries_of(load(trial).protocol, language)
        except InputError as error:
            # As a correction of a sentence whose word it does not hold any more.
            told = (one.at(file=str(folder / Path(one.file).name) if one.file else "") for one in error.problems)
            raise InputError(*told) from error
        refuse(
            Problem(
                what=f"{want.place} would not say what the file says",
                rule="place",
                fix="It is none of the protocol's own files (as Yes and No of every protocol are): take it back.",
                file=file,
                value=want.texts[0][:200],
            )
            for want, have in zip(wanted, found, strict=True)
            if want.texts[0].strip() != have.texts[0].strip()
        )
        if folder == base or (folder / "protocol.yaml").exists():
            return _write(folder, {folder / name: text for name, text in texts.items()})
        folder.parent.mkdir(parents=True, exist_ok=True)
        shutil.copytree(trial, folder, dirs_exist_ok=True)
        return sorted(folder / name for name in texts)
    finally:
        shutil.rmtree(trial, ignore_errors=True)


def _write(folder: Path, texts: Mapping[Path, str]) -> list[Path]:
    folder.mkdir(parents=True, exist_ok=True)
    changed = [path for path, text in texts.items() if not path.exists() or path.read_text("utf-8") != text]
    for path in changed:
        with whole_file(path) as out:
            out.write(texts[path].encode())
    return sorted(changed)
