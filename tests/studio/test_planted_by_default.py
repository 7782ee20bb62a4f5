"""Adequacy and fluency: hidden duplicates by default, and annotators told of tests only where there are some."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from tests.conftest import Ran
from tests.studio.conftest import NOW

ITEMS = "id,reference,hypothesis\n" + "".join(f"p{n},The gate {n} is shut.,Gate {n} is shut.\n" for n in range(1, 41))


def made(rubrica: Callable[..., Ran], tmp_path: Path, *more: str) -> dict[str, Any]:
    """A study of forty pairs, as `study show` has it."""
    file = tmp_path / "pairs.csv"
    file.write_text(ITEMS)
    ran = rubrica("study", "new", "t", "--protocol", "adequacy_fluency", "--items", file, *more)
    assert ran.code == 0, ran.err
    shown: dict[str, Any] = rubrica("study", "show", "t", "--json").json["study"]
    return shown


def told(tmp_path: Path, rubrica: Callable[..., Ran]) -> list[bool]:
    """Whether page, guidelines and sheet tell an annotator of tests."""
    import openpyxl

    from rubrica.exchange.study_options import STEPS
    from rubrica.store.models import Study
    from rubrica.store.people.invitations import invite, token

    study = Study.objects.get(name="t")
    study.options["steps"] = dict.fromkeys(STEPS, False)
    study.save()
    door = f"/w/{token(invite(study, ['eva'], NOW)[0])}"
    page = Client().get(f"{door}/work/", follow=True).content.decode()
    guide = Client().get(f"{door}/guidelines/").content.decode()
    out = rubrica("sheets", "write", "t", "--annotators", "ana", "--out", tmp_path / "s", "--json").json["files"][0]
    book = openpyxl.load_workbook(out)
    sheet = " ".join(str(cell.value) for row in book["Guidelines"].iter_rows() for cell in row if cell.value)
    assert "<!--" not in page.partition("<main")[2] + sheet
    return ["tests of consistency" in page, "consistent way" in guide, "consistent way" in sheet]


def test_duplicates_are_planted_by_default_and_told_of(home: Path, rubrica: Callable[..., Ran], tmp_path: Path) -> None:
    """Five in a hundred come twice without being asked for, and page, guidelines and sheet say that there are tests."""
    assert made(rubrica, tmp_path)["duplicates"] == 2
    assert told(tmp_path, rubrica) == [True, True, True]


def test_the_overview_speaks_of_the_checks_that_are_planted(
    home: Path, rubrica: Callable[..., Ran], tmp_path: Path
) -> None:
    """Duplicates alone: nothing is said of known answers, as if some were waiting for somebody."""
    from django.contrib.auth.models import User

    from rubrica.store.models import Study
    from tests.studio.judging import judge

    made(rubrica, tmp_path)
    judge(Study.objects.get(name="t"), "ana")
    client = Client()
    client.force_login(User.objects.create_superuser("boss"))
    body = client.get(f"/s/{Study.objects.get(name='t').pid}/").content.decode()
    assert "Hidden duplicates answered the same or near" in body
    assert "Known answers right" not in body


def test_nobody_is_told_of_tests_where_none_are_planted(
    home: Path, rubrica: Callable[..., Ran], tmp_path: Path
) -> None:
    """They can be left out, and then nothing is said of them."""
    assert made(rubrica, tmp_path, "--checks", "duplicates=0%")["duplicates"] == 0
    assert told(tmp_path, rubrica) == [False, False, False]


def test_a_study_made_in_the_studio_plants_them_with_its_items(home: Path) -> None:
    """The draft has the protocol's share, and gets its duplicates when the items come."""
    from django.contrib.auth.models import User

    from rubrica.core.study import Item
    from rubrica.protocols.catalog import load_shipped
    from rubrica.store.setup.setting_up import begin
    from rubrica.store.setup.study_items import replace_items
    from rubrica.store.studies import Plan

    owner = User.objects.create(username="o")
    study = begin(Plan(title="T", name="t", loaded=load_shipped("adequacy_fluency")), owner, NOW)
    items = [Item(f"p{n}", {"reference": f"Gate {n}.", "hypothesis": f"The gate {n}."}) for n in range(40)]
    replace_items(study, items, NOW, "o")
    assert study.items.filter(planted__kind="duplicate").count() == 2


@pytest.mark.parametrize("count", [1, 2])
def test_a_tiny_study_has_no_room_for_them(home: Path, rubrica: Callable[..., Ran], tmp_path: Path, count: int) -> None:
    """With fewer than three items nothing is planted by default, and nothing is refused."""
    file = tmp_path / "few.csv"
    file.write_text("\n".join(ITEMS.splitlines()[: count + 1]) + "\n")
    assert rubrica("study", "new", "few", "--protocol", "adequacy_fluency", "--items", file).code == 0
    assert rubrica("study", "show", "few", "--json").json["study"]["duplicates"] == 0
