"""The section ``channels`` of the configuration; every channel is off until its ``enabled`` is set."""

from enum import StrEnum

from pydantic import ConfigDict, Field, SecretStr

from heed.model import Frozen


class ShownTexts(StrEnum):
    """The texts that a service outside heed is given."""

    FULL = "full"
    """Everything: what others wrote, and the evidence."""
    OWN = "own"
    """heed's own words, effects and reasons; nothing that rests on text of others, and no evidence."""
    NONE = "none"
    """Only that there is a question, and about which phone."""


class ChannelSettings(Frozen):
    """What every channel can be set to; the base of a plug-in's own settings."""

    enabled: bool = False
    """Ask on this channel."""
    texts: ShownTexts = ShownTexts.OWN
    """What it shows: ``full``, ``own`` (nothing that others wrote, no evidence) or ``none`` (only that there is a
    question). Where it hides something that would be allowed, it offers only to decline."""


class NtfySettings(ChannelSettings):
    """Messages with buttons through an ntfy server (https://ntfy.sh, or your own)."""

    url: str = ""
    """The server's address, e.g. ``https://ntfy.example.org``."""
    topic: SecretStr = SecretStr("")
    """The topic that your phone's ntfy app subscribes to. Whoever knows it and may read it can answer."""
    token: SecretStr = SecretStr("")
    """heed's access token: writes to ``topic``, reads and writes ``answer_topic``; empty = none is needed."""
    answer_topic: SecretStr = SecretStr("")
    """The topic that buttons write to and heed reads; empty = a random one for each run."""
    answer_token: SecretStr = SecretStr("")
    """An access token that may only write to ``answer_topic``. It stands in every message, so never use ``token``."""


class TelegramSettings(ChannelSettings):
    """Messages with buttons from your own Telegram bot."""

    token: SecretStr = SecretStr("")
    """The bot's token, from @BotFather."""
    chat: int = 0
    """The chat's number; in a private chat, it is yours."""
    users: tuple[int, ...] = ()
    """The numbers of those who may answer; empty = in a private chat, you."""
    url: str = "https://api.telegram.org"
    """The Bot API server."""


class HomeAssistantSettings(ChannelSettings):
    """Notifications with buttons from Home Assistant's companion app."""

    url: str = ""
    """Its address, e.g. ``http://homeassistant.local:8123``."""
    token: SecretStr = SecretStr("")
    """A long-lived access token of an administrator: others may not read events."""
    notify: str = ""
    """The notify action of the phone that is asked on, e.g. ``mobile_app_pixel_8``."""


class DesktopSettings(ChannelSettings):
    """Notifications with buttons on this machine's desktop (Linux, over D-Bus)."""


class MqttSettings(Frozen):
    """Entities in Home Assistant over MQTT discovery: the last suggestion, a pause switch, each phone's battery."""

    enabled: bool = False
    """Announce them."""
    texts: ShownTexts = ShownTexts.OWN
    """What the last suggestion shows, as for a channel."""
    host: str = ""
    """The broker."""
    port: int = Field(default=1883, ge=1, le=65535)
    """Its port."""
    tls: bool = False
    """Connect with TLS, usually on port 8883."""
    username: str = ""
    """The broker's user; empty = anonymous."""
    password: SecretStr = SecretStr("")
    """The user's password."""
    discovery_prefix: str = "homeassistant"
    """Home Assistant's discovery prefix."""
    base_topic: str = "heed"
    """The topic below which heed publishes."""


class ChannelsConfig(Frozen):
    """Channels outside heed. A plug-in's settings are in the section of its name, ``channels.NAME``."""

    model_config = ConfigDict(extra="allow")

    ntfy: NtfySettings = NtfySettings()
    telegram: TelegramSettings = TelegramSettings()
    home_assistant: HomeAssistantSettings = HomeAssistantSettings()
    desktop: DesktopSettings = DesktopSettings()
    mqtt: MqttSettings = MqttSettings()
