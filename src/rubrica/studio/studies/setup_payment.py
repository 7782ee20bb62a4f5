"""Setup, step by step: what is paid, and the arithmetic that follows from it while it is typed."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Any, NamedTuple

import attrs
from django import forms
from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods

from rubrica.core.errors import InputError
from rubrica.core.profile import CURRENCIES
from rubrica.core.texts import shown
from rubrica.exchange.judged_ratings import dataset_of
from rubrica.exchange.study_options import Payment, checked
from rubrica.store import models
from rubrica.store.money.costs import seconds_guessed
from rubrica.store.options import options_of
from rubrica.store.setup.setting_up import change_options
from rubrica.store.stages import current_stages
from rubrica.store.translate import protocol_of, rules_of
from rubrica.studio.access import StudyRequest, study_page
from rubrica.studio.formats import countries
from rubrica.studio.studies.arithmetic import arithmetic_context, people_from
from rubrica.studio.studies.setup_steps import DecimalField, FloatField, refuse, saved, setup_step, show

MOST_DATASETS = 6
BY_STAGE = ("per_task", "bonus", "median_seconds")


def _money(label: Any, help_text: Any = "") -> DecimalField:
    return DecimalField(
        label=label, help_text=help_text, min_value=Decimal(0), max_digits=10, decimal_places=4, required=False
    )


class StageRow(NamedTuple):
    """The fields of one stage."""

    label: str
    fields: list[Any]


class PaymentForm(forms.Form):
    """What is paid, by stage and over all."""

    currency = forms.RegexField(
        r"^[A-Za-z]{3}$",
        label=_("Currency"),
        help_text=_("Three letters, for instance EUR or USD."),
        error_messages={"invalid": _("Write the three letters of a currency, for instance EUR.")},
        widget=forms.TextInput(attrs={"maxlength": 3, "class": "short", "autocapitalize": "characters"}),
    )
    per_hour = _money(_("Pay per hour"), _("On top of the pay per task, for the time at work. May stay empty."))
    bonus_share = FloatField(
        label=_("Share of judgements that will earn the bonus, in percent"), min_value=0, max_value=100, required=False
    )
    platform_fee = FloatField(
        label=_("Fee of the platform, in percent of everything paid"), min_value=0, max_value=100, required=False
    )

    def __init__(
        self,
        data: Any,
        payment: Payment,
        stages: list[models.Stage],
        guesses: dict[str, int],
        datasets: Sequence[str] = (),
    ) -> None:
        super().__init__(
            data,
            initial={
                "currency": payment.currency,
                "per_hour": payment.per_hour,
                "bonus_share": f"{payment.bonus_share * 100:.6g}",
                "platform_fee": f"{payment.platform_fee:.6g}",
            },
        )
        self.stages, self.datasets = stages, datasets
        for number, stage in enumerate(stages):
            guess = guesses[stage.key]
            self.fields[f"per_task_{number}"] = _money(_("Pay per task"))
            self.fields[f"bonus_{number}"] = _money(_("Bonus"), _("For a judgement that deserves one."))
            self.fields[f"median_seconds_{number}"] = FloatField(
                label=_("Seconds for one task"),
                help_text=_("Median. Empty: %(guess)d, guessed from the questions and texts.") % {"guess": guess},
                min_value=1,
                max_value=86_400,
                required=False,
            )
            self.fields[f"median_seconds_{number}"].widget.attrs["placeholder"] = str(guess)
            for part in BY_STAGE:
                self.initial[f"{part}_{number}"] = getattr(payment, part).get(stage.key)
            for place, dataset in enumerate(self.datasets):
                label = _("Pay per task, %(dataset)s") % {"dataset": dataset}
                self.fields[f"price_{number}_{place}"] = _money(label, _("Empty: the pay per task."))
                self.initial[f"price_{number}_{place}"] = payment.per_task.get(f"{stage.key}/{dataset}")

    def clean_currency(self) -> str:
        """A currency that there is."""
        code: str = self.cleaned_data["currency"].upper()
        if code not in CURRENCIES:
            words = _("There is no currency %(code)s. Write its three letters, for instance EUR.")
            raise forms.ValidationError(words % {"code": code})
        return code

    def stage_rows(self) -> list[StageRow]:
        """The fields of each stage, under its label."""
        language = get_language() or "en"
        return [
            StageRow(
                shown(rules_of(stage, protocol_of(stage)).label, language),
                [
                    *(self[f"{part}_{number}"] for part in BY_STAGE),
                    *(self[f"price_{number}_{place}"] for place in range(len(self.datasets))),
                ],
            )
            for number, stage in enumerate(self.stages)
        ]

    def settings(self, before: Payment, wages: dict[str, Decimal]) -> dict[str, Any]:
        """The settings of a valid form; stages that the form does not show keep theirs."""
        said = self.cleaned_data
        found: dict[str, Any] = {
            "currency": said["currency"],
            "per_hour": said["per_hour"],
            "bonus_share": round((said["bonus_share"] or 0) / 100, 6),
            "platform_fee": said["platform_fee"] or 0,
            "minimum_wages": wages,
        }
        for part in BY_STAGE:
            values = dict(getattr(before, part))
            for number, stage in enumerate(self.stages):
                values.pop(stage.key, None)
                if said[f"{part}_{number}"] is not None:
                    values[stage.key] = said[f"{part}_{number}"]
            found[part] = values
        for number, stage in enumerate(self.stages):
            for place, dataset in enumerate(self.datasets):
                found["per_task"].pop(f"{stage.key}/{dataset}", None)
                if said[f"price_{number}_{place}"] is not None:
                    found["per_task"][f"{stage.key}/{dataset}"] = said[f"price_{number}_{place}"]
        return found


def _countries() -> list[tuple[str, str]]:
    """The countries that annotators can name in their profile."""
    return [("", "–"), *countries()]


class WageForm(forms.Form):
    """The minimum wage of one country."""

    country = forms.ChoiceField(label=_("Country"), required=False, choices=_countries)
    wage = _money(_("Minimum wage per hour"))

    def clean(self) -> dict[str, Any]:
        """Either both or neither."""
        said: dict[str, Any] = super().clean() or self.cleaned_data
        if said.get("country") and said.get("wage") is None and "wage" not in self.errors:
            self.add_error("wage", _("Write the minimum wage of this country."))
        if said.get("wage") is not None and not said.get("country"):
            self.add_error("country", _("Name the country."))
        return said


Wages = forms.formset_factory(WageForm, extra=2, max_num=100, absolute_max=200)


@attrs.frozen
class Forms:
    """Both forms of the page."""

    main: PaymentForm
    wages: Any

    def settings(self, before: Payment) -> dict[str, Any] | None:
        """The settings, if both forms are valid."""
        if not (self.main.is_valid() and self.wages.is_valid()):
            return None
        rows = [form.cleaned_data for form in self.wages.forms]
        wages = {row["country"]: row["wage"] for row in rows if row.get("country") and row.get("wage") is not None}
        return self.main.settings(before, wages)


def _datasets(study: models.Study) -> list[str]:
    """The data sets that the items come from, where there are several and not too many to price each."""
    named = {dataset_of(metadata) for metadata in study.items.given().unplanted().values_list("metadata", flat=True)}
    return sorted(named - {""}) if 1 < len(named) <= MOST_DATASETS else []


def payment_forms(study: models.Study, data: Any) -> Forms:
    """The forms, filled from what was sent or from the settings."""
    before = options_of(study).payment
    wages = [{"country": country, "wage": wage} for country, wage in before.minimum_wages.items()]
    return Forms(
        PaymentForm(data, before, current_stages(study), seconds_guessed(study), _datasets(study)),
        # What was sent stands for itself: compared with the settings, a row sent again would count as untouched.
        Wages(data, prefix="wages", initial=wages if data is None else None),
    )


@setup_step
def payment(request: StudyRequest) -> HttpResponse:
    """Pay per task, per hour, bonuses, the platform's fee, minimum wages; the arithmetic beside them."""
    study = request.study
    posted = request.POST if request.method == "POST" else None
    both = payment_forms(study, posted)
    if posted is not None:
        said = both.settings(options_of(study).payment)
        if said is not None:
            try:
                change_options(study, {"payment": said}, timezone.now(), request.user.get_username())
            except InputError as error:
                refuse(both.main, error)
            else:
                return saved(request, "payment")
    context = {"form": both.main, "wages": both.wages, **arithmetic_context(study, people_from(request.GET))}
    return show(request, "payment", context, status=422 if posted is not None else 200)


@study_page("viewer")
@require_http_methods(["GET", "POST"])
def arithmetic(request: StudyRequest) -> HttpResponse:
    """The arithmetic alone, of the settings or of what is being typed; nothing is saved."""
    study = request.study
    typed = None
    unreadable = False
    people = people_from(request.POST if request.method == "POST" else request.GET)
    if request.method == "POST":
        said = payment_forms(study, request.POST).settings(options_of(study).payment)
        try:
            typed = checked({"payment": said}).payment if said is not None else None
        except InputError:
            typed = None
        unreadable = typed is None
    context = {"study": study, "unreadable": unreadable, **arithmetic_context(study, people, typed)}
    return render(request, "studies/arithmetic.html", context)
