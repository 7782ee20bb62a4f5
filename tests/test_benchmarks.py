"""What benchmarks measure: the memory of a command, whatever the process that starts it holds."""

from __future__ import annotations

from benchmarks.report import measured

MEGABYTE = 1 << 20


def test_the_memory_of_a_command_is_its_own() -> None:
    """A starter that holds half a gigabyte is no part of it."""
    small = measured(["protocols", "--json"]).megabytes
    held = bytearray(b"\1") * (512 * MEGABYTE)
    after = measured(["protocols", "--json"]).megabytes
    assert len(held) > after * MEGABYTE
    assert 10 < after < 1.5 * small
