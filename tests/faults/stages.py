"""The stages of one trigger, the faults that meet them, and the combinations that cannot occur."""

from enum import StrEnum

from tests.proof import PROVING


class Stage(StrEnum):
    """Where a fault begins."""

    SEE = "see"
    """While the context is read from the phone."""
    DECIDE = "decide"
    """While the reasoner thinks."""
    ASK = "ask"
    """While the question waits for its answer."""
    PERFORM = "perform"
    """When the phone gets the command, before it carries it out."""
    VERIFY = "verify"
    """After the phone has carried the command out, before its effect was read."""
    RECORD = "record"
    """Right before the outcome is written to the journal."""
    UNDO = "undo"
    """When the phone gets the command that undoes, before it carries it out."""
    UNDONE = "undone"
    """After the phone has carried out the undo, before that was read."""


class FaultKind(StrEnum):
    """What happens."""

    CABLE = "cable pulled"
    OFFLINE = "device offline"
    ADB = "adb server killed"
    REBOOT = "phone reboots"
    PHONE_AHEAD = "phone's clock forwards"
    PHONE_BACK = "phone's clock backwards"
    HOST_AHEAD = "host's clock forwards"
    HOST_BACK = "host's clock backwards"
    DISK_FULL = "disk full"
    LOCKED = "journal locked"
    MODEL = "model process dies"
    KILLED = "daemon killed"
    SECOND = "second daemon"


LOSES_THE_PHONE = frozenset({FaultKind.CABLE, FaultKind.OFFLINE, FaultKind.ADB, FaultKind.REBOOT})
"""A command that the phone has not begun when one of these happens is not carried out."""

CANNOT_OCCUR = {
    (FaultKind.MODEL, Stage.UNDO): "An undo asks no model.",
    (FaultKind.MODEL, Stage.UNDONE): "An undo asks no model.",
}
"""Cells without a test, with the reason."""

_QUICK = (
    (FaultKind.CABLE, Stage.SEE),
    (FaultKind.OFFLINE, Stage.VERIFY),
    (FaultKind.ADB, Stage.PERFORM),
    (FaultKind.REBOOT, Stage.UNDO),
    (FaultKind.CABLE, Stage.ASK),
    (FaultKind.PHONE_AHEAD, Stage.RECORD),
    (FaultKind.PHONE_BACK, Stage.ASK),
    (FaultKind.HOST_AHEAD, Stage.VERIFY),
    (FaultKind.HOST_BACK, Stage.DECIDE),
    (FaultKind.DISK_FULL, Stage.RECORD),
    (FaultKind.DISK_FULL, Stage.UNDO),
    (FaultKind.LOCKED, Stage.DECIDE),
    (FaultKind.LOCKED, Stage.VERIFY),
    (FaultKind.MODEL, Stage.DECIDE),
    (FaultKind.KILLED, Stage.RECORD),
    (FaultKind.KILLED, Stage.UNDONE),
    (FaultKind.SECOND, Stage.ASK),
)
"""Every fault and every stage at least once; ``make test`` runs these, ``make prove`` all."""

ALL = tuple((fault, stage) for fault in FaultKind for stage in Stage if (fault, stage) not in CANNOT_OCCUR)
CELLS = ALL if PROVING else _QUICK
