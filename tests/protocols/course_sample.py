"""A course for the sample protocol with one step of each kind, and ways to load it."""

from __future__ import annotations

from pathlib import Path

from rubrica.core.errors import InputError, Problem
from rubrica.core.protocol import Protocol
from rubrica.protocols.loader import load
from tests.protocols.sample import SAMPLE

FIRST = """\
id: first
title: First things
summary: What to look for.
stage: mark
steps:
  - id: hello
    kind: text
    text: Read **both** texts.
  - id: look
    kind: example
    type: loss
    fields: {source: "A big cat sat.", rewrite: "A cat sat."}
    edits:
      - {operation: deletion, source: ["big"]}
    why: One word is gone.
  - id: look_again
    kind: example
    type: loss
    good: false
    fields: {source: "A big cat sat.", rewrite: "A large cat sat."}
    edits:
      - {operation: swap, source: ["big"], rewrite: ["large"], answers: {change: same}}
    why: Nothing is lost.
  - id: told
    kind: facts
    fields: {source: "A big cat sat.", rewrite: "A cat sat."}
    facts:
      - {text: There was a cat., source: ["cat"], rewrite: ["cat"], main: true}
      - {text: The cat was big., source: ["big"], lost: true}
    why: The size is no longer told.
  - id: find_it
    kind: select
    fields: {source: "A cat sat, a cat ran.", rewrite: "A cat sat, a ran."}
    edits:
      - {operation: deletion, source: ["cat#2"]}
    why: The second cat is gone.
  - id: what_change
    kind: answer
    asks: [change]
    fields: {source: "A big cat sat.", rewrite: "A cat sat."}
    edits:
      - operation: swap
        source: ["big cat"]
        rewrite: ["cat"]
        answers: {change: less}
        also: {change: [same]}
    why: The size is lost.
  - id: how_much
    kind: ask
    fields: {source: "A big cat sat.", rewrite: "A cat sat."}
    source: ["big"]
    prompt: How much does it matter?
    scale: points3
    answer: 1
    accepts: [2]
    why: Little.
  - id: main_idea
    kind: ask
    fields: {source: "A big cat sat.", rewrite: "A cat sat."}
    prompt: What is it about?
    options:
      - {id: cat, label: A cat}
      - {id: size, label: Sizes}
    answer: cat
    why: A cat sat.
"""

SECOND = """\
id: second
title: Second things
summary: Judging.
steps:
  - id: name_it
    kind: type
    options: [loss, gain]
    fields: {source: "A big cat sat.", rewrite: "A cat sat."}
    edits:
      - {operation: deletion, source: ["big"], answers: {harm: 1}}
    why: Something is lost.
  - id: build_it
    kind: compose
    fields: {source: "A cat, which was big, sat.", rewrite: "A cat sat. || It was large."}
    edits:
      - operation: split
        parts:
          - {operation: deletion, source: ["which"]}
          - {operation: swap, source: ["sat."], rewrite: ["sat.", "It"]}
      - {operation: swap, source: ["big,"], rewrite: ["large."], answers: {change: same}}
    why: The word that joined them is gone.
  - id: all_of_it
    kind: whole
    fields: {source: "A big cat sat down.", rewrite: "A cat sat."}
    edits:
      - {operation: deletion, source: ["big"], answers: {harm: 1}, also: {harm: [2]}}
      - {operation: deletion, source: ["down."], answers: {harm: 3}}
    pass_mark: 0.6
    why: Two words are gone.
"""

ROUND = """\
id: round_1
title: Round 1
summary: Now alone.
round: 1
steps:
  - id: q1
    kind: whole
    stage: mark
    fields: {source: "A big cat sat.", rewrite: "A cat sat."}
    edits:
      - {operation: deletion, source: ["big"]}
    why: One word is gone.
"""

GAIN = """\
    - id: gain
      label: Gain
      meaning: Nothing is lost
      family: form
      side: quality
      when:
        all:
          - {operation: swap}
          - {question: change, is: same}
stages:
"""

COURSE = {"1_first.yaml": FIRST, "2_second.yaml": SECOND, "3_round.yaml": ROUND}


def write(folder: Path, **changed: str) -> Path:
    """A protocol folder with the course; ``changed`` gives other texts for files, by the word in their name."""
    (folder / "protocol.yaml").write_text(SAMPLE.replace("stages:\n", GAIN), encoding="utf-8")
    (folder / "course").mkdir(exist_ok=True)
    for name, text in COURSE.items():
        word = name.split("_")[1].removesuffix(".yaml")
        (folder / "course" / name).write_text(changed.get(word, text), encoding="utf-8")
    return folder


def sample_course(folder: Path) -> Protocol:
    """The sample protocol with its course."""
    return load(write(folder)).protocol.resolve({})


def found(folder: Path, **changed: str) -> list[Problem]:
    """What is wrong with the folder; nothing if it loads."""
    try:
        load(write(folder, **changed))
    except InputError as error:
        return list(error.problems)
    return []
