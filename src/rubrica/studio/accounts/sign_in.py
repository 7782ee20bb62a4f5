"""Signing in, slowly for those who guess, and never slowly because of others on a device that is known."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.views import LoginView
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _

from rubrica.store.people import signing_in
from rubrica.studio.accounts import known_devices
from rubrica.studio.proxies import address_of, customer_of

WAIT = "wait"


class SignInForm(AuthenticationForm):
    """Name and password; refuses to look at them when there were too many failed attempts."""

    def clean(self) -> dict[str, Any]:
        name = self.cleaned_data.get("username", "")
        device = known_devices.device_for(self.request, name)
        attempt = signing_in.begin(name, customer_of(address_of(self.request)), timezone.now(), device)
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

    def form_valid(self, form: AuthenticationForm) -> HttpResponse:
        response = super().form_valid(form)
        known_devices.remember(self.request, response, form.get_user())
        return response

    def form_invalid(self, form: AuthenticationForm) -> HttpResponse:
        response = super().form_invalid(form)
        if form.has_error("__all__", WAIT):
            response.status_code = 429
        return response
