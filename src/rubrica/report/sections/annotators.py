"""Annotators: who judged, how they came, how long they took, and what they were paid by the hour.

Pay: the terms, what was paid, and what an hour of work brought beside the minimum wages entered.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from decimal import Decimal

import numpy as np

from rubrica.core.ratings import Rating
from rubrica.report.anonymous import alias_order
from rubrica.report.facts import MoneyFacts, PersonFacts, StudyFacts
from rubrica.report.figures import Figures
from rubrica.report.people import FEWEST, Pay, groups, pay_by_the_hour, traits, worked_in_studio
from rubrica.report.prose import counted, listed, percent, sentence, short_time
from rubrica.report.sections.section import Heading, Paragraph, Part, Section, Subject
from rubrica.report.tables import DECIMAL, TEXT, WHOLE, Cell, Column, Table
from rubrica.stats.statistic import Statistic

CAME = {
    "personal": "were invited in person",
    "open": "came by an open link",
    "prolific": "were recruited on Prolific",
    "mturk": "were recruited on Amazon Mechanical Turk",
    "": "worked on sheets or in files that were imported",
}
LONG = 120
"""Seconds from which on times are written in minutes."""
TIMES, STATE = (4, 5, 6), 7
"""Places of columns that are left out where no time was measured, and where nobody is excluded or a model."""
LONGEST_TABLE = 40
"""With more annotators than this, the table of each of them is in the files only."""


def annotators(figures: Figures) -> Section:
    """Who judged. Names are never in it."""
    subject = figures.subject
    if not subject.ratings.every:
        return Section("annotators", "Annotators", (Paragraph("Nobody has judged anything yet.", "empty"),))
    each = _each(subject)
    shown = [each] if len(each.rows) <= LONGEST_TABLE else []
    parts: list[Part] = []
    if subject.facts:
        parts += _recruited(subject, subject.facts)
        parts += _profiles(subject, subject.facts)
    else:
        people = counted(len(subject.ratings.raters), "rater")
        parts.append(
            Paragraph(f"The file has ratings by {people}, called A1, A2, … here. It says nothing else about them.")
        )
    parts += [Heading("Time on task"), Paragraph(_time(subject)), *shown]
    if subject.facts:
        parts += [Heading("Pay"), *pay(subject.facts)]
    return Section("annotators", "Annotators", tuple(parts), () if shown else (each,))


def _recruited(subject: Subject, facts: StudyFacts) -> list[Part]:
    people = [person for person in facts.people if person.kind == "person"]
    machines = [person for person in facts.people if person.kind != "person"]
    out = [person for person in people if person.excluded]
    text = f"{sentence(counted(len(people), 'person', 'people'))} judged in this study"
    text += f"; {recruited(people)}." if people else "."
    if machines:
        text += f" So did {listed(person.alias for person in machines)}, marked as such wherever results are shown."
    if out:
        verb = "was" if len(out) == 1 else "were"
        text += f" {sentence(counted(len(out), 'person', 'people'))} {verb} excluded by decision (see Checks)."
    steps = [step for step in facts.steps if step not in ("welcome",)]
    if steps and worked_in_studio(people):
        text += f" Steps before the work: {listed(steps)}."
    if facts.qualification:
        text += (
            f" The qualification had to be passed with {percent(facts.qualification.pass_mark)} right answers, "
            f"in at most {counted(facts.qualification.tries, 'try', 'tries')}."
        )
    parts: list[Part] = [Paragraph(text)]
    if facts.partly_simulated:
        parts.insert(0, Paragraph(f"{facts.partly_simulated}: a program answered in their place.", "empty"))
    if facts.simulated:
        parts.insert(
            0,
            Paragraph(
                "These annotators are simulated: a program answered in their place, to show what a report looks like. "
                "Nothing below is a finding about real rewrites or real people.",
                "empty",
            ),
        )
    return parts


def recruited(people: Sequence[PersonFacts]) -> str:
    """How these people came to the study."""
    came = Counter(person.came_by for person in people)
    if len(came) == 1:
        return f"all {CAME[next(iter(came))]}"
    return listed(f"{number} {CAME[kind]}" for kind, number in came.items())


def _profiles(subject: Subject, facts: StudyFacts) -> list[Part]:
    told = [person for person in facts.people if person.profile is not None]
    if not facts.asked:
        return [Paragraph("The study asked annotators nothing about themselves.", "empty")]
    if not told:
        return [Paragraph("No annotator has filled in a profile, so nothing can be said about who they are.", "empty")]
    parts: list[Part] = []
    for stages, group in groups(facts):
        where = at_stages(stages)
        if len(group) < FEWEST:
            people = counted(len(group), "person", "people")
            parts.append(Paragraph(f"{sentence(f'{where} {people} judged'.strip())}; nothing is said about them."))
        else:
            parts.append(_profile_table(subject, group, facts.asked, stages, where))
    if facts.own_questions:
        parts.append(
            Paragraph(
                f"{sentence(counted(facts.own_questions, 'further question'))} of the study's own about the person "
                f"{'is' if facts.own_questions == 1 else 'are'} not reported here: only you know what may be published."
            )
        )
    return parts


def at_stages(stages: Sequence[str]) -> str:
    """Where a group judged, within a sentence; nothing for everybody."""
    return f"at the {'stage' if len(stages) == 1 else 'stages'} {listed(stages)}" if stages else ""


def _profile_table(
    subject: Subject, group: Sequence[PersonFacts], asked: Sequence[str], stages: Sequence[str], where: str
) -> Table:
    rows: list[tuple[Cell, ...]] = [
        (trait.title, trait.told, trait.answered, trait.unsaid) for trait in traits(group, asked)
    ]
    columns = (
        Column("trait", "About them"),
        Column("told", "What they told"),
        Column("answered", "Answered", WHOLE),
        Column("unsaid", "Rather not", WHOLE),
    )
    note = (
        f"Counts over people. Answers that fewer than {FEWEST} people gave are put together or left out, so that "
        f"nobody is singled out; a range leaves out the outermost {FEWEST - 1} at each end."
    )
    name = "_".join(("profiles", *stages))
    title = f"Who annotated, {where}" if where else "Who annotated"
    return Table(name, title, columns, tuple(rows), note, subject.ratings.sign(table=name))


def _time(subject: Subject) -> str:
    seconds = _seconds(subject.ratings.counted)
    if not seconds.size:
        return "No time was measured: judgements came from sheets or files."
    low, middle, high = (float(value) for value in np.quantile(seconds, (0.25, 0.5, 0.75)))
    missing = len(subject.ratings.counted) - seconds.size
    rest = f" Time is unknown for {counted(missing, 'judgement')}." if missing else ""
    hours = seconds.sum() / 3600
    total = f"{hours:.1f} hours" if hours >= 1 else f"{60 * hours:.0f} minutes"
    in_minutes = high >= LONG
    middle_half = f"{short_time(low, in_minutes)} to {short_time(high, in_minutes)}"
    return (
        f"A judgement took a median of {short_time(middle, in_minutes)} of active time (middle half: {middle_half}), "
        f"{total} in all.{rest}"
    )


def _seconds(ratings: Iterable[Rating]) -> np.ndarray:
    return np.array([rating.seconds for rating in ratings if rating.seconds is not None], dtype=float)


def _each(subject: Subject) -> Table:
    """What each annotator did, without a word about who they are."""
    own: dict[str, list[Rating]] = {name: [] for name in sorted(subject.ratings.raters, key=alias_order)}
    for rating in subject.ratings.every:
        own[rating.rater].append(rating)
    rows = tuple(_person(subject, name, ratings) for name, ratings in own.items())
    columns: tuple[Column, ...] = (
        Column("annotator", "Annotator"),
        Column("judgements", "Judgements", WHOLE),
        Column("planted", "Of planted items", WHOLE),
        Column("left", "Left unanswered", WHOLE),
        Column("median_seconds", "Seconds, median", DECIMAL, 0),
        Column("first_quartile", "1st quartile", DECIMAL, 0),
        Column("third_quartile", "3rd quartile", DECIMAL, 0),
        Column("state", "State", TEXT),
    )
    timed = any(rating.seconds is not None for rating in subject.ratings.every)
    stated = any(row[-1] for row in rows)
    kept = [place for place in range(len(columns)) if (timed or place not in TIMES) and (stated or place != STATE)]
    columns, rows = tuple(columns[place] for place in kept), tuple(tuple(row[place] for place in kept) for row in rows)
    note = "Active seconds per judgement; time away from the page is not counted." if timed else ""
    signed = subject.ratings.sign(table="annotators")
    facts = subject.facts
    title = "What each annotator did"
    if facts and len(facts.stages) > 1:
        title += f" at the stage {facts.stage}"
    return Table("annotators", title, columns, rows, note, signed)


def _person(subject: Subject, name: str, ratings: Sequence[Rating]) -> tuple[Cell, ...]:
    seconds = _seconds(ratings)
    nothing = Statistic(None, "no time was measured")
    quartiles = np.quantile(seconds, (0.25, 0.5, 0.75)) if seconds.size else ()
    low, middle, high = (Statistic(float(value)) for value in quartiles) if seconds.size else (nothing,) * 3
    rater = subject.ratings.raters[name]
    state = "excluded" if rater.excluded else "" if rater.kind == "person" else rater.kind
    planted = sum(bool(rating.planted) for rating in ratings)
    left = sum(rating.outcome != "answered" for rating in ratings)
    return (name, len(ratings), planted, left, middle, low, high, state)


def pay(facts: StudyFacts) -> list[Part]:
    """What the study pays and paid; that it pays nothing, if so."""
    money = facts.money
    if not money.paying:
        return [Paragraph("The study sets no pay and records no payment.", "empty")]
    terms = _terms(money)
    earned = f"Annotators earned {money.sums.earned:.2f} {money.terms.currency} by these terms. " if terms else ""
    parts: list[Part] = [Paragraph(f"Pay was set at {listed(terms)}.")] if terms else []
    parts.append(Paragraph(f"{earned}{_recorded(money)}"))
    found = pay_by_the_hour(facts.people)
    if found is None:
        parts.append(Paragraph("Too little time was measured to say what an hour of work brought.", "empty"))
    else:
        parts.append(Paragraph(_by_the_hour(found, money)))
    return parts


def _terms(money: MoneyFacts) -> list[str]:
    """What was promised; the price of a judgement once where all stages pay the same."""
    currency = money.terms.currency
    per_task = {stage: price for stage, price in money.terms.per_task.items() if price}
    bonus = {stage: price for stage, price in money.terms.bonus.items() if price}
    prices = set(per_task.values())
    if len(per_task) > 1 and len(prices) == 1:
        terms = [f"{prices.pop():f} {currency} per judgement at every stage"]
    else:
        terms = [f"{price:f} {currency} per judgement at the stage {stage}" for stage, price in per_task.items()]
    terms += [f"{money.terms.per_hour:f} {currency} per hour"] if money.terms.per_hour else []
    return terms + [f"a bonus of {price:f} {currency} at the stage {stage}" for stage, price in bonus.items()]


def _recorded(money: MoneyFacts) -> str:
    """What was recorded as paid and withheld; nothing about what did not happen."""
    currency, sums = money.terms.currency, money.sums
    if sums.paid or sums.bonuses:
        bonuses = f", and {sums.bonuses:.2f} {currency} in bonuses" if sums.bonuses else ""
        text = f"Recorded as paid: {sums.paid:.2f} {currency}{bonuses}."
    else:
        text = "No payment is recorded yet."
    return text + (f" Withheld by a recorded decision: {sums.withheld:.2f} {currency}." if sums.withheld else "")


def _by_the_hour(found: Pay, money: MoneyFacts) -> str:
    currency = money.terms.currency
    text = f"An hour of measured work brought a median of {found.middle:.2f} {currency}"
    text += f" (lowest {found.lowest:.2f}, highest {found.highest:.2f})" if found.people >= FEWEST else ""
    text += f" over {counted(found.people, 'annotator')}."
    if not money.terms.minimum_wages:
        return f"{text} No minimum wage was entered to compare it with."
    wages = _wages(list(money.terms.minimum_wages.values()), currency)
    if not found.compared:
        return f"{text} No annotator lives in a country whose minimum wage was entered, so it is not compared. {wages}"
    if found.compared == 1:
        whom, below = "the one", f"is {'' if found.below else 'not '}below it"
        return f"{text} For {whom} whose country's minimum wage was entered, that {below}. {wages}"
    whom = f"{found.below} of the {found.compared}" if found.below else f"none of the {found.compared}"
    verb = ", that is" if found.below else " is that"
    return f"{text} For {whom} whose country's minimum wage was entered{verb} below it. {wages}"


def _wages(wages: Sequence[Decimal], currency: str) -> str:
    """The minimum wages entered, without the countries: a short list of them would tell where people live."""
    if len(wages) == 1:
        return f"The minimum wage entered is {wages[0]:f} {currency} per hour."
    return (
        f"Minimum wages were entered for {counted(len(wages), 'country', 'countries')}, from {min(wages):f} to "
        f"{max(wages):f} {currency} per hour."
    )
