"""What a new study is made of: checked, with the settings and stages that follow from it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from typing import Any, NamedTuple

import attrs

from rubrica.core.answers import Answers
from rubrica.core.assignment import overlap_problems
from rubrica.core.course import rounds
from rubrica.core.eligibility import team_problems, writes
from rubrica.core.errors import Problem
from rubrica.core.handed_on import pairing_problems
from rubrica.core.names import study_name_problems
from rubrica.core.protocol import Protocol
from rubrica.core.stage_settings import fitting_settings, setting_problems, unknown_stages, with_audience
from rubrica.core.study import Item, systems_named
from rubrica.core.target_words import context_field
from rubrica.exchange.study_options import Options, checked
from rubrica.prepare.word_review import is_picked
from rubrica.protocols.loader import Loaded


class PlannedStage(NamedTuple):
    """A stage of a new study: what it asks, and the columns of its row."""

    loaded: Loaded
    columns: dict[str, Any]


@attrs.frozen(kw_only=True)
class Plan:
    """What a new study is made of.

    ``then`` is a second protocol, whose stages judge what people write by the first; ``hand_on`` says when they get it.
    """

    name: str
    loaded: Loaded
    title: str = ""
    state: str = "open"
    items: Sequence[Item] = ()
    overlap: Mapping[str, int] = attrs.field(factory=dict)
    settings: Mapping[str, str] = attrs.field(factory=dict)
    about: Mapping[str, str] = attrs.field(factory=dict)
    required: Mapping[str, Any] = attrs.field(factory=dict)
    seed: int = 0
    duplicates: float | None = None
    gold: Sequence[tuple[Item, Answers]] = ()
    teams: Mapping[str, Sequence[str]] = attrs.field(factory=dict)
    then: Loaded | None = None
    hand_on: str = "settled"

    @property
    def protocol(self) -> Protocol:
        """The protocol, the first of two."""
        return self.loaded.protocol

    def problems(self) -> list[Problem]:
        """Everything that is wrong with it, but for what other studies have."""
        found = study_name_problems(self.name)
        if self.then is not None:
            found += pairing_problems(self.protocol, self.then.protocol)
        asked = [self.protocol] if self.then is None or found else [self.protocol, self.then.protocol]
        found += setting_problems(asked, self.settings) + unknown_stages(asked, self.overlap)
        found += overlap_problems(self.overlap)
        return found + team_problems(self.teams, {name for item in self.items for name in systems_named(item.system)})

    def options(self) -> Options:
        """The settings of the study. Raises InputError with every problem."""
        # A course that ends with rounds on whole items is meant to be passed before the work.
        steps = {"qualification": bool(rounds(self.protocol.course))}
        return checked(
            {
                "duplicates": self.protocol.duplicates if self.duplicates is None else self.duplicates,
                "about": {key: text.strip() for key, text in self.about.items()},
                "steps": steps,
                "hand_on": self.hand_on,
                "profile": {"required": self.required},
                "targets_placed": bool(context_field(self.protocol)),
                "teams": {system: list(names) for system, names in self.teams.items()},
            }
        )

    def stages(self, audience: str) -> Iterator[PlannedStage]:
        """The stages of the protocol, then those of the one that judges what is written at them.

        Words that a program picked are looked at before anybody is asked: such a study is a draft until it is launched.
        """
        comparing = len({item.system for item in self.items if item.system}) > 1
        state = "draft" if any(is_picked(item.metadata) for item in self.items) else self.state
        place = count()
        takes = ""
        for loaded in filter(None, (self.loaded, self.then)):
            protocol = loaded.protocol
            settings = with_audience(protocol, fitting_settings(protocol, self.settings), audience)
            for stage in protocol.stages:
                columns = {"position": next(place), "key": stage.id, "settings": settings}
                columns["overlap"] = self.overlap.get(stage.id, stage.usual_overlap(comparing=comparing))
                yield PlannedStage(loaded, {**columns, "state": state, "takes": takes})
            takes = next((stage.id for stage in protocol.stages if writes(stage, protocol)), "")
