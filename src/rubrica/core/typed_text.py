"""Words that people type into a form: trimmed, and refused if they are missing, too long or no text at all."""

from __future__ import annotations

from rubrica.core.errors import Problem, wrong
from rubrica.core.scales import storable

LONGEST = 2000
"""Characters of a reason, a note or a remark."""


def checked_text(text: str, what: str, *, required: bool = True, question: str = "text") -> str:
    """The words, trimmed. ``what`` names them. Raises InputError if they are missing or cannot be kept."""
    said = text.strip()
    if required and not said:
        raise wrong(f"{what} is empty", "required", "Write a few words.", value="", question=question)
    problem = unfit(said, what, LONGEST)
    if problem is not None:
        raise wrong(problem.what, problem.rule, problem.fix, value=problem.value, question=question)
    return said


def unfit(said: str, what: str, longest: int) -> Problem | None:
    """Why these words cannot be kept; nothing if they can."""
    if len(said) > longest:
        fix = f"Use at most {longest:,}."
        return Problem(what=f"{what} has {len(said):,} characters", rule="length", fix=fix, value=len(said))
    if not storable(said):
        fix = "Type it instead of pasting it."
        return Problem(what=f"{what} holds a broken character", rule="characters", fix=fix)
    return None
