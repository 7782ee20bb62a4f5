"""Numbers and number words, so that *two* and *2*, *1,000* and *1000*, *second* and *2nd* are the same."""

from __future__ import annotations

import re

_CARDINALS = {
    "en": """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
        seventeen eighteen nineteen twenty""",
    "es": """cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis
        diecisiete dieciocho diecinueve veinte""",
}
_ROUND = {
    "en": {"thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90},
    "es": {"treinta": 30, "cuarenta": 40, "cincuenta": 50, "sesenta": 60, "setenta": 70, "ochenta": 80, "noventa": 90},
}
_ORDINALS = {
    "en": "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth",
    "es": "primero segundo tercero cuarto quinto sexto séptimo octavo noveno décimo",
}


def _values(language: str) -> dict[str, str]:
    values = {word: str(value) for value, word in enumerate(_CARDINALS[language].split())}
    values |= {word: str(value) for word, value in _ROUND[language].items()}
    values |= {word: f"{value}th" for value, word in enumerate(_ORDINALS[language].split(), start=1)}
    if language == "es":
        values |= {f"{word[:-1]}a": value for word, value in values.items() if value.endswith("th")}
        values |= {"un": "1", "una": "1", "primer": "1th", "tercer": "3th", "cien": "100", "mil": "1000"}
    return values


_VALUES = {language: _values(language) for language in _CARDINALS}
_FIGURES = re.compile(r"([+-]?\d+(?:[.,]\d+)*)(%|‰|st|nd|rd|th|s|º|ª)?")
_GROUPED = re.compile(r"\d{1,3}(?:[.,]\d{3})+")


def number_in(key: str, language: str) -> str:
    """The number that a word says, in one form; empty if it says none. Ordinals end in ``th``, shares in ``%``."""
    word = _VALUES.get(language, {}).get(key, "")
    if word or not any(map(str.isdigit, key)):
        return word
    figures = _FIGURES.fullmatch(key)
    if figures is None:
        return ""
    digits, ending = figures[1], figures[2] or ""
    if _GROUPED.fullmatch(digits):
        digits = digits.replace(",", "").replace(".", "")
    return digits + ("th" if ending in {"st", "nd", "rd", "th", "º", "ª"} else ending)
