"""Labels in an order (`--scale low,mid,high`) go through every command about ratings: they have no mean, and say so."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Ran

pytestmark = pytest.mark.any_database

TABLE = """item,sys,who,q
1,a,x,low
1,a,y,mid
1,b,x,high
1,b,y,high
2,a,x,mid
2,a,y,mid
2,b,x,high
2,b,y,mid
3,a,x,low
3,a,y,low
3,b,x,mid
3,b,y,high
"""
OPTIONS = (*("--unit", "item,sys", "--rater", "who", "--value", "q"), *("--system", "sys", "--scale", "low,mid,high"))


@pytest.mark.parametrize("command", ["agree", "check", "aggregate", "compare", "plan", "report"])
def test_labels_in_an_order(rubrica: Callable[..., Ran], tmp_path: Path, command: str) -> None:
    """No command breaks; systems are compared by the share of the highest label: b has 4 of 6, a has none."""
    file = tmp_path / "ratings.csv"
    file.write_text(TABLE, encoding="utf-8")
    more = ("-o", tmp_path / "out", "--no-charts") if command == "report" else ("--json",)
    ran = rubrica(command, file, *OPTIONS, *more)
    assert ran.code == 0, ran.err
    if command == "compare":
        figures = {row["system"]: row["value"] for row in ran.json["results"] if row.get("figure") == "top"}
        assert figures == {"a": 0.0, "b": pytest.approx(4 / 6)}
