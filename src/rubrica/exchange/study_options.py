"""What a researcher sets for a study beside protocol and items, as JSON: from pages and API, kept, and for reports."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError
from pydantic_core import PydanticCustomError

from rubrica.core.costs import Terms
from rubrica.core.errors import InputError, Problem, refuse
from rubrica.core.profile import COUNTRIES, CURRENCIES, USUAL, Asked, Wanted
from rubrica.core.text_helpers import did_you_mean
from rubrica.core.typed import Fault, number, storable, with_point

AS_THEY_COME = "as_they_come"
"""Texts reach those who judge them at once; otherwise when their sentence is settled."""

STEPS = ("welcome", "consent", "profile", "guidelines", "course", "practice", "qualification")
"""The steps before the work, in their order."""


def _as_typed(value: Any) -> Any:
    """An amount that came as text, by the one rule for numbers; anything else as it is."""
    plain = with_point(value) if isinstance(value, str) else value
    if isinstance(plain, Fault):
        raise PydanticCustomError("decimal", "{said}", {"said": f"{value[:40]!r} {plain.what}"})
    return plain


Money = Annotated[Decimal, BeforeValidator(_as_typed), Field(ge=0, max_digits=10, decimal_places=4)]
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


ANYBODY = "any"
"""What takes a requirement back in a command."""
_ENDS = {"age": ("youngest", "oldest"), "education_years": ("least_education", "most_education")}


def required(said: Sequence[str], before: Requirements) -> dict[str, Any]:
    """Who may take part, as a command says it, one requirement a text; what is not named stays as it was.

    ``native_speaker``, ``age=18-65`` (``18-``, ``-65``), ``education_years=12-``, ``country=ES,MX``; ``=any`` takes one
    back. Raises InputError with every problem.
    """
    found, problems = before.model_dump(), []
    for text in said:
        name, _, value = (part.strip() for part in text.partition("="))
        low, dash, high = (part.strip() for part in value.partition("-"))
        if name in _ENDS and value == ANYBODY:
            found |= dict.fromkeys(_ENDS[name])
        elif name in _ENDS and dash and (low or high) and not any(map(_no_number, (low, high))):
            found |= {key: number(end) if end else None for key, end in zip(_ENDS[name], (low, high), strict=True)}
        elif name == "native_speaker" and value in ("", "yes", ANYBODY):
            found[name] = value != ANYBODY
        elif name == "country" and value:
            codes = [code.strip().upper() for code in value.split(",") if code.strip()]
            found["countries"] = [] if value == ANYBODY else list(dict.fromkeys(codes))
        else:
            problems.append(_no_requirement(text, name))
    refuse(problems)
    return found


def teams_said(said: Sequence[str], before: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    """Who is part of which system, as a command or a page says it, one system a text: ``SYSTEM=NAME, NAME``.

    Systems that are not named stay as they were; no names take a system's record back. Raises InputError with every
    text that says nothing.
    """
    parts = [[part.strip() for part in text.partition("=")] for text in said]
    refuse(
        Problem(
            what=f"{text!r} says of no system who is part of it",
            rule="team",
            fix="Write the system and the names: SYSTEM=NAME, NAME.",
            value=text,
        )
        for text, (system, sign, _) in zip(said, parts, strict=True)
        if not system or not sign
    )
    told = {
        system: list(dict.fromkeys(name.strip() for name in names.split(",") if name.strip()))
        for system, _, names in parts
    }
    return {system: list(names) for system, names in {**before, **told}.items() if names}


def _no_number(text: str) -> bool:
    return bool(text) and isinstance(number(text), Fault)


def _no_requirement(text: str, name: str) -> Problem:
    known = ("native_speaker", "age", "education_years", "country")
    usage = "Write native_speaker, age=18-65 (18-, -65), education_years=12- or country=ES,MX; NAME=any takes it back."
    fix = usage if name in known else did_you_mean(name, known, usage)
    return Problem(what=f"{text!r} says nothing about who may take part", rule="required", fix=fix, value=text)


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

    @property
    def questions(self) -> list[Asked]:
        """What this study asks of a person, in order: the usual questions, then its own."""
        own = [
            Asked(one.id, one.kind, options=tuple(one.options), required=one.required, own=True, label=one.label)
            for one in self.own
        ]
        return [USUAL[name] for name in self.usual] + own


class Qualification(_Part):
    """How well one must do before the work, and how often one may try."""

    pass_mark: Share = 0.7
    tries: int = Field(default=2, ge=1, le=20)
    items: int = Field(default=5, ge=1, le=100)


class Payment(_Part):
    """What is paid. ``per_task`` and ``bonus`` are by stage; the fee is a percentage on top of everything paid.

    A task of one data set may have a price of its own, under ``stage/dataset``.
    """

    currency: str = Field(default="USD", pattern=r"^[A-Z]{3}$")
    per_task: dict[str, Money] = {}
    per_hour: Money | None = None
    bonus: dict[str, Money] = {}
    bonus_share: Share = 0.0
    platform_fee: float = Field(default=0, ge=0, le=100)
    minimum_wages: dict[str, Money] = {}
    median_seconds: dict[str, Annotated[float, Field(gt=0, le=86_400)]] = {}

    def price(self, stage: str, dataset: str = "") -> Decimal:
        """What one task of a stage brings, of an item of this data set."""
        return self.per_task.get(f"{stage}/{dataset}", self.per_task.get(stage, Decimal(0)))

    def prices(self, stage: str) -> list[Decimal]:
        """The different prices of a stage that are set, the lowest first."""
        return sorted({price for key, price in self.per_task.items() if key.partition("/")[0] == stage})

    def by_dataset(self, stage: str) -> bool:
        """Whether the price of a stage depends on the data set."""
        return any(key.startswith(f"{stage}/") for key in self.per_task)

    def terms(self, annotators: int) -> Terms:
        """What holds for all stages, with so many annotators."""
        return Terms(
            annotators=annotators,
            per_hour=self.per_hour or Decimal(0),
            bonus_share=Decimal(str(self.bonus_share)),
            fee_percent=Decimal(str(self.platform_fee)),
            minimum_wages=self.minimum_wages,
        )


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

    @property
    def told(self) -> dict[str, str]:
        """What is said of them, without what is not."""
        return {name: text for name, text in self.model_dump().items() if text}


class OwnTexts(_Part):
    """The study's own texts in one language."""

    welcome_text: str = ""
    data_use: str = ""
    consent_text: str = ""
    thanks_text: str = ""


OWN_TEXTS = tuple(OwnTexts.model_fields)


CONSENT = """\
Taking part is voluntary. You may skip any item you are uncomfortable with, at no loss, and you may stop at any time without giving a reason.

What you answer, and what you tell about yourself (demographic data such as your age or your first language), is stored anonymously: under a pseudonym, apart from anything that could tell who you are. It will be used for research and distributed to other researchers for that purpose, also as part of public data sets.

You may ask at any time that your answers be erased. What was published before you asked cannot be called back.\
"""  # noqa: E501 (a paragraph is one line in Markdown)
"""The wording of a study that has none of its own. Pages show it in the reader's language: it is the same version."""
CONSENT_TO_ANSWERS = CONSENT.replace(
    "What you answer, and what you tell about yourself (demographic data such as your age or your first language), is",
    "What you answer is",
)
"""The same for a study that asks nothing about the person. Who has agreed to `CONSENT` has agreed to this."""
OUR_CONSENTS = (CONSENT, CONSENT_TO_ANSWERS)


class Options(_Part):
    """All settings of a study.

    ``review_required``: whether every item must be reviewed before the launch; None is as the protocol is (see
    ``launching.review_required``). ``consent_covers_profiles``: whether a consent text of the study's own says that
    demographic data are stored anonymously and distributed. ``hand_on``: when texts that people write reach those who
    judge them in a further stage. ``texts``: the study's own texts in further languages.
    ``teams``: by system, the names of those who are part of it and do not judge it.
    ``targets_placed``: whether target words were looked for when the items came in (not in studies from before).
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
    teams: dict[str, list[str]] = {}
    completion_code: str = Field(default="", max_length=100)
    thanks_text: str = ""
    texts: dict[Annotated[str, Field(pattern=r"^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$")], OwnTexts] = {}
    items_reviewed: bool = False
    hand_on: Literal["settled", "as_they_come"] = "settled"
    review_required: bool | None = None
    targets_placed: bool = False

    def stored(self) -> dict[str, Any]:
        """The settings as they are kept: those that are not as usual."""
        return self.model_dump(mode="json", exclude_defaults=True)

    def takes(self, step: str) -> bool:
        """Whether annotators take this step; the profile always where it says who may take part."""
        return bool(getattr(self.steps, step)) or (step == "profile" and bool(self.profile.required.wanted.asked))

    @property
    def asks_profile(self) -> bool:
        """Whether annotators are asked anything about themselves."""
        return self.takes("profile") and bool(self.profile.questions)

    def text(self, name: str, language: str = "") -> str:
        """A text of the study's own: in this language if there is one, else the one for all languages."""
        version = self.texts.get(language) or self.texts.get(language.partition("-")[0])
        return (getattr(version, name).strip() if version else "") or str(getattr(self, name)).strip()

    def consent_wording(self, language: str = "") -> str:
        """The text that is asked now, of those who read this language."""
        return self.text("consent_text", language) or (CONSENT if self.asks_profile else CONSENT_TO_ANSWERS)

    @property
    def consent_wordings(self) -> list[str]:
        """The text that is asked now, in every language that it has."""
        return list(dict.fromkeys(self.consent_wording(language) for language in ("", *self.texts)))

    def asks_no_more_than(self, text: str) -> bool:
        """Whether who agreed to this wording has agreed to that of now: it is the same, or ours that says more."""
        now = self.consent_wordings
        return text in now or (text == CONSENT and CONSENT_TO_ANSWERS in now)

    @property
    def profiles_covered(self) -> bool:
        """Whether the text of now says that demographic data are stored anonymously and distributed: ours does."""
        return self.consent_covers_profiles or {*self.consent_wordings} <= {*OUR_CONSENTS}


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
    """Ends of a range in the wrong order, and countries that there are none of."""
    ranges = {"age": required.wanted.ages, "education": required.wanted.education}
    found = [
        Problem(what=f"{name} from {low:g} to {high:g}", rule="range", fix="Begin with the smaller one.", value=low)
        for name, (low, high) in ranges.items()
        if low is not None and high is not None and low > high
    ]
    fix = "Use the two letters of a country (ISO 3166), for instance ES or GB."
    unknown = [code for code in required.countries if code not in COUNTRIES]
    return found + [
        Problem(what=f"there is no country {code}", rule="country", fix=fix, value=code) for code in unknown
    ]


def _unknown_currency(code: str) -> list[Problem]:
    """Checked here and not by the type: a study that names another one must still open."""
    if code in CURRENCIES:
        return []
    fix = "Use the three letters of a currency (ISO 4217), for instance EUR."
    return [Problem(what=f"there is no currency {code}", rule="currency", fix=fix, value=code)]
