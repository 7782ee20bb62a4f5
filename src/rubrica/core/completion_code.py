"""The completion code: what an annotator shows a crowd platform to say that the work is done.

Prolific asks for one with the link: the researcher types Prolific's, or gets one that nobody can guess. A study may
have one of its own for everybody else. Which of them somebody is shown: ``store/people/invitations.py``.
"""

from __future__ import annotations

import re
import secrets

from rubrica.core.errors import wrong

CODE = re.compile(r"[A-Za-z0-9_-]{1,100}")
LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
"""Without those that are easily confused."""


def new_code() -> str:
    """A completion code that nobody can guess: eight letters and digits."""
    return "".join(secrets.choice(LETTERS) for _ in range(8))


def checked_code(given: str) -> str:
    """A completion code that was typed, or a new one if nothing was."""
    code = given.strip()
    if code and not CODE.fullmatch(code):
        fix = "Use 1 to 100 letters, digits, hyphens and underscores, as the platform shows it."
        raise wrong("this cannot be a completion code", "completion_code", fix, value=code[:200])
    return code or new_code()


def of_door(kind: str, given: str) -> str:
    """The code of a new link of this kind: what was typed, or a new one, where the platform asks for it with the link.

    Raises InputError if it was typed for another kind of link.
    """
    if kind == "prolific":
        return checked_code(given)
    if given:
        fix = "Leave it out: only Prolific asks for one with the link."
        raise wrong("this kind of link has no completion code", "completion_code", fix, value=given)
    return ""
