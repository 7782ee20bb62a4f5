"""`rubrica translations put`: a corrected .po file goes back into the files of a protocol or into a catalogue."""

from __future__ import annotations

import difflib
import json
from collections.abc import Callable
from pathlib import Path

import polib
import pytest

from rubrica.exchange.translations import PAGES, as_po, entries, entries_of
from rubrica.protocols.catalog import FOLDER
from rubrica.protocols.loader import load
from tests.conftest import Ran

pytestmark = pytest.mark.any_database
WALKED = [("de", "lexical_complexity"), ("ja", "lexical_posthoc"), ("si", "lexical_simplification"), ("es", "salsa")]


def _exported(tmp_path: Path, language: str, part: str) -> Path:
    path = tmp_path / f"{part}.{language}.po"
    path.write_text(as_po(language, part, entries(language, part)), "utf-8")
    return path


def _edited(path: Path, change: Callable[[polib.POEntry], None]) -> polib.POFile:
    file = polib.pofile(str(path), wrapwidth=110)
    for row in file:
        change(row)
    file.save(str(path))
    return file


@pytest.mark.parametrize(("language", "part"), WALKED)
def test_every_text_of_a_protocol_comes_back(
    rubrica: Callable[..., Ran], tmp_path: Path, language: str, part: str
) -> None:
    """Titles, questions, scales, guidelines, lessons: the folder is the protocol with them, and no more."""
    path, folder = _exported(tmp_path, language, part), tmp_path / "mine"

    def mend(row: polib.POEntry) -> None:
        practised = (row.msgctxt or "").startswith("practice.") and not (row.msgctxt or "").endswith(".explanation")
        if not practised and not (row.msgctxt or "").startswith("scales.yes_no."):
            row.msgstr += " ¡✓!"

    wanted = {row.msgctxt: row.msgstr for row in _edited(path, mend)}
    done = rubrica("translations", "put", str(path), "--into", str(folder))
    assert done.code == 0, done.err
    found = {one.place: one.texts[0] for one in entries_of(load(folder).protocol, language)}
    assert {place: text.strip("\n") for place, text in found.items()} == {
        str(place): text.strip("\n") for place, text in wanted.items()
    }
    english = {one.place: one.original for one in entries(language, part) if not one.place.startswith("practice.")}
    assert english == {
        one.place: one.original
        for one in entries_of(load(folder).protocol, language)
        if not one.place.startswith("practice.")
    }


def test_one_correction_changes_one_place(rubrica: Callable[..., Ran], tmp_path: Path) -> None:
    """The rest of the file stays as somebody wrote it, comments and line breaks included."""
    path, folder = _exported(tmp_path, "de", "lexical_complexity"), tmp_path / "mine"

    def mend(row: polib.POEntry) -> None:
        if row.msgctxt == "questions.complexity.prompt.you":
            row.msgstr = "Wie schwer ist dieses Wort für Sie: leicht, schwer?"

    _edited(path, mend)
    assert rubrica("translations", "put", str(path), "--into", str(folder)).out == f"{folder}/protocol.yaml\n"
    before = (FOLDER / "lexical_complexity/protocol.yaml").read_text("utf-8").splitlines()
    after = (folder / "protocol.yaml").read_text("utf-8").splitlines()
    added = [line for line in difflib.ndiff(before, after) if line.startswith("+ ")]
    assert [line.split(":", 1)[0].strip("+ ") for line in added] == ["de"]
    again = json.loads(rubrica("translations", "put", str(path), "--into", str(folder), "--json").out)
    assert again["translation"]["files"] == []


def test_a_language_that_is_reviewed_whole_is_no_more_unreviewed(rubrica: Callable[..., Ran], tmp_path: Path) -> None:
    """The mark of the protocol goes when every text has its own."""
    path, folder = _exported(tmp_path, "ca", "lexical_complexity"), tmp_path / "mine"
    _edited(path, lambda row: row.flags.append("reviewed"))
    assert rubrica("translations", "put", str(path), "--into", str(folder)).code == 0
    protocol = load(folder).protocol
    assert "ca" not in protocol.unreviewed
    assert "de" in protocol.unreviewed


def test_pages_become_a_catalogue(rubrica: Callable[..., Ran], tmp_path: Path) -> None:
    """The file takes the place of the shipped one."""
    path = _exported(tmp_path, "si", PAGES)
    wanted = _edited(path, lambda row: row.flags.append("reviewed") if row.msgid == "Guidelines" else None)
    assert rubrica("translations", "put", str(path), "--into", str(tmp_path / "locale")).code == 0
    found = polib.pofile(str(tmp_path / "locale/si.po"))
    assert {(row.msgctxt, row.msgid): row.flags for row in found} == {
        (row.msgctxt, row.msgid): row.flags for row in wanted
    }


def test_everything_that_is_wrong_is_told_with_its_line(rubrica: Callable[..., Ran], tmp_path: Path) -> None:
    """Values that are lost, texts that are empty, unknown or there twice; and nothing is written."""
    path, folder = _exported(tmp_path, "de", "lexical_simplification"), tmp_path / "mine"
    file = polib.pofile(str(path), wrapwidth=110)
    one = next(row for row in file if "{audience}" in row.msgid)
    one.msgstr = one.msgstr.replace("{audience}", "{publikum}")
    file[0].msgstr = ""
    file[1].msgctxt = "sumary"
    file[2].msgid += " or so"
    file.append(polib.POEntry(msgctxt=file[3].msgctxt, msgid=file[3].msgid, msgstr="doppelt"))
    file.save(str(path))
    lines = path.read_text("utf-8").splitlines()
    done = rubrica("translations", "put", str(path), "--into", str(folder), "--json")
    assert done.code == 1
    errors = json.loads(done.out)["errors"]
    assert {error["rule"] for error in errors} == {"placeholder", "empty", "unknown_text", "original", "duplicate"}
    for error in errors:
        assert lines[error["line"] - 1].startswith(("msgctxt", "msgid")), error
    assert any("summary" in error["fix"] for error in errors)
    assert not folder.exists()


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ('msgid "a"\nmsgstr "b"\nnonsense\n', "format"),
        ("/etc/hostname", "format"),
        ("", "format"),
        ('msgid ""\nmsgstr "Language: xx\\n"\n', "language"),
        ('msgid ""\nmsgstr "Language: de\\nProject-Id-Version: salsa 1\\n"\n', "part"),
    ],
)
def test_what_is_no_file_of_ours_is_refused(rubrica: Callable[..., Ran], tmp_path: Path, text: str, rule: str) -> None:
    """With what to do, and never by opening what its content names."""
    path = tmp_path / "sent.po"
    path.write_text(text)
    done = rubrica("translations", "put", str(path), "--json")
    assert (done.code, [error["rule"] for error in json.loads(done.out)["errors"]]) == (1, [rule])


def test_a_practice_item_that_lost_its_word_is_refused(rubrica: Callable[..., Ran], tmp_path: Path) -> None:
    """The result must be a protocol."""
    path, folder = _exported(tmp_path, "fr", "lexical_complexity"), tmp_path / "mine"

    def mend(row: polib.POEntry) -> None:
        if row.msgctxt and row.msgctxt.startswith("practice.fr1.context"):
            row.msgstr = "Rien."

    _edited(path, mend)
    done = rubrica("translations", "put", str(path), "--into", str(folder))
    assert done.code == 1
    assert "practice.fr.jsonl" in done.err
    assert not folder.exists()
