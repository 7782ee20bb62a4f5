"""Long work, run by `rubrica serve` beside the pages; files of other tools as they were imported.

The files are kept so that an export can be the same file again.
"""

from django.db import models

from rubrica.store.models.people import Annotator
from rubrica.store.models.rows import PublicRow, Row
from rubrica.store.models.studies import Item, Stage, Study


class Job(PublicRow):
    """One piece of long work. A worker holds it until ``lease_until`` and renews; a dead worker's job returns."""

    class State(models.TextChoices):
        """Where the work stands."""

        WAITING = "waiting", "waiting"
        RUNNING = "running", "running"
        DONE = "done", "done"
        FAILED = "failed", "failed"

    GOING = (State.WAITING, State.RUNNING)

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


class ImportedFile(Row):
    """One file: in which order it came, and how its text was laid out."""

    study = models.ForeignKey(Study, models.CASCADE, related_name="imported_files")
    number = models.PositiveIntegerField()
    name = models.CharField(max_length=200)
    layout = models.JSONField(default=dict)
    at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["study", "number"], name="imported_file_number")]


class ImportedEntry(Row):
    """One entry of a file, as JSON in the order in which its keys stood: a database would sort them.

    It is used for what a judgement has no place for, and only as far as the judgement still says the same. Without an
    annotator the entry was not annotated. A later import of the same judgement takes its place; erasure deletes it.
    """

    file = models.ForeignKey(ImportedFile, models.CASCADE, related_name="entries")
    position = models.PositiveIntegerField()
    stage = models.ForeignKey(Stage, models.CASCADE, related_name="imported_entries")
    item = models.ForeignKey(Item, models.CASCADE, related_name="imported_entries")
    annotator = models.ForeignKey(Annotator, models.CASCADE, null=True, related_name="imported_entries")
    text = models.TextField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["file", "position"], name="imported_position")]
        ordering = ["file__number", "position"]
