"""Long work, run by `rubrica serve` beside the pages."""

from django.db import models

from rubrica.store.models.rows import PublicRow
from rubrica.store.models.studies import Study


class Job(PublicRow):
    """One piece of long work. A worker holds it until ``lease_until`` and renews; a dead worker's job returns."""

    class State(models.TextChoices):
        """Where the work stands."""

        WAITING = "waiting", "waiting"
        RUNNING = "running", "running"
        DONE = "done", "done"
        FAILED = "failed", "failed"

    study = models.ForeignKey(Study, models.CASCADE, null=True, related_name="jobs")
    kind = models.CharField(max_length=20)
    arguments = models.JSONField(default=dict)
    state = models.CharField(max_length=10, default=State.WAITING, choices=State)
    progress = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(default=0)
    tries = models.PositiveIntegerField(default=0)
    lease_until = models.DateTimeField(null=True)
    created_by = models.CharField(max_length=200)
    created_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True)
    result = models.JSONField(default=dict)
    error = models.TextField(default="")

    class Meta:
        indexes = [models.Index(fields=["state", "lease_until"])]
