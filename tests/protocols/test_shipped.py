"""Every protocol folder, through everything that a protocol goes through."""

import pytest

from rubrica.protocols.catalog import load_shipped, shipped


@pytest.mark.parametrize("protocol_id", shipped())
def test_loads_without_a_problem(protocol_id: str) -> None:
    """A shipped protocol loads, its practice items included."""
    assert load_shipped(protocol_id).protocol.id == protocol_id
