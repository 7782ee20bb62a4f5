"""Promises that no change may move unseen: hashes of protocols, the JSON of commands, seeded figures and orders.

`make pins` writes what is pinned anew.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from reference_pages import commands

from tests.conftest import Printed, Ran
from tests.making import stored_sheet
from tests.pins import pinned
from tests.store.conftest import person, submit, take

NO_JSON = {
    "rubrica split",
    "rubrica",
    "rubrica demo",
    "rubrica serve",
    "rubrica user add",
    "rubrica home accept",
    "rubrica people reset",
}
"""Commands that print no JSON."""
KNOWN = dict(commands.walk())
ITERATED = {"glad", "--mixed"}
"""What an optimiser computes."""


def _command(arguments: tuple[str, ...]) -> str:
    """The command that a command line runs."""
    names = [name for name in KNOWN if arguments[: len(name) - 1] == name[1:]]
    return " ".join(max(names, key=len))


def _file(command: str) -> str:
    """The name of the file in which it is pinned."""
    return command.removeprefix("rubrica ").replace(" ", "_")


def test_what_commands_print_is_pinned(printed: list[Printed]) -> None:
    """The JSON of every command is as it was, of a report also its tables; hashes and seeded figures included."""
    found: dict[str, dict[str, Any]] = defaultdict(dict)
    for arguments, output, tables in printed:
        kept = pinned.rounded(output, pinned.ITERATED) if ITERATED & set(arguments) else output
        found[_command(arguments)][" ".join(arguments)] = kept if tables is None else kept | {"tables": tables}
    assert {_command(name[1:]) for name in KNOWN} == found.keys() | NO_JSON, "a new command needs a run, see runs.py"
    pinned.check({_file(command): value for command, value in found.items()})


def test_no_pin_is_left_over() -> None:
    """A file of what is pinned belongs to a command or an order."""
    wanted = {_file(_command(name[1:])) for name in KNOWN} - {_file(name) for name in NO_JSON}
    assert {file.stem for file in pinned.EXPECTED.iterdir()} - {"order_of_sheets", "order_of_leases"} == wanted


@pytest.fixture
def study(rubrica: Callable[..., Ran], tmp_path: Path) -> str:
    """A study of groups and single items for two people each, with planted duplicates and known answers."""
    lines = ["id,source,rewrite,group", *(f"i{n},Gate {n} is old.,Gate {n}.,{_group(n)}" for n in range(1, 15))]
    (tmp_path / "items.csv").write_text("\n".join(lines) + "\n")
    (tmp_path / "gold.csv").write_text("id,source,rewrite,meaning\nk1,Mill 1 is old.,Mill 1.,3\nk2,Mill 2.,Mill.,2\n")
    checks = f"duplicates=30%,gold={tmp_path / 'gold.csv'}"
    options = ("--protocol", "breve", "--items", tmp_path / "items.csv", "--overlap", 2, "--checks", checks)
    assert rubrica("study", "new", "s", *options, "--seed", 11).code == 0
    return "s"


def _group(number: int) -> str:
    """Three items in one group, two in another, the others alone."""
    return "a" if number <= 3 else "b" if number <= 5 else ""


def test_the_order_of_sheets_is_pinned(rubrica: Callable[..., Ran], study: str, tmp_path: Path) -> None:
    """With the same seed the same people get the same items in the same order on their sheets."""
    assert rubrica("sheets", "write", study, "--annotators", "ana,ben,eva", "--out", tmp_path, "--size", 6).code == 0
    sheets = {file.stem: stored_sheet(file).rows for file in sorted(tmp_path.glob("*.xlsx"))}
    dealt = {name: " ".join(row.item.key for row in rows) for name, rows in sheets.items()}
    pinned.check({"order_of_sheets": dealt})


def test_the_order_of_leases_is_pinned(study: str) -> None:
    """With the same seed people who come in the same order are lent the same items, until nothing is left."""
    from rubrica.store.models import Annotator, Stage

    stage = Stage.objects.select_related("study", "protocol_version").get()
    lent: dict[str, list[str]] = {name: [] for name in ("ana", "ben", "eva")}
    for name in lent:
        Annotator.objects.filter(pk=person(stage, name).pk).update(pid=name)  # in part the order follows from it
    for _ in range(12):
        for name, met in lent.items():
            for lease in take(stage, name)[:2]:
                met.append(lease.item.key)
                submit(lease, f"{name}-{len(met)}")
    pinned.check({"order_of_leases": {name: " ".join(keys) for name, keys in lent.items()}})
