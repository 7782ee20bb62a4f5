"""Simulated annotators: valid judgements from a seed, for demonstrations, tests and benchmarks.

Never mixed with people's judgements unawares: their names begin with :data:`SIMULATED`, and whatever shows their work
says by :func:`simulated_among` that all or some annotators are simulated.
"""

from __future__ import annotations

import difflib
import random
import re
from collections.abc import Iterable, Sequence

import attrs

from rubrica.core.answers import Answer
from rubrica.core.conditions import on_answers, reads_the_same
from rubrica.core.edits import Edit, Span
from rubrica.core.protocol import Protocol, Question, Stage
from rubrica.core.scales import MAX_TEXT, Choices, FreeText, RewrittenText, ShortAnswers, Slider, is_text
from rubrica.core.study import Item, Judgement
from rubrica.core.validation import Validator

SIMULATED = "simulated_"
"""How the names of simulated annotators begin."""
ALL, SOME = "all", "some"
_REMARKS = ("Clear case.", "I hesitated between two answers.", "The last part reads oddly.")
_WORD = re.compile(r"\S+")
_RUNS = re.compile("[\u3400-\u9fff々]+|[\u30a1-\u30ffー]+")
_HIRAGANA = re.compile("[\u3041-\u309f]+")
"""Han and katakana: the nearest to words where nothing parts them. Hiragana between them are endings and particles."""


def simulated_among(names: Iterable[str]) -> str:
    """Whether ``all`` annotators of these names are simulated, ``some``, or (an empty text) none."""
    found = {name.startswith(SIMULATED) for name in names}
    return "" if True not in found else SOME if False in found else ALL


def _words(text: str) -> list[str]:
    return _RUNS.findall(text) or _HIRAGANA.findall(text) or text.split()


class Simulator:
    """One simulated annotator of a protocol at a stage."""

    def __init__(self, protocol: Protocol, stage: Stage, seed: str) -> None:
        self.protocol = protocol
        self.stage = stage
        self.rng = random.Random(f"simulate:{seed}")
        self.validator = Validator(protocol, stage)

    def judge(self, item: Item, right: Judgement | None = None, edits: Sequence[Edit] = ()) -> Judgement:
        """A valid judgement of the item: mostly the right one where it is known, otherwise at random.

        ``edits`` are those to start from, with what is answered about them already.
        """
        if right is not None and self.rng.random() < 0.7 and not self.validator.problems(item, right):
            return self.validator.settle(item, right)
        answers: dict[str, Answer] = {}
        for question in self.protocol.questions:
            wanted = question.required or self.rng.random() < 0.15
            if wanted and question in self.validator.shown(item, answers):
                answers[question.id] = self.answer(question, item)
        judgement = Judgement(answers, self._edits(item, edits) if self.stage.edits != "none" else ())
        return self.validator.settle(item, judgement)

    def answer(self, question: Question, item: Item) -> Answer:
        """A valid answer to the question, at random."""
        scale = self.protocol.scale_of(question)
        if isinstance(scale, Choices):
            count = self.rng.randint(scale.minimum, min(scale.maximum, max(scale.minimum, 2)))
            chosen = set(self.rng.sample(scale.values(), count))
            return tuple(value for value in scale.values() if value in chosen)
        if isinstance(scale, ShortAnswers):
            return self._short_answers(scale, item)
        if isinstance(scale, RewrittenText):
            rewrite = self._rewrite(item.fields.get(scale.starts_from, "")[: MAX_TEXT // 2], scale)
            kept = any(reads_the_same(rewrite, item.fields.get(name, "")) for name in scale.differs_from)
            return " ".join(["This was simulated."] * max(1, scale.minimum_sentences)) if kept else rewrite
        if isinstance(scale, FreeText):
            return self.rng.choice(_REMARKS)
        values = scale.values()
        if isinstance(scale, Slider) and not values:
            return scale.at(self.rng.randint(0, scale.steps))
        answer: Answer = self.rng.choice(values)
        return answer

    def _short_answers(self, scale: ShortAnswers, item: Item) -> Answer:
        """Words of the item itself: nothing is invented, and it shows that they are simulated."""
        found = {word.strip(".,;:!?").lower()[:100] for text in item.fields.values() for word in _words(text)}
        words = sorted(filter(is_text, found))
        if scale.none and (self.rng.random() < 0.1 or len(words) < scale.minimum):
            return ()
        words += [f"simulated {number}" for number in range(len(words), scale.minimum)]
        return tuple(self.rng.sample(words, min(len(words), self.rng.randint(scale.minimum, scale.maximum))))

    def _rewrite(self, text: str, scale: RewrittenText) -> str:
        """The text cut into as many sentences as wanted, else with its last word left out."""
        words, sentences = text.rstrip(".!? ").split() or ["Nothing"], scale.minimum_sentences
        size = max(1, len(words) // sentences)
        parts = [words[i * size : (i + 1) * size if i + 1 < sentences else None] for i in range(sentences)]
        if sentences < 2:
            parts = [words[:-1] or words]
        cut = [" ".join(part) for part in parts if part]
        rewrite = " ".join(f"{piece[0].upper()}{piece[1:]}." for piece in cut)
        return rewrite if scale.test()(rewrite) else "\n".join(["A simulated sentence."] * sentences)

    def _edits(self, item: Item, given: Sequence[Edit]) -> tuple[Edit, ...]:
        edits = list(given) or _by_comparison(item)
        known = self.protocol.edits.by_id if self.protocol.edits else {}
        return tuple(
            edit if edit.parent else attrs.evolve(edit, answers=self._tree(edit))
            for edit in edits
            if edit.operation in known
        )

    def _tree(self, edit: Edit) -> dict[str, Answer]:
        assert self.protocol.edits is not None
        operation = self.protocol.edits.by_id[edit.operation]
        answers: dict[str, Answer] = {**operation.preset, **edit.answers}
        for question in self.protocol.edits.questions_for(edit.operation):
            if not self.validator.asks(question) or question.id in answers:
                continue
            if question.when is None or on_answers(question.when)(answers):
                answers[question.id] = self.answer(question, Item("", {}))
        return answers


def _by_comparison(item: Item) -> list[Edit]:
    """Word-by-word differences as deletions, insertions and substitutions."""
    source, rewrite = item.fields.get("source", ""), item.fields.get("rewrite", "")
    old, new = list(_WORD.finditer(source)), list(_WORD.finditer(rewrite))
    matcher = difflib.SequenceMatcher(None, [word[0] for word in old], [word[0] for word in new], autojunk=False)
    edits: list[Edit] = []
    for tag, i1, i2, j1, j2 in matcher.get_opcodes():
        if tag == "equal":
            continue
        operation = {"delete": "deletion", "insert": "insertion", "replace": "substitution"}[tag]
        edits.append(
            Edit(
                str(len(edits) + 1),
                operation,
                (Span(old[i1].start(), old[i2 - 1].end()),) if i2 > i1 else (),
                (Span(new[j1].start(), new[j2 - 1].end()),) if j2 > j1 else (),
            )
        )
    return edits
