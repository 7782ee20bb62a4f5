"""Headers that keep pages to themselves: nothing from outside hosts, no inline script, no framing.

The Content-Security-Policy allows only files of this server. A page that must be shown in a frame (an MTurk question,
our own preview) says so with :func:`framed_by`, for its response alone. No address leaves this host as a referrer;
within it a form needs one, because a form without is refused as coming from nowhere.

Nothing that a view answers is kept by a browser or a proxy: nearly every page shows somebody's name or answers, and the
next person at the computer must not find it. Scripts and styles say themselves how long they hold. The annotators'
pages for the time without network are kept by their service worker, which asks nobody, and forgets them with the link.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from django.conf import settings
from django.http import HttpRequest, HttpResponse

POLICY = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self'",
    "img-src": "'self' data:",
    "font-src": "'self'",
    "connect-src": "'self'",
    "manifest-src": "'self'",
    "worker-src": "'self'",
    "frame-src": "'self'",
    "form-action": "'self'",
    "frame-ancestors": "'none'",
    "base-uri": "'none'",
}
MTURK = "https://www.mturk.com https://workersandbox.mturk.com https://worker.mturk.com https://*.mturk.com"


def _written(policy: Mapping[str, str]) -> str:
    return "; ".join(f"{name} {value}" for name, value in policy.items())


_USUAL = _written(POLICY)


class Headers:
    """Adds the security headers to every response."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        changes = getattr(response, "policy_changes", {})
        policy = POLICY | changes
        response.headers.setdefault("Content-Security-Policy", _written(policy) if changes else _USUAL)
        response.headers.setdefault("Cache-Control", "no-store")
        response.headers.setdefault("X-Content-Type-Options", "nosniff")
        response.headers.setdefault("Referrer-Policy", "same-origin")
        response.headers.setdefault("Cross-Origin-Opener-Policy", "same-origin")
        response.headers.setdefault("Permissions-Policy", "camera=(), microphone=(), geolocation=()")
        if policy["frame-ancestors"] == "'none'":
            response.headers.setdefault("X-Frame-Options", "DENY")
        if settings.SECURE_HSTS_SECONDS and request.is_secure():
            response.headers.setdefault("Strict-Transport-Security", f"max-age={settings.SECURE_HSTS_SECONDS}")
        return response


def with_policy(response: HttpResponse, changes: Mapping[str, str]) -> HttpResponse:
    """The response with these parts of the policy changed, besides those that were changed before."""
    response.policy_changes = getattr(response, "policy_changes", {}) | dict(changes)  # type: ignore[attr-defined]
    return response


def framed_by(response: HttpResponse, ancestors: str, forms: str = "'self'") -> HttpResponse:
    """Let these hosts show the page in a frame, and its forms be sent there."""
    return with_policy(response, {"frame-ancestors": ancestors, "form-action": forms})
