"""The protocols that ship with Rubrica, and any protocol by id or file."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

from rubrica.core.errors import wrong
from rubrica.core.text_helpers import did_you_mean
from rubrica.protocols.loader import Loaded, load

FOLDER = Path(__file__).parent


def shipped() -> list[str]:
    """Ids of the built-in protocols, in alphabetical order."""
    return sorted(file.parent.name for file in FOLDER.glob("*/protocol.yaml"))


@cache
def load_shipped(protocol_id: str) -> Loaded:
    """One of the built-in protocols."""
    return load(FOLDER / protocol_id)


def find(name: str, read: Callable[[Path], Loaded] = load) -> Loaded:
    """A protocol by the path of its file or folder (which wins), read by ``read``, or by the id of a built-in one."""
    path, known = Path(name), shipped()
    if path.is_file() or (path.is_dir() and (name not in known or (path / "protocol.yaml").exists())):
        return read(path)
    if name in known:
        return load_shipped(name)
    fix = did_you_mean(name, known, f"Use a file, or one of {', '.join(known)}.")
    raise wrong(f"there is no protocol {name!r}, nor a file of that name", "unknown_protocol", fix, value=name)
