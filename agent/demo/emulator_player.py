"""Sends a scenario's commands to an Android emulator. Untried on a real emulator."""

from collections.abc import Sequence

from agent.demo.emulator_commands import EmulatorCommand, EmulatorScene, start_commands
from agent.demo.emulator_console import EmulatorConsole
from android_bridge.device import Device
from android_bridge.facts.hierarchy import HIERARCHY
from heed.errors import DeviceError
from heed.messages import msg
from virtual_phone.scenario.document import Scenario


class EmulatorPlayer:
    """Sends the commands of scenes to an emulator."""

    def __init__(self, device: Device, console: EmulatorConsole) -> None:
        self._device, self._console = device, console

    async def prepare(self, scenario: Scenario) -> None:
        """Send the commands of the scenario's start state."""
        await self._send(start_commands(scenario))

    async def play(self, scene: EmulatorScene) -> None:
        """Send the commands of one entry; raises ``DeviceError`` when the emulator refuses one."""
        await self._send(scene.commands)

    async def _send(self, commands: Sequence[EmulatorCommand]) -> None:
        for command in commands:
            if command.target == "console":
                await self._console.run(command.line)
            else:
                await self._shell(command.line if command.target == "shell" else await self._tap(command.line))

    async def _shell(self, line: str) -> None:
        result = await self._device.shell(line)
        if result.exit_code != 0:
            raise DeviceError(
                msg(
                    "{serial} refused `{line}`: {text}",
                    serial=self._device.serial,
                    line=line,
                    text=result.text.strip()[:200],
                )
            )

    async def _tap(self, text: str) -> str:
        screen = await self._device.read(HIERARCHY)
        for node in screen.nodes():
            if text in (node.text, node.description):
                return "input tap {} {}".format(*node.bounds.center)
        raise DeviceError(
            msg("Nothing on the screen of {serial} says {text!r}.", serial=self._device.serial, text=text)
        )
