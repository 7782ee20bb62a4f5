"""LENS-SALSA: its subwords become words; without the package or the weights the error is honest."""

from __future__ import annotations

import sys
import types
from pathlib import Path
from typing import Any

import pytest

from rubrica.core.errors import InputError
from rubrica.edits.tagging.lens_salsa import LensSalsa, load_lens_salsa, tagged
from rubrica.edits.tagging.tags import Pair

PAIR = Pair(name="1", source="They vacated it.", rewrite="They left  it.")
SUBWORDS = ["they", "Ġleft", "Ġ", "Ġit", ".", "</s>", "</s>", "they", "Ġvac", "ated", "Ġit", "."]
"""As the model cuts both texts, the rewrite first; a double space is a subword of its own."""
SCORES = {
    "good": [0.1, 0.8, 0.5, 0.1, 0.1, 0.5, 0.5, 0.1, 0.3, 0.1, 0.1, 0.1],
    "bad": [0.1, 0.1, 0.5, 0.2, 0.4, 0.5, 0.5, 0.1, 0.5, 0.9, 0.1, 0.1],
}


def test_words_have_the_mean_of_their_subwords() -> None:
    """vac + ated: good 0.2, bad 0.7, so ok 0.1; an empty token between two spaces is ok."""
    found = tagged(PAIR, {tag: list(zip(SUBWORDS, scores, strict=True)) for tag, scores in SCORES.items()})
    assert [token.tag for token in found["source"]] == ["ok", "bad", "ok"]
    assert found["source"][1].likely == pytest.approx({"bad": 0.7, "ok": 0.1, "good": 0.2})
    assert [token.tag for token in found["rewrite"]] == ["ok", "good", "ok", "ok"]
    assert found["rewrite"][3].likely["bad"] == pytest.approx(0.3)


def test_a_model_of_errors_only() -> None:
    """A model that knows no good words gives ok and bad."""
    found = tagged(PAIR, {"bad": list(zip(SUBWORDS, SCORES["bad"], strict=True))})
    assert {token.tag for side in found.values() for token in side} == {"ok", "bad"}


def test_other_words_are_refused() -> None:
    """If the model saw other words than the text has, nothing is guessed."""
    with pytest.raises(InputError, match="1 words in the source, the text 3"):
        tagged(PAIR, {"bad": [("they", 0.1), ("Ġleft", 0.1), ("Ġit.", 0.1), ("</s>", 0), ("</s>", 0), ("they", 0.2)]})


class _Model:
    """Stands where the package's object stands; the weights are too large for a test."""

    def score(self, complex: list[str], simplified: list[str], **options: Any) -> tuple[list[float], dict[str, Any]]:
        return [50.0], {tag: [list(zip(SUBWORDS, scores, strict=True))] for tag, scores in SCORES.items()}


def test_pairs_go_through_the_model() -> None:
    """The backend is a tagger like any other."""
    (found,) = LensSalsa(_Model()).tag([PAIR])
    assert found["source"][1].tag == "bad"


def test_without_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    """The error says what to install, and what else one can do."""
    monkeypatch.setitem(sys.modules, "lens", None)
    with pytest.raises(InputError, match="pip install lens-metric"):
        load_lens_salsa()


def test_without_the_weights(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Nothing is downloaded: the hub is asked for local files only, and the error says so."""
    asked: list[dict[str, Any]] = []
    errors = types.ModuleType("huggingface_hub.errors")
    errors.LocalEntryNotFoundError = type("LocalEntryNotFoundError", (Exception,), {})  # type: ignore[attr-defined]
    hub, lens = types.ModuleType("huggingface_hub"), types.ModuleType("lens")

    def snapshot_download(name: str, **options: Any) -> str:
        asked.append(options)
        raise errors.LocalEntryNotFoundError(name)

    hub.snapshot_download, lens.LENS_SALSA = snapshot_download, _Model  # type: ignore[attr-defined]
    for name, module in (("huggingface_hub", hub), ("huggingface_hub.errors", errors), ("lens", lens)):
        monkeypatch.setitem(sys.modules, name, module)
    with pytest.raises(InputError, match="not on this machine"):
        load_lens_salsa()
    assert asked == [{"local_files_only": True}]
    with pytest.raises(InputError, match="--checkpoint"):
        load_lens_salsa(tmp_path / "none.ckpt")
