"""`rubrica reliability`: on a file with an expert in it, on files for an expert, on a study and its sample."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Ran
from tests.docs.pages import DOCS
from tests.making import fill, pairs

pytestmark = pytest.mark.any_database
Rubrica = Callable[..., Ran]
EXAMPLES = DOCS / "examples" / "systems"
COLUMNS = (
    *("--unit", "dataset,text,system", "--rater", "rater", "--system", "system", "--dataset", "dataset"),
    *("--protocol", "split_rate", "--value", "correct", "--text", "original,rewrite"),
)


def test_an_expert_in_the_same_file(rubrica: Rubrica, tmp_path: Path) -> None:
    """Groups, bounds, a sentence, costs and the chart in all its forms."""
    wanted = ("--expert", "expert", "--price", "0.07", "--fee", "20", "--charts", tmp_path / "charts")
    ran = rubrica("reliability", EXAMPLES / "with_expert.csv", *COLUMNS, *wanted)
    assert ran.code == 0
    assert "When 3 of 3 say *correct*, an expert agrees in more than 78 %" in ran.out
    names = {file.name for file in (tmp_path / "charts").iterdir()}
    assert names == {f"crowd-reliability.{ending}" for ending in ("svg", "png", "csv", "vl.json")}
    found = rubrica("reliability", EXAMPLES / "with_expert.csv", *COLUMNS, *wanted[:6], "--json").json
    last = found["results"][-1]
    assert (last["group"], last["judged"], last["correct"]) == (3, 15, 14)
    assert last["mean"] == pytest.approx(15 / 17)
    assert found["by_raters"][1]["cost"] == pytest.approx(2 * 0.07 * 1.2)
    assert found["left_out"] == [{"ratings": 2, "outputs": 1}]
    assert "expert:expert" in found["signature"]


def test_a_file_without_expert_has_groups_only(rubrica: Rubrica) -> None:
    """What follows from an expert is undefined, with its reason, and what to do is said."""
    ran = rubrica("reliability", EXAMPLES / "ratings.csv", *COLUMNS, "--json")
    assert ran.code == 0
    assert ran.json["results"][3]["mean"] == {"value": None, "reason": "no expert judged any"}
    assert "rubrica reliability sample" in ran.err


def test_files_for_an_expert_and_back(rubrica: Rubrica, tmp_path: Path) -> None:
    """Items without a trace of the group, judged in a study of their own, are found again by the key."""
    items, key = tmp_path / "items.csv", tmp_path / "key.csv"
    ran = rubrica("reliability", "sample", EXAMPLES / "ratings.csv", *COLUMNS, "-o", items, "--key", key)
    assert ran.code == 0
    with items.open() as stream:
        assert csv.DictReader(stream).fieldnames == ["id", "original", "rewrite"]
    judge(rubrica, tmp_path, "expert", items)
    options = ("--expert", "study:expert", "--key", key)
    found = rubrica("reliability", EXAMPLES / "ratings.csv", *COLUMNS, *options, "--json").json
    with key.open() as stream:
        groups = [int(row["group"]) for row in csv.DictReader(stream)]
    assert [row["judged"] for row in found["results"]] == [groups.count(group) for group in range(4)]


def judge(rubrica: Rubrica, tmp_path: Path, name: str, items: Path | None, people: str = "dora") -> None:
    """Make a study of the items, unless it is there, and let simulated people fill in its sheets."""
    if items is not None:
        assert rubrica("study", "new", name, "--protocol", "split_rate", "--items", items, "--overlap", "1").code == 0
    out = ("--out", tmp_path / f"{name}-sheets", "--json")
    files = rubrica("sheets", "write", name, "--annotators", people, *out).json["files"]
    for file in files:
        fill(Path(file))
    assert rubrica("sheets", "read", name, *files).code == 0


def test_a_study_and_its_sample(rubrica: Rubrica, tmp_path: Path) -> None:
    """The sample is a study of the same protocol version whose items show neither group nor system."""
    from rubrica.store import studies

    path = tmp_path / "items.csv"
    lines = ["id,source,rewrite,system,dataset"]
    lines += [",".join([i.key, *i.fields.values(), "ab"[n % 2], "news"]) for n, i in enumerate(pairs(12))]
    path.write_text("\n".join(lines) + "\n")
    rubrica("study", "new", "crowd", "--protocol", "split_rate", "--items", path, "--overlap", "3")
    judge(rubrica, tmp_path, "crowd", None, "ana,ben,eva")
    verdict = ("--verdict", "missing_facts")
    ran = rubrica("reliability", "sample", "crowd", *verdict, "--into", "expert", "--seed", "2", "--json")
    assert ran.code == 0
    sampled = sum(row["sampled"] for row in ran.json["results"])
    made, crowd = studies.find("expert"), studies.find("crowd")
    (stage,) = made.stages.all()
    assert (stage.overlap, stage.protocol_version) == (1, crowd.stages.get().protocol_version)
    assert made.items.count() == sampled
    assert {(row.system, row.group) for row in made.items.all()} == {("", "")}
    assert not {row.key for row in made.items.all()} & {row.key for row in crowd.items.all()}
    judge(rubrica, tmp_path, "expert", None)
    found = rubrica("reliability", "crowd", *verdict, "--expert", "study:expert", "--json").json
    assert [row["judged"] for row in found["results"]] == [row["sampled"] for row in ran.json["results"]]
    assert found["by_raters"][0]["cost"]["value"] is None


def test_a_study_pays_as_it_says(rubrica: Rubrica, tmp_path: Path) -> None:
    """Without --price the cost comes from the study's own terms, fee included."""
    from rubrica.exchange.study_options import checked
    from rubrica.store import studies

    rubrica("study", "new", "paid", "--protocol", "split_rate", "--items", EXAMPLES.parent / "items" / "split_rate.csv")
    judge(rubrica, tmp_path, "paid", None, "ana,ben")
    study = studies.find("paid")
    payment = {"per_task": {"rate": "0.10"}, "platform_fee": 40, "currency": "EUR"}
    study.update(options=checked({**study.options, "payment": payment}).stored())
    found = rubrica("reliability", "paid", "--raters", "2", "--json").json
    assert found["by_raters"][1]["cost"] == pytest.approx(2 * 0.10 * 1.4)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--expert", "nobody"), "nobody is called 'nobody'"),
        (("--expert", "study:none"), "there is no study 'none'"),
        (("--verdict", "correct=maybe"), "has no answer 'maybe'"),
    ],
)
def test_bad_requests_are_named(rubrica: Rubrica, arguments: tuple[str, ...], message: str) -> None:
    """Exit 1 and what to do, no traceback."""
    ran = rubrica("reliability", EXAMPLES / "ratings.csv", *COLUMNS, *arguments)
    assert ran.code == 1
    assert message in ran.err


def test_a_sample_needs_a_place_texts_and_ratings(rubrica: Rubrica, tmp_path: Path) -> None:
    """Each is a clear message."""
    file, here = EXAMPLES / "ratings.csv", ("-o", tmp_path / "i.csv", "--key", tmp_path / "k.csv")
    sample = ("reliability", "sample", file)
    assert "where the sample goes is not said" in rubrica(*sample, *COLUMNS).err
    assert "no texts to judge" in rubrica(*sample, *COLUMNS[:-2], *here).err
    assert "no output has exactly 9 ratings" in rubrica(*sample, *COLUMNS, *here, "--raters", "9").err
    assert "only a sample of a study" in rubrica(*sample, *COLUMNS, "--into", "x").err


def test_a_number_of_ratings_that_no_output_has_is_refused(rubrica: Rubrica) -> None:
    """Nine raters of each: the numbers that there are, instead of an empty table."""
    ran = rubrica("reliability", EXAMPLES / "with_expert.csv", *COLUMNS, "--expert", "expert", "--raters", "9")
    assert ran.code == 1
    assert "no output has exactly 9 ratings" in ran.err
    assert "with 3" in ran.err
