"""Which readability formulas there are, and for which languages each was made."""

from __future__ import annotations

from typing import NamedTuple

from rubrica.core.errors import InputError, wrong
from rubrica.language.names import base_language, language_name


class Known(NamedTuple):
    """Where a formula is, and its languages; none means every language with spaces between words."""

    where: str
    languages: tuple[str, ...]


FORMULAS = {
    "fkgl": Known("fkgl:Fkgl", ("en",)),
    "flesch_reading_ease": Known("readability_english:FleschReadingEase", ("en",)),
    "gunning_fog": Known("readability_english:GunningFog", ("en",)),
    "smog": Known("readability_english:Smog", ("en",)),
    "coleman_liau": Known("readability_english:ColemanLiau", ("en",)),
    "ari": Known("readability_english:Ari", ("en",)),
    "fernandez_huerta": Known("readability_romance:FernandezHuerta", ("es",)),
    "szigriszt_pazos": Known("readability_romance:SzigrisztPazos", ("es",)),
    "gutierrez_polini": Known("readability_romance:GutierrezPolini", ("es",)),
    "crawford": Known("readability_romance:Crawford", ("es",)),
    "gulpease": Known("readability_romance:Gulpease", ("it",)),
    "franchina_vacca": Known("readability_romance:FranchinaVacca", ("it",)),
    "kandel_moles": Known("readability_romance:KandelMoles", ("fr",)),
    "martins": Known("readability_romance:Martins", ("pt",)),
    "amstad": Known("readability_other:Amstad", ("de",)),
    "wiener_sachtext": Known("readability_other:WienerSachtext", ("de",)),
    "douma": Known("readability_other:Douma", ("nl",)),
    "oborneva": Known("readability_other:Oborneva", ("ru",)),
    "atesman": Known("readability_other:Atesman", ("tr",)),
    "lix": Known("readability_other:Lix", ()),
    "rix": Known("readability_other:Rix", ()),
}
"""By the names under which they are asked for. ``readability`` stands for all those of a language."""

WITHOUT_SPACES = {"bo", "ja", "km", "lo", "my", "th", "yue", "zh"}
"""Languages whose words have no spaces between them."""


def formulas_for(language: str) -> list[str]:
    """The names of the formulas for a language, those made for it first; none for one written without spaces."""
    return [name for name in FORMULAS if suits(name, language)]


def suits(name: str, language: str) -> bool:
    """Whether a formula was made for a language."""
    code, languages = base_language(language), FORMULAS[name].languages
    return code in languages if languages else code not in WITHOUT_SPACES


def check_language(name: str, language: str) -> None:
    """Refuse a formula that was not made for the language of the texts, and name those that were."""
    if not suits(name, language):
        made = ", ".join(map(language_name, FORMULAS[name].languages)) or "languages with spaces between words"
        raise wrong(f"{name} was made for {made}", "language", _instead(language), value=language)


def expanded(name: str, language: str) -> list[str]:
    """The names that a name stands for: the formulas of the language for ``readability``, otherwise itself."""
    if name != "readability":
        return [name]
    found = formulas_for(language)
    if not found:
        raise _no_formula(language)
    return found


def _no_formula(language: str) -> InputError:
    what = f"there is no readability formula for {language_name(language)}"
    return wrong(what, "language", _instead(language), value=language)


def _instead(language: str) -> str:
    found = formulas_for(language)
    name = language_name(language)
    if found:
        return f"For {name} use {', '.join(found)}; if the texts are in another language, say --lang."
    return f"Leave it out: no formula is for {name}. If the texts are in another language, say --lang."
