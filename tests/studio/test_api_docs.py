"""The page of the API: every operation is on it, nothing comes from outside."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.test import Client

pytestmark = pytest.mark.any_database


def test_every_operation_is_on_the_page(home: Path) -> None:
    """What openapi.json lists is on the page, readable without script, with a line to try it."""
    described = Client().get("/api/v1/openapi.json").json()
    page = Client().get("/api/v1/docs").content.decode()
    for path, methods in described["paths"].items():
        assert f'<code class="path">{path}</code>' in page
        for operation in methods.values():
            assert operation["description"], path
            assert f'id="{operation["operationId"]}"' in page
    for target in re.findall(r'href="#(schema-[^"]+)"', page):
        assert f'id="{target}"' in page


def test_the_page_asks_no_outside_host(home: Path) -> None:
    """Scripts, styles and pictures are our own, and there is no inline script or style."""
    page = Client().get("/api/v1/docs").content.decode()
    assert not re.search(r'(src|href)="(https?:)?//', page)
    assert not re.search(r"<style|style=|onclick=|<script(?![^>]*src=)", page)


def test_the_page_only_answers_get(home: Path) -> None:
    """Posting to it is refused."""
    assert Client().post("/api/v1/docs").status_code == 405


def test_names_of_schemas_are_used_once(home: Path) -> None:
    """Two schemas of one name would silently be one in the description."""
    import importlib
    import pkgutil

    from ninja import Schema

    import rubrica.studio.api as room

    found: dict[str, str] = {}
    for module in pkgutil.iter_modules(room.__path__):
        for name, value in vars(importlib.import_module(f"rubrica.studio.api.{module.name}")).items():
            if isinstance(value, type) and issubclass(value, Schema) and value.__module__.startswith(room.__name__):
                assert found.setdefault(name, value.__module__) == value.__module__
    assert len(found) > 50
