"""`rubrica serve`: a real server in a process of its own, started, asked, stopped."""

from __future__ import annotations

import http.client
import json
import os
import re
import signal
import socket
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from django.db import connections

from benchmarks.studio_server import Server, free_port, running, studio
from tests.conftest import Ran


def ask(server: Server, path: str, host: str = "127.0.0.1") -> http.client.HTTPResponse:
    """The answer to a GET."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)
    connection.request("GET", path, headers={"Host": host})
    response = connection.getresponse()
    response.body = response.read()  # type: ignore[attr-defined]
    return response


def logged(server: Server) -> list[dict[str, Any]]:
    """The lines of JSON that the server wrote."""
    return [json.loads(line) for line in server.log.read_text().splitlines() if line.startswith("{")]


def until(condition: Callable[[], object], seconds: float = 90) -> bool:
    """Wait for it."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.1)
    return True


def alive(pid: int) -> bool:
    """Whether a process runs."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def children(pid: int) -> list[int]:
    """Processes that this one started."""
    tasks = Path(f"/proc/{pid}/task").glob("*/children")
    return [int(one) for task in tasks for one in task.read_text().split()]


@pytest.fixture
def server(home: Path) -> Iterator[Server]:
    """A studio that logs every request."""
    url = os.environ.get("DATABASE_URL", "")
    with running(studio(home, free_port(), url, RUBRICA_LOG="debug")) as started:
        yield started


@pytest.mark.any_database
def test_it_answers_logs_and_stops(server: Server) -> None:
    """Pages and files are served; every line of the log is JSON without tokens; SIGTERM ends all with code 0."""
    health = json.loads(ask(server, "/health").body)  # type: ignore[attr-defined]
    assert health["status"] == "ok"
    assert until(lambda: "Make the first account" in server.log.read_text())
    assert ask(server, "/w/abcdefgh12345678secretsecretsecretsec/").status == 404
    assert ask(server, "/health", host="evil.example").status == 400
    first, *_ = [word for word in server.log.read_text().split() if "/first/" in word]
    page = ask(server, "/" + first.split("/", 3)[3])
    assert page.status == 200
    css = next(part for part in page.body.decode().split('"') if part.endswith(".css"))  # type: ignore[attr-defined]
    assert "immutable" in (ask(server, css).getheader("Cache-Control") or "")
    pids = [pid for child in (server.process.pid, *children(server.process.pid)) for pid in (child, *children(child))]
    assert len(set(pids)) >= 4
    assert server.stop() == 0
    assert until(lambda: not any(map(alive, pids)))
    requests = [entry for entry in logged(server) if entry["what"] == "request"]
    assert {"/health", "/w/…/", "/first/…/"} <= {entry["path"] for entry in requests}
    assert "secretsecret" not in server.log.read_text()
    said = [line for line in server.log.read_text().splitlines() if line and not line.startswith("{")]
    assert [line.split(":")[0] for line in said[:2]] == ["The studio", "Make the first account"]
    assert said[2].startswith(
        "Only this machine reaches it. For colleagues in your network, start it with --host 0.0.0.0."
    )


@pytest.mark.any_database
def test_processes_that_die(server: Server) -> None:
    """A worker or the process for long work that dies is replaced, and the log says so.

    When the main process itself is killed the others end by themselves, and the port is free again.
    """
    before = children(server.process.pid)
    for pid in before:
        if b"resource_tracker" not in Path(f"/proc/{pid}/cmdline").read_bytes():
            os.kill(pid, signal.SIGKILL)
    assert until(lambda: len(set(children(server.process.pid)) - set(before)) >= 3)
    server.wait()
    assert until(lambda: "long work ended" in server.log.read_text())
    assert any("worker" in entry["what"] for entry in logged(server) if entry["level"] == "error")
    below = children(server.process.pid)
    os.kill(server.process.pid, signal.SIGKILL)
    server.process.wait()
    assert until(lambda: not any(map(alive, below)))
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        probe.bind(("127.0.0.1", server.port))


def sign_in(server: Server, name: str, forwarded: str) -> int:
    """The status of signing in with a wrong password through a proxy on this machine that says who asked."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
    connection.request("GET", "/sign-in/")
    page = connection.getresponse()
    cookie = (page.getheader("Set-Cookie") or "").partition(";")[0]
    token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page.read().decode())
    assert token is not None
    form = urlencode({"username": name, "password": "wrong", "csrfmiddlewaretoken": token[1]})
    headers = {"Cookie": cookie, "Content-Type": "application/x-www-form-urlencoded", "X-Forwarded-For": forwarded}
    connection.request("POST", "/sign-in/", form, headers)
    answer = connection.getresponse()
    answer.read()
    return answer.status


@pytest.mark.any_database
def test_two_studios_share_a_home_and_end_by_ctrl_c(home: Path) -> None:
    """Two servers work on the same studies; an interrupt of the whole group ends one without a traceback.

    Behind a proxy that is named, ten wrong guesses make one client wait, whatever it forges, and no other.
    """
    from rubrica.studio.accounts.sign_in import begin
    from rubrica.studio.proxies import customer_of

    url = os.environ.get("DATABASE_URL", "")
    with running(studio(home, free_port(), url, workers=1, RUBRICA_TRUSTED_PROXIES="127.0.0.1,::1")) as one:
        two = studio(home, free_port(), url, workers=1)
        with running(two):
            assert ask(two, "/health").status == ask(one, "/health").status == 200
            os.killpg(two.process.pid, signal.SIGINT)
            assert two.process.wait(60) == 0
        assert ask(one, "/health").status == 200
        # Each guess is slow, as it should be: most of them are written down as the server does it.
        assert all(begin(f"name{number}", customer_of("203.0.113.7"), datetime.now(UTC)) for number in range(9))
        connections.close_all()
        guesses = [sign_in(one, f"name{number}", f"198.51.100.{number}, 203.0.113.7") for number in (9, 10)]
        assert guesses == [200, 429]
        assert sign_in(one, "other", "203.0.113.8") == 200
    assert "Traceback" not in two.log.read_text()


def test_a_taken_port_is_refused(rubrica: Callable[..., Ran]) -> None:
    """The message names the address and what to do; the code is 1."""
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        ran = rubrica("serve", "--port", port)
    assert ran.code == 1
    assert f"127.0.0.1:{port}" in ran.err
    assert "--port" in ran.err


def test_an_address_that_is_not_ours_is_refused(rubrica: Callable[..., Ran]) -> None:
    """So is a host name that nobody has."""
    assert rubrica("serve", "--host", "192.0.2.1", "--port", free_port()).code == 1


@pytest.mark.any_database
def test_an_unknown_log_level_is_refused(home: Path) -> None:
    """The message lists the levels; the code is 1."""
    server = studio(home, free_port(), os.environ.get("DATABASE_URL", ""), RUBRICA_LOG="loud")
    assert server.process.wait(60) == 1
    assert "debug, info, warning, error" in server.log.read_text()


@pytest.mark.any_database
def test_a_proxy_that_is_no_address_is_refused(rubrica: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch) -> None:
    """The message names it and what to write; the code is 1."""
    monkeypatch.setenv("RUBRICA_TRUSTED_PROXIES", "")
    ran = rubrica("serve", "--port", free_port(), "--trusted-proxy", "127.0.0.1", "--trusted-proxy", "localhost")
    assert ran.code == 1
    assert "'localhost' is no address of a proxy" in ran.err


@pytest.mark.any_database
def test_a_home_that_lost_work_is_not_served(home: Path) -> None:
    """The studio does not start on a home that is behind its mark: it says so, and what to do, and ends with code 1."""
    from rubrica.home.sqlite.mark import Mark, Newest

    mark = Mark.of(str(home / "rubrica.sqlite3"))
    assert mark is not None
    mark.set(Newest(77, 5, 900, 1, "0" * 64))
    mark.close()
    server = studio(home, free_port())
    assert server.process.wait(60) == 1
    told = server.log.read_text()
    assert "revision 77, audit event 5 and row 900 of all tables had been saved" in told
    assert "rubrica home accept" in told
    assert "Traceback" not in told


@pytest.mark.any_database
@pytest.mark.parametrize(
    ("host", "allow", "said"),
    [
        ("127.0.0.1", [], "start it with --host 0.0.0.0. They then open http://198.51.100.7:8123."),
        ("0.0.0.0", [], "For colleagues: http://198.51.100.7:8123 "),
        ("0.0.0.0", ["desk.example"], "For colleagues: http://desk.example:8123 "),
        ("10.1.2.3", [], "For colleagues: http://10.1.2.3:8123 "),
    ],
)
def test_an_address_for_colleagues_is_printed(
    host: str, allow: list[str], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """This machine's address in its network, or the way to one."""
    from rubrica.cli import serve

    monkeypatch.setattr(serve, "network_address", lambda: "198.51.100.7")
    assert said in serve.for_colleagues(host, 8123, allow)
    monkeypatch.setattr(serve, "network_address", lambda: "")
    assert "None" not in serve.for_colleagues(host, 8123, allow)


@pytest.mark.any_database
def test_a_taken_port_leads_to_the_next_one(rubrica: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch) -> None:
    """The demo takes the next free port; `serve` names one."""
    from rubrica.cli import serve

    first = free_port()
    monkeypatch.setattr(serve, "USUAL_PORT", first)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", first))
        taken.listen()
        found = serve.free_port("127.0.0.1")
        assert first < found < first + serve.TRIED_PORTS
        assert f"--port {found} is free" in rubrica("serve", "--port", first).err
    assert serve.free_port("127.0.0.1") == first
