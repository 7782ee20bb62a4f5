"""What every part of a protocol file has in common: its keys are all listed."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Model(BaseModel):
    """Strict, closed: a key that is not listed is an error."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)
