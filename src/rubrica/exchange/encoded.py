"""A stream of bytes that takes text."""

from __future__ import annotations

from typing import BinaryIO


class Encoded:
    """Takes text and writes UTF-8. Unlike a TextIOWrapper it leaves the stream to its owner when writing fails."""

    def __init__(self, out: BinaryIO) -> None:
        self._out = out

    def write(self, text: str) -> int:
        return self._out.write(text.encode())
