"""The profile: what a person tells about themselves, and which answers are taken.

The usual questions are the metadata that the guideline of the lexical shared task requires. Each can be left unsaid;
unsaid is stored as null, so that it differs from a question that was never asked.

Countries and territories (ISO 3166-1) and currencies (ISO 4217) by code, as profiles and payments name them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from rubrica.core.errors import InputError, Problem
from rubrica.core.typed import Fault, number, unfit

COUNTRIES = tuple(
    """
    AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT
    BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH
    ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT
    HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS
    LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI
    NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG
    SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG
    UM US UY UZ VA VC VE VG VI VN VU WF WS XK YE YT ZA ZM ZW
    """.split()  # noqa: SIM905 (a list of 250 strings fills the screen)
)


CURRENCIES = frozenset(
    """
    AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF
    CLP CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HTG
    HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA
    MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD
    RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX
    USD UYU UZS VED VES VND VUV WST XAF XCD XCG XOF XPF YER ZAR ZMW ZWG
    """.split()  # noqa: SIM905 (a list of 150 strings fills the screen)
)


LONGEST = 500
"""Characters of a text."""

UNSAID = "-"
"""What a page sends for a question that one would rather not answer."""

Value = str | int | float | None


class Asked(NamedTuple):
    """One question about the person. ``own``: of this study, with a label that the researcher wrote."""

    id: str
    kind: str
    low: float = -1e12
    high: float = 1e12
    whole: bool = False
    options: tuple[str, ...] = ()
    required: bool = True
    own: bool = False
    label: str = ""


USUAL = {
    asked.id: asked
    for asked in (
        Asked("education_years", "number", 0, 40, whole=False),
        Asked("native_speaker", "yes_no"),
        Asked("age", "number", 10, 120, whole=True),
        Asked("reading_hours", "number", 0, 168),
        Asked("first_language", "text"),
        Asked("languages", "number", 1, 100, whole=True),
        Asked("country", "country", options=COUNTRIES),
    )
}
"""The usual questions and their ranges."""


class Wanted(NamedTuple):
    """Whom a study looks for, by what they tell of themselves; what is not set does not matter."""

    native_speaker: bool = False
    ages: tuple[float | None, float | None] = (None, None)
    education: tuple[float | None, float | None] = (None, None)
    countries: tuple[str, ...] = ()

    @property
    def asked(self) -> tuple[str, ...]:
        """The questions that tell whether somebody fits."""
        needed = {
            "education_years": any(end is not None for end in self.education),
            "native_speaker": self.native_speaker,
            "age": any(end is not None for end in self.ages),
            "country": bool(self.countries),
        }
        return tuple(name for name, is_needed in needed.items() if is_needed)

    def misfits(self, answers: Mapping[str, Value]) -> list[str]:
        """The questions whose answer does not fit, or was not given: then it cannot be told."""
        fits = {
            "native_speaker": answers.get("native_speaker") == "yes",
            "age": _within(answers.get("age"), self.ages),
            "education_years": _within(answers.get("education_years"), self.education),
            "country": answers.get("country") in self.countries,
        }
        return [name for name in self.asked if not fits[name]]


def _within(value: Value, ends: tuple[float | None, float | None]) -> bool:
    low, high = ends
    if not isinstance(value, int | float):
        return False
    return (low is None or value >= low) and (high is None or value <= high)


def checked(asked: list[Asked], given: Mapping[str, str]) -> dict[str, Value]:
    """Answers as they are stored. Raises InputError with a problem for each question that needs another answer."""
    answers: dict[str, Value] = {}
    problems: list[Problem] = []
    for question in asked:
        text = given.get(question.id, "").strip()
        if text == UNSAID:
            answers[question.id] = None
        elif text:
            value = _value(question, text)
            if isinstance(value, Problem):
                problems.append(value)
            else:
                answers[question.id] = value
        elif question.required:
            problems.append(
                Problem(
                    what=f"{question.id} is not answered",
                    rule="required",
                    fix="Answer it, or say that you would rather not.",
                    question=question.id,
                )
            )
    if problems:
        raise InputError(*problems)
    return answers


def _value(question: Asked, text: str) -> Value | Problem:
    if question.kind == "number":
        return _number(question, text)
    allowed = ("yes", "no") if question.kind == "yes_no" else question.options
    if allowed and text not in allowed:
        return Problem(
            what=f"{question.id} is not one of the answers",
            rule="choice",
            fix="Choose one of the answers.",
            question=question.id,
            value=text[:100],
        )
    problem = unfit(text, question.id, LONGEST)
    return problem.at(question=question.id) if problem else text


def _number(question: Asked, text: str) -> int | float | Problem:
    """A number in the question's range."""
    said = number(text)
    kind = "a whole number" if question.whole else "a number"
    if isinstance(said, Fault) or (question.whole and not isinstance(said, int)):
        fix = f"Write {kind} in digits."
        return Problem(what=f"{question.id} is not {kind}", rule="number", fix=fix, question=question.id, value=text)
    if not question.low <= said <= question.high:
        fix = f"Use {kind} from {question.low:g} to {question.high:g}."
        what = f"{question.id} is {said:g}"
        return Problem(what=what, rule="range", fix=fix, question=question.id, value=text)
    return said
