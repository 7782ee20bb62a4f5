"""Who is who: keyed hashes of names and platform ids, the key they hang on, and what is left when it is lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from rubrica.core.errors import InputError
from tests.conftest import NOW
from tests.two_studies import call, come, make, prolific, rating, write, writing


@pytest.mark.parametrize("spelling", ["ana  pérez", "Ana Pérez", "ANA PÉREZ", " ana pérez ", "ana pe\u0301rez"])
def test_a_name_is_the_same_in_every_spelling(home: Path, spelling: str) -> None:
    """Case, spaces and Unicode form do not make another person."""
    from rubrica.store.people.identities import of_name

    assert of_name(spelling) == of_name("ana pérez")
    assert of_name(spelling) != of_name("ana perez")


def test_an_identity_tells_nothing_without_the_key(home: Path) -> None:
    """It holds neither name nor id, and under another key it is another."""
    from rubrica.store.people.identities import NAME, digest, of_name, of_platform

    assert "ana" not in of_name("ana")
    assert "5f1a" not in of_platform("prolific", "5f1a")
    assert digest("one key", NAME, "ana") != digest("another key", NAME, "ana")
    assert of_platform("prolific", "W1") != of_platform("mturk", "W1") != of_name("W1")


def test_a_person_of_a_platform_is_one_in_all_studies(home: Path) -> None:
    """The same Prolific id has one identity in studies that know nothing of each other, under pseudonyms of each."""
    one, two = writing(), writing("another")
    come(prolific(two), "earlier")
    first, second = come(prolific(one), "p1"), come(prolific(two), "P1")
    assert first.identity == second.identity
    assert (first.name, second.name) == ("annotator-001", "annotator-002")


def test_people_of_an_open_link_are_never_taken_for_others(home: Path) -> None:
    """Nobody can tell who they are, so no two have the same identity."""
    from rubrica.store.people.invitations import enter, open_door

    door = open_door(writing(), "open", NOW)
    people = [enter(door, {}, NOW).annotator for _ in range(3)]
    assert len({person.identity for person in people if person}) == 3


def test_another_key_is_refused_with_what_to_do(home: Path) -> None:
    """With the key of another home nobody would be recognised: it is said, and nothing is changed."""
    from rubrica.store.models import Annotator

    study = writing()
    call(study, "ana")
    (home / "secret.key").write_text("a key from somewhere else")
    with pytest.raises(InputError, match="another key") as refused:
        call(study, "bob")
    assert "rubrica people rekey" in refused.value.problems[0].fix
    assert Annotator.objects.count() == 1


def test_a_lost_key_is_replaced_for_the_living(home: Path) -> None:
    """Everybody is known by the new key, authors included; the erased are counted, because they are not any more."""
    from rubrica.store.models import Item
    from rubrica.store.people.erasure import erase
    from rubrica.store.people.identities import Rekeyed, rekey

    one = writing()
    worker, ana, eva = come(prolific(one), "p1"), call(one, "ana"), call(one, "eva")
    write(worker)
    write(ana)
    two = rating(one)
    erase(eva, NOW)
    old = ana.identity
    (home / "secret.key").write_text("a new key")
    assert rekey(NOW) == Rekeyed(annotators=2, authors=2, erased=1)
    ana.refresh_from_db()
    worker.refresh_from_db()
    assert ana.identity != old
    authors = set(Item.objects.filter(study=two).values_list("author_identity", flat=True))
    assert authors == {worker.identity, ana.identity}
    assert call(one, "eva").erased_at is None


def test_joined_studies_are_a_circle_over_several_steps(home: Path) -> None:
    """What is joined with what is joined belongs together; other studies do not."""
    from rubrica.store.people import joining
    from rubrica.store.people.identities import circle

    one, two, three, apart = writing(), make("split_rate", "b"), make("split_rate", "c"), make("split_rate", "d")
    joining.join(two, one, NOW)
    joining.join(three, one, NOW)
    assert circle(two) == circle(one) == circle(three) == sorted([one.pk, two.pk, three.pk])
    assert circle(apart) == [apart.pk]
