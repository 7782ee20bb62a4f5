"""A zip archive from a stranger: its parts are unpacked to the end, within a bound, and checked against what it says.

A few kilobytes of zip can unpack to petabytes, say that they are small, share their bytes with each other, or hold two
parts of one name, of which one program reads the first and another the second. None of that is needed by a
spreadsheet, so all of it is refused. Not taken: `zipfile`'s own reading, which stops at the size that a part claims.
"""

from __future__ import annotations

import struct
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from rubrica.core.errors import InputError, wrong
from rubrica.engine.limits import Limits

MOST_PARTS = 10_000
CHUNK = 1 << 18
_LOCAL = struct.Struct("<4s5H3L2H")
"""The header before the bytes of a part; its name and something extra follow."""
_OLD_OFFICE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ENCRYPTED = 0x1
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)


class BrokenError(Exception):
    """The archive is not what it says."""


class Archive:
    """The parts of an archive by their names. Raises InputError when opened if it is none or would become too large."""

    def __init__(self, path: Path, bounds: Limits) -> None:
        self.path, self.bounds = path, bounds
        self._unpacked = 0
        try:
            with zipfile.ZipFile(path) as archive:
                found, self._end = archive.infolist(), archive.start_dir
        except (zipfile.BadZipFile, OSError, EOFError, ValueError, NotImplementedError, struct.error) as error:
            raise not_excel(path) from error
        if len(found) > MOST_PARTS:
            raise wrong(f"this file has {len(found):,} parts", "size", NO_SHEET, file=str(path), value=len(found))
        if sum(info.file_size for info in found) > bounds.bytes:
            raise self._too_large()
        self.parts = {info.filename: info for info in found}
        if len({name.replace("\\", "/").casefold() for name in self.parts}) < len(found):
            raise not_excel(path)

    def _too_large(self) -> InputError:
        what = f"this file unpacks to more than {self.bounds.megabytes:,} MB"
        return self.bounds.beyond("megabytes", what, file=str(self.path), value=self.bounds.bytes)

    def unpacked(self) -> Iterator[tuple[str, Iterator[bytes]]]:
        """Each part with its bytes, piece by piece, in the order in which they lie there. Raises BrokenError."""
        parts = sorted(self.parts.values(), key=lambda info: info.header_offset)
        ends = [*(info.header_offset for info in parts[1:]), self._end]
        with self.path.open("rb") as file:
            for info, end in zip(parts, ends, strict=True):
                file.seek(info.header_offset)
                header = file.read(_LOCAL.size)
                if len(header) < _LOCAL.size:
                    raise BrokenError(info.filename)
                sign, _, flags, method, *_, name, extra = _LOCAL.unpack(header)
                start = info.header_offset + _LOCAL.size + name + extra
                whole = sign == b"PK\3\4" and method == info.compress_type and method in _METHODS
                if not whole or flags & _ENCRYPTED or start + info.compress_size > end:
                    raise BrokenError(info.filename)
                file.seek(start)
                packed = _pieces(file, info.compress_size)
                yield info.filename, self._checked(info, packed if method == zipfile.ZIP_STORED else _inflated(packed))

    def _checked(self, info: zipfile.ZipInfo, pieces: Iterator[bytes]) -> Iterator[bytes]:
        """The pieces of a part, as long as they are no more than it says and all parts together may be."""
        size = checksum = 0
        for piece in pieces:
            size += len(piece)
            self._unpacked += len(piece)
            checksum = zlib.crc32(piece, checksum)
            if self._unpacked > self.bounds.bytes:
                raise self._too_large()
            if size > info.file_size:
                raise BrokenError(info.filename)
            yield piece
        if size != info.file_size or checksum != info.CRC:
            raise BrokenError(info.filename)


NO_SHEET = "It is damaged, or no table: save it again as .xlsx with a spreadsheet."


def _pieces(file: BinaryIO, size: int) -> Iterator[bytes]:
    while size > 0:
        piece = file.read(min(size, CHUNK))
        if not piece:
            raise BrokenError("cut off")
        size -= len(piece)
        yield piece


def _inflated(packed: Iterator[bytes]) -> Iterator[bytes]:
    """The unpacked bytes of a part; its packed ones must end where they say."""
    unpacker = zlib.decompressobj(-zlib.MAX_WBITS)
    try:
        for piece in packed:
            if unpacker.eof:
                raise BrokenError("more than a part")
            while piece and not unpacker.eof:
                yield unpacker.decompress(piece, CHUNK)
                piece = unpacker.unconsumed_tail
        if not unpacker.eof:
            yield unpacker.flush()
    except zlib.error as error:
        raise BrokenError("not deflated") from error
    if not unpacker.eof or unpacker.unused_data:
        raise BrokenError("not ended")


def not_excel(path: Path) -> InputError:
    """Why a file cannot be opened as a workbook."""
    with path.open("rb") as file:
        start = file.read(8)
    if not start:
        return wrong("this file is empty", "xlsx", "Ask for it again.", file=str(path))
    if start == _OLD_OFFICE:
        what = "this is an old .xls file, or an .xlsx file with a password"
        return wrong(what, "xlsx", "Open it, remove the password and save it as .xlsx.", file=str(path))
    if start.startswith(b"PK"):
        fix = "It did not arrive whole: ask for it again, or open it with a spreadsheet and save it as .xlsx."
        return wrong("this Excel file is damaged", "xlsx", fix, file=str(path))
    return wrong("this is not an Excel file (.xlsx)", "xlsx", "Open it and save it as .xlsx.", file=str(path))
