"""A study as a benchmark: perfect rewrites are gold, the others are dropped with a reason, the card says how."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from rubrica.cli.main import main
from rubrica.report.benchmark import hub_licence
from tests.store.test_handing_on import collecting, says

pytestmark = pytest.mark.any_database


def rated(home: Path) -> None:
    """One sentence with three rewrites, of which one is perfect; another that its writers flagged."""
    study = collecting()
    for name in ("ana", "ben", "eva"):
        says(study, "rewrite", name)
        says(study, "rewrite", name, item="s2", outcome="too_simple") if name != "eva" else None
    says(study, "rate", "rosa", item="s1-1")
    says(study, "rate", "rui", item="s1-1")
    says(study, "rate", "remy", item="s1-1", correct=False)
    says(study, "rate", "rosa", item="s1-2")
    says(study, "rate", "rui", item="s1-2", correct=False)
    says(study, "rate", "rosa", item="s1-3")


def read(archive: zipfile.ZipFile, name: str) -> list[dict[str, str]]:
    """A table of the archive."""
    return list(csv.DictReader(io.StringIO(archive.read(f"bench/{name}").decode()), delimiter="\t"))


def test_gold_dropped_and_card(home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Two correct ratings make gold whatever a third says; whatever is not gold says why; the card has a YAML head."""
    rated(home)
    assert main(["--home", str(home), "export", "bench", "--format", "benchmark", "-o", str(tmp_path / "b.zip")]) == 0
    assert "1 gold rewrite" in capsys.readouterr().err
    command = ["export", "bench", "--format", "benchmark", "-o", str(tmp_path / "b.zip"), "--json"]
    assert main(["--home", str(home), *command]) == 0
    assert json.loads(capsys.readouterr().out)["gold_rewrites"] == 1
    with zipfile.ZipFile(tmp_path / "b.zip") as archive:
        gold, dropped = read(archive, "gold.tsv"), read(archive, "dropped.tsv")
        card = archive.read("bench/README.md").decode()
    source = "The 1 gates, which are old, stay shut."
    assert gold == [{"complex": source, "simple": "A text of ana. It has two sentences."}]
    assert [(row["id"], row["reason"]) for row in dropped] == [
        ("s1-2", "not perfect: rating 2: grammatical 4"),
        ("s1-3", "not decided: 1 of at least 2 judgements"),
        ("s2", "sentence left out: flagged by writers: 2 of 2"),
    ]
    head = YAML(typ="safe").load(card.split("---")[1])
    assert (head["language"], head["size_categories"], head["license"]) == (["en"], ["n<1K"], "unknown")
    assert head["configs"][0]["data_files"] == [{"split": "test", "path": "gold.tsv"}]
    assert "Of 2 sentences 1 were discarded" in card
    assert "| complex sentences | 1 |" in card
    assert "ana" not in card.replace("A text of ana", "")


def test_a_card_speaks_of_the_texts_and_of_licences_that_hubs_know(home: Path) -> None:
    """Annotators may read questions in two languages, the sentences are in one; a licence of no list has an id."""
    from rubrica.store import models
    from rubrica.store.options import change
    from rubrica.store.releases import benchmark_of

    rated(home)
    study = models.Study.objects.get(name="bench")
    change(study, languages=["en", "es"], ethics={"licence": "CC BY-ND 3.0 (ours)"})
    head = YAML(typ="safe").load(benchmark_of(study).card.split("---")[1])
    assert (head["language"], head["multilinguality"]) == (["en"], ["monolingual"])
    assert (head["license"], head["license_name"]) == ("other", "cc-by-nd-3.0-ours")
    known = {"CC BY-SA 4.0": "cc-by-sa-4.0", "apache 2.0": "apache-2.0", "CC BY-ND 3.0": "other", "": "unknown"}
    assert {text: hub_licence(text)["license"] for text in known} == known


def test_a_corrected_rating_stays_one_of_the_first_two(home: Path) -> None:
    """Whoever rated first and mends a slip after the third rating still decides; for gold, verdict and bonus alike."""
    from rubrica.store.money.payments import suggestions
    from rubrica.store.options import change
    from rubrica.store.releases import benchmark_of

    study = collecting()
    change(study, payment={"bonus": {"rewrite": "1.50"}})
    for name in ("liv", "ned", "tom"):
        says(study, "rewrite", name, outcome="skip")
    for name in ("ana", "ben", "eva"):
        says(study, "rewrite", name)
    for minute, (name, correct) in enumerate([("rosa", False), ("rui", True), ("remy", False)]):
        says(study, "rate", name, item="s1-1", correct=correct, after=minute)
    assert benchmark_of(study).gold == ()
    says(study, "rate", "rosa", item="s1-1", after=9)
    assert [one.key for one in benchmark_of(study).gold] == ["s1-1"]
    assert [one.judgement.annotator.name for one in suggestions(study) if one.perfect] == ["ana"]


def test_perfect_can_be_asked_for_by_name(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """aggregate --value perfect has the verdict of each rewrite and nothing else, by the first two ratings."""
    rated(home)
    assert main(["--home", str(home), "aggregate", "bench", "--value", "perfect", "--format", "csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [(row["unit"], row["question"], row["value"], row["raters"]) for row in rows] == [
        ("s1-1", "perfect", "yes", "2"),
        ("s1-2", "perfect", "no", "2"),
        ("s1-3", "perfect", "", "1"),
    ]


def test_a_study_without_such_ratings_is_refused(
    home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A protocol that does not say what is perfect has no benchmark, and nothing is written."""
    from tests.two_studies import writing

    writing("plain")
    out = tmp_path / "b.zip"
    assert main(["--home", str(home), "export", "plain", "--format", "benchmark", "-o", str(out)]) == 1
    assert "has no ratings" in capsys.readouterr().err
    assert not out.exists()
