"""The Django application that owns every table (design/001-data-model.md)."""

from django.apps import AppConfig


class StoreConfig(AppConfig):
    """Studies, people, work and audit."""

    name = "rubrica.store"
    label = "store"
    default_auto_field = "django.db.models.BigAutoField"
