"""The same people at work in Potato: its own requests, as its page sends them."""

from __future__ import annotations

import http.client
import json
import re
import time
import uuid
from collections.abc import Callable
from urllib.parse import urlencode

from benchmarks.studio_load import ANSWERS, DRAFTS, Link, Save

_ITEM = re.compile(r'id="instance_id"[^>]*value="([^"]*)"')
LABELS = [f"{question}:::{answer}" for question, answer in ANSWERS.items()]


def register(port: int, name: str) -> str:
    """Sign somebody up; the session's cookie, which stands in for a link's token."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    connection.request("POST", "/register", urlencode({"email": name, "pass": "seven tall gates"}), form)
    response = connection.getresponse()
    response.read()
    cookie = response.getheader("Set-Cookie")
    if response.status != 302 or cookie is None:
        raise RuntimeError(f"Potato did not register {name}: {response.status}")
    return cookie.split(";")[0]


def annotate(link: Link, saves: list[Save], going: Callable[[], bool]) -> None:
    """Next item, three saves, on to the next; going on counts as a save, as our submit does."""
    while going():
        page = _ask(link, "GET", "/annotate")
        found = _ITEM.search(page or "")
        if found is None:
            return
        for number in range(1, DRAFTS + 1):
            said = {"instance_id": found[1], "annotations": dict.fromkeys(LABELS[: 2 * number], "on")}
            if _ask(link, "POST", "/updateinstance", {**said, "span_annotations": []}) is not None:
                saves.append(Save(found[1], uuid.uuid4().hex, draft=True))
        if _ask(link, "POST", "/annotate", {"action": "next_instance", "instance_id": found[1]}) is not None:
            saves.append(Save(found[1], uuid.uuid4().hex, draft=False))


def _ask(link: Link, method: str, path: str, body: object = None) -> str | None:
    headers = {"Cookie": link.token}
    if body is not None:
        headers |= {"Content-Type": "application/json", "X-Potato-Navigation": "1"}
    start = time.perf_counter()
    try:
        link.connection.request(method, path, None if body is None else json.dumps(body), headers)
        response = link.connection.getresponse()
        content = response.read().decode()
    except (OSError, http.client.HTTPException) as error:
        link.connection.close()
        link.failures.append(f"{method} {path}: {error!r}")
        return None
    link.seconds.append(time.perf_counter() - start)
    if response.status != 200 or '"status": "error"' in content[:200]:
        link.failures.append(f"{method} {path}: {response.status} {content[:200]!r}")
        return None
    return content
