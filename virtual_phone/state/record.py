"""Plain data of the phone's state, on which every domain builds."""

from pydantic import BaseModel, ConfigDict


class StateRecord(BaseModel):
    """One row of a domain: plain data, checked on assignment."""

    model_config = ConfigDict(validate_assignment=True, extra="forbid")


class ChatLine(StateRecord):
    """One message of a conversation notification; ``time`` in milliseconds since 1970."""

    sender: str
    text: str
    time: int
