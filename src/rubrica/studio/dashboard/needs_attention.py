"""What needs a researcher: everything that waits for somebody, the most pressing first, each with where to go."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import NamedTuple

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from rubrica.report.trust import Trust
from rubrica.store import models
from rubrica.store.adjudication.flags import notes
from rubrica.store.counting.progress import StageProgress
from rubrica.store.counting.submitted import Picture
from rubrica.store.course.attempts import exams
from rubrica.store.money.payments import accounts
from rubrica.store.options import options_of
from rubrica.store.setup.running import state_of
from rubrica.store.setup.study_items import unreviewed
from rubrica.store.setup.target_words import unmarked
from rubrica.studio.wording import span_of_time

QUIET = timedelta(hours=48)
WORTH_A_LOOK = 10
"""From this many judgements on, a sample of somebody's work should have been looked at."""


class Point(NamedTuple):
    """One thing that waits, in words, with the address where it is dealt with. ``level``: bad, warn or info."""

    text: str
    address: str
    level: str = "warn"


def points(picture: Picture, trust: Trust, progress: list[StageProgress], now: datetime) -> list[Point]:
    """Everything that waits, the most pressing first."""
    found = [*_promises(picture), *_to_read(picture), *_people(picture, trust), *_flow(picture, progress, now)]
    return sorted(found, key=lambda point: ("bad", "warn", "info").index(point.level))


def _promises(picture: Picture) -> Iterator[Point]:
    """What was promised to people: erasure, texts that somebody has looked at, marked words, fair pay."""
    study = picture.study
    asked = models.Annotator.objects.filter(study=study, consents__erasure=True).living().distinct()
    for person in asked[:3]:
        text = _("%(name)s asked for their answers to be erased.") % {"name": person.name}
        yield Point(text, reverse("person", args=[study.pid, person.pid]), "bad")
    if waiting := unreviewed(study):
        text = ngettext(
            "Nobody has reviewed %(n)s item for sensitive material.",
            "Nobody has reviewed %(n)s items for sensitive material.",
            waiting,
        )
        yield Point(text % {"n": waiting}, reverse("setup_review", args=[study.pid]))
    if lost := unmarked(study):
        text = ngettext(
            "The word to judge is not marked in %(n)s item.", "The word to judge is not marked in %(n)s items.", lost
        )
        yield Point(text % {"n": lost}, reverse("items_targets", args=[study.pid]), "bad")
    if options_of(study).payment.minimum_wages:
        below = sum(account.below_minimum for account in accounts(study))
        if below:
            text = ngettext(
                "%(n)s person earns less than the minimum wage of their country.",
                "%(n)s people earn less than the minimum wage of their country.",
                below,
            )
            yield Point(text % {"n": below}, reverse("payments", args=[study.pid]), "bad")


def _to_read(picture: Picture) -> Iterator[Point]:
    study = picture.study
    page = reverse("attention", args=[study.pid])
    flags = models.Flag.objects.filter(stage__study=study).open().count()
    if flags:
        text = ngettext(
            "%(n)s flag on an item waits for a decision.", "%(n)s flags on items wait for a decision.", flags
        )
        yield Point(text % {"n": flags}, f"{page}?show=flags", "bad")
    unread = [note.kind for note in notes(picture) if not note.read]
    concerns, comments = unread.count("concern"), unread.count("comment")
    if concerns:
        text = ngettext(
            "%(n)s report of concerning content is unread.", "%(n)s reports of concerning content are unread.", concerns
        )
        yield Point(text % {"n": concerns}, f"{page}?show=concern", "bad")
    if comments:
        text = ngettext("%(n)s comment is unread.", "%(n)s comments are unread.", comments)
        yield Point(text % {"n": comments}, f"{page}?show=comment", "info")


def _people(picture: Picture, trust: Trust) -> Iterator[Point]:
    """Whose work deserves a look and has had none."""
    study = picture.study
    table = reverse("people", args=[study.pid])
    looked = set(
        models.Review.objects.filter(revision__judgement__stage__study=study).values_list(
            "revision__judgement__annotator", flat=True
        )
    )
    open_cases = [
        person
        for person in picture.people.values()
        if person.excluded_at is None
        and person.erased_at is None
        and person.kind == models.Annotator.Kind.PERSON
        and person.pk not in looked
    ]
    low = [person for person in open_cases if trust.found(person.name, "gold")]
    unsteady = [person for person in open_cases if trust.found(person.name, "consistency") and person not in low]
    noticed = [person for person in open_cases if person.name in trust.findings and person not in (*low, *unsteady)]
    several = (
        (low, _("%(name)s missed many known answers."), _("%(n)s people missed many known answers."), "bad"),
        (
            unsteady,
            _("%(name)s answered hidden duplicates differently."),
            _("%(n)s people answered hidden duplicates differently."),
            "warn",
        ),
        (
            noticed,
            _("A pattern in the work of %(name)s deserves a look."),
            _("Patterns in the work of %(n)s people deserve a look."),
            "warn",
        ),
    )
    for cases, of_one, of_many, level in several:
        if len(cases) == 1:
            page = reverse("person", args=[study.pid, cases[0].pid])
            yield Point(of_one % {"name": cases[0].name}, page, level)
        elif cases:
            yield Point(of_many % {"n": len(cases)}, table, level)
    enough = sum(len(picture.by_person[person.pk]) >= WORTH_A_LOOK for person in open_cases)
    if enough:
        text = ngettext(
            "Nobody has looked at a sample of %(n)s person's work.",
            "Nobody has looked at a sample of %(n)s people's work.",
            enough,
        )
        yield Point(text % {"n": enough}, table, "info")
    failed = failed_qualification(study)
    if failed:
        text = ngettext(
            "%(n)s person did not pass the qualification.", "%(n)s people did not pass the qualification.", len(failed)
        )
        yield Point(text % {"n": len(failed)}, table, "info")


def _flow(picture: Picture, progress: list[StageProgress], now: datetime) -> Iterator[Point]:
    """Whether work goes on."""
    study = picture.study
    if state_of(picture.stages.values()) != models.Study.State.RUNNING:
        return
    invite = reverse("invite", args=[study.pid])
    if not picture.people and not study.invitations.exists():
        yield Point(_("Nobody is invited yet."), invite)
        return
    stuck = models.Assignment.objects.filter(stage__study=study, expires_at__lt=now).open().count()
    if stuck:
        text = ngettext(
            "%(n)s item was not finished in time; whoever asks next gets it.",
            "%(n)s items were not finished in time; whoever asks next gets them.",
            stuck,
        )
        yield Point(text % {"n": stuck}, reverse("people", args=[study.pid]), "info")
    last = max((entry.at for entry in picture.every), default=None)
    if last and now - last > QUIET and any(stage.counts.remaining for stage in progress):
        hours = (now - last).total_seconds() / 3600
        yield Point(_("No judgement for %(time)s. Remind or invite people.") % {"time": span_of_time(hours)}, invite)


def failed_qualification(study: models.Study) -> set[int]:
    """Annotators, by row number, who used up their tries without passing."""
    options = options_of(study)
    if not options.steps.qualification:
        return set()
    people = list(study.annotators.all())
    stages = list(study.stages.select_related("protocol_version", "study"))
    return {person for stage in stages for person, exam in exams(people, stage, options).items() if exam.failed}
