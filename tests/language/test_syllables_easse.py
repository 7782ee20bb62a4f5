"""EASSE's count of syllables, derived by hand from its convention."""

from __future__ import annotations

import pytest

from rubrica.language.syllables_easse import easse_syllables


@pytest.mark.parametrize(
    ("word", "syllables"),
    [
        # Groups of vowel letters without the final e.
        ("window", 2),
        ("stone", 1),
        ("he", 0),
        ("bee", 0),
        ("walked", 2),
        (".", 0),
        ("1990", 0),
        # Said in full.
        ("the", 1),
        ("The", 1),
        ("mr", 2),
        ("etc", 4),
        # One group, two syllables: ra-di-o, me-di-um, cu-ri-ous, sta-ble, hum-ble, tour-ism, co-al-esce.
        ("radio", 3),
        ("medium", 3),
        ("curious", 3),
        ("stable", 2),
        ("humble", 2),
        ("tourism", 3),
        ("mcbride", 2),
        ("coalesce", 3),
        ("gradient", 3),
        # So too, with less reason: three vowels, and a double vowel before a final l.
        ("queen", 2),
        ("pool", 2),
        # A vowel letter that only softens a consonant: na-tion, so-cial, ini-tial, pre-cious, gui-tar, late-ly.
        ("nation", 2),
        ("social", 2),
        ("initial", 3),
        ("precious", 2),
        ("guitar", 1),
        ("lately", 2),
    ],
)
def test_words(word: str, syllables: int) -> None:
    """The convention with its slips, since figures are compared with EASSE's."""
    assert easse_syllables(word) == syllables
