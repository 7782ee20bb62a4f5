"""Settings for `python -m django makemigrations` only; a running Rubrica configures itself (database.py)."""

INSTALLED_APPS = ["rubrica.store"]
DATABASES = {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}}
USE_TZ = True
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
