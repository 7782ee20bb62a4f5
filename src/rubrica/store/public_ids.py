"""Random public ids: what links, sheets and exports show instead of row numbers."""

import secrets

_LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"


def new_public_id() -> str:
    """Sixteen letters and digits, without those that are easily confused: about 79 bits."""
    return "".join(secrets.choice(_LETTERS) for _ in range(16))
