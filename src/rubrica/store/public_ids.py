"""Random public ids: what links, sheets and exports show instead of row numbers."""

from __future__ import annotations

import secrets

_LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"
_LENGTH = 16
_OF_BYTES = bytes(ord(_LETTERS[byte % len(_LETTERS)]) for byte in range(256))


def new_public_id() -> str:
    """Sixteen letters and digits, without those that are easily confused: about 79 bits."""
    return secrets.token_bytes(_LENGTH).translate(_OF_BYTES).decode()
