"""Practice and qualification: answers to known items, and to the pairs of a course's rounds (core/qualification.py).

An answer is graded when it is kept. A pair of a course's round is scored by its agreement with the gold edits.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from django.db.models import Count, Sum

from rubrica.core import answers as answer_values
from rubrica.core import edits as edit_values
from rubrica.core import qualification
from rubrica.core.course import Course, Step, all_steps, rounds, steps_of_round
from rubrica.core.course_grading import Result, graded_step
from rubrica.core.grading import Graded, score
from rubrica.core.qualification import Exam, Known, Page, Round, grade_known, item_of
from rubrica.core.study import ANSWERED, Judgement, RefusedError
from rubrica.exchange.study_options import Options
from rubrica.language.names import base_language, told_language
from rubrica.store import models
from rubrica.store.translate import item_from, protocol_of, rules_of, validator_of

Kind = models.Attempt.Kind
WHOLE_SHARE = 100
"""A pair's agreement is kept in percent: right of so many."""


class Answered(NamedTuple):
    """An answer to a known item and how it compares. ``repeated``: it had been given before and changes nothing."""

    attempt: models.Attempt
    graded: list[Graded]
    repeated: bool = False


def practice_language(stage: models.Stage, reader: str) -> str:
    """In which language the known items are: that of the texts, as the first item tells it, else the reader's."""
    first = models.Item.objects.of_stage(stage).order_by("position").first()
    return (told_language(item_from(first).metadata) if first else "") or base_language(reader)


def known_items(stage: models.Stage, options: Options, reader: str = "") -> Known:
    """The stage's known items, by what they serve for in this study, for somebody who reads this language."""
    protocol = protocol_of(stage)
    asked = options.qualification.items if options.steps.qualification else 0
    step = rules_of(stage, protocol)
    language = practice_language(stage, reader) if reader and any(item.language for item in protocol.practice) else ""
    return qualification.known_items(protocol, step, language, practised=options.steps.practice, asked=asked)


def rounds_of(stage: models.Stage) -> Course:
    """The rounds of the qualification that the protocol's course has."""
    return rounds(protocol_of(stage).course)


def settled(stage: models.Stage, page: Page, given: Sequence[Judgement]) -> list[Judgement]:
    """What was answered to the items of a page, as work would keep it.

    Raises RefusedError with the problems of each item, by its name on the page.
    """
    checked = [validator_of(stage).check(item_of(known), said) for known, said in zip(page, given, strict=True)]
    refused = {name_on_page(number): problems for number, (_, problems) in enumerate(checked) if problems}
    if refused:
        raise RefusedError(refused)
    return [judgement for judgement, _ in checked]


def name_on_page(number: int) -> str:
    """The name of an item on its page, where a lease's public id would stand: nothing is leased here."""
    return f"i{number + 1}"


def answer(
    annotator: models.Annotator,
    stage: models.Stage,
    kind: models.Attempt.Kind,
    number: int,
    page: Page,
    given: Sequence[Judgement],
    now: datetime,
) -> list[Answered]:
    """Keep the answers to a page in this round. Raises RefusedError as work does.

    In practice other answers to the same item are kept beside them; in the qualification the first answer counts,
    whatever comes after it.
    """
    judgements, protocol = settled(stage, page, given), protocol_of(stage)
    answered = []
    with annotator.held():
        for known, judgement in zip(page, judgements, strict=True):
            graded = grade_known(protocol, rules_of(stage, protocol), known, judgement)
            points = score(graded)
            place = {"annotator": annotator, "stage": stage, "kind": kind, "round": number, "item": known.id}
            said = {"outcome": judgement.outcome, "answers": answer_values.to_json(judgement.answers)}
            last = models.Attempt.objects.filter(**place).last()
            if last is not None and kind == Kind.PRACTICE and (last.outcome, last.answers) != tuple(said.values()):
                last = None
            made = last or models.Attempt.objects.create(
                **place, **said, right=points.right, graded=points.graded, at=now
            )
            answered.append(Answered(made, graded, repeated=last is not None))
    return answered


def practised(annotator: models.Annotator, stage: models.Stage) -> dict[int, dict[str, models.Attempt]]:
    """By round, the last answer to each practice item."""
    found: dict[int, dict[str, models.Attempt]] = {}
    for attempt in models.Attempt.objects.filter(annotator=annotator, stage=stage, kind=Kind.PRACTICE):
        found.setdefault(attempt.round, {})[attempt.item] = attempt
    return found


def exam(annotator: models.Annotator, stage: models.Stage, options: Options) -> Exam:
    """Where the annotator stands in the qualification of this stage."""
    return exams([annotator], stage, options)[annotator.pk]


def exams(people: Sequence[models.Annotator], stage: models.Stage, options: Options) -> dict[int, Exam]:
    """The same of several annotators at once, by row number.

    What was done of a course's rounds at another stage of the study counts, because it is the same course.
    """
    sets, protocol = rounds_of(stage), protocol_of(stage)
    items = {one: known_items(stage, options, one).qualification for one in {person.language for person in people}}
    every = [item for known in items.values() for item in known]
    rows = models.Attempt.objects.filter(annotator__in=people, kind=Kind.QUALIFICATION)
    if sets:
        rows = rows.filter(item__in=[step.id for step in all_steps(sets)])
    else:
        rows = rows.filter(stage=stage, item__in=[item.id for item in protocol.practice])
    counted = rows.order_by("round").values_list("annotator", "round")
    found: dict[int, list[Round]] = {person.pk: [] for person in people}
    reads = {person.pk: person.language for person in people}
    for person, number, said, right, graded in counted.annotate(Count("pk"), Sum("right"), Sum("graded")):
        size = len(steps_of_round(sets, number) if sets else items[reads[person]])
        found[person].append(Round(number, said, size, right, graded))
    step, rules = rules_of(stage, protocol), options.qualification
    # What cannot be answered wrongly is not graded either: of short answers every other word may be as good.
    gradable = bool(sets) or any(score(grade_known(protocol, step, one, Judgement())).graded for one in every)
    taught = max(1, len(sets))
    return {pk: Exam(tried, rules.tries, rules.pass_mark, gradable, taught) for pk, tried in found.items()}


def in_round(annotator: models.Annotator, stage: models.Stage, number: int) -> dict[str, models.Attempt]:
    """What was answered in a round of the qualification, by item or pair; a course's rounds are one for all stages."""
    rows = models.Attempt.objects.filter(annotator=annotator, kind=Kind.QUALIFICATION, round=number)
    return {attempt.item: attempt for attempt in (rows if rounds_of(stage) else rows.filter(stage=stage))}


def answer_pair(
    annotator: models.Annotator, stage: models.Stage, number: int, step: Step, given: Judgement, now: datetime
) -> Result:
    """Keep the annotation of a pair in this round: the first counts. Raises InputError if it is not finished."""
    result = graded_step(protocol_of(stage), step, given)
    with annotator.held():
        if step.id not in in_round(annotator, stage, number):
            models.Attempt.objects.create(
                annotator=annotator,
                stage=stage,
                kind=Kind.QUALIFICATION,
                round=number,
                item=step.id,
                outcome=ANSWERED,
                edits=[edit_values.to_json(edit) for edit in given.edits],
                right=round(result.share * WHOLE_SHARE),
                graded=WHOLE_SHARE,
                at=now,
            )
    return result
