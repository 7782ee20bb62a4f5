"""`rubrica people`: what is done for one person of a study at their request: erasing them, another device."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from rubrica.cli.options import Home, Json, now, open_studies
from rubrica.cli.output import count, print_json, say
from rubrica.core.errors import wrong

if TYPE_CHECKING:
    from rubrica.store.models import Annotator

app = typer.Typer(help="People of a study: erase, reset, rekey.", no_args_is_help=True, rich_markup_mode=None)
Study = Annotated[str, typer.Argument(metavar="STUDY", help="The study.")]
Person = Annotated[str, typer.Argument(metavar="ANNOTATOR", help="The annotator, by name or pseudonym.")]


@app.command()
def erase(
    study: Study,
    annotator: Person,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    home: Home = None,
    json: Json = False,
) -> None:
    """Erase what somebody said and who they are, at their request, in joined studies too. It cannot be undone."""
    open_studies(home)
    from rubrica.core.signature import signature
    from rubrica.store.people import erasure

    person = _find(study, annotator)
    joined = [other.name for other in erasure.joined_places(person)]
    where = f"{study} and the joined {', '.join(joined)}" if joined else study
    if not yes and not typer.confirm(f"Erase {annotator!r} from {where}? This cannot be undone.", err=True):
        say("Nothing was changed.")
        raise typer.Exit(1)
    done = erasure.erase(person, now(), actor="")
    if json:
        elsewhere = [{**one._asdict(), "study": one.study.name} for one in done.elsewhere]
        print_json({"erased": {**done._asdict(), "elsewhere": elsewhere}, "signature": signature({"study": study})})
        return
    print(_told(study, done.judgements, done.revisions, done.items))
    for one in done.elsewhere:
        print(_told(f"joined study {one.study.name}", one.judgements, one.revisions, one.items))


def _told(where: str, judgements: int, revisions: int, items: int) -> str:
    wrote = f", {count(items, 'text')} that they wrote" if items else ""
    return f"{where}: {count(judgements, 'judgement')} erased, {count(revisions, 'revision')}{wrote}"


@app.command()
def reset(study: Study, annotator: Person, home: Home = None) -> None:
    """Set the place of a crowd platform's person free for the next device; whoever holds it now loses it."""
    open_studies(home)
    from rubrica.store.people import devices

    if not devices.reset(_find(study, annotator), now()):
        fix = "Personal links work on any device; make a new one on the page Invite."
        raise wrong(f"{annotator!r} did not come from a crowd platform", "place", fix, value=annotator)
    say(f"{annotator}: the next device that comes with the platform's link keeps the place.")


@app.command()
def rekey(
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    home: Home = None,
    json: Json = False,
) -> None:
    """Know people by the secret key that the home has now, after the old one was lost for good."""
    open_studies(home)
    from rubrica.core.signature import signature
    from rubrica.store.people import identities

    ask = "Is the old secret.key lost for good? Those who were erased cannot be recognised any more."
    if not yes and not typer.confirm(ask, err=True):
        say("Nothing was changed.")
        raise typer.Exit(1)
    done = identities.rekey(now())
    if json:
        print_json({"rekeyed": done._asdict(), "signature": signature({})})
    else:
        print(
            f"{count(done.annotators, 'annotator')} and {count(done.authors, 'author')} known by the new key, "
            f"{done.erased} erased not any more"
        )


def _find(study: str, annotator: str) -> Annotator:
    """The annotator of that name."""
    from rubrica.store import studies

    found = studies.find(study)
    person = found.annotators.select_related("study").filter(name=annotator).first()
    if person is None:
        names = sorted(found.annotators.living().values_list("name", flat=True))
        fix = f"There are: {', '.join(names)}." if names else "Nobody has taken part yet."
        raise wrong(f"there is no annotator {annotator!r} in {study!r}", "unknown_annotator", fix, value=annotator)
    return person
