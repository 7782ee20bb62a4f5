"""Systems side by side: figures and tests derived by hand on a handful of ratings."""

from __future__ import annotations

from random import Random

import attrs
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import permutation_test

from rubrica.core.answers import NOT_APPLICABLE, Answer
from rubrica.core.ratings import Criterion, Rater, Rating, Ratings, Unit
from rubrica.protocols.catalog import load_shipped
from rubrica.protocols.criteria import criteria_of
from rubrica.report.comparison import Choices, Comparison, compare
from rubrica.report.comparison_json import comparison_json
from rubrica.report.comparison_tables import comparison_tables, difference_table, overview_table, review_table
from rubrica.report.comparison_tests import mixed_checks, with_holm
from rubrica.report.distributions import ALL, distributions
from rubrica.report.tables import as_markdown, flat_rows

QUICK = Choices(replicates=200, permutations=500, seed=1)


Row = tuple[str, str, str, dict[str, Answer]]


def made(criteria: tuple[Criterion, ...], rows: list[Row], dataset: str = "") -> Ratings:
    """Ratings from (source, system, rater, answers)."""
    every = tuple(Rating(f"{source}/{system}", rater, answers) for source, system, rater, answers in rows)
    units = {f"{source}/{system}": Unit(f"{source}/{system}", system, source, dataset) for source, system, _, _ in rows}
    return Ratings("made", criteria, every, units, {rater: Rater(rater) for _, _, rater, _ in rows})


def test_an_output_of_several_systems_counts_for_each_of_them() -> None:
    """Judged once as 4 and 2: both systems have it among their own; all judgements together have it once."""
    (criterion,) = [one for one in criteria_of(load_shipped("lexical_posthoc").protocol) if one.id == "fluency"]
    rows: list[Row] = [
        ("s1", "a | b", "ana", {"fluency": 4}),
        ("s1", "a | b", "ben", {"fluency": 2}),
        ("s2", "a", "ana", {"fluency": 5}),
        ("s2", "b", "ana", {"fluency": 1}),
    ]
    ratings = made((criterion,), rows)
    units = dict(ratings.units)
    units["s1/a | b"] = attrs.evolve(units["s1/a | b"], systems=("a", "b"), left_out=("c",))
    units["s2/a"] = attrs.evolve(units["s2/a"], left_out=("c",))
    ratings = attrs.evolve(ratings, units=units)
    found = compare(ratings, QUICK)
    assert found.systems("") == ["a", "b"]
    assert figure(found, "a", "fluency.mean") == pytest.approx((4 + 2 + 5) / 3)
    assert figure(found, "b", "fluency.mean") == pytest.approx((4 + 2 + 1) / 3)
    assert {one.system: one.ratings for one in found.figures} == {"a": 3, "b": 3}
    (test,) = found.tests
    assert (test.sources, test.difference.value.value) == (2, pytest.approx((0 + 4) / 2))
    assert found.left_out == {("", "c"): 2}
    assert found.remarks[0].startswith("Made by several systems: 1 of 3 outputs.")
    every = distributions(ratings, criterion, replicates=0, seed=0)
    assert [(one.system, one.total) for one in every] == [("a", 3), ("b", 3), (ALL, 4)]


def figure(found: Comparison, system: str, name: str) -> float | None:
    """A figure by the name of its measure."""
    return found.index["", system, name].estimate.value.value


SPLIT = criteria_of(load_shipped("split_rate").protocol.resolve({}))
GOOD: dict[str, Answer] = {
    **{"sensible": 5, "grammatical": 5},
    **dict.fromkeys(("missing_facts", "new_facts", "wrong_split", "further_split"), "no"),
    "correct": "yes",
}
BAD: dict[str, Answer] = {**GOOD, "sensible": 3, "missing_facts": "yes", "correct": "no"}


def test_figures_of_table_3() -> None:
    """Four ratings of two rewrites: three correct; one rewrite of two is perfect; a lone rating makes none perfect."""
    rows = [
        ("1", "a", "x", GOOD),
        ("1", "a", "y", GOOD),
        ("2", "a", "x", GOOD),
        ("2", "a", "y", BAD),
        ("3", "b", "x", GOOD),
    ]
    found = compare(made(SPLIT, rows), QUICK)
    assert figure(found, "a", "sensible.top.5") == 3 / 4
    assert figure(found, "a", "sensible.mean") == (5 + 5 + 5 + 3) / 4
    assert figure(found, "a", "missing_facts.share.no") == 3 / 4
    assert figure(found, "a", "correct.share.yes") == 3 / 4
    assert figure(found, "a", "correct.every") == 1 / 2
    assert found.index["", "b", "correct.every"].estimate.value.reason == "nothing to count"
    assert "comment" not in {measure.criterion for measure in found.measures}


def test_the_table_has_the_papers_shape() -> None:
    """A scale's cell is share/mean, a question whose good answer is no is headed so, the best is marked."""
    rows = [(str(n), system, "x", BAD if system == "b" else GOOD) for n in range(4) for system in "ab"]
    ratings = made(SPLIT, rows, dataset="news")
    table = overview_table(compare(ratings, QUICK), ratings)
    titles = [column.title for column in table.columns]
    assert titles[:4] == ["data set", "system", "sensible", "grammatical"]
    assert titles[4:] == [
        *("no missing facts", "no new facts", "no wrong split", "no further split", "correct", "perfect")
    ]
    assert table.rows[0][:5] == ("news", "a", "100.0%/5.00", "100.0%/5.00", "100.0%")
    assert table.rows[1][:5] == ("news", "b", "0.0%/3.00", "100.0%/5.00", "0.0%")
    assert (0, 2) in table.best
    assert (1, 2) not in table.best


def test_verdicts_of_rewrites_are_those_of_the_protocol() -> None:
    """BrevE: a rewrite needed rewriting if most of its raters say so; nothing is said of all who accept."""
    protocol = load_shipped("breve").protocol.resolve({})
    said = {"1": "yyn", "2": "ynn", "3": "yn"}
    rows: list[Row] = [
        (source, "a", str(number), {"needs_rewriting_one": "yes" if letter == "y" else "no"})
        for source, letters in said.items()
        for number, letter in enumerate(letters)
    ]
    found = compare(attrs.evolve(made(criteria_of(protocol), rows), protocol=protocol), QUICK)
    # Two of three; one of three; one of two, which is not most.
    assert figure(found, "a", "needs_rewriting_one.most") == 1 / 3
    assert "accepted.every" not in {measure.id for measure in found.measures}


def test_a_review_keeps_not_applicable_apart() -> None:
    """Of four BrevE ratings one pair is identical: it is in no class of acceptance, and may be a miss."""
    criteria = criteria_of(load_shipped("breve").protocol.resolve({}))
    same: dict[str, Answer] = {"acceptance": NOT_APPLICABLE, "severity": NOT_APPLICABLE, "meaning": 3, "concern": "no"}
    rows: list[Row] = [
        ("1", "a", "x", {**same, "needed": "yes"}),
        ("1", "a", "y", {**same, "needed": "no"}),
        ("2", "a", "x", {"acceptance": "accept", "needed": "no", "concern": "no"}),
        ("3", "a", "x", {"acceptance": "reject", "severity": 2, "needed": "yes", "concern": "yes"}),
    ]
    ratings = made(criteria, rows)
    found = compare(ratings, QUICK)
    assert figure(found, "a", "acceptance.share.accept") == 1 / 2
    assert figure(found, "a", "acceptance.share.accept_with_edit") == 0
    assert figure(found, "a", "acceptance.not_applicable") == 2 / 4
    assert figure(found, "a", "severity.mean") == 2
    assert figure(found, "a", "concern.share.no") == 3 / 4
    assert figure(found, "a", "review.concern") == 1 / 4
    # Severity was not applicable twice, not asked once (the rewrite was accepted): 2 of all 4 ratings.
    assert figure(found, "a", "severity.not_applicable") == 2 / 4
    assert figure(found, "a", "review.identical") == 1 / 3
    assert figure(found, "a", "review.missed") == 1 / 2
    assert figure(found, "a", "review.unneeded") == 1 / 2
    assert {"concerning", "needs_rewriting_one"}.isdisjoint(measure.criterion for measure in found.measures)
    table = review_table(found)
    assert [column.title for column in table.columns] == [
        *("system", "identical pairs", "acceptance: accept", "acceptance: accept with edit", "acceptance: reject"),
        *("acceptance: not applicable", "severity, mean", "concern rate"),
        *("misses (identical, but needed)", "unneeded rewrites"),
    ]
    assert table.rows == (("a", "33.3%", "50.0%", "0.0%", "50.0%", "50.0%", "2.00", "25.0%", "50.0%", "50.0%"),)
    titles = [column.title for column in overview_table(found, ratings).columns]
    assert "acceptance: accept" not in titles
    assert "no concerning content" in titles
    # Severity has no good end, so there is a mean but no rank.
    assert not [one for one in found.ranks if one.measure.criterion == "severity"]


MARK = (Criterion("mark", "mark", "scale", "ordinal", (1, 2, 3, 4, 5), 5),)


def marks(table: dict[str, dict[str, list[int]]]) -> Ratings:
    """Ratings from system -> source -> marks."""
    return made(
        MARK,
        [
            (source, system, str(number), {"mark": mark})
            for system, sources in table.items()
            for source, given in sources.items()
            for number, mark in enumerate(given)
        ],
    )


def test_differences_are_paired_by_source() -> None:
    """Source 3 has no rating of b, so it is left out of the test and counted; p is that of scipy."""
    a, b = {"1": [5, 4], "2": [4], "3": [5], "4": [5, 5, 2]}, {"1": [3], "2": [4, 2], "4": [3, 1]}
    (test,) = compare(marks({"a": a, "b": b}), QUICK).tests
    gaps = np.array([4.5 - 3, 4 - 3, 4 - 2])
    assert test.difference.value.value == pytest.approx(gaps.mean())
    assert (test.sources, test.unpaired) == (3, 1)
    expected = permutation_test((gaps,), np.mean, permutation_type="samples", n_resamples=np.inf).pvalue
    assert test.permutation.value == pytest.approx(float(expected))
    assert test.exact


def test_systems_without_a_common_source_are_not_tested() -> None:
    """The reason is said, and they stay in one cluster."""
    found = compare(marks({"a": {"1": [5], "2": [5]}, "b": {"3": [1], "4": [1]}}), QUICK)
    (test,) = found.tests
    assert test.permutation.value is test.bootstrap.value is test.difference.value.value is None
    assert "no common source" in test.permutation.reason
    assert [one.rank.cluster for one in found.ranks] == [1, 1]


def test_holm_over_a_figure_or_over_all() -> None:
    """Three systems make three pairs; two criteria as one family make six."""
    generator = np.random.default_rng(0)
    table = {
        system: {str(source): [int(generator.integers(low, low + 3))] for source in range(12)}
        for system, low in (("a", 1), ("b", 2), ("c", 3))
    }
    one = compare(marks(table), QUICK)
    smallest = min(one.tests, key=lambda test: test.permutation.value or 0)
    assert smallest.permutation_holm.value == pytest.approx(3 * (smallest.permutation.value or 0))
    assert (
        compare(marks(table), Choices(replicates=50, permutations=500, seed=1, together=True)).signature
        != one.signature
    )


def test_clearly_different_systems_are_two_clusters() -> None:
    """Twelve sources on which a is always two marks better."""
    table = {"b": {str(n): [3] for n in range(12)}, "a": {str(n): [5] for n in range(12)}}
    found = compare(marks(table), QUICK)
    assert [(one.rank.system, one.rank.cluster) for one in found.ranks] == [("a", 1), ("b", 2)]
    assert found.tests[0].permutation.value == pytest.approx(2 / 2**12)


def test_too_few_sources_to_find_anything_is_said() -> None:
    """Five sources: the least two-sided p is 2 / 2^5 = 0.0625; six have 0.031, and nothing is said."""
    for number, said in ((5, True), (6, False)):
        table = {"b": {str(n): [3] for n in range(number)}, "a": {str(n): [5] for n in range(number)}}
        note = difference_table(compare(marks(table), QUICK)).note
        assert ("cannot find anything: its least p is 0.0625" in note) == said


def test_tests_that_nothing_could_pass_are_said_after_holm() -> None:
    """Seven sources: 2 / 2^7 = 0.0156, by three pairs 0.047, below 0.05; six: 0.031 by three is not."""
    for number, expected in ((7, []), (6, ["its least p is 0.0312, times 3 tests"])):
        table = {system: {str(n): [mark] for n in range(number)} for system, mark in (("a", 1), ("b", 3), ("c", 5))}
        found = compare(marks(table), Choices(replicates=120, permutations=500))
        assert [part in remark for part, remark in zip(expected, found.remarks, strict=True)] == [True] * len(expected)


def test_a_p_that_no_sign_reached_is_a_bound() -> None:
    """Of 500 random signs of thirty sources none goes as far as the difference: p is at most 1/501, by three 3/501."""
    generator = np.random.default_rng(3)
    table = {
        system: {str(n): [int(mark)] for n, mark in enumerate(generator.integers(low, low + 2, 30))}
        for system, low in (("a", 1), ("b", 3), ("c", 3))
    }
    found = compare(marks(table), QUICK)
    test = found.tests[0]
    assert test.permutation.at_most
    assert test.permutation_holm.at_most
    assert not test.bootstrap.at_most
    assert not found.tests[2].permutation_holm.at_most
    shown = as_markdown(difference_table(found))
    assert "| ≤ 0.0060 |" in shown
    assert "≤: no random sign went as far" in shown
    row = comparison_json(found)["tests"][0]
    assert row["permutation"]["holm"] == pytest.approx(3 / 501)
    assert (row["permutation"]["at_most"], row["bootstrap"]["at_most"]) == (["p", "holm"], [])
    rows = flat_rows(difference_table(found))
    assert (rows[0]["permutation_at_most"], rows[2]["permutation_at_most"]) == (True, False)


def test_a_difference_and_its_bootstrap_test_are_of_one_procedure() -> None:
    """Before Holm the p is below 0.05 exactly where the interval leaves out 0; of nine sources there is neither."""
    generator = np.random.default_rng(4)
    seen = set()
    for number in range(25):
        given = generator.integers(1, 6, (2, 20)) + np.array([[number % 3], [0]])
        test = compare(
            marks({s: {str(n): [int(m)] for n, m in enumerate(given[k])} for k, s in enumerate("ab")}), QUICK
        )
        (one,) = test.tests
        seen.add(one.bootstrap.value < 0.05)
        assert (one.bootstrap.value < 0.05) is not (one.difference.low.value <= 0 <= one.difference.high.value)
    assert seen == {True, False}
    few = {system: {str(n): [n % 2 + more] for n in range(9)} for system, more in (("a", 1), ("b", 3))}
    (one,) = compare(marks(few), QUICK).tests
    assert one.difference.low.reason == one.bootstrap.reason == "an interval needs at least 10 sources"
    assert one.permutation.value is not None


def test_a_system_that_other_people_rated_is_named() -> None:
    """z and u rated only b: half of its ratings. x and y rated both, and nothing is said of a."""
    rows: list[Row] = [(str(n), "a", rater, {"mark": 3}) for n in range(4) for rater in "xy"]
    rows += [(str(n), "b", rater, {"mark": 4}) for n in range(4) for rater in ("x", "y", "z", "u")]
    found = compare(made(MARK, rows), QUICK)
    assert [remark for remark in found.remarks if "no other system" in remark and "b (50%)" in remark]
    assert "ratings of a" not in " ".join(found.remarks)
    same = compare(made(MARK, [row for row in rows if row[2] not in "zu"]), QUICK)
    assert not [remark for remark in same.remarks if "no other system" in remark]


def test_several_rewrites_of_a_source_are_one_source() -> None:
    """Two human rewrites of a source both count in the figure; the test sees their mean once."""
    ratings = marks({"machine": {"1": [2], "2": [3]}})
    extra = [
        (Rating("1/h1", "x", {"mark": 5}), Unit("1/h1", "human", "1")),
        (Rating("1/h2", "x", {"mark": 3}), Unit("1/h2", "human", "1")),
    ]
    both = Ratings(
        "both",
        MARK,
        (*ratings.every, *(rating for rating, _ in extra)),
        {**ratings.units, **{unit.key: unit for _, unit in extra}},
        {**ratings.raters, "x": Rater("x")},
    )
    found = compare(both, QUICK)
    assert figure(found, "human", "mark.mean") == 4
    human = found.index["", "human", "mark.mean"]
    assert (human.ratings, human.rewrites, human.sources) == (2, 2, 1)
    assert (found.tests[0].difference.value.value, found.tests[0].sources, found.tests[0].unpaired) == (-2, 1, 1)


def test_nothing_rated_is_no_error() -> None:
    """There is nothing to show, and no table."""
    ratings = Ratings("empty", MARK, (), {}, {})
    found = compare(ratings, QUICK)
    assert found.figures == ()
    assert comparison_tables(found, ratings) == []


def test_the_mixed_check_takes_every_criterion() -> None:
    """A model for the marks of two systems, with the difference of their means."""
    generator = np.random.default_rng(2)
    table = {
        system: {str(source): [int(mark) for mark in generator.integers(low, low + 3, 3)] for source in range(15)}
        for system, low in (("a", 1), ("b", 3))
    }
    (checked,) = mixed_checks(marks(table))
    means = [np.mean([mark for given in table[system].values() for mark in given]) for system in "ab"]
    assert checked.model.pairs[0].difference.value == pytest.approx(means[0] - means[1], abs=1e-6)
    assert checked.model.ratings == 90


def test_the_mixed_check_corrects_all_pairs() -> None:
    """Three systems have three pairs; Holm multiplies the least p by three, and by six where two figures are one."""
    generator = np.random.default_rng(5)
    table = {
        system: {str(source): [int(mark) for mark in generator.integers(low, low + 3, 3)] for source in range(15)}
        for system, low in (("a", 1), ("b", 2), ("c", 2))
    }
    checked = list(mixed_checks(marks(table)))
    (alone,) = with_holm(checked, together=False)
    names = [(pair.first, pair.second) for pair, _ in alone.pairs]
    assert names == [("a", "b"), ("a", "c"), ("b", "c")]
    least = min(pair.p.value for pair, _ in alone.pairs)
    assert min(p.value for _, p in alone.pairs) == pytest.approx(3 * least)
    both = with_holm([*checked, *checked], together=True)
    assert min(p.value for one in both for _, p in one.pairs) == pytest.approx(6 * least)


MIXED = (*MARK, Criterion("fine", "fine", "yes_no", "nominal", ("no", "yes"), "yes"))


@st.composite
def messy(draw: st.DrawFn) -> list[Row]:
    """Ratings with gaps: missing answers, not applicable ones, sources that some systems lack."""
    rows = []
    for source in range(draw(st.integers(1, 6))):
        for system in "abc":
            for rater in range(draw(st.integers(0, 3))):
                answers: dict[str, Answer] = {}
                mark = draw(st.sampled_from([None, NOT_APPLICABLE, 1, 2, 5]))
                fine = draw(st.sampled_from([None, NOT_APPLICABLE, "yes", "no"]))
                answers |= {} if mark is None else {"mark": mark}
                answers |= {} if fine is None else {"fine": fine}
                rows.append((str(source), system, str(rater), answers))
    return rows


@given(messy(), st.randoms(use_true_random=False))
@settings(max_examples=40, deadline=None)
def test_figures_are_plain_means_whatever_is_missing(rows: list[Row], chance: Random) -> None:
    """Means and shares over the answers that there are; and the order of the ratings changes nothing."""
    found = compare(made(MIXED, rows), QUICK)
    for system in {row[1] for row in rows}:
        marks_given = [row[3]["mark"] for row in rows if row[1] == system and isinstance(row[3].get("mark"), int)]
        fine_given = [row[3]["fine"] for row in rows if row[1] == system and isinstance(row[3].get("fine"), str)]
        expected_mean = sum(marks_given) / len(marks_given) if marks_given else None
        expected_share = fine_given.count("yes") / len(fine_given) if fine_given else None
        assert figure(found, system, "mark.mean") == pytest.approx(expected_mean)
        assert figure(found, system, "fine.share.yes") == pytest.approx(expected_share)
    shuffled = list(rows)
    chance.shuffle(shuffled)
    again = compare(made(MIXED, shuffled), QUICK)
    for key, one in found.index.items():
        assert again.index[key].estimate == one.estimate


def test_what_cannot_be_counted_is_left_out() -> None:
    """Free texts and short answers have no figure; without any figure there is no table."""
    words = Criterion("words", "words", "words", "masi")
    ratings = made((words,), [("1", "a", "x", {"words": ("one", "two")}), ("1", "b", "x", {"words": ("one",)})])
    found = compare(ratings, QUICK)
    assert found.measures == found.tests == found.ranks == ()
