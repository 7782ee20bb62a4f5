"""The edits of a desk: what the editor is told, and what the page shows of them without script."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rubrica.core import edits as edit_values
from rubrica.core.edit_marks import looks
from rubrica.core.edit_overlay import Overlay
from rubrica.core.edits import SIDES, Edit
from rubrica.core.protocol import EditScheme, Operation
from rubrica.core.study import Item
from rubrica.core.texts import shown
from rubrica.core.validation import Validator
from rubrica.studio.annotate.conditions_json import condition_data
