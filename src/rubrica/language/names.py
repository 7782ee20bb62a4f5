"""Codes of languages (ISO 639-1, or 639-2 where it has none) and their names in messages."""

from __future__ import annotations

import re
from collections.abc import Mapping

NAMES = {
    "ar": "Arabic",
    "ast": "Asturian",
    "bg": "Bulgarian",
    "ca": "Catalan",
    "cs": "Czech",
    "cy": "Welsh",
    "da": "Danish",
    "de": "German",
    "el": "Greek",
    "en": "English",
    "es": "Spanish",
    "et": "Estonian",
    "eu": "Basque",
    "fa": "Persian",
    "fi": "Finnish",
    "fil": "Filipino",
    "fr": "French",
    "ga": "Irish",
    "gl": "Galician",
    "he": "Hebrew",
    "hi": "Hindi",
    "hr": "Croatian",
    "hu": "Hungarian",
    "hy": "Armenian",
    "id": "Indonesian",
    "is": "Icelandic",
    "it": "Italian",
    "ja": "Japanese",
    "ka": "Georgian",
    "ko": "Korean",
    "la": "Latin",
    "lb": "Luxembourgish",
    "lt": "Lithuanian",
    "lv": "Latvian",
    "mk": "Macedonian",
    "ms": "Malay",
    "nl": "Dutch",
    "no": "Norwegian",
    "pl": "Polish",
    "pt": "Portuguese",
    "ro": "Romanian",
    "ru": "Russian",
    "si": "Sinhala",
    "sk": "Slovak",
    "sl": "Slovenian",
    "sq": "Albanian",
    "sr": "Serbian",
    "sv": "Swedish",
    "sw": "Swahili",
    "ta": "Tamil",
    "th": "Thai",
    "tr": "Turkish",
    "uk": "Ukrainian",
    "ur": "Urdu",
    "vi": "Vietnamese",
    "zh": "Chinese",
}
_CODES = {name.casefold(): code for code, name in NAMES.items()} | {"tagalog": "fil", "tl": "fil"}


def base_language(code: str) -> str:
    """The language of a code with or without a region: ``pt`` of ``pt-BR`` and ``PT_br``."""
    return re.split(r"[-_]", code.strip().lower(), maxsplit=1)[0]


def language_name(code: str) -> str:
    """``English`` for ``en`` and ``en-GB``; a code that has no name here stays as it is."""
    return NAMES.get(base_language(code), code)


def language_code(told: str) -> str:
    """The code of a language told by its code or its English name: ``de`` for ``German``, ``DE`` and ``de-AT``."""
    base = base_language(told)
    return _CODES.get(base, base)


def told_language(metadata: Mapping[str, str]) -> str:
    """The code of the language that an item's metadata names; empty if it names none."""
    return language_code(metadata.get("language") or metadata.get("lang") or "")
