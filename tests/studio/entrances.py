"""The ways by which what somebody said comes in: the page's form, the API, a sheet, an import.

Each says the same judgements of the same person, by the keys of items, so that a rule can be tested through all.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import attrs
from django.test import Client

from rubrica.cli.main import main
from rubrica.core import answers as answer_values
from rubrica.core import edits as edit_values
from rubrica.core.study import Judgement
from rubrica.exchange.sheets.write import write_sheet
from tests.making import stored_sheet
from tests.studio.conftest import NOW

if TYPE_CHECKING:
    from rubrica.store.models import Assignment, Study

NAME = "ana"
Judgements = Mapping[str, Judgement]


class Entrances:
    """One annotator with a sheet in hand and a link, who says the same in several ways."""

    def __init__(self, study: Study, folder: Path) -> None:
        self.study, self.folder = study, folder
        assert main(["sheets", "write", study.name, "--annotators", NAME, "--out", str(folder)]) == 0
        self.said = 0

    @property
    def all(self) -> dict[str, Callable[[Judgements], Any]]:
        """The entrances by name."""
        return {"page": self.by_page, "api": self.by_api, "sheet": self.by_sheet, "import": self.by_import}

    def token(self) -> str:
        """The secret of the annotator's link."""
        from rubrica.store.people.invitations import invite, token

        return token(invite(self.study, [NAME], NOW)[0])

    def leases(self) -> dict[str, Assignment]:
        """What the annotator holds or has done, by the key of the item."""
        from rubrica.store.models import Assignment

        rows = Assignment.objects.filter(stage__study=self.study, annotator__name=NAME).select_related("item")
        return {lease.item.key: lease for lease in rows}

    def by_page(self, judgements: Judgements) -> None:
        """As a form without script."""
        leases, token = self.leases(), self.token()
        for key, one in judgements.items():
            pid = leases[key].pid
            fields = {f"{pid}.{name}": value for name, value in one.answers.items()}
            fields = {name: list(value) if isinstance(value, tuple) else value for name, value in fields.items()}
            sent = {**fields, f"{pid}.key": self._new_key(), "outcome": one.outcome}
            response = Client().post(f"/w/{token}/work/{pid}/", sent)
            assert response.status_code == 302, response.content.decode()

    def by_api(self, judgements: Judgements) -> list[dict[str, Any]]:
        """As the page's script does; the receipts."""
        leases, receipts = self.leases(), []
        for key, one in judgements.items():
            said = {
                "lease": leases[key].pid,
                "key": self._new_key(),
                "answers": answer_values.to_json(one.answers),
                "edits": [edit_values.to_json(edit) for edit in one.edits],
                "outcome": one.outcome,
            }
            response = Client().post(
                "/api/v1/work/submit",
                json.dumps({"judgements": [said]}),
                content_type="application/json",
                headers={"Authorization": f"Bearer {self.token()}"},
            )
            assert response.status_code == 200, response.content
            receipts += response.json()["receipts"]
        return receipts

    def by_sheet(self, judgements: Judgements) -> None:
        """In the sheet that was handed out."""
        (path,) = self.folder.glob("*.xlsx")
        sheet = stored_sheet(path)
        rows = [attrs.evolve(row, judgement=judgements.get(row.item.key)) for row in sheet.rows]
        write_sheet(attrs.evolve(sheet, rows=rows), path)
        assert main(["sheets", "read", self.study.name, str(path), "--json"]) == 0

    def by_import(self, judgements: Judgements) -> None:
        """As a file of JSON lines."""
        stage = self.study.stages.order_by("position")[0].key
        file = self.folder / "judgements.jsonl"
        file.write_text(
            "".join(
                json.dumps(
                    {
                        "study": self.study.name,
                        "stage": stage,
                        "item": key,
                        "annotator": NAME,
                        "revision": 1,
                        "outcome": one.outcome,
                        "answers": answer_values.to_json(one.answers),
                        "edits": [edit_values.to_json(edit) for edit in one.edits],
                    }
                )
                + "\n"
                for key, one in judgements.items()
            )
        )
        assert main(["import", self.study.name, str(file), "--json"]) == 0

    def _new_key(self) -> str:
        self.said += 1
        return f"key-{self.said:08}"


def settled(study: Study, seed: str = "one") -> dict[str, Judgement]:
    """A simulated judgement of every item of the study."""
    from rubrica.core.simulation import Simulator
    from rubrica.store.translate import item_from, protocol_of, rules_of

    stage = study.stages.order_by("position")[0]
    protocol = protocol_of(stage)
    simulator = Simulator(protocol, rules_of(stage, protocol), seed)
    return {row.key: simulator.judge(item_from(row)) for row in study.items.all()}
