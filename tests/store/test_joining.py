"""Joined studies: authors do not judge their own texts, innocent people are not refused, texts are handed on."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import attrs
import pytest

from rubrica.core.errors import InputError
from rubrica.core.study import Item
from rubrica.exchange.exports import Wanted
from rubrica.protocols.catalog import load_shipped
from tests.conftest import NOW
from tests.two_studies import call, come, given, make, prolific, rating, stage_of, text_of, write, writing

if TYPE_CHECKING:
    from rubrica.store.models import Study

pytestmark = pytest.mark.postgres

NOT_ELIGIBLE = ["(not_eligible)"]


def exported_items(source: Study) -> list[Item]:
    """What a researcher makes of the export of a writing study: items whose author is the annotator's name there."""
    from rubrica.store.recording.exports import iterate

    return [
        Item(
            f"{record.item.key}-{record.annotator}",
            {"source": record.item.fields["source"], "rewrite": str(record.judgement.answers["rewrite"])},
            author=record.annotator,
        )
        for record in iterate(source, [stage_of(source)])
    ]


@pytest.mark.parametrize("handed_on", ["from", "named", "by texts"])
def test_crowd_workers_do_not_judge_what_they_wrote_whatever_they_are_called(home: Path, handed_on: str) -> None:
    """The writer comes second and gets nothing, the innocent comes first and gets work, though the pseudonyms clash."""
    one = writing()
    writer = come(prolific(one), "writer")
    write(writer)
    assert writer.name == "annotator-001"
    if handed_on == "from":
        two = rating(one)
    else:
        named = {"authors_from": one} if handed_on == "named" else {}
        two = make("split_rate", "rating", exported_items(one), **named)
    two.refresh_from_db()
    assert two.authors_from == one
    door = prolific(two)
    innocent = come(door, "innocent")
    assert len(given(innocent)) == 2
    with pytest.raises(InputError) as refused:
        come(door, "writer")
    assert (refused.value.problems[0].rule, refused.value.problems[0].value) == ("not_eligible", "author")


def test_a_writer_who_had_a_place_before_the_studies_were_joined_gets_no_work(home: Path) -> None:
    """The rule holds from then on, and joining says who has judged already."""
    from rubrica.store.people import joining

    one = writing()
    writer, quick = come(prolific(one), "writer"), come(prolific(one), "quick")
    write(writer)
    write(quick)
    items = [attrs.evolve(item, fields={**item.fields, "rewrite": "Edited. By hand."}) for item in exported_items(one)]
    two = make("split_rate", "rating", items)
    assert two.authors_from is None
    door = prolific(two)
    come(door, "writer")
    at_work = come(door, "quick")
    assert given(at_work)
    assert joining.join(two, one, NOW) == joining.Joined(authors=2, erased=0, already=[at_work.name])
    assert given(come(door, "writer")) == NOT_ELIGIBLE


def test_all_writers_are_refused_also_those_whose_texts_were_not_taken(home: Path) -> None:
    """Writers and raters are disjoint sets of people, not only authors and raters of one text."""
    one = writing()
    write(come(prolific(one), "writer"))
    write(come(prolific(one), "skipper"), outcome="skip")
    door = prolific(rating(one))
    for participant, why in (("writer", "author"), ("skipper", "writer")):
        with pytest.raises(InputError) as refused:
            come(door, participant)
        assert refused.value.problems[0].value == why


def test_raters_do_not_write_either(home: Path) -> None:
    """Whoever judges texts of a study is refused where they are written, by the same rule the other way round."""
    from rubrica.store.people import joining

    one = writing()
    write(come(prolific(one), "writer"))
    two = rating(one)
    given(come(prolific(two), "rater"))
    with pytest.raises(InputError) as refused:
        come(prolific(one), "rater")
    assert refused.value.problems[0].value == "rater"
    apart = writing("apart")
    assert len(given(come(prolific(apart), "rater"))) == 2
    assert joining.sources(two) == [one]


@pytest.mark.parametrize("spelling", ["wim", "Wim", "WIM "])
def test_named_people_are_the_same_in_joined_studies_in_every_spelling(home: Path, spelling: str) -> None:
    """By link and by sheet: who wrote as wim does not judge as Wim."""
    from rubrica.store.allocation.sheets import Request, deal_sheets

    one = writing()
    write(call(one, "wim"))
    two = rating(one)
    assert given(call(two, spelling.strip())) == NOT_ELIGIBLE
    assert given(call(two, "rosa")) != NOT_ELIGIBLE
    if spelling == "Wim":
        with pytest.raises(InputError, match="'Wim' wrote rewrites"):
            deal_sheets(stage_of(two), Request(["Wim", "rui"], 10, "en"), NOW)


def test_names_of_studies_that_are_not_joined_are_different_people(home: Path) -> None:
    """Another study's ana is somebody else."""
    write(call(writing(), "ana"))
    apart = make("split_rate", "apart", [Item("1", {"source": "One and two.", "rewrite": "One. Two."}, author="bo")])
    assert given(call(apart, "ana")) == ["1"]
    assert given(call(apart, "Bo")) == NOT_ELIGIBLE


def test_other_people_than_is_decided_on_identity(home: Path) -> None:
    """Who selected as ana does not settle as Ana, by sheet or by import."""
    from rubrica.core.study import Judgement
    from rubrica.exchange.records import Record
    from rubrica.store import studies
    from rubrica.store.allocation.eligibility import eligibility_problems
    from rubrica.store.people.identities import identities_of
    from rubrica.store.recording.imports import import_records
    from rubrica.store.translate import protocol_of

    item = Item("1", {"source": "It is old.", "rewrite": "It is aged."})
    study = make("salsa", "marking", [item])
    said = Record(study="marking", stage="select", item=item, annotator="ana", judgement=Judgement({}), revision=1)
    import_records(study, [(2, said)], "file.jsonl", NOW)
    stage = studies.find_stage(study, "adjudicate")
    for name in ("ana", "Ana"):
        (problem,) = eligibility_problems(stage, protocol_of(stage), identities_of(study, [name]))
        assert "took part in the stage 'select'" in problem.what
        settled = attrs.evolve(said, stage="adjudicate", annotator=name)
        with pytest.raises(InputError) as refused:
            import_records(study, [(7, settled)], "file.jsonl", NOW)
        assert [(p.rule, p.file, p.line) for p in refused.value.problems] == [("eligibility", "file.jsonl", 7)]
    assert study.annotators.count() == 1


def test_texts_are_handed_on_one_item_each(home: Path) -> None:
    """Source, text and author come along; the id does not tell who wrote it; ways out give no item."""
    from rubrica.core.handed_on import HandedOn
    from rubrica.store.people.joining import items_from

    one = writing()
    wim, eva, bob = (call(one, name) for name in ("wim", "eva", "bob"))
    write(wim)
    write(eva)
    write(bob, outcome="skip")
    found = items_from(one, load_shipped("split_rate").protocol)
    assert found._replace(items=[]) == HandedOn([], people=2)
    assert {(item.key, item.author, item.fields["rewrite"]) for item in found.items} == {
        (f"{key}-{number}", person.name, text_of(person, key))
        for key in ("s1", "s2")
        for number, person in ((1, wim), (2, eva))
    }
    assert {item.fields["source"] for item in found.items} == {row.fields["source"] for row in one.items.all()}


def test_what_enough_writers_flagged_is_discarded(home: Path) -> None:
    """Of a sentence that most found too simple, nothing reaches the raters, and the count says so."""
    from rubrica.store.people.joining import items_from

    one = writing()
    write(call(one, "wim"))
    for name in ("eva", "bob"):
        write(call(one, name), outcome="too_simple")
    protocol = load_shipped("split_rate").protocol
    with pytest.raises(InputError, match="nobody has written"):
        items_from(one, protocol)
    two = writing("two")
    write(call(two, "wim"))
    write(call(two, "eva"), outcome="too_simple")
    assert items_from(two, protocol)._replace(items=[]) == ([], 1, 0, 0)


def test_texts_of_excluded_people_are_not_handed_on(home: Path) -> None:
    """What is out of the results is out of the next study."""
    from rubrica.store.people.annotators import exclude
    from rubrica.store.people.joining import items_from

    one = writing()
    wim, eva = call(one, "wim"), call(one, "eva")
    write(wim)
    write(eva)
    exclude(wim, "random", NOW)
    assert {item.author for item in items_from(one, load_shipped("split_rate").protocol).items} == {"eva"}


def test_items_are_handed_on_where_nobody_writes(home: Path) -> None:
    """A second opinion on the same texts: the items as they are, their authors still who they were."""
    one = writing()
    writer = come(prolific(one), "writer")
    write(writer)
    two = rating(one)
    come(prolific(two), "rater")
    three = rating(two, "again")
    assert three.items.count() == two.items.count() == 2
    door = prolific(three)
    with pytest.raises(InputError):
        come(door, "writer")
    assert len(given(come(door, "rater"))) == 2


def test_a_protocol_without_a_rewrite_takes_no_texts(home: Path) -> None:
    """It is said which protocol, and nothing is made."""
    from rubrica.store.people.joining import items_from

    one = writing()
    write(call(one, "wim"))
    with pytest.raises(InputError, match="no field for what people wrote"):
        items_from(one, load_shipped("lexical_complexity").protocol)


def test_joining_is_refused_where_it_makes_no_sense(home: Path) -> None:
    """Not with itself, not in a ring, not with a study that the researcher does not manage."""
    from django.contrib.auth.models import User

    from rubrica.store.people import joining

    User.objects.create(username="rita")
    one = writing()
    write(call(one, "wim"))
    two = rating(one)
    for study, source, actor in ((one, one, ""), (one, two, ""), (make("split_rate", "c"), one, "rita")):
        with pytest.raises(InputError) as refused:
            joining.join(study, source, NOW, actor)
        assert refused.value.problems[0].rule == "authors_from"


def test_leaving_is_possible_until_work_was_handed_out(home: Path) -> None:
    """Taken back, the pseudonym is nobody's; once somebody has work the rules of then stay."""
    from rubrica.store.people import joining

    one = writing()
    write(come(prolific(one), "writer"))
    two = rating(one)
    joining.leave(two, NOW)
    door = prolific(two)
    writer = come(door, "writer")
    joining.join(two, one, NOW)
    assert given(writer) == NOT_ELIGIBLE
    given(come(door, "rater"))
    with pytest.raises(InputError, match="handed out"):
        joining.leave(two, NOW)


def test_joining_erases_the_texts_of_whoever_was_erased_there(home: Path) -> None:
    """A study that held them, unknown to the other, loses them when the two are joined; it is said how many."""
    from rubrica.store.people import joining
    from rubrica.store.people.erasure import TEXT, erase

    one = writing()
    wim = call(one, "wim")
    write(wim)
    write(call(one, "eva"))
    items = exported_items(one)
    changed = [attrs.evolve(item, fields={**item.fields, "rewrite": f"Mended. {item.key}."}) for item in items]
    two = make("split_rate", "rating", changed)
    erase(wim, NOW)
    assert joining.join(two, one, NOW) == joining.Joined(authors=1, erased=2, already=[])
    texts = dict(two.items.values_list("author", "fields__rewrite"))
    assert texts.pop("erased-1") == TEXT
    assert [*texts] == ["eva"]


def test_a_pseudonym_is_never_that_of_an_author(home: Path) -> None:
    """Annotator and author of an export are not the same by accident."""
    one = writing()
    write(come(prolific(one), "writer"))
    two = rating(one)
    assert two.items.first().author == "annotator-001"  # type: ignore[union-attr]
    assert come(prolific(two), "rater").name == "annotator-002"


def test_no_export_tells_the_identity(home: Path) -> None:
    """Neither the platform's id nor anything that is the same in two studies is written to any format."""
    import io

    from rubrica.exchange.exports import FORMATS
    from rubrica.store.jobs import exporting
    from rubrica.store.models import Annotator, Item

    one = writing()
    write(come(prolific(one), "5f1a-writer"))
    two = rating(one)
    secret = {
        *Annotator.objects.values_list("identity", flat=True),
        *Item.objects.values_list("author_identity", flat=True),
    }
    told = [identity[2:].encode() for identity in secret if identity] + [b"5f1a-writer"]
    assert len(told) == 2
    for study in (one, two):
        for form in FORMATS:
            out = io.BytesIO()
            try:
                exporting.write(study, Wanted(form=form), out)
            except InputError:
                continue  # formats of edits
            assert not [words for words in told if words in out.getvalue()], form
