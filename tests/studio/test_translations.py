"""Catalogues of the interface: complete, with the same placeholders, and one file per language."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import polib
import pytest

from rubrica.exchange.translations import PLACEHOLDER

pytestmark = pytest.mark.any_database

ROOT = Path(__file__).parents[2]
CATALOGUES = sorted((ROOT / "src/rubrica/studio/locale").glob("*.po"))


@pytest.fixture
def messages(home: Path) -> ModuleType:
    """The tool that collects messages."""
    spec = importlib.util.spec_from_file_location("messages", ROOT / "tools/messages.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["messages"] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("file", CATALOGUES, ids=lambda file: file.stem)
def test_catalogue_has_every_message_translated(messages: ModuleType, file: Path) -> None:
    """Whatever a page says is in the catalogue with a translation; `make messages` adds what is missing."""
    known = {(entry.msgid, entry.msgid_plural, entry.msgctxt or ""): entry for entry in polib.pofile(str(file))}
    wanted = set(map(tuple, messages.wanted(file.stem, messages.collect())))
    assert sorted(wanted - known.keys()) == []
    assert sorted(known.keys() - wanted) == []
    assert [key for key, entry in known.items() if not entry.translated()] == []


@pytest.mark.parametrize("file", CATALOGUES, ids=lambda file: file.stem)
def test_translations_keep_the_placeholders(file: Path) -> None:
    """A translation names the same values and tags as the English text."""
    wrong = []
    for entry in polib.pofile(str(file)):
        for text in [entry.msgstr, *entry.msgstr_plural.values()]:
            meant = entry.msgid_plural or entry.msgid
            one = {*PLACEHOLDER.findall(entry.msgid), *PLACEHOLDER.findall(meant)}
            if text and not set(PLACEHOLDER.findall(text)) <= one:
                wrong.append(entry.msgid)
            if text and not entry.msgid_plural and set(PLACEHOLDER.findall(text)) != one:
                wrong.append(entry.msgid)
    assert wrong == []
