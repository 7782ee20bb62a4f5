"""`rubrica score` on a study: scored, registered, shown beside people by `rubrica agree`, removed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from scipy.stats import spearmanr

from tests.conftest import Ran

Rubrica = Callable[..., Ran]
WORDS = ("gate", "bridge", "tower", "well", "mill", "square")


@pytest.fixture
def study(rubrica: Rubrica, tmp_path: Path) -> str:
    """Six sources that two systems rewrote, with two references each, and marks of two people that differ."""
    items = tmp_path / "items.csv"
    lines = ["id,source,rewrite,system,reference_1,reference_2"]
    marks = []
    for place, word in enumerate(WORDS):
        source = f"The very old {word} was shut by them."
        rewrites = {"long": f"The old {word} was shut {'quickly ' * place}by them.", "short": f"They shut the {word}."}
        for system, rewrite in rewrites.items():
            lines.append(f"{word}-{system},{source},{rewrite},{system},They shut the old {word}.,The {word} was shut.")
            for who, severe in (("ana", 0), ("ben", 1)):
                mark = max(1, min(5, (5 if system == "short" else 4 - place // 2) - severe * (place % 2)))
                answers = f'{{"content_preservation": {mark}, "fluency": {mark}}}'
                marks.append(f'{{"item": "{word}-{system}", "annotator": "{who}", "answers": {answers}}}')
    items.write_text("\n".join(lines) + "\n", encoding="utf-8")
    said = tmp_path / "said.jsonl"
    said.write_text("\n".join(marks) + "\n", encoding="utf-8")
    columns = ("--map", "reference=source", "--map", "hypothesis=rewrite")
    made = rubrica("study", "new", "s", "--protocol", "adequacy_fluency", "--items", items, *columns)
    assert made.code == 0, made.err
    assert rubrica("import", "s", said).code == 0
    return "study:s"


def test_from_scores_to_the_agreement_page(rubrica: Rubrica, study: str, tmp_path: Path) -> None:
    """What is registered are the figures of single sentences; agreement of people is the same as before."""
    before = rubrica("agree", "s", "--bootstrap", 50, "--json").json
    assert "metrics" not in before
    file = tmp_path / "sentences.csv"
    scored = rubrica(
        *("score", study, "--metrics", "sari,compression_ratio", "--bootstrap", 0, "--per-sentence", file),
        *("--register", "--json"),
    )
    assert scored.code == 0, scored.err
    assert [(one["name"], one["state"], one["items"]) for one in scored.json["registered"]] == [
        ("sari", "registered", 12),
        ("compression_ratio", "registered", 12),
    ]
    assert set(scored.json["systems"]) == {"long", "short"}
    after = rubrica("agree", "s", "--bootstrap", 50, "--json").json
    assert after["results"] == before["results"]
    row = next(one for one in after["metrics"] if (one["question"], one["metric"]) == ("fluency", "sari"))
    assert (row["kind"], row["units"], row["people"]["raters"]) == ("metric", 12, 2)
    assert "tok=13a" in row["settings"]
    assert row["spearman"] == pytest.approx(_by_hand(rubrica, file), abs=1e-12)
    assert "metrics:sari+compression_ratio" in after["signature"]
    shown = rubrica("agree", "s", "--bootstrap", 0).out
    assert "Metrics beside people" in shown
    assert "mean of 2 people" in shown


def _by_hand(rubrica: Rubrica, file: Path) -> float:
    """Spearman's rho of the file of sentences with the means of the exported judgements."""
    import polars

    out = file.with_name("judgements.csv")
    assert rubrica("export", "s", "--format", "csv", "-o", out).code == 0
    people = polars.read_csv(out).group_by("item").agg(polars.col("fluency").mean())
    scores = polars.read_csv(file).join(
        polars.read_csv(out).select("item", "hypothesis", "system").unique(),
        left_on=["rewrite", "system"],
        right_on=["hypothesis", "system"],
    )
    both = scores.join(people, on="item")
    assert len(both) == 12
    return float(spearmanr(both["sari"], both["fluency"]).statistic)


def test_again_and_away(rubrica: Rubrica, study: str) -> None:
    """The same again is unchanged, other settings stand beside it, and each goes by its name."""
    plain = ("score", study, "--metrics", "bleu", "--bootstrap", 0, "--register")
    assert "bleu: registered, 12 items" in rubrica(*plain).err
    assert "bleu: unchanged, 12 items" in rubrica(*plain).err
    assert "bleu-2: registered, 12 items" in rubrica(*plain, "--lowercase").err
    assert rubrica("score", study, "--unregister", "bleu", "--json").json["removed"] == {"name": "bleu", "items": 12}
    assert "bleu-2: removed" in rubrica("score", study, "--unregister", "bleu").err
    gone = rubrica("score", study, "--unregister", "bleu")
    assert gone.code == 1
    assert "has no metric 'bleu'" in gone.err


def test_what_cannot_be_registered(rubrica: Rubrica, study: str, tmp_path: Path) -> None:
    """Files have no people to stand beside; an unknown study is named, with what there is."""
    texts = tmp_path / "t.txt"
    texts.write_text("One.\n", encoding="utf-8")
    files = rubrica("score", "--source", texts, "--rewrite", texts, "--metrics", "fkgl", "--register")
    assert files.code == 1
    assert "only metrics of a study can be registered" in files.err
    assert rubrica("score", "study:t", "--metrics", "fkgl", "--register").code == 1
    assert "there is no study 't'" in rubrica("score", "study:t", "--unregister", "fkgl").err


def test_metrics_of_a_demo_are_those_of_the_command(rubrica: Rubrica, tmp_path: Path) -> None:
    """A mark of a split (||) is no text: registering the same metrics again finds the values that the demo has."""
    items = tmp_path / "pairs.csv"
    items.write_text("id,source,rewrite\na,He left and she stayed.,He left. || She stayed.\n", encoding="utf-8")
    assert rubrica("study", "new", "s", "--protocol", "salsa", "--items", items).code == 0
    from rubrica.demo.demonstration import measure
    from rubrica.protocols.catalog import load_shipped
    from rubrica.store import studies
    from tests.conftest import NOW

    measure(studies.find("s"), load_shipped("salsa").protocol, NOW)
    again = rubrica("score", "study:s", "--metrics", "compression_ratio,levenshtein_similarity", "--register", "--json")
    assert again.code == 0, again.err
    assert {one["state"] for one in again.json["registered"]} == {"unchanged"}
