"""Setup, step by step: the ethics record of the study and what is attested of its sources."""

from __future__ import annotations

from typing import Any

from django import forms
from django.http import HttpResponse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from rubrica.core.errors import InputError
from rubrica.store.options import options_of
from rubrica.store.setup.setting_up import change_options
from rubrica.studio.access import StudyRequest
from rubrica.studio.studies.setup_steps import refuse, saved, setup_step, show


class EthicsForm(forms.Form):
    """The record that goes with the data."""

    approval = forms.CharField(
        label=_("Approval"),
        help_text=_("Committee and number, or why none is needed."),
        required=False,
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 3, "dir": "auto"}),
    )
    contact = forms.CharField(
        label=_("Contact for annotators"),
        help_text=_("Whom an annotator can ask: a name and an e-mail address."),
        required=False,
        max_length=500,
        widget=forms.TextInput(attrs={"dir": "auto"}),
    )
    sources = forms.CharField(
        label=_("Where the texts come from"),
        required=False,
        max_length=5000,
        widget=forms.Textarea(attrs={"rows": 3, "dir": "auto"}),
    )
    licence = forms.CharField(
        label=_("Licence of the texts"), help_text=_("For instance CC BY-SA 4.0."), required=False, max_length=200
    )
    sources_attested = forms.BooleanField(
        label=_(
            "I attest that the texts were written by native speakers, are not translations, and may be redistributed."
        ),
        required=False,
    )
    master_required = forms.BooleanField(
        label=_("On MTurk, only workers with the Master qualification"), required=False
    )


@setup_step
def ethics(request: StudyRequest) -> HttpResponse:
    """Approval, contact, sources, requirements."""
    posted = request.POST if request.method == "POST" else None
    before: dict[str, Any] = options_of(request.study).ethics.model_dump()
    form = EthicsForm(posted, initial=before)
    if posted is not None and form.is_valid():
        try:
            record = {**before, **form.cleaned_data}
            change_options(request.study, {"ethics": record}, timezone.now(), request.user.get_username())
        except InputError as error:
            refuse(form, error)
        else:
            return saved(request, "ethics")
    return show(request, "ethics", {"form": form}, status=422 if posted is not None else 200)
