"""The front door, the first account, the language of the interface."""

from __future__ import annotations

from django.contrib.auth import login
from django.contrib.auth.forms import UserCreationForm
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from rubrica.store.people import accounts
from rubrica.studio.accounts import first, sign_in
from rubrica.studio.languages import researchers_languages


@require_safe
def start(request: HttpRequest) -> HttpResponse:
    """The front door: to the studies, or to signing in."""
    return redirect("studies" if request.user.is_authenticated else "sign_in")


@require_http_methods(["GET", "POST"])
def first_account(request: HttpRequest, token: str) -> HttpResponse:
    """Make the account that owns a new studio."""
    if not first.is_valid(token):
        raise Http404
    form: UserCreationForm[User] = UserCreationForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        user = form.save(commit=False)
        user.is_superuser = user.is_staff = True
        accounts.add(user, form.cleaned_data["password1"], timezone.now(), actor=user.get_username())
        login(request, user)
        response = redirect("studies")
        sign_in.remember(request, response, user)
        return response
    return render(request, "accounts/first_account.html", {"form": form})


@require_POST
def language(request: HttpRequest) -> HttpResponse:
    """Choose the language of the interface, kept in a cookie."""
    back = request.POST.get("next", "/")
    if not url_has_allowed_host_and_scheme(back, {request.get_host()}):
        back = "/"
    response = HttpResponseRedirect(back)
    code = request.POST.get("language", "")
    if code in dict(researchers_languages()):
        response.set_cookie("rubrica_language", code, max_age=365 * 86_400, samesite="Lax")
    return response
