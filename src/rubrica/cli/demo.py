"""`rubrica demo`: a study for every protocol, from items to judgements, with simulated annotators.

The items are the protocols' own practice items, so nothing but Rubrica itself is needed. Each simulated annotator
gets a sheet, "fills" it (the same Excel file, written with answers) and hands it back, as people would.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rubrica.cli.options import Home, now, open_studies
from rubrica.cli.output import print_table, say, track

if TYPE_CHECKING:
    from rubrica.exchange.sheets.layout import SheetFile
    from rubrica.protocols.loader import Loaded
    from rubrica.store.models import Stage, Study

PEOPLE = ("simulated_1", "simulated_2", "simulated_3")
FOURTH = "simulated_4"
SEED = 7


def demo(
    home: Home = None,
    keep: Annotated[
        bool, typer.Option("--keep", help="Keep demo studies that are there; default: make them anew.")
    ] = False,
) -> None:
    """Make a demo study for each protocol: deal sheets, fill them with simulated answers, read them back."""
    place = open_studies(home)
    from rubrica.protocols.catalog import load_shipped, shipped
    from rubrica.store import studies

    folder = place / "demo-sheets"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    rows: list[list[Any]] = []
    for name in track(shipped(), "Demo studies", len(shipped())):
        study_name = f"demo-{name}"
        known = studies.living().filter(name=study_name).exists()
        if known and not keep:
            studies.delete(study_name, now())
        loaded = load_shipped(name)
        if not (known and keep):
            _make(study_name, loaded, folder)
        rows += _numbers(studies.find(study_name), loaded)
    say("Simulated annotators; the items are the protocols' practice items.")
    print_table(["study", "stage", "items", "annotators", "judgements", "agree"], rows)
    command = "rubrica" if shutil.which("rubrica") else sys.argv[0]
    say(f"Their sheets are in {folder}. Next: {command} --home {place} export demo-breve --format csv")


def _make(name: str, loaded: Loaded, folder: Path) -> None:
    from rubrica.core.study import Item
    from rubrica.store import studies
    from rubrica.store.dealing import Request, deal_sheets
    from rubrica.store.translate import rules_of

    protocol = loaded.protocol
    items = [
        Item(practice.id, practice.fields, group=practice.fields.get(protocol.group_by, "")[:100])
        for practice in protocol.practice
    ]
    study = studies.create(studies.Plan(name=name, loaded=loaded, items=items, seed=SEED), now())
    for stage in study.stages.select_related("protocol_version", "study"):
        people = (FOURTH,) if rules_of(stage, protocol).role == "adjudicator" else PEOPLE
        for file in deal_sheets(stage, Request(people, 100, protocol.fallback), now()).files:
            _fill_and_read(study, stage, file, folder)


def _fill_and_read(study: Study, stage: Stage, file: SheetFile, folder: Path) -> None:
    import attrs

    from rubrica.core.simulation import Simulator
    from rubrica.core.study import Judgement
    from rubrica.exchange.sheets.read import OpenedSheet
    from rubrica.exchange.sheets.write import write_sheet
    from rubrica.store.sheet_files import read_file

    simulator = Simulator(file.protocol, file.stage, f"{SEED}:{study.name}:{file.stage.id}:{file.annotator}")
    right = {
        practice.id: Judgement(practice.answers, practice.edits, practice.outcome)
        for practice in file.protocol.practice
        if practice.stage == file.stage.id and not file.stage.items_from
    }
    filled = attrs.evolve(
        file,
        rows=[
            attrs.evolve(row, judgement=simulator.judge(row.item, right.get(row.item.key), row.edits))
            for row in file.rows
        ],
    )
    path = folder / f"{study.name}-{stage.key}-{file.annotator}-{file.number}.xlsx"
    write_sheet(filled, path)
    read_file(study, OpenedSheet(path), now())


def _numbers(study: Study, loaded: Loaded) -> list[list[Any]]:
    """Judgements per stage, and how often all annotators of an item gave the same first answer."""
    from rubrica.store.records import iterate

    rows: list[list[Any]] = []
    for stage in study.stages.select_related("protocol_version"):
        answers: dict[str, list[Any]] = {}
        people, count = set(), 0
        for record in iterate(study, [stage]):
            first = loaded.protocol.questions[0].id
            answers.setdefault(record.item.key, []).append(record.judgement.answers.get(first, record.judgement.edits))
            people.add(record.annotator)
            count += 1
        same = sum(len({str(answer) for answer in given}) == 1 for given in answers.values() if len(given) > 1)
        several = sum(len(given) > 1 for given in answers.values())
        rows.append(
            [study.name, stage.key, len(answers), len(people), count, f"{same} of {several}" if several else "-"]
        )
    return rows
