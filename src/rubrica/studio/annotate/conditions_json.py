"""Conditions on answers as the page's script reads them (``data-when``)."""

from __future__ import annotations

import json
from typing import Any

from rubrica.core.conditions import AllOf, Answered, AnswerIncludes, AnswerIs, AnyOf, Condition, Not, OperationIs


def condition_data(condition: Condition) -> dict[str, Any]:
    """The condition as plain data: tests of answers, and of an edit's operation; the loader keeps others out."""
    match condition:
        case AnswerIs(question, values):
            return {"question": question, "is": [list(v) if isinstance(v, tuple) else v for v in values]}
        case AnswerIncludes(question, options):
            return {"question": question, "includes": list(options)}
        case Answered(question):
            return {"question": question, "answered": True}
        case OperationIs(operations):
            return {"operation": list(operations)}
        case AllOf(parts):
            return {"all": [condition_data(part) for part in parts]}
        case AnyOf(parts):
            return {"any": [condition_data(part) for part in parts]}
        case Not(part):
            return {"not": condition_data(part)}
    raise TypeError(f"{type(condition).__name__} does not depend on answers and operation alone")


def condition_json(condition: Condition | None) -> str:
    """The same as JSON; nothing for no condition."""
    return json.dumps(condition_data(condition), ensure_ascii=False) if condition is not None else ""
