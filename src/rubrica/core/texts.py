"""Texts that annotators see: in several languages, with wordings chosen and names filled in by parameters."""

from __future__ import annotations

import re
from collections.abc import Mapping

import attrs

RIGHT_TO_LEFT = frozenset({"ar", "dv", "fa", "he", "ku", "ps", "sd", "ug", "ur", "yi"})
_PLACEHOLDER = re.compile(r"\{([a-z][a-z0-9_]*)\}")
PLANTED_MARK = "<!-- planted -->"
"""Begins what annotators are told only if items are planted that measure them; ``<!-- end -->`` ends it."""
_PLANTED = re.compile(rf"{PLANTED_MARK}(.*?)<!-- end -->", re.DOTALL)


@attrs.frozen
class Text:
    """One text in one or more languages. The first language is the fallback."""

    languages: Mapping[str, str]
    fallback: str

    def __bool__(self) -> bool:
        return any(self.languages.values())

    def get(self, language: str) -> str:
        """The text in ``language``, in a wider one (``zh-Hant``, then ``zh``, for ``zh-Hant-TW``), or the fallback."""
        candidate = language
        while candidate not in self.languages and "-" in candidate:
            candidate = candidate.rpartition("-")[0]
        return self.languages.get(candidate, self.languages.get(self.fallback, ""))

    def placeholders(self) -> set[str]:
        """Names of the parameters that the text mentions as ``{name}``."""
        return {name for text in self.languages.values() for name in _PLACEHOLDER.findall(text)}

    def about_tests(self, planted: bool) -> Text:
        """The text without its marks around what is said of planted items, and without that if there are none."""
        if not any(PLANTED_MARK in text for text in self.languages.values()):
            return self
        texts = {code: _PLANTED.sub(r"\1" if planted else "", text) for code, text in self.languages.items()}
        return Text({code: text.strip() for code, text in texts.items()}, self.fallback)

    def fill(self, values: Mapping[str, Text]) -> Text:
        """The text with each ``{name}`` replaced by that parameter's text in the same language."""
        if not self.placeholders():
            return self
        return Text(
            {
                language: _PLACEHOLDER.sub(
                    lambda found, spoken=language: (  # type: ignore[misc]
                        values[found[1]].get(spoken) if found[1] in values else found[0]
                    ),
                    text,
                )
                for language, text in self.languages.items()
            },
            self.fallback,
        )


@attrs.frozen
class Wordings:
    """A text whose wording a parameter chooses, for instance "for you" or "for the audience"."""

    parameter: str
    options: Mapping[str, Text]

    def choose(self, value: str) -> Text:
        """The wording for that value of the parameter."""
        return self.options[value]


AnyText = Text | Wordings


def plain(text: str, language: str = "en") -> Text:
    """A text in a single language."""
    return Text({language: text}, language)


def shown(text: AnyText | None, language: str) -> str:
    """What an annotator reads. Only texts of a resolved protocol can be shown."""
    if text is None:
        return ""
    if isinstance(text, Wordings):
        raise TypeError(f"resolve the protocol first: {text.parameter} still chooses this wording")
    return text.get(language)


def is_right_to_left(language: str) -> bool:
    """Whether the language is written from right to left."""
    return language.split("-", maxsplit=1)[0] in RIGHT_TO_LEFT
