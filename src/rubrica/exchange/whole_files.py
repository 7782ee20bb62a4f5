"""Files that appear whole or not at all."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, cast


@contextmanager
def whole_file(target: Path) -> Iterator[BinaryIO]:
    """Write a file: it gets its name when the block ends without an error, and leaves nothing behind otherwise.

    Then the disk has it. What stood under that name stays there until then.
    """
    part = target.with_name(f".{target.name}.{secrets.token_hex(4)}.part")
    try:
        with part.open("xb") as stream:
            yield cast(BinaryIO, stream)
            stream.flush()
            os.fsync(stream.fileno())
        os.replace(part, target)
    finally:
        part.unlink(missing_ok=True)
