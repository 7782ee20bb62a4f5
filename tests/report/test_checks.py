"""Checks on annotators: each fault is found with its evidence, honest annotators are not, few cannot be told."""

import math
import random

import attrs
import pytest

from rubrica.core.answers import Answer
from rubrica.core.ratings import (
    CHOICE,
    NOMINAL,
    ORDINAL,
    SCALE,
    TEXT,
    YES_NO,
    Criterion,
    Rater,
    Rating,
    Ratings,
    Unit,
)
from rubrica.core.study import Item, Judgement
from rubrica.core.validation import Validator
from rubrica.exchange.judged_ratings import answers_of
from rubrica.protocols.catalog import find
from rubrica.protocols.criteria import criteria_of
from rubrica.report.checks import Checked, check, differences
from rubrica.report.checks_findings import Finding
from rubrica.report.checks_tables import as_json, every_table, ranking_table, unusual_table, without_table
from rubrica.report.tables import as_csv

PEOPLE = ("ana", "ben", "cora", "dan", "eva", "finn", "gil", "hal", "ida")
CRITERIA = (
    Criterion("quality", "quality", SCALE, ORDINAL, (1, 2, 3, 4, 5), 5),
    Criterion("kind", "kind", CHOICE, NOMINAL, ("a", "b"), "a"),
    Criterion("rewrite", "rewrite", TEXT, "open"),
)
UNITS = {
    f"u{number}": Unit(f"u{number}", "s", texts={"source": f"This is the sentence {number}."}) for number in range(60)
}


def honest(seed: int = 0) -> list[Rating]:
    """Nine annotators, forty units each, answers near what the unit is like, some twenty seconds."""
    generator = random.Random(seed)
    like = {unit: (generator.gauss(3.2, 1.1), generator.choice("ab")) for unit in UNITS}
    found = []
    for person in PEOPLE:
        for unit in generator.sample(sorted(UNITS), 40):
            quality, kind = like[unit]
            answers: dict[str, Answer] = {
                "quality": max(1, min(5, round(quality + generator.gauss(0, 0.5)))),
                "kind": kind if generator.random() < 0.9 else "ab".replace(kind, ""),
                "rewrite": f"{person} writes of {unit} what fits",
            }
            found.append(Rating(unit, person, answers, seconds=math.exp(generator.gauss(3, 0.4))))
    return found


def ratings(every: list[Rating]) -> Ratings:
    """These ratings, of our nine people."""
    return Ratings("r", CRITERIA, tuple(every), UNITS, {person: Rater(person) for person in PEOPLE})


def spoilt(person: str, **answers: Answer) -> Ratings:
    """Honest ratings, but this person always gives these answers."""
    return ratings(
        [attrs.evolve(one, answers={**one.answers, **answers}) if one.rater == person else one for one in honest()]
    )


def the(found: Checked, check_id: str) -> Finding:
    """The one unusual finding of a check."""
    [finding] = [one for one in found.unusual if one.check == check_id]
    return finding


def test_honest_annotators_are_not_unusual() -> None:
    """In ten studies of nine honest people, at most one finding."""
    assert sum(len(check(ratings(honest(seed))).unusual) for seed in range(10)) <= 1


def test_one_label_too_often() -> None:
    """Who always says a is found, with how often, where, and what the others do."""
    finding = the(check(spoilt("eva", kind="a")), "one_label")
    assert (finding.rater, finding.question, finding.value.value, finding.n) == ("eva", "kind", 1.0, 40)
    assert finding.evidence["answer"] == "a"
    assert finding.evidence["times"] == 40
    assert len(finding.evidence["examples"]) == 5
    assert finding.peers.value == pytest.approx(0.5, abs=0.2)


def test_answers_that_have_nothing_to_do_with_those_of_the_others() -> None:
    """Random points: no correlation, where the others have a high one."""
    generator = random.Random(3)
    every = [
        attrs.evolve(one, answers={**one.answers, "quality": generator.randint(1, 5)}) if one.rater == "dan" else one
        for one in honest()
    ]
    finding = the(check(ratings(every)), "with_others")
    assert (finding.rater, finding.question) == ("dan", "")
    assert finding.value.value is not None
    assert finding.value.value < 0.4
    assert finding.peers.value is not None
    assert finding.peers.value > 0.6
    assert abs(finding.evidence["questions"]["quality"]) < 0.4
    assert finding.evidence["questions"]["kind"] > 0.7
    assert finding.basis == "model"
    assert finding.probability.value is not None
    assert finding.probability.value > 0.5


def test_who_answers_at_random_is_found_among_three() -> None:
    """Two others are too few to say how people differ, yet enough to see that answers are unrelated to theirs."""
    generator = random.Random(4)
    three = {person: Rater(person) for person in PEOPLE[:3]}
    every = [
        attrs.evolve(one, answers={"quality": generator.randint(1, 5), "kind": generator.choice("ab")})
        if one.rater == "ana"
        else attrs.evolve(one, answers={name: one.answers[name] for name in ("quality", "kind")})
        for seed in range(4)
        for one in (attrs.evolve(one, unit=f"{seed} {one.unit}") for one in honest(seed))
        if one.rater in three
    ]
    units = {one.unit: Unit(one.unit) for one in every}
    found = check(Ratings("r", CRITERIA, tuple(every), units, three))
    finding = the(found, "with_others")
    assert (finding.rater, len(found.unusual)) == ("ana", 1)
    assert finding.evidence["attention"] < 0.2
    assert found.ranking[0].rater == "ana"
    assert found.ranking[1].probability < 0.05


def test_speed() -> None:
    """Two seconds where the others take twenty."""
    every = [
        attrs.evolve(one, seconds=2.0 + index % 3) if one.rater == "gil" else one for index, one in enumerate(honest())
    ]
    finding = the(check(ratings(every)), "fast")
    assert finding.rater == "gil"
    assert finding.value.value == 3
    assert len(finding.evidence["examples"]) == 5


def test_the_same_judgement_in_a_row() -> None:
    """Twenty judgements alike one after the other, twenty that differ: too long a run for any order."""
    every = honest()
    mine = [one for one in every if one.rater == "hal"]
    alike = {one.unit for one in mine[10:30]}
    same: dict[str, Answer] = {"quality": 3, "kind": "a", "rewrite": ""}
    every = [attrs.evolve(one, answers=same) if one.rater == "hal" and one.unit in alike else one for one in every]
    finding = the(check(ratings(every)), "long_run")
    assert (finding.rater, finding.value.value) == ("hal", 20)
    assert (finding.evidence["from"], finding.evidence["to"]) == (mine[10].unit, mine[29].unit)


def test_texts_pasted_or_handed_back() -> None:
    """One person pastes the same rewrite, another hands the source back."""
    pasted = the(check(spoilt("ben", rewrite="I would not change anything.")), "pasted")
    assert (pasted.rater, pasted.value.value) == ("ben", 1.0)
    assert pasted.evidence["texts"] == [{"text": "I would not change anything.", "times": 40}]
    back = [
        attrs.evolve(one, answers={**one.answers, "rewrite": UNITS[one.unit].texts["source"].upper()})
        if one.rater == "ida"
        else one
        for one in honest()
    ]
    finding = the(check(ratings(back)), "unchanged")
    assert (finding.rater, finding.value.value, finding.evidence["times"]) == ("ida", 1.0, 40)


def test_known_answers_and_units_seen_twice() -> None:
    """Who misses the known answers and answers differently the second time is found; near a known answer is right."""
    every = honest()
    for person in PEOPLE:
        bad = person == "cora"
        for number in range(12):
            known: dict[str, Answer] = {"quality": 4, "kind": "a"}
            said: dict[str, Answer] = {"quality": 1, "kind": "b"} if bad else {"quality": 5, "kind": "a"}
            every.append(Rating(f"u{number}", person, said, planted="gold", known=known))
        first = [one for one in every if one.rater == person and not one.planted][:12]
        for one in first:
            again = {
                "quality": 6 - int(str(one.answers["quality"])),
                "kind": "b" if one.answers["kind"] == "a" else "a",
            }
            every.append(
                attrs.evolve(one, answers=again if bad else one.answers, planted="duplicate", original=one.unit)
            )
    found = check(ratings(every))
    gold, same = the(found, "gold"), the(found, "consistency")
    assert (gold.rater, gold.value.value, gold.n) == ("cora", 0.0, 24)
    assert gold.evidence["questions"]["quality"] == {"right": 0, "of": 12}
    assert gold.peers.value == 1
    assert (same.rater, same.question) == ("cora", "")
    by_question = [one for one in found.findings if one.check == "consistency" and one.rater == "ana" and one.question]
    assert [(one.question, one.value.value) for one in by_question] == [("quality", 1.0), ("kind", 1.0)]
    assert by_question[0].others.reason == "tested together with the other questions"
    assert by_question[0].evidence["consistent"] == by_question[0].n


def test_no_simpler_word_by_blank_and_by_the_word_itself() -> None:
    """Who leaves the field blank or writes the word itself is found by both together."""
    protocol = find("lexical_simplification").protocol.resolve({})
    validator = Validator(protocol)
    units = {f"u{number}": Unit(f"u{number}", target="tedious") for number in range(20)}

    def said(words: tuple[str, ...]) -> dict[str, Answer]:
        return answers_of(validator, Item("u", {"target": "tedious"}), Judgement({"substitutes": words}))

    every = [
        Rating(unit, person, said(("boring",) if person != "finn" else ((), ("Tedious",))[number % 2]))
        for person in PEOPLE
        for number, unit in enumerate(units)
    ]
    every = [
        attrs.evolve(one, answers={"substitutes": ()}) if one.unit == f"u{PEOPLE.index(one.rater)}" else one
        for one in every
    ]
    people = {person: Rater(person) for person in PEOPLE}
    found = check(Ratings("w", criteria_of(protocol), tuple(every), units, people))
    finding = the(found, "none_simpler")
    assert (finding.rater, finding.value.value, finding.peers.value) == ("finn", 1.0, 0.05)


def of(*people: str, every: list[Rating] | None = None, first: int = 40) -> Ratings:
    """The first ratings of some of our people."""
    seen = dict.fromkeys(people, 0)
    kept = []
    for one in every if every is not None else honest():
        if one.rater in seen and seen[one.rater] < first:
            seen[one.rater] += 1
            kept.append(one)
    return attrs.evolve(ratings(kept), raters={person: Rater(person) for person in people})


def test_honest_people_can_be_told_without_many_others() -> None:
    """Three of forty units each who agree: that nobody is unusual would have been found out otherwise."""
    found = check(of("ana", "ben", "cora"))
    assert not found.unusual
    assert found.clear == ("ana", "ben", "cora")
    assert found.nobody.startswith("nobody is unusual: 3 annotators")


def test_who_has_too_little_cannot_be_told() -> None:
    """One annotator alone, or with six answers: it is said of whom it cannot be told, and why; others are told."""
    alone = check(of("ana"))
    assert alone.nobody == "cannot be told for ana (with_others), because nobody else rated the same units"
    few = [one for one in honest() if one.rater != "cora"] + [one for one in honest() if one.rater == "cora"][:6]
    found = check(of("ana", "ben", "cora", every=few))
    assert found.clear == ("ana", "ben")
    assert "nobody is unusual among ana, ben: 3 annotators" in found.nobody
    assert "cannot be told for cora (one_label), because 6 answers, and it takes 10" in found.nobody
    assert (
        "cannot be told for cora (with_others), because 4 units that others rated, too, and it takes 10" in found.nobody
    )


@pytest.mark.parametrize("people", [PEOPLE[:1], PEOPLE[:2], PEOPLE[:3]])
def test_one_answer_to_everything_is_told_from_the_first_person_on(people: tuple[str, ...]) -> None:
    """5 to 260 of 260 is unusual of one annotator alone, of one of two, and of one of three."""
    generator = random.Random(1)
    units = {f"u{number}": Unit(f"u{number}") for number in range(260)}
    every = [
        Rating(unit, person, {"quality": 5 if person == "ana" else max(1, min(5, round(3.4 + generator.gauss(0, 1))))})
        for unit in units
        for person in people
    ]
    found = check(Ratings("r", CRITERIA[:1], tuple(every), units, {person: Rater(person) for person in people}))
    finding = the(found, "one_label")
    assert (finding.rater, finding.question, finding.value.value, finding.basis) == ("ana", "quality", 1.0, "alone")
    assert {one.rater for one in found.unusual} == {"ana"}
    assert len(people) == 1 or "ana" in found.clear


def test_a_rare_yes_flags_nobody() -> None:
    """A yes or no that is yes once in a hundred: who never says yes, and who says it twice, are nobody's case."""
    criterion = Criterion("concern", "concern", YES_NO, NOMINAL, ("no", "yes"), "no")
    units = {f"u{number}": Unit(f"u{number}") for number in range(200)}
    every = [
        Rating(unit, person, {"concern": "yes" if number in yes else "no"})
        for person, yes in (("ana", ()), ("ben", (3, 90)), ("cora", (3,)))
        for number, unit in enumerate(units)
    ]
    found = check(Ratings("r", (criterion,), tuple(every), units, {person: Rater(person) for person in PEOPLE[:3]}))
    assert not found.unusual


def test_a_run_of_one_alone() -> None:
    """Half of sixty judgements alike one after the other: too long a run for any order, told of one annotator alone."""
    generator = random.Random(2)
    units = {f"u{number}": Unit(f"u{number}") for number in range(60)}
    every = [
        Rating(unit, "ana", {"quality": 4 if 20 <= number < 40 else generator.randint(1, 5)})
        for number, unit in enumerate(units)
    ]
    found = check(Ratings("r", CRITERIA[:1], tuple(every), units, {"ana": Rater("ana")}))
    assert (the(found, "long_run").basis, the(found, "long_run").evidence["length"]) == ("alone", 20)


def test_faster_than_can_be_read() -> None:
    """Thirty words and a question in two seconds take 3.5 to read; one text again takes no time; told of one alone."""
    text = " ".join(["word"] * 30)
    units = {f"u{number}": Unit(f"u{number}", texts={"source": f"{number} {text}"}) for number in range(20)}
    again = {f"a{number}": Unit(f"a{number}", texts={"source": text}) for number in range(20)}
    generator = random.Random(3)

    def spent(given: dict[str, Unit], seconds: float) -> Checked:
        every = [Rating(unit, "ana", {"quality": generator.randint(1, 5)}, seconds=seconds) for unit in given]
        return check(Ratings("r", CRITERIA[:1], tuple(every), given, {"ana": Rater("ana")}))

    finding = the(spent(units, 2.0), "fast")
    assert (finding.evidence["too_fast"], finding.basis) == (20, "alone")
    assert finding.evidence["least_seconds"] == pytest.approx(3.6)
    assert not spent(units, 8.0).unusual
    assert not spent(again, 2.0).unusual


def test_answers_fixed_by_a_rule_are_no_behaviour() -> None:
    """Sixty 3s that a rule gave are no overuse of 3, and none of what the annotator said."""
    units = {f"u{number}": Unit(f"u{number}") for number in range(120)}
    generator = random.Random(4)
    every = [
        Rating(unit, "ana", {"quality": 3}, fixed=frozenset({"quality"}))
        if number < 100
        else Rating(unit, "ana", {"quality": generator.randint(1, 5)})
        for number, unit in enumerate(units)
    ]
    said = Ratings("r", CRITERIA[:1], tuple(every), units, {"ana": Rater("ana")})
    found = check(said)
    assert not found.unusual
    assert {one.n for one in found.findings if one.check == "one_label"} == {20}
    assert "fixed_left_out:100" in found.signature
    assert check(said.with_fixed()).unusual
    assert "fixed:counted" in check(said.with_fixed()).signature


def test_models_are_neither_checked_nor_peers() -> None:
    """A language model that always says a is not in the table, and nobody is compared with it."""
    said = spoilt("eva", kind="a")
    found = check(attrs.evolve(said, raters={**said.raters, "eva": Rater("eva", "model")}))
    assert len(found.people) == 8
    assert "eva" not in {one.rater for one in found.findings}


def test_excluded_raters_are_shown_and_results_stand_side_by_side() -> None:
    """Who is excluded is checked still; the mean of the others is theirs alone, by hand."""
    everybody = spoilt("eva", quality=1)
    without = everybody.without(["eva"])
    found = check(without)
    assert "eva" in {one.rater for one in found.findings}
    rows = differences(everybody, without)
    [mean] = [row for row in rows if row.question == "quality" and row.measure == "mean"]
    kept = [one.answers["quality"] for one in everybody.every if one.rater != "eva"]
    assert mean.without.value == pytest.approx(sum(map(int, map(str, kept))) / len(kept))
    assert mean.everybody.value is not None
    assert mean.everybody.value < (mean.without.value or 0)
    [alpha] = [row for row in rows if row.question == "quality" and row.measure == "alpha"]
    assert (alpha.everybody.value or 0) < (alpha.without.value or 0)
    table = without_table(rows, ["eva"], "x:y")
    assert "eva" in table.title
    assert as_json(found, rows, ["eva"])["excluded"] == ["eva"]


def test_tables_and_json() -> None:
    """Findings first; the table of everything has all of them; JSON has a reason where there is no p-value."""
    found = check(spoilt("eva", kind="a"))
    assert found.findings[0].unusual
    assert len(unusual_table(found).rows) == len(found.unusual)
    assert len(every_table(found).rows) == len(found.findings)
    assert "“a” 40 times" in as_csv(unusual_table(found))
    row = as_json(found)["results"][0]
    assert list(row) == [
        *("rater", "check", "question", "value", "peers", "n", "p", "p_adjusted"),
        *("probability", "basis", "unusual", "evidence"),
    ]
    ranking = as_json(found)["ranking"]
    assert len(ranking) == len(PEOPLE)
    assert [place["probability"] for place in ranking] == sorted((one["probability"] for one in ranking), reverse=True)
    assert len(ranking_table(found, 3).rows) == 3
    assert "correction:benjamini_hochberg" in found.signature
