"""The Django application that owns pages, templates and scripts; its tables are the store's."""

from django.apps import AppConfig


class StudioConfig(AppConfig):
    """Pages and API."""

    name = "rubrica.studio"
    label = "studio"
