"""What an expert sees of a sampled output: its texts, and nothing of where it comes from."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from django.test import Client

from rubrica.core.study import Item
from tests.studio.conftest import NOW
from tests.studio.test_work_page import door_of, first_page, html_of

if TYPE_CHECKING:
    from rubrica.store.models import Study

pytestmark = pytest.mark.any_database


def test_the_page_shows_texts_and_no_origin(make_study: Callable[..., Study], client: Client) -> None:
    """Neither the key, nor the system, nor the metadata of the original is on the page."""
    from rubrica.exchange.study_options import STEPS, checked
    from rubrica.store.setup.expert_sample import make_sample

    texts = {"source": "The gate, which is old, stays shut.", "rewrite": "The gate is old. It stays shut."}
    row = Item("origkey", texts, system="rulesystem", group="onegroup", metadata={"dataset": "somedataset"})
    crowd = make_study("split_rate", rows=[row])
    made = make_sample(crowd, "rate", "expert", {"origkey": "e1"}, NOW, seed=1)
    made.update(options=checked({**made.options, "steps": dict.fromkeys(STEPS, False)}).stored())
    page = html_of(client.get(first_page(client, door_of(made))))
    assert "The gate is old." in re.sub(r"<[^>]+>", "", page)
    for hidden in ("origkey", "rulesystem", "onegroup", "somedataset", "sampled_from"):
        assert hidden not in page
