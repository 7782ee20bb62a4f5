"""Suggested edits in another protocol's operations: by id where it is the same, else by the sides they mark."""

from rubrica.core.edits import Edit, Span
from rubrica.core.protocol import EditScheme, Operation
from rubrica.core.texts import plain
from rubrica.edits.suggesting.fitting import fitted
from rubrica.protocols.catalog import load_shipped

HERE, THERE = (Span(0, 3),), (Span(4, 7),)
EDITS = (
    Edit("1", "deletion", HERE),
    Edit("2", "split"),
    Edit("3", "insertion", (), HERE, parent="2"),
    Edit("4", "substitution", THERE, THERE),
    Edit("5", "reorder", HERE, HERE),
)


def operation(name: str, *sides: str, parts: tuple[str, ...] = ()) -> Operation:
    """An operation of a made-up protocol."""
    return Operation(name, plain(name), plain(name), name[0], sides, constituents=parts)


def names(*operations: Operation) -> list[tuple[str, str]]:
    """The operation and parent of each edit in a protocol with these operations."""
    return [(edit.operation, edit.parent) for edit in fitted(EDITS, EditScheme(operations, ())).edits]


def test_salsa_takes_them_as_they_are() -> None:
    """The suggestions have the operations of ``salsa``."""
    scheme = load_shipped("salsa").protocol.edits
    assert scheme is not None
    assert fitted(EDITS, scheme) == (EDITS, 0)


def test_operations_are_found_by_their_sides() -> None:
    """Other names: source only is a deletion, rewrite only an insertion, both sides a substitution or a reorder."""
    lost, new, swap = operation("lost", "source"), operation("new", "rewrite"), operation("swap", "source", "rewrite")
    assert names(swap, new, lost) == [("lost", ""), ("new", ""), ("swap", ""), ("swap", "")]


def test_an_operation_with_the_same_name_and_other_sides_is_another_thing() -> None:
    """A protocol whose deletion marks the rewrite does not get deletions of the source under that name."""
    lost, other = operation("lost", "source"), operation("deletion", "rewrite")
    assert names(other, lost) == [("lost", "")]


def test_a_split_needs_its_constituents() -> None:
    """A protocol whose split may hold no insertion gets the insertion alone."""
    new = operation("insertion", "rewrite")
    assert names(new, operation("split", parts=("insertion",))) == [("split", ""), ("insertion", "2")]
    assert names(new, operation("split", parts=("deletion",))) == [("insertion", "")]


def test_what_nothing_fits_is_left_out_and_counted() -> None:
    """With deletions alone, the other three primitive edits are left out; the split is no edit without its parts."""
    found = fitted(EDITS, EditScheme((operation("lost", "source"),), ()))
    assert [edit.id for edit in found.edits] == ["1"]
    assert found.left_out == 3


def test_a_reorder_without_its_own_operation_is_a_substitution() -> None:
    """Both mark both sides, and a protocol that has no word for moving calls it that."""
    assert names(operation("substitution", "source", "rewrite")) == [("substitution", ""), ("substitution", "")]
