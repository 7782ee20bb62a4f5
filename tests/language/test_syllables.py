"""Syllables by the rules of each language; hyphens stand where a dictionary divides the spoken word.

EASSE's count of syllables, derived by hand from its convention.
"""

from __future__ import annotations

import pytest

from rubrica.language.syllables import easse_syllables, syllables

DIVIDED = {
    # Merriam-Webster's and Oxford's divisions (spoken syllables).
    "en": """win-dow home walked want-ed box-es lit-tle ta-ble set-tled league me-di-a ra-di-o na-tion
    va-ri-ous ac-tu-al cre-ate play-ing the he queen beau-ti-ful sci-ence i-de-a roy-al lone-ly move-ment some-thing
    home-work there-fore qui-et pris-m rhyth-m mu-se-um flu-ent po-et""",
    # Diccionario de la lengua española and the rules of the Ortografía (2010).
    "es": """ca-sa pa-ís Ma-rio a-é-re-o le-er a-ho-ra bú-ho gue-rra ci-güe-ña a-gua rey muy y ma-yo cie-lo
    es-tu-diáis po-e-ta cons-truc-ción aun-que ciu-dad quie-ro bui-tre ve-hí-cu-lo hue-vo rí-o ha-cí-an ac-tuar""",
    # Diccionari de la llengua catalana and the rules of the IEC.
    "ca": """ca-sa his-tò-ri-a ai-gua grà-ci-es no-ia pa-ís ra-ïm a-gra-ir cu-a qua-tre ai-gües ser-vei beu-re
    lin-güís-ti-ca ciu-tat na-ci-ó deu pei-xos au-to-bús rei-na""",
    # Dicionário Houaiss.
    "pt": """ca-sa his-tó-ria a-le-gri-a co-ra-ção na-ci-o-nal pa-ís sa-ú-de i-dei-a ra-i-nha ra-iz ru-im a-in-da
    á-gua guer-ra qua-tro põe mães ci-ên-cia mui-to cui-da-do ri-o lu-a não co-e-lho bair-ro li-ções""",
    # Lo Zingarelli.
    "it": """ca-sa pia-no sto-ria mi-o du-e più ciò già può gio-ia a-iu-to pa-e-se le-o-ne po-e-ta scien-za
    spiag-gia qua-dro guer-ra chiu-so uo-mo noi qui gui-da cit-tà fi-glio ac-qua per-ché""",
    # Spoken syllables of Le Petit Robert's transcriptions, mute e left out inside and at the end.
    "fr": """table mai-son na-tion thé-âtre ré-el No-ël ou-bli-er pri-ère jou-er oui vo-yage pa-yer pa-ys a-nnée
    pu-blique a-mi le les que langue bâ-ti-ment par-laient trois pluie oi-seau po-é-sie nu-age cru-el août
    a-é-ro-port si-tu-a-tion fa-mille tra-vail ca-ca-o""",
    # Duden.
    "de": """Haus Häu-ser Na-ti-on Mu-se-um Schu-le Stra-ße Ei-er Bau-er neu-e lie-ben Quel-le be-en-den ge-ehrt
    Kin-der-gar-ten See Me-di-um Po-e-sie Li-ni-en ak-tu-ell Früh-stück The-o-rie""",
    # Every vowel is a syllable.
    "ru": "мо-ло-ко Рос-си-я е-го",
    "tr": "ki-tap sa-at o-ku-yu-cu",
    "el": "και νε-ρό ου-ρα-νός",
    "pl": "dom ro-bo-ta",
}


@pytest.mark.parametrize("language", DIVIDED)
def test_words_are_counted_as_a_dictionary_divides_them(language: str) -> None:
    """The number of parts of each."""
    divided = DIVIDED[language].split()
    found = {word: syllables(word.replace("-", ""), language) for word in divided}
    assert found == {word: word.count("-") + 1 for word in divided}


def test_parts_of_a_compound_are_added() -> None:
    """Hyphens and, where vowels are elided, apostrophes divide a word; elsewhere an apostrophe is skipped."""
    assert syllables("well-known") == 2
    assert syllables("l'acqua", "it") == 2
    assert syllables("l’homme", "fr") == 1
    assert syllables("didn't") == 2
    assert syllables("it's") == 1


def test_a_word_has_at_least_one() -> None:
    """Also an abbreviation without vowels."""
    assert syllables("Mr") == syllables("hmm") == syllables("п", "ru") == 1


@pytest.mark.parametrize("word", ["1990", "—", "", "北京", "हिन्दी", "кофe"])
def test_without_a_rule_there_is_no_number(word: str) -> None:
    """Figures, other scripts and words of mixed scripts have none, never 0."""
    assert syllables(word) is None


def test_a_language_without_rules_of_its_own_goes_by_vowel_groups() -> None:
    """Accents do not matter, composed or not; regions of a code do not matter."""
    assert syllables("škola", "cs") == 2
    assert syllables("reünie", "nl") == 2
    assert syllables("cafe\N{COMBINING ACUTE ACCENT}", "sv") == 2
    assert syllables("ai\N{COMBINING DIAERESIS}llar", "pt-BR") == syllables("aïllar", "pt")


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
