"""The Chromium of this machine: the build without windows where it is installed, which is quicker."""

from __future__ import annotations

import shutil
from typing import Any

LAUNCH: dict[str, Any] = {
    "executable_path": shutil.which("chromium-headless-shell") or "/usr/bin/chromium",
    "args": ["--no-sandbox"],
}
"""How Playwright starts it."""
