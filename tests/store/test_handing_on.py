"""One study, two stages: what writers wrote reaches raters when it is settled; who may do what; what is counted."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from rubrica.core.errors import InputError
from rubrica.core.study import Item, Judgement
from rubrica.protocols.catalog import load_shipped
from tests.conftest import NOW
from tests.two_studies import make

if TYPE_CHECKING:
    from rubrica.store.models import Stage, Study

pytestmark = pytest.mark.postgres

SENTENCES = [Item(f"s{n}", {"source": f"The {n} gates, which are old, stay shut."}) for n in (1, 2)]


def collecting(**more: Any) -> Study:
    """A study of two sentences with writers and raters."""
    return make("split_rewrite", "bench", SENTENCES, then=load_shipped("split_rate"), **more)


def stage(study: Study, key: str) -> Stage:
    """Its stage of that name."""
    return study.stages.select_related("study", "protocol_version").get(key=key)


def says(
    study: Study, key: str, name: str, *, outcome: str = "", item: str = "s1", correct: bool = True, after: int = 0
) -> None:
    """Somebody writes about a sentence, leaves it by a way out, or rates a text."""
    from django.db import transaction

    from rubrica.store.models import Annotator, Assignment, Revision
    from rubrica.store.people.annotators import named
    from rubrica.store.recording.judgements import Said, record

    person: Annotator = named(study, [name], NOW)[name]
    at = stage(study, key)
    answers = {"rewrite": f"A text of {name}. It has two sentences."}
    if key == "rate":
        answers = {"sensible": 5, "grammatical": 5 if correct else 4}
        answers |= dict.fromkeys(("missing_facts", "new_facts", "wrong_split", "further_split"), "no")
    judgement = Judgement({}, (), outcome) if outcome else Judgement(answers)
    place = Assignment(stage=at, item=study.items.get(key=item), annotator=person)
    with transaction.atomic():
        record(at, [Said(place, "", judgement)], Revision.Origin.IMPORT, NOW + timedelta(minutes=after))


def texts(study: Study) -> list[tuple[str, str, bool]]:
    """Key and author of what was handed on, and whether it is still handed out."""
    found = study.items.exclude(written=None).order_by("position")
    return [(item.key, item.author, item.closed_at is None) for item in found]


def test_texts_wait_until_their_sentence_has_all_of_them(home: Path) -> None:
    """Two of three rewrites reach nobody; the third brings all three, under keys that do not name the writers."""
    study = collecting()
    says(study, "rewrite", "ana")
    says(study, "rewrite", "ben")
    assert texts(study) == []
    says(study, "rewrite", "eva")
    assert texts(study) == [("s1-1", "ana", True), ("s1-2", "ben", True), ("s1-3", "eva", True)]
    item = study.items.get(key="s1-2")
    assert item.fields == {"source": SENTENCES[0].fields["source"], "rewrite": "A text of ben. It has two sentences."}
    assert item.metadata["source_item"] == "s1"


def test_as_they_come_in(home: Path) -> None:
    """With the option a text reaches raters at once, and is closed if its sentence is discarded after all."""
    study = collecting(hand_on="as_they_come")
    says(study, "rewrite", "ana")
    assert texts(study) == [("s1-1", "ana", True)]
    says(study, "rewrite", "ben", outcome="too_simple")
    assert texts(study) == [("s1-1", "ana", True)]
    says(study, "rewrite", "eva", outcome="too_problematic")
    assert texts(study) == [("s1-1", "ana", False)]


def test_a_flagged_sentence_is_discarded_at_the_boundary(home: Path) -> None:
    """Two flags of three places decide; the rewrite that was written reaches nobody, and nobody is asked for more."""
    from rubrica.store.counting.progress import collected, of_stages

    study = collecting()
    says(study, "rewrite", "ana")
    says(study, "rewrite", "ben", outcome="too_simple")
    assert study.items.get(key="s1").closed_at is None
    says(study, "rewrite", "eva", outcome="too_simple")
    sentence = study.items.get(key="s1")
    assert sentence.closed_reason == "flagged by writers: 2 of 3"
    assert texts(study) == []
    found = collected(study)
    assert found is not None
    assert (found.sentences, found.discarded, found.waiting, found.texts) == (2, 1, 1, 0)
    counts = {count.stage.key: (count.items, count.wanted, count.done) for count in of_stages(study.stages.all())}
    assert counts == {"rewrite": (2, 6, 3), "rate": (0, 0, 0)}


@pytest.mark.parametrize(("discard_by", "discarded"), [("any", True), ("most", False), ("every", False)])
def test_how_many_flags_it_takes_is_set(home: Path, discard_by: str, discarded: bool) -> None:
    """One flag of three discards only if any is enough; else the other two rewrites are rated."""
    study = collecting(settings={"discard_by": discard_by})
    says(study, "rewrite", "ana", outcome="too_simple")
    says(study, "rewrite", "ben")
    says(study, "rewrite", "eva")
    assert (study.items.get(key="s1").closed_at is not None) == discarded
    assert len(texts(study)) == (0 if discarded else 2)


def test_a_skipped_sentence_goes_to_others(home: Path) -> None:
    """Who skips takes no place: the sentence is settled by three who answer."""
    from rubrica.store.counting.progress import collected

    study = collecting()
    says(study, "rewrite", "ana", outcome="skip")
    for name in ("ben", "eva"):
        says(study, "rewrite", name)
    assert texts(study) == []
    says(study, "rewrite", "fay")
    assert len(texts(study)) == 3
    found = collected(study)
    assert found is not None
    assert found.skips == 1


def test_closing_the_writing_settles_what_there_is(home: Path) -> None:
    """When nobody will write any more, what there is reaches the raters, and short sentences are named."""
    from rubrica.store.counting.progress import collected
    from rubrica.store.setup.running import move

    study = collecting()
    says(study, "rewrite", "ana")
    move(study, "close", NOW, stage="rewrite")
    assert texts(study) == [("s1-1", "ana", True)]
    found = collected(study)
    assert found is not None
    assert (found.handed_on, found.waiting, found.short) == (1, 0, ["s1", "s2"])


def test_writers_and_raters_are_other_people(home: Path) -> None:
    """Whoever wrote anything, or only skipped, does not rate; whoever rated does not write."""
    from rubrica.store.allocation.leases import take
    from rubrica.store.people.annotators import named

    study = collecting()
    says(study, "rewrite", "ana", outcome="skip")
    for name in ("ben", "eva", "fay"):
        says(study, "rewrite", name)
    says(study, "rate", "rosa", item="s1-1")
    people = named(study, ["ana", "ben", "rosa", "rui"], NOW)
    given = {name: take(person, stage(study, "rate"), NOW) for name, person in people.items()}
    assert {name: work.reason for name, work in given.items()} == {
        **dict.fromkeys(("ana", "ben"), "not_eligible"),
        **dict.fromkeys(("rosa", "rui"), ""),
    }
    assert take(people["rosa"], stage(study, "rewrite"), NOW).reason == "not_eligible"


def test_a_link_for_one_step_leads_there_and_nowhere_else(home: Path) -> None:
    """Somebody who is invited to rate waits for texts instead of writing, and then rates."""
    from rubrica.store.allocation.leases import take
    from rubrica.store.people.invitations import invite
    from rubrica.store.people.participation import current_stage

    study = collecting()
    (link,) = invite(study, ["rosa"], NOW, step="rate")
    rosa = link.annotator
    assert rosa is not None
    assert current_stage(rosa).key == "rate"
    assert take(rosa, stage(study, "rate"), NOW).reason == "waiting"
    assert take(rosa, stage(study, "rewrite"), NOW).reason == "not_eligible"
    for name in ("ana", "ben", "eva"):
        says(study, "rewrite", name)
    assert current_stage(rosa).key == "rate"
    assert {lease.item.key for lease in take(rosa, stage(study, "rate"), NOW).leases} == {"s1-1", "s1-2", "s1-3"}
    with pytest.raises(InputError, match="no stage 'wash'"):
        invite(study, ["rui"], NOW, step="wash")


def test_two_protocols_that_do_not_fit_are_refused(home: Path) -> None:
    """The first must ask for texts, the second must judge them, and nothing is made otherwise."""
    from rubrica.store.models import Study

    with pytest.raises(InputError) as refused:
        make("split_rate", "bench", then=load_shipped("lexical_complexity"))
    assert [problem.rule for problem in refused.value.problems] == ["protocols", "protocols"]
    assert not Study.objects.exists()


def test_an_erased_writer_takes_the_texts_along(home: Path) -> None:
    """Erasure of a writer empties the items that their texts became."""
    from rubrica.store.people.annotators import named
    from rubrica.store.people.erasure import erase

    study = collecting()
    for name in ("ana", "ben", "eva"):
        says(study, "rewrite", name)
    erase(named(study, ["ben"], NOW)["ben"], NOW)
    assert "ben" not in str(list(study.items.values_list("fields", "author")))


def test_what_is_written_later_is_handed_on_too(home: Path) -> None:
    """A third rewrite after the overlap was raised, and one that replaces an erased one, under numbers of their own."""
    from rubrica.store.counting.progress import collected
    from rubrica.store.people.annotators import named
    from rubrica.store.people.erasure import erase
    from rubrica.store.setup.running import set_overlap

    study = collecting()
    says(study, "rewrite", "ana")
    says(study, "rewrite", "ben")
    set_overlap(study, {"rewrite": 2}, NOW)
    assert texts(study) == [("s1-1", "ana", True), ("s1-2", "ben", True)]
    set_overlap(study, {"rewrite": 3}, NOW)
    says(study, "rewrite", "ana")
    says(study, "rewrite", "eva")
    assert texts(study)[2:] == [("s1-3", "eva", True)]
    erase(named(study, ["ben"], NOW)["ben"], NOW)
    says(study, "rewrite", "eli")
    assert texts(study)[3:] == [("s1-4", "eli", True)]
    there = collected(study)
    assert there is not None
    assert (there.texts, there.short) == (3, [])


def test_writing_that_was_opened_again_hands_on_the_rest(home: Path) -> None:
    """What was closed with one rewrite gets its others when they are all there."""
    from rubrica.store.setup.running import move

    study = collecting()
    says(study, "rewrite", "ana")
    move(study, "close", NOW, stage="rewrite")
    move(study, "reopen", NOW, stage="rewrite")
    says(study, "rewrite", "ben")
    assert [key for key, _, _ in texts(study)] == ["s1-1"]
    says(study, "rewrite", "eva")
    assert [key for key, _, _ in texts(study)] == ["s1-1", "s1-2", "s1-3"]


def test_a_sentence_with_an_erased_writer_is_no_dead_end(home: Path) -> None:
    """The place of who was erased stays taken, so nobody else is asked: the other two rewrites are handed on."""
    from rubrica.store.people.annotators import named
    from rubrica.store.people.erasure import erase

    study = collecting()
    says(study, "rewrite", "ana")
    says(study, "rewrite", "ben")
    erase(named(study, ["ben"], NOW)["ben"], NOW)
    says(study, "rewrite", "eva")
    assert texts(study) == [("s1-1", "ana", True), ("s1-2", "eva", True)]


def test_texts_of_an_excluded_writer_are_taken_from_raters(home: Path) -> None:
    """Nobody is paid to rate them, they are not gold, another writer's takes their place; and all of it is undone."""
    from rubrica.store.people.annotators import exclude, include_again, named
    from rubrica.store.releases import benchmark_of

    study = collecting()
    for name in ("ana", "ben", "eva"):
        says(study, "rewrite", name)
    for name in ("rosa", "rui"):
        says(study, "rate", name, item="s1-2")
    ben = named(study, ["ben"], NOW)["ben"]
    exclude(ben, "nonsense", NOW)
    says(study, "rewrite", "eli")
    assert texts(study) == [
        ("s1-1", "ana", True),
        ("s1-2", "ben", False),
        ("s1-3", "eva", True),
        ("s1-4", "eli", True),
    ]
    found = benchmark_of(study)
    assert found.gold == ()
    assert ("s1-2", "left out: its writer is excluded") in [(one.key, one.reason) for one in found.dropped]
    include_again(ben, NOW)
    assert texts(study)[1] == ("s1-2", "ben", True)
    assert [one.key for one in benchmark_of(study).gold] == ["s1-2"]


def test_flags_of_an_excluded_writer_discard_nothing(home: Path) -> None:
    """A sentence that was discarded by them comes back, and goes again only if the others' flags suffice."""
    from rubrica.store.people.annotators import exclude, named

    study = collecting()
    says(study, "rewrite", "ana")
    for name, item in (("ben", "s1"), ("eva", "s1"), ("ben", "s2"), ("eva", "s2"), ("eli", "s2")):
        says(study, "rewrite", name, item=item, outcome="too_simple")
    assert not study.items.open().exists()
    exclude(named(study, ["ben"], NOW)["ben"], "flags everything", NOW)
    assert [item.key for item in study.items.open()] == ["s1"]
    says(study, "rewrite", "eli")
    assert texts(study) == [("s1-1", "ana", True), ("s1-2", "eli", True)]


def test_a_sentence_that_is_left_out_takes_its_texts_along(home: Path) -> None:
    """They are rated no more, and come back with it; one that was left out for a reason of its own does not."""
    from rubrica.store.setup.study_items import close, reopen

    study = collecting()
    for name in ("ana", "ben", "eva"):
        says(study, "rewrite", name)
    close(study.items.get(key="s1-2"), "rude", NOW, "researcher")
    close(study.items.get(key="s1"), "not a sentence", NOW, "researcher")
    assert not any(is_open for _, _, is_open in texts(study))
    reopen(study.items.get(key="s1"), NOW, "researcher")
    assert [is_open for _, _, is_open in texts(study)] == [True, False, True]


def test_a_perfect_rewrite_of_what_many_skipped_is_proposed_for_a_bonus(home: Path) -> None:
    """By its ratings alone: two correct ones propose the bonus, which somebody must still record."""
    from rubrica.store.money.payments import record as pay
    from rubrica.store.money.payments import suggestions
    from rubrica.store.options import change
    from rubrica.store.setup.running import move

    study = collecting()
    change(study, payment={"bonus": {"rewrite": "1.50"}})
    for name in ("ben", "eva"):
        says(study, "rewrite", name, outcome="skip")
    says(study, "rewrite", "ana")
    says(study, "rewrite", "ana", item="s2")
    move(study, "close", NOW, stage="rewrite")
    for text in ("s1-1", "s2-1"):
        says(study, "rate", "rosa", item=text)
    says(study, "rate", "rui", item="s2-1")
    assert suggestions(study) == []
    says(study, "rate", "rui", item="s1-1")
    (found,) = suggestions(study)
    assert (found.judgement.annotator.name, found.skipped, found.perfect) == ("ana", 2, True)
    pay(found.judgement.annotator, "bonus", str(found.amount), "many skipped it", NOW, key=found.key)
    assert suggestions(study) == []


def test_a_data_set_has_a_price_of_its_own(home: Path) -> None:
    """A rewrite of a contract brings more than one of Wikipedia, in the account and in the arithmetic."""
    from decimal import Decimal

    from rubrica.store.money.costs import stage_work
    from rubrica.store.money.payments import accounts
    from rubrica.store.options import change, options_of

    rows = [
        Item(f"s{n}", {"source": "The mill, which is old, fell."}, metadata={"dataset": name})
        for n, name in enumerate(("wiki", "contracts"), start=1)
    ]
    study = make("split_rewrite", "bench", rows, then=load_shipped("split_rate"))
    change(study, payment={"per_task": {"rewrite": "0.20", "rewrite/contracts": "0.40", "rate": "0.07"}})
    says(study, "rewrite", "ana")
    says(study, "rewrite", "ana", item="s2")
    (account,) = accounts(study)
    assert account.earned == Decimal("0.60")
    work = {one.id: (one.items, one.per_task) for one in stage_work(study, options_of(study).payment)}
    assert work == {"rewrite": (2, Decimal("0.30")), "rate": (6, Decimal("0.07"))}


def test_three_writers_who_finish_at_once_hand_on_each_text_once(home: Path) -> None:
    """Whoever is last, and if nobody sees that they are: the next rater finds three texts, not fewer and not more."""
    from rubrica.store.allocation.leases import take
    from rubrica.store.people.annotators import named
    from rubrica.store.recording import judgements
    from tests.store.conftest import at_once

    study = collecting()
    people = named(study, ["ana", "ben", "eva"], NOW)
    writing = stage(study, "rewrite")
    held = {
        name: next(one for one in take(person, writing, NOW).leases if one.item.key == "s1")
        for name, person in people.items()
    }

    def save(name: str) -> Any:
        lease = held[name]
        lease.stage, lease.annotator = writing, people[name]
        text = Judgement({"rewrite": f"A text of {name}. It has two sentences."})
        return judgements.submit([judgements.Said(lease, f"key-{lease.pid}", text)], NOW)

    results = at_once([lambda name=name: save(name) for name in people])  # type: ignore[misc]
    assert [one for one in results if isinstance(one, Exception)] == []
    rosa = named(study, ["rosa"], NOW)["rosa"]
    take(rosa, stage(study, "rate"), NOW)
    assert sorted(author for _, author, _ in texts(study)) == ["ana", "ben", "eva"]
