"""Models that come with Rubrica: a folder for each, with the packed model, its licence, its card and its checksum.

Models carry their own licence where the data that they were made of ask for it. ``SHA256SUMS`` has the form that
``sha256sum --check`` reads, so that anybody can verify a folder without Rubrica.
"""

from __future__ import annotations

import hashlib
import lzma
from pathlib import Path

from rubrica.core.errors import wrong

FOLDER = Path(__file__).parent
MODEL, SUMS = "model.xz", "SHA256SUMS"


def unpacked(name: str, folder: Path = FOLDER) -> bytes:
    """The bytes of a model. Raises InputError if the file is not the one that its checksum was taken of."""
    packed = (folder / name / MODEL).read_bytes()
    found = hashlib.sha256(packed).hexdigest()
    if f"{found}  {MODEL}" not in (folder / name / SUMS).read_text(encoding="ascii").splitlines():
        what = f"the model {name!r} is not the one that Rubrica came with: its SHA-256 is {found}"
        raise wrong(what, "checksum", "Install Rubrica again.", value=found, file=str(folder / name / MODEL))
    return lzma.decompress(packed)


def pack(name: str, model: bytes, folder: Path = FOLDER) -> int:
    """Write a model and its checksum, for recipes that make one; the bytes that it takes.

    Weights are numbers of four bytes, which LZMA packs better if it knows.
    """
    packed = lzma.compress(model, filters=[{"id": lzma.FILTER_LZMA2, "preset": 9, "lc": 0, "lp": 2, "pb": 2}])
    (folder / name).mkdir(parents=True, exist_ok=True)
    (folder / name / MODEL).write_bytes(packed)
    (folder / name / SUMS).write_text(f"{hashlib.sha256(packed).hexdigest()}  {MODEL}\n", encoding="ascii")
    return len(packed)
