"""Where a request really comes from when a proxy stands before the studio.

Anybody can send ``X-Forwarded-For``, so it says something only as far as a proxy that we were told to trust has written
it. Each proxy adds, at the right, the address that it saw: from the peer on we go to the left through addresses that
are trusted proxies, and the first that is not is the client. What stands further left the client may have made up.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

from django.conf import settings
from django.http import HttpRequest

from rubrica.core.errors import InputError, Problem

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network


def trusted_proxies(given: Sequence[str]) -> tuple[Network, ...]:
    """The addresses and networks of proxies. Raises InputError with every one that is none."""
    found, problems = [], []
    for text in given:
        try:
            found.append(ip_network(text, strict=False))
        except ValueError:
            fix = "Name proxies by address or network: 127.0.0.1, 10.0.0.0/8, ::1."
            problems.append(
                Problem(what=f"{text!r} is no address of a proxy", rule="trusted_proxy", fix=fix, value=text)
            )
    if problems:
        raise InputError(*problems)
    return tuple(found)


def address_of(request: HttpRequest | None) -> str:
    """The client's address; nothing if a trusted proxy does not tell it."""
    if request is None:
        return ""
    trusted: tuple[Network, ...] = settings.TRUSTED_PROXIES  # type: ignore[misc]
    return client_address(request.META.get("REMOTE_ADDR") or "", request.META.get("HTTP_X_FORWARDED_FOR", ""), trusted)


@lru_cache(maxsize=1024)
def client_address(peer: str, forwarded: str, trusted: tuple[Network, ...]) -> str:
    """Who asks, by the address of the peer and the header that it sent."""
    here = _address(peer)
    if here is None or not _among(here, trusted):
        return str(here or peer)
    told = [part for part in forwarded.split(",") if part.strip()]
    for part in reversed(told):
        here = _address(part)
        if here is None:
            return ""
        if not _among(here, trusted):
            break
    return str(here) if told else ""


def customer_of(address: str) -> str:
    """The address, or the network of an IPv6 address that a provider gives to one customer, who has all of it."""
    try:
        found = ip_address(address)
    except ValueError:
        return address
    return str(ip_network((found, 64), strict=False)) if isinstance(found, IPv6Address) else address


def _among(address: Address, networks: Sequence[Network]) -> bool:
    return any(address in network for network in networks)


def _address(text: str) -> Address | None:
    """An address, perhaps with a port behind it; IPv4 in the clothes of IPv6 is IPv4."""
    text = text.strip()
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        found = ip_address(text)
    except ValueError:
        return None
    return getattr(found, "ipv4_mapped", None) or found
