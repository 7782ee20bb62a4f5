"""Simulated annotators for the studio: real requests over HTTP to a real server, from processes of their own.

Used by the benchmark of the studio and by the test that kills the server. Each annotator asks for the next item, saves
three drafts and submits, over and over; a request that gets no answer is sent again with its key, as the page does.
"""

from __future__ import annotations

import http.client
import json
import os
import random
import resource
import subprocess
import sys
import threading
import time
import uuid
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

ANSWERS = {"simplification": 3, "meaning": 3, "fluency": 3, "concern": "no", "acceptance": "accept", "needed": "yes"}
"""A whole judgement of the protocol `breve`."""
DRAFTS = 3
CLIENTS = 2
"""Processes that the annotators are spread over, so that the load generator is not what is measured."""


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


def annotate(
    link: Link, saves: list[Save], going: Callable[[], bool], think: Callable[[], None] = lambda: None
) -> None:
    """Next item, three drafts, submit, until told to stop or nothing is left."""
    while going():
        work = link.send("GET", "/next")
        if not work or not work["leases"]:
            return
        lease = work["leases"][0]["lease"]
        visit, so_far = uuid.uuid4().hex, list(ANSWERS.items())
        base = 0
        for number in range(1, DRAFTS + 1):
            base = _save(link, saves, lease, dict(so_far[: 2 * number]), visit, draft=True, base=base)
            think()
        _save(link, saves, lease, ANSWERS, visit, draft=False, base=base)


def at_work(link: Link, saves: list[Save], going: Callable[[], bool]) -> None:
    """The same as a page does it: about a second between saves, as often as it ever saves."""
    rng = random.Random(link.token)
    time.sleep(rng.random())
    annotate(link, saves, going, lambda: time.sleep(rng.uniform(0.5, 1.5)))


def autosave(link: Link, saves: list[Save], going: Callable[[], bool]) -> None:
    """Drafts of one item, and nothing else."""
    work = link.send("GET", "/next")
    visit, base = uuid.uuid4().hex, 0
    while going():
        base = _save(link, saves, work["leases"][0]["lease"], ANSWERS, visit, draft=True, base=base)


def bare(link: Link, saves: list[Save], going: Callable[[], bool]) -> None:
    """The same body to the bare view."""
    while going():
        _save(link, saves, "bare", ANSWERS, "", draft=True)


def _save(
    link: Link, saves: list[Save], lease: str, answers: dict[str, Any], visit: str, *, draft: bool, base: int = 0
) -> int:
    """Save, as the page does: with the newest revision that it knows. The number of the revision made."""
    key = uuid.uuid4().hex
    said = {"key": key, "answers": answers, "visit": visit, "seconds": 1.5, "base": base}
    if draft:
        receipt = link.send("PUT", f"/{lease}/draft", said)
    else:
        receipt = link.send("POST", "/submit", {"judgements": [{**said, "lease": lease}]})
    if receipt is None:
        return base
    saves.append(Save(lease, key, draft))
    return int(receipt.get("revision", 0))


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


def main() -> None:
    """What each process of :func:`put_load` runs."""
    from benchmarks import potato_people

    doings: dict[str, Doing] = {
        "annotate": annotate,
        "at_work": at_work,
        "autosave": autosave,
        "bare": bare,
        "potato": potato_people.annotate,
    }
    doing, port, seconds, tokens = sys.argv[1:]
    links = [Link(int(port), token) for token in json.loads(tokens)]
    end = time.monotonic() + float(seconds)
    load = work_of(links, doings[doing], lambda: time.monotonic() < end)
    print(json.dumps(load._asdict()))


if __name__ == "__main__":
    main()
