"""Whatever a template or a data file holds: it is refused in words, or nothing of it is lost."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rubrica.core.errors import InputError, Problem
from rubrica.core.study import Judgement
from rubrica.exchange.thresh.answers import names_of
from rubrica.exchange.thresh.entries import item_of
from rubrica.exchange.thresh.json_layout import COMPACT, Layout, parse_one
from rubrica.exchange.thresh.template import read_template
from rubrica.exchange.thresh.template_protocol import convert_template
from rubrica.exchange.thresh.writing import EntryWriter, Judged
from tests.exchange.thresh.data import bakery, reader
from tests.length import either

PROTOCOL = bakery()
READER = reader(PROTOCOL)
WRITER = EntryWriter(names_of(PROTOCOL), "utf16")
STORED = Layout(indent=COMPACT, ascii=False)

TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=12)
SCALARS = st.none() | st.booleans() | st.integers(-5, 40) | TEXTS
ANYTHING: st.SearchStrategy[Any] = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3), max_leaves=8
)
WORDS = st.sampled_from(
    [
        "yes",
        "no",
        "needed",
        "spare",
        "half-needed",
        "seen",
        "minor",
        "somewhat",
        "a lot",
        "4",
        "val",
        "x",
        2,
        True,
        None,
    ]
)
ANSWERS = st.recursive(
    WORDS | ANYTHING,
    lambda inner: st.dictionaries(st.sampled_from(["val", "needed", "half-needed", "yes", "seen"]), inner, max_size=3),
    max_leaves=6,
)
PAIRS = st.lists(st.lists(st.integers(-3, 70), min_size=2, max_size=2) | ANYTHING, max_size=3) | ANYTHING
CATEGORIES = st.sampled_from(["Left out", "put_in", "swapped", "rebuilt", "break", "Burnt", 3, None])
PART = {"id": st.integers(0, 3) | ANYTHING, "category": CATEGORIES, "input_idx": PAIRS, "output_idx": PAIRS}
EDITS = st.fixed_dictionaries(
    {},
    optional={
        **PART,
        "annotation": st.dictionaries(
            st.sampled_from(["loss", "grammar_eror", "helps", "why", "seen", "source", "mood"]), ANSWERS, max_size=4
        )
        | ANYTHING,
        "constituent_edits": st.lists(st.fixed_dictionaries({}, optional=PART) | ANYTHING, max_size=2) | ANYTHING,
        "more": ANYTHING,
    },
)
ENTRIES = st.fixed_dictionaries(
    {
        "source": st.text("ab 🥖", max_size=20),
        "target": st.text("ab 🥖", max_size=20),
        "edits": st.lists(EDITS, max_size=4),
    },
    optional={"metadata": ANYTHING, "comment": ANYTHING, "_thresh_id": ANYTHING, "id": ANYTHING, "context": TEXTS},
)


@settings(max_examples=either(50, 150), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(ENTRIES)
def test_any_entry_comes_out_the_same(entry: dict[str, Any]) -> None:
    """Read, kept as text and written again, an entry is what it was, whatever its edits hold."""
    item = item_of(entry, PROTOCOL, "1")
    read = READER.read(entry, item)
    assert read.judgement is not None
    kept = parse_one(STORED.text(entry))
    written = WRITER.again(kept, Judged(item, "ana", read.judgement), READER)
    assert json.dumps(written) == json.dumps(entry)
    assert len({edit.id for edit in read.judgement.edits}) == len(read.judgement.edits)
    assert all(len(edit.id) <= 100 for edit in read.judgement.edits)


@settings(max_examples=either(50, 150), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(ENTRIES, st.data())
def test_any_correction_is_read_back(entry: dict[str, Any], data: st.DataObject) -> None:
    """After some edits were removed, what is written says what the judgement says."""
    item = item_of(entry, PROTOCOL, "1")
    read = READER.read(entry, item).judgement
    assert read is not None
    gone = data.draw(st.sets(st.sampled_from([edit.id for edit in read.edits]))) if read.edits else set()
    edits = tuple(edit for edit in read.edits if edit.id not in gone and edit.parent not in gone)
    written = WRITER.again(entry, Judged(item, "ana", Judgement(read.answers, edits)), READER)
    again = READER.read(written, item).judgement
    assert again is not None
    assert _content(again) == _content(Judgement(read.answers, edits))


def _content(judgement: Judgement) -> Any:
    """What a judgement says, but for the ids of its edits, which change when others before them go."""
    inside: dict[str, list[Any]] = {}
    for edit in judgement.edits:
        inside.setdefault(edit.parent, []).append((edit.operation, edit.source, edit.rewrite, dict(edit.answers)))
    parts = [inside.get(edit.id, []) for edit in judgement.edits if not edit.parent]
    return judgement.answers, inside.get("", []), parts


NAMES = TEXTS | st.sampled_from(["yes", "no", "val", "item", "comment", "source", "A b", "a-b", "a_b", "ÀB", "1"])
OPTIONS: st.SearchStrategy[Any] = st.deferred(
    lambda: (
        st.sampled_from(["binary", "likert-3", "likert-7", "textbox", "textarea", "stars"])
        | st.lists(QUESTIONS, max_size=3)
        | ANYTHING
    )
)
QUESTIONS: st.SearchStrategy[Any] = st.fixed_dictionaries(
    {"name": NAMES},
    optional={"label": NAMES | ANYTHING, "question": TEXTS | ANYTHING, "options": OPTIONS, "required": st.booleans()},
)
TEMPLATES = st.fixed_dictionaries(
    {
        "edits": st.lists(
            st.fixed_dictionaries(
                {"name": NAMES},
                optional={
                    "label": NAMES,
                    "type": st.sampled_from(["primitive", "multi_span", "composite", "split", "odd"]),
                    "enable_input": st.booleans(),
                    "enable_output": st.booleans(),
                    "multi_span": st.booleans(),
                    "color": TEXTS,
                    "annotation": st.lists(QUESTIONS, max_size=3) | ANYTHING,
                    "more": ANYTHING,
                },
            ),
            max_size=4,
        )
    },
    optional={
        "template_name": TEXTS | ANYTHING,
        "template_label": TEXTS,
        "instructions": TEXTS,
        "interface_text": ANYTHING,
        "language": TEXTS,
        "tokenization": TEXTS,
        "citation": ANYTHING,
    },
)


@settings(max_examples=either(50, 150), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(TEMPLATES)
def test_any_template_is_refused_or_becomes_a_protocol(template: dict[str, Any]) -> None:
    """A template that can be read becomes a protocol that passes the check; JSON is YAML."""
    text = json.dumps(template)
    problems: Sequence[Problem] = ()
    try:
        read_template(text, "t.yml")
    except InputError as error:
        problems = error.problems
    assert all(problem.fix and problem.rule for problem in problems)
    assert problems or convert_template(text, "t.yml").data["thresh"]["categories"]
