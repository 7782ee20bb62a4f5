"""Small words of a language by class, and its adverbs: what joins phrases, and what means little by itself.

Only closed classes are listed. In a language without a list every word counts as a content word, which costs some
accuracy and nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping

import attrs

LINK, PRONOUN, OTHER = "link", "pronoun", "other"


@attrs.frozen
class Grammar:
    """The small words of one language by their class, and how its adverbs are known."""

    language: str = ""
    classes: Mapping[str, str] = attrs.field(factory=dict)
    adverbs: frozenset[str] = frozenset()
    adverb_ending: str = ""

    def is_small(self, key: str) -> bool:
        """Whether a word means little without its neighbours."""
        return key in self.classes

    def joins(self, key: str) -> bool:
        """Whether a word can join two clauses: *and*, *although*, *who*."""
        return self.classes.get(key) in {LINK, PRONOUN}

    def is_adverb(self, key: str) -> bool:
        """Whether a word says how or when, so that it can be left out with nothing in its place."""
        if key in self.adverbs:
            return True
        return bool(self.adverb_ending) and len(key) > 5 and key.endswith(self.adverb_ending)


def _classes(**lists: str) -> dict[str, str]:
    return {word: name for name, words in lists.items() for word in words.split()}


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_ENGLISH = Grammar(
    "en",
    _classes(
        link="""and or but nor so yet because although though while whereas if unless when where whether as than how why
            however therefore thus hence moreover furthermore also then after before since until""",
        pronoun="""i you he she it we they me him us them mine yours hers ours theirs himself herself itself themselves
            who whom whose which what there one ones""",
        other="""the a an this that these those my your his its our their her some any each every no another such
            of in on at by for with from to into onto about over under during between among through against without
            within towards toward across along around behind below above near off out up down upon per via like due
            beside besides despite throughout amid amongst
            is are was were be been being am has have had having do does did doing done will would shall should can
            could may might must isn't aren't wasn't weren't hasn't haven't hadn't don't doesn't didn't won't wouldn't
            can't cannot couldn't shouldn't not very too just only even more most less there's it's""",
    ),
    _set("also soon then thus often still again already now later just very too quite rather therefore"),
    "ly",
)
_SPANISH = Grammar(
    "es",
    _classes(
        link="""y e o u ni pero sino mas aunque porque pues si cuando donde como mientras así entonces además también
            embargo""",
        pronoun="""yo tú él ella ello usted nosotros nosotras ellos ellas ustedes me te se le les nos os que quien
            quienes cual cuales cuyo cuya cuyos cuyas esto eso aquello""",
        other="""el la los las lo un una unos unas este esta estos estas ese esa esos esas aquel aquella aquellos
            aquellas mi mis tu tus su sus nuestro nuestra nuestros nuestras cada otro otra otros otras algún alguna
            algunos algunas ningún ninguna dicho dicha dichos dichas
            de del a al en con sin por para desde hasta hacia entre sobre bajo tras ante contra según durante mediante
            es son era eran fue fueron ser sido siendo está están estaba estaban estar estado ha han había habían haber
            hay he hemos hubo será serán puede pueden debe deben no muy más menos ya tan sólo solo""",
    ),
    _set("también además ya pronto luego entonces así muy aún todavía ahora después siempre nunca"),
    "mente",
)
_KNOWN = {"en": _ENGLISH, "es": _SPANISH}


def grammar_of(language: str) -> Grammar:
    """The small words of a language (``es``, ``es-MX``); an empty list for one that is not known."""
    return _KNOWN.get(language.replace("_", "-").split("-")[0].lower(), Grammar())
