"""Validating 100,000 judgements on one core, beside a pydantic model of the same answers."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

from pydantic import ConfigDict, create_model

from benchmarks.report import Figure
from rubrica.core.simulation import Simulator
from rubrica.core.study import Item, Judgement
from rubrica.core.validation import Validator
from rubrica.protocols.catalog import load_shipped, shipped

COUNT = 100_000


def _judgements(protocol_id: str) -> tuple[Validator, list[tuple[Item, Judgement]]]:
    protocol = load_shipped(protocol_id).protocol
    stage = protocol.stages[-1]
    simulator = Simulator(protocol, stage, "bench")
    items = [Item(practice.id, practice.fields) for practice in protocol.practice]
    made = [(items[number % len(items)], simulator.judge(items[number % len(items)])) for number in range(2000)]
    return Validator(protocol, stage), [made[number % 2000] for number in range(COUNT)]


def _peer_seconds(judgements: list[tuple[Item, Judgement]]) -> float:
    """A closed pydantic model with the same keys: types only, no conditions, no rules."""
    keys = {name for _, judgement in judgements for name in judgement.answers}
    model = create_model("Answers", __config__=ConfigDict(extra="forbid"), **dict.fromkeys(keys, (Any, None)))
    answers = [dict(judgement.answers) for _, judgement in judgements]
    start = time.perf_counter()
    for one in answers:
        model.model_validate(one)
    return time.perf_counter() - start


def run() -> Iterator[Figure]:
    """Judgements a second for every protocol; the ones without edits must keep the limit."""
    for protocol_id in shipped():
        validator, judgements = _judgements(protocol_id)
        start = time.perf_counter()
        problems = sum(len(validator.problems(item, judgement)) for item, judgement in judgements)
        seconds = time.perf_counter() - start
        assert problems == 0
        edits = sum(len(judgement.edits) for _, judgement in judgements)
        detail = f"{edits / seconds:,.0f} edits/s" if edits else ""
        yield Figure(protocol_id, COUNT / seconds, "per s", None if edits else 50_000, at_least=True, detail=detail)
        if protocol_id == "breve":
            yield Figure("  pydantic model of the same answers", COUNT / _peer_seconds(judgements), "per s")
