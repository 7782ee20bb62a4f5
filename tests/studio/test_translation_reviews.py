"""Reviewing annotators' texts beside the originals: what is kept, who may, and the files that come out."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polib
import pytest
from django.test import Client

from rubrica.exchange.translations import PAGES, Entry, entries, languages, parts_of
from tests.studio.drafting import upload

pytestmark = pytest.mark.any_database
As = Callable[[str], Client]
GERMAN = "/translations/de/pages/"


def _entry(original: str, part: str = PAGES) -> Entry:
    return next(one for one in entries("de", part) if one.original == original)


def _form(one: Entry, *texts: str, **more: str) -> dict[str, Any]:
    said = texts or one.texts
    return {"key": one.key, **{f"text.{one.key}.{number}": text for number, text in enumerate(said)}, **more}


def _file(client: Client, part: str = PAGES) -> polib.POFile:
    answer = client.get(f"/translations/de/{part}.po")
    assert answer.status_code == 200
    return polib.pofile(answer.content.decode())


def _row(file: polib.POFile, original: str) -> polib.POEntry:
    found = file.find(original, include_obsolete_entries=False)
    assert found is not None
    return found


def test_every_language_and_part_opens(as_: As) -> None:
    """All nine beside English, the pages and every protocol that is in the language, for whoever is signed in."""
    assert as_("").get("/translations/").status_code == 302
    assert as_("").get(GERMAN).status_code == 302
    assert as_("").post(GERMAN, {"key": "0" * 16}).status_code == 302
    client = as_("stranger")
    page = client.get("/translations/").content.decode()
    assert languages() == ["ca", "de", "es", "fil", "fr", "it", "ja", "pt", "si"]
    for code in languages():
        parts = parts_of(code)
        assert {PAGES, "lexical_complexity", "lexical_simplification", "lexical_posthoc"} <= {*parts}
        assert all(f'href="/translations/{code}/{part}/"' in page for part in parts)
    for path in ("si/lexical_posthoc/", "ja/pages/?page=3", "es/salsa/?show=all&page=9"):
        assert client.get(f"/translations/{path}").status_code == 200
    for path in ("xx/pages/", "en/pages/", "de/salsa/", "de/nothing.po"):
        assert client.get(f"/translations/{path}").status_code == 404


def test_the_consent_comes_first_beside_its_original(as_: As) -> None:
    """As what people agree to."""
    first = entries("de", PAGES)[0]
    assert first.place == "consent"
    text = as_("owner").get(GERMAN).content.decode()
    assert text.index(first.original[:40]) < text.index(first.texts[0][:40])


def test_a_review_is_kept_with_its_reader_and_exported(as_: As) -> None:
    """A correction stands in the file with the mark; the other texts are as they were, and the log has who and when."""
    from rubrica.store.models import AuditEvent

    client, one = as_("owner"), _entry("Submit and next")
    before = _file(client)
    sent = _form(one, "Abschicken, dann weiter", native="yes", **{f"reviewed.{one.key}": "yes"})
    answer = client.post(GERMAN, sent, follow=True)
    assert "1 text saved." in answer.content.decode()
    after = _file(client)
    row = _row(after, one.original)
    assert (row.msgstr, row.flags) == ("Abschicken, dann weiter", ["reviewed"])
    assert "owner" in row.tcomment
    assert [entry.msgstr for entry in after if entry.msgid != one.original] == [
        entry.msgstr for entry in before if entry.msgid != one.original
    ]
    event = AuditEvent.objects.get(action="translation reviewed")
    assert event.detail["texts"] == ["Abschicken, dann weiter"]
    assert event.detail["reviewed"]
    assert one.original not in client.get(GERMAN + "?q=Submit and next").content.decode().partition("<ul")[2]
    assert "Abschicken, dann weiter" in client.get(GERMAN + "?show=all&q=Submit and next").content.decode()
    assert f'<td class="number">1 / {len(before)}</td>' in (client.get("/translations/").content.decode())
    client.post(GERMAN, sent)
    assert AuditEvent.objects.filter(action="translation reviewed").count() == 1


def test_only_a_native_speaker_marks_texts_as_reviewed(as_: As) -> None:
    """A correction by somebody else is kept without the mark."""
    client, one = as_("owner"), _entry("Submit and next")
    refused = client.post(GERMAN, _form(one, "Los", **{f"reviewed.{one.key}": "yes"}))
    assert refused.status_code == 422
    assert "native speaker" in refused.content.decode()
    assert "Los</textarea>" in refused.content.decode()
    client.post(GERMAN, _form(one, "Los"))
    row = _row(_file(client), one.original)
    assert (row.msgstr, row.flags) == ("Los", [])


@pytest.mark.parametrize("text", ["", "Noch Aufgaben", "Noch %(n)s Aufgaben, %(other)s"])
def test_a_correction_keeps_what_is_filled_in(as_: As, text: str) -> None:
    """An empty one, or one without the values of the original, is refused, and what was typed stays on the page."""
    client = as_("owner")
    one = next(row for row in entries("de", PAGES) if "%(n)s" in row.original and not row.plural)
    answer = client.post(GERMAN, _form(one, text, native="yes"))
    assert answer.status_code == 422
    assert f"{text}</textarea>" in answer.content.decode()
    assert _row(_file(client), one.original).msgstr == one.texts[0]


def test_plural_forms_are_kept_apart(as_: As) -> None:
    """Each of a language's forms has a field of its own."""
    client = as_("owner")
    one = next(row for row in entries("de", PAGES) if row.plural)
    assert len(one.texts) == 2
    changed = (one.texts[0] + "!", one.texts[1] + "?")
    client.post(GERMAN, _form(one, *changed, native="yes"))
    assert _row(_file(client), one.original).msgstr_plural == dict(enumerate(changed))


def test_protocols_are_reviewed_by_question_section_and_practice_item(as_: As) -> None:
    """Each text has a name of its own; the file names the version."""
    client, part = as_("owner"), "lexical_complexity"
    places = [one.place for one in entries("de", part)]
    assert len({*places}) == len(places)
    assert {"questions.complexity.prompt.you", "guidelines.2", "practice.de1.context", "practice.de1.explanation"} <= {
        *places
    }
    one = next(row for row in entries("de", part) if row.place == "practice.de1.explanation")
    sent = _form(one, "Ein Wort des Alltags.", native="yes", **{f"reviewed.{one.key}": "yes"})
    client.post(f"/translations/de/{part}/", sent)
    file = _file(client, part)
    row = next(entry for entry in file if entry.msgctxt == one.place)
    assert (row.msgid, row.msgstr, row.flags) == (one.original, "Ein Wort des Alltags.", ["reviewed"])
    assert file.metadata["Project-Id-Version"].startswith("lexical_complexity 1.")


def test_the_exported_catalogue_is_the_shipped_one_until_somebody_says_something(as_: As, home: Path) -> None:
    """It can take its place."""
    from rubrica.language.catalogues import FOLDER

    assert as_("owner").get("/translations/de/pages.po").content.decode() == (FOLDER / "de.po").read_text("utf-8")


@pytest.mark.own_process
def test_a_corrected_file_is_read_on_the_page(as_: As) -> None:
    """As if its texts had been typed there: kept with the reader's name, and in the next export."""
    client, one = as_("owner"), _entry("Submit and next")
    file = _file(client)
    _row(file, one.original).msgstr = "Los!"
    _row(file, one.original).flags = ["reviewed"]
    sent = {"action": "upload", "file": upload(str(file), "de.po")}
    refused = client.post(GERMAN, sent)
    assert refused.status_code == 422
    assert "native speaker" in refused.content.decode()
    sent["file"] = upload(str(file), "de.po")
    answer = client.post(GERMAN, {**sent, "native": "yes"}, follow=True)
    assert "1 text saved." in answer.content.decode()
    row = _row(_file(client), one.original)
    assert (row.msgstr, row.flags) == ("Los!", ["reviewed"])


def test_a_spoilt_file_changes_nothing(as_: As) -> None:
    """What is wrong is told with its line; so is a file of another part."""
    client, one = as_("owner"), _entry("Submit and next")
    file = _file(client)
    _row(file, one.original).msgstr = "Los!"
    next(row for row in file if "%(n)s" in row.msgid and not row.msgid_plural).msgstr = "Aufgaben"
    spoilt = client.post(GERMAN, {"action": "upload", "file": upload(str(file), "de.po")})
    assert spoilt.status_code == 422
    assert re.search(r"de\.po:\d+", spoilt.content.decode())
    other = client.post("/translations/fr/pages/", {"action": "upload", "file": upload(str(_file(client)), "de.po")})
    assert "this file is about pages in de" in other.content.decode()
    assert client.post(GERMAN, {"action": "upload"}).status_code == 422
    assert _row(_file(client), one.original).msgstr == one.texts[0]
