"""The front door, the first account, the language of the interface, the health of the server."""

from __future__ import annotations

from django.conf import settings
from django.contrib.auth import login
from django.contrib.auth.forms import UserCreationForm
from django.contrib.auth.models import User
from django.db import DatabaseError, connection
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.shortcuts import redirect, render
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from rubrica import __version__
from rubrica.studio.accounts import first


@require_safe
def start(request: HttpRequest) -> HttpResponse:
    """The front door: to the studies, or to signing in."""
    return redirect("studies" if request.user.is_authenticated else "sign_in")


@require_safe
def health(request: HttpRequest) -> HttpResponse:
    """Whether the server and its database answer."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError as error:
        return JsonResponse({"status": "failing", "database": type(error).__name__}, status=503)
    return JsonResponse({"status": "ok", "database": connection.vendor, "version": __version__})


@require_http_methods(["GET", "POST"])
def first_account(request: HttpRequest, token: str) -> HttpResponse:
    """Make the account that owns a new studio."""
    if not first.is_valid(token):
        raise Http404
    form: UserCreationForm[User] = UserCreationForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        user = form.save(commit=False)
        user.is_superuser = user.is_staff = True
        user.save()
        login(request, user)
        return redirect("studies")
    return render(request, "accounts/first_account.html", {"form": form})


@require_POST
def language(request: HttpRequest) -> HttpResponse:
    """Choose the language of the interface, kept in a cookie."""
    back = request.POST.get("next", "/")
    if not url_has_allowed_host_and_scheme(back, {request.get_host()}):
        back = "/"
    response = HttpResponseRedirect(back)
    code = request.POST.get("language", "")
    if code in dict(settings.LANGUAGES):
        response.set_cookie("rubrica_language", code, max_age=365 * 86_400, samesite="Lax")
    return response
