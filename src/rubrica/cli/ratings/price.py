"""What a rating costs: as it was given, else as the study pays."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from rubrica.core.ratings import Ratings
    from rubrica.report.crowd_reliability import Price

PriceOption = Annotated[
    float | None, typer.Option("--price", metavar="X", min=0, help="What a rating costs (a study: as it pays).")
]
FeeOption = Annotated[
    float | None, typer.Option("--fee", metavar="PERCENT", min=0, help="The platform's percentage on top.")
]


def price_of_rating(ratings: Ratings, price: float | None, fee: float | None) -> Price | None:
    """As it was given, else as the study pays."""
    from rubrica.report.crowd_reliability import Price

    own = None
    if "study" in ratings.origin:
        from rubrica.store import studies
        from rubrica.store.money.costs import rating_price

        own = rating_price(studies.find(str(ratings.origin["study"])), str(ratings.origin["stage"]))
    if price is None and own is None:
        return None
    known = own or Price(rating=Decimal(0))
    return Price(
        rating=known.rating if price is None else Decimal(str(price)),
        fee_percent=known.fee_percent if fee is None else Decimal(str(fee)),
        currency=known.currency,
    )
