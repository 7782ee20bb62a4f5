"""Target words and contexts: which are picked, why, and what is done without."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import attrs
import pytest

from rubrica.language.japanese import is_there
from rubrica.prepare.contexts import context_problem, cutter_of, sentences_of
from rubrica.prepare.sentences import Limits
from rubrica.prepare.words import BANDS, Passage, Picked, Wanted, pick
from tests.docs.pages import DOCS

SCHOOL = (DOCS / "examples/lexical/school.txt").read_text(encoding="utf-8").splitlines()
ENGLISH = Wanted(language="en", contexts=6)
JAPANESE = [
    "彼女は図書館で古代文明の歴史を研究し、論文を発表した。",
    "政府は環境保護のために新しい規制を導入する方針を決定した。",
    "研究者は実験の結果を慎重に分析し、仮説を修正した。",
]
SINHALA = [
    "පාසලේ සිසුන් උද්‍යානයේ එළවළු වගා කර අස්වැන්න ගම්වාසීන්ට බෙදා දුන්හ.",
    "ගුරුවරිය සිසුන්ට පැළෑටි රැකබලා ගන්නා ආකාරය ඉවසීමෙන් පැහැදිලි කළාය.",
    "සිසුන් පාසලේ උද්‍යානයේ වැසි ජලය එකතු කරන උපකරණයක් නිර්මාණය කළහ.",
]
GERMAN = ["Die Gemeinde bewilligte dem Gärtner Müller eine bescheidene Unterstützung für das baufällige Gewächshaus."]
SPANISH = [
    "El ayuntamiento de Zaragoza aprobó una subvención modesta para restaurar el antiguo molino.",
    "Los vecinos rechazaron la propuesta porque encarecía notablemente el suministro de agua.",
]


def _pick(texts: list[str], wanted: Wanted) -> Picked:
    return pick(lambda: (Passage("t.txt", number, text) for number, text in enumerate(texts, start=1)), wanted)


def test_targets_stand_where_their_places_say() -> None:
    """Of each context the wanted number of words, one of them the main target."""
    found = _pick(SCHOOL, ENGLISH)
    assert len(found.contexts) == 6
    for one in found.targets:
        text = found.contexts[one.context].text
        assert text[one.found.start : one.found.start + len(one.found.text)] == one.found.text
    assert set(Counter(one.context for one in found.targets).values()) == {3}
    assert [one.main for one in found.targets].count(True) == 6


def test_a_lemma_is_picked_once() -> None:
    """Whatever its form, and whether as a main target or beside one."""
    keys = [one.found.key for one in _pick(SCHOOL, attrs.evolve(ENGLISH, contexts=20)).targets]
    assert len(keys) == len(set(keys)) > 30


@pytest.mark.parametrize("order", ["words", "contexts"])
def test_the_same_seed_picks_the_same_whatever_the_order_of_the_texts(order: str) -> None:
    """Another seed picks others."""
    wanted = attrs.evolve(ENGLISH, order=order)
    one, other = (_pick(texts, wanted) for texts in (SCHOOL, SCHOOL[::-1]))
    assert [context.text for context in one.contexts] == [context.text for context in other.contexts]
    assert [target.found for target in one.targets] == [target.found for target in other.targets]
    assert [context.text for context in _pick(SCHOOL, attrs.evolve(wanted, seed=1)).contexts] != [
        context.text for context in one.contexts
    ]


def test_words_are_spread_over_the_bands() -> None:
    """With enough text, main targets come from every band in turn."""
    nouns = "river teacher garden winter station market bridge window forest kitchen".split()  # noqa: SIM905
    rare = "aqueduct turnstile parapet granary weir lattice".split()  # noqa: SIM905
    texts = [
        f"The {noun} behind the {word} was slowly rebuilt by patient workers last year."
        for noun in nouns
        for word in rare
    ]
    found = _pick(texts, attrs.evolve(ENGLISH, contexts=5, targets=1, alike=1.0))
    assert len({one.found.band for one in found.targets}) >= 3
    assert all(1 <= one.found.band <= BANDS for one in found.targets)


def test_near_duplicates_markup_and_headings_are_no_contexts() -> None:
    """Each is counted under its reason."""
    found = _pick(SCHOOL, attrs.evolve(ENGLISH, contexts=50, targets=1))
    texts = [context.text for context in found.contexts]
    assert found.left_out["markup"] == 2
    assert found.left_out["end"] == 1
    assert sum("devised an ingenious system" in text for text in texts) == 1
    assert found.left_out["duplicate"] >= 1


def test_names_are_not_picked() -> None:
    """By the tagger where there is one, else by capital letters."""
    words = {one.found.text for one in _pick(SPANISH, Wanted(language="es", contexts=2, targets=2)).targets}
    assert words
    assert "Zaragoza" not in words
    english = ["The mayor of Lisbon praised the courageous Rebecca Thornton for rescuing the drowning fisherman."]
    picked = {one.found.text for one in _pick(english, Wanted(language="en", contexts=1, targets=3)).targets}
    assert picked & {"Lisbon", "Rebecca", "Thornton"} == set()


def test_every_word_says_why() -> None:
    """Frequency with its source, band, part of speech, role."""
    why = next(one for one in _pick(SCHOOL, ENGLISH).targets if one.main).why
    assert why.startswith("main target: its band was next; Zipf ")
    assert "by wordfreq" in why
    assert "of 5 (5 is the rarest)" in why


def test_given_words_are_used_in_their_forms() -> None:
    """By lemma; one that no text shows is told."""
    wanted = Wanted(language="en", contexts=3, targets=1, given=("salvage", "negotiating", "xylophone"))
    found = _pick(SCHOOL, wanted)
    assert sorted(one.found.text for one in found.targets) == ["negotiate", "salvage"]
    assert found.not_found == ("xylophone",)
    assert all("on the list that was given" in one.why for one in found.targets)


def test_excluded_words_are_never_picked() -> None:
    """Nor their other forms."""
    usual = {one.found.key for one in _pick(SCHOOL, ENGLISH).targets}
    found = _pick(SCHOOL, attrs.evolve(ENGLISH, without=frozenset(usual)))
    assert usual.isdisjoint(one.found.key for one in found.targets)


def test_sinhala_has_the_texts_own_counts() -> None:
    """wordfreq would answer with English; no lemmatiser, no tagger: all of it is said."""
    found = _pick(SINHALA, Wanted(language="si", contexts=2, targets=2, covered=0.2, alike=1.0))
    assert len(found.targets) == 4
    said = " ".join(found.without)
    assert "wordfreq has no list for Sinhala" in said
    assert "no lemmatiser for Sinhala" in said
    assert "the script has no capital letters" in said
    assert all("the texts' own counts" in one.why for one in found.targets)


def test_japanese_words_are_cut_and_looked_up() -> None:
    """As far as script can tell, if nothing is installed that cuts them, which is said."""
    found = _pick(JAPANESE, Wanted(language="ja", contexts=2, targets=2))
    assert len(found.targets) == 4
    for one in found.targets:
        assert found.contexts[one.context].text[one.found.start :].startswith(one.found.text)
    assert any("rubrica[cjk]" in text for text in found.without) != is_there()


def test_german_nouns_have_capital_letters() -> None:
    """So they are picked, and it is said that names are not told apart."""
    found = _pick(GERMAN, Wanted(language="de", contexts=1, targets=3))
    assert {one.found.text for one in found.targets} & {"Unterstützung", "Gewächshaus", "Gemeinde", "Gärtner"}
    assert any("names could not be told apart" in text for text in found.without)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("The pupils planted trees in the spacious yard of the school.", ""),
        ("“We planted trees in the spacious yard,” said the proud pupils.", ""),
        ("the pupils planted trees in the spacious yard of the school.", "start"),
        ("The pupils planted trees in the spacious yard of the school", "end"),
        ("The pupils planted [[trees]] in the spacious yard of the school.", "markup"),
        ("The pupils (and their teacher planted trees in the spacious yard.", "brackets"),
        ("The trees stood.", "short"),
        ("On 12/03/2019 99.5 % + 88.2 % = 187.7 % of 3,000,000,000 (1).", "signs"),
    ],
)
def test_what_a_context_is(text: str, reason: str) -> None:
    """A whole sentence of some length without leftovers."""
    assert context_problem(text, Limits(least_words=8, most_words=45)) == reason


def test_own_counts_can_be_asked_for() -> None:
    """For any language; the most frequent words of the texts are then too easy."""
    found = _pick(SCHOOL, attrs.evolve(ENGLISH, own_counts=True))
    assert any("as asked for" in text for text in found.without)
    assert found.targets


def test_positions_count_code_points(tmp_path: Path) -> None:
    """An emoji before the word is one."""
    texts = ["The 🌳 in the spacious courtyard sheltered generations of mischievous children from rain."]
    found = _pick(texts, Wanted(language="en", contexts=1, targets=1))
    one = found.targets[0].found
    assert found.contexts[0].text[one.start : one.start + len(one.text)] == one.text


@pytest.mark.parametrize(
    ("language", "text", "half"),
    [
        (
            "fr",
            "Hier matin, le maire M. Dupont a inauguré solennellement la bibliothèque devant une foule enthousiaste.",
            "Dupont a",
        ),
        ("it", "Il sig. Rossi ha tenuto un laboratorio gratuito sul recupero consapevole delle risorse.", "Rossi ha"),
        (
            "fr",
            "Selon l'art. 12 du règlement, tout emprunt tardif entraîne une pénalité dérisoire de centimes.",
            "12 du",
        ),
        ("es", "EE. UU. envió provisiones y medicamentos a las comarcas afectadas por la inundación.", "UU. envió"),
        ("ja", "「水が足りないのです。」と先生は心配そうな表情で生徒に説明を続けた。", "と先生"),
        ("si", "රජය විසින් පවුලකට රු. 5000ක සහනාධාරයක් ලබා දීමට තීරණය කර ඇති බව නිලධාරියා පැවසීය.", "5000ක"),
    ],
)
def test_half_a_sentence_is_no_context(language: str, text: str, half: str) -> None:
    """Where a full stop may stand behind an abbreviation or within a quotation, neither side is taken."""
    texts = [*sentences_of(text)]
    assert not any(one.startswith(half) for one in texts)
    assert _pick([*SPANISH, text], Wanted(language=language, contexts=9, targets=1, least_words=4)).left_out[
        "one_sentence"
    ]


def test_a_german_date_ends_no_sentence() -> None:
    """Nor does the number of a century; an ordinary number does."""
    text = "Am 3. Oktober eröffnete die Gemeinde eine Bibliothek. Im 19. Jahrhundert war sie verschlossen."
    assert [*sentences_of(text)] == [
        "Am 3. Oktober eröffnete die Gemeinde eine Bibliothek.",
        "Im 19. Jahrhundert war sie verschlossen.",
    ]
    assert context_problem("Am 3. Oktober eröffnete die Gemeinde eine Bibliothek.", Limits(least_words=4)) == ""


@pytest.mark.parametrize(
    "text",
    [
        "An _extraordinary_ exhibition assembles obscure manuscripts and letters of the novelist.",
        "Seasoned carpenters **reinforced** the dilapidated foundations of the old house.",
        "See our [annual report](report.md) for comprehensive statistics about attendance.",
        "Residents repudiated the announcement &#x27;in unison&#x27; and hired an attorney.",
        "The shopkeepers lamented the gradual decline of their sales [12, 14] in the old town.",
        "吾輩《わがはい》は昔の書物を丁寧に修復する職人の技術に深い敬意を抱いている。",
    ],
)
def test_leftovers_of_markdown_books_and_entities_are_markup(text: str) -> None:
    """Whatever the text was made from."""
    assert context_problem(text, Limits(least_words=4, most_words=45)) == "markup"


def test_function_words_are_no_targets_where_no_tagger_tells() -> None:
    """By a list, in all their forms; names of months are among them."""
    texts = [
        "Obwohl jedes Kind während der langwierigen Vorstellung im Oktober schwieg, tadelte sie der Dirigent.",
        "Trotz mehrerer umständlicher Ermahnungen verweigerte der Angeklagte dennoch jegliche Auskunft zwischen März.",
    ]
    found = _pick(texts, Wanted(language="de", contexts=2, targets=1, least_words=4))
    words = {one.found.text for row in (found.targets, *found.candidates) for one in row}
    assert words & {"langwierigen", "Dirigent", "umständlicher", "Auskunft", "verweigerte"}
    assert not words & {"jedes", "während", "Oktober", "dennoch", "zwischen", "mehrerer"}


def test_a_word_behind_an_elided_article_is_a_word_of_its_own() -> None:
    """And what hangs together by an apostrophe otherwise is none."""
    text = "Les habitants ont dénoncé l'opacité des décisions aujourd'hui et réclamé une concertation véritable."
    words = [word for word, _ in cutter_of("fr").words(text)]
    assert "opacité" in words
    assert not {"aujourd", "hui"} & {*words}


def test_given_words_are_used_whatever_they_are() -> None:
    """Short ones, frequent ones, and those of a script without spaces that nothing here cuts."""
    texts = ["彼女は美しい景色を眺めながら、静かな村で穏やかな生活を送っている。"]
    wanted = Wanted(language="ja", contexts=1, targets=1, given=("美しい",), least_words=4)
    assert [(one.found.text, one.found.start) for one in _pick(texts, wanted).targets] == [("美しい", 3)]
    wanted = Wanted(language="es", contexts=1, targets=1, given=("agua",), least_words=4)
    assert [one.found.text for one in _pick(SPANISH, wanted).targets] == ["agua"]


def test_a_sentence_is_left_out_once() -> None:
    """However many of its words were looked at, and not at all if it was taken in the end."""
    texts = [
        "Seasoned carpenters reinforced the dilapidated foundations before erecting a sturdy roof of timber.",
        "Before erecting a sturdy roof of timber, seasoned carpenters reinforced the dilapidated foundations.",
    ]
    found = _pick(texts, attrs.evolve(ENGLISH, contexts=9, targets=1))
    assert len(found.contexts) == 1
    assert found.left_out == {"duplicate": 1}


def test_what_the_texts_have_once_is_of_the_last_band() -> None:
    """Also where they have no word twice."""
    found = _pick(SINHALA[:1], Wanted(language="si", contexts=1, targets=2, least_words=4))
    assert {one.found.band for one in found.targets} == {BANDS}


@pytest.mark.parametrize(
    ("language", "texts", "foreign"),
    [
        ("de", GERMAN, ["The surveyor meticulously inspected the crumbling parapet of the medieval bridge."]),
        ("es", SPANISH, ["Els veïns van rebutjar la proposta perquè encaria molt el subministrament d'aigua."]),
        ("ja", JAPANESE, ["The council postponed the demolition of the derelict mill until the following spring."]),
        ("si", SINHALA, ["The council postponed the demolition of the derelict mill until the following spring."]),
    ],
)
def test_sentences_in_another_language_are_left_out(language: str, texts: list[str], foreign: list[str]) -> None:
    """By their letters or their small words, and counted; those of the language stay."""
    wanted = Wanted(language=language, contexts=9, targets=1, least_words=3, own_counts=True, covered=0.0)
    found = _pick([*texts, *foreign], wanted)
    assert {context.text for context in found.contexts} <= set(texts)
    assert len(found.contexts) == len(texts)
    assert found.left_out["language"] == len(foreign)


def test_parts_of_addresses_and_of_words_with_endings_are_no_words() -> None:
    """A target is a word as it stands; Catalan words with a point between two l are whole."""
    german = "Die Schüler:innen lesen docs.example.org und fragen Lehrer(innen) nach (schweren) Begriffen."
    assert [word for word, _ in cutter_of("de").words(german)] == [
        "Die", "lesen", "und", "fragen", "nach", "schweren", "Begriffen"
    ]  # fmt: skip
    catalan = "El col·legi instal·la l'il·lustre rellotge."
    assert cutter_of("ca").words(catalan) == [
        ("El", 0), ("col·legi", 3), ("instal·la", 12), ("il·lustre", 24), ("rellotge", 34)
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("The merchant;exported;considerable quantities of wool every year.", "markup"),
        ("The cafÃ© owner reluctantly refurbished the dilapidated veranda.", "markup"),
        ("The gardener said , after all , that the magnolia would not survive .", "punctuation"),
    ],
)
def test_rows_of_tables_and_broken_texts_are_no_contexts(text: str, reason: str) -> None:
    """What a program left of a table, of letters or of spaces."""
    assert context_problem(text, Limits()) == reason


def test_a_cell_of_a_table_is_no_sentence() -> None:
    """Tabs part cells; what has no verb is no sentence where a tagger can tell."""
    texts = [
        "The merchant\texported considerable quantities of English wool every single year.",
        "A comprehensive overview of the principal regulations of the municipal association.",
    ]
    found = _pick(texts, attrs.evolve(ENGLISH, targets=1, least_words=3))
    assert not found.contexts
    assert found.left_out["part_of_speech"] == 1
