"""The executors that heed ships, one small class per function."""

from executors.builtin.alarms import CancelAlarm
from executors.builtin.contacts import SaveContact
from executors.builtin.display import SetDisplay
from executors.builtin.do_not_disturb import SetDoNotDisturb
from executors.builtin.media_files import CleanUpMediaFiles
from executors.builtin.power_saving import SetPowerSavingMode
from executors.builtin.text_messages import SendSms
from executors.executor import Executor

EXECUTORS: tuple[type[Executor], ...] = (
    CancelAlarm,
    SendSms,
    SaveContact,
    SetPowerSavingMode,
    SetDoNotDisturb,
    SetDisplay,
    CleanUpMediaFiles,
)
