"""Running a function over blocks: in order, few at a time, the same everywhere, and on again after a kill."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from itertools import count, islice
from pathlib import Path

import pytest

from rubrica.core.errors import InputError
from rubrica.engine import run
from tests.dask_cluster import dask_cluster
from tests.engine_work import blocks, dying, dying_once, noting, process, refusing, resumed, total

ROOT = Path(__file__).parents[1]
EXPECTED = [sum(block) for block in blocks(30)]


@pytest.fixture
def address() -> Iterator[str]:
    """A real dask scheduler with two worker processes."""
    with dask_cluster() as address:
        yield address


def test_this_process_gives_results_in_order() -> None:
    """One worker is this process itself."""
    assert list(run(total, blocks(30))) == EXPECTED
    assert next(run(process, blocks(1)))[0] == os.getpid()


def test_several_processes_give_the_same_in_the_same_order() -> None:
    """Blocks finished before their turn wait for it, but count as progress at once."""
    told: list[int] = []
    assert list(run(total, blocks(30), workers=2, progress=told.append, size=len)) == EXPECTED
    assert told == list(range(10, 310, 10))


def test_blocks_are_made_when_there_is_room_for_them() -> None:
    """An endless corpus can be read as far as one likes: three blocks a worker are in memory, no more.

    The workers are other processes, with one thread for numerical libraries in each.
    """
    made: list[int] = []

    def endless() -> Iterator[list[int]]:
        for number in count():
            made.append(number)
            yield [number]

    with closing(run(process, endless(), workers=2)) as results:
        found = list(islice(results, 5))
    assert len(made) <= 4 + 2 * 3
    assert os.getpid() not in {pid for pid, _ in found}
    assert {threads for _, threads in found} == {"1"}
    made.clear()
    with closing(run(total, endless())) as results:
        assert next(results) == 0
    assert made == [0]


@pytest.mark.parametrize("workers", [1, 2])
def test_what_the_function_raises_comes_in_its_turn(workers: int) -> None:
    """Results of earlier blocks come first, and the error keeps all of its parts on its way between processes."""
    results = run(partial(refusing, what=33), blocks(10), workers=workers)
    assert list(islice(results, 3)) == EXPECTED[:3]
    with pytest.raises(InputError, match="33 is not liked") as caught:
        next(results)
    assert caught.value.problems[0].value == 33


def test_a_worker_that_is_killed_is_said_and_finished_blocks_are_kept(tmp_path: Path) -> None:
    """As when memory runs out; the next run takes what was finished and does the rest."""
    notes, folder = tmp_path / "notes", tmp_path / "resume" / "digest"
    resume = resumed(tmp_path / "resume")
    with pytest.raises(InputError, match=r"killed.*worker_died.*fewer than 2 workers"):
        list(run(partial(dying, what=35, kept=folder), blocks(8), workers=2, resume=resume))
    kept = {int(path.stem) for path in folder.glob("*.done")}
    assert kept >= {0, 1, 2}
    assert list(run(partial(noting, notes=notes), blocks(8), resume=resume)) == EXPECTED[:8]
    done_again = {int(line.split()[0]) // 10 for line in notes.read_text().splitlines()}
    assert done_again == set(range(8)) - kept
    assert not folder.exists()


def started(folder: Path, stuck: int = 1000) -> subprocess.Popen[str]:
    """A run in a process of its own, in a group of its own, as a shell would start it."""
    return subprocess.Popen(
        [sys.executable, "-m", "tests.engine_work", str(folder / "kept"), str(folder / "notes"), str(stuck)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def until(true: Callable[[], bool]) -> None:
    """Wait until something is true, at most a minute."""
    for _ in range(6000):
        if true():
            return
        time.sleep(0.01)
    raise AssertionError("it did not become true")


def noted(folder: Path) -> list[tuple[int, int]]:
    """The blocks worked on so far, each with the process that did it."""
    notes = folder / "notes"
    lines = notes.read_text().splitlines() if notes.exists() else []
    return [(int(block) // 10, int(pid)) for block, pid in (line.split() for line in lines)]


def lives(pid: int) -> bool:
    """Whether there is such a process, other than one that has ended and waits for its parent to notice."""
    try:
        return "\nState:\tZ" not in Path(f"/proc/{pid}/status").read_text()
    except FileNotFoundError:
        return False


def test_a_killed_run_goes_on_where_it_stopped(tmp_path: Path) -> None:
    """After kill -9 no process is left, no finished block is done again, and half-written results are not taken."""
    folder = tmp_path / "kept" / "digest"
    killed = started(tmp_path, stuck=60)
    until(lambda: len(list(folder.glob("*.done"))) == 6)
    killed.kill()
    killed.communicate()
    until(lambda: not any(lives(pid) for _, pid in noted(tmp_path)))
    kept = sorted(int(path.stem) for path in folder.glob("*.done"))
    assert kept == list(range(6))
    (folder / f"{kept[-1]:08}.done").write_bytes(b"half of a res")
    (folder / "00000011.part").write_bytes(b"half of a res")
    before = len(noted(tmp_path))
    output, _ = started(tmp_path).communicate()
    assert [int(line) for line in output.split()] == EXPECTED[:12]
    again = sorted(block for block, _ in noted(tmp_path)[before:])
    assert again == sorted(set(range(12)) - set(kept[:-1]))
    assert not folder.exists()


def test_ctrl_c_ends_every_process_at_once(tmp_path: Path) -> None:
    """The terminal sends it to all of them; one alone says so, and finished blocks are kept."""
    process = started(tmp_path, stuck=0)
    until(lambda: len(noted(tmp_path)) == 2)
    os.killpg(process.pid, signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == -signal.SIGINT
    assert errors.count("Traceback") == 1
    assert not any(lives(pid) for _, pid in noted(tmp_path))


def test_two_runs_of_the_same_work_do_not_meet(tmp_path: Path) -> None:
    """The second one is refused while the first is on, and may go on after it."""
    resume = resumed(tmp_path)
    with closing(run(total, blocks(3), resume=resume)) as first:
        assert next(first) == EXPECTED[0]
        with pytest.raises(InputError, match=r"another process.*in_use"):
            next(run(total, blocks(3), resume=resume))
    assert list(run(total, blocks(3), resume=resume)) == EXPECTED[:3]


def test_a_block_that_changed_is_done_again(tmp_path: Path) -> None:
    """What is kept belongs to the block as it was."""
    from attrs import evolve

    resume = evolve(resumed(tmp_path), same=lambda block: str(block).encode())
    with closing(run(total, [[1], [2], [3]], resume=resume)) as results:
        assert list(islice(results, 2)) == [1, 2]
    assert list(run(total, [[1], [20], [3]], resume=resume)) == [1, 20, 3]


def test_a_folder_that_cannot_be_used_is_said(tmp_path: Path) -> None:
    """Here a file stands where the folder should be."""
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match="not_writable"):
        next(run(total, blocks(3), resume=resumed(tmp_path / "file")))


def test_no_scheduler_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the address, and how one is started."""
    monkeypatch.setattr("rubrica.engine.cluster.CONNECT", 0.2)
    with pytest.raises(InputError, match=r"no dask scheduler answers at tcp://127.0.0.1:9.*dask scheduler"):
        next(run(total, blocks(3), cluster="tcp://127.0.0.1:9"))


def test_a_cluster_gives_the_same(address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Results in order, errors in their turn; other versions are refused; what a dead worker had, another does.

    One test, so that the cluster is started once though tests run side by side.
    """
    assert list(run(total, blocks(30), cluster=address)) == EXPECTED

    results = run(partial(refusing, what=33), blocks(10), cluster=address)
    assert list(islice(results, 3)) == EXPECTED[:3]
    with pytest.raises(InputError, match="33 is not liked"):
        next(results)

    with monkeypatch.context() as patch:
        patch.setattr("rubrica.engine.cluster.__version__", "99.0")
        with pytest.raises(InputError, match=r"another Rubrica.*rubrica==99.0"):
            next(run(total, blocks(3), cluster=address))

    assert list(run(partial(dying_once, what=15, marks=tmp_path), blocks(5), cluster=address)) == EXPECTED[:5]
    assert (tmp_path / "died").exists()
