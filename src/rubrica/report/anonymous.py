"""Ratings without names: raters are called A1, A2, …, models keep theirs.

A report is made to be published, and an annotator's name, address or id on a crowd platform is no part of a result.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

import attrs

from rubrica.core.ratings import VERDICT, Criterion, Rater, Ratings
from rubrica.core.texts import shown
from rubrica.exchange.study_options import Options
from rubrica.report.prose import sentence

PERSON = "person"


def aliases(raters: Iterable[Rater]) -> dict[str, str]:
    """A1, A2, … for people in their order; models and metrics are nobody's secret and are called what they are."""
    found: dict[str, str] = {}
    people = 0
    for rater in raters:
        if rater.kind == PERSON:
            people += 1
            found[rater.name] = f"A{people}"
        else:
            found[rater.name] = f"{rater.kind}: {rater.name}"
    return found


def alias_order(alias: str) -> tuple[int, str]:
    """What sorts A2 before A10, and people before models."""
    return (int(alias[1:]), "") if alias[1:].isdigit() else (10**9, alias)


def anonymous(ratings: Ratings, known: Mapping[str, str]) -> Ratings:
    """The same ratings under aliases, excluded ones in the signature included; questions begin with a capital.

    Raters come in the order of their aliases, in which every table has them.
    """
    out = str(ratings.origin.get("excluded", ""))
    excluded = [name for name, rater in ratings.raters.items() if rater.excluded]
    others = [name for name in known if name in out.split("+") and name not in ratings.raters]
    hidden = "+".join(sorted(known[name] for name in (*excluded, *others)))
    raters = {known[name]: attrs.evolve(rater, name=known[name]) for name, rater in ratings.raters.items()}
    return attrs.evolve(
        ratings,
        criteria=tuple(attrs.evolve(one, label=_label(ratings, one)) for one in ratings.criteria),
        every=tuple(attrs.evolve(rating, rater=known[rating.rater], pid="") for rating in ratings.every),
        raters={alias: raters[alias] for alias in sorted(raters, key=alias_order)},
        origin={**ratings.origin, "excluded": hidden} if out else ratings.origin,
    )


def _label(ratings: Ratings, criterion: Criterion) -> str:
    """What a question is called, with a capital letter; a verdict by the protocol's own words."""
    if criterion.kind == VERDICT and ratings.protocol is not None:
        named = {verdict.id: shown(verdict.label, "en") for verdict in ratings.protocol.verdicts}
        return named.get(criterion.id, criterion.label)
    return sentence(criterion.label)


def hide(text: str, known: Mapping[str, str]) -> str:
    """A free text without the names of annotators and without addresses of e-mail."""
    for name in sorted(known, key=len, reverse=True):
        text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", known[name], text, flags=re.IGNORECASE)
    return re.sub(r"[^\s@<>]+@[^\s@<>]+\.[^\s@<>,;]+", "(address)", text)


def anonymous_options(options: Options, known: Mapping[str, str]) -> Options:
    """A study's settings as a report may quote them: nobody's name and no address, texts for annotators left out."""
    quoted = {name: hide(getattr(options.ethics, name).strip(), known) for name in ("approval", "sources", "licence")}
    ethics = options.ethics.model_copy(update={**quoted, "contact": ""})
    told = {"ethics": ethics, "data_use": hide(options.data_use.strip(), known), "adjudicators": [], "teams": {}}
    return options.model_copy(update={**told, "welcome_text": "", "consent_text": "", "thanks_text": ""})
