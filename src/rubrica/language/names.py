"""Codes of languages (ISO 639-1) and their names in messages."""

from __future__ import annotations

import re

NAMES = {
    "ca": "Catalan",
    "de": "German",
    "en": "English",
    "es": "Spanish",
    "fr": "French",
    "it": "Italian",
    "nl": "Dutch",
    "pt": "Portuguese",
    "ru": "Russian",
    "sv": "Swedish",
    "tr": "Turkish",
}


def base_language(code: str) -> str:
    """The language of a code with or without a region: ``pt`` of ``pt-BR`` and ``PT_br``."""
    return re.split(r"[-_]", code.strip().lower(), maxsplit=1)[0]


def language_name(code: str) -> str:
    """``English`` for ``en`` and ``en-GB``; a code that has no name here stays as it is."""
    return NAMES.get(base_language(code), code)
