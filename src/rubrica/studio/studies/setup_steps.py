"""The steps of setting up a study: their order, what each still needs, and who may change what."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, NamedTuple

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_GET, require_http_methods

from rubrica.core.errors import InputError
from rubrica.core.typed import Fault, with_point
from rubrica.exchange.study_options import Options
from rubrica.store import models
from rubrica.store.options import options_of
from rubrica.store.setup.running import is_draft, missing_in_record, record_checked, review_required, state_of
from rubrica.store.setup.study_items import review_count
from rubrica.studio.access import StudyRequest, has, study_page

View = Callable[..., HttpResponse]


class _Typed:
    """A field for a number: a decimal comma is read as everywhere, not only where the browser changes it."""

    error_messages: dict[str, Any]

    def to_python(self, value: Any) -> Any:
        """The number; what is none is refused."""
        plain = with_point(value) if isinstance(value, str) and value.strip() else value
        if isinstance(plain, Fault):
            raise forms.ValidationError(self.error_messages["invalid"], code="invalid")
        return super().to_python(plain)  # type: ignore[misc]


class FloatField(_Typed, forms.FloatField):
    """A number."""


class WholeField(_Typed, forms.IntegerField):
    """A whole number."""


class DecimalField(_Typed, forms.DecimalField):
    """An amount of money."""


TITLES = {
    "protocol": gettext_lazy("Title and protocol"),
    "items": gettext_lazy("Items"),
    "review": gettext_lazy("Review of the items"),
    "annotators": gettext_lazy("What annotators see"),
    "ethics": gettext_lazy("Ethics and sources"),
    "quality": gettext_lazy("Overlap and checks"),
    "payment": gettext_lazy("Payment"),
    "launch": gettext_lazy("Launch"),
}
ORDER = tuple(TITLES)
_SEEN = {
    *("steps", "profile", "qualification", "languages", "layout"),
    *("welcome_text", "data_use", "consent_text", "thanks_text", "texts"),
}
"""Settings of what annotators see; while none was changed they are the usual ones."""
LAUNCH = "launch"


class Step(NamedTuple):
    """One step in the list at the side. ``state`` is done, needs (you) or optional."""

    id: str
    title: str
    address: str
    state: str
    word: str


def steps(study: models.Study) -> list[Step]:
    """Every step with its state."""
    states = _states(study, options_of(study))
    words = {"done": _("done"), "needs": _("needs you"), "optional": _("optional")}
    told = {step: words[states[step]] for step in ORDER}
    if states["quality"] == "optional":
        told["quality"] = _("no checks planted")
    if states["annotators"] == "optional":
        told["annotators"] = _("usual settings")
    for step in ("review", "ethics"):
        if states[step] == "optional":
            told[step] = _("a tick at the launch")
    checked = record_checked(study) if states["ethics"] == "needs" and states["launch"] == "done" else None
    if checked is not None:
        states["ethics"], told["ethics"] = "done", _("checked by %(who)s at the launch") % {"who": checked.actor}
    return [Step(step, str(TITLES[step]), f"setup_{step}", states[step], told[step]) for step in ORDER]


def _states(study: models.Study, options: Options) -> dict[str, str]:
    counted = review_count(study)
    has_items = counted.items > counted.left_out
    planted = options.duplicates > 0 or study.items.planted().exists()
    paid = bool(options.payment.per_task) or options.payment.per_hour is not None
    launched = not is_draft(study)
    # Before the launch its two ticks settle what is open, unless the study wants every item to be reviewed.
    ticked = "needs" if launched else "optional"
    unseen = "needs" if review_required(study) else ticked
    return {
        "protocol": "done",
        "items": "done" if has_items else "needs",
        "review": "done" if has_items and (options.items_reviewed or not counted.waiting) else unseen,
        "annotators": "done" if _SEEN & study.options.keys() else "optional",
        "ethics": ticked if missing_in_record(study) else "done",
        "quality": "done" if planted else "optional",
        "payment": "done" if paid else "optional",
        "launch": "done" if launched else "needs",
    }


def setup_step(view: View) -> View:
    """For the pages of the steps: every member may look, managers and owners may change."""

    @wraps(view)
    def guarded(request: Any, *args: Any, **kwargs: Any) -> HttpResponse:
        if request.method == "POST" and not has(request.role, "manager"):
            raise PermissionDenied
        return view(request, *args, **kwargs)

    return study_page("viewer")(require_http_methods(["GET", "POST"])(guarded))


def show(
    request: StudyRequest, step: str, context: dict[str, Any] | None = None, status: int = 200, template: str = ""
) -> HttpResponse:
    """The page of a step."""
    study = request.study
    state = state_of(study.stages.all())
    return render(
        request,
        f"studies/setup_{template or step}.html",
        {
            "study": study,
            "role": request.role,
            "section": "setup",
            "step": step,
            "title": TITLES[step],
            "steps": steps(study),
            "may_change": has(request.role, "manager"),
            "is_owner": has(request.role, "owner"),
            "state": state,
            "draft": state == models.Study.State.DRAFT,
            "to_launch": _to_launch(request),
            **(context or {}),
        },
        status=status,
    )


def saved(request: StudyRequest, step: str) -> HttpResponse:
    """After saving: on to the next step if that was asked for, or back to the launch from where it was opened."""
    messages.success(request, _("Saved."), extra_tags="success")
    if request.POST.get("go") == "next":
        return redirect(f"setup_{LAUNCH if _to_launch(request) else after(step)}", request.study.pid)
    here = reverse(f"setup_{step}", args=[request.study.pid])
    return redirect(f"{here}?back={LAUNCH}" if _to_launch(request) else here)


def _to_launch(request: StudyRequest) -> bool:
    """Whether the step was opened from the launch, to which it then leads back."""
    return request.GET.get("back") == LAUNCH


def after(step: str) -> str:
    """The step that follows, the last after itself."""
    return ORDER[min(ORDER.index(step) + 1, len(ORDER) - 1)]


def refuse(form: Any, error: InputError) -> None:
    """Put the problems into the form, where they can be read."""
    for problem in error.problems:
        form.add_error(None, f"{problem.what}. {problem.fix}")


@study_page("viewer")
@require_GET
def setup(request: StudyRequest) -> HttpResponse:
    """To the first step that needs the researcher, or to the last."""
    waiting = [step.id for step in steps(request.study) if step.state == "needs"]
    return redirect(f"setup_{waiting[0] if waiting else 'launch'}", request.study.pid)
