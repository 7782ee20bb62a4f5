"""Scales: what is an answer, at the edges of each kind."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubrica.core.answers import NOT_APPLICABLE
from rubrica.core.scales import (
    MAX_TEXT,
    Choice,
    Choices,
    FreeText,
    Option,
    Ordinal,
    Point,
    RewrittenText,
    Scale,
    ShortAnswers,
    Slider,
    YesNo,
    is_text,
)
from rubrica.core.texts import plain
from rubrica.core.typed import storable

ORDINAL = Ordinal(tuple(Point(value, plain(str(value))) for value in (-1, 0, 1, 3)))
SLIDER = Slider(0, 5, 1)
HALVES = Slider(0, 5, 0.5)
TENTHS = Slider(0, 0.3, 0.1)
YES_NO = YesNo(plain("Yes"), plain("No"))
OPTIONS = tuple(Option(name, plain(name)) for name in ("rude", "untrue", "other"))
CHOICE = Choice(OPTIONS)
CHOICES = Choices(OPTIONS, 1, 2)
ANY_CHOICES = Choices(OPTIONS, 0, 3)
TEXT = FreeText()
REWRITE = RewrittenText("source", 2)
SHORT = ShortAnswers(1, 3)
BLANK_SHORT = ShortAnswers(2, 3, plain("there is none"))
EVERY: list[Scale] = [
    ORDINAL, SLIDER, HALVES, TENTHS, YES_NO, CHOICE, CHOICES, ANY_CHOICES, TEXT, REWRITE, SHORT, BLANK_SHORT,
]  # fmt: skip

JUNK: list[Any] = [
    None, True, False, 2.0, 7, -2, "", " ", "3", "YES", "nobody", "a\0b", "\ud800", float("nan"), float("inf"),
    [], {}, ["rude"], {"not_applicable": True}, b"yes", ({},), (["rude"],), (None,), (1,), NOT_APPLICABLE, object(),
]  # fmt: skip


@pytest.mark.parametrize(
    ("scale", "value"),
    [
        *((ORDINAL, value) for value in (-1, 0, 1, 3)),
        *((SLIDER, value) for value in range(6)),
        *((HALVES, value) for value in (0, 0.5, 1, 1.0, 4.5, 5, 5.0)),
        *((TENTHS, value) for value in (0, 0.1, 0.2, 0.1 + 0.2, 0.3)),
        (YES_NO, "yes"),
        (YES_NO, "no"),
        (CHOICE, "rude"),
        (CHOICES, ("rude",)),
        (CHOICES, ("other", "rude")),
        (ANY_CHOICES, ()),
        (ANY_CHOICES, ("rude", "untrue", "other")),
        (TEXT, "x"),
        (TEXT, " é😀\n=1+1 "),
        (TEXT, "x" * MAX_TEXT),
        (REWRITE, "One. Two."),
        (SHORT, ("hard",)),
        (SHORT, ("hard", "tough", "so-so")),
        (SHORT, ("x" * 200,)),
        (BLANK_SHORT, ()),
        (BLANK_SHORT, ("a", "b")),
    ],
)
def test_takes_what_is_on_it(scale: Scale, value: Any) -> None:
    """Every value up to and including the ends of a scale is an answer."""
    assert scale.test()(value)


@pytest.mark.parametrize(
    ("scale", "value"),
    [
        *((ORDINAL, value) for value in (-2, 2, 4, 1.0, True, "1")),
        *((SLIDER, value) for value in (-1, 6, 2.5, 2.0, True, "3")),
        *((HALVES, value) for value in (-0.5, 5.5, 0.25, True, float("nan"), float("inf"), "0.5")),
        *((TENTHS, value) for value in (0.4, 0.15, -0.1)),
        *((YES_NO, value) for value in (True, "Yes", "", ["yes"], {"yes": 1})),
        *((CHOICE, value) for value in ("Rude", ("rude",), 0, ["rude"])),
        *((CHOICES, value) for value in ((), ("rude", "rude"), ("rude", "untrue", "other"), ("x",), ["rude"], "rude")),
        *((TEXT, value) for value in ("", "  \n", "x" * (MAX_TEXT + 1), "a\0", "\udfff", 5, None)),
        *((REWRITE, value) for value in ("One sentence only.", "", "One.\0 Two.")),
        *(
            (SHORT, value)
            for value in ((), ("a", "b", "c", "d"), ("a", "a"), ("easy", "EASY"), ("",), ("x" * 201,), ["a"], "a", (1,))
        ),
        *((BLANK_SHORT, value) for value in (("a",), ("a", " "))),
    ],
)
def test_refuses_what_is_not(scale: Scale, value: Any) -> None:
    """Values beyond the ends, between the steps, of another type or too long are no answers; True is not 1."""
    assert not scale.test()(value)


@pytest.mark.parametrize("scale", EVERY, ids=lambda scale: scale.expects()[:30])
@pytest.mark.parametrize("value", JUNK, ids=lambda value: type(value).__name__)
def test_any_junk_gets_an_answer_and_no_crash(scale: Scale, value: Any) -> None:
    """Whatever a file may hold, the test says yes or no."""
    assert scale.test()(value) in (True, False)


@pytest.mark.parametrize("scale", [ORDINAL, SLIDER, HALVES, TENTHS, YES_NO, CHOICE])
def test_accepts_every_value_it_lists(scale: Scale) -> None:
    """What a scale shows in its list is a valid answer, and there is something in the list."""
    values = scale.values()
    assert values
    assert all(map(scale.test(), values))


def test_lists_tenths_as_people_write_them() -> None:
    """Steps do not show the noise of binary fractions."""
    assert TENTHS.values() == [0, 0.1, 0.2, 0.3]


@pytest.mark.parametrize(("maximum", "listed"), [(100, 101), (101, 0)])
def test_long_sliders_are_not_listed(maximum: int, listed: int) -> None:
    """A slider lists at most 101 values; beyond that the list is empty and the test still works."""
    slider = Slider(0, maximum, 1)
    assert len(slider.values()) == listed
    assert slider.test()(maximum)


@given(st.integers(-50, 50), st.integers(1, 500), st.sampled_from([1, 2, 5, 0.5, 0.25, 0.1]), st.data())
def test_every_step_of_a_slider_is_an_answer(low: int, count: int, step: float, data: st.DataObject) -> None:
    """Any number of steps from the low end is an answer, and half a step beside it is not."""
    slider = Slider(low, low + count * step, step)
    value = slider.at(data.draw(st.integers(0, slider.steps)))
    assert slider.test()(value)
    assert not slider.test()(value + step / 2)


@pytest.mark.parametrize(
    ("scale", "words"),
    [
        (ORDINAL, "one of -1, 0, 1, 3"),
        (SLIDER, "a whole number from 0 to 5"),
        (HALVES, "a number from 0 to 5 in steps of 0.5"),
        (YES_NO, "yes or no"),
        (CHOICE, "one of rude, untrue, other"),
        (CHOICES, "1 to 2 different ones of rude, untrue, other"),
        (Choices(OPTIONS, 2, 2), "exactly 2 different ones of rude, untrue, other"),
        (TEXT, "a text of at most 20,000 characters"),
        (REWRITE, "a text of at least 2 sentences"),
        (RewrittenText("source"), "a text of at most 20,000 characters"),
        (SHORT, "1 to 3 different short answers"),
        (BLANK_SHORT, "2 to 3 different short answers, or blank"),
    ],
)
def test_says_what_it_expects(scale: Scale, words: str) -> None:
    """The words in which a scale is explained name its ends, steps and options."""
    assert scale.expects() == words


def test_yes_and_no_are_options_too() -> None:
    """A yes/no question can be shown like a choice between two."""
    assert [option.id for option in YES_NO.options] == YES_NO.values() == ["yes", "no"]


@given(st.text())
def test_texts_are_what_every_database_can_hold(text: str) -> None:
    """A text passes if it is not blank and can be written as UTF-8 without NUL, and only then."""
    try:
        text.encode()
    except UnicodeEncodeError:
        assert not storable(text)
    assert is_text(text) == (bool(text.strip()) and storable(text))
