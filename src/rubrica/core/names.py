"""Names of annotators and of studies: which can be used, and when two are the same.

Name and title of a study: which can be used, and a name made from a title.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Sequence
from itertools import chain, count

from rubrica.core.errors import Problem

NAME = re.compile(r"[^\s/\\,][^/\\,\x00-\x1f]{0,199}")
METRIC_PREFIX = "metric:"
"""How the names of registered metrics begin, so that a person may be called Sari."""


def normal(text: str) -> str:
    """A name as it is compared."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return " ".join(unicodedata.normalize("NFKC", folded).split())


def annotator_name_problems(names: Sequence[str]) -> list[Problem]:
    """Names that cannot be used, because they become file names, or that are given twice."""
    found = [
        Problem(
            what=f"{name!r} cannot be the name of an annotator",
            rule="annotator_name",
            value=name,
            fix="Use up to 200 characters without slashes, commas and line breaks.",
        )
        for name in names
        if not NAME.fullmatch(name)
    ]
    found += [
        Problem(
            what=f"{name!r} begins as the names of metrics do",
            rule="annotator_name",
            value=name,
            fix=f"Leave out {METRIC_PREFIX!r}: what a metric gives is registered with `rubrica score --register`.",
        )
        for name in names
        if name.startswith(METRIC_PREFIX)
    ]
    spellings: dict[str, list[str]] = {}
    for name in names:
        spellings.setdefault(normal(name), []).append(name)
    return found + [
        Problem(
            what=f"{' and '.join(map(repr, dict.fromkeys(same)))} {'is' if len(set(same)) == 1 else 'are'} named twice",
            rule="annotator_name",
            value=same[0],
            fix="Name each once.",
        )
        for same in spellings.values()
        if len(same) > 1
    ]


def unknown_names(names: Sequence[str], known: Collection[str]) -> list[Problem]:
    """What is said of names that no annotator of a study has, where sheets are taken back."""
    fix = f"There are: {', '.join(sorted(known))}." if known else "Nobody has a sheet yet."
    unknown = [name for name in names if name not in known]
    return [
        Problem(what=f"there is no annotator {name!r}", rule="unknown_annotator", fix=fix, value=name)
        for name in unknown
    ]


STUDY_NAMES_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
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


def study_name_problems(name: str) -> list[Problem]:
    """Why a study cannot have this name, free or not."""
    if STUDY_NAMES_NAME.fullmatch(name):
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
