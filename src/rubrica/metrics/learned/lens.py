"""LENS (Maddela et al., ACL 2023) and LENS-SALSA (Heineman et al., EMNLP 2023), learned from ratings of people.

Both were trained on English Wikipedia. Their package needs large and old libraries, so that it lives in an environment
of its own: ``RUBRICA_LENS_PYTHON`` names its Python, and Rubrica talks to it. A checkpoint is code as much as data:
only load one that you trust.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import numpy.typing as npt

from rubrica.core.errors import wrong
from rubrica.edits.tagging.lens_salsa import CHECKPOINT
from rubrica.edits.tagging.lens_salsa import MODEL as SALSA
from rubrica.metrics.block import Block
from rubrica.metrics.learned.lens_process import INSTALL, LensProcess
from rubrica.metrics.learned.means import Means
from rubrica.metrics.learned.weights import fingerprint, hub_cache, hub_folder, no_weights
from rubrica.metrics.metric import Figure
from rubrica.metrics.options import Options

PYTHON = "RUBRICA_LENS_PYTHON"


class Lens(Means):
    """LENS from 0 to 100 (rescaled), with the best of the references; a sentence without references has none."""

    name = "lens"
    figures = (Figure("lens", "LENS"),)
    needs_references = True
    undefined = "no sentence has references"
    model = "davidheineman/lens"

    def __init__(self, options: Options) -> None:
        self._python = _python(options)
        checking = LensProcess(self._python, self.name, None)
        checking.close()
        self._version = checking.version
        self._checkpoint = self._found(options.models.get(self.name, ""))

    def _found(self, given: str) -> Path:
        """The checkpoint; a folder is one that was downloaded from the Hub."""
        folder = Path(given).expanduser() if given else hub_folder(self.model)
        path = folder / CHECKPOINT if folder and not folder.is_file() else folder
        if path and path.is_file():
            return path
        command = f"from lens import download_model; download_model('{self.model}')"
        get = f'{self._python} -c "{command}". Or name the file: --model {self.name}=FOLDER/{CHECKPOINT}.'
        raise no_weights(self.name, given or self.model, path or hub_cache(), get)

    def values(self, block: Block, system: str) -> Sequence[npt.ArrayLike]:
        rewrites, references = block.rewrites[system], block.references_of(system)
        asked = [index for index in range(len(block)) if references[index] or not self.needs_references]
        scores = np.full(len(block), np.nan)
        scores[asked] = list(
            _started(self._python, self.name, self._checkpoint).scores(
                [block.sources[index] for index in asked],
                [rewrites[index] for index in asked],
                [references[index] for index in asked] if self.needs_references else [],
            )
        )
        return [scores]

    def settings(self) -> Mapping[str, object]:
        return {"weights": fingerprint(self._checkpoint), "package": f"lens-metric {self._version}"}


class LensSalsa(Lens):
    """LENS-SALSA, without references: a scale of 0 to 100, to which the model is not bound."""

    name = "lens_salsa"
    figures = (Figure("lens_salsa", "LENS-SALSA"),)
    needs_references = False
    undefined = "there are no sentences"
    model = SALSA


def _python(options: Options) -> str:
    """The Python that has LENS: as told, or this one if it happens to have it."""
    given = options.lens_python or os.environ.get(PYTHON, "")
    if given:
        return given
    if find_spec("lens"):
        return sys.executable
    what = "LENS runs in a Python of its own, and none is named"
    raise wrong(what, "lens_python", f"Make one and name it: {INSTALL}", value=None)


@lru_cache(maxsize=2)
def _started(python: str, kind: str, checkpoint: Path) -> LensProcess:
    """The process with the model, started once in each process of Rubrica."""
    return LensProcess(python, kind, checkpoint)
