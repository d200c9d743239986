"""The base of everything that flows between the rooms."""

from pydantic import BaseModel, ConfigDict


class Frozen(BaseModel):
    """An immutable value that rejects unknown fields: data flows one way and is never edited in place."""

    model_config = ConfigDict(frozen=True, extra="forbid")
