"""The work: sheets handed out, leases, judgements and their revisions, edits."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from rubrica.store.models.people import Annotator
from rubrica.store.models.studies import Item, Stage
from rubrica.store.public_ids import new_public_id

FATES = ("accepted", "adjusted", "rejected", "ignored")
"""What can become of a suggested edit."""


class Sheet(models.Model):
    """One Excel file handed to one annotator."""

    pid = models.CharField(max_length=16, unique=True, default=new_public_id)
    annotator = models.ForeignKey(Annotator, models.CASCADE, related_name="sheets")
    stage = models.ForeignKey(Stage, models.CASCADE, related_name="sheets")
    number = models.PositiveIntegerField()
    language = models.CharField(max_length=20)
    written_at = models.DateTimeField()
    read_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["annotator", "stage", "number"], name="sheet_number")]


class Assignment(models.Model):
    """A lease: this annotator, this item, this stage. A sheet's lease has no end; the studio's has.

    ``extra`` is a judgement that came after its lease had ended and its place was taken: kept, beyond the overlap.
    """

    pid = models.CharField(max_length=16, unique=True, default=new_public_id)
    stage = models.ForeignKey(Stage, models.CASCADE, related_name="assignments")
    item = models.ForeignKey(Item, models.CASCADE, related_name="assignments")
    annotator = models.ForeignKey(Annotator, models.CASCADE, related_name="assignments")
    sheet = models.ForeignKey(Sheet, models.CASCADE, null=True, related_name="assignments")
    position = models.PositiveIntegerField()
    state = models.CharField(
        max_length=10,
        default="open",
        choices=[("open", "open"), ("done", "done"), ("returned", "returned"), ("extra", "extra")],
    )
    leased_at = models.DateTimeField()
    expires_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["stage", "item", "annotator"], name="one_lease")]
        indexes = [models.Index(fields=["stage", "state"])]
        ordering = ["position"]


class Judgement(models.Model):
    """The head of a chain of revisions: one annotator, one item, one stage. ``current`` is the one submitted last.

    Drafts do not touch it, so that a save is one inserted row.
    """

    pid = models.CharField(max_length=16, unique=True, default=new_public_id)
    stage = models.ForeignKey(Stage, models.CASCADE, related_name="judgements")
    item = models.ForeignKey(Item, models.CASCADE, related_name="judgements")
    annotator = models.ForeignKey(Annotator, models.CASCADE, related_name="judgements")
    state = models.CharField(
        max_length=10, choices=[("draft", "draft"), ("submitted", "submitted"), ("erased", "erased")]
    )
    current = models.ForeignKey("Revision", models.PROTECT, null=True, related_name="+")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["stage", "item", "annotator"], name="one_judgement")]

    @property
    def pending(self) -> Revision | None:
        """The newest draft in force that has not been submitted since."""
        submitted = self.current.number if self.current is not None else 0
        return self.revisions.filter(draft=True, late=False, number__gt=submitted).order_by("-number").first()

    @property
    def last_number(self) -> int:
        """The number of the newest revision, drafts included; 0 without any."""
        newest: int | None = self.revisions.aggregate(newest=models.Max("number"))["newest"]
        return newest or 0


class Revision(models.Model):
    """What was said, once. ``key`` makes a repeated save the same revision.

    ``visit`` is one device's work on this judgement and ``visit_seconds`` its active time so far, so that the
    time on task is the sum over visits of the largest, however often a page was saved or loaded again. A ``late`` draft
    is kept but not in force: another device had gone on, or what it changed was submitted unchanged after all.
    """

    pid = models.CharField(max_length=16, unique=True, default=new_public_id)
    judgement = models.ForeignKey(Judgement, models.CASCADE, related_name="revisions")
    number = models.PositiveIntegerField()
    key = models.CharField(max_length=64)
    outcome = models.CharField(max_length=100)
    answers = models.JSONField(default=dict)
    seconds = models.FloatField(null=True)
    draft = models.BooleanField(default=False)
    late = models.BooleanField(default=False)
    visit = models.CharField(max_length=40, default="")
    visit_seconds = models.FloatField(default=0)
    origin = models.CharField(max_length=10)
    created_at = models.DateTimeField()
    erased_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["judgement", "number"], name="revision_number"),
            models.UniqueConstraint(
                fields=["judgement", "key"], condition=~Q(origin__in=["sheet", "import"]), name="revision_key"
            ),
        ]


class Edit(models.Model):
    """An edit of a revision; ``parent`` makes it a constituent of a composite one."""

    pid = models.CharField(max_length=16, unique=True, default=new_public_id)
    revision = models.ForeignKey(Revision, models.CASCADE, related_name="edits")
    position = models.PositiveIntegerField()
    key = models.CharField(max_length=100)
    operation = models.CharField(max_length=100)
    parent = models.ForeignKey("self", models.CASCADE, null=True, related_name="constituents")
    source_spans = models.JSONField(default=list)
    rewrite_spans = models.JSONField(default=list)
    answers = models.JSONField(default=dict)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["revision", "key"], name="edit_key")]
        ordering = ["position"]


class EditSuggestion(models.Model):
    """An edit that was proposed to everybody who marks this item at this stage, and by which version of what.

    ``parent`` is the key of the composite suggestion that it belongs to.
    """

    stage = models.ForeignKey(Stage, models.CASCADE, related_name="suggestions")
    item = models.ForeignKey(Item, models.CASCADE, related_name="suggestions")
    key = models.CharField(max_length=100)
    position = models.PositiveIntegerField()
    engine = models.CharField(max_length=100)
    operation = models.CharField(max_length=100)
    parent = models.CharField(max_length=100, default="")
    source_spans = models.JSONField(default=list)
    rewrite_spans = models.JSONField(default=list)
    created_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["stage", "item", "key"], name="one_suggestion")]
        ordering = ["position"]


class SuggestionFate(models.Model):
    """What became of a suggestion in one revision: accepted as it was, adjusted, rejected, or ignored.

    ``edit`` is the key of the edit that was made of it.
    """

    revision = models.ForeignKey(Revision, models.CASCADE, related_name="fates")
    suggestion = models.ForeignKey(EditSuggestion, models.CASCADE, related_name="fates")
    fate = models.CharField(max_length=10, choices=[(word, word) for word in FATES])
    edit = models.CharField(max_length=100, default="")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["revision", "suggestion"], name="one_fate")]
