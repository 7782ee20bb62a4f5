"""What is written down about requests: never the secret of a link."""

from __future__ import annotations

import io
import logging
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.test import Client

from rubrica.studio.logs import SECRETS, JsonLines, routes, without_secrets

SECRET = "Zm9v-secret_of-a-link:1abcDE:0123456789"
PART = re.compile(r"<(?:[^>:]+:)?([^>]+)>")
PUBLIC = {
    "action", "annotator", "at", "chapter", "export", "feedback", "flag", "invitation", "item", "job", "judgement",
    "lease", "metric", "name", "number", "part", "payment", "person", "pid", "protocol", "sheet", "stage", "study",
    "words",
}  # fmt: skip
"""Parts of addresses that let nobody in: random public ids, names and numbers."""

pytestmark = pytest.mark.any_database


@pytest.fixture
def log(home: Path) -> Iterator[io.StringIO]:
    """Everything that the studio writes down, at the level that tells most."""
    out = io.StringIO()
    handler = logging.StreamHandler(out)
    handler.setFormatter(JsonLines())
    ours = logging.getLogger("rubrica")
    level = ours.level
    for logger in (ours, logging.getLogger("django")):
        logger.addHandler(handler)
    ours.setLevel("DEBUG")
    yield out
    for logger in (ours, logging.getLogger("django")):
        logger.removeHandler(handler)
    ours.setLevel(level)


def test_every_part_of_an_address_is_known_as_secret_or_public(home: Path) -> None:
    """Whoever adds a part to an address names it as one that is hidden, or adds it to the list of public ones."""
    names = {name for route in routes() for name in PART.findall(route)}
    assert names - SECRETS - PUBLIC == set()
    assert not any("(?P<" in route for route in routes()), "a regular expression as a route is not looked through"


def test_no_secret_of_any_address_is_written_down(log: io.StringIO) -> None:
    """Every address with a secret is asked for, by every method, and found in the log without it."""
    carrying = [route for route in routes() if SECRETS & set(PART.findall(route))]
    assert {route.partition("/")[0] for route in carrying} >= {"w", "join", "first", "sign-up", "new-password"}
    client = Client(raise_request_exception=False)
    for route in carrying:
        filled = PART.sub(lambda part: SECRET if part[1] in SECRETS else "1", route)
        for method in ("get", "post", "delete"):
            getattr(client, method)(f"/{filled}")
    written = log.getvalue()
    assert written.count('"path"') >= 3 * len(carrying)
    assert SECRET not in written
    assert "/sign-up/…/" in written
    assert "/new-password/…/" in written


@pytest.mark.parametrize(
    "path", [f"/sign_up/{SECRET}/", f"/{SECRET}", f"/W/{SECRET}/", f"//join/{SECRET}", f"/x/new-password/{SECRET}/more"]
)
def test_a_mistyped_link_is_not_written_down_either(log: io.StringIO, path: str) -> None:
    """An address that leads nowhere may still hold the secret of one that does."""
    assert Client().get(path).status_code == 404
    assert SECRET not in log.getvalue()


def test_texts_and_tracebacks_hide_secrets(log: io.StringIO) -> None:
    """A message or an error that quotes an address is written without its secret."""
    try:
        raise ValueError(f"cannot read http://studio.example/sign-up/{SECRET}/?x=1")
    except ValueError:
        logging.getLogger("rubrica.somewhere").exception("while at '/new-password/%s/'", SECRET)
    written = log.getvalue()
    assert written.count("/sign-up/…/?x=1") == 2
    assert written.count("/new-password/…/") == 1
    assert SECRET not in written
    assert without_secrets("/s/0123456789abcdef/people/") == "/s/0123456789abcdef/people/"
