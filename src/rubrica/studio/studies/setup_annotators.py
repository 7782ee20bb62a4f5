"""Setup, step by step: what annotators go through and read before the work, and how the work is laid out."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import Any

from django import forms
from django.http import HttpResponse
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from rubrica.core.errors import InputError
from rubrica.core.protocol import Protocol
from rubrica.exchange.study_options import (
    OUR_CONSENTS,
    OWN_TEXTS,
    STEPS,
    Options,
    OwnTexts,
    ProfileAsked,
    Requirements,
    teams_said,
)
from rubrica.language.catalogues import working
from rubrica.store.allocation.eligibility import systems_of
from rubrica.store.course.attempts import known_items, rounds_of
from rubrica.store.course.course import course_of
from rubrica.store.options import options_of
from rubrica.store.setup.setting_up import change_options
from rubrica.store.stages import current_stages
from rubrica.store.translate import protocol_of
from rubrica.studio.access import StudyRequest
from rubrica.studio.annotate.languages import missing, offered
from rubrica.studio.formats import countries, own_name
from rubrica.studio.studies.setup_steps import FloatField, WholeField, refuse, saved, setup_step, show

LONGEST = 20_000
STEP_WORDS = {
    "welcome": (_("Welcome"), _("What the study is about and how the data will be used.")),
    "consent": (_("Consent"), _("Agreeing or not, recorded with the wording that was read.")),
    "profile": (_("Profile"), _("Questions about the person, kept apart from the answers.")),
    "guidelines": (_("Guidelines"), _("The protocol's guidelines with examples.")),
    "course": (_("Course"), _("Stages of reading and exercises that teach the protocol, if it has a course.")),
    "practice": (_("Practice"), _("Items with the right answer explained after each.")),
    "qualification": (_("Qualification"), _("A test with a pass mark before the work.")),
}
USUAL_QUESTIONS = {
    "education_years": _("Years of education"),
    "native_speaker": _("Native speaker"),
    "age": _("Age"),
    "reading_hours": _("Hours of reading a week"),
    "first_language": _("First language"),
    "languages": _("Number of languages"),
    "country": _("Country of residence"),
}
KINDS = [
    ("text", _("a short text")),
    ("number", _("a number")),
    ("yes_no", _("yes or no")),
    ("choice", _("one of several options")),
]


def _text(label: Any, help_text: Any, rows: int = 6) -> forms.CharField:
    area = forms.Textarea(attrs={"rows": rows, "dir": "auto"})
    return forms.CharField(label=label, help_text=help_text, widget=area, required=False, max_length=LONGEST)


class AnnotatorsForm(forms.Form):
    """Everything of this step but the study's own profile questions."""

    welcome_text = _text(_("Welcome text"), _("Shown above the summary of the protocol. Markdown. May stay empty."))
    data_use = _text(
        _("How the data will be used"),
        _("Stored where, shared with whom, under which licence: it can be read before any decision. Markdown."),
    )
    consent_text = _text(
        _("Consent text"),
        _("Changing it later makes a new version, which everybody is asked to agree to again. Markdown."),
        rows=10,
    )
    consent_covers_profiles = forms.BooleanField(
        label=_("My consent text says that demographic data are stored anonymously and distributed for research"),
        help_text=_("Only then profiles can be exported, one for each annotator and without names. Our text says so."),
        required=False,
    )
    thanks_text = _text(_("Words of thanks"), _("Shown at the end of the work, above the completion code."), rows=3)
    asked = forms.MultipleChoiceField(
        label=_("Usual questions"),
        choices=list(USUAL_QUESTIONS.items()),
        widget=forms.CheckboxSelectMultiple,
        required=False,
    )
    native_speaker = forms.BooleanField(label=_("Only native speakers of the language of the texts"), required=False)
    youngest = WholeField(label=_("Age from"), min_value=10, max_value=120, required=False)
    oldest = WholeField(label=_("Age to"), min_value=10, max_value=120, required=False)
    least_education = FloatField(label=_("Years of education from"), min_value=0, max_value=40, required=False)
    most_education = FloatField(label=_("Years of education to"), min_value=0, max_value=40, required=False)
    countries = forms.MultipleChoiceField(
        label=_("Only people who live in these countries"),
        help_text=_("None chosen: it does not matter. Hold Ctrl to choose several."),
        widget=forms.SelectMultiple(attrs={"size": 5}),
        required=False,
    )
    teams = forms.CharField(
        label=_("Who is part of a system, and does not judge it"),
        help_text=_("One system a line: system = name, name. Names are those of the links. Judges do not see them."),
        widget=forms.Textarea(attrs={"rows": 4, "dir": "auto"}),
        required=False,
        max_length=LONGEST,
    )
    pass_mark = FloatField(
        label=_("Pass mark, in percent of the graded answers"), min_value=0, max_value=100, required=False
    )
    tries = WholeField(label=_("Tries"), min_value=1, max_value=20, required=False)
    test_items = WholeField(label=_("Items of the test"), min_value=1, max_value=100, required=False)
    languages = forms.MultipleChoiceField(
        label=_("Languages to choose from"), widget=forms.CheckboxSelectMultiple, required=False
    )
    layout = forms.ChoiceField(
        label=_("Layout of the texts"),
        choices=[("stacked", _("One above the other")), ("side_by_side", _("Side by side, on wide screens"))],
        widget=forms.RadioSelect,
    )

    def __init__(self, data: Any, options: Options, protocol: Protocol, systems: Sequence[str] = ()) -> None:
        super().__init__(data, initial=_initial(options, protocol))
        self.systems = [*systems, *options.teams]
        for step in STEPS:
            words = STEP_WORDS[step]
            self.fields[f"step_{step}"] = forms.BooleanField(
                label=words[0], help_text=str(words[1]), required=False, initial=getattr(options.steps, step)
            )
        self.spoken = working(protocol)
        names = {code: _told_name(code, protocol) for code in self.spoken}
        self.fields["languages"].choices = list(names.items())  # type: ignore[attr-defined]
        self.fields["countries"].choices = countries()  # type: ignore[attr-defined]
        self.versions = [(code, names[code]) for code in self.spoken] if len(self.spoken) > 1 else []
        for code, _name in self.versions:
            kept = options.texts.get(code) or OwnTexts()
            for name in OWN_TEXTS:
                usual = self.fields[name]
                field = _text(usual.label, "", usual.widget.attrs["rows"])
                field.initial = getattr(kept, name)
                self.fields[f"{code}.{name}"] = field

    @property
    def only_language(self) -> str:
        """The language of a study that has no choice."""
        return own_name(self.spoken[0])

    def step_fields(self) -> list[Any]:
        """The switches of the steps, in their order."""
        return [self[f"step_{step}"] for step in STEPS]

    def versioned(self) -> list[tuple[str, str, list[Any], bool]]:
        """The languages that may have texts of their own: code, name, fields, and whether any is filled in."""
        found = [(code, name, [self[f"{code}.{text}"] for text in OWN_TEXTS]) for code, name in self.versions]
        return [(code, name, fields, any(field.value() for field in fields)) for code, name, fields in found]

    def requirements(self) -> dict[str, Any]:
        """Who may take part, from a valid form."""
        return {name: self.cleaned_data[name] for name in Requirements.model_fields}

    def _texts(self, options: Options) -> dict[str, Any]:
        """The study's own texts by language; those of languages that are not offered stay."""
        said = {
            code: {name: _plain(self.cleaned_data[f"{code}.{name}"]) for name in OWN_TEXTS}
            for code, _name in self.versions
        }
        kept = {code: texts.model_dump() for code, texts in options.texts.items()}
        return {code: texts for code, texts in {**kept, **said}.items() if any(texts.values())}

    def changes(self, options: Options) -> dict[str, Any]:
        """What to set, from a valid form."""
        said = self.cleaned_data
        before = options.qualification
        consent = _plain(said["consent_text"])
        return {
            "steps": {step: said[f"step_{step}"] for step in STEPS},
            "welcome_text": said["welcome_text"],
            "data_use": said["data_use"],
            "consent_text": "" if consent in OUR_CONSENTS else consent,
            "consent_covers_profiles": said["consent_covers_profiles"],
            "texts": self._texts(options),
            "thanks_text": said["thanks_text"],
            "qualification": {
                "pass_mark": before.pass_mark if said["pass_mark"] is None else round(said["pass_mark"] / 100, 4),
                "tries": said["tries"] or before.tries,
                "items": said["test_items"] or before.items,
            },
            "languages": [] if set(said["languages"]) == set(self.spoken) else said["languages"],
            "layout": said["layout"],
            **(
                {"teams": teams_said([line for line in said["teams"].splitlines() if line.strip()], {})}
                if self.systems
                else {}
            ),
        }


class OwnQuestionForm(forms.Form):
    """A question about the person that this study alone asks."""

    key = forms.CharField(widget=forms.HiddenInput, required=False, max_length=41)
    label = forms.CharField(
        label=_("Question"), required=False, max_length=300, widget=forms.TextInput(attrs={"dir": "auto"})
    )
    kind = forms.ChoiceField(label=_("Answer"), choices=KINDS, required=False)
    choices = forms.CharField(
        label=_("Options, one a line"), required=False, max_length=5000, widget=forms.Textarea(attrs={"rows": 3})
    )
    required = forms.BooleanField(label=_("Must be answered"), required=False)

    def clean(self) -> dict[str, Any]:
        """A choice needs something to choose from."""
        said: dict[str, Any] = super().clean() or self.cleaned_data
        lines = [line.strip() for line in said.get("choices", "").splitlines() if line.strip()]
        if said.get("label") and said.get("kind") == "choice" and len(set(lines)) < 2:
            self.add_error("choices", _("Write at least two different options, one a line."))
        said["lines"] = list(dict.fromkeys(lines))
        return said


OwnQuestions = forms.formset_factory(OwnQuestionForm, extra=2, can_delete=True, max_num=30, absolute_max=60)


@setup_step
def annotators(request: StudyRequest) -> HttpResponse:
    """The way of an annotator, the texts on it, the profile, the languages, the layout."""
    study = request.study
    options = options_of(study)
    stage = current_stages(study)[0]
    protocol = protocol_of(stage)
    posted = request.POST if request.method == "POST" else None
    systems = sorted(systems_of(study))
    form = AnnotatorsForm(posted, options, protocol, systems)
    # What was sent stands for itself: compared with the settings, a question sent again would count as untouched.
    own = OwnQuestions(posted, prefix="own", initial=_own_initial(options.profile) if posted is None else None)
    if posted is not None and form.is_valid() and own.is_valid():
        asked = {"asked": form.cleaned_data["asked"], "own": own_questions(own)}
        profile = {**asked, "required": form.requirements()}
        try:
            change_options(
                study,
                {**form.changes(options), "profile": profile},
                timezone.now(),
                request.user.get_username(),
            )
        except InputError as error:
            refuse(form, error)
        else:
            return saved(request, "annotators")
    known = known_items(stage, options, get_language() or "en")
    context = {
        "form": form,
        "own": own,
        "practice_items": len(known.practice),
        "about_edits": len(protocol.practice) if protocol.edits else 0,
        "test_items": len(known.qualification),
        "qualifies": options.steps.qualification,
        "course_steps": sum(len(one.steps) for one in course_of(stage)),
        "rounds": len(rounds_of(stage)),
        "consents": study.consent_texts.count(),
        "missing": missing(protocol),
        "systems": systems,
    }
    return show(request, "annotators", context, status=422 if posted is not None else 200)


def _told_name(code: str, protocol: Protocol) -> str:
    """What a language calls itself, and for researchers whether a native speaker has reviewed the protocol in it."""
    name = own_name(code)
    return (
        _("%(language)s (not reviewed by a native speaker)") % {"language": name}
        if code in protocol.unreviewed
        else name
    )


def _plain(text: str) -> str:
    return text.replace("\r\n", "\n").strip()


def _initial(options: Options, protocol: Protocol) -> dict[str, Any]:
    return {
        "welcome_text": options.welcome_text,
        "data_use": options.data_use,
        "consent_text": options.consent_wording(),
        "consent_covers_profiles": options.consent_covers_profiles,
        **options.profile.required.model_dump(),
        "thanks_text": options.thanks_text,
        "asked": options.profile.asked,
        "pass_mark": f"{options.qualification.pass_mark * 100:.6g}",
        "tries": options.qualification.tries,
        "test_items": options.qualification.items,
        "languages": [offer.code for offer in offered(protocol, options)],
        "layout": options.layout,
        "teams": "\n".join(f"{system} = {', '.join(names)}" for system, names in options.teams.items()),
    }


def _own_initial(profile: ProfileAsked) -> list[dict[str, Any]]:
    return [
        {
            "key": question.id,
            "label": question.label,
            "kind": question.kind,
            "choices": "\n".join(question.options),
            "required": question.required,
        }
        for question in profile.own
    ]


def own_questions(formset: Any) -> list[dict[str, Any]]:
    """The study's own questions from a valid formset. A question keeps its id when its words change."""
    found: list[dict[str, Any]] = []
    taken = set(USUAL_QUESTIONS)
    for form in formset.forms:
        said = form.cleaned_data
        if not said.get("label") or said.get("DELETE"):
            continue
        key = said["key"] if re.fullmatch(r"[a-z][a-z0-9_]{0,40}", said["key"]) else ""
        key = _free_id(key or _id_from(said["label"]), taken)
        taken.add(key)
        kind = said["kind"] or "text"
        options = said["lines"] if kind == "choice" else []
        found.append(
            {"id": key, "label": said["label"], "kind": kind, "options": options, "required": said["required"]}
        )
    return found


def _id_from(label: str) -> str:
    ascii_only = unicodedata.normalize("NFKD", label).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "_", ascii_only).strip("_").lstrip("0123456789_")[:30].strip("_") or "question"


def _free_id(wanted: str, taken: set[str]) -> str:
    name, number = wanted, 1
    while name in taken:
        number += 1
        name = f"{wanted}_{number}"
    return name
