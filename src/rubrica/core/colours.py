"""Colours that somebody else chose, so that they can be read here: light and dark shades of the same hue.

Contrast is that of WCAG 2.2: a tag's letters stand in the colour of the page on a mark's colour, so it is at least 4.5.
"""

from __future__ import annotations

import colorsys
import string
from typing import NamedTuple

NAMED = {"red": "#f00", "orange": "#ffa500", "yellow": "#fd0", "green": "#080", "teal": "#088", "blue": "#00f"}
"""The colours that Thresh knows by name."""
LIGHT, DARK = "ffffff", "201f1d"
"""What marks stand on, in light and in dark."""
ENOUGH = 4.6
"""A little more than 4.5, because some things stand on a tinted ground."""
_STEP = 0.01


class Shades(NamedTuple):
    """A colour as six digits for light pages, and for dark ones."""

    light: str
    dark: str


def digits_of(colour: str) -> str:
    """Six small hexadecimal digits for ``#fd0``, ``FFDD00`` or ``yellow``; empty for what is no colour."""
    code = NAMED.get(colour.strip().lower(), colour.strip()).removeprefix("#").lower()
    code = "".join(sign * 2 for sign in code) if len(code) == 3 else code
    return code if len(code) == 6 and set(code) <= set(string.hexdigits) else ""


def shades(digits: str) -> Shades:
    """The colour itself where it can be read; else as much darker or lighter as it must be."""
    return Shades(_readable(digits, LIGHT, -_STEP), _readable(digits, DARK, _STEP))


def contrast(one: str, other: str) -> float:
    """How well two colours (six digits each) can be told apart, from 1 to 21."""
    high, low = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def hls(digits: str) -> tuple[float, float, float]:
    """Hue, lightness and saturation, each from 0 to 1."""
    return colorsys.rgb_to_hls(*_channels(digits))


def _channels(digits: str) -> list[float]:
    return [int(digits[at : at + 2], 16) / 255 for at in (0, 2, 4)]


def _luminance(digits: str) -> float:
    linear = [one / 12.92 if one <= 0.04045 else ((one + 0.055) / 1.055) ** 2.4 for one in _channels(digits)]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _readable(digits: str, ground: str, step: float) -> str:
    hue, lightness, saturation = hls(digits)
    while contrast(digits, ground) < ENOUGH and 0 < lightness + step < 1:
        lightness += step
        digits = "".join(f"{round(255 * one):02x}" for one in colorsys.hls_to_rgb(hue, lightness, saturation))
    return digits
