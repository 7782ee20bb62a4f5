"""Every page answers on PostgreSQL: what it asks of the tables is good SQL there.

On SQLite they are all opened by tests/studio/test_busy_database.py, and in a browser.
"""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from django.test import Client

from tests.browser.pages import ACCOUNT, PAGES, build


@pytest.mark.postgres
@pytest.mark.only_postgres
def test_every_page_answers(home: Path) -> None:
    """In a world with studies at work, one being set up and people at every step, every page opens."""
    from django.contrib.auth.models import User

    world = build(datetime.now(UTC), home, reported=False)
    researcher = Client()
    researcher.force_login(User.objects.get(username=ACCOUNT))
    answers = {}
    for name, page in PAGES.items():
        client = researcher if page.who == "researcher" else Client()
        answers[name] = client.get(page.path(world), follow=True).status_code
    assert answers == dict.fromkeys(PAGES, 200)
