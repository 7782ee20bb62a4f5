"""The datasheet's questions about paper, systems, sample, people, design and ethics, answered from a study.

What is not known of a file of ratings is marked with one sentence; what a study cannot know says what to add.

The datasheet's questions about ethics, answered from the ethics record of a study and from who consented.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from rubrica.core.texts import shown
from rubrica.report.datasheet_questions import QUESTIONS, TASKS, Task
from rubrica.report.facts import StudyFacts
from rubrica.report.people import FEWEST, groups, pay_by_the_hour, traits, worked_in_studio
from rubrica.report.prose import counted, listed, of, percent, sentence, spelled
from rubrica.report.sections.annotators import at_stages, recruited
from rubrica.report.sections.materials import plain_units, readers
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
        answers |= {**_evaluators(facts), **_design(facts), **ethics(facts)}
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
    language = task.language or _language(subject)
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


def _language(subject: Subject) -> str:
    """What the study set as the language of its texts, else what the protocol takes for it; empty if neither does."""
    if subject.facts is None or subject.protocol is None:
        return ""
    usual = {one.id: shown(one.default, "en") for one in subject.protocol.parameters}
    return subject.facts.main.settings.get("language", usual.get("language", ""))


def _together(first: str, then: str = "") -> str:
    """A phrase as a sentence, and a sentence after it."""
    return f"{sentence(first)}. {then}".strip() if first else then


def _sample(subject: Subject) -> Answered:
    units = plain_units(subject)
    per_system = Counter(name for unit in units for name in unit.credited)
    each = f" ({listed(f'{name} {number}' for name, number in per_system.items())})" if len(per_system) > 1 else ""
    judged = len({rating.unit for rating in subject.ratings.counted})
    so_far = f" {sentence(spelled(judged))} of them have a judgement so far." if judged < len(units) else ""
    sources = subject.facts.options.ethics.sources if subject.facts else ""
    power = (
        "The report gives an interval for every figure. "
        "`rubrica plan` estimates the power of the next sample from these ratings."
    )
    return {
        "3.1.1": (f"{sentence(counted(len(units), 'item'))}{each}.{so_far}", ""),
        "3.1.2": (
            _together(readers(subject), f"Sources, as recorded with the study: {sources}" if sources else ""),
            "How items were drawn from which data: at random, stratified, by hand, all of a test set.",
        ),
        "3.1.3": (power, "The power analysis that led to this size, if there was one."),
    }


def _evaluators(facts: StudyFacts) -> Answered:
    people = [person for person in facts.people if person.kind == "person"]
    machines = [person.alias for person in facts.people if person.kind != "person"]
    also = f" {listed(machines)} judged as well and are shown apart." if machines else ""
    simulated = " All of them are simulated by a program: this is a demonstration." if facts.simulated else ""
    simulated = f" {facts.partly_simulated} by a program." if facts.partly_simulated else simulated
    left = sum(person.excluded for person in people)
    out = f", {counted(left, 'of whom', 'of whom')} {'was' if left == 1 else 'were'} excluded" if left else ""
    return {
        "3.2.1": (f"{sentence(counted(len(people), 'person', 'people'))}{out}.{also}{simulated}", ""),
        "3.2.2": (
            _asked_for(facts),
            "Whether they are experts, and whether they and the authors know each other.",
        ),
        "3.2.3": (f"{sentence(recruited(people))}." if people else "Nobody yet.", "Where the call was published."),
        "3.2.4": _trained(facts),
        "3.2.5": _characteristics(facts),
        "3.2.6": _compensation(facts),
    }


def _asked_for(facts: StudyFacts) -> str:
    """Whom the protocol asks for, stage by stage where there are several."""
    needs = {stage.key: shown(stage.step.requires, "en").rstrip(".") for stage in facts.stages if stage.step.requires}
    if not needs:
        return ""
    if len(facts.stages) == 1:
        return f"The protocol asks for: {listed(needs.values())}."
    said = (f"At the stage {key} it asks for: {need}." for key, need in needs.items())
    return f"The protocol says who may take part. {' '.join(said)}"


def _trained(facts: StudyFacts) -> tuple[str, str]:
    if facts.people and not worked_in_studio(facts.people):
        return "They worked outside of the studio and took none of its steps.", "How they were trained and tested."
    steps = [step for step in facts.steps if step in ("guidelines", "course", "practice", "qualification")]
    text = f"Steps before the work: {listed(steps)}." if steps else "The study had no training before the work."
    if facts.qualification:
        tries = counted(facts.qualification.tries, "try", "tries")
        text += f" The qualification was passed with {percent(facts.qualification.pass_mark)}, in at most {tries}."
    return text, ""


def _characteristics(facts: StudyFacts) -> tuple[str, str]:
    found = [
        " ".join([f"{sentence(at_stages(stages))}:" if stages else "", *(f"{one.title}: {one.told}." for one in told)])
        for stages, people in groups(facts)
        if (told := [one for one in traits(people, facts.asked) if one.answered >= FEWEST])
    ]
    if found:
        return " ".join(found).strip(), ""
    why = (
        "Too few people told anything about themselves." if facts.asked else "The study asked nothing about the person."
    )
    return why, "What is known of the evaluators and may be published."


def _compensation(facts: StudyFacts) -> tuple[str, str]:
    money = facts.money
    if not money.paying:
        return "No pay is recorded in the study.", "Whether evaluators were paid elsewhere, and how much per hour."
    text = (
        f"They earned {money.sums.earned:.2f} {money.terms.currency} in all by the study's terms; recorded as paid: "
        f"{money.sums.paid + money.sums.bonuses:.2f} {money.terms.currency}."
    )
    pay = pay_by_the_hour(facts.people)
    if pay is None:
        return text, "What an hour brought: too little time was measured."
    text += f" An hour of measured work brought a median of {pay.middle:.2f} {money.terms.currency}"
    if not pay.compared:
        return f"{text}.", "How that compares with the minimum wage where they live."
    whom = f"{pay.below}" if pay.below else "none"
    return f"{text}, below the minimum wage of their country for {whom} of {pay.compared}.", ""


def _design(facts: StudyFacts) -> Answered:
    main, care = facts.main, facts.care
    ways = listed(f"{number:,} {ORIGINS.get(origin, origin)}" for origin, number in facts.origins.items())
    layout = "side by side" if facts.options.layout == "side_by_side" else "one above the other"
    return {
        "3.3.1": (
            f"The protocol is fixed by its hash ({main.protocol.hash[:12]}) from the first judgement on.",
            "Whether, where and when the study was registered.",
        ),
        "3.3.2": (f"Judgements: {ways}{_counted_too(facts)}." if ways else "There are none yet.", ""),
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
            f"{_wanted(facts)}; items were dealt in a seeded order (seed {facts.seed}), nobody judged the same item "
            f"twice{' but for hidden duplicates' if care.duplicates else ''}, and nobody saw the answers of others"
            f"{' at the same stage' if len(facts.stages) > 1 else ''}.",
            "",
        ),
    }


def _wanted(facts: StudyFacts) -> str:
    if len(facts.stages) == 1:
        return f"{sentence(counted(facts.main.overlap, 'judgement'))} per item wanted"
    each = listed(f"{spelled(stage.overlap)} at the stage {stage.key}" for stage in facts.stages)
    return f"Judgements wanted per item: {each}"


def _counted_too(facts: StudyFacts) -> str:
    """What is among all judgements beside those that results rest on."""
    kinds = ["those of planted items"] if any(stage.planted for stage in facts.stages) else []
    kinds += ["those of excluded annotators"] if any(person.excluded for person in facts.people) else []
    return f", {listed(kinds)} included" if kinds else ""


def _quality(facts: StudyFacts) -> str:
    care = facts.care
    done = []
    if care.gold:
        done.append(f"{counted(care.gold, 'item')} with a known answer handed out among the others")
    if care.duplicates:
        done.append(f"{counted(care.duplicates, 'hidden duplicate')} handed out")
    if care.reviews:
        done.append(f"{counted(sum(care.reviews.values()), 'judgement')} reviewed by a researcher")
    if facts.options.limit_per_annotator:
        done.append(f"at most {facts.options.limit_per_annotator} items per person")
    out = sum(person.excluded for person in facts.people)
    done.append(f"{counted(out, 'annotator')} excluded by decision" if out else "nobody excluded")
    return f"{sentence(listed(done))}. Patterns in everybody's answers are under Checks."


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
