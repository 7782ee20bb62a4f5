"""Who judges, and what is known of them apart from their judgements."""

from django.db import models

from rubrica.store.models.studies import Stage, Study
from rubrica.store.public_ids import new_public_id


class Annotator(models.Model):
    """One identity per annotator and study, the same for links and sheets. Not a Django user."""

    pid = models.CharField(max_length=16, unique=True, default=new_public_id)
    study = models.ForeignKey(Study, models.CASCADE, related_name="annotators")
    name = models.CharField(max_length=200)
    kind = models.CharField(
        max_length=10, default="person", choices=[("person", "person"), ("model", "model"), ("metric", "metric")]
    )
    language = models.CharField(max_length=20, default="")
    created_at = models.DateTimeField()
    excluded_at = models.DateTimeField(null=True)
    erased_at = models.DateTimeField(null=True)
    reason = models.TextField(default="")

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
