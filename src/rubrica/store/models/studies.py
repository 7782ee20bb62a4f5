"""What is judged: protocol versions, studies, stages, items, planted items."""

from django.db import models
from django.db.models import Q

from rubrica.store.public_ids import new_public_id


class ProtocolVersion(models.Model):
    """The exact protocol that was asked, as canonical JSON. Never updated."""

    protocol_id = models.CharField(max_length=100)
    version = models.CharField(max_length=40)
    hash = models.CharField(max_length=64, unique=True)
    canonical = models.TextField()


class Study(models.Model):
    """Items, annotators and stages under one name. ``deleted_at`` is the trash.

    ``authors_from`` is the study in which the texts of this one were written: the two are joined (design/016), and a
    name is one person in both.
    """

    pid = models.CharField(max_length=16, unique=True, default=new_public_id)
    name = models.CharField(max_length=100)
    title = models.CharField(max_length=200, default="")
    seed = models.BigIntegerField(default=0)
    options = models.JSONField(default=dict)
    created_at = models.DateTimeField()
    deleted_at = models.DateTimeField(null=True)
    authors_from = models.ForeignKey("self", models.SET_NULL, null=True, related_name="gave_authors_to")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["name"], condition=Q(deleted_at=None), name="living_study_name")]


class Stage(models.Model):
    """A step of a study with one protocol version, frozen by its first judgement.

    ``part`` is the protocol's own id of the step where ``key`` is another, because a new version of the protocol
    started a further stage. Work is handed out in the studio while the state is ``open``.
    """

    pid = models.CharField(max_length=16, unique=True, default=new_public_id)
    study = models.ForeignKey(Study, models.CASCADE, related_name="stages")
    position = models.PositiveSmallIntegerField()
    key = models.CharField(max_length=100)
    protocol_version = models.ForeignKey(ProtocolVersion, models.PROTECT)
    settings = models.JSONField(default=dict)
    overlap = models.PositiveIntegerField()
    frozen_at = models.DateTimeField(null=True)
    part = models.CharField(max_length=100, default="")
    state = models.CharField(
        max_length=10,
        default="open",
        choices=[("draft", "draft"), ("open", "open"), ("paused", "paused"), ("closed", "closed")],
    )

    class Meta:
        constraints = [models.UniqueConstraint(fields=["study", "key"], name="stage_key")]
        ordering = ["position"]


class Item(models.Model):
    """One thing to judge. ``digest`` is over its texts as imported; a closed item is handed out no more.

    ``author`` is a name as the researcher gave it, ``author_identity`` who that is, as in ``Annotator.identity``.
    """

    pid = models.CharField(max_length=16, unique=True, default=new_public_id)
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

    class Meta:
        constraints = [models.UniqueConstraint(fields=["study", "key"], name="item_key")]
        indexes = [
            models.Index(fields=["study", "author_identity"], condition=~Q(author_identity=""), name="item_author")
        ]
        ordering = ["position"]


class Planted(models.Model):
    """Marks an item that measures the annotator. Nothing an annotator sees tells it from the others."""

    item = models.OneToOneField(Item, models.CASCADE, related_name="planted")
    kind = models.CharField(max_length=20, choices=[("gold", "known answer"), ("duplicate", "hidden duplicate")])
    original = models.ForeignKey(Item, models.CASCADE, null=True, related_name="duplicates")
    answers = models.JSONField(default=dict)
