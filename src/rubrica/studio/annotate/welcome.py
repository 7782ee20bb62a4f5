"""What is read before the work, and at any time after.

The welcome (what one will do, how the answers will be used, that anything may be skipped), and the guidelines, as a
step with "I have read this".
"""

from __future__ import annotations

import math
from typing import NamedTuple

from django.http import HttpResponse
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_http_methods

from rubrica.core.profile import Wanted
from rubrica.core.protocol import Protocol
from rubrica.core.stage_settings import AUDIENCE
from rubrica.core.texts import shown as text_in
from rubrica.exchange.study_options import Options
from rubrica.store import models
from rubrica.store.money.costs import seconds_expected
from rubrica.store.people.participation import finish, way
from rubrica.store.translate import protocol_of, rules_of
from rubrica.studio.access import AnnotatorRequest, annotator_page
from rubrica.studio.annotate.desk import spoken_language
from rubrica.studio.annotate.languages import settle, spoken
from rubrica.studio.annotate.steps import shown, to_due
from rubrica.studio.annotate.work_pages import share_of
from rubrica.studio.formats import country, listed, money, number
from rubrica.studio.guidelines import render, render_markdown, words_in

DATA_USE = gettext_lazy(
    "Your answers and what you tell about yourself (demographic data such as your age or your first language) are "
    "stored anonymously: under a pseudonym, apart from anything that could tell who you are. They are used for "
    "research and distributed to other researchers for that purpose, also in public data sets.\n\n"
    "You may stop at any time without giving a reason, and you may ask that your answers be erased: “Withdraw” "
    "in the menu does both. What was published before cannot be called back."
)
"""How data are used, in a study that does not say it otherwise."""
ANSWERS_USE = gettext_lazy(
    "Your answers are stored anonymously: under a pseudonym, apart from anything that could tell who you are. They "
    "are used for research and distributed to other researchers for that purpose, also in public data sets.\n\n"
    "You may stop at any time without giving a reason, and you may ask that your answers be erased: “Withdraw” "
    "in the menu does both. What was published before cannot be called back."
)
"""The same where nothing is asked about the person."""


MOST_SECONDS = 40 * 3600
"""More work than a week's is nobody's share: its whole time would tell people nothing about theirs."""


class Fact(NamedTuple):
    """A line of what one will do."""

    label: str
    text: str


@annotator_page
@require_http_methods(["GET", "POST"])
def welcome(request: AnnotatorRequest) -> HttpResponse:
    """Show the welcome; the button goes on."""
    found = way(request.annotator)
    if request.method == "POST":
        if found.due == "welcome":
            finish(request.annotator, "welcome", timezone.now())
        return to_due(request)
    settle(request)
    told = about(found.stage, found.options, spoken(request), request.annotator)
    return shown(request, "annotate/welcome.html", told, step="welcome")


def about(
    stage: models.Stage, options: Options, language: str, annotator: models.Annotator | None = None
) -> dict[str, object]:
    """What the page says of the study: used by the welcome and by doors that show it beforehand, to nobody yet."""
    protocol = protocol_of(stage)
    return {
        "title": stage.study.title or text_in(protocol.title, language),
        "welcome_html": render_markdown(options.text("welcome_text", language), "own-", 2),
        "summary": text_in(protocol.summary, language),
        "language": language,
        "facts": facts(stage, options, language, annotator),
        "data_use_html": render_markdown(_data_use(options, language), "data-", 3),
        "contact": options.ethics.contact,
        "approval": options.ethics.approval,
    }


def words_shown(stage: models.Stage, options: Options, language: str) -> int:
    """How many words the page shows of the study."""
    told = about(stage, options, language)
    return words_in(f"{told['title']} {render_to_string('annotate/about_study.html', told)}")


def _data_use(options: Options, language: str) -> str:
    return options.text("data_use", language) or str(DATA_USE if options.asks_profile else ANSWERS_USE)


def facts(
    stage: models.Stage, options: Options, language: str, annotator: models.Annotator | None = None
) -> list[Fact]:
    """The task, the part, for whom the texts are, how much there is, how long it takes and what is paid."""
    protocol = protocol_of(stage)
    step = rules_of(stage, protocol)
    found = [
        Fact(_("Task"), text_in(protocol.title, language)),
        Fact(_("Your part"), text_in(step.label, language)),
        *_readers(options, protocol, language),
    ]
    wanted = options.profile.required.wanted
    # "Others are welcome" is the protocol's to say, until the study lets native speakers in alone.
    who = [text_in(step.requires, language)] if step.requires is not None and not wanted.native_speaker else []
    if who := [*who, *who_may(wanted)]:
        found.append(Fact(_("Who can take part"), "; ".join(who).replace(".;", ";")))
    limit, pages = share_of(stage, annotator)
    if limit:
        many = ngettext("%(n)d item", "up to %(n)d items", limit)
        if pages < limit:
            many = ngettext("up to %(n)d items on one page", "up to %(n)d items on %(pages)d pages", pages)
        found.append(Fact(_("How much"), many % {"n": limit, "pages": pages}))
    if limit:
        found.append(Fact(_("How long"), _how_long(seconds_expected(stage.study, options.payment)[stage.key], limit)))
    pay = _pay(stage, options)
    if pay:
        found.append(Fact(_("Pay"), pay))
    return found


def _how_long(seconds: float, items: int) -> str:
    """The time for an item, and for all that there may be of them as long as one person could do that much."""
    each = _("about %(each)s for each item") % {"each": duration(seconds)}
    if not 1 < items <= MOST_SECONDS / seconds:
        return each
    told = _(
        "about %(each)s for each item, up to %(all)s in all. You can stop at any time and go on later by the same link."
    )
    return told % {"each": duration(seconds), "all": duration(seconds * items)}


def _readers(options: Options, protocol: Protocol, language: str) -> list[Fact]:
    """Whom the texts are for and what they are: as the study says, else as the protocol does if it is its to say."""
    of_study = any(parameter.id == AUDIENCE for parameter in protocol.parameters)
    told = {
        _("The texts are for"): options.about.audience or ("" if of_study else text_in(protocol.audience, language)),
        _("Kind of texts"): options.about.genre,
        _("Level of education"): options.about.education_level,
        _("The texts and education"): options.about.education_relation,
    }
    return [Fact(label, text) for label, text in told.items() if text]


def who_may(wanted: Wanted) -> list[str]:
    """Whom a study looks for, in words."""
    said = [_("native speakers of the language of the texts")] if wanted.native_speaker else []
    ranges = (
        (
            wanted.ages,
            _("from %(low)g to %(high)g years old"),
            _("%(low)g years or older"),
            _("at most %(high)g years old"),
        ),
        (
            wanted.education,
            _("with %(low)g to %(high)g years of education"),
            _("with at least %(low)g years of education"),
            _("with at most %(high)g years of education"),
        ),
    )
    for (low, high), both, least, most in ranges:
        words = both if None not in (low, high) else least if low is not None else most if high is not None else ""
        said += [words % {"low": low, "high": high}] if words else []
    if wanted.countries:
        names = listed(country(code) for code in wanted.countries)
        said.append(_("living in one of these countries: %(names)s") % {"names": names})
    return said


def duration(seconds: float) -> str:
    """A rough time in words."""
    if seconds < 90:
        count = max(1, round(seconds))
        return ngettext("%(n)d second", "%(n)d seconds", count) % {"n": count}
    minutes = round(seconds / 60)
    if minutes < 90:
        return ngettext("%(n)d minute", "%(n)d minutes", minutes) % {"n": minutes}
    hours = round(minutes / 30) / 2
    told = number(hours)
    return ngettext("%(n)s hour", "%(n)s hours", math.ceil(hours)) % {"n": told}


def _pay(stage: models.Stage, options: Options) -> str:
    payment = options.payment
    parts = []
    prices = payment.prices(stage.key)
    if prices and prices[-1]:
        low, high = money(prices[0], payment.currency), money(prices[-1], payment.currency)
        words = _("%(sum)s for each item") if low == high else _("%(low)s to %(sum)s for each item")
        parts.append(words % {"low": low, "sum": high})
    if payment.per_hour:
        parts.append(_("%(sum)s an hour") % {"sum": money(payment.per_hour, payment.currency)})
    if payment.bonus.get(stage.key):
        parts.append(_("a bonus of up to %(sum)s") % {"sum": money(payment.bonus[stage.key], payment.currency)})
    return listed(parts)


@annotator_page
@require_http_methods(["GET", "POST"])
def guidelines(request: AnnotatorRequest) -> HttpResponse:
    """Show the guidelines; the button says that they were read."""
    found = way(request.annotator)
    if request.method == "POST":
        if found.due == "guidelines":
            finish(request.annotator, "guidelines", timezone.now())
        return to_due(request)
    protocol = protocol_of(found.stage)
    language = spoken_language(protocol, spoken(request))
    context = {
        "guidelines_html": render(protocol, language),
        "language": language,
    }
    return shown(request, "annotate/guidelines.html", context, step="guidelines")
