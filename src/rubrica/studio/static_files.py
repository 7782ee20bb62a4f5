"""Scripts and styles under names that carry their hash, so that browsers may keep them for good.

They are sent without comments and indentation, which are for whoever reads the source.
"""

from __future__ import annotations

import re
from typing import Any

from django.contrib.staticfiles.storage import ManifestStaticFilesStorage
from django.core.files.base import ContentFile

OURS = "rubrica/"


class Hashed(ManifestStaticFilesStorage):
    """Also rewrites the imports between our ES modules."""

    support_js_module_import_aggregation = True

    def _save(self, name: str, content: Any) -> str:
        if name.startswith(OURS) and name.endswith((".js", ".css")):
            content.seek(0)
            text = content.read()
            content = ContentFile(lean(text.decode() if isinstance(text, bytes) else text, name).encode())
        return super()._save(name, content)  # type: ignore[misc, no-any-return]


def lean(text: str, name: str) -> str:
    """The file without comments on lines of their own, indentation and empty lines.

    Of a style neither comments nor blanks at braces and semicolons, or after colons and commas. No text of ours runs
    over several lines, so the beginning of a line is never part of one; none in a style has such a blank (tests look).
    """
    if name.endswith(".css"):
        text = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
        text = re.sub(r"\s*([{};])\s*|([:,])\s+", r"\1\2", text)
    lines = (line.strip() for line in text.splitlines())
    return "\n".join(line for line in lines if line and not line.startswith("//")) + "\n"
