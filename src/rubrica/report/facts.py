"""What a report says of a study beside its ratings: how it was set up, who took part, what was paid.

The store fills these in; annotators are already called A1, A2, … here, so that nothing that is made of them can
name anybody.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from decimal import Decimal

import attrs

from rubrica.core.protocol import Protocol
from rubrica.core.protocol import Stage as Step
from rubrica.core.ratings import Unit

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


@attrs.frozen(kw_only=True)
class MoneyFacts:
    """What the study pays and paid, in one currency."""

    currency: str
    per_task: Mapping[str, Decimal]
    per_hour: Decimal | None
    bonus: Mapping[str, Decimal]
    fee_percent: float
    minimum_wages: Mapping[str, Decimal]
    earned: Decimal
    paid: Decimal
    bonuses: Decimal
    withheld: Decimal

    @property
    def paying(self) -> bool:
        """Whether any pay is set or was recorded."""
        return bool(any(self.per_task.values()) or self.per_hour or self.paid or self.bonuses)


@attrs.frozen(kw_only=True)
class EthicsFacts:
    """The ethics record, as entered."""

    approval: str = ""
    sources: str = ""
    licence: str = ""
    attested: bool = False
    master_required: bool = False
    consent_asked: bool = False
    consent_own: bool = False
    items_reviewed: bool = False
    data_use: str = ""


@attrs.frozen(kw_only=True)
class Care:
    """What was done for quality while the study ran. ``reviews`` are a researcher's decisions on single judgements."""

    steps: tuple[str, ...] = ()
    pass_mark: float | None = None
    tries: int = 0
    gold: int = 0
    duplicates: int = 0
    reviews: Mapping[str, int] = attrs.field(factory=dict)
    feedback: int = 0
    flags: int = 0
    closed: int = 0
    limit: int | None = None


@attrs.frozen(kw_only=True)
class StudyFacts:
    """A study as a report knows it. ``stage`` is the key of the stage whose ratings are reported.

    ``items`` are all plain items, judged or not; ``origins`` says how judgements came in (studio, sheet, import).
    """

    name: str
    title: str
    created: datetime
    seed: int
    stage: str
    stages: tuple[StageFacts, ...]
    people: tuple[PersonFacts, ...]
    items: tuple[Unit, ...]
    asked: tuple[str, ...]
    own_questions: int
    money: MoneyFacts
    ethics: EthicsFacts
    care: Care
    origins: Mapping[str, int]
    first: datetime | None = None
    last: datetime | None = None
    layout: str = "stacked"
    simulated: bool = False

    @property
    def main(self) -> StageFacts:
        """The stage whose ratings are reported."""
        return next(stage for stage in self.stages if stage.key == self.stage)

    def person(self, alias: str) -> PersonFacts:
        """The annotator with this alias."""
        return next(person for person in self.people if person.alias == alias)
