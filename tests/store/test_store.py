"""The database: chains that hold, leases that are never exceeded, a schema that matches its migrations."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from django.core.management import call_command
from django.db import IntegrityError, transaction

from rubrica.core.edits import Edit, Span
from rubrica.core.study import Judgement
from rubrica.protocols.catalog import load_shipped
from tests.conftest import NOW
from tests.making import pairs, write_pairs
from tests.store.conftest import first_break

pytestmark = pytest.mark.postgres


def test_migrations_match_the_models(home: Path) -> None:
    """No change of the models is left without its migration."""
    call_command("makemigrations", "store", check=True, dry_run=True, verbosity=0)


def test_the_audit_trail_shows_tampering(home: Path) -> None:
    """Each entry's hash covers the one before: a changed row breaks the chain there."""
    from rubrica.store import models, studies

    for name in ("a", "b", "c"):
        studies.create(studies.Plan(name=name, loaded=load_shipped("breve")), NOW)
    assert first_break() is None
    second = models.AuditEvent.objects.order_by("id")[1]
    models.AuditEvent.objects.filter(pk=second.pk).update(action="something else")
    assert first_break() == second.pk
    second.delete()
    assert first_break() is not None


def test_nobody_holds_an_item_twice(home: Path) -> None:
    """The database itself refuses a second lease or judgement of the same item, stage and annotator."""
    from rubrica.store import models, studies

    study = studies.create(studies.Plan(name="s", loaded=load_shipped("breve"), items=pairs(1)), NOW)
    stage, item = study.stages.get(), study.items.get()
    person = models.Annotator.objects.create(study=study, name="ana", created_at=NOW)
    lease = {"stage": stage, "item": item, "annotator": person, "position": 1, "leased_at": NOW}
    models.Assignment.objects.create(**lease)
    with pytest.raises(IntegrityError), transaction.atomic():
        models.Assignment.objects.create(**lease)


def test_edits_keep_their_constituents_and_order(home: Path) -> None:
    """A composite edit comes back with the same parts in the same order."""
    from rubrica.store import models, studies
    from rubrica.store.models import Assignment
    from rubrica.store.recording.judgements import Said, record
    from rubrica.store.translate import judgement_from

    loaded = load_shipped("salsa")
    study = studies.create(studies.Plan(name="s", loaded=loaded, items=pairs(1)), NOW)
    stage = study.stages.first()
    person = models.Annotator.objects.create(study=study, name="ana", created_at=NOW)
    said = Judgement(
        {},
        (
            Edit("2", "structure", answers={"information": "same"}),
            Edit("1", "deletion", (Span(0, 3),), parent="2"),
            Edit("x", "insertion", (), (Span(5, 6),), {"information": "more"}),
        ),
    )
    with transaction.atomic():
        record(
            stage, [Said(Assignment(stage=stage, item=study.items.get(), annotator=person), "", said)], "import", NOW
        )
    assert judgement_from(models.Revision.objects.get()) == said
    stage.refresh_from_db()
    assert stage.frozen_at == NOW


def test_dealing_at_the_same_time_never_exceeds_the_overlap(home: Path, tmp_path: Path) -> None:
    """Four processes deal from the same study at once; no item has more leases than its overlap."""
    from rubrica.store import models

    environment = {**os.environ, "RUBRICA_HOME": str(home)}
    rubrica = [sys.executable, "-c", "from rubrica.cli.main import run; run()"]
    items = write_pairs(tmp_path / "i.csv", 40)
    new = ["study", "new", "s", "--protocol", "breve", "--items", str(items), "--overlap", "2"]
    subprocess.run([*rubrica, *new], env=environment, check=True, capture_output=True)
    running = [
        subprocess.Popen(
            [*rubrica, "sheets", "write", "s", "--annotators", name, "--out", str(tmp_path / name)],
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )
        for name in ("ana", "bob", "eva", "dan")
    ]
    for process in running:
        _, errors = process.communicate(timeout=600)
        assert process.returncode == 0, errors.decode()
    leases = Counter(models.Assignment.objects.values_list("item__key", flat=True))
    assert set(leases.values()) == {2}
    assert len(leases) == 40


def test_names_of_the_living_are_unique_in_the_database(home: Path) -> None:
    """Two living studies cannot share a name; a deleted one can."""
    from rubrica.store import models, studies

    studies.create(studies.Plan(name="s", loaded=load_shipped("breve")), NOW)
    with pytest.raises(IntegrityError), transaction.atomic():
        models.Study.objects.create(name="s", created_at=NOW)
    studies.delete("s", NOW)
    models.Study.objects.create(name="s", created_at=NOW)


def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    """A home whose file is something else gives a message, not a traceback."""
    from rubrica.core.errors import InputError
    from rubrica.home.database import SQLITE_FILE, open_home

    (tmp_path / SQLITE_FILE).write_text("not a database, but long enough to look like one" * 100)
    with pytest.raises(InputError, match="database"):
        open_home(tmp_path)


def test_a_study_keeps_the_hash_it_was_frozen_with(home: Path) -> None:
    """Sheets and signatures of a study do not change when a later Rubrica writes the same protocol differently."""
    from rubrica.store import models, studies
    from rubrica.store.translate import protocol_of

    study = studies.create(studies.Plan(name="s", loaded=load_shipped("breve")), NOW)
    models.ProtocolVersion.objects.update(hash="f" * 64)
    assert protocol_of(study.stages.select_related("protocol_version").get()).hash == "f" * 64


@pytest.mark.parametrize("url", ["mysql://x/y", "garbage", "postgres://", "sqlite:///x"])
def test_other_databases_are_refused(tmp_path: Path, url: str) -> None:
    """DATABASE_URL is for PostgreSQL; anything else gets a message."""
    from rubrica.core.errors import InputError
    from rubrica.home.database import open_home

    with pytest.raises(InputError, match=r"PostgreSQL|names no database"):
        open_home(tmp_path, url)
