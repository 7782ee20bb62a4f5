"""References in `rubrica score`, `compare` and `report`: a row's own, never the rewrite itself; metrics by data set.

Whatever BLEU is printed, from a table, a study, registered metrics or a report, is sacreBLEU's on those references.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest
from sacrebleu.metrics.bleu import BLEU
from scipy.stats import spearmanr

from tests.conftest import Ran

pytestmark = pytest.mark.any_database
Rubrica = Callable[..., Ran]
NONE = ("--bootstrap", "0")
MAP = ("--map", "reference=ref_*")
THINGS = ("mill", "bridge", "tower", "harbour", "school", "market", "garden", "station", "theatre", "library")
WHERE = ("by the river", "near the old town", "behind the church", "at the edge of the wood", "beside the road")


class Row(NamedTuple):
    """A rewrite with the references that it is to be held against, and the cells that its table has."""

    id: str
    dataset: str
    source: str
    rewrite: str
    system: str
    held: tuple[str, ...]
    cells: tuple[str, ...]


def people(number: int) -> list[str]:
    """One to three rewrites by people of a source; in the fifth source two people wrote the same."""
    thing, where = THINGS[number], WHERE[number % 5]
    every = [
        f"The {thing} stands {where}. It was sold in May.",
        f"The {thing} is {where}. The {thing} was sold in the month of May.",
        f"There is a {thing} {where}. In May somebody bought the {thing}.",
    ]
    if number == 4:
        every[1] = every[0]
    return every[: 3 - number % 3]


def rows(cells: str) -> list[Row]:
    """Two systems and people on two data sets. People's cells are ``others``, or ``all`` with the rewrite itself."""
    found = []
    for number, (thing, where) in enumerate(zip(THINGS, WHERE * 2, strict=True)):
        dataset = ("news", "contracts")[number % 2]
        source = f"The {thing}, which stands {where}, was sold in May to somebody from the town."
        written = tuple(people(number))
        tries = {"copy": source, "cut": f"The {thing} {where} was sold."}
        for system, rewrite in tries.items():
            found.append(Row(f"{system}{number}", dataset, source, rewrite, system, written, written))
        for place, rewrite in enumerate(written):
            others = written[:place] + written[place + 1 :]
            own = written if cells == "all" else others
            found.append(Row(f"h{number}.{place}", dataset, source, rewrite, "human", others, own))
    return found


def bleu(chosen: list[Row]) -> float:
    """SacreBLEU's figure of rewrites that have a reference, each on its own."""
    held = [row for row in chosen if row.held]
    most = max(len(row.held) for row in held)
    streams = [[row.held[place] if place < len(row.held) else None for row in held] for place in range(most)]
    return float(BLEU().corpus_score([row.rewrite for row in held], streams).score)


def expected(every: list[Row]) -> dict[tuple[str, str], float]:
    """By data set (empty: all) and system."""
    cells = {(dataset, row.system) for row in every for dataset in (row.dataset, "")}
    return {
        (dataset, system): bleu([row for row in every if row.system == system and dataset in ("", row.dataset)])
        for dataset, system in cells
    }


def write(path: Path, every: list[Row], **more: str) -> Path:
    """The rows as a CSV file."""
    with path.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file)
        table.writerow(["id", "dataset", "source", "rewrite", "system", "ref_0", "ref_1", "ref_2", *more])
        for row in every:
            cells = [*row.cells, "", "", ""][:3]
            table.writerow([row.id, row.dataset, row.source, row.rewrite, row.system, *cells, *more.values()])
    return path


def found_in(scored: dict[str, object]) -> dict[tuple[str, str], float]:
    """BLEU by data set and system, as `rubrica score --json` has it."""
    parts = {"": scored, **scored["datasets"]}  # type: ignore[dict-item]
    return {(name, system): own["bleu"] for name, part in parts.items() for system, own in part["systems"].items()}


@pytest.mark.parametrize("cells", ["others", "all"])
def test_a_table_has_the_references_of_each_row(rubrica: Rubrica, tmp_path: Path, cells: str) -> None:
    """People are never held against themselves, on a data set or on all; what was left out is counted and signed."""
    every = rows(cells)
    ran = rubrica("score", "--table", write(tmp_path / "t.csv", every), *MAP, "--metrics", "bleu", *NONE, "--json")
    assert ran.code == 0, ran.err
    assert found_in(ran.json) == pytest.approx(expected(every), abs=1e-9)
    human = [row for row in every if row.system == "human"]
    own = sum(len(row.cells) > len(row.held) for row in human)
    alone = sum(not row.held for row in human)
    assert ran.json["references"] == {
        "human": ["human"],
        "left_out": {"human": own} if own else {},
        "unreferenced": {"human": alone},
    }
    assert f"human: {alone} without a reference" in ran.err
    assert "dataset:news" in ran.json["datasets"]["news"]["signature"].split("|")
    signed = ran.json["signature"].split("|")
    assert "human:human" in signed
    assert f"without_refs:{alone}" in signed
    assert (f"own_refs_left_out:{own}" in signed) == bool(own)
    assert (f"being the rewrite itself: {own}" in ran.err) == bool(own)


def test_writers_with_names_of_their_own(rubrica: Rubrica, tmp_path: Path) -> None:
    """A column of authors says who is a person; systems that nobody calls people keep what their rows have."""
    every = [row for row in rows("all") if row.system == "human" and len(row.cells) > 1]
    called = [row._replace(system=f"w{row.id[-1]}") for row in every]
    asked = (*MAP, "--metrics", "bleu", *NONE, "--json")
    plain = rubrica("score", "--table", write(tmp_path / "t.csv", called), *asked)
    assert plain.json["systems"]["w0"]["bleu"] == pytest.approx(100)
    assert "w0, w1, w2: every rewrite is one of its references; if people wrote them, say --human" in plain.err
    for options in (("--human", "w0,w1,w2"), ("--map", "author=who")):
        table = write(tmp_path / "t.csv", called, who="somebody")
        found = rubrica("score", "--table", table, *asked, *options).json
        names = {name: [row for row in called if row.system == name] for name in ("w0", "w1", "w2")}
        assert {name: own["bleu"] for name, own in found["systems"].items()} == pytest.approx(
            {name: bleu(own) for name, own in names.items()}, abs=1e-9
        )
    nobody = rubrica("score", "--table", tmp_path / "t.csv", *asked, "--human", "none").json
    assert nobody["systems"]["w0"]["bleu"] == pytest.approx(100)
    refused = rubrica("score", "--table", tmp_path / "t.csv", *asked, "--human", "w7")
    assert refused.code == 1
    assert refused.json["errors"][0]["rule"] == "human"


def test_references_by_source_leave_the_rewrite_out(rubrica: Rubrica, tmp_path: Path) -> None:
    """A table of all people's rewrites, as Wiki-BM is one, given beside the rows."""
    every = rows("all")
    pairs = tmp_path / "people.tsv"
    lines = [f"{row.source}\t{row.rewrite}" for row in every if row.system == "human"]
    pairs.write_text("\n".join(["complex\tsimple", *lines]) + "\n", encoding="utf-8")
    bare = write(tmp_path / "t.csv", [row._replace(cells=()) for row in every])
    columns = ("--map", "source=source", "--map", "rewrite=rewrite", "--map", "reference=")
    joined = ("--references", pairs)
    ran = rubrica("score", "--table", bare, *columns[:4], *joined, "--metrics", "bleu", *NONE, "--json")
    assert ran.code == 1, "the columns of both tables have other names"
    pairs.write_text("\n".join(["source\treference", *lines]) + "\n", encoding="utf-8")
    ran = rubrica("score", "--table", bare, *joined, "--metrics", "bleu", *NONE, "--json")
    assert found_in(ran.json) == pytest.approx(expected(every), abs=1e-9)


def test_without_references_people_are_each_others(rubrica: Rubrica, tmp_path: Path) -> None:
    """BLEU that is asked for is held against the rewrites of the others, and says so; nobody gets it unasked."""
    every = rows("all")
    table = write(tmp_path / "t.csv", [row._replace(cells=()) for row in every])
    ran = rubrica("score", "--table", table, "--metrics", "bleu", *NONE, "--json")
    assert found_in(ran.json) == pytest.approx(expected(every), abs=1e-9)
    assert "people's rewrites of a sentence are the references" in ran.err
    assert "bleu" not in rubrica("score", "--table", table, *NONE, "--json").json["systems"]["copy"]


def test_a_rewrite_without_another_reference_has_no_figure(rubrica: Rubrica, tmp_path: Path) -> None:
    """Not 0 and not 100: null with its reason; a system's row without references is refused, unless --uneven."""
    lonely = [row for row in rows("all") if row.system == "human" and len(row.cells) == 1]
    ran = rubrica("score", "--table", write(tmp_path / "t.csv", lonely), *MAP, "--metrics", "bleu", *NONE, "--json")
    assert ran.json["systems"]["human"]["bleu"] == {"value": None, "reason": "no rewrite has a reference"}
    every = rows("others")
    spoilt = [row._replace(cells=(), held=()) if row.id == "cut0" else row for row in every]
    table = write(tmp_path / "t.csv", spoilt)
    asked = ("score", "--table", table, *MAP, "--metrics", "bleu", *NONE, "--json")
    refused = rubrica(*asked)
    assert [(one["line"], one["rule"]) for one in refused.json["errors"]] == [(3, "reference")]
    found = rubrica(*asked, "--uneven")
    assert found_in(found.json) == pytest.approx(expected(spoilt), abs=1e-9)
    assert found.json["references"]["unreferenced"]["cut"] == 1


def test_every_metric_leaves_it_out(rubrica: Rubrica, tmp_path: Path) -> None:
    """With the rewrite among its references or without: the same figure of every metric that needs some."""
    names = "sari,sent_sari,bleu,bleu_lc,sent_bleu,chrf,chrfpp,ter,token_f1"
    asked = (*MAP, "--metrics", names, *NONE, "--json")
    found = [
        rubrica("score", "--table", write(tmp_path / f"{cells}.csv", rows(cells)), *asked).json["systems"]
        for cells in ("others", "all")
    ]
    assert found[0] == found[1]
    assert found[0]["human"]["chrf"] < 100


def test_a_file_of_references_is_no_reference_of_itself(rubrica: Rubrica, tmp_path: Path) -> None:
    """Given as a rewrite, it is held against the other files; another person's file keeps lines that are the same."""
    one, two = (["The mill is old .", "It was sold .", text] for text in ("A town bought it .", "A man bought it ."))
    for name, lines in (("s.orig", one), ("s.simp.0", one), ("s.simp.1", two), ("human.txt", two)):
        (tmp_path / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    asked = ("--test-set", tmp_path, "--metrics", "bleu", *NONE, "--json")
    ran = rubrica("score", *asked, "--rewrite", tmp_path / "s.simp.0")
    assert ran.json["systems"]["s.simp.0"]["bleu"] == pytest.approx(BLEU().corpus_score(one, [two]).score, abs=1e-9)
    assert ran.json["references"]["left_out"] == {"s.simp.0": 3}
    files = (
        "--source",
        tmp_path / "s.orig",
        "--references",
        tmp_path / "s.simp.0",
        "--rewrite",
        tmp_path / "human.txt",
    )
    other = rubrica("score", *files, "--metrics", "bleu", *NONE, "--json").json
    assert other["systems"]["human"]["bleu"] == pytest.approx(BLEU().corpus_score(two, [one]).score, abs=1e-9)
    assert other["references"]["left_out"] == {}
    alone = rubrica("score", *files[:4], "--rewrite", tmp_path / "s.simp.0", "--metrics", "bleu", *NONE, "--json").json
    assert alone["systems"]["s.simp.0"]["bleu"]["value"] is None


def test_data_sets_of_a_table(rubrica: Rubrica, tmp_path: Path) -> None:
    """A column of any name; tables, files of sentences and of systems name it; files of lines have none."""
    every = rows("others")
    table = write(tmp_path / "t.csv", every)
    table.write_text(table.read_text().replace("id,dataset,", "id,domain,", 1))
    out, per = tmp_path / "systems.csv", tmp_path / "sentences.csv"
    asked = ("score", "--table", table, *MAP, "--metrics", "bleu", "--bootstrap", "20")
    assert "datasets" not in rubrica(*asked, "--json").json
    ran = rubrica(*asked, "--dataset", "domain", "--per-system", out, "--per-sentence", per)
    assert ran.code == 0, ran.err
    lines = [line.split() for line in ran.out.splitlines()]
    assert ["news", "human"] in [line[:2] for line in lines]
    assert ["all", "data", "sets", "human"] in [line[:4] for line in lines]
    with out.open(encoding="utf-8") as file:
        written = {(row["dataset"], row["system"]): float(row["bleu"]) for row in csv.DictReader(file)}
    assert written == pytest.approx(expected(every), abs=1e-9)
    with per.open(encoding="utf-8") as file:
        assert {row["id"]: row["dataset"] for row in csv.DictReader(file)} == {row.id: row.dataset for row in every}
    lost = rubrica(*asked, "--dataset", "nowhere", "--json")
    assert (lost.code, lost.json["errors"][0]["rule"]) == (1, "column")
    text = tmp_path / "lines.txt"
    text.write_text("One.\n")
    files = rubrica("score", "--source", text, "--rewrite", text, "--dataset", "domain", "--metrics", "fkgl", "--json")
    assert (files.code, files.json["errors"][0]["rule"]) == (1, "dataset")


@pytest.fixture
def study(rubrica: Rubrica, tmp_path: Path) -> str:
    """The rows as items of a study, with all people's rewrites as references, rated by three people."""
    every = rows("all")
    items = write(tmp_path / "items.csv", every)
    made = rubrica("study", "new", "s", "--protocol", "split_rate", "--items", items, "--overlap", "3")
    assert made.code == 0, made.err
    lines = []
    for place, row in enumerate(every):
        for who, name in enumerate(("ana", "ben", "eva")):
            good = (place + who) % {"human": 4, "copy": 3, "cut": 2}[row.system] != 0
            answers = {"sensible": 5 if good else place % 5, "grammatical": 5 if place % 3 else 4 - who}
            answers |= dict.fromkeys(("missing_facts", "new_facts", "wrong_split", "further_split"), "no")
            answers["missing_facts"] = "no" if good else "yes"
            lines.append(json.dumps({"item": row.id, "annotator": name, "answers": answers}))
    said = tmp_path / "said.jsonl"
    said.write_text("\n".join(lines) + "\n")
    assert rubrica("import", "s", said).code == 0
    return "study:s"


def test_registered_metrics_reach_compare_by_data_set(rubrica: Rubrica, study: str) -> None:
    """The figures that `score` prints of the study and sacreBLEU has; by other metadata other figures."""
    every = rows("all")
    scored = rubrica("score", study, "--metrics", "bleu", *NONE, "--register", "--json")
    assert found_in(scored.json) == pytest.approx(expected(every), abs=1e-9)
    ran = rubrica("compare", "s", *NONE, "--permutations", "50", "--json")
    metrics = {(one["dataset"], one["system"]): one for one in ran.json["metrics"]}
    wanted = {where: value for where, value in expected(every).items() if where[0]}
    assert {where: one["value"] for where, one in metrics.items()} == pytest.approx(wanted, abs=1e-9)
    human = [row for row in every if (row.system, row.dataset) == ("human", "news")]
    kept = [row for row in human if row.held]
    one = metrics["news", "human"]
    assert (one["items"], one["unscored"], one["left_out"]) == (len(kept), len(human) - len(kept), len(kept))
    assert "metrics:bleu" in ran.json["signature"]
    assert "own_refs_left_out:" in ran.json["signature"]
    text = rubrica("compare", "s", *NONE, "--permutations", "50").out
    row = next(line.split() for line in text.splitlines() if line.split()[:2] == ["contracts", "human"])
    assert row[-1] == f"{wanted['contracts', 'human']:.2f}"
    together = rubrica("compare", "s", "--dataset", "id", *NONE, "--permutations", "50", "--json").json["metrics"]
    whole = {one["system"]: one["value"] for one in together}
    assert whole == pytest.approx({system: value for (home, system), value in expected(every).items() if not home})


def test_a_metric_that_was_registered_without_counts_says_so(rubrica: Rubrica, study: str) -> None:
    """As one by an earlier version: no figure but the reason, until it is registered again."""
    from rubrica.store.models import MetricRegistration, MetricScore

    asked = ("score", study, "--metrics", "bleu", *NONE, "--register", "--json")
    rubrica(*asked)
    MetricScore.objects.update(statistics=None)
    MetricRegistration.objects.update(metric="", options={})
    compared = ("compare", "s", *NONE, "--permutations", "50", "--json")
    found = rubrica(*compared).json["metrics"]
    assert {(one["value"], one["reason"]) for one in found} == {
        (None, "it was registered without its counts: register it again")
    }
    assert rubrica(*asked).json["registered"][0]["state"] == "unchanged"
    assert all(one["value"] is not None for one in rubrica(*compared).json["metrics"])


def test_metrics_of_a_file_stand_beside_their_data_set(rubrica: Rubrica, study: str, tmp_path: Path) -> None:
    """What `score --per-system` wrote; one figure for all data sets is that of none of them, and that is said."""
    every, out = rows("all"), tmp_path / "systems.csv"
    rubrica("score", "--table", write(tmp_path / "t.csv", every), *MAP, "--metrics", "bleu", *NONE, "--per-system", out)
    asked = ("compare", "s", *NONE, "--permutations", "50", "--metrics", out)
    text = rubrica(*asked).out
    for dataset in ("news", "contracts"):
        for system in ("copy", "cut", "human"):
            row = next(line.split() for line in text.splitlines() if line.split()[:2] == [dataset, system])
            assert row[-1] == f"{expected(every)[dataset, system]:.2f}"
    out.write_text("system,BLEU\ncopy,50.5\nhuman,60.5\n")
    one = rubrica(*asked)
    assert "50.5" not in one.out
    assert "Of all data sets together, and so beside none of them: BLEU" in one.err
    assert "50.5" in rubrica(*asked, "--dataset", "id").out


def tables(folder: Path, name: str) -> list[dict[str, str]]:
    """A table of a report."""
    with (folder / "tables" / f"{name}.csv").open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_a_report_has_tables_3_and_4(rubrica: Rubrica, study: str, tmp_path: Path) -> None:
    """BLEU of each data set beside the criteria; correlations without people, as `correlate --human` prints them."""
    every, out = rows("all"), tmp_path / "report"
    rubrica("score", study, "--metrics", "bleu,sari", *NONE, "--register", "--per-sentence", tmp_path / "sentences.csv")
    ran = rubrica("report", "s", "-o", out, "--no-charts", "--bootstrap", "20")
    assert ran.code == 0, ran.err
    third = {(row["dataset"], row["system"]): row["metric.bleu"] for row in tables(out, "comparison")}
    wanted = {where: f"{value:.2f}" for where, value in expected(every).items() if where[0]}
    assert third == wanted
    fourth = tables(out, "correlation_bleu")
    assert [(row["dataset"], row["system"]) for row in fourth] == [
        *(("news", "copy"), ("news", "cut"), ("contracts", "copy"), ("contracts", "cut")),
        *(("news", "all systems"), ("contracts", "all systems")),
        *(("all data sets", "copy"), ("all data sets", "cut"), ("all data sets", "all systems")),
    ]
    numbers = json.loads((out / "results.json").read_text())
    same = ("correlate", "--ratings", study, "--bootstrap", "20", "--no-compare", "--human", "human", "--json")
    command = rubrica(*same).json
    told = [{**one, "title": one["title"].lower()} for one in numbers["correlation"]["results"]]
    assert told == command["results"]
    _is_spearman(rubrica, numbers["correlation"]["results"], tmp_path)
    # The table of metrics beside people has the same units.
    beside = numbers["agreement"]["metrics"]
    assert {one["units"] for one in beside} == {20}
    agreed = rubrica("agree", "s", "--bootstrap", "20", "--json").json["metrics"]
    figures = {(one["question"], one["metric"]): (one["spearman"], one["low"], one["units"]) for one in agreed}
    assert all((one["spearman"], one["low"], one["units"]) == figures[one["question"], one["metric"]] for one in beside)
    assert {one["human"][0] for one in beside} == {"human"}
    assert "human:human" in tables(out, "metrics_beside_people")[0]["signature"]
    page = (out / "report.html").read_text()
    assert "Rewrites by people are left out here: human." in page
    kept = rubrica("report", "s", "-o", out, "--no-charts", "--bootstrap", "20", "--human", "none")
    assert kept.code == 0
    assert {row["system"] for row in tables(out, "correlation_bleu")} > {"human"}
    assert rubrica("report", "s", "-o", out, "--no-charts", "--human", "nobody", "--json").code == 1


def _is_spearman(rubrica: Rubrica, results: list[dict[str, object]], folder: Path) -> None:
    """One figure against scipy, from exported judgements and scored sentences, with its p."""
    import polars

    assert rubrica("export", "s", "--format", "csv", "-o", folder / "j.csv").code == 0
    people = polars.read_csv(folder / "j.csv").group_by("item").agg(polars.col("sensible").mean())
    scores = polars.read_csv(folder / "sentences.csv").filter(polars.col("system") == "cut")
    both = scores.join(people, left_on="id", right_on="item")
    wanted = spearmanr(both["bleu"], both["sensible"])
    one = next(
        row
        for row in results
        if (row["metric"], row["criterion"], row["dataset"], row["system"], row["level"])
        == ("bleu", "sensible", None, "cut", "sentence")
    )
    assert one["n"] == len(both) == 10
    assert one["spearman"] == pytest.approx(wanted.statistic, abs=1e-9)
    assert one["p"] == pytest.approx(wanted.pvalue, abs=1e-9)


def test_a_report_has_figure_1(rubrica: Rubrica, study: str, tmp_path: Path) -> None:
    """What an expert said of a sample: the same groups and bounds as `reliability`; without one, what to do."""
    out = tmp_path / "report"
    asked = ("report", "s", "-o", out, "--bootstrap", "0", "--no-charts")
    rubrica(*asked)
    assert "No expert has judged a sample of the outputs" in (out / "report.html").read_text()
    assert rubrica("reliability", "sample", "s", "--into", "expert").code == 0
    from rubrica.store.models import Item

    keys = Item.objects.filter(study__name="expert").order_by("position").values_list("key", flat=True)
    good = {"sensible": 5, "grammatical": 5} | dict.fromkeys(
        ("missing_facts", "new_facts", "wrong_split", "further_split"), "no"
    )
    said = tmp_path / "expert.jsonl"
    lines = [
        json.dumps({"item": key, "annotator": "Dora", "answers": good | {"sensible": 5 - place % 2}})
        for place, key in enumerate(keys)
    ]
    said.write_text("\n".join(lines) + "\n")
    assert rubrica("import", "expert", said).code == 0
    assert rubrica(*asked[:-1]).code == 0
    command = rubrica("reliability", "s", "--expert", "study:expert", "--json").json
    found = json.loads((out / "results.json").read_text())["reliability"]
    for name in ("results", "by_raters", "confidence", "signature"):
        assert found[name] == command[name]
    spec = json.loads((out / "charts" / "crowd_reliability.vl.json").read_text())
    groups = {f"{one['group']} of {one['of']}" for one in command["results"] if one["judged"]}
    assert {row["group"] for row in spec["data"]["values"]} == groups
    assert (out / "charts" / "crowd_reliability.svg").exists()
    assert not [path for path in out.rglob("*") if path.suffix in (".html", ".csv") and "Dora" in path.read_text()]


def test_a_report_of_files(rubrica: Rubrica, tmp_path: Path) -> None:
    """Ratings, metrics, scores of sentences and an expert of a file give the same tables."""
    from tests.docs.pages import DOCS

    examples, out = DOCS / "examples" / "systems", tmp_path / "report"
    layout = (
        *("--unit", "dataset,text,system", "--rater", "rater", "--system", "system", "--dataset", "dataset"),
        *("--protocol", "split_rate", "--value", "sensible,correct"),
    )
    beside = ("--metrics", examples / "metrics.csv", "--scores", examples / "sentence_scores.csv")
    ran = rubrica(
        *("report", examples / "with_expert.csv", *layout, *beside, "--expert", "expert", "-o", out),
        *("--bootstrap", "20", "--no-charts"),
    )
    assert ran.code == 0, ran.err
    assert tables(out, "comparison")[0]["metric.BLEU"] == "71.4"
    assert "Left out: people." in (out / "tables" / "correlation_overlap.md").read_text()
    reliability = ("reliability", examples / "with_expert.csv", *layout, "--expert", "expert", "--json")
    found = json.loads((out / "results.json").read_text())["reliability"]
    assert found["results"] == rubrica(*reliability).json["results"]


def test_writers_of_a_study_are_held_against_each_other(rubrica: Rubrica, tmp_path: Path) -> None:
    """In the study that asks for rewrites, and in the one that rates them, whose registered metrics name nobody."""
    from rubrica.store.models import MetricRegistration

    every = [row for row in rows("all") if row.system == "human" and row.held]
    sources = list(dict.fromkeys(row.source for row in every))
    (tmp_path / "i.csv").write_text("\n".join(["id,source", *(f'{n},"{text}"' for n, text in enumerate(sources))]))
    assert rubrica("study", "new", "w", "--protocol", "split_rewrite", "--items", tmp_path / "i.csv").code == 0
    names = ("mia", "leo", "kai")
    lines = [
        json.dumps(
            {
                "item": str(sources.index(row.source)),
                "annotator": names[int(row.id[-1])],
                "answers": {"rewrite": row.rewrite},
            }
        )
        for row in every
    ]
    (tmp_path / "w.jsonl").write_text("\n".join(lines) + "\n")
    assert rubrica("import", "w", tmp_path / "w.jsonl").code == 0
    wanted = {name: bleu([row for row in every if int(row.id[-1]) == place]) for place, name in enumerate(names)}
    asked = ("--metrics", "bleu", *NONE, "--json")
    found = rubrica("score", "study:w", *asked).json
    assert {name: own["bleu"] for name, own in found["systems"].items()} == pytest.approx(wanted, abs=1e-9)
    rated = tmp_path / "r.csv"
    with rated.open("w", newline="", encoding="utf-8") as file:
        table = csv.writer(file)
        table.writerow(["id", "source", "rewrite", "author"])
        table.writerows([row.id, row.source, row.rewrite, names[int(row.id[-1])]] for row in every)
    assert rubrica("study", "new", "r", "--protocol", "split_rate", "--items", rated).code == 0
    again = rubrica("score", "study:r", *asked, "--register").json
    assert {name: own["bleu"] for name, own in again["systems"].items()} == pytest.approx(wanted, abs=1e-9)
    settings = MetricRegistration.objects.get().signature
    assert "human:authors" in settings
    assert not [name for name in names if name in settings]
