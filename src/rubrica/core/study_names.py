"""Name and title of a study: which can be used, and a name made from a title."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from itertools import chain, count

from rubrica.core.errors import Problem

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
MAX_TITLE = 200
MOST_BEFORE = 90
"""How much of a name is kept before a number, for which there must be room."""


def name_from(title: str) -> str:
    """A name for files and the command line made from a title: ASCII letters and digits joined by hyphens."""
    ascii_only = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", ascii_only).strip("-")[:80].strip("-") or "study"


def free_name(wanted: str, taken: Iterable[str]) -> str:
    """The name itself if it is not taken, else its beginning with the first number that is free."""
    known, begins = set(taken), wanted[:MOST_BEFORE]
    return next(name for name in chain([wanted], (f"{begins}-{number}" for number in count(2))) if name not in known)


def name_problems(name: str) -> list[Problem]:
    """Why a study cannot have this name, free or not."""
    if NAME.fullmatch(name):
        return []
    fix = "Use letters, digits, dots, hyphens and underscores, at most 100, starting with a letter or digit."
    return [Problem(what=f"{name!r} cannot be the name of a study", rule="study_name", fix=fix, value=name)]


def title_problems(title: str) -> list[Problem]:
    """Why a study cannot have this title."""
    if not title.strip():
        return [Problem(what="the title is empty", rule="title", fix="Say in a few words what the study is about.")]
    if len(title.strip()) > MAX_TITLE:
        fix = f"Use at most {MAX_TITLE} characters."
        return [Problem(what=f"the title has {len(title.strip())} characters", rule="title", fix=fix)]
    return []
