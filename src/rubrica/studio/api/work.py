"""The annotator's part of the API: saving, submitting, hints, flags, and what comes next.

The bearer is the token of the annotator's own link. Every change on a page comes through here within a second, so a
save asks the database as little as it can: the link, the lease, and one transaction.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from django.http import Http404, HttpRequest
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from ninja import Router, Schema
from ninja.security import HttpBearer
from pydantic import AwareDatetime, BaseModel, Field

from rubrica.core.answers import from_json
from rubrica.core.draft_validation import MOST_EDITS
from rubrica.core.errors import wrong
from rubrica.core.hints import SAME_TEXT, remarks
from rubrica.core.study import ANSWERED, Judgement, Receipt, RefusedError
from rubrica.exchange.suggestions import Told
from rubrica.store import models
from rubrica.store.adjudication import flags
from rubrica.store.allocation import leases
from rubrica.store.people.invitations import Link, follow
from rubrica.store.people.participation import way
from rubrica.store.recording import drafts, judgements
from rubrica.store.translate import item_from, protocol_of, rules_of
from rubrica.studio.annotate.desk_form import EditIn, edits_from
from rubrica.studio.annotate.remark_texts import language_of, remark_text, worded
from rubrica.studio.api.errors import ErrorsOut, LinkEndedError, errors


class LinkBearer(HttpBearer):
    """Whoever holds an annotator's link."""

    def authenticate(self, request: HttpRequest, token: str) -> LinkRequest | None:
        lease = request.resolver_match.kwargs.get("lease") if request.resolver_match else None
        link = follow(token, [lease] if lease else [])
        invitation = link.invitation
        if invitation is None or invitation.annotator is None:
            return None
        if link.revoked or invitation.annotator.erased_at is not None:
            raise LinkEndedError
        if invitation.annotator.language:
            translation.activate(invitation.annotator.language)
        return LinkRequest(token, invitation.annotator, link)


class LinkRequest:
    """Who asks: what stands in ``request.auth``."""

    __slots__ = ("_link", "annotator", "token")

    def __init__(self, token: str, annotator: models.Annotator, link: Link) -> None:
        self.token, self.annotator, self._link = token, annotator, link

    def leases(self, *pids: str) -> Sequence[models.Assignment]:
        """These leases, which are theirs: another's is not found. Nothing is taken from who has stopped taking part.

        One that the address names was looked for together with the link.
        """
        link = self._link if self._link.leases else follow(self.token, pids, items=True)
        if len(link.leases) != len(pids):
            raise Http404
        if link.withdrawn:
            raise LinkEndedError(_("You have stopped taking part, so nothing more is saved."))
        return link.leases

    def page(self, lease: str = "") -> str:
        """The address of the work page, of one lease or of whatever is next."""
        return f"/w/{self.token}/work/" + (f"{lease}/" if lease else "")


class AuthenticRequest(HttpRequest):
    """A request that carried a good link."""

    auth: LinkRequest


EditKey = Annotated[str, Field(max_length=100)]
Seconds = Annotated[float, Field(ge=0, le=10_000_000, allow_inf_nan=False)]


class DraftIn(BaseModel):
    """The judgement so far. ``seconds`` is the active time of this ``visit``, ``base`` the newest revision known.

    ``became`` says of suggested edits, by their ids, which edit was made of each; nothing if it was rejected. Those
    that were accepted all at once are ``together``, with whether they were looked at since, as each must be. Where
    blank may be an answer (no simpler word), an empty list says so; a question that is left out is not answered.
    """

    key: str = Field(min_length=8, max_length=64)
    answers: dict[str, Any] = {}
    edits: list[EditIn] = Field(default=[], max_length=MOST_EDITS)
    became: dict[EditKey, EditKey] = Field(default={}, max_length=MOST_EDITS)
    together: dict[EditKey, bool] = Field(default={}, max_length=MOST_EDITS)
    outcome: str = Field(default=ANSWERED, max_length=100)
    visit: str = Field(default="", pattern=r"^[A-Za-z0-9-]{0,40}$")
    seconds: Seconds = 0
    base: int = Field(default=0, ge=0, le=2_147_483_647)


class JudgementIn(DraftIn):
    """One of the judgements of a page."""

    lease: str


class SubmitIn(Schema):
    """All judgements of a page: submitted together or not at all."""

    judgements: list[JudgementIn] = Field(min_length=1, max_length=100)


class ReceiptOut(Schema):
    """What became of a save. ``superseded``: kept, but another device had gone on meanwhile."""

    lease: str
    revision: int
    at: AwareDatetime
    repeated: bool = False
    superseded: bool = False


class SubmittedOut(Schema):
    """Receipts, and the address of the page to go on with."""

    receipts: list[ReceiptOut]
    next: str


class HintsIn(Schema):
    """A judgement in the making."""

    lease: str
    answers: dict[str, Any] = {}


class HintOut(Schema):
    """A remark on one question, in words; one that ``asks`` is to be answered, by submitting again or by a change."""

    question: str
    text: str
    asks: bool = False


class HintsOut(Schema):
    """Every remark, in the order of the questions."""

    hints: list[HintOut]


class FlagIn(Schema):
    """Why the item is broken."""

    reason: str


class FlagOut(Schema):
    """The flag as it is kept."""

    lease: str
    reason: str


class PageOut(Schema):
    """A lease that is held, and the page it is on."""

    lease: str
    page: str


class NextOut(Schema):
    """Where to go on, what is held, and, if that is nothing, why."""

    next: str
    leases: list[PageOut]
    reason: str


REFUSALS = dict.fromkeys((400, 401, 404, 410, 413, 422, 503, 507), ErrorsOut)
router = Router(auth=LinkBearer())


@router.put("/{lease}/draft", response={200: ReceiptOut, **REFUSALS})
def save_draft(request: AuthenticRequest, lease: str, data: DraftIn) -> Any:
    """Keep what the annotator has so far. The same key again changes nothing."""
    now, (mine,) = timezone.now(), request.auth.leases(lease)
    receipt = drafts.save_draft(_said(mine, data), now)
    leases.renew(mine, now)
    return _receipt(receipt)


@router.post("/submit", response={200: SubmittedOut, **REFUSALS})
def submit(request: AuthenticRequest, data: SubmitIn) -> Any:
    """Submit the judgements of one page, all or none. Sending it again changes nothing and answers the same."""
    wanted = [one.lease for one in data.judgements]
    if len(set(wanted)) != len(wanted):
        raise wrong("a lease is there twice", "lease", "Send one judgement for each.", value=wanted)
    rows = {one.pid: one for one in request.auth.leases(*wanted)}
    now = timezone.now()
    try:
        receipts = judgements.submit([_said(rows[one.lease], one) for one in data.judgements], now)
    except RefusedError as refused:
        return errors(422, *worded(refused.by_lease, protocol_of(rows[wanted[0]].stage)))
    return SubmittedOut(
        receipts=[_receipt(one) for one in receipts],
        next=request.auth.page(leases.next_held(request.auth.annotator, now)),
    )


@router.post("/hints", response={200: HintsOut, **REFUSALS})
def hints(request: AuthenticRequest, data: HintsIn) -> Any:
    """Remarks on a judgement in the making. They never block."""
    (lease,) = request.auth.leases(data.lease)
    protocol, item = protocol_of(lease.stage), item_from(lease.item)
    found = remarks(
        protocol,
        item,
        Judgement(from_json(data.answers)),
        language_of(item, protocol),
        stage=rules_of(lease.stage, protocol),
        reader=translation.get_language() or protocol.fallback,
    )
    return HintsOut(
        hints=[HintOut(question=one.question, text=remark_text(one), asks=one.kind == SAME_TEXT) for one in found]
    )


@router.post("/{lease}/flag", response={200: FlagOut, **REFUSALS})
def flag(request: AuthenticRequest, lease: str, data: FlagIn) -> Any:
    """Mark the item as broken. It can still be judged."""
    made = flags.flag(request.auth.leases(lease)[0], data.reason, timezone.now())
    return FlagOut(lease=lease, reason=made.reason)


@router.get("/next", response={200: NextOut, **REFUSALS})
def next_work(request: AuthenticRequest) -> Any:
    """What the annotator holds, topped up, so that the page can go on without the network."""
    who = request.auth
    here = way(who.annotator)
    if here.due != "work":
        return NextOut(next=f"/w/{who.token}/", leases=[], reason=here.due)
    work = leases.take(who.annotator, here.stage, timezone.now())
    first: dict[str, str] = {}
    for lease in work.leases:
        first.setdefault(lease.item.group or lease.pid, lease.pid)
    pages = [PageOut(lease=one.pid, page=who.page(first[one.item.group or one.pid])) for one in work.leases]
    return NextOut(next=pages[0].page if pages else who.page(), leases=pages, reason=work.reason)


def _said(lease: models.Assignment, data: DraftIn) -> judgements.Said:
    """What a request says about a lease."""
    edits = edits_from(data.edits) if data.edits else ()
    judgement = Judgement(from_json(data.answers), edits, data.outcome)
    told = Told(data.became, data.together)
    return judgements.Said(lease, data.key, judgement, data.visit, data.seconds, data.base, told)


def _receipt(receipt: Receipt) -> ReceiptOut:
    return ReceiptOut.model_construct(
        lease=receipt.lease,
        revision=receipt.revision,
        at=receipt.at,
        repeated=receipt.repeated,
        superseded=receipt.superseded,
    )
