"""One build: who made the phone, what its services accept, and where it differs from the default."""

from enum import StrEnum
from typing import Literal

from pydantic import Field

from heed.model import Frozen


class Quirk(StrEnum):
    """A difference in behaviour that no single answer expresses; a build names the source of each that it has."""

    CLOUD_CONTACTS = "cloud_contacts"
    """New contacts belong to a cloud account: an insert with the empty account is refused."""
    DATA_OF_USER_0 = "data_of_user_0"
    """``df /data`` names ``/data/user/0``."""
    FAILED_START_EXITS_1 = "failed_start_exits_1"
    """``am start`` exits with 1 when nothing was started, and prints the missing class in full."""
    MONKEY_PRINTS_ARGUMENTS = "monkey_prints_arguments"
    """``monkey`` prints its arguments once more in the system's own words."""
    NO_STREAM_GRANT = "no_stream_grant"
    """``am start`` grants no access to a content URI in ``EXTRA_STREAM``."""
    SAVER_WHILE_CHARGING = "saver_while_charging"
    """Battery saver can be turned on while the phone is charging."""
    SHELL_DND_RULE = "shell_dnd_rule"
    """``cmd notification set_dnd`` changes only a rule of the shell, not the owner's mode."""
    SINGLE_TIMER_NOTIFICATION = "single_timer_notification"
    """All timers share one untagged notification without texts in dumps, absent while the clock app is in front."""


class CommandReply(Frozen):
    """The answer to a command that is refused; ``{verb}`` stands for the verb that was asked for."""

    stdout: str = ""
    stderr: str = ""
    exception: str = ""
    """A Java exception, printed as the services' shell commands print one; then the status is 255."""
    status: int = 0


class Refusal(Frozen):
    """Commands that the build refuses although it knows them."""

    commands: tuple[str, ...]
    """Words that the command line begins with, the service or program first: ``settings put``."""
    reply: CommandReply
    source: str = Field(min_length=1)


class ServiceVerbs(Frozen):
    """The shell commands of one system service."""

    source: str = Field(min_length=1)
    unknown: CommandReply
    """The answer to a verb that the service does not have."""
    verbs: dict[str, int]
    """Verb → API level of the first source that has it."""


class Difference(Frozen):
    """The verbs of one service that a vendor's build lacks."""

    service: str
    lacks: tuple[str, ...]
    source: str = Field(min_length=1)


class UserAccount(Frozen):
    """A user of the phone."""

    identifier: int
    name: str
    flags: str = "4c13"
    """``UserInfo.flags``, hexadecimal, as ``pm list users`` prints them."""
    open_to_shell: bool = True
    """False where the user's restriction ``no_debugging_features`` keeps adb out."""
    source: str = ""


class Sim(Frozen):
    """An active subscription."""

    subscription: int
    operator: str
    numeric: str
    """Country and network code, such as 46000."""
    country: str


class SystemAlarmClock(Frozen):
    """An alarm clock that a system app holds, not the owner."""

    package: str
    tag: str
    hour: int = Field(ge=0, le=23)
    minute: int = Field(ge=0, le=59)
    source: str = Field(min_length=1)


class SettingKey(Frozen):
    """A key of ``settings``, with the source that says so."""

    namespace: Literal["system", "secure", "global"]
    key: str
    source: str = ""


class Build(Frozen):
    """A build of Android on a model of phone. Every difference from the default build has its source beside it."""

    name: str
    description: str
    manufacturer: str = "Google"
    brand: str = "google"
    model: str = "Pixel 8"
    device: str = "shiba"
    platform: str = "zuma"
    release: str = "14"
    sdk: int = 34
    build_id: str = "UQ1A.240205.004"
    incremental: str = "11269751"
    security_patch: str = "2024-02-05"
    properties: dict[str, str] = Field(default_factory=dict)
    """System properties besides those that every build has (``properties.yaml``), or with other values."""
    services: dict[str, ServiceVerbs] | None = None
    """The services with the verbs that the build's sources have; None accepts all that the phone implements."""
    differences: tuple[Difference, ...] = ()
    refusals: tuple[Refusal, ...] = ()
    users: tuple[UserAccount, ...] = (UserAccount(identifier=0, name="Owner"),)
    sims: tuple[Sim, ...] = (Sim(subscription=1, operator="China Mobile", numeric="46000", country="cn"),)
    night_light: SettingKey = SettingKey(namespace="secure", key="night_display_activated")
    alarm_clocks: tuple[SystemAlarmClock, ...] = ()
    quirks: dict[Quirk, str] = Field(default_factory=dict)
    """Quirk → source."""

    @property
    def mobile_data_key(self) -> str:
        """The key of ``settings get global`` for the subscription that carries data.

        With several active modems it ends in the subscription's number (LineageOS ``frameworks/opt/telephony``,
        ``GlobalSettingsHelper.getSettingName``).
        """
        return "mobile_data" if len(self.sims) == 1 else f"mobile_data{self.sims[0].subscription}"

    @property
    def closed_users(self) -> tuple[int, ...]:
        """The users that adb may not see."""
        return tuple(user.identifier for user in self.users if not user.open_to_shell)

    def has_verb(self, service: str, verb: str) -> bool:
        """Whether the build's sources have the verb; True for a service that they do not describe."""
        described = (self.services or {}).get(service)
        return described is None or verb.partition(":")[0] in described.verbs
