"""Texts of annotators in a language beside their originals, for a native speaker to review, and as .po files.

Two kinds of places have such texts: the catalogue of the interface, and each protocol (its questions, guidelines and
practice items). Both become entries of one shape, each with a key that changes when the original does: what somebody
said of another original does not count.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

import attrs
import polib

from rubrica.core.errors import Problem, refuse
from rubrica.core.protocol import Protocol
from rubrica.core.texts import Text, Wordings
from rubrica.core.typed import storable
from rubrica.exchange.study_options import OUR_CONSENTS
from rubrica.language.catalogues import FOLDER, REVIEWED, codes
from rubrica.protocols.catalog import load_shipped, shipped

PAGES = "pages"
"""The part that is no protocol: the texts of the interface."""
PLACEHOLDER = re.compile(r"%\(\w+\)[sdg]|\{\w*\}|</?[a-z]+[^>]*>")
_SECTION = re.compile(r"\n(?=#{1,6} )")


class Entry(NamedTuple):
    """A text in English and in the language under review; several ``texts`` are the forms of a plural."""

    key: str
    place: str
    original: str
    plural: str
    texts: tuple[str, ...]
    reviewed: bool = False
    by: str = ""


def parts_of(language: str) -> list[str]:
    """What there is to review in a language: the pages, then the protocols that are in it."""
    return [PAGES, *(name for name in shipped() if language in load_shipped(name).protocol.languages)]


def languages() -> list[str]:
    """Languages other than English in which annotators' pages are."""
    return [code for code in codes() if code != "en"]


@cache
def entries(language: str, part: str) -> tuple[Entry, ...]:
    """The texts of a part as they are shipped; of the pages the consent comes first."""
    return tuple(_of_pages(language)) if part == PAGES else entries_of(load_shipped(part).protocol, language)


def entries_of(protocol: Protocol, language: str) -> tuple[Entry, ...]:
    """The texts of a protocol."""
    return tuple(_of_protocol(protocol, language))


def key_of(row: polib.POEntry, part: str) -> str:
    """The key of the text that a row of an exported file is about."""
    context, plural = row.msgctxt or "", row.msgid_plural or ""
    return _key(context, row.msgid, plural) if part == PAGES else _key(part, context, row.msgid)


def _key(*parts: str) -> str:
    return hashlib.blake2b("\0".join(parts).encode(), digest_size=8).hexdigest()


def _of_pages(language: str) -> list[Entry]:
    consent = list(dict.fromkeys(part for text in OUR_CONSENTS for part in text.split("\n\n")))
    found = []
    for one in polib.pofile(str(FOLDER / f"{language}.po")):
        forms = [text for _, text in sorted(one.msgstr_plural.items())] if one.msgid_plural else [one.msgstr]
        place = "consent" if one.msgid in consent else ", ".join(file for file, _ in one.occurrences)
        found.append(Entry(key_of(one, PAGES), place, one.msgid, one.msgid_plural, tuple(forms), REVIEWED in one.flags))
    return sorted(
        found, key=lambda one: (one.place != "consent", consent.index(one.original) if one.place == "consent" else 0)
    )


def _of_protocol(protocol: Protocol, language: str) -> Iterator[Entry]:
    name = protocol.id
    reviewed = language not in protocol.unreviewed
    for place, text in _texts(attrs.evolve(protocol, practice=()), ()):
        if (place[0], place[-1]) == ("parameters", "default") and language not in text.languages:
            continue  # the name of an option
        pairs = [(text.get("en"), text.languages.get(language, ""))]
        if place == ("guidelines",):
            pairs = sections(*pairs[0])
        for number, (original, own) in enumerate(pairs, start=1):
            where = ".".join([*place, *([str(number)] if len(pairs) > 1 else [])])
            yield Entry(_key(name, where, original), where, original, "", (own,), reviewed)
    for item in protocol.practice:
        if item.language == language:
            for field, own in item.fields.items():
                where = f"practice.{item.id}.{field}"
                yield Entry(_key(name, where, own), where, own, "", (own,), reviewed)
        for place, text in _texts(item.explanation, ("practice", item.id, "explanation")):
            if language in text.languages and item.language in ("", language):
                where = ".".join(place)
                original = text.get("en")
                yield Entry(_key(name, where, original), where, original, "", (text.get(language),), reviewed)


def _texts(value: Any, place: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Text]]:
    """Every text of a protocol with the names that lead to it."""
    if isinstance(value, Text):
        if value:
            yield place, value
    elif isinstance(value, Wordings):
        for option, text in value.options.items():
            yield from _texts(text, (*place, option))
    elif attrs.has(type(value)):
        for part in attrs.fields(type(value)):
            yield from _texts(getattr(value, part.name), (*place, part.name))
    elif isinstance(value, Mapping):
        for name, part in value.items():
            yield from _texts(part, (*place, str(name)))
    elif isinstance(value, tuple | list):
        for number, part in enumerate(value, start=1):
            yield from _texts(part, (*place, str(getattr(part, "id", None) or getattr(part, "value", number))))


def sections(original: str, own: str) -> list[tuple[str, str]]:
    """Guidelines by their headings, or whole where the two do not have as many."""
    one, other = _SECTION.split(original), _SECTION.split(own)
    return [*zip(one, other, strict=True)] if len(one) == len(other) else [(original, own)]


def problems_of(entry: Entry, texts: Sequence[str]) -> list[Problem]:
    """What is wrong with a correction: it must not be empty, and name the same values and tags as the original."""
    meant = {*PLACEHOLDER.findall(entry.original), *PLACEHOLDER.findall(entry.plural)}
    found = []
    for text in texts:
        named = set(PLACEHOLDER.findall(text))
        wrong = sorted(named - meant) if entry.plural else sorted(named ^ meant)
        if not storable(text):
            what, fix = f"the text of “{entry.original[:60]}” holds characters that cannot be stored", "Remove them."
            found.append(Problem(what=what, rule="characters", fix=fix, value=text))
        elif not text.strip():
            what, fix = f"the text of “{entry.original[:60]}” is empty", "Write it, or leave it as it was."
            found.append(Problem(what=what, rule="empty", fix=fix, value=text))
        elif wrong:
            what = f"{', '.join(wrong)} must stand in the text as in the original “{entry.original[:60]}”"
            found.append(Problem(what=what, rule="placeholder", fix="Copy it as it is.", value=text))
    return found


class Said(NamedTuple):
    """What somebody says of a text: its words, and whether a native speaker finds them right."""

    key: str
    texts: tuple[str, ...]
    reviewed: bool


def changes(entries: Iterable[Entry], said: Iterable[Said]) -> list[Said]:
    """Those who say something else than stands there. Raises InputError with what is wrong with any of them."""
    before = {one.key: one for one in entries}
    known = [
        one._replace(texts=tuple(text.replace("\r\n", "\n").strip("\n") for text in one.texts))
        for one in said
        if one.key in before and len(one.texts) == len(before[one.key].texts)
    ]
    changed = [
        one
        for one in known
        if (one.texts, one.reviewed)
        != (tuple(text.strip("\n") for text in before[one.key].texts), before[one.key].reviewed)
    ]
    refuse(problem for one in changed for problem in problems_of(before[one.key], one.texts))
    return changed


def as_po(language: str, part: str, found: Iterable[Entry]) -> str:
    """A part as a .po file, reviewed texts flagged; that of the pages can take the place of the shipped one."""
    by_key = {one.key: one for one in found}
    if part == PAGES:
        file = polib.pofile(str(FOLDER / f"{language}.po"), wrapwidth=110)
        for row in file:
            _fill(row, by_key[key_of(row, PAGES)])
        return str(file)
    file = polib.POFile(wrapwidth=110)
    version = load_shipped(part).protocol.version
    file.metadata = {
        "Project-Id-Version": f"{part} {version}",
        "Language": language,
        "MIME-Version": "1.0",
        "Content-Type": "text/plain; charset=UTF-8",
        "Content-Transfer-Encoding": "8bit",
    }
    for one in by_key.values():
        row = polib.POEntry(msgctxt=one.place, msgid=one.original)
        _fill(row, one)
        file.append(row)
    return str(file)


def _fill(row: polib.POEntry, one: Entry) -> None:
    if one.plural:
        row.msgstr_plural = dict(enumerate(one.texts))
    else:
        row.msgstr = one.texts[0]
    row.flags = [flag for flag in row.flags if flag != REVIEWED] + ([REVIEWED] if one.reviewed else [])
    if one.by:
        row.tcomment = f"{'Reviewed' if one.reviewed else 'Corrected'} by {one.by}"
