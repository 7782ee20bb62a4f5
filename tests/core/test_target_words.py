"""Target words are found in any form, and whoever looks for one finds the same place."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubrica.core.study import Item
from rubrica.core.target_words import LEMMA, STEM, Marked, Target, find_targets, forms_of, mark_words, substituted
from rubrica.language.forms import same_word_in
from rubrica.language.lemmas import told_by
from rubrica.protocols.catalog import load_shipped

TEXTS = st.text(max_size=60) | st.text("aAbé e\u0301\u200d👩💻🏽日本の.,'\n", max_size=40)
TARGETS = st.builds(Target, TEXTS, st.none() | st.integers(-1, 4), st.none() | st.integers(-2, 50))


def marks(text: str, *targets: str | Target) -> list[tuple[str, int | None]]:
    """What is marked, and for which target."""
    return [(piece.text, piece.target) for piece in mark_words(text, targets) if piece.kind]


@given(TEXTS, st.lists(TEXTS | TARGETS, max_size=4))
def test_marking_loses_nothing(text: str, targets: list[str | Target]) -> None:
    """Whatever the targets, the pieces are the text, none is empty, and each target is marked at most once."""
    pieces = mark_words(text, targets)
    assert "".join(piece.text for piece in pieces) == text
    assert all(piece.text for piece in pieces)
    marked = [piece.target for piece in pieces if piece.kind]
    assert len(set(marked)) == len(marked)
    assert all((piece.kind == "target") == (piece.target is not None) for piece in pieces)


def test_marks_the_first_whole_word() -> None:
    """A word within another is passed over, and only the first occurrence is marked."""
    assert mark_words("A cart: the art of art.", ["art"]) == [
        Marked("A cart: the "),
        Marked("art", "target", 0),
        Marked(" of art."),
    ]


@pytest.mark.parametrize(
    ("text", "target", "expected"),
    [
        ("Light is light.", "light", "light"),
        ("Light it.", "light", "Light"),
        ("L'école est là.", "école", "école"),
        ("Vi un CAFÉ.", "café", "CAFÉ"),
        ("Un cafe\u0301 solo.", "café", "cafe\u0301"),
        ("Un café solo.", "cafe\u0301", "café"),
        ("In the U.S. today.", "U.S.", "U.S."),
        ("She took off early.", " took off ", "took off"),
        ("新しい図書館を開く。", "図書館", "図書館"),
        ("I ❤️love it.", "love", "love"),
        ("The O\u2019Brien family.", "O'Brien", "O\u2019Brien"),
        ("C'est aujourd'hui.", "aujourd\u2019hui", "aujourd'hui"),
        ("A well\u2011known shop.", "well-known", "well\u2011known"),
        ("ක්‍රමය හොඳයි", "ක්‍රමය", "ක්‍රමය"),
        ("A (very) odd one", "(very)", "(very)"),
    ],
)
def test_finds_a_target(text: str, target: str, expected: str) -> None:
    """As written comes before another case; Unicode form, scripts without spaces and signs are no obstacle."""
    assert marks(text, target) == [(expected, 0)]


@pytest.mark.parametrize(
    ("text", "target"),
    [
        ("", "a"),
        ("a", ""),
        ("a", " "),
        ("lightning", "light"),
        ("An internal affair.", "international"),
        ("👩‍💻", "👩"),
        ("a", "long word"),
        ("We won't wait.", "win"),
        ("彼は銀行員だ。", "行く"),
        ("Vale, ya voy.", "va"),
    ],
)
def test_leaves_a_missing_target_unmarked(text: str, target: str) -> None:
    """A target that is not there as a whole word, or that would cut a character, is not marked."""
    assert marks(text, target) == []


def test_the_longer_of_overlapping_targets_wins() -> None:
    """The shorter one is marked at its next free place, if it has one."""
    assert marks("take off and take", "take", "take off") == [("take off", 1), ("take", 0)]
    assert marks("take off", "take", "take off") == [("take off", 1)]
    assert marks("light and light", "light", "light") == [("light", 0), ("light", 1)]


def test_an_occurrence_or_an_offset_says_which() -> None:
    """An occurrence counts from 1; an offset may be within a word, and is not believed where the word is not."""
    text = "the bank by the bank"
    assert mark_words(text, [Target("bank", 2)])[0].text == "the bank by the "
    assert mark_words(text, [Target("bank", start=16)])[0].text == "the bank by the "
    assert marks(text, "bank", Target("bank", 1)) == [("bank", 1), ("bank", 0)]
    assert marks("학교에서", Target("학교", start=0)) == [("학교", 0)]
    assert marks("Kinder im Kindergarten", Target("Kind", start=0)) == [("Kinder", 0)]
    assert marks("Kinder im Kindergarten", Target("Kind", start=10)) == [("Kind", 0)]
    assert marks(text, Target("bank", 3)) == marks(text, Target("bank", start=5)) == []
    assert marks(text, Target("bank", start=8)) == marks(text, Target("bank", start=99)) == []
    assert marks("He had gone there.", Target("leave", start=7)) == [("gone", 0)]
    assert marks("Bank by bank", Target("bank", 1), Target("bank", 2)) == [("Bank", 0), ("bank", 1)]
    assert marks("cafe\u0301", Target("cafe", start=0)) == [("cafe\u0301", 0)]


@pytest.mark.parametrize(
    ("language", "text", "target", "marked", "how"),
    [
        ("de", "Die Regierung beschloss gestern weitere Maßnahmen gegen die Teuerung.", "Maßnahme", "Maßnahmen", LEMMA),
        ("", "Die Regierung beschloss gestern weitere Massnahmen gegen die Teuerung.", "Maßnahme", "Massnahmen", STEM),
        ("de", "Danach ging der alte Mann noch einmal an den Fluss.", "gehen", "ging", LEMMA),
        ("de", "Drei Häuser brannten in jener Nacht bis auf den Grund nieder.", "Haus", "Häuser", LEMMA),
        ("es", "El consejo pidió a los vecinos que redujeran el consumo.", "reducir", "redujeran", LEMMA),
        ("es", "Los vecinos se arrepintieron de la venta.", "arrepentirse", "arrepintieron", LEMMA),
        ("", "Elle relit les œuvres du peintre.", "oeuvre", "œuvres", STEM),
        ("ca", "Els veïns van portar les caixes velles al mercat.", "vell", "velles", LEMMA),
        ("fr", "Les vieux chevaux dormaient encore dans le pré.", "cheval", "chevaux", LEMMA),
        ("it", "Le mele più mature caddero durante la notte.", "cadere", "caddero", LEMMA),
        ("pt", "As reuniões foram adiadas por causa da chuva.", "reunião", "reuniões", LEMMA),
        ("en", "The geese had flown over the frozen lake at dawn.", "goose", "geese", LEMMA),
        ("", "Los informes llegaron con mucho retraso aquel ano.", "año", "ano", "as written"),
        ("", "昨日、彼は財布を取り戻した。", "取り戻す", "取り戻", STEM),
        ("", "학교에서 회의가 열렸다.", "학교", "학교에서", STEM),
        ("", "The word “ARID” is old.", "arid,", "ARID", STEM),
        ("en", "They couldn't leave before noon.", "could", "could", "as written"),
        ("en", "They couldn’t leave before noon.", "couldn't", "couldn’t", "as written"),
        ("en", "He CAN'T say it.", "can", "CAN", "as written"),
        ("en", "We didn't ask and won't wait.", "do", "did", LEMMA),
        ("en", "We didn't ask and won't wait.", "will", "won't", LEMMA),
        ("en", "We won't lose what was won.", "won", "won", "as written"),
        ("en", "She felt that all had been said.", "feel", "felt", LEMMA),
        ("en", "The bill underwent three changes.", "undergo", "underwent", LEMMA),
        ("en", "Two of the thieves are still at large.", "thief", "thieves", LEMMA),
        ("en", "In the old building they were proud of what was built.", "build", "built", LEMMA),
        ("en", "They were proud of the building.", "build", "building", LEMMA),
        ("en", "They left the old building at night.", "to leave", "left", STEM),
        ("de", "Er verlor im Wald beide Schuhe.", "verlieren", "verlor", LEMMA),
        ("de", "Darüber freuten sich alle.", "sich freuen", "freuten", STEM),
        ("fr", "La porte était restée grande ouverte.", "ouvrir", "ouverte", LEMMA),
        ("fr", "On a redécouvert ses lettres en 1910.", "redécouvrir", "redécouvert", LEMMA),
        ("fr", "La ville manque d’eau depuis mardi.", "eau", "eau", "as written"),
        ("es", "Tras dárselo todo, se marchó.", "dar", "dárselo", LEMMA),
        ("es", "La casa ha sido hecha de adobe.", "hacer", "hecha", LEMMA),
        ("es", "El hielo recubierto de polvo brillaba.", "recubrir", "recubierto", LEMMA),
        ("it", "Volevano dirglielo prima di cena.", "dire", "dirglielo", LEMMA),
        ("it", "Aveva aperto tutte le finestre.", "aprire", "aperto", LEMMA),
        ("pt", "Preferiu pô-lo no bolso.", "pôr", "pô", LEMMA),
        ("ca", "No han resolt encara el problema.", "resoldre", "resolt", LEMMA),
        ("ca", "Van beure l'aigua freda.", "aigua", "aigua", "as written"),
        ("fil", "Kumakain ang bata nang dumating ang ina.", "kain", "Kumakain", LEMMA),
        ("fil", "Tinulungan nila ang matanda.", "tulong", "Tinulungan", LEMMA),
        ("si", "ළමයින් පාසලට ගියා.", "ළමයා", "ළමයින්", LEMMA),
        ("si", "ළමයින් පාසලට ගියා.", "යනවා", "ගියා", LEMMA),
        ("", "彼は昨日銀行へ行った。", "行く", "行っ", STEM),
        ("", "値段がとても高かった。", "高い", "高か", STEM),
    ],
)
def test_finds_other_forms(language: str, text: str, target: str, marked: str, how: str) -> None:
    """Inflected forms are found by lemma where the language is known, else by stem; case and accents do not matter."""
    (place,) = find_targets(text, [Target(target)], same_word_in(language) if language else None)
    assert place is not None
    assert (text[place.start : place.end], place.how) == (marked, how)


@pytest.mark.parametrize(
    ("language", "text", "target"),
    [
        ("en", "The contrast between the two reports is stark.", "contract"),
        ("en", "A statue of universal beauty stood in the hall.", "status"),
        ("de", "Die Verfassung gilt seit siebzig Jahren.", "Verfasser"),
        ("es", "El secretario del consejo dimitió ayer.", "secreto"),
        ("fi", "Talous kasvoi viime vuonna hitaasti.", "talo"),
    ],
)
def test_another_word_that_begins_alike_is_no_form(language: str, text: str, target: str) -> None:
    """What a dictionary knows as two words is not marked for each other, however alike they begin."""
    assert find_targets(text, [Target(target)], same_word_in(language)) == [None]


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("de", "Die Gemeinde hat beschlossen, dass die Brücke im nächsten Jahr erneuert wird."),
        ("es", "El ayuntamiento ha decidido que el puente se renovará en los próximos meses."),
        ("ca", "L'ajuntament ha decidit que el pont es renovarà amb els diners dels veïns."),
        ("pt", "A prefeitura decidiu que a ponte não será renovada por falta de dinheiro."),
        ("it", "Il comune ha deciso che il ponte sarà rinnovato con i soldi della regione."),
        ("fr", "La mairie a décidé que le pont serait rénové dans les prochains mois."),
        ("en", "The council has decided that the bridge is to be renewed in the spring."),
        ("cs", "Rada se rozhodla, že most, který je ve městě už sto let, bude opraven až na jaře."),
        ("fi", "Kunta on päättänyt, että silta korjataan ensi vuonna, mutta se ei ole vielä varmaa."),
        ("hu", "Az önkormányzat úgy döntött, hogy a hidat nem most, csak jövőre újítják meg."),
        ("pl", "Rada zdecydowała, że most nie będzie remontowany w tym roku, ale na wiosnę."),
        ("ro", "Primăria a decis că podul nu va fi reparat în acest an din lipsă de bani."),
        ("sv", "Kommunen har beslutat att bron inte ska byggas om förrän till våren, men det är osäkert."),
        ("tr", "Belediye, köprünün gelecek yıl yenilenmesi için bir karar aldı ve bu karar çok tartışıldı."),
        ("el", "Η γέφυρα θα ανακαινιστεί την άνοιξη."),
        ("", "橋は来年、改修される予定だ。"),
    ],
)
def test_tells_the_language(language: str, text: str) -> None:
    """A sentence of usual length shows which dictionary to open; none is opened where it is not clear."""
    assert told_by([text]) == language


def test_the_form_in_the_context_is_the_word_itself() -> None:
    """Whoever types the marked form has typed the target."""
    text = "Die Stadt kündigte im Herbst neue Maßnahmen an."
    item = Item("1", {"context": text, "target": "Maßnahme"})
    assert forms_of(load_shipped("lexical_simplification").protocol, item) == ("Maßnahme", "Maßnahmen")


@pytest.mark.parametrize(
    ("context", "target", "substitute", "sentence"),
    [
        ("They commenced early.", "commenced", "began", "They began early."),
        ("Arduous work awaited.", "Arduous", "hard", "Hard work awaited."),
        ("He left. “Arduous work.”", "Arduous", "hard", "He left. “Hard work.”"),
        ("Das Haus brennt.", "Haus", "gebäude", "Das gebäude brennt."),
        ("They commenced early.", "commences", " set off ", "They set off early."),
        ("彼は開始した。", "開始", "始", "彼は始した。"),
    ],
)
def test_a_substitute_stands_in_the_place_of_the_target(
    context: str, target: str, substitute: str, sentence: str
) -> None:
    """As it was given, without spaces around it, and with a capital letter only where it opens a sentence."""
    item = Item("1", {"context": context, "target": target, "substitute": substitute})
    found = substituted(load_shipped("lexical_posthoc").protocol, item)
    assert found is not None
    assert found.text == sentence


def test_there_is_no_sentence_without_a_place_or_a_substitute() -> None:
    """A target that is not there, an empty substitute, and a protocol without one have none."""
    protocol = load_shipped("lexical_posthoc").protocol
    for target, substitute in (("barn", "big"), ("early", " ")):
        item = Item("1", {"context": "They commenced early.", "target": target, "substitute": substitute})
        assert substituted(protocol, item) is None
    rated = Item("1", {"source": "A dog.", "rewrite": "A cat."})
    assert substituted(load_shipped("quality").protocol, rated) is None
