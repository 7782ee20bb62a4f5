"""`rubrica user`: accounts of researchers. Annotators need none."""

from __future__ import annotations

import os
import sys
from typing import Annotated

import typer

from rubrica.cli.options import Home, now, open_studies
from rubrica.cli.output import say
from rubrica.core.errors import InputError, Problem, wrong

app = typer.Typer(help="Accounts of researchers: add.", no_args_is_help=True, rich_markup_mode=None)


@app.callback()
def users() -> None:
    """Accounts of researchers."""


@app.command()
def add(
    name: Annotated[str, typer.Argument(metavar="NAME", help="What the researcher signs in with.")],
    admin: Annotated[bool, typer.Option("--admin", help="May see every study; the first account always may.")] = False,
    home: Home = None,
) -> None:
    """Add an account. The password is asked for, or read from RUBRICA_PASSWORD or the first line of stdin."""
    open_studies(home)
    from django.contrib.auth.models import User
    from django.contrib.auth.password_validation import get_default_password_validators, validate_password
    from django.core.exceptions import ValidationError

    from rubrica.store.people import accounts

    password = _password()
    first = not User.objects.exists()
    user = User(username=name, is_superuser=admin or first, is_staff=admin or first)
    problems = []
    try:
        user.clean_fields(exclude=["password"])
        user.validate_unique()
    except ValidationError as error:
        fix = "Choose another name: letters, digits and @/./+/-/_ only, not taken."
        problems += [Problem(what=text, rule="account_name", fix=fix, value=name) for text in error.messages]
    if not get_default_password_validators() and len(password) < 10:
        problems.append(Problem(what="the password is too short", rule="password", fix="Use 10 characters or more."))
    try:
        validate_password(password, user)
    except ValidationError as error:
        problems += [Problem(what=text, rule="password", fix="Choose another password.") for text in error.messages]
    if problems:
        raise InputError(*problems)
    accounts.add(user, password, now())
    say(f"{name} may sign in" + (" and sees every study." if user.is_superuser else "."))


def _password() -> str:
    given = os.environ.get("RUBRICA_PASSWORD", "")
    if given:
        return given
    if sys.stdin.isatty():
        typed: str = typer.prompt("Password", hide_input=True, confirmation_prompt=True, err=True)
        return typed
    line = sys.stdin.readline().rstrip("\n")
    if not line:
        raise wrong("no password was given", "password", "Type it, set RUBRICA_PASSWORD, or pipe it in.")
    return line
