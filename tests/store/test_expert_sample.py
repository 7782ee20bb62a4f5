"""A study for an expert: the same questions, other keys, no trace of what others said, found again afterwards."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from rubrica.core.errors import InputError
from tests.conftest import NOW
from tests.making import pairs

if TYPE_CHECKING:
    from rubrica.store.models import Stage

KEYS = {"p4": "e1", "p2": "e2"}


def test_a_sample_is_a_study_of_its_own(make_stage: Callable[..., Stage]) -> None:
    """Items come in the order of the sample with new keys and no system; the way back is in their metadata."""
    from rubrica.store.setup.expert_sample import make_sample, originals

    stage = make_stage("split_rate", rows=pairs(5, system="rules", group="g"))
    made = make_sample(stage.study, stage.key, "expert", KEYS, NOW, seed=3)
    rows = list(made.items.order_by("position"))
    assert [(row.key, row.system, row.group) for row in rows] == [("e1", "", ""), ("e2", "", "")]
    assert rows[0].fields == stage.study.items.get(key="p4").fields
    assert originals(made) == {"e1": "p4", "e2": "p2"}
    assert made.stages.get().protocol_version == stage.protocol_version
    assert made.stages.get().overlap == 1


def test_the_same_researchers_see_it(make_stage: Callable[..., Stage]) -> None:
    """Members have the same roles in the sample."""
    from django.contrib.auth.models import User

    from rubrica.store.models import Member
    from rubrica.store.setup.expert_sample import make_sample

    stage = make_stage("split_rate")
    Member.objects.create(study=stage.study, user=User.objects.create_user("rosa"), role="owner", since=NOW)
    made = make_sample(stage.study, stage.key, "expert", KEYS, NOW, seed=3)
    assert [(one.user.get_username(), one.role) for one in made.members.all()] == [("rosa", "owner")]


def test_what_cannot_be_sampled_is_refused(make_stage: Callable[..., Stage]) -> None:
    """A name that is taken; a study that is no sample; a stage whose items an earlier stage makes."""
    from rubrica.store.setup.expert_sample import make_sample, originals

    stage = make_stage("split_rate", name="s")
    with pytest.raises(InputError, match="already a study"):
        make_sample(stage.study, stage.key, "s", KEYS, NOW, seed=3)
    with pytest.raises(InputError, match="no sample for an expert"):
        originals(stage.study)
    salsa = make_stage("salsa", name="t")
    with pytest.raises(InputError, match="earlier stage"):
        make_sample(salsa.study, "classify", "u", KEYS, NOW, seed=3)
