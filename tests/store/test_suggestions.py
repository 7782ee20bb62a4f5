"""Suggested edits of a study: made once, kept with their version, and what became of each in a judgement."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from rubrica.core.edits import Edit, Span
from rubrica.core.study import Item, Judgement

if TYPE_CHECKING:
    from rubrica.store.models import Assignment, Study

NOW = datetime(2026, 11, 16, 9, 0, tzinfo=UTC)
SOURCE, REWRITE = "Numerous farmers rejected the very old rule.", "Many farmers rejected the rule on Monday."
# What is suggested for it, in reading order of the rewrite.
WORDS = {"substitution": "Numerous", "deletion": "very old", "insertion": "on Monday."}


@pytest.fixture
def study(home: Path) -> Study:
    """A study of one pair that shows suggestions."""
    return _study("shown")


def _study(shown: str) -> Study:
    from rubrica.protocols.catalog import load_shipped
    from rubrica.store import studies

    items = [Item("p1", {"source": SOURCE, "rewrite": REWRITE})]
    plan = studies.Plan(name=shown, loaded=load_shipped("salsa"), items=items, settings={"suggestions": shown})
    return studies.create(plan, NOW)


def _suggested(study: Study) -> tuple[Edit, ...]:
    from rubrica.store.recording.suggestions import suggestions_for

    stage = study.stages.select_related("protocol_version", "study").get(key="select")
    (item,) = study.items.all()
    return suggestions_for(stage, [item], ["en"], NOW).get(item.pk, ())


def _lease(study: Study) -> Assignment:
    from rubrica.store.allocation.leases import take
    from rubrica.store.people.annotators import named

    stage = study.stages.select_related("protocol_version", "study").get(key="select")
    return take(named(study, ["ana"], NOW)["ana"], stage, NOW).leases[0]


def _fates(study: Study) -> dict[str, tuple[str, str]]:
    from rubrica.store.recording.suggestions import fates

    return {one.operation: (one.fate, one.edit) for one in fates(study)}


def test_suggestions_are_made_once_and_kept_with_their_version(study: Study) -> None:
    """The second time they are read, not made; whoever comes later sees the same."""
    from rubrica.edits.suggesting.suggest import VERSION
    from rubrica.store.models import EditSuggestion

    first = _suggested(study)
    assert {edit.operation for edit in first} == WORDS.keys()
    EditSuggestion.objects.filter(operation="deletion").update(source_spans=[[0, 8]])
    again = {edit.operation: edit for edit in _suggested(study)}
    assert again["deletion"].source == (Span(0, 8),)
    assert set(EditSuggestion.objects.values_list("engine", flat=True)) == {VERSION}


def test_study_that_hides_them_has_none(home: Path) -> None:
    """By default nothing is suggested, and nothing may be said about suggestions."""
    from rubrica.core.errors import InputError
    from rubrica.exchange.suggestions import Told
    from rubrica.store.recording import drafts, judgements

    study = _study("hidden")
    assert _suggested(study) == ()
    with pytest.raises(InputError, match="no edits are suggested here"):
        drafts.save_draft(judgements.Said(_lease(study), "key-00001", Judgement(), suggested=Told({"1": ""})), NOW)


def test_fates_follow_from_the_edits_of_the_judgement(study: Study) -> None:
    """As suggested is accepted, other words are adjusted, said without an edit is rejected, not said is ignored."""
    from rubrica.exchange.suggestions import Told
    from rubrica.store.recording import judgements

    by = {edit.operation: edit for edit in _suggested(study)}
    same, other = by["substitution"], by["deletion"]
    taken = Edit("7", "substitution", same.source, same.rewrite, {"information": "same"})
    moved = Edit("8", "deletion", (Span(other.source[0].start, other.source[0].start + 4),))
    said = Told({same.id: "7", other.id: "8"})
    lease = _lease(study)
    judgements.submit([judgements.Said(lease, "key-00001", Judgement({}, (taken, moved)), suggested=said)], NOW)
    assert _fates(study) == {
        "substitution": ("accepted", "7"),
        "deletion": ("adjusted", "8"),
        "insertion": ("ignored", ""),
    }
    said = Told({same.id: "7", other.id: "", by["insertion"].id: "99"})
    judgements.submit([judgements.Said(lease, "key-00002", Judgement({}, (taken,)), suggested=said)], NOW)
    # Of the edit 99 there is nothing in the judgement: it was accepted and taken back.
    assert _fates(study) == {
        "substitution": ("accepted", "7"),
        "deletion": ("rejected", ""),
        "insertion": ("rejected", ""),
    }


def test_draft_keeps_what_was_decided_so_far(study: Study) -> None:
    """The page gets back which suggestions became what; of the others a draft says nothing."""
    from rubrica.exchange.suggestions import Told
    from rubrica.store.models import Revision
    from rubrica.store.recording import drafts, judgements
    from rubrica.store.recording.suggestions import told_in

    first, second, _third = _suggested(study)
    edits = (Edit("1", first.operation, first.source, first.rewrite),)
    told = Told({first.id: "1", second.id: ""}, {first.id: False})
    drafts.save_draft(judgements.Said(_lease(study), "key-00001", Judgement({}, edits), suggested=told), NOW)
    assert told_in(Revision.objects.get()) == told
    assert _fates(study) == {}


@pytest.mark.postgres
def test_accepted_all_at_once_must_be_looked_at(study: Study) -> None:
    """A draft may say that edits were not looked at, a submit is refused and names each; then they are told apart."""
    from rubrica.core.errors import InputError
    from rubrica.exchange.suggestions import Told
    from rubrica.store.recording import drafts, judgements
    from rubrica.store.recording.suggestions import fates

    by = {edit.operation: edit for edit in _suggested(study)}
    answers = {"substitution": {"information": "same"}, "insertion": {}}
    edits = tuple(
        Edit(f"s{edit.id}", name, edit.source, edit.rewrite, answers.get(name, {})) for name, edit in by.items()
    )
    became = {edit.id: f"s{edit.id}" for edit in by.values()}
    deletion, lease = by["deletion"].id, _lease(study)
    unseen = Told(became, {key: key != deletion for key in became})
    drafts.save_draft(judgements.Said(lease, "key-00001", Judgement({}, edits), suggested=unseen), NOW)
    with pytest.raises(InputError, match="not looked at") as refused:
        judgements.submit([judgements.Said(lease, "key-00002", Judgement({}, edits), suggested=unseen)], NOW)
    assert [(one.rule, one.edit) for one in refused.value.problems] == [("looked_at", f"s{deletion}")]
    seen = Told(became, {key: True for key in became if key != by["insertion"].id})
    judgements.submit([judgements.Said(lease, "key-00003", Judgement({}, edits), suggested=seen)], NOW)
    assert {one.operation: (one.fate, one.together) for one in fates(study)} == {
        "substitution": ("accepted", True),
        "deletion": ("accepted", True),
        "insertion": ("accepted", False),
    }


def test_erasure_takes_fates_along(study: Study) -> None:
    """What an annotator decided about suggestions is what the annotator said."""
    from rubrica.exchange.suggestions import Told
    from rubrica.store.models import SuggestionFate
    from rubrica.store.people.erasure import erase
    from rubrica.store.recording import judgements

    _suggested(study)
    lease = _lease(study)
    judgements.submit([judgements.Said(lease, "key-00001", Judgement(), suggested=Told({"1": ""}))], NOW)
    assert SuggestionFate.objects.exists()
    erase(lease.annotator, NOW)
    assert not SuggestionFate.objects.exists()
