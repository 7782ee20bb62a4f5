"""What is judged: protocol versions, studies, stages, items, planted items."""

from __future__ import annotations

from typing import Any, Self

from django.db import models
from django.db.models import Q

from rubrica.core import ratings
from rubrica.store.models.rows import PublicRow, Row

IN_RESERVE = "in reserve: a context that is taken if another is not liked"
"""Why an item is closed that the study is not about yet (``setup.word_review``)."""


class ProtocolVersion(Row):
    """The exact protocol that was asked, as canonical JSON. Never updated."""

    protocol_id = models.CharField(max_length=100)
    version = models.CharField(max_length=40)
    hash = models.CharField(max_length=64, unique=True)
    canonical = models.TextField()


class StudyQuerySet(models.QuerySet["Study"]):
    """Studies by whether they are in the trash."""

    def living(self) -> Self:
        """Those that are not."""
        return self.filter(deleted_at=None)

    def trashed(self) -> Self:
        """Those that are."""
        return self.exclude(deleted_at=None)


class Study(PublicRow):
    """Items, annotators and stages under one name. ``deleted_at`` is the trash.

    ``authors_from`` is the study in which the texts of this one were written: the two are joined (design/016), and a
    name is one person in both.
    """

    class State(models.TextChoices):
        """Where it stands as a whole, which follows from its stages (``setup.running``) and is no column."""

        RUNNING = "running", "running"
        PAUSED = "paused", "paused"
        DRAFT = "draft", "draft"
        CLOSED = "closed", "closed"

    name = models.CharField(max_length=100)
    title = models.CharField(max_length=200, default="")
    seed = models.BigIntegerField(default=0)
    options = models.JSONField(default=dict)
    created_at = models.DateTimeField()
    deleted_at = models.DateTimeField(null=True)
    authors_from = models.ForeignKey("self", models.SET_NULL, null=True, related_name="gave_authors_to")

    objects = StudyQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["name"], condition=Q(deleted_at=None), name="living_study_name")]


class StageQuerySet(models.QuerySet["Stage"]):
    """Stages by whether they have begun and still want anything."""

    def launched(self) -> Self:
        """Those whose work was or is handed out: all but drafts."""
        return self.exclude(state=Stage.State.DRAFT)

    def unclosed(self) -> Self:
        """Those that still want judgements: drafts, open and paused ones."""
        return self.exclude(state=Stage.State.CLOSED)


class Stage(PublicRow):
    """A step of a study with one protocol version, frozen by its first judgement.

    ``part`` is the protocol's own id of the step where ``key`` is another, because a new version of the protocol
    started a further stage. Work is handed out in the studio while the state is ``open``. ``takes`` is the step, of
    another protocol, whose written texts are this stage's items (design/042).
    """

    class State(models.TextChoices):
        """Where a stage stands: set up, handed out, held, over."""

        DRAFT = "draft", "draft"
        OPEN = "open", "open"
        PAUSED = "paused", "paused"
        CLOSED = "closed", "closed"

    study = models.ForeignKey(Study, models.CASCADE, related_name="stages")
    position = models.PositiveSmallIntegerField()
    key = models.CharField(max_length=100)
    protocol_version = models.ForeignKey(ProtocolVersion, models.PROTECT)
    settings = models.JSONField(default=dict)
    overlap = models.PositiveIntegerField()
    frozen_at = models.DateTimeField(null=True)
    part = models.CharField(max_length=100, default="")
    state = models.CharField(max_length=10, default=State.OPEN, choices=State)
    takes = models.CharField(max_length=100, default="")

    objects = StageQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["study", "key"], name="stage_key")]
        ordering = ["position"]


class ItemQuerySet(models.QuerySet["Item"]):
    """Items by what they are for and whether they are still handed out.

    ``unplanted().open()`` are those that are wanted: each as often as the overlap of a stage says.
    """

    def given(self) -> Self:
        """Those that the researcher gave, not those that people wrote at an earlier stage."""
        return self.filter(written=None)

    def of_stage(self, stage: Stage) -> Self:
        """Those that this stage is about: the given ones, or what people wrote at the stage that it takes from."""
        return self.filter(study=stage.study_id, written__isnull=not stage.takes)

    def with_belongings(self, rows: Any) -> Self:
        """Those of these row numbers (or of a query for them), with their hidden duplicates and what people wrote."""
        return self.filter(Q(pk__in=rows) | Q(planted__original__in=rows) | Q(written__item__in=rows))

    def unplanted(self) -> Self:
        """Those that the study is about: neither planted nor in reserve."""
        return self.filter(planted=None).exclude(closed_reason=IN_RESERVE)

    def planted(self) -> Self:
        """Those that measure the annotator."""
        return self.exclude(planted=None)

    def open(self) -> Self:
        """Those that are still handed out."""
        return self.filter(closed_at=None)

    def closed(self) -> Self:
        """Those that want no more than they have."""
        return self.exclude(closed_at=None)


class Item(PublicRow):
    """One thing to judge. ``digest`` is over its texts as imported; a closed item is handed out no more.

    ``author`` is a name as the researcher gave it, ``author_identity`` who that is, as in ``Annotator.identity``.
    ``written`` is the judgement whose text this is, where a stage takes what was written at another.
    """

    study = models.ForeignKey(Study, models.CASCADE, related_name="items")
    key = models.CharField(max_length=200)
    position = models.PositiveIntegerField()
    group = models.CharField(max_length=200, default="")
    system = models.CharField(max_length=200, default="")
    author = models.CharField(max_length=200, default="")
    author_identity = models.CharField(max_length=40, default="")
    fields = models.JSONField()
    metadata = models.JSONField(default=dict)
    digest = models.CharField(max_length=64)
    reviewed_at = models.DateTimeField(null=True)
    closed_at = models.DateTimeField(null=True)
    closed_reason = models.TextField(default="")
    reviewed_by = models.CharField(max_length=200, default="")
    written = models.ForeignKey("Judgement", models.CASCADE, null=True, related_name="items")

    objects = ItemQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["study", "key"], name="item_key")]
        indexes = [
            models.Index(fields=["study", "author_identity"], condition=~Q(author_identity=""), name="item_author")
        ]
        ordering = ["position"]


class Planted(Row):
    """Marks an item that measures the annotator. Nothing an annotator sees tells it from the others."""

    class Kind(models.TextChoices):
        """What it measures: right answers, or the same answer again."""

        GOLD = ratings.GOLD, "known answer"
        DUPLICATE = ratings.DUPLICATE, "hidden duplicate"

    item = models.OneToOneField(Item, models.CASCADE, related_name="planted")
    kind = models.CharField(max_length=20, choices=Kind)
    original = models.ForeignKey(Item, models.CASCADE, null=True, related_name="duplicates")
    answers = models.JSONField(default=dict)
