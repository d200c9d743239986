"""Volumes, ringer and the media session."""

from typing import Literal

from pydantic import Field

from virtual_phone.state.part import StatePart
from virtual_phone.state.record import StateRecord

Ringer = Literal["silent", "vibrate", "normal"]
RINGER_NUMBER: dict[Ringer, int] = {"silent": 0, "vibrate": 1, "normal": 2}

# AudioSystem stream numbers and AudioService's ranges (AOSP android-14).
STREAMS: dict[int, tuple[str, int, int]] = {
    0: ("STREAM_VOICE_CALL", 1, 7),
    1: ("STREAM_SYSTEM", 0, 7),
    2: ("STREAM_RING", 0, 7),
    3: ("STREAM_MUSIC", 0, 25),
    4: ("STREAM_ALARM", 1, 7),
    5: ("STREAM_NOTIFICATION", 0, 7),
}
_RING = 2
_MUTED_BY_RINGER = (1, _RING, 5)
"""``Settings.System.MODE_RINGER_STREAMS_AFFECTED``: system, ring, notification."""


class PlayerSession(StateRecord):
    """The media session of a player."""

    package: str
    title: str
    artist: str = ""
    album: str = ""
    playing: bool = True
    position: int = 0
    """Milliseconds."""


class AudioState(StatePart):
    """Volume index per stream number, ringer mode, playback."""

    volumes: dict[int, int] = Field(default_factory=lambda: {0: 4, 1: 5, 2: 5, 3: 8, 4: 6, 5: 5})
    ringer: Ringer = "normal"
    session: PlayerSession | None = None
    headset: bool = False

    @property
    def ringer_number(self) -> int:
        """The value of ``settings get global mode_ringer``."""
        return RINGER_NUMBER[self.ringer]

    @property
    def mode(self) -> str:
        """The audio mode: in a call or not."""
        current = self._phone.calls.current
        if current is None:
            return "MODE_NORMAL"
        return "MODE_RINGTONE" if current.state == "ringing" else "MODE_IN_CALL"

    def heard(self, stream: int) -> int:
        """The volume that the phone tells: 0 for a stream that the ringer mode mutes (``AudioService.java``)."""
        return 0 if self.ringer != "normal" and stream in _MUTED_BY_RINGER else self.volumes[stream]

    def set_volume(self, stream: int, index: int) -> None:
        """Volume index of a stream, kept within its range; the ring volume sets the ringer mode as well.

        A ring volume of 0 makes a phone with a vibrator vibrate, any other one makes it ring (``AudioService.java``,
        ``getNewRingerMode``).
        """
        _, low, high = STREAMS[stream]
        self.volumes[stream] = max(low, min(high, index))
        if stream == _RING:
            self.ringer = "normal" if self.volumes[stream] else "vibrate"
        self._event("volume_changed", stream, 0, self.volumes[stream], high, "com.android.shell")
        self._changed()

    def set_ringer(self, mode: Ringer) -> None:
        """Ringer mode; a phone that rings has a ring volume of at least 1 (``AudioService.java``)."""
        self.ringer = mode
        if mode == "normal":
            self.volumes[_RING] = max(1, self.volumes[_RING])
        self._changed()

    def play(self, package: str, title: str, artist: str = "", album: str = "") -> None:
        """A player starts a track."""
        self.session = PlayerSession(package=package, title=title, artist=artist, album=album)
        self._changed()

    def end_session(self, package: str) -> None:
        """End the media session of an app that is stopped; nothing happens when it has none."""
        if self.session is not None and self.session.package == package:
            self.session = None
            self._changed()

    def dispatch(self, key: str) -> None:
        """A media key: play, pause, play-pause, stop, next, previous; nothing happens without a session."""
        if self.session is None:
            return
        if key in ("pause", "stop"):
            self.session.playing = False
        elif key == "play":
            self.session.playing = True
        elif key == "play-pause":
            self.session.playing = not self.session.playing
        elif key in ("next", "previous"):
            self.session.position = 0
        self._changed()
