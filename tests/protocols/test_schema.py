"""The schema: closed, strict, and able to say what it is."""

import inspect

import pytest
from pydantic import ValidationError

from rubrica.protocols import schema

MODELS = [kind for _, kind in inspect.getmembers(schema, inspect.isclass) if issubclass(kind, schema.Model)]


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.__name__)
def test_every_mapping_is_closed(model: type[schema.Model]) -> None:
    """No part of a protocol file takes a key that is not listed."""
    with pytest.raises(ValidationError) as caught:
        model.model_validate({"nobody_knows_this": 1})
    assert "extra_forbidden" in [error["type"] for error in caught.value.errors(include_context=False)]


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.__name__)
def test_every_part_is_explained(model: type[schema.Model]) -> None:
    """Each part has a sentence for the reference."""
    assert (model.__doc__ or "").strip().endswith(".")


def test_numbers_are_not_read_from_texts() -> None:
    """Strict: a number in quotes is a text, and is refused where a number is meant."""
    with pytest.raises(ValidationError):
        schema.PointFile.model_validate({"value": "1", "label": "x"})
    assert schema.PointFile.model_validate({"value": 1, "label": "x"}).value == 1


def test_the_json_schema_names_every_key_as_it_is_written() -> None:
    """The reference shows `if`, `is` and `not`, not the names that Python needs."""
    text = str(schema.ProtocolFile.model_json_schema(by_alias=True))
    assert all(f"'{key}': {{" in text for key in ("if", "is", "not"))
    assert "is_'" not in text
