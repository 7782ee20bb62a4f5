"""`rubrica plan`: from the example file and from a study; costs, the chart, bad requests."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Ran
from tests.docs.pages import DOCS
from tests.making import fill, write_pairs

pytestmark = pytest.mark.any_database
Rubrica = Callable[..., Ran]
FILE = (
    *(DOCS / "examples" / "systems" / "ratings.csv", "--unit", "dataset,text,system", "--rater", "rater"),
    *("--system", "system", "--dataset", "dataset", "--protocol", "split_rate", "--value", "sensible,correct"),
)
SMALL = ("--items", "20,40", "--raters", "1,3", "--simulations", "60")


def test_a_file_gives_widths_power_and_cost(rubrica: Rubrica) -> None:
    """A row for each criterion, number of items and of raters; the pair and the effect can be chosen."""
    options = ("--between", "rules,people", "--effect", "0.2", "--price", "0.07", "--fee", "20", "--json")
    found = rubrica("plan", *FILE, *SMALL, *options).json
    assert found["systems"] == ["rules", "people"]
    assert [(one["criterion"], one["items"], one["raters"]) for one in found["results"]][:3] == [
        ("sensible", 20, 1),
        ("sensible", 20, 3),
        ("sensible", 40, 1),
    ]
    first = found["results"][0]
    assert first["effect"] == 0.2
    # 20 items x 1 rater x 2 systems x 0.07 x 1.2
    assert first["cost"] == pytest.approx(3.36)
    assert 0 <= first["power"] <= 1
    assert "effect:0.2" in found["signature"]
    assert found["variances"][0]["within"] > 0


def test_the_observed_effect_is_the_default(rubrica: Rubrica) -> None:
    """It is said that it is uncertain; the same seed gives the same."""
    first, again = (rubrica("plan", *FILE, *SMALL, "--seed", "4") for _ in range(2))
    assert first.out == again.out
    assert "the effect is the pilot's own" in first.err
    assert "no price is known" in first.out


def test_a_chart(rubrica: Rubrica, tmp_path: Path) -> None:
    """As a picture in two forms, as Vega-Lite and as data."""
    ran = rubrica("plan", *FILE, *SMALL, "--charts", tmp_path)
    assert ran.code == 0
    assert {file.name for file in tmp_path.iterdir() if file.is_file()} == {
        *("plan.svg", "plan.png", "plan.vl.json", "plan.csv")
    }


def test_a_study_of_one_system(rubrica: Rubrica, tmp_path: Path) -> None:
    """Widths of means, and the reason why there is no power."""
    items = write_pairs(tmp_path / "items.csv", 5)
    rubrica("study", "new", "pilot", "--protocol", "adequacy_fluency", "--items", items)
    out = ("--out", tmp_path / "sheets", "--json")
    for file in rubrica("sheets", "write", "pilot", "--annotators", "ana,ben", *out).json["files"]:
        fill(Path(file))
        rubrica("sheets", "read", "pilot", file)
    found = rubrica("plan", "pilot", *SMALL, "--json").json["results"]
    assert {one["criterion"] for one in found} == {"content_preservation", "fluency"}
    assert isinstance(found[0]["width_mean"], float)
    assert "two systems" in found[0]["power"]["reason"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--items", "1"), "--items '1'"),
        (("--raters", "two"), "--raters 'two'"),
        (("--between", "rules,other"), "there is no system 'other'"),
        (("--between", "rules"), "a difference is between two systems"),
    ],
)
def test_bad_requests_are_named(rubrica: Rubrica, arguments: tuple[str, ...], message: str) -> None:
    """Exit 1 and what to do."""
    ran = rubrica("plan", *FILE, *arguments)
    assert ran.code == 1
    assert message in ran.err
