"""A data file for our bakery template with every oddity that real files have, in our own words."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from rubrica.core.protocol import Protocol
from rubrica.core.validation import Validator
from rubrica.exchange.thresh.answers import names_of
from rubrica.exchange.thresh.entries import EntryReader
from rubrica.exchange.thresh.template_protocol import convert_template
from rubrica.protocols.loader import check_text

HERE = Path(__file__).parent
SOURCE = "Knead the dough well, then let it rest by the warm stove."
TARGET = "Knead the dough. Let it rest somewhere warm 🥖 overnight."

ENTRIES: list[dict[str, Any]] = [
    {
        "source": SOURCE,
        "target": TARGET,
        "metadata": {"annotator": "ana", "system": "mill-2", "score": 1.50, "tags": ["a", {"b": None}]},
        "edits": [
            {
                "id": 1,
                "category": "Left out",
                "input_idx": [[16, 21]],
                "annotation": {"loss": {"val": "needed", "needed": "somewhat"}, "grammar_eror": "no"},
            },
            {
                "id": 4,  # a gap in the numbers
                "category": "Left out",
                "input_idx": [[39, 41]],
                "annotation": {"loss": {"val": "half-needed", "half-needed": "the second"}, "grammar_eror": "yes"},
            },
            {
                "category": "put_in",
                "id": 1,
                "annotation": {"helps": {"val": "yes", "yes": 4}, "why": "Says how long."},
                "output_idx": [[47, 57]],  # after the emoji: UTF-16
            },
            {"category": "put_in", "id": 2, "annotation": {"helps": "no"}, "output_idx": [[16, 20]]},  # a plain text
            {
                "id": 1,
                "category": "rebuilt",
                "constituent_edits": [
                    {"id": 1, "category": "swapped", "input_idx": [[22, 26]], "output_idx": [[15, 16]]},
                    {"id": 3, "category": "put_in", "output_idx": [[17, 20]]},
                ],
                "annotation": {"source": "a cookbook"},
            },
        ],
        "_thresh_id": 1,
    },
    {
        "id": "second",
        "context": "A recipe for **bread**.",
        "source_context_before": "First: ",
        "source": "Bake it for an hour.",
        "target": "Bake it.",
        "target_context_after": " Enjoy!",
        "edits": [
            {
                "id": 1,
                "category": "swapped",
                "input_idx": [[0, 4], [8, 11]],
                "output_idx": [[0, 4]],
                "annotation": None,
            },
            {"id": 2, "category": "swapped", "input_idx": [[5, 7]], "output_idx": [[5, 7]]},
            {"id": 1, "category": "Left out", "input_idx": [[12, 99]], "annotation": {}},  # outside its text
            {"id": 1, "category": "Left out", "input_idx": [[-3, 2]], "annotation": {"loss": {"val": "gone"}}},
            {"id": 1, "category": "Burnt", "input_idx": [[0, 4]], "annotation": {"heat": "a lot"}, "seen": True},
            {
                "id": 9,
                "category": "put_in",
                "output_idx": [[1]],
                "annotation": {"helps": {"val": None}, "mood": "sour"},
            },
        ],
        "bookmark": True,
        "comment": "Strange oven.",
        "_interface_id": 2,
    },
    {"source": "Let it cool.", "target": "Let it cool."},
    {"source": "Let it cool.", "target": "Let it cool.", "edits": []},
    {"source": "Let it cool.", "target": "Let it cool.", "edits": None, "metadata": {"annotator": "ben"}},
    {"source": "", "target": "Eat it.", "metadata": None, "edits": [{"category": "break", "id": 1, "output_idx": []}]},
]


def bakery() -> Protocol:
    """The protocol of the bakery template."""
    text = (HERE / "bakery.yml").read_text(encoding="utf-8")
    return check_text(convert_template(text, "bakery.yml").text, "bakery.yaml").protocol


def reader(protocol: Protocol, unit: str = "utf16") -> EntryReader:
    """Reads entries for the only stage of a protocol."""
    return EntryReader(names_of(protocol), Validator(protocol, protocol.stages[-1]), unit)


def write_data(path: Path, entries: list[dict[str, Any]] | None = None, **layout: Any) -> Path:
    """The entries as a file, laid out as json.dumps does with these options."""
    options = {"indent": 4, **layout}
    path.write_text(json.dumps(ENTRIES if entries is None else entries, **options), encoding="utf-8", newline="")
    return path
