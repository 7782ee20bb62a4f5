"""Who judges, and what is known of them apart from their judgements; researchers, who may do what, their tokens.

Django users appear only here.
"""

from typing import Self

from django.conf import settings
from django.db import models

from rubrica.store.models.rows import PublicRow, Row
from rubrica.store.models.studies import Stage, Study


class AnnotatorQuerySet(models.QuerySet["Annotator"]):
    """Annotators by whether what they say counts."""

    def included(self) -> Self:
        """Those whose judgements are in the results and take places."""
        return self.filter(excluded_at=None)

    def excluded(self) -> Self:
        """Those whose judgements are kept, but counted nowhere."""
        return self.exclude(excluded_at=None)

    def people(self) -> Self:
        """People: no language model, no metric."""
        return self.filter(kind=Annotator.Kind.PERSON)

    def living(self) -> Self:
        """Those who were not erased: the others are tombstones without a name."""
        return self.filter(erased_at=None)

    def erased(self) -> Self:
        """The tombstones."""
        return self.exclude(erased_at=None)


_Annotators = models.Manager.from_queryset(AnnotatorQuerySet)


class Judges(_Annotators["Annotator"]):
    """Annotators that can judge: people and language models. What counts, deals or lists annotators sees no metric."""

    def get_queryset(self) -> AnnotatorQuerySet:
        """Everybody but metrics."""
        return AnnotatorQuerySet(self.model, using=self._db).exclude(kind=Annotator.Kind.METRIC)


class Annotator(PublicRow):
    """One identity per annotator and study, the same for links and sheets. Not a Django user.

    ``identity`` is a keyed hash that is the same for the same person in another study (design/016): for rules only, it
    never leaves the database. ``former`` is that of the name which an erased annotator had.

    ``objects`` and ``study.annotators`` leave out metrics (design/011); ``everybody`` has them too.
    """

    class Kind(models.TextChoices):
        """Who judges. A metric is a formula: it is dealt nothing, paid nothing and judges nothing."""

        PERSON = "person", "person"
        MODEL = "model", "model"
        METRIC = "metric", "metric"

    study = models.ForeignKey(Study, models.CASCADE, related_name="annotators")
    name = models.CharField(max_length=200)
    identity = models.CharField(max_length=40, default="", db_index=True)
    former = models.CharField(max_length=40, default="")
    kind = models.CharField(max_length=10, default=Kind.PERSON, choices=Kind)
    language = models.CharField(max_length=20, default="")
    created_at = models.DateTimeField()
    excluded_at = models.DateTimeField(null=True)
    erased_at = models.DateTimeField(null=True)
    reason = models.TextField(default="")

    objects = Judges()
    everybody = AnnotatorQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["study", "name"], name="annotator_name")]
        ordering = ["name"]


class Profile(Row):
    """What a person told about themselves. Apart, so that no export carries it by accident."""

    annotator = models.OneToOneField(Annotator, models.CASCADE, related_name="profile")
    answers = models.JSONField(default=dict)
    recorded_at = models.DateTimeField()


class Payment(PublicRow):
    """A ledger: a correction is a further row with the opposite sign."""

    class Kind(models.TextChoices):
        """Paid for tasks, paid for hours, paid on top, and decided not to be paid."""

        TASK = "task", "task"
        HOUR = "hour", "hour"
        BONUS = "bonus", "bonus"
        WITHHELD = "withheld", "withheld"

    annotator = models.ForeignKey(Annotator, models.CASCADE, related_name="payments")
    stage = models.ForeignKey(Stage, models.CASCADE, null=True)
    kind = models.CharField(max_length=20)
    amount = models.DecimalField(max_digits=12, decimal_places=4)
    currency = models.CharField(max_length=3)
    reason = models.TextField(default="")
    decided_by = models.CharField(max_length=200, default="")
    at = models.DateTimeField()


class IdentityKey(Row):
    """Which secret key the identities of this database were made with: its fingerprint, never the key. One row."""

    fingerprint = models.CharField(max_length=64)


class Member(Row):
    """A researcher's role in a study."""

    class Role(models.TextChoices):
        """Each role may do what those before it may."""

        VIEWER = "viewer", "viewer"
        ADJUDICATOR = "adjudicator", "adjudicator"
        MANAGER = "manager", "manager"
        OWNER = "owner", "owner"

    study = models.ForeignKey(Study, models.CASCADE, related_name="members")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=12, choices=Role)
    since = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["study", "user"], name="one_role")]


class ApiToken(PublicRow):
    """A personal token for the API. Only its SHA-256 is kept: the token is random, so nothing can be guessed."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="api_tokens")
    name = models.CharField(max_length=100)
    digest = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True)
    revoked_at = models.DateTimeField(null=True)


class LoginFailure(Row):
    """A failed attempt to sign in, for ten minutes. Name and address as keyed hashes: people type passwords there."""

    name = models.CharField(max_length=64, db_index=True)
    address = models.CharField(max_length=64, db_index=True)
    at = models.DateTimeField()
