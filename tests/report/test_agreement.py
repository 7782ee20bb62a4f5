"""Agreement of ratings: rows and tables, parts and disputed units, from ratings made here."""

from __future__ import annotations

import attrs
import krippendorff
import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score

from rubrica.core.errors import InputError
from rubrica.core.ratings import NOMINAL, OPEN, ORDINAL, SCALE, TEXT, YES_NO, Criterion, Rater, Rating, Ratings, Unit
from rubrica.report.agreement import Asked, agreement, agreement_table
from rubrica.report.agreement_parts import (
    disputed,
    disputed_table,
    per_dataset,
    per_group,
    per_pair,
    per_rater,
    per_rater_table,
    per_system,
)
from rubrica.report.tables import as_csv, as_latex, as_markdown, flat_rows
from tests.stats.agreement.data import made

FLUENCY = Criterion("fluency", "Fluency", SCALE, ORDINAL, (1, 2, 3, 4, 5), 5)
CORRECT = Criterion("correct", "correct", YES_NO, NOMINAL, ("no", "yes"), "yes")
COMMENT = Criterion("comment", "Comment", TEXT, OPEN)
PEOPLE = ("ana", "ben", "eva", "kim")
ASKED = Asked(replicates=50)


@pytest.fixture
def ratings() -> Ratings:
    """Forty units of two systems in two data sets; ana and ben are native, kim is a model who answers at random."""
    table = made(21, units=40)
    table[:, 3] = np.random.default_rng(1).integers(1, 6, size=40)
    every = [
        Rating(
            str(unit),
            PEOPLE[rater],
            {"fluency": int(table[unit, rater]), "correct": "yes" if table[unit, rater] > 2 else "no", "comment": "-"},
        )
        for unit in range(40)
        for rater in range(4)
        if not np.isnan(table[unit, rater])
    ]
    units = {str(n): Unit(str(n), "AB"[n % 2], str(n // 2), "news" if n < 30 else "mail") for n in range(40)}
    raters = {
        name: Rater(name, "model" if name == "kim" else "person", {"native": "yes" if name in "ana ben" else "no"})
        for name in PEOPLE
    }
    return Ratings("made", (FLUENCY, CORRECT, COMMENT), tuple(every), units, raters, {"file": "made.csv"})


def matrix(ratings: Ratings, raters: tuple[str, ...] = PEOPLE, system: str = "") -> np.ndarray:
    """Fluency by rater and unit, as the krippendorff package takes it."""
    table = np.full((len(raters), 40), np.nan)
    for rating in ratings.every:
        if rating.rater in raters and system in ("", ratings.units[rating.unit].system):
            table[raters.index(rating.rater), int(rating.unit)] = rating.answers["fluency"]
    return table


def theirs(table: np.ndarray) -> float:
    """Ordinal alpha of the package."""
    return float(krippendorff.alpha(reliability_data=table, level_of_measurement="ordinal"))


def test_each_question_at_its_level(ratings: Ratings) -> None:
    """The default is alpha at the question's own level; texts cannot be compared and have no row."""
    fluency, correct = agreement(ratings, ASKED)
    assert (fluency.level, correct.level) == (ORDINAL, NOMINAL)
    assert fluency.value.value == pytest.approx(theirs(matrix(ratings)), abs=1e-10)
    assert fluency.units == 40
    assert fluency.raters == 4
    assert fluency.pairable == len(ratings.every)


def test_excluded_raters_do_not_count(ratings: Ratings) -> None:
    """What a rater said who was excluded changes nothing."""
    fluency = agreement(ratings.without(["kim"]), ASKED)[0]
    assert fluency.raters == 3
    assert fluency.value.value == pytest.approx(theirs(matrix(ratings, PEOPLE[:3])), abs=1e-10)


def test_all_measures_are_those_that_suit(ratings: Ratings) -> None:
    """A yes or no has no mean; what is asked for by name is answered with the reason."""
    rows = agreement(ratings, Asked(measures=("all",), replicates=0))
    assert [row.measure.name for row in rows if row.question == "correct"] == [
        "alpha",
        "fleiss",
        "cohen",
        "ac1",
        "percent",
    ]
    assert len([row for row in rows if row.question == "fluency"]) == 18 - 1
    asked = agreement(ratings, Asked(measures=("icc",), replicates=0))
    reasons = {row.value.reason for row in asked if row.question == "correct"}
    assert reasons == {"an intraclass correlation needs numbers, and the answers are labels"}
    assert len([row for row in asked if row.question == "correct"]) == 6


def test_categories_of_the_scale_count_for_gwet(ratings: Ratings) -> None:
    """Five points are possible, though these answers use two of them."""
    few = ratings.of(
        Rating(str(unit), rater, {"fluency": 4 + (unit % 2)}) for unit in range(4) for rater in ("ana", "ben")
    )
    lone = ratings.of(Rating(str(unit), rater, {"fluency": 4}) for unit in range(4) for rater in ("ana", "ben"))
    asked = Asked(measures=("ac1",), replicates=0)
    assert agreement(few, asked)[0].value.value == 1
    assert agreement(lone, asked)[0].value.value == 1


def test_one_table_of_several_questions(ratings: Ratings) -> None:
    """All questions in one table, in every form, with the signature."""
    rows = agreement(ratings, ASKED)
    table = agreement_table(rows, "seed:0")
    assert [row["question"] for row in flat_rows(table)] == ["Fluency", "correct"]
    assert flat_rows(table)[0]["value"] == rows[0].value.value
    assert flat_rows(table)[0]["value_low"] == rows[0].interval.low.value
    assert "95 % intervals, BCa bootstrap over units" in as_markdown(table)
    assert as_csv(table).splitlines()[1].endswith("seed:0")
    assert r"\toprule" in as_latex(table)


def test_each_rater_against_the_rest(ratings: Ratings) -> None:
    """The model that answers at random comes first, and agreement is better without it."""
    rows = [row for row in per_rater(ratings, ASKED) if row.rest.question == "fluency"]
    assert rows[0].rater == "kim"
    assert sorted(row.rater for row in rows) == sorted(PEOPLE)
    assert rows[0].without.value == pytest.approx(theirs(matrix(ratings, PEOPLE[:3])), abs=1e-10)
    # Each answer of kim's beside each other answer to the unit, as a unit of two raters.
    table = matrix(ratings)
    pairs = [(table[3, unit], table[other, unit]) for unit in range(40) for other in range(3)]
    both = np.array([pair for pair in pairs if not np.isnan(pair).any()]).T
    assert rows[0].rest.value.value == pytest.approx(theirs(both), abs=1e-10)
    assert rows[0].rest.interval.low.value < rows[0].rest.value.value < rows[0].rest.interval.high.value  # type: ignore[operator]
    assert flat_rows(per_rater_table(rows))[0]["rater"] == "kim"
    assert rows[0].as_json()["without"] == rows[0].without.value


def test_every_two_raters(ratings: Ratings) -> None:
    """Six pairs of four raters, each as if nobody else had rated."""
    rows = [row for row in per_pair(ratings, ASKED) if row.question == "fluency"]
    assert [row.part for row in rows][:2] == ["ana and ben", "ana and eva"]
    assert len(rows) == 6
    assert rows[0].value.value == pytest.approx(theirs(matrix(ratings, ("ana", "ben"))), abs=1e-10)


def test_systems_and_data_sets(ratings: Ratings) -> None:
    """Each part is what its units alone give."""
    by_system = {row.part: row for row in per_system(ratings, ASKED) if row.question == "fluency"}
    assert by_system["A"].value.value == pytest.approx(theirs(matrix(ratings, system="A")), abs=1e-10)
    assert {row.part: row.units for row in per_dataset(ratings, ASKED)} == {"news": 30, "mail": 10}


def test_groups(ratings: Ratings) -> None:
    """Within each group, and across: native and not, people and models."""
    rows = {row.part: row for row in per_group(ratings, ASKED, "native") if row.question == "fluency"}
    assert list(rows) == ["within yes", "within no", "yes and no"]
    assert rows["within yes"].value.value == pytest.approx(theirs(matrix(ratings, ("ana", "ben"))), abs=1e-10)
    kinds = {row.part: row for row in per_group(ratings, ASKED) if row.question == "fluency"}
    assert list(kinds) == ["within person", "within model", "person and model"]
    assert "one rater" in kinds["within model"].value.reason
    assert kinds["person and model"].value.value < kinds["within person"].value.value  # type: ignore[operator]


def test_a_trait_that_nobody_has(ratings: Ratings) -> None:
    """Groups by something unknown are refused, with what is known."""
    with pytest.raises(InputError, match=r"\[group\] Known: native"):
        per_group(ratings, ASKED, "age")


def test_disputed_units(ratings: Ratings) -> None:
    """The units with the largest disagreement, with the answers of all their raters."""
    rows = disputed(ratings, 3)
    assert [row.criterion.id for row in rows] == ["fluency"] * 3 + ["correct"] * 3
    assert rows[0].disagreement >= rows[1].disagreement >= rows[2].disagreement > 1
    given = {rating.rater: rating.answers["fluency"] for rating in ratings.every if rating.unit == rows[0].unit.key}
    assert dict(rows[0].answers) == given
    assert rows[0].as_json()["answers"] == given
    assert flat_rows(disputed_table(rows))[0]["unit"] == rows[0].unit.key


def test_nothing_is_disputed_where_all_agree(ratings: Ratings) -> None:
    """Unanimous ratings, and ratings without variation, have no disputed unit."""
    unanimous = ratings.of(
        Rating(str(unit), rater, {"fluency": 1 + unit % 2}) for unit in range(4) for rater in ("ana", "ben")
    )
    assert disputed(unanimous, 5) == []
    assert disputed(ratings.of([]), 5) == []


def test_labels_at_a_level_of_numbers(ratings: Ratings) -> None:
    """Where a level was forced that labels cannot have, each figure says so, and no unit is disputed."""
    forced = attrs.evolve(ratings, criteria=(attrs.evolve(CORRECT, level="interval"),))
    assert "needs numbers" in agreement(forced, ASKED)[0].value.reason
    assert disputed(forced, 5) == []
    assert all(row.rest.value.value is None for row in per_rater(forced, ASKED))


def test_resampling_raters(ratings: Ratings) -> None:
    """Over raters intervals are wider; an intraclass correlation has none over raters alone, and says so."""
    units = agreement(ratings, Asked(replicates=200))[0].interval
    both = agreement(ratings, Asked(replicates=200, over=("units", "raters")))[0].interval
    assert both.high.value - both.low.value > units.high.value - units.low.value  # type: ignore[operator]
    rows = agreement(ratings, Asked(measures=("icc",), over=("raters",), replicates=20))
    defined = [row for row in rows if row.value.value is not None]
    assert defined
    assert all("over units, or over units and raters" in row.no_interval for row in defined)
    assert "over units, or over units and raters" in agreement_table(rows).note


def test_weights_of_labels_are_distances_on_the_whole_scale() -> None:
    """A label of the scale that nobody chose keeps its place between the others, as in scikit-learn's ``labels``."""
    words = ("awful", "poor", "fair", "good")
    quality = Criterion("quality", "Quality", SCALE, ORDINAL, words, "good")
    pairs = [(0, 0), (0, 2), (2, 2), (2, 3), (3, 3), (3, 0), (0, 0)]
    every = [
        Rating(str(unit), rater, {"quality": words[code]})
        for unit, codes in enumerate(pairs)
        for rater, code in zip("ab", codes, strict=True)
    ]
    labelled = Ratings("made", (quality,), tuple(every), {}, {name: Rater(name) for name in "ab"})
    found = agreement(labelled, Asked(measures=("cohen_linear", "cohen_quadratic"), replicates=0))
    one, other = zip(*pairs, strict=True)
    for row, weights in zip(found, ("linear", "quadratic"), strict=True):
        expected = cohen_kappa_score(one, other, labels=range(4), weights=weights)
        assert row.value.value == pytest.approx(expected, abs=1e-12)


def test_one_unit_with_two_answers_has_no_interval() -> None:
    """Units of one answer are no sample of disagreement: what counts is how many can be compared."""
    said = [("1", "ana", 3), ("1", "ben", 4), ("2", "ana", 5), ("3", "ben", 5), ("4", "eva", 2)]
    every = tuple(Rating(unit, rater, {"fluency": score}) for unit, rater, score in said)
    lone = Ratings("made", (FLUENCY,), every, {}, {name: Rater(name) for name in PEOPLE})
    for row in agreement(lone, Asked(measures=("alpha", "fleiss", "ac1", "pearson"), replicates=20)):
        if row.measure.name == "pearson":
            assert (row.value.reason, row.remark) == ("no two raters share two units, and one unit has no order", "")
        else:
            assert row.no_interval == "an interval needs at least two units of two or more answers"
            assert row.remark == "only one unit has two answers, which says little"


def test_raters_who_share_nothing_are_told_so() -> None:
    """Against the rest, an annotator of other units has no overlap; empty tables say why they are."""
    every = tuple(Rating(str(number), name, {"fluency": 3}) for number, name in enumerate(PEOPLE))
    apart = Ratings("made", (FLUENCY,), every, {}, {name: Rater(name) for name in PEOPLE})
    found = per_rater(apart, ASKED)
    assert {row.rest.value.reason for row in found} == {"no overlap: nothing was judged by two annotators"}
    alone = Ratings("made", (FLUENCY,), every[:1], {}, {"ana": Rater("ana")})
    assert [row.rest.value.reason for row in per_rater(alone, ASKED)] == ["there is one rater only"]
    assert agreement_table(per_pair(apart, ASKED), part="pair").note == "There is none: nothing was rated by two."
    assert disputed_table(disputed(apart, 3)).note.startswith("There is none: nobody disagrees")
