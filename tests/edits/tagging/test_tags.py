"""Tags of words from people's edits, by hand."""

from __future__ import annotations

from rubrica.core.edits import Edit
from rubrica.edits.tagging.tags import examples, tags_of
from tests.edits.pairs import annotated, edit, typology

GOOD = {"information": "same", "paraphrase_impact": "positive", "efficacy": 2}
LOST = {"deletion_type": "bad_deletion", "severity": 1}


def test_edits_tag_their_words() -> None:
    """Successes are good, errors bad, trivial edits ok; an error wins; a composite tags what its parts cover."""
    annotation = annotated(
        "ana",
        edit("1", "substitution", "ferry departed", "boat left", **GOOD),
        edit("2", "deletion", "departed", **LOST),
        edit("3", "insertion", (), "fast.", insertion_type="trivial_insertion", trivial_helps="no"),
        Edit("4", "split", answers={"impact": "positive", "efficacy": 1}),
        edit("5", "deletion", "and", parent="4"),
        edit("6", "substitution", "it", "It", parent="4"),
        edit("7", "substitution", "noon", "noon.", information="same", paraphrase_impact="no_impact"),
    )
    found = tags_of(annotation, typology())
    # The ferry departed at noon and it sank.  /  The boat left at noon. || It sank fast.
    assert found["source"] == ("ok", "good", "bad", "ok", "ok", "good", "good", "ok")
    assert found["rewrite"] == ("ok", "good", "good", "ok", "ok", "ok", "good", "ok", "ok")


def test_a_grammar_error_is_bad() -> None:
    """A good edit with a grammar error is bad; a helpful trivial insertion is good."""
    wrong = annotated("ana", edit("1", "substitution", "ferry", "boat", **GOOD, grammar_error="yes"))
    assert tags_of(wrong, typology())["rewrite"][1] == "bad"
    helps = {"insertion_type": "trivial_insertion", "trivial_helps": "yes", "efficacy": 1}
    assert tags_of(annotated("ana", edit("1", "insertion", (), "fast.", **helps)), typology())["rewrite"][8] == "good"


def test_of_several_annotators_the_middle_counts() -> None:
    """Good, ok and bad make ok; good and bad make bad; two pairs are two examples."""
    bad = edit("1", "deletion", "and", **LOST)
    good = edit("1", "deletion", "and", deletion_type="good_deletion", efficacy=1)
    three = [annotated("ana", good), annotated("ben"), annotated("eva", bad)]
    two = [annotated("ana", good, key="2"), annotated("ben", bad, key="2")]
    found = examples([*three, *two], typology())
    assert [example.tags["source"][5] for example in found] == ["ok", "bad"]
