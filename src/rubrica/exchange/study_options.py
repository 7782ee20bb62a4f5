"""What a researcher sets for a study beside protocol and items, as JSON: from pages and API, kept, and for reports."""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from rubrica.core.errors import InputError, Problem, refuse
from rubrica.core.iso_codes import CURRENCIES
from rubrica.core.profile import USUAL, Wanted
from rubrica.core.scales import storable

STEPS = ("welcome", "consent", "profile", "guidelines", "course", "practice", "qualification")
"""The steps before the work, in their order."""

Money = Annotated[Decimal, Field(ge=0, max_digits=10, decimal_places=4)]
Share = Annotated[float, Field(ge=0, le=1)]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", validate_default=True)


class Steps(_Part):
    """Which steps an annotator goes through before the work."""

    welcome: bool = True
    consent: bool = True
    profile: bool = True
    guidelines: bool = True
    course: bool = True
    practice: bool = True
    qualification: bool = False


class ProfileQuestion(_Part):
    """A question about the person, asked in this study only."""

    id: str = Field(pattern=r"^[a-z][a-z0-9_]{0,40}$")
    label: str = Field(min_length=1, max_length=300)
    kind: Literal["text", "number", "yes_no", "choice"] = "text"
    options: list[str] = []
    required: bool = False


Age = Annotated[int, Field(ge=10, le=120)]
Years = Annotated[float, Field(ge=0, le=40)]


class Requirements(_Part):
    """Who may take part, by the profile; what is not set does not matter."""

    native_speaker: bool = False
    youngest: Age | None = None
    oldest: Age | None = None
    least_education: Years | None = None
    most_education: Years | None = None
    countries: list[Annotated[str, Field(pattern=r"^[A-Z]{2}$")]] = []

    @property
    def wanted(self) -> Wanted:
        """The rule that decides."""
        ages, education = (self.youngest, self.oldest), (self.least_education, self.most_education)
        return Wanted(self.native_speaker, ages, education, tuple(self.countries))


class ProfileAsked(_Part):
    """Which of the usual questions are asked (metadata of the lexical guideline), and the study's own."""

    asked: list[str] = [*USUAL]
    own: list[ProfileQuestion] = []
    required: Requirements = Requirements()

    @property
    def usual(self) -> list[str]:
        """The usual questions that are asked: those chosen, and those that tell who may take part."""
        needed = {*self.asked, *self.required.wanted.asked}
        return [name for name in dict.fromkeys([*self.asked, *USUAL]) if name in needed and name in USUAL]


class Qualification(_Part):
    """How well one must do before the work, and how often one may try."""

    pass_mark: Share = 0.7
    tries: int = Field(default=2, ge=1, le=20)
    items: int = Field(default=5, ge=1, le=100)


class Payment(_Part):
    """What is paid. ``per_task`` and ``bonus`` are by stage; the fee is a percentage on top of everything paid."""

    currency: str = Field(default="USD", pattern=r"^[A-Z]{3}$")
    per_task: dict[str, Money] = {}
    per_hour: Money | None = None
    bonus: dict[str, Money] = {}
    bonus_share: Share = 0.0
    platform_fee: float = Field(default=0, ge=0, le=100)
    minimum_wages: dict[str, Money] = {}
    median_seconds: dict[str, Annotated[float, Field(gt=0, le=86_400)]] = {}


class Ethics(_Part):
    """The record that the lexical guideline asks for, and what is said of the sources."""

    approval: str = ""
    contact: str = ""
    sources_attested: bool = False
    rewrites_by_systems: bool = False
    sources: str = ""
    licence: str = ""
    master_required: bool = False

    @property
    def missing(self) -> list[str]:
        """What keeps the record incomplete."""
        return [name for name in ("approval", "contact", "sources_attested") if not getattr(self, name)]


Line = Annotated[str, Field(max_length=500)]


class About(_Part):
    """Whom the texts are for and what they are, as the lexical guideline has it recorded."""

    audience: Line = ""
    genre: Line = ""
    education_level: Line = ""
    education_relation: Line = ""


class OwnTexts(_Part):
    """The study's own texts in one language."""

    welcome_text: str = ""
    data_use: str = ""
    consent_text: str = ""
    thanks_text: str = ""


OWN_TEXTS = tuple(OwnTexts.model_fields)


class Options(_Part):
    """All settings of a study.

    ``review_required``: whether every item must be reviewed before the launch; None is as the protocol is (see
    ``launching.review_required``). ``consent_covers_profiles``: whether a consent text of the study's own says that
    demographic data are stored anonymously and distributed. ``texts``: the study's own texts in further languages.
    """

    about: About = About()
    duplicates: Share = 0.0
    steps: Steps = Steps()
    welcome_text: str = ""
    data_use: str = ""
    consent_text: str = ""
    consent_covers_profiles: bool = False
    profile: ProfileAsked = ProfileAsked()
    qualification: Qualification = Qualification()
    payment: Payment = Payment()
    ethics: Ethics = Ethics()
    languages: list[str] = []
    layout: Literal["stacked", "side_by_side"] = "stacked"
    lease_minutes: int = Field(default=120, ge=1, le=60 * 24 * 60)
    ahead: int = Field(default=3, ge=1, le=50)
    limit_per_annotator: int | None = Field(default=None, ge=1)
    adjudicators: list[str] = []
    completion_code: str = Field(default="", max_length=100)
    thanks_text: str = ""
    texts: dict[Annotated[str, Field(pattern=r"^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$")], OwnTexts] = {}
    items_reviewed: bool = False
    review_required: bool | None = None

    def takes(self, step: str) -> bool:
        """Whether annotators take this step; the profile always where it says who may take part."""
        return bool(getattr(self.steps, step)) or (step == "profile" and bool(self.profile.required.wanted.asked))

    def text(self, name: str, language: str = "") -> str:
        """A text of the study's own: in this language if there is one, else the one for all languages."""
        version = self.texts.get(language) or self.texts.get(language.partition("-")[0])
        return (getattr(version, name).strip() if version else "") or str(getattr(self, name)).strip()


def checked(data: dict[str, Any]) -> Options:
    """Settings from outside. Raises InputError with every problem."""
    try:
        options = Options.model_validate(data)
    except ValidationError as error:
        raise InputError(
            *(
                Problem(
                    what=f"{'.'.join(map(str, found['loc']))}: {found['msg']}",
                    rule=found["type"],
                    fix="See the settings of a study in the documentation.",
                    value=found.get("input"),
                )
                for found in error.errors(include_url=False)
            )
        ) from error
    found = [*_broken_texts(options.model_dump(mode="json")), *_unknown_currency(options.payment.currency)]
    refuse([*found, *_no_one_fits(options.profile.required)])
    return options


def _broken_texts(value: Any, place: str = "") -> list[Problem]:
    """Texts that the database cannot hold, wherever they stand."""
    if isinstance(value, str) and not storable(value):
        fix = "Type it instead of pasting it."
        return [Problem(what=f"{place} holds a broken character", rule="characters", fix=fix, question=place)]
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    found: list[Problem] = []
    for name, part in parts:
        where = f"{place}.{name}" if place else str(name)
        found += _broken_texts(name, place) if isinstance(name, str) else []
        found += _broken_texts(part, where)
    return found


def _no_one_fits(required: Requirements) -> list[Problem]:
    """Ends of a range in the wrong order."""
    ranges = {"age": required.wanted.ages, "education": required.wanted.education}
    return [
        Problem(what=f"{name} from {low:g} to {high:g}", rule="range", fix="Begin with the smaller one.", value=low)
        for name, (low, high) in ranges.items()
        if low is not None and high is not None and low > high
    ]


def _unknown_currency(code: str) -> list[Problem]:
    """Checked here and not by the type: a study that names another one must still open."""
    if code in CURRENCIES:
        return []
    fix = "Use the three letters of a currency (ISO 4217), for instance EUR."
    return [Problem(what=f"there is no currency {code}", rule="currency", fix=fix, value=code)]
