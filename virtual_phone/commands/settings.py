"""``settings``."""

from collections.abc import Sequence

from virtual_phone.shell.call import Program, ProgramReply, answering, thrown
from virtual_phone.state import PhoneState
from virtual_phone.state.settings import NAMESPACES, InvalidSettingError

_USAGE = """Settings provider (settings) commands:
  help
      Print this help text.
  get [--user <USER_ID> | current] NAMESPACE KEY
      Retrieve the current value of KEY.
  put [--user <USER_ID> | current] NAMESPACE KEY VALUE [TAG] [default] [overrideableByRestore]
      Change the contents of KEY to VALUE.
  delete [--user <USER_ID> | current] NAMESPACE KEY
      Delete the entry for KEY.
  list [--user <USER_ID> | current] NAMESPACE
      Print all defined keys.
      NAMESPACE is one of {system, secure, global}.  NOTE: does not print aliases for secure or system.
"""


def _without_user(args: Sequence[str]) -> list[str]:
    words = list(args)
    while "--user" in words:
        at = words.index("--user")
        del words[at : at + 2]
    return words


def settings(state: PhoneState, args: Sequence[str]) -> ProgramReply:
    """``get``, ``put``, ``delete`` and ``list``; a refused value exits 255 as the provider's exception does."""
    words = _without_user(args)
    if len(words) < 2 or words[1] not in NAMESPACES:
        return (
            ProgramReply(_USAGE)
            if words[:1] in ([], ["help"])
            else ProgramReply(stderr="Bad arguments\n" + _USAGE, status=255)
        )
    verb, namespace, rest = words[0], words[1], words[2:]
    if verb == "list":
        return ProgramReply("".join(f"{key}={value}\n" for key, value in state.settings.listed(namespace)))
    if verb == "get" and rest:
        value = state.settings.get(namespace, rest[0])
        return ProgramReply(f"{'null' if value is None else value}\n")
    if verb == "put" and len(rest) > 1:
        return _put(state, namespace, rest[0], rest[1])
    if verb == "delete" and rest:
        return ProgramReply(f"Deleted {state.settings.delete(namespace, rest[0])} rows\n")
    return ProgramReply(stderr="Bad arguments\n" + _USAGE, status=255)


def _put(state: PhoneState, namespace: str, key: str, value: str) -> ProgramReply:
    try:
        state.settings.put(namespace, key, value)
    except InvalidSettingError as error:
        return thrown("put", f"java.lang.IllegalArgumentException: {error}")
    return ProgramReply()


PROGRAMS: dict[str, Program] = {"settings": answering(settings)}
