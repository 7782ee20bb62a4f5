"""Imports: checked as a whole before anything is written, written in parts, and finished by the same file again."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

import attrs
import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from rubrica.core.errors import InputError
from rubrica.core.simulation import Simulator
from rubrica.core.study import Judgement
from rubrica.exchange.records import Record
from rubrica.protocols.catalog import load_shipped
from tests.conftest import NOW
from tests.making import pairs

if TYPE_CHECKING:
    from rubrica.store.models import Stage, Study

pytestmark = pytest.mark.postgres

ITEMS = 300
"""With two people, more judgements than are written together."""


@pytest.fixture
def study(make_stage: Callable[..., Stage]) -> Study:
    """A study of 300 pairs without judgements."""
    return make_stage(items=ITEMS, overlap=2).study


@pytest.fixture
def lines() -> list[tuple[int, Record]]:
    """A file with a judgement of each pair by two people; the first was corrected once."""
    protocol = load_shipped("breve").protocol
    said = Simulator(protocol, protocol.stages[0], "import")
    records = [
        Record(study="s", stage="rate", item=item, annotator=name, judgement=said.judge(item))
        for item in pairs(ITEMS)
        for name in ("ana", "ben")
    ]
    corrected = attrs.evolve(records[0], revision=2, judgement=Judgement({}, (), "uncomfortable"))
    return list(enumerate([*records, corrected], start=1))


def test_a_run_that_died_is_finished_by_the_same_file(study: Study, lines: list[tuple[int, Record]]) -> None:
    """What a dead run had written stays as it is, the rest is added, and once more changes nothing."""
    from rubrica.store.models import Revision
    from rubrica.store.recording.imports import import_records

    import_records(study, lines[:500], "part.jsonl", NOW)
    assert import_records(study, lines, "whole.jsonl", NOW)[0] == (100, 1, 500)
    assert import_records(study, lines, "whole.jsonl", NOW)[0] == (0, 0, 601)
    assert Revision.objects.count() == 601


def test_others_can_write_between_the_parts(study: Study, lines: list[tuple[int, Record]]) -> None:
    """No transaction holds more than some hundred judgements: whoever works meanwhile waits for one of them only."""
    from rubrica.store.recording.imports import import_records

    with CaptureQueriesContext(connection) as asked:
        import_records(study, lines, "whole.jsonl", NOW)
    at = 0
    in_each = [0]
    for one in asked.captured_queries:
        at += one["sql"].startswith("COMMIT")
        if len(in_each) <= at:
            in_each.append(0)
        # Many rows at once are noted as "500 times: INSERT …".
        if written := re.match(r"(\d+) times: INSERT INTO store_revision\b", one["sql"]):
            in_each[at] += int(written[1])
    assert sum(in_each) == 601
    assert max(in_each) == 500


def test_one_wrong_line_at_the_end_changes_nothing(home: object, lines: list[tuple[int, Record]]) -> None:
    """Of a file with a mistake neither items nor people nor judgements are taken, however large it is."""
    from rubrica.store import models, studies
    from rubrica.store.recording.imports import import_records

    study = studies.create(studies.Plan(name="empty", loaded=load_shipped("breve")), NOW)
    wrong = attrs.evolve(lines[-1][1], judgement=Judgement({"meaning": 9}))
    with pytest.raises(InputError) as refused:
        import_records(study, [*lines, (999, wrong)], "whole.jsonl", NOW)
    assert {problem.line for problem in refused.value.problems} == {999}
    for model in (models.Item, models.Annotator, models.Judgement, models.Revision, models.Assignment):
        assert model.objects.count() == 0


def test_people_who_may_not_take_part_are_named_before_anything_is_written(
    make_stage: Callable[..., Stage],
) -> None:
    """Authors who rate, found only once items and people are in, leave nothing behind, not even a lease."""
    from rubrica.store import models
    from rubrica.store.recording.imports import import_records

    stage = make_stage("split_rate", rows=pairs(2, author="ana"))
    protocol = load_shipped("split_rate").protocol
    said = Simulator(protocol, protocol.stages[0], "import")
    records = [
        Record(study="s", stage=stage.key, item=item, annotator=name, judgement=said.judge(item))
        for item in pairs(2, author="ana")
        for name in ("ana", "ben")
    ]
    with pytest.raises(InputError) as refused:
        import_records(stage.study, list(enumerate(records, start=1)), "raters.jsonl", NOW)
    assert {(problem.rule, problem.line) for problem in refused.value.problems} == {
        ("eligibility", 1),
        ("eligibility", 3),
    }
    assert models.Annotator.objects.count() == models.Assignment.objects.count() == 0


def test_nobody_judges_their_own_text_by_import(make_stage: Callable[..., Stage]) -> None:
    """Also where the protocol says nothing of authors: the line of whoever wrote the text is refused, others not."""
    from rubrica.store import models
    from rubrica.store.recording.imports import import_records

    stage = make_stage("breve", rows=[*pairs(1, author="Ana "), *pairs(3)[1:]])
    protocol = load_shipped("breve").protocol
    said = Simulator(protocol, protocol.stages[0], "import")
    records = [
        Record(study="s", stage=stage.key, item=item, annotator=name, judgement=said.judge(item))
        for item in pairs(3)
        for name in ("ana", "ben")
    ]
    with pytest.raises(InputError) as refused:
        import_records(stage.study, list(enumerate(records, start=1)), "all.jsonl", NOW)
    (problem,) = refused.value.problems
    assert (problem.line, problem.rule, problem.value) == (1, "eligibility", "ana")
    assert "nobody judges their own" in problem.what
    assert models.Judgement.objects.count() == models.Annotator.objects.count() == 0
    saved, _ = import_records(stage.study, list(enumerate(records[1:], start=2)), "others.jsonl", NOW)
    assert saved == (5, 0, 0)
