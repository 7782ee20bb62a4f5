"""Random public ids: what links, sheets and exports show instead of row numbers."""

import secrets

_LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"
_LENGTH = 16
_BASE = len(_LETTERS)


def new_public_id() -> str:
    """Sixteen letters and digits, without those that are easily confused: about 79 bits."""
    number = secrets.randbelow(_BASE**_LENGTH)
    letters = []
    for _ in range(_LENGTH):
        number, at = divmod(number, _BASE)
        letters.append(_LETTERS[at])
    return "".join(letters)
