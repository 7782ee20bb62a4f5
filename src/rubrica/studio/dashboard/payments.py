"""What annotators earned and what was paid, with every decision recorded."""

from __future__ import annotations

import csv

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from rubrica.core.earnings import totals
from rubrica.core.errors import InputError
from rubrica.exchange.whole_files import safe_cell
from rubrica.store import models
from rubrica.store.money import payments
from rubrica.store.options import options_of
from rubrica.store.public_ids import new_public_id
from rubrica.studio.access import StudyRequest, has, study_page
from rubrica.studio.dashboard.controls import say_problems
from rubrica.studio.dashboard.forms import Refused, form_key, one
from rubrica.studio.formats import country

LAST = 200
"""Rows of the ledger on the page; the file has them all."""


@require_GET
@study_page()
def payments_page(request: StudyRequest) -> HttpResponse:
    """Accounts, totals, suggestions and the ledger. Countries are personal data: only managers see them."""
    return _page(request)


def _page(request: StudyRequest, refused: Refused | None = None) -> HttpResponse:
    study, manages = request.study, has(request.role, "manager")
    terms = options_of(study).payment
    accounts = payments.accounts(study)
    ledger = models.Payment.objects.filter(annotator__study=study).select_related("annotator").order_by("-at", "-pk")
    corrected = {
        row.reason.removeprefix(payments.CORRECTS)[:16] for row in ledger.filter(reason__startswith=payments.CORRECTS)
    }
    return render(
        request,
        "dashboard/payments.html",
        {
            "study": study,
            "role": request.role,
            "section": "payments",
            "terms": terms,
            "paid_at_all": bool(terms.per_task or terms.per_hour or terms.bonus),
            "rows": [(account, country(account.country)) for account in accounts],
            "totals": totals(accounts, terms.platform_fee),
            "suggestions": payments.suggestions(study) if manages else [],
            "ledger": [(row, row.pid in corrected, row.reason.startswith(payments.CORRECTS)) for row in ledger[:LAST]],
            "may_manage": manages,
            "wages": bool(terms.minimum_wages) and manages,
            "key": new_public_id(),
            "chosen": refused.typed.get("annotator", "") if refused else request.GET.get("for", ""),
            "refused": refused,
        },
        status=422 if refused else 200,
    )


@require_POST
@study_page("manager")
def record(request: StudyRequest) -> HttpResponse:
    """Add a row to the ledger."""
    people = models.Annotator.objects.select_related("study").filter(study=request.study)
    person = one(people, request.POST.get("annotator", ""))
    form = request.POST
    try:
        payments.record(
            person,
            form.get("kind", ""),
            form.get("amount", ""),
            form.get("reason", ""),
            timezone.now(),
            actor=request.user.get_username(),
            key=form_key(form.get("key", "")),
        )
    except InputError as error:
        return _page(request, Refused.by(error, "record", request))
    messages.success(request, _("Recorded. A mistake is taken back in the ledger below."))
    return redirect("payments", request.study.pid)


@require_POST
@study_page("manager")
def correct(request: StudyRequest, payment: str) -> HttpResponse:
    """Take a row back by a further one."""
    rows = models.Payment.objects.select_related("annotator__study").filter(annotator__study=request.study)
    row = one(rows, payment)
    try:
        payments.correct(row, request.POST.get("reason", ""), timezone.now(), actor=request.user.get_username())
    except InputError as error:
        say_problems(request, error)
    else:
        messages.success(request, _("Taken back by a further row; nothing is removed."))
    return redirect("payments", request.study.pid)


@require_GET
@study_page()
def payments_csv(request: StudyRequest) -> HttpResponse:
    """The accounts as a file, with country and minimum wage for managers."""
    study, manages = request.study, has(request.role, "manager")
    response = HttpResponse(content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{study.name}-payments.csv"'
    writer = csv.writer(response)
    head = ["annotator", "tasks", "hours", "currency", "earned", "paid", "bonuses", "withheld", "due", "by_the_hour"]
    writer.writerow([*head, "country", "minimum_wage"] if manages else head)
    currency = options_of(study).payment.currency
    for account in payments.accounts(study):
        tasks = sum(line.tasks for line in account.tasks)
        row: list[object] = [safe_cell(account.annotator.name), tasks, f"{account.hours:.3f}", currency, account.earned]
        row += [account.paid, account.bonuses, account.withheld, account.due, account.by_the_hour or ""]
        writer.writerow([*row, account.country, account.minimum or ""] if manages else row)
    return response
