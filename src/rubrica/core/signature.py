"""The signature that every export, table and chart carries: what made it, so that it can be made again."""

from __future__ import annotations

from collections.abc import Mapping

from rubrica import __version__
from rubrica.core.protocol import Protocol


def signature(parts: Mapping[str, object]) -> str:
    """``key:value|key:value`` with sorted keys and the version of Rubrica; empty values are left out."""
    every = {**parts, "rubrica": __version__}
    return "|".join(f"{key}:{_plain(every[key])}" for key in sorted(every) if every[key] not in (None, "", {}))


def protocol_parts(protocol: Protocol, settings: Mapping[str, str] | None = None) -> dict[str, object]:
    """What a signature says of a protocol: id, version, the first twelve digits of the hash, parameters."""
    chosen = ",".join(f"{key}={value}" for key, value in sorted((settings or {}).items()))
    return {"protocol": protocol.id, "version": protocol.version, "hash": protocol.hash[:12], "settings": chosen}


def _plain(value: object) -> str:
    return str(value).replace("|", "/").replace("\n", " ")
