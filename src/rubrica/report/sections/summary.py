"""Summary: the findings in a few sentences, each with the figure that it rests on."""

from __future__ import annotations

from collections.abc import Sequence

from rubrica.core.texts import shown
from rubrica.report.figures import Figures
from rubrica.report.prose import counted, decimal, listed, percent, sentence
from rubrica.report.sections.agreement import in_short
from rubrica.report.sections.comparison import findings
from rubrica.report.sections.section import Paragraph, Part, Section

ID, TITLE = "summary", "Summary"


def summary(figures: Figures, made: Sequence[Section]) -> Section:
    """Three to six sentences: what was judged, with what agreement, and what came out."""
    if not figures.subject.ratings.counted:
        return Section(ID, TITLE, (Paragraph(_nothing(figures), "empty"),))
    parts: list[Part] = []
    first = [what_was_judged(figures), _spread(figures), in_short(figures)]
    then = [*findings(figures), *_found(made)]
    last = [_trust(figures), _unfinished(figures)]
    parts += [Paragraph(" ".join(filter(None, said))) for said in (first, then, last) if any(said)]
    return Section(ID, TITLE, tuple(parts))


def notices(figures: Figures) -> list[Paragraph]:
    """What must be known before anything else: that annotators are simulated, or that there is nothing yet."""
    facts = figures.subject.facts
    said = []
    if facts and facts.simulated:
        said.append("Demonstration: the annotators are simulated; nothing here is a finding about real texts.")
    elif facts and facts.partly_simulated:
        said.append(
            f"{facts.partly_simulated}: a program answered in their place, and these figures count its answers."
        )
    if not figures.subject.ratings.counted:
        said.append(_nothing(figures))
    return [Paragraph(text, "empty") for text in said]


def _found(made: Sequence[Section]) -> list[str]:
    """What other sections call a finding."""
    return [part.text for section in made for part in section.parts if isinstance(part, Paragraph) and part.finding]


def _nothing(figures: Figures) -> str:
    every = figures.subject.ratings.every
    if every:
        return "No judgement counts: all are of planted items, left without an answer, or of excluded annotators."
    return "Nobody has judged anything yet. This report says how the study is set up; results come with judgements."


def what_was_judged(figures: Figures) -> str:
    """Who judged what, and how many of the judgements that an export has count here, and why not all."""
    subject = figures.subject
    ratings = subject.ratings
    units = {rating.unit for rating in ratings.counted}
    people = {rating.rater for rating in ratings.counted}
    systems = [name for name in ratings.systems if name]
    by = f" by {counted(len(systems), 'system')}" if systems else ""
    asked = subject.protocol
    with_ = f" with the protocol {shown(asked.title, 'en')} {asked.version}" if asked else ""
    each = len(ratings.counted) / len(units)
    left = ratings.not_counted
    rest = listed(f"{number:,} {why}" for why, number in left.items())
    exported = len(ratings.counted) + sum(left.values())
    not_all = f" An export has {exported:,}; not counted are {rest}." if left else ""
    return (
        f"{sentence(counted(len(people), 'annotator'))} judged {counted(len(units), 'item')}{by}{with_}: "
        f"{counted(len(ratings.counted), 'judgement')}, {decimal(each, 1)} per item.{not_all}"
    )


def _spread(figures: Figures) -> str:
    """How the questions came out over all systems."""
    said = []
    for criterion in figures.questions:
        whole = figures.distributions[criterion.id][-1]
        if not whole.total or criterion.good is None:
            continue
        if whole.mean is not None and whole.mean.value.value is not None:
            said.append(f"{criterion.label} {decimal(whole.mean.value)} of {criterion.good}")
        else:
            share = percent(whole.share(criterion.good) or 0.0)
            said.append(f"{criterion.label} “{str(criterion.good).replace('_', ' ')}” in {share}")
    return f"Over all items: {listed(said)}." if said else ""


def _trust(figures: Figures) -> str:
    facts = figures.subject.facts
    if facts is None:
        return ""
    out = [person for person in facts.people if person.excluded]
    verb = "is" if len(out) == 1 else "are"
    return f"{sentence(counted(len(out), 'annotator'))} {verb} excluded by decision; Checks says why." if out else ""


def _unfinished(figures: Figures) -> str:
    facts = figures.subject.facts
    if facts is None or not facts.main.remaining:
        return ""
    share = percent(facts.main.done / facts.main.wanted)
    return f"The study is not finished: {share} of the judgements wanted are in, and figures will move."
