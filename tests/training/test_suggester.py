"""The recipe of the suggested edits' weights: sums over all readings of a gap, and what is learned from people."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from benchmarks.edit_selection import Annotated
from rubrica.core.edits import Edit, Span
from rubrica.edits.suggesting.suggest import suggest
from training.suggester import Lattice, fitted, lattices

SOURCE, REWRITE = "The mayor swiftly left the hall in anger.", "The mayor went out of town."


def _paths(lattice: Lattice, place: int = 0) -> Iterator[list[int]]:
    """Every reading as the numbers of its steps, by trying all."""
    if place == lattice.places - 1:
        yield []
    for step in np.flatnonzero(lattice.origins == place):
        for rest in _paths(lattice, int(lattice.goals[step])):
            yield [int(step), *rest]


def _annotated(*edits: Edit) -> Annotated:
    return Annotated(SOURCE, REWRITE, edits, ())


def test_sums_over_readings_are_those_of_trying_all() -> None:
    """The sum over all readings, and how often each step is taken, are what listing every reading gives."""
    ((lattice,),) = lattices([_annotated()])
    worth = np.random.default_rng(3).normal(size=lattice.goals.size)
    paths = list(_paths(lattice))
    weights = np.exp([sum(worth[path]) for path in paths])
    taken = np.zeros(worth.size)
    for path, weight in zip(paths, weights / weights.sum(), strict=True):
        taken[path] += weight
    total, expected = lattice.expected(worth)
    assert len(paths) > 20
    assert total == pytest.approx(np.log(weights.sum()))
    assert expected == pytest.approx(taken)


def test_weights_follow_people() -> None:
    """Where people replace a gap as a whole so do the suggestions; where they delete and insert, they do that."""
    gone, came = SOURCE.index("swiftly"), REWRITE.index("went")
    old, new = (Span(gone, len(SOURCE)),), (Span(came, len(REWRITE)),)
    whole = [_annotated(Edit("1", "substitution", old, new))] * 20
    parts = [_annotated(Edit("1", "deletion", old), Edit("2", "insertion", rewrite=new))] * 20
    for pairs, operations in ((whole, {"substitution"}), (parts, {"deletion", "insertion"})):
        found = suggest(SOURCE, REWRITE, "en", weights=fitted(lattices(pairs)))
        assert {edit.operation for edit in found} == operations


def test_nothing_is_learned_from_nothing() -> None:
    """Without gaps that have words on both sides all weights stay at zero."""
    same = Annotated("The mayor left.", "The mayor left.", (), ())
    assert not any(weight for weights in fitted(lattices([same])) for weight in weights)
