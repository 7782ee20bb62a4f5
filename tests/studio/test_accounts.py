"""Signing in, the first account, one's own account, all accounts, the health of the server."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from django.test import Client

from tests.studio.conftest import NOW

if TYPE_CHECKING:
    from django.contrib.auth.models import User


def test_health_answers_without_signing_in(home: Path) -> None:
    """Whoever watches the server sees whether it and its database answer."""
    answer = Client().get("/health")
    assert answer.status_code == 200
    assert answer.json()["status"] == "ok"


def test_first_account_link_works_once(home: Path) -> None:
    """The printed link makes the first account, signs it in, and is void from then on."""
    from django.contrib.auth.models import User

    from rubrica.studio.accounts import first

    address = f"/first/{first.token()}/"
    client = Client()
    assert client.get(address).status_code == 200
    form = {"username": "rosa", "password1": "a long passphrase", "password2": "a long passphrase"}
    assert client.post(address, form).status_code == 302
    user = User.objects.get()
    assert user.is_superuser
    assert user.password.startswith("argon2")
    assert client.get("/studies/").status_code == 200
    assert Client().get(address).status_code == 404


def test_forged_first_account_link_is_nothing(home: Path) -> None:
    """A link that we did not sign leads nowhere."""
    assert Client().get("/first/forged/").status_code == 404


@pytest.mark.parametrize("path", ["/studies/", "/account/"])
def test_pages_ask_to_sign_in(home: Path, path: str) -> None:
    """A stranger is sent to sign in and back."""
    answer = Client().get(path)
    assert answer.status_code == 302
    assert answer.headers["Location"] == f"/sign-in/?next={path}"


def test_sign_out_needs_a_post(as_: Callable[[str], Client]) -> None:
    """A link cannot sign anybody out."""
    assert as_("owner").get("/sign-out/").status_code == 405


def test_every_page_has_a_strict_policy(home: Path) -> None:
    """No page allows inline script or anything from an outside host."""
    policy = Client().get("/sign-in/").headers["Content-Security-Policy"]
    assert "unsafe" not in policy
    assert "http" not in policy
    assert "frame-ancestors 'none'" in policy


PASSWORD = "a long passphrase"
NEW = "another long passphrase"


def _account(name: str, **more: bool) -> User:
    from django.contrib.auth.models import User

    return User.objects.create_user(name, password=PASSWORD, **more)


def test_signing_in_and_back(home: Path) -> None:
    """The right password leads to where one wanted to go; a wrong one says so without telling which was wrong."""
    _account("rosa")
    client = Client()
    answer = client.post("/sign-in/", {"username": "rosa", "password": "wrong"})
    assert answer.status_code == 200
    assert 'role="alert"' in answer.content.decode()
    answer = client.post("/sign-in/", {"username": "rosa", "password": PASSWORD, "next": "/account/"})
    assert answer.headers["Location"] == "/account/"
    away = Client().post("/sign-in/", {"username": "rosa", "password": PASSWORD, "next": "https://evil.example/"})
    assert away.headers["Location"] == "/studies/"


@pytest.mark.any_database
def test_ten_failures_make_a_name_wait(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After ten wrong passwords even the right one waits, from any address; after ten minutes it works."""
    from django.utils import timezone

    _account("rosa")
    for number in range(10):
        address = f"10.0.0.{number}"
        Client(REMOTE_ADDR=address).post("/sign-in/", {"username": "Rosa", "password": "wrong"})
    right = {"username": "rosa", "password": PASSWORD}
    answer = Client(REMOTE_ADDR="10.9.9.9").post("/sign-in/", right)
    assert answer.status_code == 429
    assert "ten minutes" in answer.content.decode()
    later = timezone.now() + timedelta(minutes=11)
    monkeypatch.setattr("rubrica.studio.accounts.sign_in.timezone.now", lambda: later)
    assert Client(REMOTE_ADDR="10.9.9.9").post("/sign-in/", right).status_code == 302


@pytest.mark.any_database
def test_ten_failures_make_an_address_wait(home: Path) -> None:
    """Guessing many names from one address is slow too; other addresses are not touched."""
    _account("rosa")
    for number in range(10):
        Client(REMOTE_ADDR="10.0.0.1").post("/sign-in/", {"username": f"name{number}", "password": "wrong"})
    right = {"username": "rosa", "password": PASSWORD}
    assert Client(REMOTE_ADDR="10.0.0.1").post("/sign-in/", right).status_code == 429
    assert Client(REMOTE_ADDR="10.0.0.2").post("/sign-in/", right).status_code == 302


@pytest.mark.any_database
def test_a_right_password_forgets_the_failures(home: Path) -> None:
    """Who mistypes a few times and then succeeds starts anew; nothing that was typed is kept in the clear."""
    from rubrica.store.models import LoginFailure

    _account("rosa")
    client = Client()
    for _ in range(9):
        client.post("/sign-in/", {"username": "rosa", "password": "wrong"})
    assert LoginFailure.objects.count() == 9
    assert not LoginFailure.objects.filter(name__contains="rosa").exists()
    client.post("/sign-in/", {"username": "rosa", "password": PASSWORD})
    assert not LoginFailure.objects.exists()


LOCAL = ["127.0.0.1", "10.0.0.0/8", "2001:db8::/48"]


@pytest.mark.any_database
@pytest.mark.parametrize(
    ("peer", "forwarded", "client"),
    [
        ("203.0.113.5", "", "203.0.113.5"),
        ("203.0.113.5", "1.1.1.1", "203.0.113.5"),
        ("127.0.0.1", "203.0.113.5", "203.0.113.5"),
        ("127.0.0.1", "1.1.1.1, 203.0.113.5", "203.0.113.5"),
        ("127.0.0.1", "1.1.1.1, 203.0.113.5, 10.1.2.3", "203.0.113.5"),
        ("127.0.0.1", "127.0.0.1, 203.0.113.5", "203.0.113.5"),
        ("127.0.0.1", "10.1.2.3", "10.1.2.3"),
        ("127.0.0.1", "", ""),
        ("127.0.0.1", " , ", ""),
        ("127.0.0.1", "1.1.1.1, unknown", ""),
        ("127.0.0.1", "203.0.113.5:4711", "203.0.113.5"),
        ("::ffff:127.0.0.1", "[2001:db8:1::9]:443", "2001:db8:1::9"),
        ("2001:db8::1", "::ffff:203.0.113.5", "203.0.113.5"),
        ("", "1.1.1.1", ""),
    ],
)
def test_addresses_behind_trusted_proxies(home: Path, peer: str, forwarded: str, client: str) -> None:
    """What proxies wrote is followed from the right as far as we trust them; what a client claims never counts."""
    from django.test import RequestFactory, override_settings

    from rubrica.studio.proxies import address_of, trusted_proxies

    request = RequestFactory().get("/", REMOTE_ADDR=peer, headers={"X-Forwarded-For": forwarded})
    with override_settings(TRUSTED_PROXIES=trusted_proxies(LOCAL)):
        assert address_of(request) == client
    with override_settings(TRUSTED_PROXIES=()):
        assert address_of(request) == peer.removeprefix("::ffff:")


@pytest.mark.any_database
def test_what_is_no_proxy_is_refused(home: Path) -> None:
    """Every proxy that cannot be understood is named, with what to write instead."""
    from rubrica.core.errors import InputError
    from rubrica.studio.proxies import trusted_proxies

    with pytest.raises(InputError) as refused:
        trusted_proxies(["localhost", "127.0.0.1", "10.0.0.0/99"])
    assert [problem.value for problem in refused.value.problems] == ["localhost", "10.0.0.0/99"]


def _guess(name: str = "rosa", peer: str = "127.0.0.1", forwarded: str = "", client: Client | None = None) -> int:
    """The status of signing in with a wrong password."""
    form = {"username": name, "password": "wrong"}
    headers = {"X-Forwarded-For": forwarded} if forwarded else {}
    return (client or Client()).post("/sign-in/", form, REMOTE_ADDR=peer, headers=headers).status_code


@pytest.mark.any_database
def test_a_forged_header_evades_no_limit(home: Path) -> None:
    """Without a trusted proxy the header is nothing; with one, only what the proxy itself has added counts."""
    from django.test import override_settings

    from rubrica.studio.proxies import trusted_proxies

    direct = [_guess(f"name{n}", "203.0.113.9", f"1.1.1.{n}") for n in range(11)]
    assert direct == [*[200] * 10, 429]
    with override_settings(TRUSTED_PROXIES=trusted_proxies(LOCAL)):
        through = [_guess(f"other{n}", "127.0.0.1", f"2.2.2.{n}, 203.0.113.7") for n in range(11)]
        assert through == [*[200] * 10, 429]
        assert _guess("somebody", "127.0.0.1", "203.0.113.8") == 200


@pytest.mark.any_database
def test_a_proxy_that_does_not_tell_locks_nobody_out(home: Path) -> None:
    """Where a trusted proxy leaves the header out, names are limited and the address of the proxy is not."""
    from django.test import override_settings

    from rubrica.studio.proxies import trusted_proxies

    with override_settings(TRUSTED_PROXIES=trusted_proxies(LOCAL)):
        assert {_guess(f"name{n}") for n in range(15)} == {200}
        assert [_guess("rosa") for n in range(11)] == [*[200] * 10, 429]


@pytest.mark.any_database
def test_a_network_of_one_customer_is_one_address(home: Path) -> None:
    """Whoever has an IPv6 network does not get ten guesses from each of its addresses."""
    assert [_guess(f"n{n}", f"2001:db8:7:7::{n + 1:x}") for n in range(11)] == [*[200] * 10, 429]
    assert _guess("other", "2001:db8:7:8::1") == 200


RIGHT = {"username": "rosa", "password": "a long passphrase"}


@pytest.mark.any_database
def test_strangers_cannot_lock_out_a_known_device(home: Path) -> None:
    """Where the owner signed in before, they sign in however often others guess, for the name and from the address."""
    _account("rosa")
    known, fresh = Client(), Client()
    assert known.post("/sign-in/", RIGHT).status_code == 302
    known.post("/sign-out/")
    assert [_guess("Rosa") for _ in range(11)] == [*[200] * 10, 429]
    assert fresh.post("/sign-in/", RIGHT).status_code == 429
    assert known.post("/sign-in/", RIGHT).status_code == 302
    assert fresh.post("/sign-in/", RIGHT).status_code == 429


@pytest.mark.any_database
def test_a_known_device_has_ten_guesses_of_its_own(home: Path) -> None:
    """Guessing on it is limited too, and its failures are nobody else's."""
    _account("rosa")
    known = Client()
    known.post("/sign-in/", RIGHT)
    known.post("/sign-out/")
    assert [_guess("rosa", client=known) for _ in range(11)] == [*[200] * 10, 429]
    assert Client().post("/sign-in/", RIGHT).status_code == 302


@pytest.mark.any_database
def test_a_device_is_known_for_the_accounts_it_had(home: Path) -> None:
    """Somebody else's account, a forged cookie and another's device help nobody to guess."""
    from rubrica.studio.accounts.sign_in import COOKIE

    _account("rosa")
    _account("eve")
    eve = Client()
    eve.post("/sign-in/", {**RIGHT, "username": "eve"})
    cookie = eve.cookies[COOKIE]
    assert (cookie["httponly"], cookie["samesite"], "rosa" in cookie.value) == (True, "Lax", False)
    assert [_guess("rosa") for _ in range(10)] == [200] * 10
    eve.post("/sign-out/")
    assert eve.post("/sign-in/", RIGHT).status_code == 429
    eve.cookies[COOKIE] = cookie.value[:-1] + ("A" if cookie.value[-1] != "A" else "B")
    assert eve.post("/sign-in/", {**RIGHT, "username": "eve"}).status_code == 429


@pytest.mark.any_database
def test_a_link_makes_a_device_known(home: Path) -> None:
    """Who was locked out on a new device gets in through a link from an administrator, and stays able to."""
    from rubrica.studio.accounts import sign_up

    user = _account("rosa")
    assert [_guess("rosa") for _ in range(10)] == [200] * 10
    device = Client()
    assert device.post("/sign-in/", RIGHT).status_code == 429
    device.post(f"/new-password/{sign_up.new_password_link(user)}/", {"new_password1": NEW, "new_password2": NEW})
    assert device.post("/sign-in/", {**RIGHT, "password": NEW}).status_code == 302


def test_language_of_the_pages(home: Path) -> None:
    """The sign-in page can be read in another language; unknown ones and foreign addresses are ignored."""
    client = Client()
    answer = client.post("/language/", {"language": "es", "next": "/sign-in/"})
    assert answer.headers["Location"] == "/sign-in/"
    assert 'lang="es"' in client.get("/sign-in/").content.decode()
    answer = client.post("/language/", {"language": "tlh", "next": "https://evil.example/"})
    assert answer.headers["Location"] == "/"
    assert "rubrica_language" not in answer.cookies


def test_changing_the_password_keeps_this_session_alone(home: Path) -> None:
    """The new password holds, this browser stays signed in, others are signed out."""
    user = _account("rosa")
    here, there = Client(), Client()
    here.force_login(user)
    there.force_login(user)
    form = {"old_password": PASSWORD, "new_password1": NEW, "new_password2": NEW}
    assert here.post("/account/password/", {**form, "old_password": "wrong"}).status_code == 422
    assert here.post("/account/password/", {**form, "new_password2": "different one"}).status_code == 422
    assert here.post("/account/password/", form).status_code == 302
    user.refresh_from_db()
    assert user.check_password(NEW)
    assert here.get("/account/").status_code == 200
    assert there.get("/account/").status_code == 302


def test_tokens_are_shown_once_and_kept_as_digests(home: Path) -> None:
    """A token works, is shown in one answer only, and its row does not hold it."""
    from rubrica.store.models import ApiToken
    from rubrica.store.people.tokens import user_of

    user = _account("rosa")
    client = Client()
    client.force_login(user)
    shown = client.post("/account/tokens/", {"name": "nightly"}).content.decode()
    found = re.search(r"rub_[\w-]{43}", shown)
    assert found is not None
    assert found[0] not in client.get("/account/").content.decode()
    row = ApiToken.objects.get()
    assert found[0] not in (row.digest, row.name, row.pid)
    assert user_of(found[0]) == user
    assert user_of(found[0] + "x") is None
    assert user_of("") is None
    assert client.post("/account/tokens/", {"name": "nightly"}).status_code == 422
    assert client.post("/account/tokens/", {"name": " "}).status_code == 422


def test_use_of_a_token_is_written_down_at_most_once_a_minute(home: Path) -> None:
    """A busy script does not write at every request."""
    from rubrica.store.people.tokens import make, user_of

    made = make(_account("rosa"), "script", NOW)
    for seconds in (0, 30, 59):
        user_of(made.token, NOW + timedelta(seconds=seconds))
    made.row.refresh_from_db()
    assert made.row.used_at == NOW
    user_of(made.token, NOW + timedelta(seconds=61))
    made.row.refresh_from_db()
    assert made.row.used_at == NOW + timedelta(seconds=61)


def test_revoked_tokens_and_inactive_accounts(home: Path) -> None:
    """A revoked token is refused, somebody else's cannot be revoked, an account that is off has none."""
    from rubrica.store.people.tokens import make, user_of

    rosa, bo = _account("rosa"), _account("bo")
    made, theirs = make(rosa, "script", NOW), make(bo, "script", NOW)
    client = Client()
    client.force_login(rosa)
    assert client.post(f"/account/tokens/{theirs.row.pid}/revoke/").status_code == 404
    for _ in range(2):
        assert client.post(f"/account/tokens/{made.row.pid}/revoke/").status_code == 302
    assert user_of(made.token) is None
    bo.is_active = False
    bo.save()
    assert user_of(theirs.token) is None


def test_administrators_invite_and_switch_off(home: Path) -> None:
    """An invitation makes an account; an account that is off cannot sign in and can be switched on again."""
    from django.contrib.auth.models import User

    admin = Client()
    admin.force_login(_account("root", is_superuser=True))
    shown = admin.post("/accounts/invite/", {"name": "nia", "admin": "yes"}).content.decode()
    found = re.search(r"http://testserver(/sign-up/[^\s<]+)", shown)
    assert found is not None
    nia = Client()
    nia.post(found[1], {"new_password1": NEW, "new_password2": NEW})
    assert User.objects.get(username="nia").is_superuser
    admin.post("/accounts/switch/", {"account": "nia", "to": "off"})
    assert nia.get("/studies/").status_code == 302
    assert Client().post("/sign-in/", {"username": "nia", "password": NEW}).status_code == 200
    admin.post("/accounts/switch/", {"account": "nia", "to": "on"})
    assert Client().post("/sign-in/", {"username": "nia", "password": NEW}).status_code == 302
    assert admin.post("/accounts/invite/", {"name": "NIA"}).status_code == 422


def test_the_last_administrator_stays(home: Path) -> None:
    """Nobody can lock everyone out; unknown accounts are nothing."""
    admin = Client()
    admin.force_login(_account("root", is_superuser=True))
    assert admin.post("/accounts/switch/", {"account": "root", "to": "off"}).status_code == 422
    assert admin.get("/accounts/").status_code == 200
    assert admin.post("/accounts/switch/", {"account": "nobody", "to": "off"}).status_code == 404


def test_link_for_a_new_password_works_once(home: Path) -> None:
    """An administrator's link sets a new password, and is void from then on."""
    admin, rosa = Client(), _account("rosa")
    admin.force_login(_account("root", is_superuser=True))
    shown = admin.post("/accounts/password-link/", {"account": "rosa"}).content.decode()
    found = re.search(r"http://testserver(/new-password/[^\s<]+)", shown)
    assert found is not None
    client = Client()
    assert client.get(found[1]).status_code == 200
    assert client.post(found[1], {"new_password1": "short", "new_password2": "short"}).status_code == 422
    assert client.post(found[1], {"new_password1": NEW, "new_password2": NEW}).status_code == 302
    rosa.refresh_from_db()
    assert rosa.check_password(NEW)
    assert client.get(found[1]).status_code == 404
    assert client.get("/new-password/forged/").status_code == 404
    assert client.get("/sign-up/forged/").status_code == 404


def test_accounts_are_for_administrators(as_: Callable[[str], Client]) -> None:
    """Researchers are refused, strangers asked to sign in, links to actions do nothing."""
    owner = as_("owner")
    assert owner.get("/accounts/").status_code == 403
    for action in ("invite", "switch", "password-link"):
        assert owner.post(f"/accounts/{action}/", {"account": "viewer"}).status_code == 403
    assert Client().get("/accounts/").status_code == 302
    for path in ("/account/password/", "/account/tokens/", "/account/tokens/x/revoke/", "/language/"):
        assert owner.get(path).status_code == 405
    assert owner.post("/account/").status_code == 405


def test_secret_links_send_no_referrer(home: Path) -> None:
    """Addresses that hold a secret are told to nobody."""
    for path in ("/sign-up/x/", "/new-password/x/"):
        assert Client().get(path).headers["Referrer-Policy"] == "same-origin"
