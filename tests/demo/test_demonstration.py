"""What demo studies are made of: items that can be compared, and a valid opinion about each."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import attrs
import pytest

from rubrica.core.study import Judgement
from rubrica.core.validation import Validator
from rubrica.protocols.catalog import load_shipped, shipped
from rubrica.protocols.criteria import criteria_of
from tests.conftest import NOW

pytestmark = pytest.mark.any_database

COMPARING = ("adequacy_fluency", "breve", "claro", "lexical_posthoc", "quality", "salsa", "split_rate")
WHOLE = [name for name in shipped() if load_shipped(name).protocol.edits is None]


@pytest.mark.parametrize("protocol_id", WHOLE)
def test_every_item_has_a_valid_opinion(protocol_id: str, home: Path) -> None:
    """What a careful annotator says is a complete judgement of the protocol, in each of its versions."""
    from rubrica.demo.items import gold_of, items_of, opinions_of

    protocol = load_shipped(protocol_id).protocol
    items = {item.key: item for item in items_of(load_shipped(protocol_id))}
    opinions = opinions_of(protocol)
    assert opinions.keys() == items.keys()
    known = [(items[key], opinion) for key, opinion in opinions.items()] + [
        (gold.item, gold.opinion) for gold in gold_of(protocol)
    ]
    validator = Validator(protocol, protocol.stages[0])
    for item, opinion in known:
        for answers in (opinion.answers, *opinion.as_good):
            words = {question: tuple(filter(None, [*given][:1])) for question, given in opinion.words.items()}
            judgement = Judgement({**answers, **words}, (), opinion.outcome)
            assert validator.problems(item, validator.settle(item, judgement)) == [], (protocol_id, item.key)


@pytest.mark.parametrize("protocol_id", WHOLE)
def test_answers_kept_in_reserve_fit_their_scales(protocol_id: str, home: Path) -> None:
    """What is said only if somebody decides otherwise can be said, and every word fits its field."""
    from rubrica.demo.items import gold_of, opinions_of

    protocol = load_shipped(protocol_id).protocol
    accepts = {question.id: protocol.scale_of(question).test() for question in protocol.questions}
    for opinion in [*opinions_of(protocol).values(), *(gold.opinion for gold in gold_of(protocol))]:
        for question, answer in opinion.if_asked.items():
            assert accepts[question](answer), (question, answer)
        for question, words in opinion.words.items():
            assert all(accepts[question]((word,) if word else ()) for word in words)


def test_edits_have_opinions_by_operation(home: Path) -> None:
    """In the study of edits every pair says what its edits are worth; answers fit the questions of their operation."""
    from rubrica.demo.items import items_of, opinions_of

    loaded = load_shipped("salsa")
    marked = loaded.protocol.edits
    assert marked is not None
    opinions = opinions_of(loaded.protocol)
    assert opinions.keys() == {item.key for item in items_of(loaded)}
    for opinion in opinions.values():
        for operation, answers in opinion.edits.items():
            asked = {question.id: loaded.protocol.scale_of(question) for question in marked.questions_for(operation)}
            assert all(asked[name].test()(answer) for name, answer in answers.items())


@pytest.mark.parametrize("protocol_id", COMPARING)
def test_systems_are_compared_on_the_same_sources(protocol_id: str, home: Path) -> None:
    """Each system has rewritten each source once."""
    from rubrica.demo.items import items_of
    from rubrica.exchange.judged_ratings import unit_of

    loaded = load_shipped(protocol_id)
    units = [unit_of(loaded.protocol, item) for item in items_of(loaded)]
    systems, sources = {unit.system for unit in units}, {unit.source for unit in units}
    assert "" not in systems
    assert len(systems) > 1
    assert Counter((unit.system, unit.source) for unit in units) == {(a, b): 1 for a in systems for b in sources}


def test_checks_and_pay_have_something_to_show(home: Path) -> None:
    """One annotator is excluded with a reason, gold and duplicates are judged, all agreed and told about themselves,
    some are paid, and people agree about what they rate."""
    from rubrica.demo import demonstration
    from rubrica.store import models
    from rubrica.store.money import payments
    from rubrica.store.ratings import ratings_of

    study = demonstration.make("demo", load_shipped("adequacy_fluency"), NOW)
    people = list(study.annotators.all())
    assert [bool(person.reason) for person in people if person.excluded_at] == [True]
    assert {rating.planted for rating in ratings_of(study).every} == {"", "gold", "duplicate"}
    for person in people:
        assert person.profile.answers["native_speaker"] in ("yes", "no")
        assert models.Consent.objects.filter(annotator=person, decision="agreed").exists()
    accounts = payments.accounts(study)
    assert any(account.paid > 0 and account.due == 0 for account in accounts)
    assert any(account.due > 0 for account in accounts)


def test_the_better_system_is_seen_as_better(home: Path) -> None:
    """Means by system lie as intended."""
    from rubrica.demo import demonstration
    from rubrica.store.ratings import ratings_of

    ratings = ratings_of(demonstration.make("demo", load_shipped("adequacy_fluency"), NOW))
    content = criteria_of(load_shipped("adequacy_fluency").protocol)[0].id
    means = {}
    for system in ratings.systems:
        given = [
            float(str(one.answers[content])) for one in ratings.counted if ratings.units[one.unit].system == system
        ]
        means[system] = sum(given) / len(given)
    assert means["birch"] > means["maple"] > means["aspen"]


def test_a_protocol_without_opinions_is_judged_at_random(home: Path) -> None:
    """A new protocol needs no more than items to have a demo study."""
    from rubrica.demo.items import gold_of, opinions_of
    from rubrica.demo.teams import Team, team_of

    new = attrs.evolve(load_shipped("breve").protocol, id="not_shipped")
    assert opinions_of(new) == {}
    assert gold_of(new) == []
    assert team_of(new) == Team()
