"""Groups, samples and experts on small made ratings."""

from __future__ import annotations

from decimal import Decimal

import pytest

from rubrica.core.errors import InputError
from rubrica.core.ratings import Criterion, Rater, Rating, Ratings, Unit
from rubrica.report.crowd_reliability import (
    Price,
    chart_rows,
    cost,
    crowd_reliability,
    expert_verdicts,
    find_verdict,
    group_outputs,
    group_table,
    neutral_keys,
    raters_table,
    sample_outputs,
)

CORRECT = Criterion("correct", "correct", "verdict", "nominal", ("no", "yes"), "yes")


def crowd(votes: dict[str, str], criteria: tuple[Criterion, ...] = (CORRECT,)) -> Ratings:
    """Ratings from output -> letters: y and n of raters 0, 1, 2; Y and N of the expert. ``sys:`` names a system."""
    rows, units = [], {}
    for unit, said in votes.items():
        units[unit] = Unit(unit, unit.partition(":")[0] if ":" in unit else "s", unit)
        for number, letter in enumerate(said):
            rater = "expert" if letter.isupper() else str(number)
            rows.append(Rating(unit, rater, {"correct": "yes" if letter in "yY" else "no"}))
    return Ratings("c", criteria, tuple(rows), units, {row.rater: Rater(row.rater) for row in rows})


def test_groups_leave_out_other_numbers_of_ratings_and_the_expert() -> None:
    """Two ratings instead of three are left out and counted; the expert's is none of the crowd's."""
    ratings = crowd({"a": "yyyY", "b": "ynn", "c": "yy", "d": "nnnN"})
    grouped = group_outputs(ratings, find_verdict(ratings, ""), 3, ["expert"])
    assert grouped.groups == {"a": 3, "b": 1, "d": 0}
    assert grouped.left_out == {2: 1}
    assert grouped.sizes() == [1, 1, 0, 1]


def test_everything_put_together() -> None:
    """Counts of each group, the sentence, money."""
    ratings = crowd({**{f"y{n}": "yyyY" for n in range(8)}, **{f"n{n}": "nnnN" for n in range(8)}, "x": "nnn"})
    verdict = find_verdict(ratings, "correct")
    grouped = group_outputs(ratings, verdict, 3, ["expert"])
    said = expert_verdicts([one for one in ratings.counted if one.rater == "expert"], verdict)
    price = Price(rating=Decimal("0.07"), fee_percent=Decimal(20), currency="USD")
    found = crowd_reliability(verdict, grouped, said, price=price)
    assert [(group.outputs, group.share.judged, group.share.correct) for group in found.groups] == [
        (9, 8, 0),
        (0, 0, 0),
        (0, 0, 0),
        (8, 8, 8),
    ]
    # 0.1^(1 / 9) = 0.774: the 10th percentile of Beta(9, 1).
    assert found.sentences()[0] == (
        "When 3 of 3 say *correct*, an expert agrees in more than 77 % of the outputs, at 90 % confidence."
    )
    assert found.sentences()[1] == "When 0 of 3 say *correct*, an expert says it in less than 23 %, at 90 % confidence."
    # 2 x 0.07 x 1.2
    assert cost(found, 2).value == pytest.approx(0.168)
    assert len(group_table(found).rows) == 4
    assert [row[0] for row in raters_table(found).rows] == [1, 2, 3, 3]
    assert {row["group"] for row in chart_rows(found)} == {"0 of 3", "3 of 3"}


def test_experts_of_two_minds_are_left_out() -> None:
    """One yes and one no of two experts is no verdict."""
    ratings = [
        Rating("a", "e1", {"correct": "yes"}),
        Rating("a", "e2", {"correct": "no"}),
        Rating("b", "e1", {"correct": "yes"}),
        Rating("c", "e1", {}),
    ]
    found = expert_verdicts(ratings, find_verdict(crowd({"a": "y"}), ""))
    assert found.verdicts == {"b": True}
    assert found.ties == 1


def test_a_sample_takes_so_many_of_each_cell() -> None:
    """Two of each group and system, fewer where there are fewer; the seed decides, not the order of the ratings."""
    votes = {f"{system}:{n}": "yyy" if n < 5 else "nnn" for system in "pq" for n in range(6)}
    ratings, backwards = crowd(votes), crowd(dict(reversed(votes.items())))
    verdict = find_verdict(ratings, "")
    drawn, again, other = (
        sample_outputs(some, group_outputs(some, verdict, 3), 2, seed)
        for some, seed in ((ratings, 7), (backwards, 7), (ratings, 8))
    )
    assert drawn == again != other
    assert len(drawn) == 2 * (2 + 1)
    assert sorted(unit for unit in drawn if unit.endswith(":5")) == ["p:5", "q:5"]


def test_keys_say_nothing() -> None:
    """They are numbers in the order of the sample."""
    assert list(neutral_keys([f"sys{n}" for n in range(12)]).values())[:2] == ["e01", "e02"]


def test_which_answer_counts() -> None:
    """A yes or no by its good answer, a label yes, a scale only as told."""
    bad = Criterion("wrong", "wrong", "yes_no", "nominal", ("no", "yes"), "no")
    label = Criterion("fine", "fine", "choice", "nominal", ("no", "yes"))
    mark = Criterion("mark", "mark", "scale", "ordinal", (1, 2, 3), 3)
    ratings = crowd({"a": "y"}, (bad, label, mark))
    assert find_verdict(ratings, "wrong").answer == "no"
    assert find_verdict(ratings, "fine").answer == "yes"
    assert find_verdict(ratings, "mark=3").answer == 3
    for wanted in ("mark", "mark=7", "", "other"):
        with pytest.raises(InputError):
            find_verdict(ratings, wanted)


def test_a_question_without_answers_has_no_verdict() -> None:
    """What to choose from is never an empty list."""
    scores = Criterion("score", "score", "scale", "interval")
    with pytest.raises(InputError, match="has no answers that could be listed"):
        find_verdict(crowd({"a": "y"}, (scores,)), "score")
