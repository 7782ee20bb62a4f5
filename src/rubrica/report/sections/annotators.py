"""Annotators: who judged, how they came, how long they took, and what they were paid by the hour."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np

from rubrica.core.ratings import Rating
from rubrica.report.anonymous import alias_order
from rubrica.report.facts import PersonFacts, StudyFacts
from rubrica.report.figures import Figures
from rubrica.report.people import FEWEST, groups, traits, worked_in_studio
from rubrica.report.prose import counted, listed, percent, sentence, short_time
from rubrica.report.sections.pay import pay
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
