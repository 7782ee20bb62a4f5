"""Simulated people with an opinion: valid, near what is right, and true to their temperament."""

from __future__ import annotations

from collections import Counter

import attrs
import pytest

from rubrica.core.edits import Edit, Span
from rubrica.core.study import ANSWERED, Item
from rubrica.core.validation import Validator
from rubrica.demo.simulated_people import (
    CAREFUL,
    CARELESS,
    HURRIED,
    LENIENT,
    SEVERE,
    TEAM,
    Opinion,
    OpinionatedPerson,
    Temperament,
    temperament_of,
)
from rubrica.protocols.catalog import load_shipped
from rubrica.protocols.criteria import criteria_of

EXACT = Temperament("exact")
ITEMS = [
    Item(str(n), {"source": f"A long sentence, number {n}.", "rewrite": f"Number {n}. Short."}) for n in range(300)
]
SPLIT = Opinion(
    {"sensible": 3, "grammatical": 5, "missing_facts": "yes", "new_facts": "no", "wrong_split": "no",
     "further_split": "no"}
)  # fmt: skip


def person(protocol_id: str, temperament: Temperament, seed: str = "1", stage_id: str = "") -> OpinionatedPerson:
    """A simulated person at the first stage, or that one, of a shipped protocol."""
    protocol = load_shipped(protocol_id).protocol
    stage = protocol.stage(stage_id) if stage_id else protocol.stages[0]
    good = {criterion.id: criterion.good for criterion in criteria_of(protocol)}
    return OpinionatedPerson(protocol, stage, temperament, good, seed)


def mean(temperament: Temperament, question: str = "sensible") -> float:
    """The mean answer about 300 items of which the right one is known."""
    who = person("split_rate", temperament)
    return sum(float(str(who.judge(item, SPLIT).answers[question])) for item in ITEMS) / len(ITEMS)


def test_without_noise_the_right_answer_is_given() -> None:
    """Somebody without leniency, noise and slips says what is right."""
    assert person("split_rate", EXACT).judge(ITEMS[0], SPLIT).answers == SPLIT.answers


def test_neighbouring_points_are_likelier_than_distant_ones() -> None:
    """The answers of a careless person lie round the right point and thin out to both sides."""
    who = person("split_rate", CARELESS)
    found = Counter(who.judge(item, SPLIT).answers["sensible"] for item in ITEMS)
    assert found[3] > found[2] > found[1]
    assert found[3] > found[4]
    assert found[0] < found[3] / 10


def test_leniency_moves_towards_the_good_end() -> None:
    """The lenient rate higher than the careful, the severe lower."""
    assert mean(LENIENT) > mean(CAREFUL) > mean(SEVERE)


def test_leniency_goes_down_where_low_is_good() -> None:
    """The first option of acceptance is the good one: the lenient accept more."""
    opinion = Opinion(
        {"simplification": 2, "meaning": 2, "fluency": 2, "concern": "no", "acceptance": "accept_with_edit",
         "edit": "Better.", "needed": "yes"},
        if_asked={"severity": 2, "corrected": "Right."},
    )  # fmt: skip

    def accepted(temperament: Temperament) -> int:
        who = person("breve", temperament)
        return sum(who.judge(item, opinion).answers["acceptance"] == "accept" for item in ITEMS)

    assert accepted(LENIENT) > accepted(SEVERE)


def test_problems_are_overlooked_more_often_than_imagined() -> None:
    """A yes that is right turns into a no more often than the other way round."""
    who = person("split_rate", CARELESS)
    said = [who.judge(item, SPLIT).answers for item in ITEMS]
    overlooked = sum(answers["missing_facts"] == "no" for answers in said)
    imagined = sum(answers["new_facts"] == "yes" for answers in said)
    assert overlooked > imagined > 0


def test_the_hurried_overuse_one_answer() -> None:
    """The point below the best is given at least twice as often as by the careful."""
    used = {}
    for temperament in (CAREFUL, HURRIED):
        who = person("split_rate", temperament)
        used[temperament.name] = sum(who.judge(item, SPLIT).answers["sensible"] == 4 for item in ITEMS)
    assert used["hurried"] > 2 * used["careful"]


@pytest.mark.parametrize(("temperament", "least", "most"), [(CAREFUL, 0.9, 1.0), (HURRIED, 0.2, 0.8)])
def test_a_hidden_duplicate_gets_the_same_answers(temperament: Temperament, least: float, most: float) -> None:
    """The careful are consistent with themselves, the hurried are not."""
    who = person("split_rate", temperament)
    first = [who.judge(item, SPLIT) for item in ITEMS]
    again = [who.judge(attrs.evolve(item, key=f"{item.key}~2"), SPLIT) for item in ITEMS]
    same = sum(one == other for one, other in zip(first, again, strict=True)) / len(ITEMS)
    assert least <= same <= most


def test_the_order_of_work_changes_nothing() -> None:
    """What somebody says of an item depends on the seed and the item alone; another seed says something else."""
    one, other, backwards = (person("split_rate", CARELESS, seed) for seed in ("1", "2", "1"))
    said = [one.judge(item, SPLIT) for item in ITEMS[:40]]
    assert said == [backwards.judge(item, SPLIT) for item in reversed(ITEMS[:40])][::-1]
    assert said != [other.judge(item, SPLIT) for item in ITEMS[:40]]


def test_words_come_by_their_weight() -> None:
    """Weightier words are given more often, never twice in one answer; a blank stands alone."""
    opinion = Opinion(words={"substitutes": {"ask": 8, "question": 1, "": 2}})
    who = person("lexical_simplification", EXACT)
    items = [Item(str(n), {"context": f"We inquire {n}.", "target": "inquire"}) for n in range(300)]
    said = [who.judge(item, opinion).answers["substitutes"] for item in items]
    found = Counter(word for words in said if isinstance(words, tuple) for word in words)
    assert found["ask"] > found["question"] > 0
    assert 0 < said.count(()) < 100
    assert set(said) <= {(), ("ask",), ("question",), ("ask", "question"), ("question", "ask")}


def test_a_way_out_is_taken() -> None:
    """Where a way out is right it is taken; other answers that are as good are all given."""
    who = person("split_rewrite", EXACT)
    assert who.judge(ITEMS[0], Opinion(outcome="too_simple")).outcome == "too_simple"
    texts = ("One. Two.", "Two. One.")
    opinion = Opinion({"rewrite": texts[0]}, as_good=({"rewrite": texts[1]},))
    said = [who.judge(item, opinion) for item in ITEMS[1:]]
    assert {judgement.outcome for judgement in said} == {ANSWERED}
    assert {judgement.answers["rewrite"] for judgement in said} == set(texts)


@pytest.mark.parametrize("temperament", [EXACT, HURRIED], ids=lambda temperament: temperament.name)
def test_edits_are_rated(temperament: Temperament) -> None:
    """Questions about an edit are answered by its operation; spans and what was settled before stay."""
    who = person("salsa", temperament, stage_id="classify")
    item = Item("i", {"source": "A cat sat down.", "rewrite": "B sat."})
    edits = (Edit("1", "deletion", (Span(9, 14),)), Edit("2", "substitution", (Span(0, 5),), (Span(0, 1),),
             {"information": "same"}))  # fmt: skip
    opinion = Opinion(edits={"deletion": {"deletion_type": "good_deletion", "efficacy": 2, "grammar_error": "no"}})
    judgement = who.rate_edits(item, edits, opinion)
    assert [attrs.evolve(edit, answers={}) for edit in judgement.edits] == [
        attrs.evolve(edit, answers={}) for edit in edits
    ]
    assert Validator(who.protocol, who.protocol.stage("classify")).problems(item, judgement) == []
    if temperament is EXACT:
        assert judgement.edits[0].answers["deletion_type"] == "good_deletion"
        assert judgement.edits[1].answers["information"] == "same"


def test_temperaments_keep_their_kind() -> None:
    """Places of a group have fixed kinds; degrees come from the seed; a larger group begins again."""
    kinds = [temperament_of(place, "a").name for place in range(len(TEAM) + 1)]
    assert kinds == [kind.name for kind in (*TEAM, TEAM[0])]
    assert temperament_of(0, "a") == temperament_of(0, "a")
    assert temperament_of(0, "a") != temperament_of(0, "b")
    assert all(temperament_of(1, str(n)).leniency > 0 > temperament_of(2, str(n)).leniency for n in range(50))
