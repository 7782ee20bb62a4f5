"""Days, times, numbers and the names of countries and languages, as the reader's language writes them.

From Unicode CLDR through Babel, because Django knows neither Filipino nor Sinhala (design note 050).
Templates of annotators' pages use the filters below; those of researchers, in English and Spanish, may use Django's.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from decimal import Decimal
from functools import cache

from babel import Locale, UnknownLocaleError
from babel.dates import format_date, format_time, get_datetime_format
from babel.numbers import format_decimal
from django.template import Library
from django.utils import timezone
from django.utils.translation import get_language

from rubrica.language.names import language_name

NO_COUNTRIES = frozenset(["AC", "CP", "CQ", "DG", "EA", "EU", "EZ", "IC", "QO", "TA", "UN", "XA", "XB", "ZZ"])
"""Two-letter codes of CLDR that name unions, islands of a listed country, or nothing."""

register = Library()


@cache
def locale_of(code: str) -> Locale:
    """What CLDR knows of a language; of its wider one or of English where it does not know it."""
    for known in (code, code.partition("-")[0]):
        try:
            return Locale.parse(known, sep="-")
        except (UnknownLocaleError, ValueError):
            continue
    return Locale("en")


def reader() -> Locale:
    """The language in which the page is being written."""
    return locale_of(get_language() or "en")


@register.filter
def day(at: datetime | None) -> str:
    """18 November 2026."""
    return format_date(timezone.localtime(at).date(), "long", reader()) if at else ""


@register.filter
def moment(at: datetime | None) -> str:
    """18 Nov 2026, 14:02, without seconds."""
    if at is None:
        return ""
    here, locale = timezone.localtime(at), reader()
    pattern = str(get_datetime_format("medium", locale=locale)).replace("'", "")
    date, time = format_date(here.date(), "medium", locale), format_time(here.time(), "short", locale=locale)
    return pattern.replace("{1}", date).replace("{0}", time)


def number(value: float | Decimal) -> str:
    """Digits with the reader's separators, as many decimals as it has, at most three."""
    return format_decimal(value, locale=reader())


def money(amount: Decimal, currency: str) -> str:
    """A sum with the reader's separators, at least two decimals and as many as a price may have, and its currency."""
    return f"{format_decimal(amount, format='#,##0.00##', locale=reader())} {currency}"


def listed(parts: Iterable[str]) -> str:
    """Several things in a row, parted as the reader's language parts them: “a, b” or “a、b”."""
    return str(reader().list_patterns["standard"]["middle"])[len("{0}") : -len("{1}")].join(parts)


def country(code: str) -> str:
    """The name of a country or territory; its code where there is none."""
    return str(reader().territories.get(code, code)) if _is_country(code) else code


def countries() -> list[tuple[str, str]]:
    """Codes and names, in the order of the reader's alphabet as far as code points go."""
    named = [(code, str(name)) for code, name in reader().territories.items() if _is_country(code)]
    return sorted(named, key=lambda pair: pair[1].casefold())


def own_name(code: str) -> str:
    """What its speakers call a language; its English name where CLDR does not know it."""
    locale = locale_of(code)
    if code.partition("-")[0] != locale.language:
        return language_name(code)
    name = str(locale.languages.get(code) or locale.languages.get(locale.language) or language_name(code))
    return name[:1].upper() + name[1:]


def _is_country(code: str) -> bool:
    return len(code) == 2 and code.isalpha() and code.isupper() and code not in NO_COUNTRIES
