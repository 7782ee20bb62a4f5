"""`rubrica edits summary`, `agree` and `score`: on files of our own, on exports and on studies."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Ran
from tests.docs.pages import DOCS
from tests.making import fill

pytestmark = pytest.mark.any_database

Rubrica = Callable[..., Ran]
EXAMPLE = DOCS / "examples" / "edits" / "annotated.json"
SELECTION = sorted((DOCS / "examples" / "edits" / "selection").glob("*.json"))


@pytest.fixture
def salsa(rubrica: Rubrica, tmp_path: Path) -> Path:
    """A study named s that three and one people took through all stages of SALSA, and its export."""
    items = DOCS / "examples" / "items" / "salsa.csv"
    assert rubrica("study", "new", "s", "--protocol", "salsa", "--items", items).code == 0
    for stage, people in (("select", "ana,ben,eva"), ("adjudicate", "dora"), ("classify", "ana,ben,eva")):
        where = ("--out", tmp_path / stage)
        ran = rubrica("sheets", "write", "s", "--stage", stage, "--annotators", people, *where, "--json")
        for file in ran.json["files"]:
            fill(Path(file))
        assert rubrica("sheets", "read", "s", *ran.json["files"]).code == 0
    out = tmp_path / "s.jsonl"
    assert rubrica("export", "s", "--format", "jsonl", "-o", out).code == 0
    return out


def test_summary_of_a_file(rubrica: Rubrica) -> None:
    """All 21 types are there, counted, with families, ratings, operations and the cell of trivial insertions."""
    found = rubrica("edits", "summary", EXAMPLE, "--by", "system", "--json").json
    assert len(found["types"]) == 21
    # Counted by eye in the file: 42 edits, two of them with a grammar error.
    assert sum(found["types"].values()) == 42 + 2
    assert {name: found["types"][name] for name in ("Paraphrase", "Bad Deletion", "Trivial Change", "Grammar")} == {
        "Paraphrase": 14,
        "Bad Deletion": 6,
        "Trivial Change": 4,
        "Grammar": 2,
    }
    assert found["operations"] == {
        "deletion": 12,
        "insertion": 4,
        "substitution": 17,
        "reorder": 3,
        "split": 4,
        "structure": 2,
    }
    assert found["trivial_insertions"] == {"helpful": 1, "unhelpful": 1}
    assert found["families"]["Lexical"] == {"quality": 14 + 3, "error": 1 + 2 + 1}
    assert found["systems"]["plain"]["sides"] == {"quality": 23, "error": 0}
    assert found["systems"]["plain"]["severity"]["mean"] == {"value": None, "reason": "nothing was rated"}
    assert found["ratings"]["Bad Split"] == {"mean": 3.0, "points": {"1": 0, "2": 0, "3": 1}, "unrated": 0}
    assert "by:system" in found["signature"]
    assert "file:annotated.json" in found["signature"]


def test_summary_as_a_table(rubrica: Rubrica) -> None:
    """The table has every type, and each system with the types that it has."""
    ran = rubrica("edits", "summary", EXAMPLE, "--by", "system")
    assert "42 edits in 12 annotations of 12 pairs, 3.50 per annotation" in ran.out
    assert "quality Lexical Paraphrase 14 33.3% 2.07" in " ".join(ran.out.split())
    assert "insertions: 1 helpful, 1 not helpful" in ran.out
    assert "plain quality Sentence Split 3 13.0%" in " ".join(ran.out.split())


def test_a_study_and_its_export_say_the_same(rubrica: Rubrica, salsa: Path) -> None:
    """Types come from the last stage; the export of the study gives the same counts."""
    study = rubrica("edits", "summary", "s", "--json")
    file = rubrica("edits", "summary", salsa, "--json")
    assert "stage classify, of select, adjudicate, classify" in study.err
    assert study.json["edits"] > 0
    assert study.json["untyped"] == 0
    drop = {"signature"}
    assert {k: v for k, v in study.json.items() if k not in drop} == {
        k: v for k, v in file.json.items() if k not in drop
    }
    assert "stage:classify|study:s" in study.json["signature"]
    select = rubrica("edits", "summary", "study:s", "--stage", "select", "--json").json
    assert 0 < select["untyped"] <= select["edits"]


def test_agreement_of_files(rubrica: Rubrica) -> None:
    """The annotator is the file's name; Table 2 has nine rows; the seed makes intervals repeatable."""
    options = ("--bootstrap", 50, "--seed", 3, "--json")
    found = rubrica("edits", "agree", *SELECTION, *options).json
    assert (found["annotators"], found["pairs"], found["tokens"]) == (3, 4, 106)
    rows = {row["label"]: row for row in found["results"]}
    assert len(rows) == 9
    assert list(found["results"][0])[:8] == [
        "label",
        "edit",
        "subtype",
        "kappa",
        "alpha",
        "three_agree",
        "two_agree",
        "low",
    ]
    assert rows["Substitution-more"]["kappa"]["value"] is None
    few = {"value": None, "reason": "an interval needs at least 10 pairs with the label"}
    assert (rows["Substitution-same"]["low"], rows["Substitution-same"]["high"]) == (few, few)
    assert [pair["annotators"] for pair in found["spans"]["annotators"]] == [
        ["ana", "ben"],
        ["ana", "eva"],
        ["ben", "eva"],
    ]
    assert rubrica("edits", "agree", *reversed(SELECTION), *options).json["results"] == found["results"]
    assert "bootstrap:50" in found["signature"]


def test_component_reorder_by_hand(rubrica: Rubrica) -> None:
    """Two of three marked the same ten tokens as moved: kappa, alpha and percentages follow."""
    found = rubrica("edits", "agree", *SELECTION, "--bootstrap", 0, "--json").json
    row = next(row for row in found["results"] if row["label"] == "Reorder-component")
    # "Owing to insufficient funding," and "because there was not enough money.": 4 + 6 = 10 of 106 tokens, by two.
    # Observed (96 x 1 + 10 x 1/3) / 106; of 318 choices 20 are marks: expected (20² + 298²) / 318².
    observed, expected = (96 + 10 / 3) / 106, (20**2 + 298**2) / 318**2
    kappa = (observed - expected) / (1 - expected)
    assert row["kappa"] == pytest.approx(kappa)
    assert row["alpha"] == pytest.approx(kappa + (1 - kappa) / 318)
    assert (row["three_agree"], row["two_agree"], row["tokens"]) == (0, 100, 10)


def test_agreement_of_a_study(rubrica: Rubrica, salsa: Path) -> None:
    """Tokens are compared where edits were selected, types and ratings where they were classified."""
    found = rubrica("edits", "agree", "s", "--bootstrap", 20, "--json").json
    assert (found["annotators"], found["pairs"], found["left_out"]) == (3, 2, 0)
    assert "stage:select" in found["signature"]
    # All three classified the same settled edits, so every edit is matched by every two of them.
    edits = rubrica("edits", "summary", "s", "--json").json["edits"]
    assert found["matched"]["types"]["edits"] == edits
    assert len(found["error_types"]) == 13
    printed = rubrica("edits", "agree", "s", "--bootstrap", 20)
    assert "2 pairs of 3 annotators each" in printed.out
    assert "same type" in printed.out


def test_one_annotator_each(rubrica: Rubrica) -> None:
    """Without a pair of two annotators every figure says why, and that is no error."""
    ran = rubrica("edits", "agree", EXAMPLE, "--json")
    assert ran.code == 0
    assert ran.json["annotators"] == {"value": None, "reason": "no pair has two annotators"}
    assert ran.json["results"][0]["kappa"] == {"value": None, "reason": "no pair has two annotators"}
    assert "no pair has two annotators" in rubrica("edits", "agree", EXAMPLE).out


def test_scores_of_a_file(rubrica: Rubrica, tmp_path: Path) -> None:
    """A row for each sentence as CSV and JSON, means by system, and parts that add up."""
    out = tmp_path / "scores.csv"
    found = rubrica("edits", "score", EXAMPLE, "-o", out, "--json").json
    with out.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == len(found["sentences"]) == 12
    assert [float(row["total"]) for row in rows] == [row["total"] for row in found["sentences"]]
    for row in found["sentences"]:
        assert row["total"] == pytest.approx(row["quality"] + row["error"])
        assert row["total"] == pytest.approx(row["conceptual"] + row["syntax"] + row["lexical"])
    assert found["systems"]["plain"]["error"] == 0
    assert found["systems"]["short"]["sentences"] == 6
    assert rubrica("edits", "score", EXAMPLE, "-o", "-").out.startswith("item,system,annotator,total,quality,error")
    assert "plain           6  136.65" in rubrica("edits", "score", EXAMPLE).out


def test_published_scores(rubrica: Rubrica) -> None:
    """The compatibility mode gives other figures, and its parts do not add up where grammar is wrong."""
    found = rubrica("edits", "score", EXAMPLE, "--weights", "published", "--json").json
    assert "weights:published" in found["signature"]
    wrong = [row["item"] for row in found["sentences"] if row["total"] != pytest.approx(row["quality"] + row["error"])]
    # Entries 10 and 12 have the two grammar errors.
    assert wrong == ["10", "12"]


@pytest.mark.parametrize(
    ("arguments", "rule"),
    [
        (("summary", "none.json"), "file"),
        (("summary", "nothing"), "unknown_study"),
        (("summary", EXAMPLE, "--by", "colour"), "grouping"),
        (("summary", EXAMPLE, "--stage", "select"), "stage"),
        (("summary", EXAMPLE, "--offsets", "bytes"), "kind_of_offsets"),
        (("agree", EXAMPLE, "study:s"), "sources"),
        (("summary", "study:s", "--protocol", "salsa"), "option"),
        (("summary", EXAMPLE, "--protocol", "salza"), "unknown_protocol"),
        (("agree", EXAMPLE, "--annotators", "1"), "option"),
        (("score", EXAMPLE, "--weights", "mine"), "set_of_weights"),
        (("score", EXAMPLE, "-o", "-"), "option"),
        (("score", EXAMPLE, "-o", "/no/such/folder/scores.csv"), "file"),
    ],
)
def test_what_cannot_be_done(rubrica: Rubrica, arguments: tuple[object, ...], rule: str) -> None:
    """A wrong request ends with 1 and says which rule it breaks."""
    ran = rubrica("edits", *arguments, "--json")
    assert (ran.code, [error["rule"] for error in ran.json["errors"]]) == (1, [rule])


def test_studies_without_edits_are_refused(rubrica: Rubrica) -> None:
    """A study whose protocol has no edits is named, and so is one in which nobody judged."""
    rubrica("study", "new", "b", "--protocol", "breve")
    assert rubrica("edits", "summary", "b", "--json").json["errors"][0]["rule"] == "protocol"
    rubrica("study", "new", "e", "--protocol", "salsa")
    assert rubrica("edits", "summary", "e", "--json").json["errors"][0]["rule"] == "empty"


def test_an_existing_path_wins(rubrica: Rubrica, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, salsa: Path) -> None:
    """A file named like a study is read as a file; study:NAME is the study."""
    monkeypatch.chdir(tmp_path)
    Path("s").write_text("no judgements")
    assert rubrica("edits", "summary", "s", "--json").json["errors"][0]["rule"] == "format"
    assert rubrica("edits", "summary", "study:s").code == 0


def test_spans_that_do_not_fit_are_remarked(rubrica: Rubrica, tmp_path: Path) -> None:
    """Spans outside their text, and spans that cut tokens, are counted aloud and break nothing."""
    spans = [
        {"id": 1, "category": "deletion", "input_idx": [[0, 99]]},
        {"id": 2, "category": "deletion", "input_idx": [[0, 2]]},
    ]
    file = tmp_path / "odd.json"
    file.write_text(json.dumps([{"source": "The old gate", "target": "The gate", "edits": spans}]))
    assert "1 span outside the text" in rubrica("edits", "summary", file).err
    assert "1 span beginning or ending within a token" in rubrica("edits", "agree", file).err


TEMPLATE = """
template_name: trimming
edits:
  - name: deletion
    label: Gone
    enable_input: true
    annotation:
      - name: deletion_type
        question: Did it matter?
        options:
          - name: good_deletion
            label: Not at all
            question: How much does it help?
            options: likert-3
          - name: bad_deletion
            label: Very much
            question: How much does it harm?
            options: likert-3
      - {name: coreference, question: Is a name gone?, options: binary}
"""


def test_a_study_made_from_a_template(rubrica: Rubrica, tmp_path: Path) -> None:
    """A protocol imported from Thresh has other ids and no types; its edits are typed as in the file it came from."""

    def gone(number: int, kind: str, rating: str, coreference: str) -> dict[str, object]:
        spans = [[0, 3]] if number == 1 else [[4, 7]]
        answers = {"deletion_type": {"val": kind, kind: rating}, "coreference": coreference}
        return {"id": number, "category": "deletion", "input_idx": spans, "annotation": answers}

    edits = [gone(1, "good_deletion", "a lot", "no"), gone(2, "bad_deletion", "minor", "yes")]
    data, template, protocol = (tmp_path / name for name in ("d.json", "t.yml", "t.yaml"))
    data.write_text(json.dumps([{"source": "The old gate", "target": "gate", "edits": edits}]))
    template.write_text(TEMPLATE)
    assert rubrica("protocols", "import-thresh", template, "-o", protocol).code == 0
    assert rubrica("study", "new", "t", "--protocol", protocol).code == 0
    assert rubrica("import", "t", data, "--format", "thresh").code == 0
    assert rubrica("export", "t", "--format", "jsonl", "-o", tmp_path / "t.jsonl").code == 0
    given = (data,), ("t",), (tmp_path / "t.jsonl", "--protocol", protocol)
    for found in (rubrica("edits", "summary", *arguments, "--json").json for arguments in given):
        assert {name: number for name, number in found["types"].items() if number} == {
            "Generalization": 1,
            "Coreference": 1,
        }
        assert (found["efficacy"]["mean"], found["severity"]["mean"]) == (3.0, 1.0)


def test_planted_items_and_ways_out_are_left_out(rubrica: Rubrica, salsa: Path, tmp_path: Path) -> None:
    """Judgements that are no annotations are counted aloud."""
    records = [json.loads(line) for line in salsa.read_text().splitlines()]
    classify = [record for record in records if record["stage"] == "classify"]
    classify[0]["planted"] = "duplicate"
    classify[1]["outcome"] = "uncomfortable"
    file = tmp_path / "some.jsonl"
    file.write_text("".join(json.dumps(record) + "\n" for record in classify))
    ran = rubrica("edits", "summary", file, "--json")
    assert ran.json["annotations"] == len(classify) - 2
    assert "1 judgement of planted items left out" in ran.err
    assert "1 judgement that left the item left out" in ran.err


def test_fates_of_suggestions_are_counted_by_operation(rubrica: Rubrica, tmp_path: Path) -> None:
    """A table of operations and fates, the version that suggested, and every suggestion as a line of JSON."""
    items = tmp_path / "pairs.csv"
    items.write_text("source,rewrite\nHe purchased a very old boat.,He bought a boat.\n")
    new = ("study", "new", "s", "--protocol", "salsa", "--items", items, "--set", "suggestions=shown")
    assert rubrica(*new).code == 0
    assert "no edits were suggested" in rubrica("edits", "fates", "s").err
    _decide()
    ran = rubrica("edits", "fates", "s", "-o", tmp_path / "fates.jsonl")
    # Two suggestions: purchased became bought, which was taken as it was; very old is gone, which was rejected.
    assert ran.out.splitlines() == [
        "operation     accepted  adjusted  rejected  ignored  together",
        "substitution         1         0         0        0         1",
        "deletion             0         0         1        0         0",
    ]
    assert "2 suggestions by rubrica-suggest/2" in ran.err
    first, second = [json.loads(line) for line in (tmp_path / "fates.jsonl").read_text().splitlines()]
    assert (first["annotator"], first["fate"], first["source"], first["edit"]) == ("ana", "accepted", [[3, 12]], "1")
    assert (second["fate"], second["edit"]) == ("rejected", "")
    assert (first["together"], second["together"]) == (True, False)
    told = json.loads(rubrica("edits", "fates", "s", "--json").out)
    assert told["suggestions"] == 2
    assert told["operations"]["deletion"] == {"accepted": 0, "adjusted": 0, "rejected": 1, "ignored": 0, "together": 0}


def _decide() -> None:
    """Ana accepts all suggestions of the only pair at once, and rejects the second when she looks at it."""
    import attrs
    from django.utils import timezone

    from rubrica.core.study import Judgement
    from rubrica.exchange.suggestions import Told
    from rubrica.store.allocation.leases import take
    from rubrica.store.models import Study
    from rubrica.store.people.annotators import named
    from rubrica.store.recording import judgements
    from rubrica.store.recording.suggestions import suggestions_for

    study, now = Study.objects.get(name="s"), timezone.now()
    stage = study.stages.select_related("protocol_version", "study").get(key="select")
    lease = take(named(study, ["ana"], now)["ana"], stage, now).leases[0]
    first, second = suggestions_for(stage, [lease.item], ["en"], now)[lease.item_id]
    taken = attrs.evolve(first, id="1", answers={"information": "same"})
    told = Told({first.id: "1", second.id: ""}, {first.id: True})
    said = judgements.Said(lease, "key-00001", Judgement({}, (taken,)), suggested=told)
    judgements.submit([said], now)
