"""Researchers: who may do what in a study, and their personal tokens. Django users appear only here."""

from django.conf import settings
from django.db import models

from rubrica.store.models.rows import PublicRow, Row
from rubrica.store.models.studies import Study


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
