"""The work: sheets handed out, leases, judgements and their revisions, edits; and what people say about it.

That is flags of annotators, feedback and reviews of researchers.
"""

from __future__ import annotations

from typing import Any, Self

from django.db import models
from django.db.models import Count, Q

from rubrica.store.models.people import Annotator
from rubrica.store.models.rows import PublicRow, Row
from rubrica.store.models.studies import Item, Stage, Study


class Sheet(PublicRow):
    """One Excel file handed to one annotator."""

    annotator = models.ForeignKey(Annotator, models.CASCADE, related_name="sheets")
    stage = models.ForeignKey(Stage, models.CASCADE, related_name="sheets")
    number = models.PositiveIntegerField()
    language = models.CharField(max_length=20)
    written_at = models.DateTimeField()
    read_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["annotator", "stage", "number"], name="sheet_number")]


class AssignmentQuerySet(models.QuerySet["Assignment"]):
    """Leases by what they count for. The rule is written here and nowhere else (design/025)."""

    def open(self) -> Self:
        """Handed out and not yet judged."""
        return self.filter(state=Assignment.State.OPEN)

    def on_pages(self) -> Self:
        """Those of the studio, which have an end; a sheet's has none, and cannot be taken back."""
        return self.exclude(expires_at=None)

    def done(self) -> Self:
        """Judged, within the overlap."""
        return self.filter(state=Assignment.State.DONE)

    def included(self) -> Self:
        """Those of annotators who are not excluded."""
        return self.filter(annotator__excluded_at=None)

    def unplanted(self) -> Self:
        """Those of items that the study is about."""
        return self.filter(item__planted=None)

    def counted(self) -> Self:
        """Those that take a place of the overlap: open or done, and not of an excluded annotator."""
        return self.included().filter(state__in=Assignment.TAKES_PLACE)

    def items_with(self, places: int) -> models.QuerySet[Any, Any]:
        """The row numbers of items that have at least so many of these leases, for a subquery."""
        return self.order_by().values("item").annotate(n=Count("pk")).filter(n__gte=places).values("item")


class Assignment(PublicRow):
    """A lease: this annotator, this item, this stage. A sheet's lease has no end; the studio's has.

    ``extra`` is a judgement that came after its lease had ended and its place was taken: kept, beyond the overlap.
    """

    class State(models.TextChoices):
        """What became of a lease."""

        OPEN = "open", "open"
        DONE = "done", "done"
        RETURNED = "returned", "returned"
        EXTRA = "extra", "extra"

    TAKES_PLACE = (State.OPEN, State.DONE)
    JUDGED = (State.DONE, State.EXTRA)

    stage = models.ForeignKey(Stage, models.CASCADE, related_name="assignments", db_index=False)
    item = models.ForeignKey(Item, models.CASCADE, related_name="assignments")
    annotator = models.ForeignKey(Annotator, models.CASCADE, related_name="assignments")
    sheet = models.ForeignKey(Sheet, models.CASCADE, null=True, related_name="assignments")
    position = models.PositiveIntegerField()
    state = models.CharField(max_length=10, default=State.OPEN, choices=State)
    leased_at = models.DateTimeField()
    expires_at = models.DateTimeField(null=True)

    objects = AssignmentQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["stage", "item", "annotator"], name="one_lease")]
        indexes = [models.Index(fields=["stage", "state"])]
        ordering = ["position"]


class JudgementQuerySet(models.QuerySet["Judgement"]):
    """Judgements by whether they are in the results."""

    def submitted(self) -> Self:
        """Those that were submitted and not erased."""
        return self.filter(state=Judgement.State.SUBMITTED)

    def counted(self) -> Self:
        """Those in the results: submitted, and not by an excluded annotator. One beyond the overlap is among them."""
        return self.submitted().filter(annotator__excluded_at=None)

    def with_edits(self) -> Self:
        """With what was submitted last, and its edits in order."""
        return self.select_related("current").prefetch_related("current__edits")


class Judgement(PublicRow):
    """The head of a chain of revisions: one annotator, one item, one stage. ``current`` is the one submitted last.

    Drafts do not touch it, so that a save is one inserted row.
    """

    class State(models.TextChoices):
        """Whether there is something to read: begun, submitted, or emptied on request."""

        DRAFT = "draft", "draft"
        SUBMITTED = "submitted", "submitted"
        ERASED = "erased", "erased"

    stage = models.ForeignKey(Stage, models.CASCADE, related_name="judgements", db_index=False)
    item = models.ForeignKey(Item, models.CASCADE, related_name="judgements")
    annotator = models.ForeignKey(Annotator, models.CASCADE, related_name="judgements")
    state = models.CharField(max_length=10, choices=State)
    current = models.ForeignKey("Revision", models.PROTECT, null=True, related_name="+")

    objects = JudgementQuerySet.as_manager()

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


class RevisionQuerySet(models.QuerySet["Revision"]):
    """Revisions by whether they say anything."""

    def submitted(self) -> Self:
        """Those that were submitted and not erased, whether a later one took their place or not."""
        return self.filter(draft=False, erased_at=None)

    def included(self) -> Self:
        """Those of annotators who are not excluded."""
        return self.filter(judgement__annotator__excluded_at=None)


class Revision(PublicRow):
    """What was said, once. ``key`` makes a repeated save the same revision.

    ``visit`` is one device's work on this judgement and ``visit_seconds`` its active time so far, so that the
    time on task is the sum over visits of the largest, however often a page was saved or loaded again. A ``late`` draft
    is kept but not in force: another device had gone on, or what it changed was submitted unchanged after all.
    """

    class Origin(models.TextChoices):
        """By which entrance it came."""

        PAGE = "page", "page"
        API = "api", "api"
        SHEET = "sheet", "sheet"
        IMPORT = "import", "import"

    ONLINE = (Origin.PAGE, Origin.API)

    judgement = models.ForeignKey(Judgement, models.CASCADE, related_name="revisions", db_index=False)
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

    objects = RevisionQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["judgement", "number"], name="revision_number"),
            models.UniqueConstraint(
                fields=["judgement", "key"], condition=~Q(origin__in=["sheet", "import"]), name="revision_key"
            ),
        ]


class Edit(PublicRow):
    """An edit of a revision; ``parent`` makes it a constituent of a composite one."""

    revision = models.ForeignKey(Revision, models.CASCADE, related_name="edits", db_index=False)
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


class EditSuggestion(Row):
    """An edit that was proposed to everybody who marks this item at this stage, and by which version of what.

    ``parent`` is the key of the composite suggestion that it belongs to.
    """

    stage = models.ForeignKey(Stage, models.CASCADE, related_name="suggestions", db_index=False)
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


class SuggestionFate(Row):
    """What became of a suggestion in one revision: accepted as it was, adjusted, rejected, or ignored.

    ``edit`` is the key of the edit that was made of it. ``looked``: of one that was accepted with all others at once,
    whether it was looked at since; null where it was decided on by itself.
    """

    class Fate(models.TextChoices):
        """What can become of a suggested edit."""

        ACCEPTED = "accepted", "accepted"
        ADJUSTED = "adjusted", "adjusted"
        REJECTED = "rejected", "rejected"
        IGNORED = "ignored", "ignored"

    revision = models.ForeignKey(Revision, models.CASCADE, related_name="fates", db_index=False)
    suggestion = models.ForeignKey(EditSuggestion, models.CASCADE, related_name="fates")
    fate = models.CharField(max_length=10, choices=Fate)
    edit = models.CharField(max_length=100, default="")
    looked = models.BooleanField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["revision", "suggestion"], name="one_fate")]


class FlagQuerySet(models.QuerySet["Flag"]):
    """Flags by whether they wait for somebody."""

    def open(self) -> Self:
        """Those that no researcher has settled."""
        return self.filter(resolved_at=None)


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

    objects = FlagQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["stage", "item", "annotator"], name="one_flag")]


class FeedbackQuerySet(models.QuerySet["Feedback"]):
    """Feedback by whether its annotator has seen it."""

    def unread(self) -> Self:
        """What waits to be read."""
        return self.filter(read_at=None)


class Feedback(PublicRow):
    """A researcher's words on one judgement, for its annotator to read."""

    revision = models.ForeignKey(Revision, models.CASCADE, related_name="feedback")
    author = models.CharField(max_length=200)
    text = models.TextField()
    at = models.DateTimeField()
    read_at = models.DateTimeField(null=True)

    objects = FeedbackQuerySet.as_manager()


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
