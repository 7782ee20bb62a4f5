"""Which languages the pages for annotators speak, and our consent in them: read from the interface's catalogues.

Here and not in the studio, because whether a study may be launched depends on it (`store/setup/running.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

import polib

from rubrica.core.protocol import Protocol

FOLDER = Path(__file__).parents[1] / "studio" / "locale"
TEST_LOCALE = "ar-xb"
"""English written from right to left, to test pages with; offered only where RUBRICA_TEST_LOCALE is set."""

REVIEWED = "reviewed"
"""The flag of an entry that a native speaker has reviewed (`#, reviewed`)."""


SHEET = "sheet"
"""The context in the catalogues of what a sheet says."""


def sheet_text(text: str) -> str:
    """Marks a text of sheets, which ``make messages`` then brings into the catalogues."""
    return text


@cache
def _of_sheets(language: str) -> dict[str, str]:
    file = FOLDER / f"{language}.po"
    return {one.msgid: one.msgstr for one in polib.pofile(str(file)) if one.msgctxt == SHEET} if file.exists() else {}


def on_sheet(text: str, language: str) -> str:
    """A text of sheets in a sheet's language; as it is, in English, where there is no catalogue of it."""
    return _of_sheets(language.split("-", maxsplit=1)[0]).get(text) or text


@cache
def codes() -> tuple[str, ...]:
    """The languages that the pages of annotators speak."""
    return ("en", *sorted(file.stem for file in FOLDER.glob("*.po") if file.stem != TEST_LOCALE))


def working(protocol: Protocol) -> list[str]:
    """Codes of the languages that work from the welcome to the thanks: those of protocol and pages.

    A protocol in a language that the pages do not speak is shown in it, with the pages in English.
    """
    return [code for code in protocol.languages if code in codes()] or [protocol.languages[0]]


def offered(protocol: Protocol, chosen: Sequence[str]) -> list[str]:
    """Those of them that a study offers: what it has chosen, else all."""
    works = working(protocol)
    return [code for code in chosen if code in works] or works


@cache
def translated(language: str, paragraphs: tuple[str, ...]) -> tuple[str, bool]:
    """A text of several paragraphs in this language, and whether a native speaker has reviewed all of it."""
    file = FOLDER / f"{language}.po"
    entries = {one.msgid: one for one in polib.pofile(str(file))} if file.exists() else {}
    found = [entries.get(one) for one in paragraphs]
    text = "\n\n".join(one.msgstr if one else told for one, told in zip(found, paragraphs, strict=True))
    return text, all(one is not None and REVIEWED in one.flags for one in found)
