"""`rubrica serve`: the studio, on this machine or for a whole team."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from rubrica.cli.options import Home, chosen_home
from rubrica.cli.output import say
from rubrica.core.errors import wrong

Host = Annotated[str, typer.Option("--host", metavar="ADDRESS", help="Where to listen.")]
Port = Annotated[int, typer.Option("--port", metavar="N", min=1, max=65535, help="The port.")]
Workers = Annotated[int, typer.Option("--workers", metavar="N", min=1, max=64, help="Processes that serve pages.")]

USUAL_PORT, TRIED_PORTS = 8000, 50
"""The port of the studio, and how many after it are tried where any will do."""
HERE = ("127.0.0.1", "localhost", "::1")
EVERYWHERE = ("0.0.0.0", "::")  # noqa: S104 what a researcher may ask for; the default is this machine alone


def serve(
    home: Home = None,
    host: Host = "127.0.0.1",
    port: Port = USUAL_PORT,
    workers: Workers = 2,
    allow: Annotated[
        list[str] | None,
        typer.Option("--allow", metavar="NAME", help="A host name under which the studio is reached; repeatable."),
    ] = None,
    trusted_proxy: Annotated[
        list[str] | None,
        typer.Option(
            "--trusted-proxy",
            metavar="ADDRESS",
            help="A proxy (address or network) that says where requests come from; repeatable.",
        ),
    ] = None,
) -> None:
    """Run the studio. It prints its address, also for colleagues, and at first a link to make the first account."""
    if trusted_proxy:
        os.environ["RUBRICA_TRUSTED_PROXIES"] = ",".join(trusted_proxy)
    run(chosen_home(home), host, port, workers, allow or [])


def run(home: Path, host: str, port: int, workers: int, allow: list[str], greeting: str = "") -> None:
    """Serve until interrupted; ``greeting`` is printed once everything is ready."""
    from rubrica.engine.limits import limits
    from rubrica.studio.serving import serve as serve_studio

    limits()
    _refuse_taken(host, port)
    if allow:
        os.environ["RUBRICA_HOSTS"] = ",".join(["127.0.0.1", "localhost", *allow])
    elif host not in HERE:
        os.environ.setdefault("RUBRICA_HOSTS", "*" if host in EVERYWHERE else f"127.0.0.1,localhost,{host}")

    if os.environ.get("RUBRICA_HTTPS") == "1" and not os.environ.get("RUBRICA_TRUSTED_PROXIES"):
        say("No --trusted-proxy is named: for the limit on guessed passwords, all behind the proxy are one address.")

    def ready() -> None:
        from rubrica.studio.accounts import first

        address = f"http://{'127.0.0.1' if host in EVERYWHERE else host}:{port}"
        say(greeting.format(address=address) if greeting else f"The studio: {address}")
        if first.needed():
            shared = network_address() if host in EVERYWHERE and not allow else ""
            say(f"Make the first account: {f'http://{shared}:{port}' if shared else address}/first/{first.token()}/")
        say(for_colleagues(host, port, allow))

    serve_studio(home, os.environ.get("DATABASE_URL", ""), host=host, port=port, workers=workers, ready=ready)


def for_colleagues(host: str, port: int, allow: list[str]) -> str:
    """Where others reach the studio, or how they could."""
    if os.environ.get("RUBRICA_HTTPS") == "1":
        return f"For colleagues: https://{allow[0]}" if allow else "For colleagues: the address of your proxy."
    named = allow[0] if allow else "" if host in (*HERE, *EVERYWHERE) else host
    found = named or network_address()
    if host in HERE:
        there = f" They then open http://{found}:{port}." if found else ""
        return (
            "Only this machine reaches it. For colleagues in your network, start it with --host 0.0.0.0."
            f"{there} For the internet: docs/researchers/serving.md."
        )
    if not found:
        return "For colleagues: this machine's name or address in the network, with the same port."
    where = f"http://{found}:{port}"
    return f"For colleagues: {where} (work there yourself: invitation links begin like the page you copy them from)"


def network_address() -> str:
    """This machine's address in its network; "" if it has none. Nothing is sent to find it."""
    import socket

    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return ""
        address = str(probe.getsockname()[0])
    return "" if address.startswith(("127.", "0.")) else address


def free_port(host: str) -> int:
    """The usual port, or the next one that is free; the usual one if none is."""
    ports = range(USUAL_PORT, USUAL_PORT + TRIED_PORTS)
    return next((port for port in ports if not _taken(host, port)), USUAL_PORT)


def _refuse_taken(host: str, port: int) -> None:
    why = _taken(host, port)
    if why:
        free = free_port(host) if why == "Address already in use" else 0
        fix = f"Choose another: --port {free} is free." if free else "Choose another with --port."
        raise wrong(f"{host}:{port} cannot be used: {why}", "port", fix, value=port)


def _taken(host: str, port: int) -> str:
    """Why nothing can listen there; "" if it can."""
    import socket

    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            return error.strerror or str(error)
    return ""
