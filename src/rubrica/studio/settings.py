"""How the studio is configured: everything follows from the home and a few variables of the environment."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from rubrica.home.database import APPS, open_home, secret_key
from rubrica.studio.languages import compile_catalogues, language_names
from rubrica.studio.proxies import trusted_proxies

HERE = Path(__file__).parent


def open_studio(home: Path, url: str = "", *, hashed_files: bool = True) -> None:
    """Open the home with all that pages need. ``hashed_files=False`` serves scripts and styles without collecting."""
    # Whatever a process of the studio writes from now on is its owner's alone.
    os.umask(0o077)
    (home / "static").mkdir(parents=True, exist_ok=True)
    open_home(home, url, **studio_settings(home, hashed_files=hashed_files))


def studio_settings(home: Path, *, hashed_files: bool) -> dict[str, Any]:
    """The settings of Django beyond the database."""
    https = os.environ.get("RUBRICA_HTTPS", "") == "1"
    names = language_names(reviewed=True)
    storage = "rubrica.studio.static_files.Hashed" if hashed_files else PLAIN_STORAGE
    return {
        "SECRET_KEY": secret_key(home),
        "ALLOWED_HOSTS": _listed("RUBRICA_HOSTS") or ["127.0.0.1", "localhost", "[::1]", "testserver"],
        "CSRF_TRUSTED_ORIGINS": _listed("RUBRICA_ORIGINS"),
        "TRUSTED_PROXIES": trusted_proxies(_listed("RUBRICA_TRUSTED_PROXIES")),
        "INSTALLED_APPS": [
            *APPS,
            "django.contrib.messages",
            "django.contrib.staticfiles",
            "django_htmx",
            "rubrica.studio",
        ],
        "MIDDLEWARE": MIDDLEWARE,
        "ROOT_URLCONF": "rubrica.studio.urls",
        "TEMPLATES": [
            {
                "BACKEND": "django.template.backends.django.DjangoTemplates",
                "APP_DIRS": True,
                "OPTIONS": {"context_processors": CONTEXT, "builtins": TAGS},
            }
        ],
        "STATIC_URL": "/static/",
        "STATIC_ROOT": str(home / "static"),
        "STATICFILES_DIRS": [("rubrica/report", str(HERE.parent / "report" / "styles"))],
        "STORAGES": {
            "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
            "staticfiles": {"BACKEND": storage},
        },
        "MEDIA_ROOT": str(home / "files"),
        "FILE_UPLOAD_PERMISSIONS": 0o600,
        "FILE_UPLOAD_DIRECTORY_PERMISSIONS": 0o700,
        "WHITENOISE_USE_FINDERS": not hashed_files,
        "WHITENOISE_MAX_AGE": 600,
        "CSRF_FAILURE_VIEW": "rubrica.studio.errors.forged",
        "LOGIN_URL": "sign_in",
        "LOGIN_REDIRECT_URL": "studies",
        "MESSAGE_STORAGE": "django.contrib.messages.storage.session.SessionStorage",
        "USE_I18N": True,
        "LANGUAGE_CODE": "en",
        "LANGUAGES": list(names.items()),
        "LANGUAGE_COOKIE_NAME": "rubrica_language",
        "LOCALE_PATHS": [str(compile_catalogues(home / "locale"))],
        "SESSION_ENGINE": "rubrica.studio.sessions",
        "SESSION_COOKIE_SECURE": https,
        "CSRF_COOKIE_SECURE": https,
        "SESSION_COOKIE_AGE": 60 * 60 * 24 * 14,
        "SECURE_PROXY_SSL_HEADER": ("HTTP_X_FORWARDED_PROTO", "https") if https else None,
        "SECURE_HSTS_SECONDS": 31_536_000 if https else 0,
        "DATA_UPLOAD_MAX_MEMORY_SIZE": 5_000_000,
        "DATA_UPLOAD_MAX_NUMBER_FIELDS": 5_000,
        "AUTH_PASSWORD_VALIDATORS": [
            {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
            {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
            {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
        ],
        "LOGGING_CONFIG": "rubrica.studio.logs.configure",
        "LOGGING": {"by": "rubrica.studio.logs"},
    }


MIDDLEWARE = [
    "rubrica.studio.logs.RequestLog",
    "rubrica.studio.security.Headers",
    "rubrica.studio.storage.SavingErrors",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "rubrica.studio.sessions.Sessions",
    "rubrica.studio.languages.PageLanguage",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
]
CONTEXT = [
    "django.template.context_processors.request",
    "django.template.context_processors.i18n",
    "django.contrib.auth.context_processors.auth",
    "django.contrib.messages.context_processors.messages",
]
TAGS = ["django.templatetags.i18n", *(f"rubrica.studio.{name}" for name in ("access", "formats", "languages"))]
PLAIN_STORAGE = "django.contrib.staticfiles.storage.StaticFilesStorage"


def _listed(variable: str) -> list[str]:
    return [part.strip() for part in os.environ.get(variable, "").split(",") if part.strip()]
