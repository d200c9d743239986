"""One small error hierarchy with two branches: what the person can fix, and bugs.

A ``PersonError`` carries a clear sentence and the remedy; the command line prints both and exits with
``exit_code``. Everything else that reaches the top is a bug and is reported as one, without a traceback
unless asked for.
"""

from enum import IntEnum

from heed.messages import Text, sentences


class ExitCode(IntEnum):
    """Exit codes of every ``heed`` command."""

    OK = 0
    FAILURE = 1
    USAGE = 2
    NO_DEVICE = 3
    DECLINED = 4
    INTERRUPTED = 130


class HeedError(Exception):
    """Base of every error heed raises on purpose."""

    exit_code: ExitCode = ExitCode.FAILURE


class PersonError(HeedError):
    """Something the person can fix.

    Args:
        message: what is wrong, one sentence.
        remedy: what to do about it, one sentence; may be empty when the message already says it.
    """

    def __init__(self, message: Text, remedy: Text = "") -> None:
        super().__init__(message)
        self.message = message
        self.remedy = remedy

    @property
    def text(self) -> Text:
        """Message and remedy together, as what can be translated."""
        return sentences(self.message, self.remedy)

    def __str__(self) -> str:
        return str(self.text)


class UsageError(PersonError):
    """A wrong argument, option, configuration value or file."""

    exit_code = ExitCode.USAGE


class NoDeviceError(PersonError):
    """No adb, no phone, or more than one phone to choose from."""

    exit_code = ExitCode.NO_DEVICE


class DeviceError(PersonError):
    """The phone went away, refused, or did not answer within the deadline."""


class DeviceLostError(DeviceError):
    """The connection broke while a command ran: whether it took effect is not known until the phone is asked."""


class ModelError(PersonError):
    """A model file, model process or model server that cannot be used."""


class PromptTooLongError(ModelError):
    """A prompt, with the room for its answer, that does not fit in the model's context."""


class DeclinedError(PersonError):
    """The person said no."""

    exit_code = ExitCode.DECLINED


class Bug(HeedError):
    """A broken promise inside heed: never the person's fault."""
