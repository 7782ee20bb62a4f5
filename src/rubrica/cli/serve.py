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

EVERYWHERE = ("0.0.0.0", "::")  # noqa: S104 what a researcher may ask for; the default is this machine alone


def serve(
    home: Home = None,
    host: Host = "127.0.0.1",
    port: Port = 8000,
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
    """Run the studio. On the first start it prints a link to make the first account."""
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
    elif host not in ("127.0.0.1", "localhost", "::1"):
        os.environ.setdefault("RUBRICA_HOSTS", "*" if host in EVERYWHERE else f"127.0.0.1,localhost,{host}")

    if os.environ.get("RUBRICA_HTTPS") == "1" and not os.environ.get("RUBRICA_TRUSTED_PROXIES"):
        say("No --trusted-proxy is named: for the limit on guessed passwords, all behind the proxy are one address.")

    def ready() -> None:
        from rubrica.studio.accounts import first

        address = f"http://{'127.0.0.1' if host in EVERYWHERE else host}:{port}"
        say(greeting.format(address=address) if greeting else f"The studio: {address}")
        if first.needed():
            say(f"Make the first account: {address}/first/{first.token()}/")

    serve_studio(home, os.environ.get("DATABASE_URL", ""), host=host, port=port, workers=workers, ready=ready)


def _refuse_taken(host: str, port: int) -> None:
    import socket

    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            raise wrong(
                f"{host}:{port} cannot be used: {error.strerror}", "port", "Choose another with --port.", value=port
            ) from error
