"""What annotators did in the course."""

from __future__ import annotations

from django.db import models

from rubrica.store.models.people import Annotator
from rubrica.store.models.rows import Row


class CourseTry(Row):
    """An answer to a step of the course, or that a step without a question was read. Append-only.

    ``chapter`` and ``step`` are ids of the protocol's course, so that progress outlives a new version of it.
    """

    annotator = models.ForeignKey(Annotator, models.CASCADE, related_name="course_tries")
    chapter = models.CharField(max_length=60)
    step = models.CharField(max_length=60)
    number = models.PositiveIntegerField()
    answers = models.JSONField(default=dict)
    edits = models.JSONField(default=list)
    share = models.FloatField()
    right = models.BooleanField()
    at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["annotator", "step", "number"], name="one_course_try")]
        ordering = ["id"]
