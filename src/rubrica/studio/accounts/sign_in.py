"""Signing in, slowly for those who guess."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.views import LoginView
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _

from rubrica.store import signing_in

WAIT = "wait"


class SignInForm(AuthenticationForm):
    """Name and password; refuses to look at them when there were too many failed attempts."""

    def clean(self) -> dict[str, Any]:
        attempt = signing_in.begin(self.cleaned_data.get("username", ""), address_of(self.request), timezone.now())
        if attempt is None:
            raise ValidationError(
                _("Too many failed attempts. Wait ten minutes, then try again."),
                code=WAIT,
            )
        cleaned: dict[str, Any] = super().clean()
        signing_in.succeeded(attempt)
        return cleaned


class SignIn(LoginView):
    """The page where researchers sign in."""

    template_name = "accounts/sign_in.html"
    authentication_form = SignInForm
    redirect_authenticated_user = True

    def form_invalid(self, form: AuthenticationForm) -> HttpResponse:
        response = super().form_invalid(form)
        if form.has_error("__all__", WAIT):
            response.status_code = 429
        return response


def address_of(request: HttpRequest | None) -> str:
    """Where a request comes from: behind a proxy that we were told to trust, the address that the proxy saw."""
    if request is None:
        return ""
    if settings.SECURE_PROXY_SSL_HEADER:
        seen: str = request.META.get("HTTP_X_FORWARDED_FOR", "").rpartition(",")[2].strip()
        if seen:
            return seen[:100]
    address: str = request.META.get("REMOTE_ADDR") or ""
    return address
