"""What learned metrics share: where their weights are, and the mean over sentences.

Weights of models: where they are looked for on this machine. Nothing is ever downloaded by Rubrica. Models of the
Hugging Face Hub lie in a cache whose layout is documented, so that they are found without loading anything:
``models--OWNER--NAME/refs/main`` names the folder in ``snapshots``.

What learned metrics share: a model gives each sentence a number, and the corpus has their mean.
"""

from __future__ import annotations

import os
from abc import abstractmethod
from collections.abc import Iterator, Sequence
from functools import lru_cache
from hashlib import file_digest
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import numpy.typing as npt

from rubrica.core.errors import InputError, wrong
from rubrica.metrics.metric import Block, Floats, Metric, mean_of, ratio

QUIETLY_OFFLINE = {
    "HF_HUB_OFFLINE": "1",
    "TRANSFORMERS_OFFLINE": "1",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "HF_HUB_DISABLE_PROGRESS_BARS": "1",
}
"""What keeps the libraries of Hugging Face from asking the network for anything, and from drawing bars."""
KINDS = ("*.safetensors", "*.bin", "*.ckpt", "*.pt")


def stay_offline() -> None:
    """To be called before a library of Hugging Face is loaded."""
    os.environ.update(QUIETLY_OFFLINE)


def need_package(metric: str, package: str, install: str) -> None:
    """Raises InputError unless the package can be imported; does not import it."""
    if find_spec(package) is None:
        fix = f"Install it: pip install {install}."
        raise wrong(
            f"{metric} needs the package {package}, which is not installed", "not_installed", fix, value=package
        )


def hub_cache() -> Path:
    """The folder of models from the Hub, as its own library chooses it."""
    for name in ("HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE"):
        if os.environ.get(name):
            return Path(os.environ[name]).expanduser()
    cache = Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache")
    home = Path(os.environ.get("HF_HOME") or cache / "huggingface")
    return home.expanduser() / "hub"


def hub_folder(model: str) -> Path | None:
    """Where a model of the Hub is in the cache; None if it is not there."""
    kept = hub_cache() / f"models--{model.replace('/', '--')}"
    try:
        found = kept / "snapshots" / (kept / "refs" / "main").read_text(encoding="ascii").strip()
    except FileNotFoundError:
        return None
    return found if found.is_dir() else None


def model_folder(metric: str, model: str, get: str) -> Path:
    """The folder of a model, which is a folder with weights, or a name on the Hub.

    ``get`` is the command that gets it. Raises InputError saying where was looked.
    """
    folder = Path(model).expanduser()
    if folder.is_dir():
        if next(_weights(folder), None):
            return folder
        what = f"the folder has no weights of a model for {metric} ({', '.join(KINDS)})"
        raise wrong(what, "no_weights", "Name the folder of a model, or its name on the Hub.", value=str(folder))
    found = hub_folder(model)
    if found is None or not next(_weights(found), None):
        raise no_weights(metric, model, hub_cache(), get)
    return found


def no_weights(metric: str, model: str, looked: Path, get: str) -> InputError:
    """The error for a model that is not on this machine."""
    what = f"the weights of {model} for {metric} are not on this machine; looked in {looked}"
    return wrong(what, "no_weights", f"Get them, where there is a network: {get}", value=model)


@lru_cache
def fingerprint(path: Path) -> str:
    """Twelve hexadecimal digits that tell weights from others: of a file, or of the largest in a folder (SHA-256)."""
    largest = path if path.is_file() else max(_weights(path), key=lambda one: one.stat().st_size)
    with largest.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()[:12]


def _weights(folder: Path) -> Iterator[Path]:
    for kind in KINDS:
        yield from folder.glob(kind)


class Means(Metric):
    """Each figure is the mean of a value of each sentence."""

    @abstractmethod
    def values(self, block: Block, system: str) -> Sequence[npt.ArrayLike]:
        """For each figure, the value of each sentence; NaN where it has none."""

    def statistics(self, block: Block, system: str) -> Floats:
        return np.concatenate([mean_of(found) for found in self.values(block, system)], axis=-1)

    def scores(self, sums: Floats) -> Floats:
        return ratio(sums[..., 0::2], sums[..., 1::2])
