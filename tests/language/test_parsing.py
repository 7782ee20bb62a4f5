"""Parses of Rubrica's own parser and of any spaCy pipeline on disk, and errors that say what is missing."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from rubrica.core.errors import InputError
from rubrica.language.clearnlp import Tree, universal
from rubrica.language.parsing import ENGLISH, Parse, Word, depths, parse, parse_together, parser, parser_for, version
from rubrica.rewriting.split.models import split
from rubrica.rewriting.split.patterns import marks
from tests.language.chain_parser import save_chain_parser

spacy = pytest.importorskip("spacy")


def only(text: str, *, one_sentence: bool = False) -> Parse:
    """The parse of one text."""
    (found,) = parse([text], one_sentence=one_sentence)
    return found


def test_words_have_tags_lemmas_and_heads() -> None:
    """A plain sentence as Universal Dependencies has it; words stand where they are in the text."""
    text = "The boats  left early."
    found = only(text)
    assert [(word.text, word.lemma, word.upos, word.tag, word.head, word.label) for word in found.words] == [
        ("The", "the", "DET", "DT", 1, "det"),
        ("boats", "boat", "NOUN", "NNS", 2, "nsubj"),
        ("left", "leave", "VERB", "VBD", 2, "root"),
        ("early", "early", "ADV", "RB", 2, "advmod"),
        (".", ".", "PUNCT", ".", 2, "punct"),
    ]
    assert all(text[word.start : word.start + len(word.text)] == word.text for word in found.words)
    assert "Tense=Past" in found.words[2].feats
    assert found.sentences == (range(5),)


def test_sentences_of_a_text_each_have_a_root() -> None:
    """Ends of sentences are found by the parser."""
    found = only("She sold the house. He never came back.\n\nNobody knew why.")
    assert len(found.sentences) == 3
    for sentence in found.sentences:
        assert [place for place in sentence if found.words[place].head == place] == [
            place for place in sentence if found.words[place].label == "root"
        ]
        assert sum(found.words[place].label == "root" for place in sentence) == 1


@pytest.mark.parametrize(
    "text",
    [
        "She sold the house. He never came back. Nobody knew why.",
        'Yes! No? Maybe… (1990) -- "so"; http://example.org/a?b=c 😀',
        "\n\nTitle\n\nThe text begins\there.\n",
        "word " * 500,
        "不是 英文 。 не английский",
        "half \ud800 a character",
    ],
)
def test_what_is_marked_as_one_sentence_has_one_root(text: str) -> None:
    """Whatever it looks like, every word leads to it, and nothing is lost but spaces."""
    found = only(text, one_sentence=True)
    assert found.sentences == (range(len(found.words)),)
    roots = [place for place, word in enumerate(found.words) if word.label == "root"]
    assert roots == [place for place, word in enumerate(found.words) if word.head == place]
    assert len(roots) == 1
    assert all(_root_of(place, found.words) == roots[0] for place in range(len(found.words)))
    whole = text.replace("\ud800", "?")
    assert "".join(word.text for word in found.words) == "".join(whole.split())


def _root_of(place: int, words: tuple[Word, ...]) -> int:
    for _ in words:
        place = words[place].head
    return place


def test_texts_that_are_read_together_each_have_a_root_and_places_of_their_own(tmp_path: Path) -> None:
    """Whatever the texts look like, empty and very long ones too, by our parser and by any other."""
    save_chain_parser(tmp_path / "chain")
    group = ["The boats left.", "", "He came. She went.", "word " * 700, "A name, no verb"]
    for name in (ENGLISH, str(tmp_path / "chain")):
        (found,), nothing = parse_together([group], name), list(parse_together([[], [""]], name))
        assert nothing == [[], [Parse((), ())]]
        assert [len(one.words) for one in found] == [4, 0, 6, 700, 5]
        for text, one in zip(group, found, strict=True):
            assert all(text[word.start :].startswith(word.text) for word in one.words)
            roots = [place for place, word in enumerate(one.words) if word.head == place]
            assert roots == [place for place, word in enumerate(one.words) if word.label == "root"]
            assert len(roots) == len(one.sentences) == (1 if one.words else 0)


def test_a_text_without_words_has_an_empty_parse() -> None:
    """Also between others."""
    texts = ["", "Go.", " \n "]
    for one_sentence in (False, True):
        found = list(parse(texts, one_sentence=one_sentence))
        assert [len(one.words) for one in found] == [0, 2, 0]
        assert [one.sentences for one in found] == [(), (range(2),), ()]


def test_a_pipeline_of_the_other_scheme_is_mapped(tmp_path: Path) -> None:
    """A parser whose labels are ClearNLP's gives those of Universal Dependencies."""
    nlp = spacy.blank("en")
    component = nlp.add_pipe("parser")
    for label in ("ROOT", "dobj", "nsubjpass", "prep", "pobj"):
        component.add_label(label)
    nlp.initialize()
    nlp.to_disk(tmp_path / "other")
    (found,) = parse(["They saw boats on the lake."], str(tmp_path / "other"))
    assert not {word.label for word in found.words} & {"ROOT", "dobj", "nsubjpass", "prep", "pobj"}


def test_depth_is_the_longest_way_to_the_root(tmp_path: Path) -> None:
    """A depth for each sentence; none for an empty text."""
    name = save_chain_parser(tmp_path / "chain")
    # Each word hangs on the next: four tokens are three arcs deep, two are one.
    assert list(depths(["The boat left. Gone.", "", "Yes"], name)) == [[3, 1], [], [0]]
    assert version(name) == "en_chain-1.0"


def test_the_parser_that_comes_with_rubrica_is_the_default_for_english_only() -> None:
    """A name wins; another language needs one."""
    assert parser_for("en") == parser_for("en-GB") == ENGLISH
    assert parser_for("es", "es_core_news_sm") == "es_core_news_sm"
    with pytest.raises(InputError, match=r"reads English, not Spanish.*--parser"):
        parser_for("es")
    assert version(ENGLISH) == "en_rubrica-2.0"


def test_a_pipeline_that_is_not_there_is_named_with_the_way_to_get_it() -> None:
    """Not a traceback of spaCy's."""
    with pytest.raises(InputError, match=r"en_no_such_thing.*python -m spacy download en_no_such_thing.*en_rubrica"):
        parser("en_no_such_thing")

    with pytest.raises(InputError, match="Give a folder that holds one"):
        parser("no/such/folder")


def test_without_spacy_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """The parser is in the package, the library that runs it is an extra."""
    parser.cache_clear()
    monkeypatch.setitem(sys.modules, "spacy", None)
    with pytest.raises(InputError, match=r"pip install 'rubrica\[parsing\]'"):
        parser(ENGLISH)


def test_a_pipeline_without_a_parser_is_refused(tmp_path: Path) -> None:
    """A tokenizer alone makes no trees."""
    spacy.blank("en").to_disk(tmp_path / "bare")
    with pytest.raises(InputError, match="has no parser"):
        parser(str(tmp_path / "bare"))


@pytest.mark.parametrize("lemmas", [True, False])
def test_a_copula_is_known_without_lemmas(lemmas: bool) -> None:
    """A pipeline of a parser and a tagger tells no lemmas; its tree is turned round all the same."""
    # Ana is a doctor
    told = ["Ana", "be" if lemmas else "Is", "a", "doctor"]
    tree = universal(Tree([1, 1, 3, 1], ["nsubj", "ROOT", "det", "attr"]), ["PROPN", "AUX", "DET", "NOUN"], told)
    assert tree == Tree([3, 3, 3, 3], ["nsubj", "cop", "det", "root"])


def test_a_pipeline_without_tags_splits_nothing_and_says_so(tmp_path: Path) -> None:
    """The rules read tags: without them every sentence would be left alone, as if there were nothing to split."""
    name = save_chain_parser(tmp_path / "chain")
    for texts in (split(["Ana, who is a doctor, left."], parser=name), marks(["Ana left."], name)):
        with pytest.raises(InputError, match=r"tells no tags.*`tagger`"):
            list(texts)
    assert list(split(["Ana left."], "copy", parser=name))


def test_a_broken_folder_says_what_is_wrong_with_it(tmp_path: Path) -> None:
    """Also where spaCy's own message begins with an empty line; a folder in place is not one to install."""
    (tmp_path / "bare").mkdir()
    spacy.blank("en").to_disk(tmp_path / "bare")
    (tmp_path / "bare" / "config.cfg").write_text("x\n")
    with pytest.raises(InputError, match=r"cannot be loaded: \S.*Give a folder"):
        parser(str(tmp_path / "bare"))
