"""The desk: all that one page of judging shows, as plain frozen data, whatever it is filled from.

Work, practice, qualification, a researcher's trial and the preview of a protocol are five ways to fill it. A group of
items (three words of a context) is one desk with one block per item. ``annotate/desk.html`` draws it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _

from rubrica.core import answers as answer_values
from rubrica.core.answers import Answers, NotApplicable
from rubrica.core.edit_overlay import Overlay
from rubrica.core.edits import Edit
from rubrica.core.errors import Problem
from rubrica.core.protocol import UNCOMFORTABLE, Protocol
from rubrica.core.study import ANSWERED, Item
from rubrica.core.texts import shown
from rubrica.core.validation import Validator
from rubrica.studio.annotate.desk_edits import (
    ShownEdits,
    ShownOperation,
    build_edits,
    item_data,
    scheme_data,
    without_edited,
)
from rubrica.studio.annotate.desk_messages import edit_messages, messages
from rubrica.studio.annotate.desk_overlay import overlay_data, overlay_messages
from rubrica.studio.annotate.desk_questions import Asking, ShownQuestion, build_questions
from rubrica.studio.annotate.desk_texts import ShownText, Texts, build_texts, reading_order
from rubrica.studio.annotate.remark_texts import problem_text
from rubrica.studio.formats import listed

_IN_SCRIPT = {ord(character): f"\\u{ord(character):04x}" for character in "<>&\u2028\u2029"}
MODES = ("work", "course", "practice", "qualification", "trial", "preview")


@dataclass(frozen=True, kw_only=True)
class Entry:
    """An item on the desk. ``lease`` is the lease's public id, or any id of [a-z0-9] where nothing is leased.

    ``proposed`` are suggested edits, of which ``became`` says which edit was made of each, or nothing if none was, and
    ``together``, of those that were accepted all at once, whether each was looked at since.
    ``key`` makes a form that is sent twice without script one revision; ``problems`` are shown at their questions.
    ``overlay`` is what several people marked, where it is to be settled; ``settled`` says that it was submitted once.
    """

    lease: str
    item: Item
    answers: Answers = field(default_factory=dict)
    edits: tuple[Edit, ...] = ()
    proposed: tuple[Edit, ...] = ()
    became: Mapping[str, str] = field(default_factory=dict)
    together: Mapping[str, bool] = field(default_factory=dict)
    overlay: Overlay | None = None
    settled: bool = False
    outcome: str = ANSWERED
    base: int = 0
    key: str = ""
    problems: Sequence[Problem] = ()


@dataclass(frozen=True, kw_only=True)
class Addresses:
    """Where things of the page lead. ``form`` takes the form without script, ``submit`` the JSON of the script."""

    form: str
    submit: str
    save: str = ""
    hints: str = ""
    next: str = ""
    previous: str = ""
    guide: str = ""
    guide_page: str = ""
    back: str = ""


@dataclass(frozen=True)
class Progress:
    """How far one is: on page ``number`` of ``total``; ``about`` if nobody can know the total yet."""

    number: int
    total: int
    about: bool = False


@dataclass(frozen=True)
class ShownWayOut:
    """A way to end the page without answering. ``chosen``: it is how the page ended last time."""

    id: str
    label: str
    meaning: str
    chosen: bool = False


@dataclass(frozen=True)
class Block:
    """One item of the page: its own texts and its questions. ``name`` tells it apart in a group."""

    lease: str
    number: int
    name: str
    texts: tuple[ShownText, ...]
    questions: tuple[ShownQuestion, ...]
    not_applicable: tuple[str, ...]
    rule_notes: tuple[str, ...]
    base: int
    key: str
    problems: tuple[str, ...]
    edits: ShownEdits | None = None


@dataclass(frozen=True, kw_only=True)
class Desk:
    """One page of judging. ``language`` is that of the protocol's texts, which may not be the interface's."""

    mode: str
    token: str
    title: str
    language: str
    layout: str
    addresses: Addresses
    progress: Progress | None
    texts: tuple[ShownText, ...]
    has_differences: bool
    blocks: tuple[Block, ...]
    ways_out: tuple[ShownWayOut, ...]
    data: Mapping[str, Any]

    @property
    def id(self) -> str:
        """The id of its first lease."""
        return self.blocks[0].lease

    @property
    def data_json(self) -> str:
        """The data for the script, safe inside a script element: nothing in it can end one."""
        return mark_safe(json.dumps(self.data, ensure_ascii=False).translate(_IN_SCRIPT))  # noqa: S308

    @property
    def grouped(self) -> bool:
        """Whether several items are judged on it."""
        return len(self.blocks) > 1

    @property
    def marks_edits(self) -> bool:
        """Whether edits are marked or judged on it, for which there are further scripts."""
        return any(block.edits for block in self.blocks)

    @property
    def settles_edits(self) -> bool:
        """Whether edits of several people are settled on it."""
        return any(block.edits and block.edits.people for block in self.blocks)

    @property
    def suggests_edits(self) -> bool:
        """Whether edits may be suggested on it."""
        return any(block.edits and block.edits.suggests for block in self.blocks)

    @property
    def edit_keys(self) -> tuple[ShownOperation, ...]:
        """The operations and the letters that make them; nothing where edits are fixed."""
        edits = self.blocks[0].edits
        return edits.operations if edits and not edits.fixed else ()

    @property
    def has_pair(self) -> bool:
        """Whether there are two texts to compare, which could stand side by side."""
        return sum(text.role in ("source", "rewrite", "reference") for text in self.texts) > 1

    @property
    def only_blank(self) -> bool:
        """Whether nothing stands in the way but boxes left blank, which may mean that there is none."""
        wrong = [question for block in self.blocks for question in block.questions if question.problem]
        return bool(wrong) and all(question.left_blank for question in wrong) and len(wrong) == self.problem_count

    @property
    def problem_count(self) -> int:
        """How many things stand in the way of submitting."""
        return sum(
            len(block.problems) + sum(bool(question.problem) for question in block.questions) for block in self.blocks
        )


def build_desk(
    validator: Validator,
    entries: Sequence[Entry],
    *,
    mode: str,
    addresses: Addresses,
    language: str,
    title: str,
    progress: Progress | None = None,
    token: str = "",
    layout: str = "stacked",
) -> Desk:
    """Everything that one page shows.

    ``validator`` is that of the stage (``store.translate.validator_of(stage)``, or ``Validator(protocol, step)`` with
    a *resolved* protocol); ``entries`` are the items of the page, at least one. ``language`` is the annotator's:
    where the protocol has it not, its texts come in the protocol's own. Draw it with
    ``{% include "annotate/desk.html" %}`` and ``desk`` in the context.
    """
    if mode not in MODES:
        raise ValueError(f"{mode!r} is no mode of a desk; use one of {', '.join(MODES)}")
    protocol = validator.protocol
    spoken = spoken_language(protocol, language)
    entries = [entries[index] for index in reading_order(protocol, [entry.item for entry in entries])]
    texts = build_texts(protocol, [entry.item for entry in entries], spoken)
    if validator.edits is not None:
        texts = Texts(without_edited(texts.shared), tuple(map(without_edited, texts.own)), has_differences=False)
    blocks = tuple(
        _block(validator, entry, number, own, spoken)
        for number, (entry, own) in enumerate(zip(entries, texts.own, strict=True), start=1)
    )
    return Desk(
        mode=mode,
        token=token,
        title=title,
        language=spoken,
        layout=layout,
        addresses=addresses,
        progress=progress,
        texts=texts.shared,
        has_differences=texts.has_differences,
        blocks=blocks,
        ways_out=ways_out(protocol, spoken, entries[0].outcome),
        data=_data(validator, entries, spoken),
    )


def spoken_language(protocol: Protocol, language: str) -> str:
    """The language in which the protocol's texts are shown: the one asked for, a wider one, or the protocol's own."""
    known = {*protocol.languages, *protocol.partly_translated}
    candidate = language
    while candidate and candidate not in known:
        candidate = candidate.rpartition("-")[0]
    return candidate or protocol.fallback


def _block(validator: Validator, entry: Entry, number: int, own: tuple[ShownText, ...], language: str) -> Block:
    by_question = {problem.question: problem_text(problem, validator.protocol) for problem in reversed(entry.problems)}
    asking = Asking(validator, entry.item, entry.lease, entry.answers, by_question, language)
    questions = build_questions(asking)
    drawn = {question.id for question in questions.asked if question.visible}
    elsewhere = [text for question, text in by_question.items() if question not in drawn]
    return Block(
        entry.lease,
        number,
        listed(text.plain for text in own),
        own,
        questions.asked,
        questions.not_applicable,
        questions.rule_notes,
        entry.base,
        entry.key,
        tuple(dict.fromkeys(elsewhere)),
        build_edits(asking, entry.edits, entry.overlay),
    )


def ways_out(protocol: Protocol, language: str, outcome: str = ANSWERED) -> tuple[ShownWayOut, ...]:
    """The protocol's ways out, and the one that everybody always has."""
    own = [
        ShownWayOut(w.id, shown(w.label, language), shown(w.meaning, language), w.id == outcome)
        for w in protocol.ways_out
    ]
    rather_not = ShownWayOut(
        UNCOMFORTABLE,
        _("I would rather not judge this one"),
        _("Somebody else gets it. You lose nothing, and you need not say why."),
        outcome == UNCOMFORTABLE,
    )
    return (*own, rather_not)


def _data(validator: Validator, entries: Sequence[Entry], language: str) -> dict[str, Any]:
    """What the script is told: texts, and the answers so far with those that rules gave."""
    answers = {}
    for entry in entries:
        plan = validator.plan(entry.item)
        given = {name: value for name, value in entry.answers.items() if not isinstance(value, NotApplicable)}
        preset = {name: value for name, (value, _rule) in plan.preset.items()}
        answers[entry.lease] = answer_values.to_json({**given, **preset})
    data: dict[str, Any] = {
        "messages": messages(),
        "answers": answers,
        "outcome": {entry.lease: entry.outcome for entry in entries},
    }
    scheme = scheme_data(validator, language)
    if scheme is not None:
        data["messages"] |= edit_messages()
        data["scheme"] = scheme
        data["items"] = {
            entry.lease: item_data(entry.item, entry.edits, entry.proposed, entry.became, entry.together)
            for entry in entries
        }
        for entry in entries:
            if entry.overlay is not None:
                data["messages"] |= overlay_messages()
                data["items"][entry.lease]["overlay"] = overlay_data(entry.overlay, settled=entry.settled)
    return data
