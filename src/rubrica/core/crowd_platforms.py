"""Crowd platforms: what they add to the link of a study, and whom that names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from rubrica.core.errors import Problem, refuse, wrong
from rubrica.core.typed import storable

PLATFORMS: Mapping[str, tuple[str, ...]] = {
    "prolific": ("PROLIFIC_PID", "STUDY_ID", "SESSION_ID"),
    "mturk": ("workerId", "assignmentId", "hitId", "turkSubmitTo"),
}
"""The parameters that a platform adds to a link; the first names the person."""

LONGEST_ID = 200
LONGEST_DETAIL = 500
"""Characters of a platform's id of a person, and of its other parameters."""


class Visit(NamedTuple):
    """Who comes: the platform's id of the person, and its other parameters. Both are empty without a platform."""

    participant: str = ""
    details: Mapping[str, str] = {}


def check_door(kind: str, cap: int | None) -> None:
    """Raise InputError if there is no such link for people unknown beforehand; ``cap`` is how many may come."""
    if kind not in ("open", *PLATFORMS):
        raise wrong(f"there is no kind of link {kind!r}", "link", "Use open, prolific or mturk.", value=kind)
    if cap is not None and cap < 1:
        raise wrong(f"a cap of {cap} lets nobody in", "link", "Use 1 or more, or none.", value=cap)


def visit_of(platform: str, given: Mapping[str, str]) -> Visit:
    """Whom the parameters of a link name; nobody for a link of another kind. Raises InputError if they should.

    Cut short, two people's ids could become one: a parameter that does not fit is refused.
    """
    wanted = PLATFORMS.get(platform, ())
    if not wanted:
        return Visit()
    participant = given.get(wanted[0], "").strip()
    if not participant:
        fix = "Open it from the platform's own page, which adds it."
        raise wrong(f"the link lacks {wanted[0]}", "link", fix, value="")
    details = {name: given[name] for name in wanted if name in given}
    most = {name: LONGEST_ID if name == wanted[0] else LONGEST_DETAIL for name in details}
    refuse(
        Problem(
            what=f"{name} in the link has {len(value):,} characters",
            rule="link_length",
            fix=f"At most {most[name]} are taken: open the study from the platform's own page.",
            value=name,
        )
        for name, value in details.items()
        if len(value) > most[name]
    )
    if not all(map(storable, details.values())):
        raise wrong("the link's parameters hold characters that no text can have", "link", "Open the link again.")
    return Visit(participant, details)
