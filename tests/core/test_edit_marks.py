"""Edits drawn in a text: their order, their lanes, and where the text is cut."""

from __future__ import annotations

import attrs
import pytest

from rubrica.core.colours import DARK, ENOUGH, LIGHT, contrast, digits_of, hls, shades
from rubrica.core.edit_marks import LOOKS, lanes, looks, own_colours, reading_order, segments
from rubrica.core.edits import Edit, Span
from rubrica.core.protocol import EditScheme, Operation
from rubrica.protocols.catalog import load_shipped

SALSA = load_shipped("salsa").protocol.edits
assert SALSA is not None
LOOK = looks(SALSA)


def test_each_operation_has_a_look_of_its_own() -> None:
    """Gone is 1, new is 2, the two changes 3 and 4, the composites 5 and 6."""
    assert LOOK == {"deletion": 1, "insertion": 2, "substitution": 3, "reorder": 4, "split": 5, "structure": 6}


def test_more_operations_than_looks_share_them() -> None:
    """A ninth operation has the look of another; nothing fails."""
    template = SALSA.operations[2]
    many = EditScheme(tuple(attrs.evolve(template, id=f"o{n}") for n in range(LOOKS + 1)), ())
    found = looks(many)
    assert sorted(found.values()) == [1, 2, 3, 3, 4, 5, 6, 7, 8]


def test_own_colours_go_with_the_looks() -> None:
    """Each operation with a colour has a look for itself, however many there are; what is no colour has none."""
    template = SALSA.operations[2]
    colours = ["#f00", "f00000", "teal", "nonsense", "", *(f"#0000{n}0" for n in range(6))]
    many = EditScheme(tuple(attrs.evolve(template, id=f"o{n}", colour=one) for n, one in enumerate(colours)), ())
    found, own = looks(many), own_colours(many)
    assert [own.get(found[f"o{n}"]) for n in range(5)] == ["ff0000", "f00000", "008888", None, None]
    assert len(own) == 9
    assert max(own) > LOOKS


@pytest.mark.parametrize("colour", ["#ffdd00", "red", "orange", "#777777", "#000", "#fff", "#008080", "#123456"])
def test_colours_can_be_read_in_light_and_dark(colour: str) -> None:
    """A colour stays as it is where its contrast is enough, and keeps its hue where it is not."""
    digits = digits_of(colour)
    for shade, ground in zip(shades(digits), (LIGHT, DARK), strict=True):
        assert contrast(shade, ground) >= 4.5
        assert shade == digits or contrast(digits, ground) < ENOUGH
        if 0.02 < hls(shade)[1] < 0.98 and hls(digits)[2] > 0.2:
            assert hls(shade)[0] == pytest.approx(hls(digits)[0], abs=0.02)


def test_reading_order_is_source_then_rewrite_with_parts_after_their_composite() -> None:
    """A composite stands where its first part does; longer edits before those inside them; wordless ones last."""
    edits = [
        Edit("inserted", "insertion", rewrite=(Span(0, 4),)),
        Edit("inner", "deletion", (Span(10, 12),)),
        Edit("outer", "deletion", (Span(10, 20),)),
        Edit("empty", "substitution"),
        Edit("split", "split"),
        Edit("second", "insertion", rewrite=(Span(9, 12),), parent="split"),
        Edit("first", "deletion", (Span(2, 4),), parent="split"),
    ]
    names = [edit.id for edit in reading_order(edits)]
    assert names == ["split", "first", "second", "outer", "inner", "inserted", "empty"]


def test_edits_that_share_words_never_share_a_lane() -> None:
    """The first and longest is nearest to the words; one that only touches another may stand beside it."""
    found = lanes(
        {
            "short": [Span(0, 5)],
            "long": [Span(0, 20)],
            "beside": [Span(20, 25)],
            "across": [Span(4, 22)],
            "pieces": [Span(30, 32), Span(1, 2)],
        }
    )
    # long takes lane 0, where beside begins as it ends; short meets long; pieces meets both; across meets long and
    # short, but lies between the pieces.
    assert found == {"long": 0, "beside": 0, "short": 1, "pieces": 2, "across": 2}


def test_text_is_cut_where_marks_begin_or_end() -> None:
    """Overlapping edits give segments under one, both, the other; the text is whole again when put together."""
    text = "One two three || four"
    edits = [Edit("a", "deletion", (Span(0, 7),)), Edit("b", "substitution", (Span(4, 13),))]
    cut = segments(text, "source", edits, LOOK)
    assert "".join(segment.text for segment in cut) == text
    assert [(segment.text, [mark.edit for mark in segment.marks]) for segment in cut] == [
        ("One ", ["a"]),
        ("two", ["a", "b"]),
        (" three", ["b"]),
        (" ", []),
        ("||", []),
        (" four", []),
    ]
    assert [segment.ends for segment in cut] == [(), ("a",), ("b",), (), (), ()]
    assert [segment.split for segment in cut] == [False, False, False, False, True, False]


def test_composites_are_lines_above_their_parts() -> None:
    """Over each part of a composite stands its mark, and its tag where the last part ends."""
    edits = [Edit("p", "split"), Edit("q", "deletion", (Span(4, 7),), parent="p")]
    cut = segments("One two", "source", edits, LOOK)
    assert [segment.ends for segment in cut] == [(), ("q", "p")]
    marks = [mark for segment in cut for mark in segment.marks]
    assert [(mark.edit, mark.look, mark.above) for mark in marks] == [("p", LOOK["split"], True), ("q", 1, False)]


def test_spans_outside_the_text_are_cut_to_it() -> None:
    """A file may bring spans beyond its text; they are drawn as far as there is one."""
    cut = segments("short", "source", [Edit("a", "deletion", (Span(2, 99),))], LOOK)
    assert [(segment.text, len(segment.marks)) for segment in cut] == [("sh", 0), ("ort", 1)]


def test_pipes_inside_words_are_no_split_point() -> None:
    """Only || between white space is one."""
    cut = segments("a||b || c ||", "rewrite", [], LOOK)
    assert [segment.text for segment in cut if segment.split] == ["||", "||"]


def test_unknown_operation_is_drawn_all_the_same() -> None:
    """An imported edit of another scheme has the last look."""
    operation = Operation("x", SALSA.operations[0].label, SALSA.operations[0].meaning, "x", ("source",))
    (segment,) = segments("word", "source", [Edit("a", operation.id, (Span(0, 4),))], LOOK)
    assert segment.marks[0].look == LOOKS
