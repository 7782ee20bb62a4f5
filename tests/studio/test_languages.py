"""Which language a page speaks, and how that language writes days, numbers and countries."""

from __future__ import annotations

from datetime import UTC, datetime
from decimal import Decimal

import pytest
from django.test import Client
from django.utils import translation

from rubrica.studio import formats
from rubrica.studio.languages import FOLDER, TEST_LOCALE, annotators_read, for_annotators_only

pytestmark = pytest.mark.any_database

ANNOTATORS = [file.stem for file in sorted(FOLDER.glob("*.po")) if for_annotators_only(file.stem)]
AT = datetime(2026, 11, 18, 14, 5, 9, tzinfo=UTC)
WRITTEN = {
    "en": ("November 18, 2026", "Nov 18, 2026, 2:05\u202fPM", "1,234.5", "Spain", "English"),
    "es": ("18 de noviembre de 2026", "18 nov 2026, 14:05", "1.234,5", "España", "Español"),
    "de": ("18. November 2026", "18.11.2026, 14:05", "1.234,5", "Spanien", "Deutsch"),
    "fil": ("Nobyembre 18, 2026", "Nob 18, 2026, 2:05\u202fPM", "1,234.5", "Spain", "Filipino"),
    "ja": ("2026年11月18日", "2026/11/18 14:05", "1,234.5", "スペイン", "日本語"),
    "si": ("2026 නොවැම්බර් 18", "2026 නොවැ 18 14.05", "1,234.5", "ස්පාඤ්ඤය", "සිංහල"),
}


@pytest.mark.parametrize("code", WRITTEN)
def test_days_numbers_and_names_follow_the_language(code: str, home: object) -> None:
    """Also in the languages that Django does not know."""
    with translation.override(code):
        written = (formats.day(AT), formats.moment(AT), formats.number(1234.5), formats.country("ES"))
        assert (*written, formats.own_name(code)) == WRITTEN[code]
        assert len(formats.countries()) == 250
        assert formats.country("EU") == "EU"
        sums = [formats.money(Decimal(one), "EUR") for one in ("0.35", "12", "0.1250")]
        assert sums == [one.replace(".", written[2][-2]) for one in ("0.35 EUR", "12.00 EUR", "0.125 EUR")]
        assert formats.listed(["{1}", "b", "c"]) == ("{1}、b、c" if code == "ja" else "{1}, b, c")
        assert (formats.day(None), formats.moment(None)) == ("", "")


def test_a_language_that_nobody_knows_falls_back(home: object) -> None:
    """To its wider language, or to English; a page is never refused for it."""
    assert formats.own_name("pt-zz") == "Português"
    with translation.override("qqq"):
        assert formats.day(AT) == WRITTEN["en"][0]


@pytest.mark.parametrize("code", ANNOTATORS)
def test_annotators_have_more_languages_than_researchers(code: str, client: Client) -> None:
    """A page of researchers is in English for whoever asks for a language that it does not speak, also by a cookie."""
    asks = {"Accept-Language": code}
    assert f'<html lang="{code}"' in client.get("/w/nothing/", headers=asks).content.decode()
    sign_in = client.get("/sign-in/", headers=asks).content.decode()
    assert '<html lang="en"' in sign_in
    assert f'value="{code}"' not in sign_in
    assert "rubrica_language" not in client.post("/language/", {"language": code}).cookies
    client.cookies["rubrica_language"] = code
    assert '<html lang="en"' in client.get("/sign-in/").content.decode()


def test_the_journey_is_told_by_files() -> None:
    """Pages of annotators, what they share with others, and the errors that both may meet."""
    assert all(map(annotators_read, ["annotate/work.py", "templates/annotate/desk.html", "errors.py", "api/work.py"]))
    assert not any(map(annotators_read, ["dashboard/errors.py", "templates/studies/new.html", "api/workers.py"]))
    assert not for_annotators_only("es")
    assert not for_annotators_only(TEST_LOCALE)
