"""`rubrica user add`: accounts of researchers."""

from __future__ import annotations

import io
from collections.abc import Callable

import pytest

from tests.conftest import Ran

PASSWORD = "seven tall gates"


def account(name: str) -> object:
    """The account of that name."""
    from django.contrib.auth.models import User

    return User.objects.get(username=name)


@pytest.fixture
def add(rubrica: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Ran]:
    """Adds an account with the password on stdin."""

    def run(*arguments: str, password: str = PASSWORD) -> Ran:
        monkeypatch.setattr("sys.stdin", io.StringIO(password + "\n" if password else ""))
        return rubrica("user", "add", *arguments)

    return run


def test_the_first_account_is_an_administrator(add: Callable[..., Ran]) -> None:
    """Whoever is first owns the studio; those after them do not, unless asked for."""
    assert "maria may sign in and sees every study." in add("maria").err
    assert "jonas may sign in." in add("jonas").err
    assert add("admin", "--admin").code == 0
    assert [account(name).is_superuser for name in ("maria", "jonas", "admin")] == [True, False, True]  # type: ignore[attr-defined]


def test_the_password_signs_in_and_is_not_stored(add: Callable[..., Ran]) -> None:
    """It is kept as an argon2 hash."""
    add("maria")
    found = account("maria")
    assert found.check_password(PASSWORD)  # type: ignore[attr-defined]
    assert found.password.startswith("argon2$")  # type: ignore[attr-defined]
    assert PASSWORD not in found.password  # type: ignore[attr-defined]


def test_the_password_may_come_from_the_environment(add: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch) -> None:
    """RUBRICA_PASSWORD goes before stdin, for scripts."""
    monkeypatch.setenv("RUBRICA_PASSWORD", "from the environment")
    add("maria", password="something else")
    assert account("maria").check_password("from the environment")  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("name", "password", "what"),
    [
        ("maria", "", "no password was given"),
        ("maria", "short", "too short"),
        ("maria", "password123", "common"),
        ("a b", PASSWORD, "valid username"),
        ("", PASSWORD, "blank"),
        ("x" * 151, PASSWORD, "150"),
    ],
)
def test_what_cannot_be_an_account_is_refused(add: Callable[..., Ran], name: str, password: str, what: str) -> None:
    """A message and code 1; no account is made."""
    from django.contrib.auth.models import User

    ran = add(name, password=password)
    assert (ran.code, User.objects.count()) == (1, 0)
    assert what in ran.err


def test_a_name_is_given_once(add: Callable[..., Ran]) -> None:
    """A second account of the same name is refused, and the first keeps its password."""
    add("maria")
    assert add("maria", password="another long one").code == 1
    assert account("maria").check_password(PASSWORD)  # type: ignore[attr-defined]
