"""The datasheet's questions about paper, systems, sample, people, design and ethics, answered from a study.

What is not known of a file of ratings is marked with one sentence; what a study cannot know says what to add.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from rubrica.core.texts import shown
from rubrica.report.datasheet_knowledge import TASKS, Task
from rubrica.report.datasheet_questions import QUESTIONS
from rubrica.report.facts import StudyFacts
from rubrica.report.people import FEWEST, pay_by_the_hour, traits
from rubrica.report.prose import counted, listed, percent, sentence
from rubrica.report.sections.annotators import recruited
from rubrica.report.sections.section import Asked, Subject

UNKNOWN = "The file does not say; describe it."
ORIGINS = {"page": "in Rubrica's web studio", "sheet": "on Excel sheets", "import": "imported from files"}
_NO_TASK = Task("", "", "")


def general(subject: Subject) -> list[Asked]:
    """Every question but those about single criteria, answered or marked."""
    answers = {**_paper(subject), **_systems(subject), **_sample(subject)}
    if subject.facts is None:
        answers["3.2.1"] = f"{sentence(counted(len(subject.ratings.raters), 'rater'))}.", ""
        answers["5.2"] = "Raters have no names in this report.", UNKNOWN
    else:
        facts = subject.facts
        answers |= {**_evaluators(facts), **_design(facts), **_ethics(facts)}
    return [Asked(number, question, *answers.get(number, ("", UNKNOWN))) for number, question in QUESTIONS.items()]


Answered = Mapping[str, tuple[str, str]]
"""By question: the answer, and what is to be added."""


def _paper(subject: Subject) -> dict[str, tuple[str, str]]:
    made = (
        "Tables, charts and this datasheet come with the report; `rubrica export` writes the judgements. "
        f"All of it goes by this signature: {subject.ratings.sign()}."
    )
    return {
        "1.1": ("", "Citation or link, and the name of the experiment in it."),
        "1.2": (made, "A link to where they are published."),
        "1.3": ("", "Name, affiliation and address of the person."),
    }


def _systems(subject: Subject) -> Answered:
    task = (TASKS.get(subject.protocol.id) if subject.protocol else None) or _NO_TASK
    names = [name for name in subject.ratings.systems if name]
    known = f"The systems are {listed(names)}." if names else ""
    seen = ""
    if subject.protocol:
        seen = f"Annotators saw {listed(shown(field.label, 'en') for field in subject.protocol.fields)}."
    said = subject.facts.main.settings.get("language", "") if subject.facts else ""
    language = task.language or said
    spoken = (f"{language}.", "") if language else ("", "The language or languages, with their ISO 639 codes.")
    which = (
        "Versions, training data and references of the systems."
        if names
        else "Which systems, or people, made the outputs."
    )
    return {
        "2.1": (_together(task.input, seen), "" if task.input else "What the systems were given."),
        "2.2": (_together(task.output), "" if task.output else "What the systems made."),
        "2.3": (_together(task.name, known), which if task.name else f"The task. {which}"),
        "2.4": spoken,
        "2.5": spoken,
    }


def _together(first: str, then: str = "") -> str:
    """A phrase as a sentence, and a sentence after it."""
    return f"{sentence(first)}. {then}".strip() if first else then


def _sample(subject: Subject) -> Answered:
    units = subject.facts.items if subject.facts else tuple(subject.ratings.units.values())
    per_system = Counter(unit.system for unit in units)
    each = f" ({listed(f'{name} {number}' for name, number in per_system.items())})" if len(per_system) > 1 else ""
    sources = subject.facts.ethics.sources if subject.facts else ""
    power = (
        "The report gives an interval for every figure. "
        "`rubrica plan` estimates the power of the next sample from these ratings."
    )
    return {
        "3.1.1": (f"{sentence(counted(len(units), 'item'))}{each}.", ""),
        "3.1.2": (
            f"Sources, as recorded with the study: {sources}" if sources else "",
            "How items were drawn from which data: at random, stratified, by hand, all of a test set.",
        ),
        "3.1.3": (power, "The power analysis that led to this size, if there was one."),
    }


def _evaluators(facts: StudyFacts) -> Answered:
    people = [person for person in facts.people if person.kind == "person"]
    machines = [person.alias for person in facts.people if person.kind != "person"]
    also = f" {listed(machines)} judged as well and are shown apart." if machines else ""
    simulated = " All of them are simulated by a program: this is a demonstration." if facts.simulated else ""
    needs = shown(facts.main.step.requires, "en")
    return {
        "3.2.1": (f"{sentence(counted(len(people), 'person', 'people'))}.{also}{simulated}", ""),
        "3.2.2": (
            f"The protocol asks for: {needs.rstrip('.')}." if needs else "",
            "Whether they are experts, and whether they and the authors know each other.",
        ),
        "3.2.3": (f"{sentence(recruited(people))}." if people else "Nobody yet.", "Where the call was published."),
        "3.2.4": (_trained(facts), ""),
        "3.2.5": _characteristics(facts),
        "3.2.6": _compensation(facts),
    }


def _trained(facts: StudyFacts) -> str:
    care = facts.care
    steps = [step for step in care.steps if step in ("guidelines", "course", "practice", "qualification")]
    text = f"Steps before the work: {listed(steps)}." if steps else "The study had no training before the work."
    if care.pass_mark is not None:
        tries = counted(care.tries, "try", "tries")
        text += f" The qualification was passed with {percent(care.pass_mark)}, in at most {tries}."
    return text


def _characteristics(facts: StudyFacts) -> tuple[str, str]:
    found = [trait for trait in traits(facts.people, facts.asked) if trait.answered >= FEWEST]
    if found:
        return " ".join(f"{trait.title}: {trait.told}." for trait in found), ""
    why = (
        "Too few people told anything about themselves." if facts.asked else "The study asked nothing about the person."
    )
    return why, "What is known of the evaluators and may be published."


def _compensation(facts: StudyFacts) -> tuple[str, str]:
    money = facts.money
    if not money.paying:
        return "No pay is recorded in the study.", "Whether evaluators were paid elsewhere, and how much per hour."
    text = (
        f"They earned {money.earned:.2f} {money.currency} in all by the study's terms; recorded as paid: "
        f"{money.paid + money.bonuses:.2f} {money.currency}."
    )
    pay = pay_by_the_hour(facts.people)
    if pay is None:
        return text, "What an hour brought: too little time was measured."
    text += f" An hour of measured work brought a median of {pay.middle:.2f} {money.currency}"
    if not pay.compared:
        return f"{text}.", "How that compares with the minimum wage where they live."
    return f"{text}, below the minimum wage of their country for {pay.below} of {pay.compared}.", ""


def _design(facts: StudyFacts) -> Answered:
    main, care = facts.main, facts.care
    ways = listed(f"{number:,} {ORIGINS.get(origin, origin)}" for origin, number in facts.origins.items())
    layout = "side by side" if facts.layout == "side_by_side" else "one above the other"
    return {
        "3.3.1": (
            f"The protocol is fixed by its hash ({main.protocol.hash[:12]}) from the first judgement on.",
            "Whether, where and when the study was registered.",
        ),
        "3.3.2": (f"Judgements: {ways}." if ways else "There are none yet.", ""),
        "3.3.3": (_quality(facts), ""),
        "3.3.4": (
            f"The guidelines and the form of the protocol {main.protocol.id} {main.protocol.version}; texts were shown "
            f"{layout}, and the system's name was not shown.",
            "A screenshot of the form, or a link to it.",
        ),
        "3.3.5": (
            "They worked when and where they liked, could stop and come back, and could pass on any item.",
            "Deadlines or other conditions, if you set any.",
        ),
        "3.3.6": (
            f"They could comment on items and flag broken ones ({counted(care.flags, 'flag')}); researchers wrote "
            f"{counted(care.feedback, 'note')} on single judgements.",
            "How they could reach you beside that.",
        ),
        "3.3.7": (
            f"{sentence(counted(main.overlap, 'judgement'))} per item wanted; items were dealt in a seeded order (seed "
            f"{facts.seed}), nobody judged the same item twice, and nobody saw the answers of others.",
            "",
        ),
    }


def _quality(facts: StudyFacts) -> str:
    care = facts.care
    done = []
    if care.gold:
        done.append(f"{counted(care.gold, 'item')} with a known answer planted among the others")
    if care.duplicates:
        done.append(f"{counted(care.duplicates, 'hidden duplicate')} planted")
    if care.reviews:
        done.append(f"{counted(sum(care.reviews.values()), 'judgement')} reviewed by a researcher")
    if care.limit:
        done.append(f"at most {care.limit} items per person")
    out = sum(person.excluded for person in facts.people)
    done.append(f"{counted(out, 'annotator')} excluded by decision" if out else "nobody excluded")
    return f"{sentence(listed(done))}. Patterns in everybody's answers are under Checks."


def _ethics(facts: StudyFacts) -> Answered:
    record = facts.ethics
    special = "The usual questions of the profile are none of them." if facts.asked else ""
    if facts.own_questions:
        verb = "is" if facts.own_questions == 1 else "are"
        special += f" There {verb} {counted(facts.own_questions, 'question')} of the study's own."
    usual = facts.asked and not facts.own_questions
    reviewed = "The items were reviewed for sensitive material before launch. " if record.items_reviewed else ""
    open_review = "" if record.items_reviewed else " The items are not marked as reviewed for sensitive material."
    return {
        "5.1": (
            record.approval,
            "" if record.approval else "The board, number and date of the approval, or why none was needed.",
        ),
        "5.2": (_personal_data(facts), ""),
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
    record = facts.ethics
    parts = [
        "Consent was asked before the work, in wordings that are kept with each decision."
        if record.consent_asked
        else "Consent was not asked by the studio.",
        f"Asked about the person: {listed(name.replace('_', ' ') for name in facts.asked)}; each could be left unsaid."
        if facts.asked
        else "Nothing was asked about the person.",
        "Profiles, payments and identities are stored apart from judgements; this report has aliases only. "
        "Annotators can have their answers erased.",
        record.data_use,
    ]
    return " ".join(part for part in parts if part)
