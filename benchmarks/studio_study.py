"""The study of the studio's benchmarks: made, and looked at afterwards, in a process of its own."""

from __future__ import annotations

import json
import os
import sys
from collections import Counter
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path

from rubrica.exchange.study_plan import Plan
from rubrica.studio.settings import open_studio


def make(people: int, items: int, overlap: int) -> list[str]:
    """A running study of `breve` and its annotators' tokens."""
    from rubrica.core.study import Item
    from rubrica.exchange.study_options import STEPS, checked
    from rubrica.protocols.catalog import load_shipped
    from rubrica.store import studies
    from rubrica.store.people.invitations import invite, token

    now = datetime.now(UTC)
    rows = [
        Item(str(number), {"source": f"The {number} old gates stay shut.", "rewrite": f"Gate {number} is shut."})
        for number in range(items)
    ]
    plan = Plan(name="load", loaded=load_shipped("breve"), items=rows, overlap={"rate": overlap})
    study = studies.create(plan, now)
    study.update(options=checked({**study.options, "steps": dict.fromkeys(STEPS, False)}).stored())
    return [token(one) for one in invite(study, [f"simulated-{number}" for number in range(people)], now)]


def make_pair(words: int) -> list[str]:
    """A running study of `salsa` with one pair of so many words on each side, and the token of its annotator."""
    from rubrica.core.study import Item
    from rubrica.exchange.study_options import STEPS, checked
    from rubrica.protocols.catalog import load_shipped
    from rubrica.store import studies
    from rubrica.store.people.invitations import invite, token

    now = datetime.now(UTC)
    kinds = ("gates", "stay", "shut,", "although", "the", "keepers", "were", "asked", "to", "open", "them", "early.")
    text = [f"{kinds[number % len(kinds)]}{number}" for number in range(words)]
    fields = {"source": " ".join(text), "rewrite": " ".join(reversed(text))}
    study = studies.create(Plan(name="edits", loaded=load_shipped("salsa"), items=[Item("1", fields)]), now)
    study.update(options=checked({**study.options, "steps": dict.fromkeys(STEPS, False)}).stored())
    return [token(one) for one in invite(study, ["simulated"], now)]


def verify(saves: Iterable[tuple[str, str, bool]]) -> tuple[int, int, int, int]:
    """How many acknowledged saves are lost or there twice, how many leases pass the overlap, how many revisions."""
    from rubrica.store import models
    from rubrica.store.allocation.overlap import counted

    leases = {
        (item, annotator): pid
        for pid, item, annotator in models.Assignment.objects.values_list("pid", "item", "annotator")
    }
    rows = models.Revision.objects.values_list("judgement__item", "judgement__annotator", "key", "draft")
    there = Counter((leases[item, annotator], key, draft) for item, annotator, key, draft in rows)
    acknowledged = [tuple(save) for save in saves]
    lost = sum(there[save] == 0 for save in acknowledged)
    doubled = sum(there[save] > 1 for save in set(acknowledged))
    beyond = 0
    for stage in models.Stage.objects.all():
        taken = Counter(counted(stage).filter(item__planted=None).values_list("item", flat=True))
        beyond += sum(max(0, count - stage.overlap) for count in taken.values())
    extra = models.Assignment.objects.filter(state="extra").count()
    return lost, doubled, beyond + extra, sum(there.values())


def main() -> None:
    """``make HOME PEOPLE ITEMS OVERLAP``, ``pair HOME WORDS``, or ``verify HOME`` with the saves on stdin."""
    task, home, *numbers = sys.argv[1:]
    open_studio(Path(home), os.environ.get("DATABASE_URL", ""))
    makers = {"make": make, "pair": make_pair}
    print(json.dumps(makers[task](*map(int, numbers)) if task in makers else verify(json.load(sys.stdin))))


if __name__ == "__main__":
    main()
