"""What the researchers' endpoints share: strict bodies, pages of lists, texts that every database can keep.

Reading request bodies as JSON proper: Python also takes what no database could keep.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Generic, TypeVar

from django.db.models import Model, QuerySet
from django.http import HttpRequest
from ninja import Schema
from ninja.parser import Parser
from pydantic import AfterValidator, ConfigDict, Field

from rubrica.core.json_text import parse_json
from rubrica.core.typed import storable
from rubrica.studio.api.errors import ErrorsOut

REFUSALS: dict[int, type[Schema]] = dict.fromkeys((400, 401, 403, 404, 413, 422, 503, 507), ErrorsOut)
"""What an endpoint may answer instead: a broken body, nobody, not allowed, not there, too much, wrong, not saved."""

Result = TypeVar("Result")
Row = TypeVar("Row", bound=Model)


def kept(value: Any) -> Any:
    """Refuse texts that no database can hold, wherever they stand."""
    if isinstance(value, str) and not storable(value):
        raise ValueError("a text cannot hold NUL or half of a surrogate pair")
    if isinstance(value, Mapping):
        for key, part in value.items():
            kept(key)
            kept(part)
    elif isinstance(value, Iterable) and not isinstance(value, str):
        for part in value:
            kept(part)
    return value


Text = Annotated[str, AfterValidator(kept)]
Words = Annotated[str, Field(max_length=2000), AfterValidator(kept)]
"""A reason, a note or a remark."""
Name = Annotated[str, Field(min_length=1, max_length=200), AfterValidator(kept)]
Values = Annotated[dict[str, Any], AfterValidator(kept)]
"""An object whose keys the protocol or the researcher decides."""


class Body(Schema):
    """A request body: unknown keys and values of another type are refused."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Paging(Schema):
    """Which part of a list."""

    limit: int = Field(default=100, ge=1, le=500, description="How many at most.")
    offset: int = Field(default=0, ge=0, le=2_147_483_647, description="How many to leave out at the start.")

    def cut(self, rows: QuerySet[Row]) -> list[Row]:
        """This part of the rows."""
        return list(rows[self.offset : self.offset + self.limit])


class ListOut(Schema, Generic[Result]):
    """A part of a list; ``count`` is how many there are in all."""

    count: int
    results: list[Result]


class ReasonIn(Body):
    """Why."""

    reason: Words = ""


class ChangedOut(Schema):
    """Whether anything was changed: doing the same again changes nothing."""

    changed: bool


class StrictParser(Parser):
    """Refuses what is not JSON, and says so as any other broken body."""

    def parse_body(self, request: HttpRequest) -> Any:
        # Numbers that are too large are infinite, and left to those who know the field.
        return parse_json(request.body, float)
