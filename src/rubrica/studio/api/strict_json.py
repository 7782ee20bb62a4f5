"""Reading request bodies as JSON proper: Python also takes what no database could keep."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from ninja.parser import Parser

from rubrica.core.json_text import parse_json


class StrictParser(Parser):
    """Refuses what is not JSON, and says so as any other broken body."""

    def parse_body(self, request: HttpRequest) -> Any:
        # Numbers that are too large are infinite, and left to those who know the field.
        return parse_json(request.body, float)
