"""The API against its own description: whatever a request holds, the answer is one that openapi.json promises."""

from __future__ import annotations

from typing import Any

import pytest
import schemathesis
from django.core.wsgi import get_wsgi_application
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from rubrica.exchange.exports import Wanted
from tests.length import either
from tests.studio.conftest import NOW

CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
RUIN = {("DELETE", "/studies/{study}"), ("POST", "/studies/{study}/transfer"), ("DELETE", "/tokens/{token}")}
"""What would leave nothing to test for those that come after: sent with ids that do not exist."""


@pytest.fixture
def known(study: Any, link: Any, people: dict[str, Any]) -> dict[str, str]:
    """Ids that exist, by the name of the parameter, and the token of the owner."""
    from rubrica.core.study import Judgement
    from rubrica.metrics.metric import Figure
    from rubrica.store.adjudication import flags
    from rubrica.store.allocation import leases
    from rubrica.store.jobs import exporting
    from rubrica.store.metric_annotators import register
    from rubrica.store.people import tokens
    from rubrica.store.people.invitations import token
    from rubrica.store.recording import judgements

    work = leases.take(link.annotator, study.stages.get(), NOW).leases
    judgements.submit([judgements.Said(work[0], "first-key", Judgement({}, (), "uncomfortable"))], NOW)
    return {
        "study": study.pid,
        "item": work[1].item.pid,
        "annotator": link.annotator.pid,
        "invitation": link.pid,
        "judgement": study.stages.get().judgements.get().pid,
        "flag": flags.flag(work[1], "broken", NOW).pid,
        "stage": "rate",
        "protocol": "breve",
        "name": "viewer",
        "lease": work[1].pid,
        "metric": register(study, Figure("bleu", "BLEU"), "metric:bleu", {"p1": 1.0}, NOW).name,
        "export": exporting.ask(study, Wanted(form="csv"), "owner", NOW).pid,
        "owner": tokens.make(people["owner"], "schema", NOW).token,
        "link": token(link),
    }


def test_every_answer_is_as_described(known: dict[str, str]) -> None:
    """No request, however odd, breaks an endpoint or gets an answer that its description does not have."""
    schema = schemathesis.openapi.from_wsgi("/api/v1/openapi.json", get_wsgi_application())
    tried = 0
    for found in schema.get_all_operations():
        operation = found.ok()
        tried += 1
        for mode in GenerationMode:
            _try(operation, mode, known)
    assert tried > 60


def _try(operation: Any, mode: GenerationMode, known: dict[str, str]) -> None:
    """A few requests that fit the description (positive) or break it (negative)."""

    @settings(
        max_examples=either(2, 10),
        derandomize=True,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
        database=None,
    )
    @given(operation.as_strategy(generation_mode=mode))
    def one(case: Any) -> None:
        place = (operation.method.upper(), operation.path.removeprefix("/api/v1"))
        if place not in RUIN and case.path_parameters:
            case.path_parameters = {name: known.get(name, value) for name, value in case.path_parameters.items()}
        token = known["link"] if place[1].startswith("/work") else known["owner"]
        case.call_and_validate(headers={"Authorization": f"Bearer {token}"}, checks=CHECKS)

    try:
        one()
    except Unsatisfiable:
        assert mode is GenerationMode.NEGATIVE, operation.label
