"""Setup, step by step: how many people judge an item, which items measure them, how long a lease lasts."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext_lazy as _

from rubrica.core.assignment import MAX_OVERLAP
from rubrica.core.errors import InputError, Problem
from rubrica.core.protocol import Protocol
from rubrica.core.texts import shown
from rubrica.exchange.planted import read_gold
from rubrica.exchange.study_options import Options
from rubrica.store import models
from rubrica.store.options import options_of
from rubrica.store.setup.running import set_overlap
from rubrica.store.setup.setting_up import change_options
from rubrica.store.setup.study_items import set_duplicates, set_gold
from rubrica.store.stages import current_stages
from rubrica.store.translate import protocol_of, rules_of
from rubrica.studio.access import StudyRequest
from rubrica.studio.studies import uploads
from rubrica.studio.studies.setup_items import ENDINGS
from rubrica.studio.studies.setup_steps import FloatField, WholeField, refuse, saved, setup_step, show


class QualityForm(forms.Form):
    """Overlap by stage, hidden duplicates, limits."""

    duplicates = FloatField(
        label=_("Hidden duplicates, in percent of the items"),
        help_text=_("Shown a second time to those who had the original, to see whether they agree with themselves."),
        min_value=0,
        max_value=100,
    )
    limit_per_annotator = WholeField(
        label=_("Most items for one annotator"),
        help_text=_("Empty: as many as there are. Counted per stage."),
        min_value=1,
        max_value=10_000_000,
        required=False,
    )
    lease_minutes = WholeField(
        label=_("Minutes before an abandoned item goes to somebody else"),
        help_text=_("Renewed while somebody works on it. Nothing that was saved is lost."),
        min_value=1,
        max_value=60 * 24 * 60,
    )

    adjudicators = forms.CharField(
        label=_("Who settles disagreement"),
        help_text=_(
            "Names as in their links, with commas between. They are kept from the other stages. "
            "Empty: whoever did not take part in those."
        ),
        required=False,
    )

    def __init__(self, data: Any, options: Options, stages: list[models.Stage]) -> None:
        initial = {
            "duplicates": f"{options.duplicates * 100:.6g}",
            "limit_per_annotator": options.limit_per_annotator,
            "lease_minutes": options.lease_minutes,
            "adjudicators": ", ".join(options.adjudicators),
        }
        super().__init__(data, initial=initial)
        self.stages = stages
        if not any(rules_of(stage, protocol_of(stage)).role == "adjudicator" for stage in stages):
            del self.fields["adjudicators"]
        language = get_language() or "en"
        for number, stage in enumerate(stages):
            rules = rules_of(stage, protocol_of(stage))
            self.fields[f"overlap_{number}"] = WholeField(
                label=_("Judgements per item: %(stage)s") % {"stage": shown(rules.label, language)},
                help_text=_("The protocol suggests %(usual)s.") % {"usual": _usual(rules)},
                initial=stage.overlap,
                min_value=1,
                max_value=MAX_OVERLAP,
            )

    def overlap_fields(self) -> list[Any]:
        """The overlap of each stage."""
        return [self[f"overlap_{number}"] for number in range(len(self.stages))]

    def overlap(self) -> dict[str, int]:
        """The overlap by stage, from a valid form."""
        return {stage.key: self.cleaned_data[f"overlap_{number}"] for number, stage in enumerate(self.stages)}


def _usual(rules: Any) -> str:
    comparing = rules.overlap_comparing
    if comparing and comparing != rules.overlap:
        return str(
            _("%(usual)d, or %(comparing)d to compare systems") % {"usual": rules.overlap, "comparing": comparing}
        )
    return str(rules.overlap)


@setup_step
@uploads.takes_files(uploads.table_bytes)
def quality(request: StudyRequest) -> HttpResponse:
    """Overlap, checks, limits; and a file of items with known answers."""
    study = request.study
    stages = current_stages(study)
    action = request.POST.get("action", "") if request.method == "POST" else ""
    if action in ("gold", "no_gold"):
        return _gold(request, protocol_of(stages[0]), action)
    posted = request.POST if request.method == "POST" else None
    form = QualityForm(posted, options_of(study), stages)
    if posted is not None and form.is_valid():
        try:
            _save(request, form)
        except InputError as error:
            refuse(form, error)
        else:
            return saved(request, "quality")
    return _page(request, form, 422 if posted is not None else 200)


def _save(request: StudyRequest, form: QualityForm) -> None:
    now, actor = timezone.now(), request.user.get_username()
    said = form.cleaned_data
    set_overlap(request.study, form.overlap(), now, actor=actor)
    limits: dict[str, Any] = {
        "limit_per_annotator": said["limit_per_annotator"],
        "lease_minutes": said["lease_minutes"],
    }
    if "adjudicators" in said:
        names = [name.strip() for name in said["adjudicators"].split(",")]
        limits["adjudicators"] = list(dict.fromkeys(name for name in names if name))
    change_options(request.study, limits, now, actor)
    set_duplicates(request.study, round(said["duplicates"] / 100, 6), now, actor)


def _page(
    request: StudyRequest, form: QualityForm, status: int = 200, problems: tuple[Problem, ...] = ()
) -> HttpResponse:
    planted = models.Planted.objects.filter(item__study=request.study)
    protocol = protocol_of(current_stages(request.study)[0])
    context = {
        "form": form,
        "problems": problems,
        "gold": planted.filter(kind=models.Planted.Kind.GOLD).count(),
        "duplicates": planted.filter(kind=models.Planted.Kind.DUPLICATE).count(),
        "questions": [question.id for question in protocol.questions],
        "fields": [field.id for field in protocol.fields],
        "formats": ",".join(ENDINGS),
        "edits": protocol.edits is not None,
    }
    return show(request, "quality", context, status=status)


def _gold(request: StudyRequest, protocol: Protocol, action: str) -> HttpResponse:
    study, now, actor = request.study, timezone.now(), request.user.get_username()
    try:
        gold = uploads.read_sent(read_gold, uploads.needed(request, "gold"), protocol) if action == "gold" else []
        set_gold(study, gold, now, actor)
    except InputError as error:
        form = QualityForm(None, options_of(study), current_stages(study))
        return _page(request, form, 422, error.problems)
    count = len(gold)
    words = ngettext(
        "%(count)d item with a known answer is in the study.",
        "%(count)d items with known answers are in the study.",
        count,
    )
    messages.success(request, words % {"count": count}, extra_tags="success")
    return redirect("setup_quality", study.pid)
