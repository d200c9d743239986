"""A virtual phone on which some command lines hang, refuse, print garbage or something of the test's own."""

import asyncio
from collections.abc import Mapping

from virtual_phone import PhoneState, VirtualPhone
from virtual_phone.commands import PROGRAMS
from virtual_phone.shell.call import Program, ProgramCall

HANGS, REFUSES, BABBLES = "hangs", "refuses", "babbles"


class MoodyPhone(VirtualPhone):
    """``moods`` maps the first words of a command line to a mood, or to the bytes that it prints instead."""

    def __init__(self, state: PhoneState) -> None:
        super().__init__(state)
        self.moods: dict[str, str | bytes] = {}
        self.met = False
        """Whether a line with a mood was run."""

    def programs(self) -> Mapping[str, Program]:
        names = {*PROGRAMS, *(words.split()[0] for words in self.moods)}
        return {name: self._moody(name, PROGRAMS.get(name, _nothing)) for name in names}

    def _moody(self, name: str, program: Program) -> Program:
        async def run(call: ProgramCall) -> int:
            line = " ".join([name, *call.args])
            mood = next((mood for words, mood in self.moods.items() if line.startswith(words)), None)
            self.met = self.met or mood is not None
            if mood == HANGS:
                await asyncio.sleep(3600)
            if mood == REFUSES:
                return await call.fail("java.lang.SecurityException: Permission Denial: not allowed", 255)
            if mood is None:
                return await program(call)
            await call.out("\x00\x1b[2J lorem ipsum: 15 \ufffd\n" * 50 if mood == BABBLES else mood)
            return 0

        return run


async def _nothing(call: ProgramCall) -> int:
    return 0
