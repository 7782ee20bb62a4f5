"""Setup, step by step: the ethics record of the study and what is attested of its sources."""

from __future__ import annotations

from typing import Any, NamedTuple

from django import forms
from django.http import HttpResponse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from rubrica.core.errors import InputError
from rubrica.store import models
from rubrica.store.options import options_of
from rubrica.store.setup.running import missing_in_record
from rubrica.store.setup.setting_up import change_options
from rubrica.studio.access import StudyRequest
from rubrica.studio.studies.setup_steps import refuse, saved, setup_step, show


def _line(label: Any, help_text: Any) -> forms.CharField:
    area = forms.TextInput(attrs={"dir": "auto"})
    return forms.CharField(label=label, help_text=help_text, required=False, max_length=500, widget=area)


class AboutForm(forms.Form):
    """Whom the texts are for and what they are."""

    audience = _line(
        _("Audience"),
        _("Whom the texts are for, for instance students of secondary school. Annotators read it."),
    )
    genre = _line(_("Genre"), _("What kind of texts they are, for instance news, stories, encyclopedia."))
    education_level = _line(
        _("Level of education"), _("At which level the readers learn, for instance secondary school.")
    )
    education_relation = _line(
        _("Relation to education"), _("How the texts are related to education, for instance read in class.")
    )


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
        help_text=_("Where rewrites by systems are judged, this is about the originals."),
        required=False,
    )
    rewrites_by_systems = forms.BooleanField(
        label=_("The rewrites were made by systems, not by people"), required=False
    )
    master_required = forms.BooleanField(
        label=_("On MTurk, only workers with the Master qualification"), required=False
    )


SHORT_NAMES = {"sources_attested": _("your attestation about the texts")}
"""Names for lists of fields whose label is a whole sentence."""


class OpenField(NamedTuple):
    """A field of the record that is still empty."""

    label: Any
    anchor: str


def open_fields(study: models.Study) -> list[OpenField]:
    """What is still open in the record, exactly."""
    fields = {field.name: field for form in (EthicsForm(), AboutForm()) for field in form}
    missing = missing_in_record(study)
    return [OpenField(SHORT_NAMES.get(name, fields[name].label), fields[name].id_for_label) for name in missing]


@setup_step
def ethics(request: StudyRequest) -> HttpResponse:
    """Approval, contact, sources, requirements."""
    posted = request.POST if request.method == "POST" else None
    options = options_of(request.study)
    before: dict[str, Any] = options.ethics.model_dump()
    form, about = EthicsForm(posted, initial=before), AboutForm(posted, initial=options.about.model_dump())
    if posted is not None and form.is_valid() and about.is_valid():
        try:
            changes = {"ethics": {**before, **form.cleaned_data}, "about": about.cleaned_data}
            change_options(request.study, changes, timezone.now(), request.user.get_username())
        except InputError as error:
            refuse(form, error)
        else:
            return saved(request, "ethics")
    context = {"form": form, "about": about, "missing": open_fields(request.study)}
    return show(request, "ethics", context, status=422 if posted is not None else 200)
