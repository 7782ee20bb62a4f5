"""LENS (Maddela et al., ACL 2023) and LENS-SALSA (Heineman et al., EMNLP 2023), learned from ratings of people.

Both were trained on English Wikipedia. Their package needs large and old libraries, so that it lives in an environment
of its own: ``RUBRICA_LENS_PYTHON`` names its Python, and Rubrica talks to it. A checkpoint is code as much as data:
only load one that you trust.

The process that LENS runs in, from Rubrica's side: lines of JSON out and in, a few sentences at a time.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np
import numpy.typing as npt

from rubrica.core.errors import InputError, wrong
from rubrica.edits.tagging.lens_salsa import CHECKPOINT
from rubrica.edits.tagging.lens_salsa import MODEL as SALSA
from rubrica.metrics.learned import lens_worker
from rubrica.metrics.learned.weights import QUIETLY_OFFLINE, Means, fingerprint, hub_cache, hub_folder, no_weights
from rubrica.metrics.metric import Block, Figure, Options

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


AT_ONCE = 64
"""Sentences in a question, so that neither side holds more."""
INSTALL = (
    "python3 -m venv lens; lens/bin/pip install lens-metric 'transformers<5' 'numpy<2' 'setuptools<81'; "
    "export RUBRICA_LENS_PYTHON=$PWD/lens/bin/python"
)
"""The package does not say that it fails with newer ones of these."""
RAISED = re.compile(r"[\w.]+(Error|Exception)\b")
"""The line of a traceback that says what happened; libraries print bars after it."""
NOT_PASSED_ON = ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV")
"""What would make another Python load packages of this one."""


class LensProcess:
    """A model that was loaded by another Python. It ends with this process, since its input ends."""

    def __init__(self, python: str, kind: str, checkpoint: Path | None) -> None:
        self._python, self._lock = python, Lock()
        self._errors = tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace")  # noqa: SIM115 - as long as it
        path = [str(checkpoint)] if checkpoint else []
        try:
            self._process = subprocess.Popen(  # noqa: S603 - the interpreter that the user names
                [python, lens_worker.__file__, kind, *path],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._errors,
                text=True,
                encoding="utf-8",
                env=_environment(),
            )
        except OSError as error:
            what = f"the Python for LENS cannot be started: {error.strerror}"
            raise wrong(what, "lens_python", f"Make one: {INSTALL}", value=python) from error
        self.version = str(self._answer()["version"])

    def scores(
        self, sources: Sequence[str], rewrites: Sequence[str], references: Sequence[Sequence[str]]
    ) -> Iterator[float]:
        """The score of each sentence, in order."""
        for first in range(0, len(sources), AT_ONCE):
            part = slice(first, first + AT_ONCE)
            asked = {
                "sources": sources[part],
                "rewrites": rewrites[part],
                "references": [list(own) for own in references[part]],
            }
            found = self._ask(asked)["scores"]
            if len(found) != len(sources[part]):
                what = f"LENS gave {len(found)} scores for {len(sources[part])} sentences"
                raise wrong(what, "lens_failed", f"Install it anew: {INSTALL}", value=self._python)
            yield from found

    def close(self) -> None:
        """End it."""
        assert self._process.stdin
        self._process.stdin.close()
        self._process.wait()
        self._errors.close()

    def _ask(self, asked: Mapping[str, Any]) -> Mapping[str, Any]:
        with self._lock:
            assert self._process.stdin
            try:
                self._process.stdin.write(json.dumps(asked) + "\n")
                self._process.stdin.flush()
            except BrokenPipeError as error:
                raise self._failed() from error
            return self._answer()

    def _answer(self) -> Mapping[str, Any]:
        assert self._process.stdout
        line = self._process.stdout.readline()
        if not line:
            raise self._failed()
        answer: Mapping[str, Any] = json.loads(line)
        match answer.get("error"):
            case None:
                return answer
            case "not_installed":
                what = f"LENS needs the package lens-metric, which {self._python} does not have: {answer['message']}"
                raise wrong(what, "not_installed", f"Make an environment for it: {INSTALL}", value=self._python)
            case _:
                what = f"LENS lacks weights, most likely of its encoder: {answer['message']}"
                fix = "Get them, where there is a network, by using LENS once in its own environment."
                raise wrong(what, "no_weights", fix, value=self._python)

    def _failed(self) -> InputError:
        code = self._process.wait()
        self._errors.seek(0)
        said = [line.strip() for line in self._errors.read().splitlines() if line.strip()]
        raised = [line for line in said if RAISED.match(line)]
        what = f"LENS ended with exit code {code}: {(raised or said or ['it said nothing'])[-1]}"
        return wrong(what, "lens_failed", f"Try it alone, or install it anew: {INSTALL}", value=self._python)


def _environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name not in NOT_PASSED_ON} | QUIETLY_OFFLINE
