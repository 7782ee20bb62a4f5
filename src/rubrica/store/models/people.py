"""Who judges, and what is known of them apart from their judgements."""

from django.db import models

from rubrica.store.models.studies import Stage, Study
from rubrica.store.public_ids import new_public_id

METRIC = "metric"
"""The kind of an annotator that is a formula: it is dealt nothing, paid nothing and judges nothing."""


class Judges(models.Manager["Annotator"]):
    """Annotators that can judge: people and language models. What counts, deals or lists annotators sees no metric."""

    def get_queryset(self) -> models.QuerySet["Annotator"]:
        """Everybody but metrics."""
        return super().get_queryset().exclude(kind=METRIC)


class Annotator(models.Model):
    """One identity per annotator and study, the same for links and sheets. Not a Django user.

    ``identity`` is a keyed hash that is the same for the same person in another study (design/016): for rules only, it
    never leaves the database. ``former`` is that of the name which an erased annotator had.

    ``objects`` and ``study.annotators`` leave out metrics (design/011); ``everybody`` has them too.
    """

    pid = models.CharField(max_length=16, unique=True, default=new_public_id)
    study = models.ForeignKey(Study, models.CASCADE, related_name="annotators")
    name = models.CharField(max_length=200)
    identity = models.CharField(max_length=40, default="", db_index=True)
    former = models.CharField(max_length=40, default="")
    kind = models.CharField(
        max_length=10, default="person", choices=[("person", "person"), ("model", "model"), (METRIC, METRIC)]
    )
    language = models.CharField(max_length=20, default="")
    created_at = models.DateTimeField()
    excluded_at = models.DateTimeField(null=True)
    erased_at = models.DateTimeField(null=True)
    reason = models.TextField(default="")

    objects = Judges()
    everybody = models.Manager["Annotator"]()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["study", "name"], name="annotator_name")]
        ordering = ["name"]


class Profile(models.Model):
    """What a person told about themselves. Apart, so that no export carries it by accident."""

    annotator = models.OneToOneField(Annotator, models.CASCADE, related_name="profile")
    answers = models.JSONField(default=dict)
    recorded_at = models.DateTimeField()


class Payment(models.Model):
    """A ledger: a correction is a further row with the opposite sign."""

    pid = models.CharField(max_length=16, unique=True, default=new_public_id)
    annotator = models.ForeignKey(Annotator, models.CASCADE, related_name="payments")
    stage = models.ForeignKey(Stage, models.CASCADE, null=True)
    kind = models.CharField(max_length=20)
    amount = models.DecimalField(max_digits=12, decimal_places=4)
    currency = models.CharField(max_length=3)
    reason = models.TextField(default="")
    decided_by = models.CharField(max_length=200, default="")
    at = models.DateTimeField()


class IdentityKey(models.Model):
    """Which secret key the identities of this database were made with: its fingerprint, never the key. One row."""

    fingerprint = models.CharField(max_length=64)
