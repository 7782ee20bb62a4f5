"""`rubrica demo`: a study for every protocol, mostly done by simulated annotators, in a running studio."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rubrica.cli.options import Home, chosen_home, now
from rubrica.cli.output import print_table, say, track
from rubrica.cli.serve import Host, Workers, free_port, run

if TYPE_CHECKING:
    from rubrica.store.models import Study

ACCOUNT, PASSWORD = "demo", "rubrica-demo"


def demo(
    home: Home = None,
    keep: Annotated[
        bool, typer.Option("--keep/--anew", help="Keep demo studies that are there, or make them anew.")
    ] = True,
    serve: Annotated[bool, typer.Option("--serve/--no-serve", help="Start the studio when they are made.")] = True,
    host: Host = "127.0.0.1",
    port: Annotated[
        int | None,
        typer.Option("--port", metavar="N", min=1, max=65535, help="The port; default: 8000, or the next free one."),
    ] = None,
    workers: Workers = 2,
) -> None:
    """Make a demo study for each protocol with simulated annotators, and start the studio on them."""
    from rubrica.studio.settings import open_studio

    place = chosen_home(home)
    open_studio(place, os.environ.get("DATABASE_URL", ""))
    studies = _studies(keep)
    _account()
    say("Simulated annotators have done most of the work; the items are our own.")
    print_table(["study", "stage", "items", "annotators", "judgements", "wanted"], [*_numbers(studies)])
    links = _links(studies)
    if serve:
        run(place, host, port or free_port(host), workers, [], _greeting(links))
    else:
        say(f"Next: rubrica --home {place} demo, or rubrica --home {place} export demo-breve --format csv")


def _studies(keep: bool) -> list[Study]:
    from rubrica.demo import collection, demonstration
    from rubrica.protocols.catalog import load_shipped, shipped
    from rubrica.store import models, studies

    made: dict[str, Study] = {}
    makers: dict[str, Callable[[], Study]] = {
        f"demo-{protocol}": partial(demonstration.make, f"demo-{protocol}", load_shipped(protocol), now())
        for protocol in shipped()
    }
    makers[collection.COLLECTING] = lambda: collection.make(now())
    makers[collection.EXPERT] = lambda: collection.make_expert(made[collection.SYSTEMS], now())
    for name, make in track(makers.items(), "Demo studies", len(makers)):
        known = models.Study.objects.living().filter(name=name).first()
        if known is not None and not keep:
            studies.delete(name, now())
            known = None
        made[name] = known or make()
    return list(made.values())


def _account() -> None:
    """A researcher's account whose password is printed; it owns everything in the demo's home."""
    from django.contrib.auth.models import User

    from rubrica.store.people import accounts

    if not User.objects.filter(username=ACCOUNT).exists():
        accounts.add(User(username=ACCOUNT, is_superuser=True), PASSWORD, now())


def _links(studies: list[Study]) -> list[tuple[str, str, str]]:
    """Of each study its name, the researcher's page and the annotators' link; then further ways in, without a page."""
    from rubrica.demo.marked_edits import ways_in
    from rubrica.store.models import Invitation
    from rubrica.store.people.invitations import token

    found = []
    for study in studies:
        door = Invitation.objects.filter(study=study, kind=Invitation.Kind.OPEN).valid().first()
        found.append((study.name, f"/s/{study.pid}/", f"/join/{token(door)}/" if door else ""))
        found += [(what, "", f"/w/{token(link)}/") for what, link in ways_in(study)]
    return found


def _greeting(links: list[tuple[str, str, str]]) -> str:
    width = max(len(name) for name, _, _ in links)
    lines = [
        f"  {name:<{width}}  {{address}}{page}  {{address}}{join}" if page else f"    {name}: {{address}}{join}"
        for name, page, join in links
    ]
    return "\n".join(
        [
            f"The studio: {{address}}   Sign in as {ACCOUNT} with the password {PASSWORD}",
            f"  {'study':<{width}}  for the researcher, for an annotator",
            *lines,
            "Stop it with Ctrl+C.",
        ]
    )


def _numbers(studies: list[Study]) -> list[list[Any]]:
    from rubrica.store.counting.progress import at_stages, of_stages

    return [
        [study.name, one.stage.key, one.items, len(at_stages(study).get(one.stage.pk, {})), one.done, one.wanted]
        for study in studies
        for one in of_stages(study.stages.all())
    ]
