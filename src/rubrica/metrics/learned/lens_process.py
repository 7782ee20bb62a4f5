"""The process that LENS runs in, from Rubrica's side: lines of JSON out and in, a few sentences at a time."""

from __future__ import annotations

import json
import os
import re
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from threading import Lock
from typing import Any

from rubrica.core.errors import InputError, wrong
from rubrica.metrics.learned import lens_worker
from rubrica.metrics.learned.weights import QUIETLY_OFFLINE

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
