"""What people say about work and items: flags of annotators, feedback and reviews of researchers."""

from django.db import models

from rubrica.store.models.people import Annotator
from rubrica.store.models.rows import PublicRow, Row
from rubrica.store.models.studies import Item, Stage, Study
from rubrica.store.models.work import Revision


class Flag(PublicRow):
    """An annotator's mark on a broken item, and what a researcher decided about it."""

    stage = models.ForeignKey(Stage, models.CASCADE, related_name="flags")
    item = models.ForeignKey(Item, models.CASCADE, related_name="flags")
    annotator = models.ForeignKey(Annotator, models.CASCADE, related_name="flags")
    reason = models.TextField()
    at = models.DateTimeField()
    resolved_at = models.DateTimeField(null=True)
    resolved_by = models.CharField(max_length=200, default="")
    resolution = models.TextField(default="")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["stage", "item", "annotator"], name="one_flag")]


class Feedback(PublicRow):
    """A researcher's words on one judgement, for its annotator to read."""

    revision = models.ForeignKey(Revision, models.CASCADE, related_name="feedback")
    author = models.CharField(max_length=200)
    text = models.TextField()
    at = models.DateTimeField()
    read_at = models.DateTimeField(null=True)


class Review(PublicRow):
    """The recorded decision on one judgement of an annotator's sample."""

    class Decision(models.TextChoices):
        """What the reviewer thought of it."""

        GOOD = "good", "good"
        DOUBTFUL = "doubtful", "doubtful"
        BAD = "bad", "bad"

    revision = models.ForeignKey(Revision, models.CASCADE, related_name="reviews")
    author = models.CharField(max_length=200)
    decision = models.CharField(max_length=10, choices=Decision)
    note = models.TextField(default="")
    at = models.DateTimeField()


class ReadMark(Row):
    """A researcher has read this: a comment, a concern or a skip, named by kind and revision (``comment:<pid>``)."""

    study = models.ForeignKey(Study, models.CASCADE, related_name="read_marks")
    subject = models.CharField(max_length=40)
    reader = models.CharField(max_length=200)
    at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["study", "subject"], name="one_read_mark")]
