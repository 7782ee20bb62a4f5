"""The same fifty people in Potato (potato-annotation from PyPI, in an environment of its own): saves per second."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks.potato_people import register
from benchmarks.report import Figure
from benchmarks.studio import ITEMS, OVERLAP, PEOPLE, SECONDS, told, warm_up
from benchmarks.studio_load import ANSWERS, prepare, put_load
from benchmarks.studio_server import Server, free_port, running, studio

CACHE = Path(__file__).parent / ".cache" / "potato"
CONFIG = {
    "annotation_task_name": "load",
    "task_dir": ".",
    "data_files": ["items.jsonl"],
    "item_properties": {"id_key": "id", "text_key": "text"},
    "output_annotation_dir": "out/",
    "output_annotation_format": "jsonl",
    "max_annotations_per_item": OVERLAP,
    "max_annotations_per_user": 1000,
    "user_config": {"allow_all_users": True, "users": []},
    "authentication": {"method": "in_memory"},
    "require_password": True,
    "annotation_schemes": [
        {"annotation_type": "radio", "name": name, "description": name, "labels": [str(answer), "other"]}
        for name, answer in ANSWERS.items()
    ],
}


def run() -> Iterator[Figure]:
    """Potato, then the studio on SQLite, with the same people."""
    problem = install()
    if problem:
        print(f"  left out: {problem}")
        return
    with tempfile.TemporaryDirectory() as folder:
        port = free_port()
        with running(_start(Path(folder), port)) as server:
            cookies = [register(port, f"simulated-{number}") for number in range(PEOPLE)]
            warm_up(server, cookies, "potato")
            theirs = put_load(port, cookies, SECONDS, "potato")
        home = Path(folder) / "home"
        tokens = prepare(home, "", PEOPLE, ITEMS, OVERLAP)
        with running(studio(home, port)) as server:
            warm_up(server, tokens, "annotate")
            ours = put_load(port, tokens, SECONDS, "annotate")
    failed = f"; {len(theirs.failures)} failed: {theirs.failures[0]}" if theirs.failures else ""
    yield Figure(f"Potato {version()}, {PEOPLE} people", theirs.per_second, "saves/s", detail=told(theirs) + failed)
    yield Figure(f"the studio, {PEOPLE} people", ours.per_second, "saves/s", detail=told(ours))
    yield Figure("the studio against Potato", ours.per_second / theirs.per_second, "x", 3.0, at_least=True)


def install() -> str:
    """Why Potato cannot be had; nothing when it is there."""
    if (CACHE / "bin" / "potato").exists():
        return ""
    shutil.rmtree(CACHE, ignore_errors=True)
    for command in (
        [sys.executable, "-m", "venv", str(CACHE)],
        [str(CACHE / "bin" / "python"), "-m", "pip", "install", "--quiet", "potato-annotation"],
    ):
        done = subprocess.run(command, check=False, capture_output=True, text=True)
        if done.returncode:
            shutil.rmtree(CACHE, ignore_errors=True)
            return f"potato-annotation cannot be installed: {done.stderr.strip().splitlines()[-1:]}"
    return ""


def version() -> str:
    """The version that is installed."""
    code = "from importlib.metadata import version; print(version('potato-annotation'))"
    return subprocess.run(
        [str(CACHE / "bin" / "python"), "-c", code], check=True, capture_output=True, text=True
    ).stdout.strip()


def _start(folder: Path, port: int) -> Server:
    texts = (f"The {number} old gates stay shut. / Gate {number} is shut." for number in range(ITEMS))
    lines = [json.dumps({"id": str(number), "text": text}) for number, text in enumerate(texts)]
    (folder / "items.jsonl").write_text("\n".join(lines))
    # JSON is YAML.
    (folder / "config.yaml").write_text(json.dumps(CONFIG))
    code = "import os, sys; os.chdir(sys.argv.pop(1)); from potato.flask_server import main; main()"
    command = [str(CACHE / "bin" / "python"), "-c", code, str(folder), "start", "config.yaml", "-p", str(port)]
    return Server(command, port, {}, folder / "potato.log")
