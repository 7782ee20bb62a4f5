"""Of which metrics less is better, so that an order by them can be compared with people's."""

from __future__ import annotations

from collections.abc import Iterable

from rubrica.core.errors import InputError
from rubrica.metrics.catalog import WHERE, metrics_of
from rubrica.metrics.metric import LOWER, Options


def lower_is_better(columns: Iterable[str]) -> frozenset[str]:
    """Those of the columns that are figures of Rubrica's own metrics, of which less is better.

    A figure is named after its metric (``ter``, ``sari_add``); capitals do not matter. Nothing is known of others, nor
    of metrics that are not installed: they count as better when higher.
    """
    return frozenset(column for column in columns if _known(column.casefold()) == LOWER)


def _known(key: str) -> str:
    name = max((name for name in WHERE if key == name or key.startswith(f"{name}_")), key=len, default="")
    if not name:
        return ""
    try:
        metric = metrics_of([name], Options())[0]
    except InputError:
        return ""
    return next((figure.better for figure in metric.figures if figure.key == key), "")
