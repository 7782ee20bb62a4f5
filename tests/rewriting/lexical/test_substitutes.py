"""Substitutes from thesauri: read in both forms, filtered, inflected, ranked."""

from __future__ import annotations

from pathlib import Path

import pytest

from rubrica.core.errors import InputError
from rubrica.rewriting.lexical import thesaurus
from rubrica.rewriting.lexical.substitutes import Finder
from rubrica.rewriting.lexical.thesaurus import MyThes, WordNet, thesauri
from tests.rewriting.lexical.thesaurus_files import write_mythes, write_wordnet


def test_senses_of_wordnet(tmp_path: Path) -> None:
    """By part of speech, with wider words beside; underscores are spaces."""
    source = WordNet(write_wordnet(tmp_path / "wn"))
    noun, verb = source.senses("crack")
    assert (noun.part_of_speech, noun.words, noun.near) == ("noun", ("fissure", "crack", "cleft"), ("opening", "gap"))
    assert (verb.part_of_speech, verb.words) == ("verb", ("crack", "break"))
    assert source.senses("postpone")[0].words == ("postpone", "delay", "put off")
    assert source.senses("absent") == []


@pytest.mark.parametrize("encoding", ["ISO8859-1", "UTF-8"])
def test_senses_of_mythes(encoding: str, tmp_path: Path) -> None:
    """In the encoding that the file names; opposites are left out, wider words are near."""
    source = MyThes(write_mythes(tmp_path, encoding=encoding))
    assert [sense.words for sense in source.senses("anciano")] == [("viejo", "mayor", "persona mayor"), ("veterano",)]
    assert source.senses("célebre")[0].words == ("famoso", "conocido")
    assert source.senses("célebre")[0].near == ()
    assert source.senses("vivienda")[0] == (0, "noun", ("casa", "hogar"), ("edificio",))


def test_english_is_tagged_and_inflected(tmp_path: Path) -> None:
    """The verb's synonyms in the verb's form; phrases only if asked for."""
    source = WordNet(write_wordnet(tmp_path / "wn"))
    text = "The council postponed the vote until Monday."
    assert [one.word for one in Finder("en", source).find(text, "postponed")] == ["delayed"]
    both = {one.word for one in Finder("en", source, single=False).find(text, "postponed")}
    assert both == {"delayed", "put off"}
    noun = Finder("en", source).find("The surveyor found a crack in the wall.", "crack")
    assert "break" not in {one.word for one in noun}
    assert noun[-1].word in {"cleft", "fissure"}
    assert next(one for one in noun if one.word == "gap").wider


def test_more_frequent_words_come_first(tmp_path: Path) -> None:
    """And each says why it stands where it does."""
    found = Finder("es", MyThes(write_mythes(tmp_path))).find("Un anciano cruzó la calle.", "anciano")
    assert [one.word for one in found] == ["mayor", "viejo", "veterano"]
    assert "Zipf" in found[0].why()


def test_what_is_done_without_is_said(tmp_path: Path) -> None:
    """Tagger and inflection for Spanish; nothing for English."""
    source = MyThes(write_mythes(tmp_path))
    assert len(list(Finder("es", source).without())) == 2
    assert list(Finder("en", source).without()) == []


def test_thesauri_are_found_where_they_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """At a path, or where Debian puts them; a language without one is told what to do."""
    monkeypatch.setattr(thesaurus, "WORDNET", tmp_path / "none")
    monkeypatch.setattr(thesaurus, "MYTHES", tmp_path)
    data = write_mythes(tmp_path)
    assert thesauri("es")[0].name == "MyThes th_es_ES_v2"
    assert thesauri("es", [data])[0].name == thesauri("es", [tmp_path])[0].name
    for name in ("th_pt_PT_v2", "th_pt_BR"):
        write_mythes(tmp_path, name)
    names = {language: thesauri(language)[0].name for language in ("pt", "pt-PT", "pt_br", "Portuguese")}
    assert names == {one: f"MyThes th_pt_{'PT_v2' if one == 'pt-PT' else 'BR'}" for one in names}
    for language, said in (("fr", "mythes-fr"), ("si", "Debian packages none")):
        with pytest.raises(InputError, match=said):
            thesauri(language)
    with pytest.raises(InputError, match="there is no thesaurus here"):
        thesauri("es", [tmp_path / "away"])


def test_a_broken_thesaurus_is_an_error_of_the_input(tmp_path: Path) -> None:
    """No traceback."""
    data = write_mythes(tmp_path)
    data.write_bytes(data.read_bytes().replace(b"ISO8859-1", b"KLINGON-1"))
    with pytest.raises(InputError, match="this thesaurus cannot be read"):
        MyThes(data).senses("anciano")
