"""How an annotator comes in and gets ready: links, consent, steps done, course, practice and qualification."""

from __future__ import annotations

from typing import Self

from django.db import models
from django.db.models import Q

from rubrica.store.models.people import Annotator
from rubrica.store.models.rows import PublicRow, Row
from rubrica.store.models.studies import Stage, Study


class InvitationQuerySet(models.QuerySet["Invitation"]):
    """Links by whom they are for and whether they lead anywhere."""

    def personal(self) -> Self:
        """Those of one annotator each; of those who were erased none."""
        return self.filter(kind=Invitation.Kind.PERSONAL, annotator__erased_at=None)

    def valid(self) -> Self:
        """Those that were not revoked."""
        return self.filter(revoked_at=None)


class Invitation(PublicRow):
    """A link. Its token is signed from ``pid`` and ``serial`` and never stored; a new serial makes a new token.

    ``personal`` links belong to one annotator. The others make one, with a personal link of its own, for each
    person who comes through them, up to ``cap`` people. ``step`` is the only step of the study that it is for; empty
    for all. ``note`` says whom a pseudonym stands for, to managers alone: here, so that nothing exported carries it.
    """

    class Kind(models.TextChoices):
        """For whom: one annotator, anybody who has it, or people from a crowd platform."""

        PERSONAL = "personal", "personal"
        OPEN = "open", "open"
        PROLIFIC = "prolific", "Prolific"
        MTURK = "mturk", "MTurk"

    study = models.ForeignKey(Study, models.CASCADE, related_name="invitations")
    kind = models.CharField(max_length=10, choices=Kind)
    annotator = models.OneToOneField(Annotator, models.CASCADE, null=True, related_name="invitation")
    came_by = models.ForeignKey("self", models.SET_NULL, null=True, related_name="arrivals")
    cap = models.PositiveIntegerField(null=True)
    completion_code = models.CharField(max_length=100, default="")
    serial = models.PositiveIntegerField(default=1)
    step = models.CharField(max_length=100, default="")
    note = models.CharField(max_length=200, default="")
    created_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True)

    objects = InvitationQuerySet.as_manager()


class ExternalIdentity(Row):
    """Who the annotator is on a crowd platform. Apart from the annotator, so that no export carries it.

    ``invitation`` is the door by which they came last. ``device`` and ``code`` are digests: of the secret that the
    device holds to which the seat is bound, and of the code that moves it to another (``store/people/devices.py``).
    """

    annotator = models.OneToOneField(Annotator, models.CASCADE, related_name="external")
    invitation = models.ForeignKey(Invitation, models.CASCADE, related_name="identities")
    participant = models.CharField(max_length=200)
    details = models.JSONField(default=dict)
    device = models.CharField(max_length=64, default="")
    code = models.CharField(max_length=64, default="")
    code_until = models.DateTimeField(null=True)
    code_tries = models.PositiveSmallIntegerField(default=0)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["invitation", "participant"], name="one_participant")]


class ConsentText(Row):
    """One wording of a study's consent, kept once and never changed."""

    study = models.ForeignKey(Study, models.CASCADE, related_name="consent_texts")
    number = models.PositiveIntegerField()
    text = models.TextField()
    created_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["study", "number"], name="consent_number")]


class ConsentReading(Row):
    """Somebody read our consent in a language that nobody has reviewed beside the original, and answers for it."""

    study = models.ForeignKey(Study, models.CASCADE, related_name="consent_readings")
    language = models.CharField(max_length=20)
    text_digest = models.CharField(max_length=64)
    by = models.CharField(max_length=150)
    at = models.DateTimeField()


class Consent(Row):
    """A decision about consent. Append-only: agreeing and withdrawing are two rows."""

    class Decision(models.TextChoices):
        """What was decided."""

        AGREED = "agreed", "agreed"
        DECLINED = "declined", "declined"
        WITHDRAWN = "withdrawn", "withdrawn"

    annotator = models.ForeignKey(Annotator, models.CASCADE, related_name="consents")
    text = models.ForeignKey(ConsentText, models.PROTECT, null=True)
    decision = models.CharField(max_length=10, choices=Decision)
    erasure = models.BooleanField(default=False)
    at = models.DateTimeField()

    class Meta:
        ordering = ["id"]


class StepDone(Row):
    """A step on the way to work that an annotator has finished."""

    annotator = models.ForeignKey(Annotator, models.CASCADE, related_name="steps")
    step = models.CharField(max_length=20)
    at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["annotator", "step"], name="one_step")]


class Attempt(Row):
    """An answer in practice or qualification, with how it was graded; a whole sentence by its agreement in percent."""

    class Kind(models.TextChoices):
        """What it was for: to learn, or to be let in."""

        PRACTICE = "practice", "practice"
        QUALIFICATION = "qualification", "qualification"

    annotator = models.ForeignKey(Annotator, models.CASCADE, related_name="attempts")
    stage = models.ForeignKey(Stage, models.CASCADE)
    kind = models.CharField(max_length=20, choices=Kind)
    round = models.PositiveIntegerField(default=1)
    item = models.CharField(max_length=200)
    outcome = models.CharField(max_length=100)
    answers = models.JSONField(default=dict)
    edits = models.JSONField(default=list)
    right = models.PositiveIntegerField()
    graded = models.PositiveIntegerField()
    at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["annotator", "stage", "round", "item"],
                condition=Q(kind="qualification"),
                name="one_try_an_item",
            )
        ]
        ordering = ["id"]


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
