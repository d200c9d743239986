"""The virtual phone as unmodified adb clients see it."""

from android_bridge.device import Device
from heed.clock import SystemClock
from tests.phones import START
from virtual_phone import PhoneState, VirtualPhone


async def test_a_shell_line_gives_its_outputs_and_status_apart(device: Device) -> None:
    result = await device.shell("echo out; echo err >&2; exit 3")
    assert (result.stdout, result.stderr, result.exit_code) == ("out\n", "err\n", 3)


async def test_an_unknown_command_exits_127(device: Device) -> None:
    result = await device.shell("nosuch --flag")
    assert result.exit_code == 127
    assert result.stderr == "/system/bin/sh: nosuch: inaccessible or not found\n"


async def test_a_batch_keeps_lines_apart(device: Device) -> None:
    results = await device.batch(["echo a", "exit 5", "nosuch", "settings get global low_power"])
    assert [result.exit_code for result in results] == [0, 5, 127, 0]
    assert results[3].stdout == "0\n"


async def test_the_state_is_what_the_commands_show(phone: VirtualPhone, device: Device) -> None:
    phone.state.battery.set(level=15)
    assert "  level: 15\n" in (await device.shell("dumpsys battery")).stdout
    await device.shell("cmd power set-mode 1")
    assert phone.state.power.saver


class Hurrying(SystemClock):
    """A host clock that advances by ``step`` seconds with every reading."""

    def __init__(self, step: float) -> None:
        super().__init__()
        self._step, self._seconds = step, 0.0

    def monotonic(self) -> float:
        self._seconds += self._step
        return self._seconds


def test_two_phones_made_for_the_same_moment_are_equal_however_long_that_took() -> None:
    states = []
    for step in (0.0, 0.7):
        state = PhoneState.standard(START, host=Hurrying(step))
        state.clock.freeze()
        state.clock.jump(START)
        states.append(state.to_json())
    assert states[0] == states[1]
