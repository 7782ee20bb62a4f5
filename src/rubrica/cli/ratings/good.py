"""`--good`: which answer of a file is the good one, for commands that compare systems."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from rubrica.cli.options import pairs
from rubrica.cli.ratings.given import Given

if TYPE_CHECKING:
    from rubrica.core.ratings import Ratings

GoodOption = Annotated[
    list[str] | None,
    typer.Option("--good", metavar="QUESTION=ANSWER", help="The answer of which more is better, of labels in a file."),
]


def read_with_good(given: Given, good: list[str] | None) -> Ratings:
    """The ratings, with the good answers that were named. Raises InputError with every problem."""
    from rubrica.report.comparison_good import with_good

    named = pairs(good or [], "--good")
    return with_good(given.read(), named)
