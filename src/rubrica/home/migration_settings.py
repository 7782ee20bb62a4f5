"""Settings for `python -m django makemigrations` only; a running Rubrica configures itself (database.py)."""

from rubrica.home.database import APPS

INSTALLED_APPS = APPS
DATABASES = {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}}
USE_TZ = True
RUBRICA_HOME = ""
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
