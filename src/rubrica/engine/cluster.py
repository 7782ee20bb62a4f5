"""Many machines, through a dask scheduler that already runs: https://distributed.dask.org."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from concurrent.futures import CancelledError
from time import monotonic
from typing import Any
from uuid import uuid4

from rubrica import __version__
from rubrica.core.errors import InputError, wrong
from rubrica.engine.place import AHEAD, Function, Outcome, Place, call

CONNECT = 10.0
"""Seconds within which a scheduler must answer, and have a worker."""
LOOK = 2.0
"""Seconds between two looks at the workers that are there."""
WITHOUT_WORKERS = 60.0
"""Seconds without any worker after which a run gives up; machines may be replaced meanwhile."""
LOG = logging.getLogger("distributed.client")
"""Prints tracebacks when a scheduler goes away, which is said in a line of ours."""
INSTALL = "Install it: pip install 'rubrica[cluster]'."


class Cluster(Place):
    """The workers of a scheduler. Each needs Rubrica of this version; one thread each is best."""

    def __init__(self, function: Function, address: str) -> None:
        try:
            import distributed
        except ImportError as error:
            raise wrong("dask is not installed", "not_installed", INSTALL, value=error.name) from error
        self._dask: Any = distributed
        self._address = address
        self._packed = self._dask.protocol.pickle.dumps(function)
        self._run = uuid4().hex
        self._numbers: dict[Any, int] = {}
        self._client = _connected(self._dask, address)
        self._log_level = LOG.level
        LOG.setLevel(logging.CRITICAL)
        self._looked = self._seen = monotonic()
        try:
            self._threads = _checked_threads(self._client, address)
        except BaseException:
            self.close(quickly=True)
            raise

    def room(self) -> int:
        return max(1, self._threads) * AHEAD

    def put(self, number: int, block: Any) -> None:
        if self._client.status == "closed":
            raise _lost(self._address)
        task = _Task(__version__, self._packed, block)
        # The block is inside the task: dask would search an argument for its own keys.
        future = self._client.submit(task, key=f"rubrica-{self._run}-{number}", pure=False)
        self._numbers[future] = number

    def finished(self) -> Iterator[Outcome]:
        for future in self._done():
            number = self._numbers.pop(future)
            yield self._outcome(number, future)
            future.release()

    def _done(self) -> list[Any]:
        """Those that are finished, once there are any; meanwhile it looks whether anybody is still there."""
        while True:
            found = [future for future in self._numbers if future.status != "pending"]
            if found:
                return found
            self._look()
            try:
                with self._client.as_current():
                    self._dask.wait(list(self._numbers), timeout=LOOK, return_when="FIRST_COMPLETED")
            except (TimeoutError, CancelledError):
                continue  # those that are cancelled have a status that says so

    def _look(self) -> None:
        """How many threads there are now: workers come and go."""
        if monotonic() - self._looked < LOOK:
            return
        self._looked = monotonic()
        try:
            self._threads = sum(self._client.nthreads().values())
        except OSError as error:
            raise _lost(self._address) from error
        if self._threads:
            self._seen = self._looked
        elif self._looked - self._seen > WITHOUT_WORKERS:
            raise _without_workers(self._address)

    def _outcome(self, number: int, future: Any) -> Outcome:
        try:
            error = future.exception()
            if error is None:
                return Outcome(number, future.result())
        except (CancelledError, OSError):
            return Outcome(number, error=_lost(self._address))
        if isinstance(error, self._dask.KilledWorker):
            what = f"several workers in turn died on the same block; the last was {error.last_worker.address}"
            fix = "Give the workers more memory; their logs may say more."
            error = wrong(what, "worker_died", fix, value=self._address)
        return Outcome(number, error=error)

    def close(self, *, quickly: bool) -> None:
        try:
            if quickly and self._client.status == "running":
                self._client.cancel(list(self._numbers))
        finally:
            self._client.close(timeout=LOOK)
            LOG.setLevel(self._log_level)


class _Task:
    """A block with what is to be done with it; checks where it is done, since workers may join at any time."""

    def __init__(self, version: str, packed: bytes, block: Any) -> None:
        self.version, self.packed, self.block = version, packed, block

    def __call__(self) -> Any:
        if self.version != __version__:
            raise _other_versions({"a worker": __version__})
        return call(self.packed, self.block)


def _connected(distributed: Any, address: str) -> Any:
    try:
        return distributed.Client(address, timeout=CONNECT, set_as_default=False, name="rubrica")
    except (OSError, ValueError) as error:
        fix = "Start one (dask scheduler) and give its address, such as tcp://127.0.0.1:8786."
        raise wrong(f"no dask scheduler answers at {address}", "no_cluster", fix, value=address) from error


def _checked_threads(client: Any, address: str) -> int:
    """How many threads the workers have. Raises InputError unless they all have this version of Rubrica."""
    try:
        client.wait_for_workers(1, timeout=CONNECT)
    except TimeoutError as error:
        raise _without_workers(address) from error

    def version_there() -> str:
        # Inside a function, so that it is sent as code: a worker may have no Rubrica to load it from.
        from importlib import import_module
        from importlib.util import find_spec

        return str(import_module("rubrica").__version__) if find_spec("rubrica") else "not installed"

    there: Mapping[str, str] = client.run(version_there)
    others = {worker: version for worker, version in there.items() if version != __version__}
    if others:
        raise _other_versions(others)
    return sum(client.nthreads().values())


def _other_versions(there: Mapping[str, str]) -> InputError:
    what = "workers have another Rubrica: " + ", ".join(f"{worker} {found}" for worker, found in there.items())
    fix = f"Install rubrica=={__version__} where the workers run."
    return wrong(what, "other_version", fix, value=sorted(set(there.values())))


def _without_workers(address: str) -> InputError:
    fix = f"Start some: dask worker {address} --nthreads 1."
    return wrong(f"the dask scheduler at {address} has no workers", "no_workers", fix, value=address)


def _lost(address: str) -> InputError:
    fix = "Start it again, then the same command."
    return wrong(f"the dask scheduler at {address} went away", "no_cluster", fix, value=address)
