"""Payments: what was earned, the ledger, bonuses to consider, minimum wages."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from decimal import Decimal
from typing import TYPE_CHECKING

import pytest
from django.test import Client

from rubrica.core.study import Item, Judgement
from tests.conftest import Ran
from tests.studio.conftest import NOW
from tests.studio.judging import judge, plain_items

if TYPE_CHECKING:
    from rubrica.store.models import Annotator, Study

KEY = "abcdefgh23456789"


@pytest.fixture
def study(make_study: Callable[..., Study]) -> Study:
    """Half a euro a task; the minimum wage of Spain is known."""
    payment = {"currency": "EUR", "per_task": {"rate": "0.50"}, "platform_fee": 20, "minimum_wages": {"ES": "9.00"}}
    return make_study(payment=payment)


@pytest.fixture
def ana(study: Study) -> Annotator:
    """Six tasks in twelve minutes: 3 euros, 15 an hour; she lives in Spain."""
    from rubrica.store.models import Profile

    judge(study, "ana", seconds=120)
    person = study.annotators.get()
    Profile.objects.create(annotator=person, answers={"country": "ES"}, recorded_at=NOW)
    return person


@pytest.fixture
def address(study: Study) -> str:
    """The address."""
    return f"/s/{study.pid}/payments/"


def test_what_is_earned_follows_from_tasks_and_hours(study: Study, ana: Annotator) -> None:
    """6 x 0.50 = 3.00; in 12 minutes that is 15 an hour; with 10 an hour on top it is 5.00 and 25 an hour."""
    from rubrica.exchange.study_options import checked
    from rubrica.store.money import payments

    [account] = payments.accounts(study)
    assert (account.earned, account.due, account.by_the_hour) == (Decimal("3.00"), Decimal("3.00"), Decimal("15.00"))
    assert not account.below_minimum
    study.update(options=checked({**study.options, "payment": {**study.options["payment"], "per_hour": "10"}}).stored())
    [account] = payments.accounts(study)
    assert (account.earned, account.by_the_hour) == (Decimal("5.00"), Decimal("25.00"))


def test_totals_carry_the_platforms_fee(study: Study, ana: Annotator) -> None:
    """Of 3.00 earned, 2.00 is paid and 0.50 withheld: 0.50 is due; 20 % of 2.00 + 1.00 bonus is 0.60."""
    from rubrica.core.earnings import totals
    from rubrica.store.money import payments

    payments.record(ana, "task", "2.00", "", NOW)
    payments.record(ana, "bonus", "1.00", "Thorough.", NOW)
    payments.record(ana, "withheld", "0.50", "One item left blank.", NOW)
    sums = totals(payments.accounts(study), 20)
    assert sums.due == Decimal("0.50")
    assert (sums.fee_paid, sums.fee_due) == (Decimal("0.60"), Decimal("0.10"))


def test_pay_below_the_minimum_wage_is_told_to_managers(
    study: Study, ana: Annotator, address: str, as_: Callable[[str], Client]
) -> None:
    """6 euros an hour is below Spain's 9: the page says so to managers; countries are no viewer's business."""
    judge(study, "ben", seconds=300)
    from rubrica.store.models import Profile

    Profile.objects.create(annotator=study.annotators.get(name="ben"), answers={"country": "ES"}, recorded_at=NOW)
    body = as_("manager").get(address).content.decode()
    assert body.count(">below<") == 1
    assert "Spain" in body
    assert "Spain" not in as_("viewer").get(address).content.decode()


def test_nobody_withholds_more_than_was_earned(
    study: Study, ana: Annotator, address: str, as_: Callable[[str], Client]
) -> None:
    """Of 3.00 earned, 3.01 is refused by page and API alike, and so is what goes beyond it with a second row."""
    from rubrica.store.models import Payment

    manager = as_("manager")
    form = {"annotator": ana.pid, "kind": "withheld", "reason": "Not read."}
    refused = manager.post(f"{address}record/", {**form, "amount": "3.01"})
    assert refused.status_code == 422
    assert "3.01 EUR cannot be withheld: ana earned 3.00. Withhold at most 3.00." in refused.content.decode()
    api = f"/api/v1/studies/{study.pid}/payments"
    told = manager.post(api, {**form, "amount": "500"}, content_type="application/json")
    assert (told.status_code, told.json()["errors"][0]["rule"]) == (422, "withheld")
    assert not Payment.objects.exists()
    assert manager.post(api, {**form, "amount": "2.00"}, content_type="application/json").status_code == 201
    assert (
        "of which 2.00 is withheld already"
        in manager.post(f"{address}record/", {**form, "amount": "1.01"}).content.decode()
    )
    assert manager.post(f"{address}record/", {**form, "amount": "1.00"}).status_code == 302
    row = Payment.objects.get(amount="2.00")
    manager.post(f"{address}{row.pid}/correct/")
    assert manager.post(f"{address}record/", {**form, "amount": "2.00"}).status_code == 302, "taken back, it is free"


@pytest.mark.parametrize(("who", "status"), [("", 302), ("stranger", 404), ("viewer", 403), ("adjudicator", 403)])
def test_who_may_not_pay(ana: Annotator, address: str, as_: Callable[[str], Client], who: str, status: int) -> None:
    """Only managers write to the ledger."""
    from rubrica.store.models import Payment

    form = {"annotator": ana.pid, "kind": "task", "amount": "1.00"}
    assert as_(who).post(f"{address}record/", form).status_code == status
    assert not Payment.objects.exists()


def test_a_doubled_payment_is_one_and_is_taken_back_by_a_further_row(
    ana: Annotator, address: str, as_: Callable[[str], Client]
) -> None:
    """The key makes the second click the same; a correction is a row of its own, and happens once."""
    from rubrica.store.models import Payment

    manager = as_("manager")
    for _ in range(2):
        manager.post(f"{address}record/", {"annotator": ana.pid, "kind": "task", "amount": "3.00", "key": KEY})
    row = Payment.objects.get()
    for _ in range(2):
        manager.post(f"{address}{row.pid}/correct/")
    assert sorted(Payment.objects.values_list("amount", flat=True)) == [Decimal("-3.0000"), Decimal("3.0000")]
    correction = Payment.objects.exclude(pk=row.pk).get()
    body = manager.post(f"{address}{correction.pid}/correct/", follow=True).content.decode()
    assert "This row is a correction" in body
    assert Payment.objects.count() == 2


@pytest.mark.parametrize(("typed", "price"), [("0,25", "0.25"), ("1,234", "0.50"), ("NaN", "0.50"), (" 2.5 ", "2.5")])
@pytest.mark.parametrize("entrance", ["command", "api", "page"])
def test_a_price_is_read_as_every_number(
    study: Study, as_: Callable[[str], Client], rubrica: Callable[..., Ran], entrance: str, typed: str, price: str
) -> None:
    """A decimal comma is one; a comma that could stand between thousands is refused, and nothing changes."""
    from rubrica.store.options import options_of

    manager = as_("manager")
    if entrance == "command":
        assert rubrica("study", "change", study.name, "--pay", f"rate={typed}").code == (price == "0.50")
    elif entrance == "api":
        settings = {"payment": {**study.options["payment"], "per_task": {"rate": typed}}}
        answer = manager.patch(f"/api/v1/studies/{study.pid}/settings", settings, "application/json")
        assert answer.status_code == (422 if price == "0.50" else 200)
    else:
        wages = {"wages-TOTAL_FORMS": "1", "wages-INITIAL_FORMS": "0", "wages-0-country": "ES", "wages-0-wage": "9,00"}
        sent = {"currency": "EUR", "per_task_0": typed, "platform_fee": "12,5", **wages}
        answer = manager.post(f"/s/{study.pid}/setup/payment/", sent)
        assert answer.status_code == (422 if price == "0.50" else 302)
    study.refresh_from_db()
    assert options_of(study).payment.price("rate") == Decimal(price)


@pytest.mark.parametrize(
    "change",
    [
        {"amount": "-1"},
        {"amount": "1,500"},
        {"amount": "NaN"},
        {"amount": "1e9"},
        {"amount": "0.001"},
        {"amount": ""},
        {"kind": "gift"},
        {"kind": "bonus", "reason": " "},
        {"reason": "a\0b"},
    ],
)
def test_wrong_input_is_said_on_the_page(
    ana: Annotator, address: str, as_: Callable[[str], Client], change: dict[str, str]
) -> None:
    """Amounts, kinds and reasons that cannot be are refused with a notice."""
    from rubrica.store.models import Payment

    form = {"annotator": ana.pid, "kind": "task", "amount": "1.00", **change}
    assert "notice error" in as_("manager").post(f"{address}record/", form, follow=True).content.decode()
    assert not Payment.objects.exists()


def test_a_payment_that_is_refused_stays_in_the_form(
    ana: Annotator, address: str, as_: Callable[[str], Client]
) -> None:
    """Annotator, kind, amount and reason are as they were sent."""
    form = {"annotator": ana.pid, "kind": "bonus", "amount": "1,500", "reason": "A hard one"}
    response = as_("manager").post(f"{address}record/", form)
    assert response.status_code == 422
    body = response.content.decode()
    for kept in (f'value="{ana.pid}" selected', 'value="bonus" selected', 'value="1,500"', 'value="A hard one"'):
        assert kept in body


def test_bad_ids_and_methods(address: str, as_: Callable[[str], Client]) -> None:
    """Unknown people and rows are not found; what writes is posted."""
    manager = as_("manager")
    assert manager.post(f"{address}record/", {"annotator": "nosuch"}).status_code == 404
    assert manager.post(f"{address}{'x' * 16}/correct/").status_code == 404
    assert manager.get(f"{address}record/").status_code == 405
    assert manager.post(address).status_code == 405


def test_the_file_has_every_account(study: Study, ana: Annotator, address: str, as_: Callable[[str], Client]) -> None:
    """Managers get country and minimum wage with it, viewers do not; no name becomes a formula."""
    from rubrica.store.models import Annotator

    Annotator.objects.update(name="=1+1")
    rows = list(csv.DictReader(io.StringIO(as_("manager").get(f"{address}csv/").content.decode())))
    assert rows[0]["annotator"] == "'=1+1"
    assert (rows[0]["tasks"], rows[0]["due"], rows[0]["country"]) == ("6", "3.00", "ES")
    assert "country" not in as_("viewer").get(f"{address}csv/").content.decode()


def test_a_good_rewrite_of_a_sentence_that_many_skipped_earns_a_bonus_once(
    make_study: Callable[..., Study], people: object, as_: Callable[[str], Client]
) -> None:
    """Two skip it, one rewrites it, a researcher calls it good: the page suggests the bonus until it is recorded."""
    from django.contrib.auth.models import User

    from rubrica.store.adjudication.adjudication import review
    from rubrica.store.models import Member
    from rubrica.store.money import payments

    rows = [Item("hard", {"source": "The gate, which was old, stays shut because nobody oils it."})]
    study = make_study("split_rewrite", rows=rows, name="split", payment={"bonus": {"rewrite": "1.00"}})
    Member.objects.create(study=study, user=User.objects.get(username="manager"), role="manager", since=NOW)
    for name in ("ben", "eva"):
        judge(study, name, plain_items(study), said=Judgement({}, (), "too_problematic"))
    [written] = judge(study, "ana")
    assert payments.suggestions(study) == []
    review(written, "good", "", NOW, actor="r")
    [found] = payments.suggestions(study)
    assert (found.skipped, found.amount) == (2, Decimal("1.00"))
    address = f"/s/{study.pid}/payments/"
    manager = as_("manager")
    page = manager.get(address).content.decode()
    assert "Record a bonus of 1.00" in page
    assert "A researcher called them good, or their ratings say that they are perfect." in page
    form = {"annotator": written.annotator.pid, "kind": "bonus", "amount": "1.00", "reason": "Good.", "key": found.key}
    manager.post(f"{address}record/", form)
    assert payments.suggestions(study) == []
