"""Thesauri as Debian packages them, read where they are and never copied: WordNet, and MyThes of office programs.

WordNet 3.0 (Fellbaum 1998; its form: wndb(5WN)) in ``wordnet-base``; MyThes in ``mythes-ca``, ``-de``, ``-en-us``,
``-es``, ``-fr``, ``-it``, ``-pt-pt``, ``-pt-br``: a text of entries and an index with their places. Only entries that
are asked for are read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import NamedTuple, Protocol

from rubrica.core.errors import wrong
from rubrica.language.names import language_code, language_name

WORDNET, MYTHES = Path("/usr/share/wordnet"), Path("/usr/share/mythes")
PACKAGES = {
    "ca": "mythes-ca",
    "de": "mythes-de",
    "en": "wordnet-base or mythes-en-us",
    "es": "mythes-es",
    "fr": "mythes-fr",
    "it": "mythes-it",
    "pt": "mythes-pt-pt or mythes-pt-br",
}
_USUAL_REGION = {"ca": "ES", "en": "US", "pt": "BR"}
"""Where most speak a language whose code is not that of a country."""
_PARTS = {"NOUN": "noun", "VERB": "verb", "ADJ": "adj", "ADV": "adv"}
_REMARK = re.compile(r"\s*\(([^)]*)\)\s*$")
_NARROWER = ("antonym", "specific", "Unterbegriff", "Antonym")
"""Remarks of MyThes on words that cannot stand for the headword."""


class Sense(NamedTuple):
    """Words that mean the same in one sense: its number from 0 in the thesaurus' order, its part of speech if told.

    ``near`` words mean something wider or similar.
    """

    number: int
    part_of_speech: str
    words: tuple[str, ...]
    near: tuple[str, ...] = ()


class Thesaurus(Protocol):
    """What gives the senses of a word."""

    name: str

    def senses(self, word: str) -> list[Sense]:
        """The senses of a word in small letters; none if it is not there."""


@contextmanager
def _reading(path: Path) -> Iterator[None]:
    """What cannot be read as its form has it is an error of the input."""
    try:
        yield
    except (OSError, ValueError, LookupError) as error:
        fix = "Install the thesaurus again, or name another."
        raise wrong(f"this thesaurus cannot be read: {error}", "thesaurus", fix, file=str(path)) from error


class WordNet:
    """The four indexes and data files of a folder."""

    name = "WordNet"

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @cached_property
    def _index(self) -> dict[str, list[tuple[str, int]]]:
        """Places of synsets by word, in the order of their use, those of nouns first."""
        found: dict[str, list[tuple[str, int]]] = {}
        for part in _PARTS.values():
            with (self.folder / f"index.{part}").open(encoding="utf-8") as file:
                for line in file:
                    if line.startswith(" "):
                        continue
                    word, _, synsets, *rest = line.split()
                    found.setdefault(word, []).extend((part, int(place)) for place in rest[-int(synsets) :])
        return found

    def senses(self, word: str) -> list[Sense]:
        """Synonyms of each synset; as near ones, words of wider synsets and of similar adjectives."""
        with _reading(self.folder):
            return list(self._senses(word))

    def _senses(self, word: str) -> Iterator[Sense]:
        numbers = dict.fromkeys(_PARTS.values(), 0)
        for part, place in self._index.get(word.replace(" ", "_"), []):
            words, pointers = self._synset(part, place)
            near = [one for sign, kind, other in pointers if sign in "@&" for one in self._synset(kind, other)[0]]
            yield Sense(numbers[part], part, tuple(words), tuple(near))
            numbers[part] += 1

    def _synset(self, part: str, place: int) -> tuple[list[str], list[tuple[str, str, int]]]:
        with (self.folder / f"data.{part}").open("rb") as file:
            file.seek(place)
            cells = file.readline().decode("utf-8").split(" | ")[0].split()
        many = int(cells[3], 16)
        words = [re.sub(r"\(.*\)$", "", cells[4 + 2 * number]).replace("_", " ") for number in range(many)]
        rest = cells[4 + 2 * many :]
        kinds = {"n": "noun", "v": "verb", "a": "adj", "s": "adj", "r": "adv"}
        pointers = [rest[1 + 4 * number : 5 + 4 * number] for number in range(int(rest[0]))]
        return words, [(sign, kinds[kind], int(other)) for sign, other, kind, _ in pointers]


class MyThes:
    """A text of entries (``.dat``) and its index (``.idx``)."""

    def __init__(self, data: Path) -> None:
        self.data, self.index = data, data.with_suffix(".idx")
        self.name = f"MyThes {data.stem}"

    @cached_property
    def _encoding(self) -> str:
        with self.data.open("rb") as file:
            return file.readline().decode("ascii", errors="replace").strip().replace("ISO8859", "ISO-8859")

    @cached_property
    def _places(self) -> dict[str, int]:
        lines = self.index.read_bytes().decode(self._encoding).splitlines()[2:]
        cells = (line.rpartition("|") for line in lines)
        return {word: int(place) for word, _, place in cells if place.isdigit()}

    def senses(self, word: str) -> list[Sense]:
        """Each line of an entry; what is marked as wider or similar is near, opposites are left out."""
        with _reading(self.data):
            return list(self._senses(word)) if word in self._places else []

    def _senses(self, word: str) -> Iterator[Sense]:
        with self.data.open("rb") as file:
            file.seek(self._places[word])
            many = int(file.readline().decode(self._encoding).rpartition("|")[2])
            for number in range(many):
                part, *words = file.readline().decode(self._encoding).rstrip("\r\n").split("|")
                same = [one for one in words if not _REMARK.search(one)]
                near = [_REMARK.sub("", one) for one in words if _is_near(one)]
                told = part.strip("()- ").lower()
                known = next((one for one in _PARTS.values() if told.startswith(one)), "")
                yield Sense(number, known, tuple(same), tuple(near))


def _is_near(word: str) -> bool:
    remark = _REMARK.search(word)
    return remark is not None and not any(kind in remark[1] for kind in _NARROWER)


def part_name(upos: str) -> str:
    """A part of speech of Universal Dependencies as thesauri call it; empty for others."""
    return _PARTS.get(upos, "")


def thesauri(language: str, paths: Sequence[Path] = ()) -> list[Thesaurus]:
    """Those at the paths, else those that are installed; of several regions that of the language, as in ``pt-PT``.

    Raises InputError if there is none, with what to do.
    """
    code = language_code(language)
    told = re.fullmatch(r"\w+[-_]([A-Za-z]{2})", language.strip())
    region = told[1].upper() if told else _USUAL_REGION.get(code, code.upper())
    found = [one for path in paths for one in _at(path, code, region)]
    if not paths:
        found = [one for path in (WORDNET, MYTHES) if path.is_dir() for one in _at(path, code, region, needed=False)]
    if found:
        return found[:1] if not paths else found
    what = f"no thesaurus for {language_name(language)} was found"
    package = PACKAGES.get(code)
    fix = f"Install the Debian package {package}, or" if package else "Debian packages none:"
    raise wrong(what, "thesaurus", f"{fix} give the path of one with --thesaurus.", value=language)


def _at(path: Path, code: str, region: str, *, needed: bool = True) -> Iterator[Thesaurus]:
    """The thesauri of a path: a folder of WordNet (English), a file of MyThes, or a folder with some."""
    if (path / "index.noun").is_file():
        if code == "en":
            yield WordNet(path)
        return
    files = [path] if path.suffix == ".dat" else sorted(path.glob(f"th*_{code}*.dat"))
    files.sort(key=lambda one: f"_{code}_{region}" not in one.stem)
    ready = [one for one in files if one.is_file() and one.with_suffix(".idx").is_file()]
    if not ready and needed:
        fix = "Name a folder with WordNet's index.noun, or a .dat file of MyThes with its .idx beside it."
        raise wrong("there is no thesaurus here", "thesaurus", fix, file=str(path))
    yield from map(MyThes, ready[:1])
