"""Run a function over a corpus: in this process, in several, or on many machines with dask.

A corpus is an iterator of blocks. Whatever the place, the results are the same and come in the order of the blocks,
only a few blocks are in memory at a time, and with :class:`Resume` a run that was killed goes on where it stopped.
"""

from rubrica.engine.resume import Resume
from rubrica.engine.running import run

__all__ = ["Resume", "run"]
