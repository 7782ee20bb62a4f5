"""Nobody judges a system that they are part of: on pages, sheets and by import, also where others gave the same."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from rubrica.core.errors import InputError
from rubrica.core.study import Item, Judgement
from rubrica.exchange.records import Record
from tests.conftest import NOW
from tests.store.conftest import person

if TYPE_CHECKING:
    from rubrica.store.models import Stage

SYSTEMS = {"p1": "alpha", "p2": "alpha | beta", "p3": "beta", "p4": "gamma"}
ITEMS = [
    Item(key, {"context": "They commenced early.", "target": "commenced", "substitute": f"did {key}"}, system)
    for key, system in SYSTEMS.items()
]
POINTS = dict.fromkeys(("simplicity", "fluency", "meaning"), 4)


@pytest.fixture
def judging(make_stage: Callable[..., Stage]) -> Stage:
    """Outputs of three systems; Ana is part of alpha, under another spelling, and Ben of two."""
    teams = {"alpha": ["ANA "], "beta": ["ben"], "gamma": ["ben"]}
    return make_stage("lexical_posthoc", rows=ITEMS, overlap=3, teams=teams, ahead=10)


def test_pages_hand_out_what_others_gave(judging: Stage) -> None:
    """Ana gets nothing of alpha, Ben nothing of beta and gamma, Eva everything."""
    from rubrica.store.allocation.leases import take

    had = {
        name: sorted(lease.item.key for lease in take(person(judging, name), judging, NOW).leases)
        for name in ("ana", "ben", "eva")
    }
    assert had == {"ana": ["p3", "p4"], "ben": ["p1"], "eva": ["p1", "p2", "p3", "p4"]}


def test_sheets_have_what_others_gave(judging: Stage) -> None:
    """The same rule deals sheets."""
    from rubrica.store.allocation.sheets import Request, deal_sheets

    dealt = deal_sheets(judging, Request(["ana", "ben", "eva"], 100, "en"), NOW)
    had = {file.annotator: sorted(row.item.key for row in file.rows) for file in dealt.files}
    assert had == {"ana": ["p3", "p4"], "ben": ["p1"], "eva": ["p1", "p2", "p3", "p4"]}


def test_an_import_refuses_what_somebody_said_of_their_own_system(judging: Stage) -> None:
    """Each line is named with the reason, and nothing comes in; without these lines the rest does."""
    from rubrica.store.recording.imports import import_records

    records = [
        Record(study="s", stage="judge", item=item, annotator=name, judgement=Judgement(POINTS))
        for item in ITEMS
        for name in ("ana", "eva")
    ]
    with pytest.raises(InputError) as refused:
        import_records(judging.study, list(enumerate(records, start=1)), "all.jsonl", NOW)
    assert [(problem.line, problem.rule) for problem in refused.value.problems] == [
        (1, "eligibility"),
        (3, "eligibility"),
    ]
    assert "'ana' is part of a system that gave this text, and nobody judges their own" in str(refused.value)
    others = [one for number, one in enumerate(records, start=1) if number not in (1, 3)]
    saved, _ = import_records(judging.study, list(enumerate(others, start=1)), "others.jsonl", NOW)
    assert saved == (6, 0, 0)


def test_a_team_that_is_recorded_later_takes_back_what_its_people_hold(judging: Stage) -> None:
    """Eva turns out to be part of gamma: what she holds of it on her page goes to others, the rest stays."""
    from rubrica.store.allocation.leases import take
    from rubrica.store.setup.setting_up import change_options

    eva = person(judging, "eva")
    take(eva, judging, NOW)
    change_options(judging.study, {"teams": {"gamma": ["eva"]}}, NOW, "rosa")
    judging.study.refresh_from_db()
    assert sorted(lease.item.key for lease in eva.assignments.open()) == ["p1", "p2", "p3"]
    assert sorted(lease.item.key for lease in take(eva, judging, NOW).leases) == ["p1", "p2", "p3"]


def test_a_system_that_no_item_names_is_refused(judging: Stage) -> None:
    """With the nearest name; and a name that nobody can have, both at once."""
    from rubrica.store.setup.setting_up import change_options

    with pytest.raises(InputError) as refused:
        change_options(judging.study, {"teams": {"alpah": ["ana"], "beta": ["a/b"]}}, NOW, "rosa")
    assert [problem.rule for problem in refused.value.problems] == ["team", "annotator_name"]
    assert "alpha" in refused.value.problems[0].fix


def test_whoever_is_erased_is_in_no_team(judging: Stage) -> None:
    """The name is gone from the settings; the teams of others stay."""
    from rubrica.store.options import options_of
    from rubrica.store.people.erasure import erase

    erase(person(judging, "ana"), NOW)
    judging.study.refresh_from_db()
    assert options_of(judging.study).teams == {"beta": ["ben"], "gamma": ["ben"]}


def test_a_pseudonym_does_not_hide_who_is_part_of_a_system(judging: Stage) -> None:
    """Ana, invited as A1, gets nothing of alpha, and her name leaves the teams when she is erased."""
    from rubrica.store.allocation.leases import take
    from rubrica.store.options import options_of
    from rubrica.store.people.erasure import erase
    from rubrica.store.people.invitations import invite

    (link,) = invite(judging.study, ["Ana"], NOW, pseudonyms=True)
    assert link.annotator is not None
    assert link.annotator.name == "A1"
    assert sorted(lease.item.key for lease in take(link.annotator, judging, NOW).leases) == ["p3", "p4"]
    erase(link.annotator, NOW)
    judging.study.refresh_from_db()
    assert "alpha" not in options_of(judging.study).teams
