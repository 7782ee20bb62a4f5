"""Scripts and styles under names that carry their hash, so that browsers may keep them for good."""

from django.contrib.staticfiles.storage import ManifestStaticFilesStorage


class Hashed(ManifestStaticFilesStorage):
    """Also rewrites the imports between our ES modules."""

    support_js_module_import_aggregation = True
