"""Names of annotators: which can be used, and when two are the same."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Sequence

from rubrica.core.errors import Problem

NAME = re.compile(r"[^\s/\\,][^/\\,\x00-\x1f]{0,199}")
METRIC_PREFIX = "metric:"
"""How the names of registered metrics begin, so that a person may be called Sari."""


def normal(text: str) -> str:
    """A name as it is compared."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return " ".join(unicodedata.normalize("NFKC", folded).split())


def name_problems(names: Sequence[str]) -> list[Problem]:
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
