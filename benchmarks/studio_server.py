"""Servers in processes of their own, started, watched, killed: the studio, the bare view, a PostgreSQL beneath them."""

from __future__ import annotations

import http.client
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[1]


class Server:
    """A `rubrica serve`, or any other command, in a process group of its own."""

    def __init__(self, command: Sequence[str], port: int, environment: dict[str, str], log: Path) -> None:
        self.port = port
        with log.open("ab") as out:
            self.process = subprocess.Popen(
                command, env={**os.environ, **environment}, stdout=out, stderr=out, start_new_session=True
            )
        self.log = log

    def wait(self, path: str = "/health", seconds: float = 180) -> None:
        """Until the server answers."""
        end = time.monotonic() + seconds
        while time.monotonic() < end and self.process.poll() is None:
            try:
                connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=5)
                connection.request("GET", path)
                if connection.getresponse().status < 500:
                    return
            except (OSError, http.client.HTTPException):
                time.sleep(0.1)
        raise RuntimeError(f"the server did not start: {self.log.read_text()[-2000:]}")

    def kill(self) -> None:
        """As a power cut would: all processes at once, without a word."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def stop(self) -> int:
        """Ask it to end; its exit code."""
        self.process.terminate()
        try:
            return self.process.wait(90)
        except subprocess.TimeoutExpired:
            self.kill()
            return -9

    def cpu_seconds(self) -> float:
        """Processor time of the whole group so far, workers included."""
        total = 0
        for stat in Path("/proc").glob("[0-9]*/stat"):
            try:
                fields = stat.read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[2]) == self.process.pid:
                total += int(fields[11]) + int(fields[12])
        return total / os.sysconf("SC_CLK_TCK")


def bare_server(home: Path, port: int, url: str = "") -> Server:
    """The bare view on an empty database of the same kind."""
    command = [sys.executable, "-c", "from benchmarks.bare_view import main; main()", str(port)]
    return Server(command, port, {"RUBRICA_HOME": str(home), "DATABASE_URL": url}, home.parent / f"{home.name}.log")


def studio(home: Path, port: int, url: str = "", workers: int = 2, **environment: str) -> Server:
    """The studio on this home."""
    code = "from rubrica.cli.main import run; run()"
    command = [sys.executable, "-c", code, "serve", "--port", str(port), "--workers", str(workers)]
    more = {"RUBRICA_HOME": str(home), "DATABASE_URL": url, **environment}
    return Server(command, port, more, home.parent / f"{home.name}.log")


@contextmanager
def running(server: Server, path: str = "/health") -> Iterator[Server]:
    """The server, once it answers; stopped in the end."""
    try:
        server.wait(path)
        yield server
    finally:
        if server.process.poll() is None:
            server.stop()


def free_port() -> int:
    """A port that nobody uses now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextmanager
def postgres() -> Iterator[str]:
    """The address of a fresh PostgreSQL server that is gone afterwards. Its fsync is off, for all who use it."""
    command = [str(ROOT / "tools" / "with-postgres"), "sh", "-c", 'echo "$DATABASE_URL"; cat']
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        url = process.stdout.readline().strip()
        if not url:
            raise RuntimeError("PostgreSQL did not start")
        yield url
    finally:
        process.stdin.close()
        process.stdout.close()
        process.wait(60)
