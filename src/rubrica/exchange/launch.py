"""What a study needs before its launch: what must be said, read and reviewed, and what its record must have.

Whoever launches a study, or offers a further language in a running one, takes responsibility for what annotators agree
to: our consent in a language in which nobody has reviewed it must be read beside the original first. A wording of the
study's own is its author's.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from rubrica.core.errors import Problem
from rubrica.core.protocol import Protocol
from rubrica.core.stage_settings import AUDIENCE
from rubrica.exchange.study_options import OUR_CONSENTS, Options
from rubrica.language.catalogues import offered, translated, working
from rubrica.language.names import language_name

ATTESTED = {
    "review": "nobody says that the items were reviewed for sensitive material",
    "ethics": "nobody says that the ethics record was checked",
}
"""What whoever launches a study is asked to say, and what is wrong while it is not said."""


class Readiness(NamedTuple):
    """``blocks`` must be mended before the launch; ``advice`` names setup steps that deserve another look."""

    blocks: list[Problem]
    advice: list[str]


class Unread(NamedTuple):
    """Our consent in a language that nobody has reviewed and for which nobody has taken responsibility."""

    language: str
    original: str
    text: str

    @property
    def problem(self) -> Problem:
        """What keeps a study from asking for it."""
        name = language_name(self.language)
        what = f"nobody has reviewed the consent in {name}, and nobody says that they read it beside the original"
        fix = (
            f"Read both on the page of the launch and take responsibility ({self.language}), write a consent text of "
            "your own in this language, or do not offer it."
        )
        return Problem(what=what, rule="consent", fix=fix, value=self.language)


def unreviewed_consents(protocols: Iterable[Protocol], options: Options, *, every: bool) -> Iterator[Unread]:
    """Our consent in languages in which nobody has reviewed it; ``every``: in those not offered yet, too."""
    if not options.steps.consent:
        return
    languages = [working(one) if every else offered(one, options.languages) for one in protocols]
    for code in dict.fromkeys(code for some in languages for code in some):
        ours = options.consent_wording(code)
        if code != "en" and ours in OUR_CONSENTS:
            text, reviewed = translated(code, tuple(ours.split("\n\n")))
            if not reviewed:
                yield Unread(code, ours, text)


def review_required(protocols: Iterable[Protocol], options: Options, *, picked_words: bool) -> bool:
    """Whether every item must be reviewed for sensitive material before the launch.

    As the researcher has set it; else for protocols that mark edits, because SALSA was run like that: everything was
    read beforehand and what might trouble a reader was left out (Heineman and others 2023, ethics statement). And for
    words that a program picked: no rule knows whether one has a simpler substitute.
    """
    if options.review_required is not None:
        return options.review_required
    return any(protocol.edits for protocol in protocols) or picked_words


def missing_in_record(protocols: Sequence[Protocol], options: Options) -> list[str]:
    """What the record of ethics and sources lacks; where a protocol asks about an audience, that and the genre, too."""
    asks = any(one.id == AUDIENCE for protocol in protocols for one in protocol.parameters)
    about = [name for name in ("audience", "genre") if asks and not getattr(options.about, name)]
    return [*options.ethics.missing, *about]


class ReviewCount(NamedTuple):
    """How far the review of the items is."""

    items: int
    reviewed: int
    left_out: int

    @property
    def waiting(self) -> int:
        """Items that nobody has looked at."""
        return self.items - self.reviewed


def item_problems(counted: ReviewCount) -> list[Problem]:
    """What is wrong with a study that has nothing to hand out."""
    if counted.items == 0:
        return [Problem(what="there are no items", rule="no_items", fix="Upload a file with the items.")]
    if counted.items == counted.left_out:
        return [Problem(what="every item is left out", rule="no_items", fix="Take some back in the review.")]
    return []


def not_reviewed(waiting: int, *, picked_words: bool) -> Problem:
    """So many items wait for somebody to look at them."""
    if picked_words:
        what = f"{waiting} picked word waits" if waiting == 1 else f"{waiting} picked words wait"
        fix = "Accept, replace or drop each in the review of the items, or decide there that what waits is left out."
        return Problem(what=f"{what} for somebody to accept", rule="words", fix=fix, value=waiting)
    what = f"{waiting} item was not" if waiting == 1 else f"{waiting} items were not"
    fix = "Review every item, or decide in the review that this study does not need it, which is recorded."
    return Problem(what=f"{what} reviewed for sensitive material", rule="review", fix=fix, value=waiting)


def unsaid(name: str) -> Problem:
    """Nobody has said this of ATTESTED."""
    fix = f"Say so ({name}), or launch with it left open, which is recorded."
    return Problem(what=ATTESTED[name], rule="attest", fix=fix, value=name)
