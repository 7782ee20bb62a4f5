"""The parametrised test over every protocol folder: from items to judgements and back, on a real database."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from rubrica.protocols.catalog import load_shipped, shipped
from tests.conftest import SERVER, Ran
from tests.length import either
from tests.making import fill

pytestmark = pytest.mark.postgres

PEOPLE = "ana,bob,eva"
TRIED = either(["salsa"] if SERVER else ["adequacy_fluency", "split_rate"], list(shipped()))
"""A few on each database: other tests lead each protocol through its sheets and exports.

On PostgreSQL the one with edits in three stages.
"""


def write_items(protocol_id: str, path: Path) -> int:
    """A CSV with the protocol's fields, from its practice items."""
    protocol = load_shipped(protocol_id).protocol
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, ["id", *(field.id for field in protocol.fields)])
        writer.writeheader()
        writer.writerows({"id": item.id, **item.fields} for item in protocol.practice)
    return len(protocol.practice)


def without(text: str, *keys: str) -> list[dict[str, object]]:
    """Exported lines without what differs between two studies."""
    records = [json.loads(line) for line in text.splitlines()]
    return [{key: value for key, value in record.items() if key not in keys} for record in records]


def _identity(record: dict[str, object]) -> tuple[object, ...]:
    return (record["stage"], record["item"], record["annotator"])


@pytest.mark.parametrize("protocol_id", TRIED)
def test_items_to_judgements_and_back(protocol_id: str, rubrica: Callable[..., Ran], tmp_path: Path) -> None:
    """Load, deal, fill, read back, export, import into an empty study, export again: equal."""
    items = write_items(protocol_id, tmp_path / "items.csv")
    made = rubrica("study", "new", "one", "--protocol", protocol_id, "--items", tmp_path / "items.csv", "--json")
    assert made.code == 0, made.err
    assert made.json["study"]["items"] == items

    stages = made.json["study"]["stages"]
    for stage in stages:
        people = "dan" if stage["role"] == "adjudicator" else PEOPLE
        dealt = rubrica(
            "sheets", "write", "one", "--annotators", people, "--stage", stage["id"], "--out", tmp_path / stage["id"],
            "--json",
        )  # fmt: skip
        assert dealt.code == 0, dealt.err
        files = [Path(name) for name in dealt.json["files"]]
        for file in files:
            fill(file, protocol_id)
        read = rubrica("sheets", "read", "one", *files, "--json")
        assert read.code == 0, read.err
        wanted = min(stage["overlap"], len(people.split(","))) * (items + made.json["study"]["duplicates"])
        assert read.json["read"] == {"judgements": wanted, "revisions": 0, "unchanged": 0}
        again = rubrica("sheets", "read", "one", *files, "--json")
        assert again.json["read"] == {"judgements": 0, "revisions": 0, "unchanged": wanted}

    first = rubrica("export", "one", "--format", "jsonl", "-o", tmp_path / "one.jsonl")
    assert first.code == 0, first.err
    for form in ("jsonl", "csv", "xlsx", "parquet"):
        out = tmp_path / f"one.{form}"
        assert rubrica("export", "one", "--format", form, "-o", out).code == 0
        copy = f"copy-{form}"
        assert rubrica("study", "new", copy, "--protocol", protocol_id).code == 0
        imported = rubrica("import", copy, out, "--json")
        assert imported.code == 0, imported.err
        assert rubrica("export", copy, "--format", "jsonl", "-o", tmp_path / f"{copy}.jsonl").code == 0
        ours = without((tmp_path / "one.jsonl").read_text(), "study", "signature")
        theirs = without((tmp_path / f"{copy}.jsonl").read_text(), "study", "signature")
        assert sorted(ours, key=_identity) == sorted(theirs, key=_identity)
