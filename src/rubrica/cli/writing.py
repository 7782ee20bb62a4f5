"""Writing a file that a command makes: whole or not at all, or to stdout."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, cast

from rubrica.core.errors import wrong
from rubrica.exchange.whole_files import whole_file


@contextmanager
def output_stream(out: str) -> Iterator[BinaryIO]:
    """Where to write; ``-`` is stdout. A file takes the place of an older one only when it is complete."""
    if out == "-":
        yield cast(BinaryIO, sys.stdout.buffer)
        sys.stdout.buffer.flush()
        return
    target = Path(out)
    special = target.exists() and not target.is_file()
    try:
        with target.open("wb") if special else whole_file(target) as stream:
            yield stream
    except OSError as error:
        raise wrong(f"cannot be written: {error.strerror}", "file", "Check the folder.", file=out) from error
