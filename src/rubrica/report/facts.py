"""What a report says of a study beside its ratings: how it was set up, who took part, what was paid.

The store fills these in; annotators are already called A1, A2, … here, so that nothing that is made of them can
name anybody.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from decimal import Decimal

import attrs

from rubrica.core.earnings import Totals
from rubrica.core.handed_on import Collected
from rubrica.core.protocol import Protocol
from rubrica.core.protocol import Stage as Step
from rubrica.core.ratings import Unit
from rubrica.exchange.study_options import STEPS, Options, Payment, Qualification

Told = str | int | float | None
"""An answer in a profile; None is a question that somebody would rather not answer."""


@attrs.frozen(kw_only=True)
class StageFacts:
    """One stage. ``wanted``, ``done``, ``extra`` and ``remaining`` are as everywhere (design/025): of plain items, and
    of people who are not excluded. ``planted`` are judgements of planted ones.

    ``outcomes`` says how items were left, ``answered`` among them; ``people`` are those who judged here.
    """

    key: str
    protocol: Protocol
    step: Step
    settings: Mapping[str, str]
    overlap: int
    wanted: int
    done: int
    extra: int
    remaining: int
    planted: int
    outcomes: Mapping[str, int]
    people: tuple[str, ...]
    state: str


@attrs.frozen(kw_only=True)
class PersonFacts:
    """One annotator, without a name. ``profile`` is None where none was recorded.

    ``came_by`` is the kind of link (personal, open, prolific, mturk), or empty for sheets and imports. ``hourly`` is
    None with too little measured time.
    """

    alias: str
    kind: str
    profile: Mapping[str, Told] | None
    came_by: str = ""
    judgements: int = 0
    hours: float = 0.0
    hourly: Decimal | None = None
    minimum: Decimal | None = None
    excluded: bool = False
    reason: str = ""
    consented: bool = False
    simulated: bool = False


@attrs.frozen
class MoneyFacts:
    """What the study pays by its terms, and what that came to."""

    terms: Payment
    sums: Totals

    @property
    def paying(self) -> bool:
        """Whether any pay is set or was recorded."""
        set_ = any(self.terms.per_task.values()) or self.terms.per_hour
        return bool(set_ or self.sums.paid or self.sums.bonuses)


@attrs.frozen(kw_only=True)
class Care:
    """What was done for quality while the study ran. ``reviews`` are a researcher's decisions on single judgements.

    ``unreviewed`` items were reviewed for sensitive material by nobody.
    """

    gold: int = 0
    duplicates: int = 0
    reviews: Mapping[str, int] = attrs.field(factory=dict)
    feedback: int = 0
    flags: int = 0
    closed: int = 0
    unreviewed: int = 0


@attrs.frozen(kw_only=True)
class StudyFacts:
    """A study as a report knows it. ``stage`` is the key of the stage whose ratings are reported.

    ``options`` are the study's settings without anybody's name.
    ``items`` are all plain items, judged or not; ``origins`` says how judgements came in (studio, sheet, import).
    ``collected``: where others judged what people wrote in the study, how that went.
    """

    name: str
    title: str
    created: datetime
    seed: int
    stage: str
    stages: tuple[StageFacts, ...]
    people: tuple[PersonFacts, ...]
    items: tuple[Unit, ...]
    options: Options
    money: MoneyFacts
    care: Care
    origins: Mapping[str, int]
    first: datetime | None = None
    last: datetime | None = None
    collected: Collected | None = None

    @property
    def simulated(self) -> bool:
        """Whether a program answered in the place of all who judged."""
        return bool(self.people) and all(person.simulated for person in self.people)

    @property
    def partly_simulated(self) -> str:
        """In words how many of those who judged are simulated; "" if none or all are."""
        some = sum(person.simulated for person in self.people)
        verb = "is" if some == 1 else "are"
        return f"{some} of the {len(self.people)} annotators {verb} simulated" if 0 < some < len(self.people) else ""

    @property
    def main(self) -> StageFacts:
        """The stage whose ratings are reported."""
        return next(stage for stage in self.stages if stage.key == self.stage)

    @property
    def asked(self) -> list[str]:
        """The usual questions about the person that were asked."""
        return self.options.profile.usual if self.options.takes("profile") else []

    @property
    def own_questions(self) -> int:
        """How many questions of its own about the person the study asked."""
        return len(self.options.profile.own) if self.options.takes("profile") else 0

    @property
    def steps(self) -> list[str]:
        """The steps before the work that there were."""
        protocols = [stage.protocol for stage in self.stages]
        offered = {"practice": any(one.practice for one in protocols), "course": any(one.course for one in protocols)}
        return [step for step in STEPS if self.options.takes(step) and offered.get(step, True)]

    @property
    def qualification(self) -> Qualification | None:
        """What had to be reached before the work; None if nothing was asked."""
        return self.options.qualification if self.options.steps.qualification else None

    def person(self, alias: str) -> PersonFacts:
        """The annotator with this alias."""
        return next(person for person in self.people if person.alias == alias)
