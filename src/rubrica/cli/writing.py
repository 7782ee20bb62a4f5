"""Writing a file that a command makes: whole or not at all, or to stdout."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, cast

from rubrica.core.errors import wrong


@contextmanager
def output_stream(out: str) -> Iterator[BinaryIO]:
    """Where to write; ``-`` is stdout. A file takes the place of an older one only when it is complete."""
    if out == "-":
        yield cast(BinaryIO, sys.stdout.buffer)
        sys.stdout.buffer.flush()
        return
    target = Path(out)
    special = target.exists() and not target.is_file()
    part = target if special else target.with_name(f".{target.name}.part")
    try:
        with part.open("wb") as stream:
            yield cast(BinaryIO, stream)
        if not special:
            os.replace(part, target)
    except OSError as error:
        raise wrong(f"cannot be written: {error.strerror}", "file", "Check the folder.", file=out) from error
    finally:
        if not special:
            part.unlink(missing_ok=True)
