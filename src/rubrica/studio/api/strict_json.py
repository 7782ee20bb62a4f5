"""Reading request bodies as JSON proper: Python also takes NaN and Infinity, which no database could keep."""

from __future__ import annotations

import json
from typing import Any, NoReturn

from django.http import HttpRequest
from ninja.parser import Parser


class StrictParser(Parser):
    """Refuses what is not JSON, and says so as any other broken body."""

    def parse_body(self, request: HttpRequest) -> Any:
        return parsed(request)


def parsed(request: HttpRequest) -> Any:
    """The body. Raises ValueError."""
    return json.loads(request.body, parse_constant=_refuse)


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not JSON")
