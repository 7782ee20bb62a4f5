"""The demonstration of collecting a benchmark: both stages at work, sentences discarded, gold; an expert's sample."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rubrica.cli.main import main
from rubrica.protocols.catalog import load_shipped
from rubrica.report.figures import Figures
from rubrica.report.sections.materials import materials
from rubrica.report.tables import Table
from tests.conftest import NOW

pytestmark = pytest.mark.any_database


def test_both_stages_are_at_work(home: Path) -> None:
    """Writers and raters are different people; flagged sentences are discarded; some rewrites are gold, some not."""
    from rubrica.demo import collection
    from rubrica.store.counting.progress import at_stages, collected, of_stages
    from rubrica.store.releases import benchmark_of
    from rubrica.store.reporting import subject_of

    study = collection.make(NOW)
    counts = {one.stage.key: one for one in of_stages(study.stages.all())}
    assert counts["rewrite"].done == counts["rewrite"].wanted
    assert 0 < counts["rate"].done < counts["rate"].wanted
    people = [set(at_stages(study)[one.stage.pk]) for one in counts.values()]
    assert not people[0] & people[1]
    found = collected(study)
    assert found is not None
    assert (found.discarded, found.texts) == (2, 24)
    made = benchmark_of(study)
    assert made.gold
    assert any(one.reason.startswith("not perfect") for one in made.dropped)
    assert "All annotators are simulated" in made.card
    tables = {part.id: part for part in materials(Figures(subject_of(study))).parts if isinstance(part, Table)}
    assert tables["collected"].rows[:3] == (
        ("given", 10),
        ("handed on to those who judge", 8),
        ("discarded because enough writers flagged them", 2),
    )


def test_an_expert_judged_a_sample_of_the_systems(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The expert's study covers every number of correct ratings; people's rewrites have BLEU by others' as well."""
    from rubrica.demo import collection, demonstration
    from rubrica.store.counting.progress import of_stages
    from rubrica.store.setup.expert_sample import samples_of

    systems = demonstration.make(collection.SYSTEMS, load_shipped("split_rate"), NOW)
    expert = collection.make_expert(systems, NOW)
    assert samples_of(systems) == [expert]
    (count,) = of_stages(expert.stages.all())
    assert count.done == count.wanted >= 16
    assert main(["--home", str(home), "compare", collection.SYSTEMS, "--bootstrap", "0", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["metrics"]
    bleu = {(one["dataset"], one["system"]): one["value"] for one in found if one["metric"] == "bleu"}
    assert len(bleu) == 6
    assert all(bleu[dataset, "human"] < 100 for dataset in ("wiki", "contracts"))
