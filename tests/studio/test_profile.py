"""The profile: what is asked, ranges, leaving things unsaid, changing it later."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest
from django.test import Client

if TYPE_CHECKING:
    from rubrica.store.models import Invitation, Study

OWN = [
    {"id": "trade", "label": "What is your trade?", "kind": "text", "required": True},
    {"id": "dialect", "label": "Which one?", "kind": "choice", "options": ["North", "South"]},
    {"id": "taught", "label": "Have you taught?", "kind": "yes_no"},
    {"id": "years", "label": "For how long?", "kind": "number"},
]
GOOD = {
    "education_years": "16,5",
    "native_speaker": "yes",
    "age": "34",
    "reading_hours": "12",
    "first_language": "Català",
    "languages": "3",
    "country": "ES",
    "trade": "baker",
}


@pytest.fixture
def study(make_study: Callable[..., Study]) -> Study:
    """A study that asks for nothing but the profile, with four questions of its own."""
    study = make_study(profile={"own": OWN})
    study.options["steps"]["profile"] = True
    study.save()
    return study


def answers(link: Invitation) -> dict[str, Any]:
    """What is stored."""
    from rubrica.store.models import Profile

    return Profile.objects.get(annotator=link.annotator).answers


def test_a_profile_is_kept_with_its_types(client: Client, door: str, link: Invitation) -> None:
    """Numbers are numbers, a comma is a decimal point, optional questions that were left open are not there."""
    assert client.post(f"{door}profile/", GOOD).headers["Location"] == f"{door}work/"
    assert answers(link) == {
        "education_years": 16.5,
        "native_speaker": "yes",
        "age": 34,
        "reading_hours": 12,
        "first_language": "Català",
        "languages": 3,
        "country": "ES",
        "trade": "baker",
    }


def test_anything_may_stay_unsaid(client: Client, door: str, link: Invitation) -> None:
    """Ticking "rather not say" is an answer, stored as null, and wins over what stands in the field."""
    unsaid = {f"{name}.unsaid": "1" for name in GOOD}
    assert client.post(f"{door}profile/", {"age": "34", **unsaid}).status_code == 302
    assert answers(link) == dict.fromkeys(GOOD)


def test_one_button_leaves_everything_unsaid(client: Client, door: str, link: Invitation) -> None:
    """It goes on at once; whoever saves the page empty is told once, not of every question in red."""
    page = client.post(f"{door}profile/", {})
    assert page.status_code == 422
    assert 'class="about wrong"' not in page.content.decode()
    assert "I would rather not answer any of these" in page.content.decode()
    assert client.post(f"{door}profile/", {"unsaid": "all"}).headers["Location"] == f"{door}work/"
    assert set(answers(link).values()) == {None}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("age", "3"),
        ("age", "34.5"),
        ("age", "old"),
        ("age", "nan"),
        ("age", ""),
        ("reading_hours", "169"),
        ("reading_hours", "inf"),
        ("education_years", "-1"),
        ("languages", "0"),
        ("native_speaker", "maybe"),
        ("country", "Atlantis"),
        ("first_language", "x" * 501),
        ("first_language", "a\0b"),
        ("trade", "  "),
        ("dialect", "East"),
        ("years", "long"),
    ],
)
def test_what_cannot_be_is_refused_at_its_question(client: Client, door: str, name: str, value: str) -> None:
    """A value out of range, of another kind or missing is told at its question; nothing is stored."""
    from rubrica.store.models import Profile

    response = client.post(f"{door}profile/", GOOD | {name: value})
    assert response.status_code == 422
    assert f'id="e-{name}"' in response.content.decode()
    assert response.content.decode().count('<p class="error"') == 1
    assert not Profile.objects.exists()


def test_what_was_typed_stays_after_a_problem(client: Client, door: str) -> None:
    """Other answers are still in the form."""
    page = client.post(f"{door}profile/", GOOD | {"age": "400"}).content.decode()
    assert 'value="Català"' in page
    assert 'value="400"' in page


def test_a_profile_can_be_changed_later(client: Client, door: str, link: Invitation) -> None:
    """The page shows what was told, and saving again replaces it."""
    client.post(f"{door}profile/", GOOD)
    assert 'value="baker"' in client.get(f"{door}profile/").content.decode()
    client.post(f"{door}profile/", GOOD | {"age": "35"})
    assert answers(link)["age"] == 35


def test_only_what_the_study_asks_is_asked(client: Client, door: str, link: Invitation, study: Study) -> None:
    """A study may leave usual questions out; what is sent for them is not kept."""
    study.options["profile"] = {"asked": ["age"], "own": []}
    study.save()
    assert "country" not in client.get(f"{door}profile/").content.decode()
    client.post(f"{door}profile/", GOOD)
    assert answers(link) == {"age": 34}
