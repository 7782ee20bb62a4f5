"""Languages of the interface: each is one ``locale/<code>.po`` file. English is in the code itself.

polib compiles the catalogues into the home when the studio starts, so neither system gettext nor a build is needed.
"""

from __future__ import annotations

import os
import tempfile
from functools import cache
from pathlib import Path

import polib

FOLDER = Path(__file__).parent / "locale"
TEST_LOCALE = "ar-xb"
"""English written from right to left, to test pages with; offered only where RUBRICA_TEST_LOCALE is set."""


@cache
def language_names(*, reviewed: bool = False) -> dict[str, str]:
    """Codes and own names of the languages of the interface; the name stands in the catalogue's header.

    With ``reviewed`` the name says that no native speaker has reviewed the translation, where that is so: a word for
    researchers, not for annotators.
    """
    names = {"en": "English"}
    for file in sorted(FOLDER.glob("*.po")):
        if file.stem == TEST_LOCALE and not os.environ.get("RUBRICA_TEST_LOCALE"):
            continue
        told = polib.pofile(str(file)).metadata
        name = told.get("X-Language-Name", file.stem)
        names[file.stem] = f"{name} {told['X-Not-Reviewed']}" if reviewed and "X-Not-Reviewed" in told else name
    return names


def compile_catalogues(folder: Path) -> Path:
    """Compile every catalogue that is newer than its compiled form; the folder that Django reads."""
    for file in FOLDER.glob("*.po"):
        place = folder / locale_name(file.stem) / "LC_MESSAGES"
        compiled = place / "django.mo"
        if not compiled.exists() or compiled.stat().st_mtime < file.stat().st_mtime:
            place.mkdir(parents=True, exist_ok=True)
            with tempfile.NamedTemporaryFile(dir=place, delete=False) as out:
                out.write(polib.pofile(str(file)).to_binary())
            os.replace(out.name, compiled)
    return folder


def locale_name(code: str) -> str:
    """``pt-br`` is the locale ``pt_BR``."""
    language, _, region = code.partition("-")
    return f"{language}_{region.upper()}" if region else language
