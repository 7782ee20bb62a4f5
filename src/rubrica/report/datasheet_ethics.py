"""The datasheet's questions about ethics, answered from the ethics record of a study and from who consented."""

from __future__ import annotations

from collections.abc import Mapping

from rubrica.report.facts import StudyFacts
from rubrica.report.prose import counted, listed, of

HOW = "How those gave their consent who did not give it in the studio."


def ethics(facts: StudyFacts) -> Mapping[str, tuple[str, str]]:
    """By question: the answer, and what is to be added."""
    record = facts.options.ethics
    special = "The usual questions of the profile are none of them." if facts.asked else ""
    if facts.own_questions:
        verb = "is" if facts.own_questions == 1 else "are"
        special += f" There {verb} {counted(facts.own_questions, 'question')} of the study's own."
    usual = facts.asked and not facts.own_questions
    waiting = facts.care.unreviewed
    reviewed = "" if waiting else "The items were reviewed for sensitive material before launch. "
    open_review = f" Nobody has reviewed {counted(waiting, 'item')} for sensitive material." if waiting else ""
    return {
        "5.1": (
            record.approval,
            "" if record.approval else "The board, number and date of the approval, or why none was needed.",
        ),
        "5.2": (_personal_data(facts), "" if _all_consented(facts) else HOW),
        "5.3": (
            special.strip(),
            "" if usual else "Whether health, religion, politics, ethnicity or the like were recorded.",
        ),
        "5.4": (
            f"{reviewed}Annotators could pass on any item that they were uncomfortable with, at no loss.",
            f"Any assessment of risks to evaluators, authors of the texts or third parties.{open_review}",
        ),
    }


def _personal_data(facts: StudyFacts) -> str:
    parts = [
        _consent(facts) if facts.options.steps.consent else "Consent was not asked by the studio.",
        f"Asked about the person: {listed(name.replace('_', ' ') for name in facts.asked)}; each could be left unsaid."
        if facts.asked
        else "Nothing was asked about the person.",
        "Profiles, payments and identities are stored apart from judgements; this report has aliases only. "
        "Annotators can have their answers erased.",
        facts.options.data_use,
    ]
    return " ".join(part for part in parts if part)


def _consent(facts: StudyFacts) -> str:
    """Whether everybody gave consent in the studio: those who worked on sheets were not asked there."""
    people = [person for person in facts.people if person.kind == "person"]
    given = sum(person.consented for person in people)
    if given == len(people):
        return "Consent was asked before the work, in wordings that are kept with each decision."
    return f"The studio asks for consent before the work; {of(given, len(people), 'person', 'people')} gave it there."


def _all_consented(facts: StudyFacts) -> bool:
    return facts.options.steps.consent and all(one.consented for one in facts.people if one.kind == "person")
