"""One validator: a protocol and a judgement give every problem found.

A validator is built once per protocol and stage. Item rules are settled into a plan (which questions are asked,
preset, dropped), plans are kept, and each question's scale and condition are compiled to plain functions, so
that judgements by the hundred thousand can be checked while they are read.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from rubrica.core.answers import NOT_APPLICABLE, Answer, Answers, different, simpler_words
from rubrica.core.conditions import Case, on_answers, on_case, questions_in, reads_the_same
from rubrica.core.edit_validation import EditValidator
from rubrica.core.errors import Problem
from rubrica.core.protocol import Protocol, Question, Rule, Stage
from rubrica.core.scales import FreeText, RewrittenText, Scale, ShortAnswers, is_text
from rubrica.core.study import ANSWERED, Item, Judgement
from rubrica.core.target_words import forms_of
from rubrica.core.text_helpers import shortened
from rubrica.core.verdicts import of_judgement

_MISSING: Any = object()
UNCHANGED, SAME_TEXT = "unchanged", "same_text"
"""Rules: a text that had to change and did not; one that is the same as another, which may be meant so."""


class Asked(NamedTuple):
    """A question as it is asked about one item: compiled, with the rule that changed it, if any."""

    id: str
    accepts: Callable[[Any], bool]
    shown: Callable[[Answers], bool] | None
    required: bool
    question: Question
    scale: Scale


class Plan(NamedTuple):
    """What is asked about items to which the same rules apply."""

    rules: tuple[Rule, ...]
    asked: tuple[Asked, ...]
    preset: dict[str, tuple[Answer, Rule]]
    dropped: dict[str, Rule]


class Checked(NamedTuple):
    """What a page says as it is kept, and every problem with it."""

    judgement: Judgement
    problems: list[Problem]


class Validator:
    """Checks judgements of one protocol, at one stage of it or (without a stage) at all of it."""

    def __init__(self, protocol: Protocol, stage: Stage | None = None) -> None:
        self.protocol = protocol
        self.stage = stage
        self._applies = [on_case(rule.condition) for rule in protocol.rules]
        self._plans: dict[tuple[int, ...], Plan] = {}
        self._latest: tuple[Item | None, Plan] = (None, Plan((), (), {}, {}))
        marks_edits = protocol.edits is not None and (stage is None or stage.edits != "none")
        self.edits = EditValidator(protocol, stage) if marks_edits else None
        self.suggests = self.edits is not None and stage is not None and stage.suggest
        self.asked_ids = frozenset(question.id for question in protocol.questions if self.asks(question))
        self._ways_out = frozenset(protocol.all_ways_out())
        self._keywords = {way.keyword.casefold(): way.id for way in protocol.ways_out if way.keyword}
        self._rewrites = [
            question.id
            for question in protocol.questions
            if self.asks(question) and isinstance(protocol.scale_of(question), RewrittenText)
        ]
        self._presets = any(rule.preset for rule in protocol.rules)
        self._only_by_rule = {name for rule in protocol.rules for name in rule.ask}
        self._short_answers = {one.id for one in protocol.questions if isinstance(protocol.scale_of(one), ShortAnswers)}
        self._remarks = {
            question.id
            for question in protocol.questions
            if not question.required and isinstance(protocol.scale_of(question), FreeText) and self.asks(question)
        }

    def asks(self, question: Question) -> bool:
        """Whether the stage asks this question."""
        return self.stage is None or self.stage.asks is None or question.id in self.stage.asks

    def plan(self, item: Item) -> Plan:
        """What is asked about this item."""
        if item is self._latest[0]:
            return self._latest[1]
        rules = self.protocol.rules
        case = Case({}, item.fields)
        key = tuple(index for index, applies in enumerate(self._applies) if applies(case))
        plan = self._plans.get(key)
        if plan is None:
            plan = self._plans[key] = self._make_plan(tuple(rules[index] for index in key))
        self._latest = (item, plan)
        return plan

    def _make_plan(self, rules: tuple[Rule, ...]) -> Plan:
        dropped = {name: rule for rule in rules for name in rule.drop}
        preset = {name: (value, rule) for rule in rules for name, value in rule.preset.items() if name not in dropped}
        added = {name for rule in rules for name in rule.ask}
        questions = [
            question
            for question in self.protocol.questions
            if self.asks(question) and (question.id not in self._only_by_rule or question.id in added)
        ]
        names = {question.id for question in questions}
        return Plan(
            rules,
            tuple(
                self._compile(question)
                for question in questions
                if question.id not in preset and question.id not in dropped
            ),
            {name: pair for name, pair in preset.items() if name in names},
            {name: rule for name, rule in dropped.items() if name in names},
        )

    def _compile(self, question: Question) -> Asked:
        scale = self.protocol.scale_of(question)
        return Asked(
            question.id,
            scale.test(),
            on_answers(question.when) if question.when else None,
            question.required,
            question,
            scale,
        )

    def by_keyword(self, judgement: Judgement) -> Judgement:
        """The judgement as its way out, if the keyword of one was typed in place of a rewrite."""
        if self._keywords and judgement.outcome == ANSWERED:
            for name in self._rewrites:
                typed = judgement.answers.get(name)
                way = self._keywords.get(typed.strip().strip(".").casefold()) if isinstance(typed, str) else None
                if way is not None:
                    others = {other: value for other, value in judgement.answers.items() if other != name}
                    return Judgement(others, judgement.edits, way)
        return judgement

    def settle(self, item: Item, judgement: Judgement) -> Judgement:
        """The judgement as it is kept: typed keywords as ways out, preset answers in, dropped ones not applicable.

        Lines end as ours do, and short answers are without spaces around them and each once, whoever sent them.
        """
        judgement = self.by_keyword(judgement)
        words = self._short_answers
        answers: Answers = {name: _written(value, name in words) for name, value in judgement.answers.items()}
        if judgement.outcome != ANSWERED:
            return Judgement(answers, judgement.edits, judgement.outcome)
        plan = self.plan(item)
        if plan.preset or plan.dropped:
            answers = {
                **{name: value for name, (value, _) in plan.preset.items()},
                **dict.fromkeys(plan.dropped, NOT_APPLICABLE),
                **answers,
            }
        edits = self.edits.settle(judgement.edits) if self.edits else judgement.edits
        return Judgement(answers, edits, judgement.outcome)

    def fixed(self, item: Item) -> frozenset[str]:
        """Questions about this item whose answers a rule gives, and verdicts that follow from these alone.

        Nothing of an item whose texts are not known: a file may have come without them.
        """
        if not self._presets or any(field.required and not item.fields.get(field.id) for field in self.protocol.fields):
            return frozenset()
        preset = {name: value for name, (value, _) in self.plan(item).preset.items()}
        if not preset:
            return frozenset()
        unanswered = dict.fromkeys(self.protocol.questions_by_id, NOT_APPLICABLE)
        alone = of_judgement(self.protocol, item, Judgement({**unanswered, **preset}))
        hanging = {verdict.id for verdict in self.protocol.verdicts if preset.keys() & set(questions_in(verdict.when))}
        return frozenset(preset) | (alone.keys() & hanging)

    def shown(self, item: Item, answers: Answers) -> list[Question]:
        """The questions an annotator sees, given the answers so far; locked and dropped ones left out."""
        plan = self.plan(item)
        seen = _as_ruled(plan, answers)
        return [asked.question for asked in plan.asked if asked.shown is None or asked.shown(seen)]

    def words(self, item: Item, judgement: Judgement) -> dict[str, tuple[str, ...]]:
        """Answers in words as results have them, without the word itself, by question.

        Where blank is an answer, no word left is one, too: none is simpler. It is none where the question was hidden.
        """
        found: dict[str, tuple[str, ...]] = {}
        if judgement.outcome != ANSWERED or not self._short_answers:
            return found
        plan, target = self.plan(item), forms_of(self.protocol, item)
        for asked in plan.asked:
            scale, answer = asked.scale, judgement.answers.get(asked.id)
            if not isinstance(scale, ShortAnswers) or answer is NOT_APPLICABLE:
                continue
            blank = scale.none is not None and (asked.shown is None or asked.shown(_as_ruled(plan, judgement.answers)))
            if answer is not None or blank:
                found[asked.id] = simpler_words(answer, *(target if scale.none is not None else ()))
        return found

    def tidy(self, item: Item, judgement: Judgement) -> Judgement:
        """The judgement without answers to questions that are hidden: those of a page that changed its mind."""
        judgement = self.by_keyword(judgement)
        answers = dict(judgement.answers)
        if judgement.outcome != ANSWERED:
            kept = {name: value for name, value in answers.items() if name in self._remarks and is_text(value)}
            return Judgement(kept, (), judgement.outcome)
        plan = self.plan(item)
        while True:
            seen = _as_ruled(plan, answers)
            hidden = [asked.id for asked in plan.asked if asked.id in answers and asked.shown and not asked.shown(seen)]
            if not hidden:
                edits = self.edits.tidy(judgement.edits) if self.edits else judgement.edits
                return Judgement(answers, edits, judgement.outcome)
            for name in hidden:
                del answers[name]

    def check(self, item: Item, judgement: Judgement) -> Checked:
        """What a page says, in work, practice or a trial, as it is kept: tidied, settled, with all its problems."""
        settled = self.settle(item, self.tidy(item, judgement))
        return Checked(settled, self.problems(item, settled))

    def problems(self, item: Item, judgement: Judgement, *, complete: bool = True) -> list[Problem]:
        """Every problem with a judgement of this item. A draft (``complete=False``) may have gaps."""
        if judgement.outcome != ANSWERED:
            return self._way_out_problems(judgement)
        plan = self._plans[()] if not self.protocol.rules and () in self._plans else self.plan(item)
        answers = judgement.answers
        seen = _as_ruled(plan, answers) if plan.rules else answers
        found: list[Problem] = []
        matched = 0
        for asked in plan.asked:
            value = answers.get(asked.id, _MISSING)
            if asked.shown is not None and not asked.shown(seen):
                if value is not _MISSING:
                    matched += 1
                    found.append(_not_shown(asked.question, value))
            elif value is _MISSING:
                if asked.required and complete:
                    found.append(_missing(asked))
            else:
                matched += 1
                if not asked.accepts(value):
                    found.append(_outside(asked, value, self.protocol))
                elif asked.id in self._rewrites and (field := self._same(asked.scale, "differs_from", value, item)):
                    found.append(_unchanged(asked.id, field, value))
        for name, (fixed, rule) in plan.preset.items():
            if name in answers:
                matched += 1
                if type(answers[name]) is not type(fixed) or answers[name] != fixed:
                    found.append(_against_preset(name, fixed, rule, answers[name]))
        for name, rule in plan.dropped.items():
            if name in answers:
                matched += 1
                if answers[name] is not NOT_APPLICABLE:
                    found.append(_against_drop(name, rule, answers[name]))
        if matched != len(answers):
            found += self._unknown(plan, answers)
        if self.edits is not None:
            found += self.edits.problems(item, judgement.edits, complete=complete)
        elif judgement.edits:
            found.append(
                Problem(
                    what=f"{self.protocol.id} has no edits" + (f" at {self.stage.id}" if self.stage else ""),
                    rule="edits",
                    fix="Remove the edits.",
                    value=len(judgement.edits),
                )
            )
        return found

    def questions(self, item: Item, judgement: Judgement) -> list[Problem]:
        """Valid answers to ask about: a text that reads the same as one that it should replace may be meant so."""
        if judgement.outcome != ANSWERED:
            return []
        scales = {name: self.protocol.scale_of(self.protocol.questions_by_id[name]) for name in self._rewrites}
        same = {
            name: self._same(scale, "asks_if_same", judgement.answers.get(name), item) for name, scale in scales.items()
        }
        fix = "Leave it if that is what is meant; else change it."
        return [
            Problem(what=f"{name} is the same as {field}", rule=SAME_TEXT, question=name, value=field, fix=fix)
            for name, field in same.items()
            if field
        ]

    @staticmethod
    def _same(scale: Scale, which: str, value: Any, item: Item) -> str:
        """The first of the scale's fields of this kind that reads as the answer does; none if nothing does."""
        fields: tuple[str, ...] = getattr(scale, which)
        if not fields or not isinstance(value, str):
            return ""
        return next((name for name in fields if reads_the_same(value, item.fields.get(name, ""))), "")

    def _unknown(self, plan: Plan, answers: Answers) -> list[Problem]:
        known = {asked.id for asked in plan.asked} | plan.preset.keys() | plan.dropped.keys()
        found = []
        for name in answers:
            if name in known:
                continue
            question = self.protocol.questions_by_id.get(name)
            if question is not None and not question.operations:
                found.append(_not_shown(question, answers[name]))
            else:
                listed = ", ".join(sorted(known))
                found.append(
                    Problem(
                        what=f"there is no question {name!r}",
                        rule="unknown_question",
                        question=name,
                        value=answers[name],
                        fix=f"Questions here: {listed}.",
                    )
                )
        return found

    def _way_out_problems(self, judgement: Judgement) -> list[Problem]:
        """A way out takes no answers but free remarks, which say why."""
        found = []
        if judgement.outcome not in self._ways_out:
            found.append(
                Problem(
                    what=f"there is no way out {judgement.outcome!r}",
                    rule="way_out",
                    value=judgement.outcome,
                    fix=f"Use one of {', '.join(sorted(self._ways_out))}, or answer the questions.",
                )
            )
        for name, value in judgement.answers.items():
            if name not in self._remarks or not is_text(value):
                found.append(
                    Problem(
                        what=f"{name} is answered although the item was left by the way out {judgement.outcome!r}",
                        rule="way_out",
                        question=name,
                        value=value,
                        fix="Remove the answer, or the way out.",
                    )
                )
        if judgement.edits:
            found.append(
                Problem(
                    what="there are edits although the item was left by a way out",
                    rule="way_out",
                    value=len(judgement.edits),
                    fix="Remove the edits, or the way out.",
                )
            )
        return found


def _written(value: Answer, short: bool) -> Answer:
    """An answer as it is kept. One that is of no kind at all stays, to be refused."""
    if type(value) is str:
        return value.replace("\r\n", "\n")
    if short and type(value) is tuple and all(type(part) is str for part in value):
        return different(value)
    return value


def _as_ruled(plan: Plan, answers: Answers) -> Answers:
    """The answers that conditions look at: preset ones given, dropped ones gone."""
    given = {name: value for name, value in answers.items() if name not in plan.dropped}
    return {**given, **{name: value for name, (value, _) in plan.preset.items()}}


def _missing(asked: Asked) -> Problem:
    fix = f"Answer it with {asked.scale.expects()}."
    if isinstance(asked.scale, ShortAnswers) and asked.scale.none:
        fix = f"{fix} Blank must be said: as an empty list ([])."
    return Problem(what=f"{asked.id} is not answered", rule="required", question=asked.id, fix=fix)


def _outside(asked: Asked, value: Any, protocol: Protocol) -> Problem:
    fix = f"Use {asked.scale.expects()}."
    if isinstance(asked.scale, RewrittenText) and asked.scale.minimum_sentences > 1 and is_text(value):
        ways = ", ".join(protocol.all_ways_out())
        fix = f"Write {asked.scale.expects()}, or choose a way out: {ways}."
    return Problem(
        what=f"{asked.id} is {_short(value)}, which is not {asked.scale.expects()}",
        rule="scale",
        question=asked.id,
        value=value,
        fix=fix,
    )


def _unchanged(name: str, field: str, value: Any) -> Problem:
    return Problem(
        what=f"{name} is the same as {field}: nothing was changed",
        rule=UNCHANGED,
        question=name,
        value=value,
        fix="Change the text, or answer differently.",
    )


def _not_shown(question: Question, value: Any) -> Problem:
    return Problem(
        what=f"{question.id} is answered with {_short(value)} but is not asked here",
        rule="not_shown",
        question=question.id,
        value=value,
        fix="Remove the answer, or change the answer that this question depends on.",
    )


def _against_preset(name: str, fixed: Any, rule: Rule, value: Any) -> Problem:
    return Problem(
        what=f"{name} is {_short(value)}, but the rule {rule.id!r} fixes it at {_short(fixed)} for this item",
        rule=f"rule:{rule.id}",
        question=name,
        value=value,
        fix=f"Leave it at {_short(fixed)}.",
    )


def _against_drop(name: str, rule: Rule, value: Any) -> Problem:
    return Problem(
        what=f"{name} is {_short(value)}, but by the rule {rule.id!r} it is not applicable to this item",
        rule=f"rule:{rule.id}",
        question=name,
        value=value,
        fix="Remove the answer.",
    )


def _short(value: Any) -> str:
    return shortened(repr(value), 60)
