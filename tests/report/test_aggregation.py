"""Gold of ratings: which method, what is left out, verdicts, words, and the sentences that need rewriting."""

import pytest

from rubrica.core.answers import NOT_APPLICABLE, Answer
from rubrica.core.errors import InputError
from rubrica.core.ratings import Rater, Rating, Ratings, Unit
from rubrica.protocols.catalog import find
from rubrica.protocols.criteria import criteria_of
from rubrica.report.aggregation import Aggregation, aggregate, as_json, gold_table, raters_table
from rubrica.report.gold_verdicts import needs_rewriting
from rubrica.report.tables import flat_rows

Said = tuple[str, str, dict[str, Answer]] | tuple[str, str, dict[str, Answer], str]


def ratings(protocol: str, *said: Said, units: dict[str, Unit] | None = None) -> Ratings:
    """Judgements (unit, rater, answers, and the outcome if there are none) of a shipped protocol."""
    asked = find(protocol).protocol.resolve({})
    every = tuple(Rating(*one) for one in said)
    known = units or {one.unit: Unit(one.unit, texts={"source": f"S {one.unit}", "rewrite": "R"}) for one in every}
    return Ratings(
        protocol, criteria_of(asked), every, known, {one.rater: Rater(one.rater) for one in every}, protocol=asked
    )


def gold(found: Aggregation, question: str) -> dict[str, object]:
    """The gold answers to one question, by unit."""
    return {row.unit.key: row.gold.value for row in found.rows if row.question == question}


RIGHT: dict[str, Answer] = {
    **{"sensible": 5, "grammatical": 5},
    **dict.fromkeys(("missing_facts", "new_facts", "wrong_split", "further_split"), "no"),
    "correct": "yes",
}
WRONG: dict[str, Answer] = {**RIGHT, "sensible": 3, "new_facts": "yes", "correct": "no"}


def test_each_question_in_its_usual_way() -> None:
    """Scales have means, yes or no majorities, verdicts their share and the item's verdict; it is said."""
    found = aggregate(ratings("split_rate", ("u", "a", RIGHT), ("u", "b", WRONG), ("v", "a", RIGHT), ("v", "b", RIGHT)))
    assert gold(found, "sensible") == {"u": 4, "v": 5}
    assert gold(found, "new_facts") == {"u": None, "v": "no"}
    assert gold(found, "correct") == {"u": 0.5, "v": 1}
    assert gold(found, "perfect") == {"u": "no", "v": "yes"}
    assert found.remarks[0].startswith("sensible: mean;")
    assert "ties:none" in found.signature


def test_a_verdict_of_too_few_judgements_says_so() -> None:
    """*Perfect* needs two ratings."""
    found = aggregate(ratings("split_rate", ("u", "a", RIGHT)), "verdict")
    [row] = [row for row in as_json(found)["results"] if row["question"] == "perfect"]
    assert (row["value"], row["reason"], row["of"]) == (None, "1 of at least 2 judgements", "item")


def test_ways_out_decide_what_is_discarded() -> None:
    """Two of three writers flag the sentence: a majority discards it; who passed it on does not count."""
    found = aggregate(
        ratings(
            "split_rewrite",
            ("u", "a", {}, "too_simple"),
            ("u", "b", {}, "too_problematic"),
            ("u", "c", {"rewrite": "One. Two."}),
            ("u", "d", {}, "uncomfortable"),
        ),
        "verdict",
    )
    [row] = [row for row in found.rows if row.question == "discarded"]
    assert (row.gold.value, row.gold.support, row.gold.raters) == ("yes", 2, 3)


def test_words_count_how_many_found_none_simpler() -> None:
    """Two of four found no simpler word; the others' words stand by frequency, in the spelling that most used."""
    found = aggregate(
        ratings(
            "lexical_simplification",
            ("w", "a", {"substitutes": ("start", "begin")}),
            ("w", "b", {"substitutes": ("Start",)}),
            ("w", "c", {"substitutes": ()}),
            ("w", "d", {"substitutes": ()}),
            ("w", "e", {"substitutes": ("start",)}),
        )
    )
    [row] = as_json(found)["results"]
    assert row["value"] == ["start", "begin"]
    assert [one["raters"] for one in row["counts"]] == [3, 1]
    assert (row["raters"], row["support"], row["none_simpler"]) == (5, 3, 2)
    [[_, _, _, cell, *_]] = gold_table(found).rows
    assert cell == "start (3); begin (1); none simpler (2)"


def test_a_method_leaves_out_what_it_does_not_fit() -> None:
    """A median is for scales; if nothing is left, the message says what there is."""
    said = ratings("split_rate", ("u", "a", RIGHT), ("u", "b", WRONG))
    found = aggregate(said, "median")
    assert {row.question for row in found.rows} == {"sensible", "grammatical"}
    assert "missing_facts" in found.remarks[0]
    with pytest.raises(InputError, match="counts fits none of the questions"):
        aggregate(said, "counts")
    with pytest.raises(InputError, match="there is no method 'vote'"):
        aggregate(said, "vote")


def test_not_applicable_and_excluded_do_not_count() -> None:
    """An answer that was not applicable is none, and who is excluded said nothing."""
    said = ratings(
        "split_rate", ("u", "a", RIGHT), ("u", "b", {**RIGHT, "sensible": NOT_APPLICABLE}), ("u", "c", WRONG)
    ).without(["c"])
    [row] = [row for row in aggregate(said, "mean").rows if row.question == "sensible"]
    assert (row.gold.value, row.gold.raters) == (5, 1)


def test_the_interval_of_a_mean_ends_with_the_scale() -> None:
    """5 and 3 of 0 to 5: Student's interval would go from -8.7 to 16.7."""
    [row] = [
        row
        for row in aggregate(ratings("split_rate", ("u", "a", RIGHT), ("u", "b", WRONG)), "mean").rows
        if row.question == "sensible"
    ]
    assert (row.gold.low.value, row.gold.high.value) == (0, 5)


def test_tables_have_a_row_for_each_gold_answer() -> None:
    """Values of scales have decimals, labels are words, z-scores bring a table of raters."""
    said = ratings("split_rate", ("u", "a", RIGHT), ("v", "a", WRONG), ("u", "b", RIGHT))
    rows = flat_rows(gold_table(aggregate(said)))
    assert {row["value"] for row in rows if row["question"] == "new_facts"} == {"no", "yes"}
    found = aggregate(said, "zscore")
    assert [row["rater"] for row in flat_rows(raters_table(found))][:2] == ["a", "b"]
    assert any("no variation" in remark and ": b;" in remark for remark in found.remarks)


def needed(answer: str) -> dict[str, Answer]:
    """A judgement of claro with this answer to whether rewriting was needed."""
    return {"needed": answer, "needs_rewriting_one": answer}


def test_sentences_that_need_rewriting() -> None:
    """Each source once, rewrites of one sentence together: 2 of 3 say yes; 1 of 2 is no majority."""
    units = {
        "a1": Unit("a1", texts={"source": "A.", "rewrite": "x"}),
        "a2": Unit("a2", texts={"source": "A.", "rewrite": "y"}),
        "b1": Unit("b1", texts={"source": "B.", "rewrite": "z"}),
    }
    found = needs_rewriting(
        ratings(
            "claro",
            *(("a1", "p", needed("yes")), ("a1", "q", needed("no")), ("a2", "r", needed("yes"))),
            *(("b1", "p", needed("yes")), ("b1", "q", needed("no"))),
            units=units,
        )
    )
    assert found.decided == [("A.", True, "a1"), ("B.", False, "b1")]
    assert found.undecided == 0
    with pytest.raises(InputError, match="does not ask whether sentences need rewriting"):
        needs_rewriting(ratings("split_rate", ("u", "a", RIGHT)))
