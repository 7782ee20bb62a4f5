"""A study as a corpus to score: which text is which, in every protocol, systems side by side."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from rubrica.core.errors import InputError
from rubrica.core.study import Item, Judgement
from rubrica.exchange.corpus import corpus_of
from rubrica.exchange.corpus_rows import CorpusRow
from rubrica.metrics.metric import Figure
from tests.conftest import NOW
from tests.studio.judging import judge

if TYPE_CHECKING:
    from rubrica.store.models import Stage

Make = Callable[..., "Stage"]


def test_systems_side_by_side(make_stage: Make) -> None:
    """Rewrites of one source come together, in the order of items; planted items are no part of the corpus."""
    from rubrica.store.ratings import study_corpus

    rows = [
        Item(f"{system}{place}", {"source": f"Source {place}.", "rewrite": f"{system} {place}."}, system)
        for system in ("x", "y")
        for place in range(3)
    ]
    stage = make_stage(rows=rows, duplicates=1.0, gold=[(Item("g", {"source": "S.", "rewrite": "G."}), {"meaning": 3})])
    found = study_corpus(stage.study)
    assert [row.id for row in found] == ["x0", "y0", "x1", "y1", "x2", "y2"]
    assert found[1] == CorpusRow("y0", "Source 0.", "y 0.", (), "y")
    sentences = corpus_of(found)
    assert sentences.systems == ("x", "y")
    assert [{name: own.text for name, own in one.rewrites.items()} for one in sentences.entries][1] == {
        "x": "x 1.",
        "y": "y 1.",
    }


def test_references_of_any_number(make_stage: Make) -> None:
    """Columns called reference are references, numbered or a list, uneven, blank ones none; others are not."""
    from rubrica.store.ratings import study_corpus

    texts = {"source": "Long.", "rewrite": "Short."}
    metadata: list[dict[str, str]] = [
        {"reference_1": "One.", "Reference 2": "Two.", "note": "Three.", "preference": "Four."},
        {"references": '["One.", "Two."]', "ref0": " "},
        {"references": "[sic] One."},
        {},
    ]
    stage = make_stage(rows=[Item(str(place), texts, metadata=own) for place, own in enumerate(metadata)])
    expected = [("One.", "Two."), ("One.", "Two."), ("[sic] One.",), ()]
    assert [row.references for row in study_corpus(stage.study)] == expected


def test_a_sentence_that_should_mean_the_same(make_stage: Make) -> None:
    """Where a protocol has a reference and no source, the rewrite is held against it in both ways."""
    from rubrica.store.ratings import study_corpus

    rows = [Item("1", {"reference": "It rained.", "hypothesis": "Rain fell."}, "m", metadata={"reference_2": "Rain."})]
    (row,) = study_corpus(make_stage("adequacy_fluency", rows=rows).study)
    assert row == CorpusRow("1", "It rained.", "Rain fell.", ("It rained.", "Rain."), "m")


def test_a_substitute_for_a_word(make_stage: Make) -> None:
    """Of a substitute the source is the word that it replaces, not the sentence around it."""
    from rubrica.store.ratings import study_corpus

    rows = [Item("1", {"context": "They commenced.", "target": "commenced", "substitute": "began"}, "m")]
    (row,) = study_corpus(make_stage("lexical_posthoc", rows=rows).study)
    assert (row.source, row.rewrite) == ("commenced", "began")


def test_rewrites_that_people_wrote(make_stage: Make) -> None:
    """Writers are systems: in the study that asks for rewrites, and in the one that rates them."""
    from rubrica.metrics.catalog import Measured
    from rubrica.store.metric_annotators import register_all
    from rubrica.store.ratings import study_corpus

    rows = [Item(str(place), {"source": f"It is {place} and it stays."}) for place in (1, 2)]
    asks = make_stage("split_rewrite", rows=rows)
    for name in ("mia", "leo"):
        judge(asks.study, name, said=Judgement({"rewrite": f"It is so. It stays, says {name}."}))
    judge(asks.study, "ida", said=Judgement({}, (), "too_simple"))
    found = study_corpus(asks.study)
    assert [(row.id, row.system) for row in found] == [
        ("1/leo", "leo"),
        ("1/mia", "mia"),
        ("2/leo", "leo"),
        ("2/mia", "mia"),
    ]
    assert found[1].source == "It is 1 and it stays."
    assert found[1].rewrite == "It is so. It stays, says mia."
    with pytest.raises(InputError, match="answers of its writers"):
        register_all(asks.study, [Measured(Figure("n", "N"), "n:1", {row.id: 1.0 for row in found})], NOW)
    written = [
        Item(row.id.replace("/", "-"), {"source": row.source, "rewrite": row.rewrite}, author=row.system)
        for row in found
    ]
    rates = make_stage("split_rate", rows=written, name="t")
    assert [row._replace(id=row.id.replace("-", "/")) for row in study_corpus(rates.study)] == found


def test_a_study_without_rewrites(make_stage: Make) -> None:
    """A protocol about words alone has nothing to score, and says so."""
    from rubrica.store.ratings import study_corpus

    rows = [Item("1", {"context": "They commenced.", "target": "commenced"})]
    with pytest.raises(InputError, match="has no rewrites: lexical_complexity"):
        study_corpus(make_stage("lexical_complexity", rows=rows).study)
