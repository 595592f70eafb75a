"""Request bodies as LightRAG's models, whatever strange text is in them."""

from __future__ import annotations

import json
from typing import Any

from fastapi import HTTPException, Request
from pydantic import BaseModel, ValidationError


async def validated(request: Request, model: type[BaseModel]) -> Any:  # Any: an instance of LightRAG's untyped model
    """Return the request's body as LightRAG's model.

    Lone surrogates, which JSON can spell and no store can hold, are replaced before anything looks at them.
    """
    try:
        asked = _whole(json.loads(await request.body()))
        return model.model_validate(asked)
    except ValidationError as error:
        raise HTTPException(422, json.loads(error.json(include_input=False, include_url=False))) from error
    except (ValueError, RecursionError) as error:
        raise HTTPException(422, "the body must be JSON") from error


def _whole(value: Any) -> Any:  # Any: JSON
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    if isinstance(value, list):
        return [_whole(entry) for entry in value]
    if isinstance(value, dict):
        return {_whole(key): _whole(entry) for key, entry in value.items()}
    return value
