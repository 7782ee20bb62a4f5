"""What shows that all is well: who did what when, chained by hashes so that a removed or altered row shows; and whether
anything can be written at all."""

from django.db import models

from rubrica.store.models.rows import Row


class AuditEvent(Row):
    """One action. ``detail`` holds no answers and no personal data."""

    study = models.CharField(max_length=16, default="")
    actor = models.CharField(max_length=200)
    action = models.CharField(max_length=100)
    detail = models.JSONField(default=dict)
    at = models.DateTimeField()
    previous = models.CharField(max_length=64, default="")
    hash = models.CharField(max_length=64)

    class Meta:
        ordering = ["id"]


class HealthCheck(Row):
    """What a health check writes to see whether writing works; gone a moment later."""

    at = models.DateTimeField()
    content = models.TextField()
