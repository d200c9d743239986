"""The verbs of a system service's shell command, from its help.

A verb that is missing may be answered without a word and with status 0 (``cmd audio``), so it is looked up before it is
used. The help lists what the shell may use: ``cmd wifi help`` leaves out what only root may
(``WifiShellCommand.onHelp``).
"""

import re

from android_bridge.facts.reader import Reader
from android_bridge.facts.text import missing, parser
from heed.messages import msg

_VERB = re.compile(r"^  ([a-z][a-z0-9-]*)\b", re.MULTILINE | re.ASCII)
_HELP_REFUSED = "does not have access to help"
_NO_COMMANDS = ("No shell command implementation", "Can't find service")


@parser(msg("The verbs of a service"))
def parse_verbs(text: str) -> frozenset[str] | None:
    """Parses ``cmd SERVICE help``: a verb per line, indented by two spaces, each explained in deeper lines.

    Returns None where the shell may not ask for the help (the Wi-Fi service of Android 11).
    """
    if _HELP_REFUSED in text:
        return None
    verbs = frozenset(_VERB.findall(text))
    if not verbs and not any(words in text for words in _NO_COMMANDS):
        raise missing(msg("verb"))
    return verbs


def has_verb(service: str, verb: str) -> Reader[bool]:
    """Returns the reader of whether a service has a verb that the shell may use; True where its help is refused."""

    def parse(text: str) -> bool:
        verbs = parse_verbs(text)
        return verbs is None or verb in verbs

    return Reader(f"verb.{service}.{verb}", f"cmd {service} help", parse, verified=False)
