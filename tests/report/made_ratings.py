"""A handful of ratings for tests of the report: two systems on the same three sources, three raters."""

from __future__ import annotations

from rubrica.core.answers import NOT_APPLICABLE, Answer
from rubrica.core.ratings import CHOICE, NOMINAL, ORDINAL, SCALE, TEXT, YES_NO, Criterion, Rater, Rating, Ratings, Unit

CRITERIA = (
    Criterion("meaning", "meaning", SCALE, ORDINAL, (1, 2, 3), 3),
    Criterion("missing", "missing facts", YES_NO, NOMINAL, ("no", "yes"), "no"),
    Criterion("fate", "fate", CHOICE, NOMINAL, ("keep", "drop"), None),
    Criterion("remark", "remark", TEXT, "open"),
)
# By source, system and rater: meaning, missing facts, fate.
ROWS: tuple[tuple[str, str, str, Answer, str, Answer], ...] = (
    ("s1", "old", "maria.lopez@example.org", 1, "yes", "drop"),
    ("s1", "old", "Worker 77", 2, "yes", "keep"),
    ("s1", "new", "maria.lopez@example.org", 3, "no", "keep"),
    ("s1", "new", "Worker 77", 3, "no", "keep"),
    ("s2", "old", "maria.lopez@example.org", 1, "no", "drop"),
    ("s2", "old", "Third <b>One</b>", 3, "yes", "keep"),
    ("s2", "new", "Worker 77", 2, "no", "keep"),
    ("s2", "new", "Third <b>One</b>", 3, "no", NOT_APPLICABLE),
    ("s3", "old", "Worker 77", 2, "yes", "drop"),
    ("s3", "new", "Third <b>One</b>", 3, "no", "keep"),
)
NAMES = ("maria.lopez@example.org", "Worker 77", "Third <b>One</b>")


def made_ratings() -> Ratings:
    """Ten ratings of six rewrites; every source text holds markup that must be escaped."""
    every = tuple(
        Rating(
            f"{source}/{system}",
            rater,
            {"meaning": meaning, "missing": missing, "fate": fate, "remark": "Ask Worker 77 about it."},
            seconds=20.0 + place,
        )
        for place, (source, system, rater, meaning, missing, fate) in enumerate(ROWS)
    )
    units = {
        f"{source}/{system}": Unit(
            f"{source}/{system}",
            system,
            source,
            texts={"source": f"Text <i>{source}</i> & more", "rewrite": f"By {system}"},
        )
        for source, system, *_ in ROWS
    }
    return Ratings("made", CRITERIA, every, units, {name: Rater(name) for name in NAMES}, {"file": "made.csv"})
