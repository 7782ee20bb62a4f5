"""Edits as the work page sends them: spans are half-open code points of the texts as they were imported."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from ninja import Schema
from pydantic import Field, TypeAdapter, ValidationError

from rubrica.core.answers import from_json
from rubrica.core.edits import Edit, Span
from rubrica.core.errors import wrong

Offset = Annotated[int, Field(ge=0, le=10_000_000, strict=True)]
SpanIn = tuple[Offset, Offset]


class EditIn(Schema):
    """One edit. ``parent`` is the id of the composite edit that it is part of."""

    id: str = Field(min_length=1, max_length=100)
    operation: str = Field(max_length=100)
    source: list[SpanIn] = Field(default=[], max_length=200)
    rewrite: list[SpanIn] = Field(default=[], max_length=200)
    answers: dict[str, Any] = {}
    parent: str = Field(default="", max_length=100)


def edits_from(given: Sequence[EditIn]) -> tuple[Edit, ...]:
    """The edits as ``core`` knows them."""
    return tuple(
        Edit(
            id=one.id,
            operation=one.operation,
            source=tuple(Span(*span) for span in one.source),
            rewrite=tuple(Span(*span) for span in one.rewrite),
            answers=from_json(one.answers),
            parent=one.parent,
        )
        for one in given
    )


_many = TypeAdapter(list[EditIn])


def read_edits(data: Any) -> tuple[Edit, ...]:
    """The edits of a body that no schema has read. InputError if they have not the right form."""
    try:
        return edits_from(_many.validate_python(data))
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        raise wrong(f"edits.{place}: {first['msg']}", "form", "See the API's description.") from None
