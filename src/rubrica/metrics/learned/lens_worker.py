"""LENS in an environment of its own: started by another Python than Rubrica's, which has ``lens-metric``.

Only the standard library and ``lens`` are used, and nothing newer than Python 3.9. It is started with ``lens`` or
``lens_salsa`` and the path of a checkpoint; without a path it only says which version is installed. Then each line of
the standard input is a JSON object with ``sources``, ``rewrites`` and ``references`` (for ``lens``), each line of the
standard output one with ``scores``, or with ``error`` (a rule) and ``message``.
"""

from __future__ import annotations

import json
import os
import sys
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from typing import IO, Any

BATCH = 16


def main(kind: str, checkpoint: str = "") -> None:
    """Answer until there are no more questions."""
    answers = _own_output()
    if find_spec("lens") is None:
        _say(answers, error="not_installed", message="No module named 'lens'")
        return
    model = None
    if checkpoint:
        import lens

        try:
            model = lens.LENS(checkpoint, rescale=True) if kind == "lens" else lens.LENS_SALSA(checkpoint)
        except OSError as error:  # the encoder's weights are not here, and the network is not asked
            _say(answers, error="no_weights", message=str(error).splitlines()[0])
            return
    _say(answers, ready=True, version=_version())
    if model is None:
        return
    for line in sys.stdin:
        _say(answers, scores=_scores(kind, model, json.loads(line)))


def _scores(kind: str, model: Any, asked: dict[str, Any]) -> list[float]:
    texts = [asked["sources"], asked["rewrites"]]
    if kind == "lens":
        return [float(score) for score in model.score(*texts, asked["references"], BATCH, devices=_devices())]
    scores, _ = model.score(*texts, batch_size=BATCH, devices=_devices())
    return [float(score) for score in scores]


def _devices() -> list[int] | None:
    """The first graphics card, if the library that LENS brings finds one."""
    torch = sys.modules.get("torch")
    return [0] if torch and torch.cuda.is_available() else None


def _own_output() -> IO[str]:
    """The standard output for answers alone: what libraries print goes to the standard error."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    return answers


def _say(answers: IO[str], **found: Any) -> None:
    answers.write(json.dumps(found) + "\n")
    answers.flush()


def _version() -> str:
    try:
        return version("lens-metric")
    except PackageNotFoundError:
        return "unknown"


if __name__ == "__main__":
    sys.path.pop(0)  # the folder of this file, whose own lens.py is another
    main(*sys.argv[1:])
