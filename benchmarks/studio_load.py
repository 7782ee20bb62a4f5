"""Simulated annotators for the studio: real requests over HTTP to a real server, from processes of their own.

Used by the benchmark of the studio and by the test that kills the server. Each annotator asks for the next item, saves
three drafts and submits, over and over; a request that gets no answer is sent again with its key, as the page does.
"""

from __future__ import annotations

import http.client
import json
import os
import resource
import signal
import socket
import subprocess
import sys
import threading
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

ANSWERS = {"simplification": 3, "meaning": 3, "fluency": 3, "concern": "no", "acceptance": "accept", "needed": "yes"}
"""A whole judgement of the protocol `breve`."""
DRAFTS = 3
CLIENTS = 2
"""Processes that the annotators are spread over, so that the load generator is not what is measured."""


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
            return self.process.wait(30)
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


class Save(NamedTuple):
    """A save that the server acknowledged."""

    lease: str
    key: str
    draft: bool


class Link:
    """One annotator's connection. ``patient``: what gets no answer is sent again until it does."""

    def __init__(self, port: int, token: str, patient: Callable[[], bool] = lambda: False) -> None:
        self.port, self.token, self.patient = port, token, patient
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        self.failures: list[str] = []
        self.seconds: list[float] = []

    def send(self, method: str, path: str, body: Any = None) -> Any:
        """The answer as JSON; None if the request failed for good."""
        text = None if body is None else json.dumps(body)
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        while True:
            start = time.perf_counter()
            try:
                self.connection.request(method, f"/api/v1/work{path}", text, headers)
                response = self.connection.getresponse()
                content = response.read()
            except (OSError, http.client.HTTPException) as error:
                self.connection.close()
                if self.patient():
                    time.sleep(0.1)
                    continue
                self.failures.append(f"{method} {path}: {error!r}")
                return None
            self.seconds.append(time.perf_counter() - start)
            if response.status != 200:
                self.failures.append(f"{method} {path}: {response.status} {content[:300]!r}")
                return None
            return json.loads(content)


def annotate(link: Link, saves: list[Save], going: Callable[[], bool]) -> None:
    """Next item, three drafts, submit, until told to stop or nothing is left."""
    while going():
        work = link.send("GET", "/next")
        if not work or not work["leases"]:
            return
        lease = work["leases"][0]["lease"]
        visit, so_far = uuid.uuid4().hex, list(ANSWERS.items())
        for number in range(1, DRAFTS + 1):
            _save(link, saves, lease, dict(so_far[: 2 * number]), visit, draft=True)
        _save(link, saves, lease, ANSWERS, visit, draft=False)


def autosave(link: Link, saves: list[Save], going: Callable[[], bool]) -> None:
    """Drafts of one item, and nothing else."""
    work = link.send("GET", "/next")
    visit = uuid.uuid4().hex
    while going():
        _save(link, saves, work["leases"][0]["lease"], ANSWERS, visit, draft=True)


def bare(link: Link, saves: list[Save], going: Callable[[], bool]) -> None:
    """The same body to the bare view."""
    while going():
        _save(link, saves, "bare", ANSWERS, "", draft=True)


def _save(link: Link, saves: list[Save], lease: str, answers: dict[str, Any], visit: str, *, draft: bool) -> None:
    key = uuid.uuid4().hex
    said = {"key": key, "answers": answers, "visit": visit, "seconds": 1.5}
    if draft:
        receipt = link.send("PUT", f"/{lease}/draft", said)
    else:
        receipt = link.send("POST", "/submit", {"judgements": [{**said, "lease": lease}]})
    if receipt is not None:
        saves.append(Save(lease, key, draft))


class Load(NamedTuple):
    """What all annotators did together."""

    saves: list[Save]
    failures: list[str]
    seconds: float
    latencies: list[float]
    client_cpu: float

    @property
    def per_second(self) -> float:
        """Saves a second."""
        return len(self.saves) / self.seconds


Going = Callable[[], bool]
Doing = Callable[[Link, list[Save], Going], None]


def work_of(links: Sequence[Link], doing: Doing, going: Going, saves: list[Save] | None = None) -> Load:
    """All of these people at once, one thread each. ``saves`` may be watched meanwhile."""
    saves = [] if saves is None else saves
    start, used = time.monotonic(), resource.getrusage(resource.RUSAGE_SELF)
    threads = [threading.Thread(target=doing, args=(link, saves, going)) for link in links]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    now_used = resource.getrusage(resource.RUSAGE_SELF)
    cpu = now_used.ru_utime + now_used.ru_stime - used.ru_utime - used.ru_stime
    return Load(
        saves,
        [failure for link in links for failure in link.failures],
        time.monotonic() - start,
        [second for link in links for second in link.seconds],
        cpu,
    )


def put_load(port: int, tokens: Sequence[str], seconds: float, doing: str = "annotate") -> Load:
    """Run the people of these tokens in several processes for so many seconds."""
    shares = [tokens[number::CLIENTS] for number in range(CLIENTS)]
    command = [sys.executable, "-m", "benchmarks.studio_load", doing, str(port), str(seconds)]
    processes = [
        subprocess.Popen([*command, json.dumps(share)], stdout=subprocess.PIPE, text=True) for share in shares if share
    ]
    parts = [json.loads(process.communicate()[0]) for process in processes]
    return Load(
        [Save(*save) for part in parts for save in part["saves"]],
        [failure for part in parts for failure in part["failures"]],
        max(part["seconds"] for part in parts),
        [second for part in parts for second in part["latencies"]],
        sum(part["client_cpu"] for part in parts),
    )


def prepare(home: Path, url: str, people: int, items: int, overlap: int) -> list[str]:
    """A study in this home, without steps before the work, and the tokens of its annotators. In its own process."""
    command = [sys.executable, "-m", "benchmarks.studio_study", "make", str(home), str(people), str(items)]
    environment = {**os.environ, "DATABASE_URL": url}
    made = subprocess.run([*command, str(overlap)], env=environment, check=True, stdout=subprocess.PIPE, text=True)
    return json.loads(made.stdout)  # type: ignore[no-any-return]


class Found(NamedTuple):
    """What the database says about the saves that were acknowledged."""

    lost: int
    doubled: int
    beyond_overlap: int
    revisions: int


def verify(home: Path, url: str, saves: Sequence[Save]) -> Found:
    """Look every acknowledged save up. In a process of its own."""
    command = [sys.executable, "-m", "benchmarks.studio_study", "verify", str(home)]
    environment = {**os.environ, "DATABASE_URL": url}
    looked = subprocess.run(
        command, env=environment, check=True, input=json.dumps(saves), stdout=subprocess.PIPE, text=True
    )
    return Found(*json.loads(looked.stdout))


DOINGS: dict[str, Doing] = {"annotate": annotate, "autosave": autosave, "bare": bare}


def main() -> None:
    """What each process of :func:`put_load` runs."""
    doing, port, seconds, tokens = sys.argv[1:]
    links = [Link(int(port), token) for token in json.loads(tokens)]
    end = time.monotonic() + float(seconds)
    load = work_of(links, DOINGS[doing], lambda: time.monotonic() < end)
    print(json.dumps(load._asdict()))


if __name__ == "__main__":
    main()
