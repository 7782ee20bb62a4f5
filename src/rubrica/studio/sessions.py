"""Sessions that a page can be opened with while nothing can be written.

A page that shows a message takes it out of the session, so that opening it writes. If that is not possible at once, the
page is shown all the same, and its message once more with the next one.
"""

from __future__ import annotations

from contextlib import suppress

from django.conf import settings
from django.contrib.sessions.backends import db
from django.contrib.sessions.backends.base import UpdateError
from django.contrib.sessions.middleware import SessionMiddleware
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse

from rubrica.home.database_trouble import now_or_later, trouble_of


class SessionStore(db.SessionStore):
    """In the database, as Django's, which takes every error of the database for a session that was deleted."""

    def save(self, must_create: bool = False) -> None:
        """Save it; what is the matter with the database is raised as such."""
        try:
            super().save(must_create)
        except UpdateError as error:
            cause = error.__context__
            if isinstance(cause, DatabaseError) and trouble_of(cause):
                raise cause from cause.__cause__
            raise


class Sessions(SessionMiddleware):
    """Django's, which saves what opening a page changed only if that needs no waiting."""

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        """Save a session that the browser has already by the way; everything else is as ever."""
        session = request.session
        known = session.session_key == request.COOKIES.get(settings.SESSION_COOKIE_NAME)
        if request.method in ("GET", "HEAD") and known and session.modified and not session.is_empty():
            # Signed out in another window: then there is nothing to save.
            with suppress(UpdateError):
                now_or_later(session.save)
            session.modified = False
        return super().process_response(request, response)
