"""Learned metrics: what is said where a package or weights are missing, and the talk with LENS in another Python."""

from __future__ import annotations

import venv
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from rubrica.core.errors import InputError
from rubrica.metrics.catalog import metrics_of
from rubrica.metrics.learned import weights
from rubrica.metrics.learned.lens import AT_ONCE
from rubrica.metrics.metric import Block, Metric, Options
from tests.conftest import Ran

STAND_IN = '''
"""Stands for the package lens-metric, which is not ours: the same classes and calls, scores that can be foretold."""
print("libraries print what they like")

class LENS:
    def __init__(self, path, rescale=False):
        if "no encoder" in open(path).read():
            raise OSError("cannot find the files of roberta-large")
        self.rescale = rescale

    def score(self, complex, simplified, references, batch_size=16, devices=None):
        print("predicting")
        if "crash" in simplified:
            raise ValueError("a text that I cannot stand")
        return [max(len(one) for one in own) + len(text) / 100 for text, own in zip(simplified, references)]

class LENS_SALSA:
    def __init__(self, path):
        self.path = path

    def score(self, complex, simplified, references=None, batch_size=16, devices=None):
        return [float(len(text)) for text in simplified], {"bad": []}
'''


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A Python of an environment in which nothing is installed."""
    folder = tmp_path_factory.mktemp("bare")
    venv.create(folder, symlinks=True)
    return folder / "bin" / "python"


@pytest.fixture(scope="module")
def having_lens(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A Python of an environment that has a package ``lens``: a small one of these tests, since the real one has 1 GB.

    It is an external package, so nothing of Rubrica is replaced: process, protocol and errors are the real ones.
    """
    folder = tmp_path_factory.mktemp("having")
    venv.create(folder, symlinks=True)
    (packages,) = folder.glob("lib/python*/site-packages")
    (packages / "lens.py").write_text(STAND_IN, encoding="utf-8")
    return folder / "bin" / "python"


@pytest.fixture(autouse=True)
def empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """No models of the Hub, and no Python for LENS, whatever the machine has."""
    cache = tmp_path / "cache"
    monkeypatch.setenv("HF_HUB_CACHE", str(cache))
    monkeypatch.delenv("RUBRICA_LENS_PYTHON", raising=False)
    return cache


def made(name: str, **options: object) -> Metric:
    """The metric as the command line makes it."""
    (metric,) = metrics_of([name], Options(**options))  # type: ignore[arg-type]
    return metric


def refusal(name: str, **options: object) -> str:
    """What is said instead of making the metric."""
    with pytest.raises(InputError) as caught:
        made(name, **options)
    return str(caught.value)


@pytest.mark.parametrize(
    ("name", "package", "install"),
    [
        ("embedding_similarity", "sentence_transformers", "pip install 'rubrica[embedding]'"),
        ("bertscore", "bert_score", "pip install 'rubrica[bertscore]'"),
    ],
)
def test_a_missing_package_is_named_with_its_installation(name: str, package: str, install: str) -> None:
    """These packages are not part of the development environment: they bring a gigabyte of others."""
    said = refusal(name)
    assert f"{package}, which is not installed [not_installed]" in said
    assert install in said


def test_missing_weights_are_named_with_where_they_were_looked_for_and_how_to_get_them(empty_cache: Path) -> None:
    """A model of the Hub that is not in its cache."""
    with pytest.raises(InputError) as caught:
        weights.model_folder("bertscore", "roberta-large", "hf download roberta-large")
    said = str(caught.value)
    assert (
        f"weights of roberta-large for bertscore are not on this machine; looked in {empty_cache} [no_weights]" in said
    )
    assert "hf download roberta-large" in said


def test_a_folder_without_weights_is_no_model(tmp_path: Path) -> None:
    """A folder is taken for a model only if weights are in it."""
    with pytest.raises(InputError, match=r"no weights of a model.*safetensors.*no_weights"):
        weights.model_folder("bertscore", str(tmp_path), "")
    (tmp_path / "model.safetensors").write_bytes(b"weights")
    assert weights.model_folder("bertscore", str(tmp_path), "") == tmp_path


def test_a_model_of_the_hub_is_found_in_its_cache(empty_cache: Path) -> None:
    """By the layout of that cache: refs/main names a folder in snapshots."""
    kept = empty_cache / "models--owner--name"
    snapshot = kept / "snapshots" / "abc123"
    snapshot.mkdir(parents=True)
    (snapshot / "model.safetensors").write_bytes(b"weights")
    assert weights.hub_folder("owner/name") is None
    (kept / "refs").mkdir()
    (kept / "refs" / "main").write_text("abc123")
    assert weights.model_folder("bertscore", "owner/name", "") == snapshot
    # printf weights | sha256sum
    assert weights.fingerprint(snapshot) == "9a129038d9a0"


def test_the_cache_is_where_the_hub_keeps_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """The variables that its library documents, in its order."""
    monkeypatch.delenv("HF_HUB_CACHE")
    monkeypatch.delenv("HUGGINGFACE_HUB_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", "/x")
    monkeypatch.delenv("HF_HOME", raising=False)
    assert weights.hub_cache() == Path("/x/huggingface/hub")
    monkeypatch.setenv("HF_HOME", "/models")
    assert weights.hub_cache() == Path("/models/hub")


def test_lens_needs_a_python_of_its_own(tmp_path: Path, bare: Path) -> None:
    """None named, one that is not there, one that has no LENS: each is said, with how such an environment is made."""
    assert "[lens_python]" in (said := refusal("lens"))
    assert "pip install lens-metric" in said
    assert "cannot be started: No such file or directory" in refusal("lens", lens_python=str(tmp_path / "none"))
    said = refusal("lens_salsa", lens_python=str(bare))
    assert f"lens-metric, which {bare} does not have: No module named 'lens' [not_installed]" in said


def test_lens_without_weights_says_where_it_looked(having_lens: Path, empty_cache: Path, tmp_path: Path) -> None:
    """And gives the command that gets them, with the right Python."""
    said = refusal("lens_salsa", lens_python=str(having_lens))
    assert (
        f"weights of davidheineman/lens-salsa for lens_salsa are not on this machine; looked in {empty_cache}" in said
    )
    assert f"{having_lens} -c \"from lens import download_model; download_model('davidheineman/lens-salsa')\"" in said
    said = refusal("lens", lens_python=str(having_lens), models={"lens": str(tmp_path / "no.ckpt")})
    assert str(tmp_path / "no.ckpt") in said


@pytest.fixture
def checkpoint(tmp_path: Path) -> Path:
    """A file where the weights would be."""
    path = tmp_path / "model.ckpt"
    path.write_text("weights")
    return path


def test_lens_scores_come_back_from_the_other_python(
    having_lens: Path, checkpoint: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In order, over several questions, though the package prints; a sentence without references has no score."""
    monkeypatch.setenv("RUBRICA_LENS_PYTHON", str(having_lens))
    many = AT_ONCE + 5
    block = Block(
        0,
        ["a source\nin two lines"] * many,
        [["four", "é" * (5 + index)] if index else [] for index in range(many)],
        {"a": ["r" * index for index in range(many)]},
    )
    lens = made("lens", models={"lens": str(checkpoint)})
    expected = [np.nan] + [5 + index + index / 100 for index in range(1, many)]
    rows = lens.statistics(block, "a")
    np.testing.assert_allclose(lens.sentence_scores(rows).ravel(), expected)
    np.testing.assert_allclose(lens.scores(rows.sum(axis=0)), [np.mean(expected[1:])])
    assert lens.settings()["weights"] == "9a129038d9a0"

    salsa = made("lens_salsa", models={"lens_salsa": str(checkpoint)})
    np.testing.assert_allclose(salsa.sentence_scores(salsa.statistics(block, "a")).ravel(), range(many))


def test_what_goes_wrong_in_the_other_python_is_said(having_lens: Path, tmp_path: Path) -> None:
    """An encoder whose weights are missing, and a crash: its last words."""
    path = tmp_path / "model.ckpt"
    path.write_text("no encoder")
    block = Block(0, ["s"], [["r"]], {"a": ["crash"]})
    options = {"lens_python": str(having_lens), "models": {"lens": str(path)}}
    with pytest.raises(InputError, match=r"roberta-large \[no_weights\]"):
        made("lens", **options).statistics(block, "a")
    path.write_text("weights")
    with pytest.raises(InputError, match=r"exit code 1: ValueError: a text that I cannot stand \[lens_failed\]"):
        made("lens", **options).statistics(block, "a")


@pytest.fixture
def texts(tmp_path: Path) -> list[str]:
    """The options that name two sources, their rewrites and their references."""
    written = {"source": "The vote was postponed.\nRain fell.\n", "rewrite": "They will vote later.\nIt rained.\n"}
    written["references"] = "The vote comes later.\nIt rained a bit.\n"
    for name, text in written.items():
        (tmp_path / f"{name}.txt").write_text(text, encoding="utf-8")
    return [word for name in written for word in (f"--{name}", str(tmp_path / f"{name}.txt"))]


def test_score_says_everything_that_is_missing_at_once(
    rubrica: Callable[..., Ran], texts: list[str], tmp_path: Path
) -> None:
    """Before anything is scored or written; models are refused for metrics that have none."""
    out = tmp_path / "sentences.csv"
    ran = rubrica("score", *texts, "--metrics", "bertscore,embedding_similarity,lens", "--per-sentence", out, "--json")
    assert ran.code == 1
    assert [one["rule"] for one in ran.json["errors"]] == ["not_installed", "not_installed", "lens_python"]
    assert "Traceback" not in ran.err
    assert not out.exists()
    ran = rubrica("score", *texts, "--metrics", "sari", "--model", "sari=large")
    assert ran.code == 1
    assert "a model is given for 'sari', which has none [model]" in ran.err


def test_score_shows_lens_like_any_other_metric(
    rubrica: Callable[..., Ran], texts: list[str], having_lens: Path, checkpoint: Path
) -> None:
    """With its place in the table of figures, and its weights in the signature."""
    where = ("--lens-python", having_lens, "--model", f"lens={checkpoint}")
    found = rubrica("score", *texts, "--metrics", "lens,sari", *where, "--bootstrap", "20", "--json").json
    # The longest references have 21 and 16 characters, the rewrites 21 and 10.
    assert found["systems"]["rewrite"]["lens"] == pytest.approx((21.21 + 16.10) / 2)
    assert "lens:weights=9a129038d9a0,package=lens-metric unknown" in found["signature"]
