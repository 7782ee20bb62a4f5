"""The least that a Django server can do to keep an answer: one view, no middleware, one inserted row.

Same server settings and same database settings as the studio; what the studio's saves are measured against.
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path
from typing import Any

import django
from django.conf import settings
from django.core.wsgi import get_wsgi_application
from django.db import connection, models
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import path

if not settings.configured:
    from rubrica.home.database import _database

    settings.configure(
        DATABASES={"default": _database(Path(os.environ["RUBRICA_HOME"]), os.environ.get("DATABASE_URL", ""))},
        SECRET_KEY="bare",
        ALLOWED_HOSTS=["*"],
        MIDDLEWARE=[],
        ROOT_URLCONF=__name__,
        USE_TZ=True,
        DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
    )
    django.setup()


class Kept(models.Model):
    """What was sent."""

    key = models.CharField(max_length=64, unique=True)
    answers = models.JSONField()
    created_at = models.FloatField()

    class Meta:
        app_label = "bare"


def save(request: HttpRequest) -> HttpResponse:
    """Insert one row."""
    said: Any = json.loads(request.body)
    row = Kept._default_manager.create(key=said["key"], answers=said["answers"], created_at=time.time())
    return JsonResponse({"number": row.pk})


def health(request: HttpRequest) -> HttpResponse:
    """The server runs."""
    return HttpResponse("ok")


urlpatterns = [path("health", health), path("api/v1/work/bare/draft", save)]
application = get_wsgi_application()


def main() -> None:
    """Make the table and serve at the port given."""
    Path(os.environ["RUBRICA_HOME"]).mkdir(parents=True, exist_ok=True)
    with connection.schema_editor() as editor:
        editor.create_model(Kept)
    connection.close()
    from rubrica.studio.serving import run_server

    run_server("benchmarks.bare_view:application", "127.0.0.1", int(sys.argv[1]), 2)
