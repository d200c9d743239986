"""A phone's commands, against an adb server that runs them in a real shell, or misbehaves on demand."""

import asyncio
import socket
from asyncio import StreamReader, StreamWriter
from collections.abc import Callable
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from android_bridge import device as device_module
from android_bridge import persistent_shell
from android_bridge import server_connection as wire_module
from android_bridge.adb import DeviceEntry
from android_bridge.device import Device, choose, phones
from android_bridge.facts.battery import BATTERY
from android_bridge.facts.clock import CLOCK
from android_bridge.facts.reader import UnreadableError
from android_bridge.persistent_shell import PACKET, SERVICE, STDIN
from heed.errors import DeviceError, DeviceLostError, NoDeviceError
from tests.android_bridge import wire
from tests.proof import examples


async def real_shell(service: str, reader: StreamReader, writer: StreamWriter) -> None:
    """``shell,v2`` and ``exec`` by this machine's own shell; without a command it reads what the phone is sent."""
    kind, _, line = service.partition(":")
    line = line.removeprefix("raw:")
    wire.okay(writer)
    if service == SERVICE:
        await standing_shell(reader, writer)
        return
    both = asyncio.subprocess.PIPE if kind == "shell,v2,raw" else asyncio.subprocess.STDOUT
    process = await asyncio.create_subprocess_exec(
        *("sh", "-c", line), stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=both
    )
    stdout, stderr = await process.communicate(b"more input")
    if kind == "shell,v2,raw":
        code = process.returncode or 0
        writer.write(wire.shell_packet(1, stdout) + wire.shell_packet(2, stderr) + wire.shell_packet(3, bytes([code])))
    else:
        writer.write(stdout)


def phone_with(beginning: str) -> wire.Service:
    """A phone whose persistent shells run ``beginning`` first."""

    async def service(_: str, reader: StreamReader, writer: StreamWriter) -> None:
        wire.okay(writer)
        await standing_shell(reader, writer, f"{beginning}\n".encode())

    return service


async def standing_shell(reader: StreamReader, writer: StreamWriter, beginning: bytes = b"") -> None:
    """``sh`` with its three ends in packets, as long as the client stays."""
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec("sh", stdin=pipe, stdout=pipe, stderr=pipe)
    assert process.stdin and process.stdout and process.stderr

    process.stdin.write(beginning)

    async def forward(channel: int, source: StreamReader) -> None:
        while data := await source.read(1 << 16):
            writer.write(wire.shell_packet(channel, data))

    async def ends() -> None:
        await asyncio.gather(forward(1, process.stdout), forward(2, process.stderr))  # type: ignore[arg-type]
        writer.write(wire.shell_packet(3, bytes([await process.wait() & 255])))
        writer.close()

    ending = asyncio.ensure_future(ends())
    try:
        while not ending.done():
            kind, size = PACKET.unpack(await reader.readexactly(PACKET.size))
            data = await reader.readexactly(size)
            if kind == STDIN:
                process.stdin.write(data)
    finally:
        with suppress(ProcessLookupError):
            process.kill()
        process._transport.close()  # type: ignore[attr-defined]
        await ending


async def test_a_command_has_both_outputs_and_its_status() -> None:
    async with wire.wire_server(real_shell) as server:
        result = await wire.device(server).shell("printf 'out\\n'; printf 'err\\n' >&2; exit 3")
    assert (result.stdout, result.stderr, result.exit_code, result.text) == ("out\n", "err\n", 3, "out\nerr\n")


async def test_a_command_of_a_batch_that_reads_its_input_finds_it_empty() -> None:
    async with wire.wire_server(real_shell) as server:
        results = await wire.device(server).batch(["cat; echo a", "cat; echo b"])
    assert [result.stdout for result in results] == ["a\n", "b\n"]


async def test_each_command_of_a_batch_has_its_own_outputs_status_and_variables() -> None:
    lines = [
        *("echo one", "printf no-line-end", "exit 7", "x=1; echo $x >&2", "echo ${x:-unset}", "true # remark"),
        *("echo heed-0123 0", "cd /; pwd", "false", ""),
    ]
    async with wire.wire_server(real_shell) as server:
        results = await wire.device(server).batch(lines)
    # An empty line is no command for a shell: it is sent as the one that does nothing.
    assert [result.stdout for result in results] == [
        "one\n",
        "no-line-end",
        "",
        "",
        "unset\n",
        "",
        "heed-0123 0\n",
        "/\n",
        "",
        "",
    ]
    assert [result.stderr for result in results] == ["", "", "", "1\n", "", "", "", "", "", ""]
    assert [result.exit_code for result in results] == [0, 0, 7, 0, 0, 0, 0, 0, 1, 0]


@settings(max_examples=examples(25, 1000))
@given(st.lists(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0\r"), max_size=30), max_size=6))
def test_a_batch_gives_back_any_text_that_its_commands_print(texts: list[str]) -> None:
    from android_bridge.commands import quote

    async def talk() -> list[str]:
        async with wire.wire_server(real_shell) as server:
            results = await wire.device(server).batch([f"printf %s {quote(text)}" for text in texts])
            return [result.stdout for result in results]

    assert asyncio.run(talk()) == texts


async def test_a_long_batch_is_one_batch() -> None:
    lines = [f"echo {index}; : {'x' * 900}" for index in range(120)]
    async with wire.wire_server(real_shell) as server:
        results = await wire.device(server).batch(lines)
    assert [result.stdout for result in results] == [f"{index}\n" for index in range(120)]


async def test_a_line_with_an_open_quote_spoils_neither_its_batch_nor_the_next_command() -> None:
    async with wire.wire_server(real_shell) as server:
        phone = wire.device(server)
        opened, second = await phone.batch(["echo 'open", "echo second"])
        third = await phone.shell("echo third")
    assert opened.exit_code != 0
    assert "nterminated" in opened.stderr
    assert [second.stdout, third.stdout] == ["second\n", "third\n"]


async def test_commands_one_after_the_other_share_a_shell_and_commands_at_once_do_not() -> None:
    async with wire.wire_server(real_shell) as server:
        phone = wire.device(server)
        for _ in range(5):
            await phone.shell("true")
        assert server.requests.count(SERVICE) == 1
        answers = await asyncio.gather(*(phone.shell(f"sleep 0.05; echo {number}") for number in range(5)))
        assert [answer.stdout for answer in answers] == [f"{number}\n" for number in range(5)]
        assert server.requests.count(SERVICE) == 5


async def test_nothing_of_a_line_stays_in_the_shell_for_the_next_one() -> None:
    async with wire.wire_server(real_shell) as server:
        phone = wire.device(server)
        for line in ("cd /tmp; x=1; set -e; exec >/dev/null", "exit 3", "trap 'echo late' EXIT", "alias echo=false"):
            await phone.shell(line)
        after = await phone.shell("echo ${x:-unset} in $(pwd); false; echo still")
    assert after.stdout.startswith("unset in ")
    assert not after.stdout.startswith("unset in /tmp\n")
    assert after.stdout.endswith("still\n")


async def test_what_a_line_leaves_running_prints_into_no_other_answer() -> None:
    async with wire.wire_server(real_shell) as server:
        phone = wire.device(server)
        # Its own shell waits for everything that holds its outputs, as adbd does.
        assert (await phone.shell("(sleep 0.1; echo late) & echo now")).stdout == "now\nlate\n"
        assert (await phone.shell("echo 2>&1 quiet && echo on")).stdout == "quiet\non\n"
        assert server.requests.count(SERVICE) == 1


async def test_a_shell_that_was_killed_is_told_once_and_then_replaced() -> None:
    async with wire.wire_server(real_shell) as server:
        phone = wire.device(server)
        with pytest.raises(DeviceLostError):
            await phone.shell("kill -9 $$")
        assert (await phone.shell("echo again")).stdout == "again\n"


async def test_a_late_command_takes_its_shell_with_it() -> None:
    async with wire.wire_server(real_shell) as server:
        phone = wire.device(server)
        with pytest.raises(DeviceError, match="did not finish"):
            await phone.shell("sleep 30", timeout=0.1)
        assert (await phone.shell("echo next")).stdout == "next\n"
        assert server.requests.count(SERVICE) == 2


async def test_a_phone_that_left_between_two_commands_is_asked_anew() -> None:
    async with wire.wire_server(real_shell) as server:
        phone = wire.device(server)
        await phone.shell("true")
        await phone.batch(["true"])
        for shell in phone._shells._idle:
            shell._connection._socket.shutdown(socket.SHUT_RDWR)
        assert (await phone.shell("echo back")).stdout == "back\n"


def test_a_device_serves_one_event_loop_after_the_other() -> None:
    phones: list[Device] = []

    async def talk() -> str:
        async with wire.wire_server(real_shell) as server:
            phone = phones[0] if phones else Device(wire.client(server), wire.SERIAL)
            phones.append(phone)
            phone.server.port = server.port
            return (await phone.shell("echo here")).stdout

    assert [asyncio.run(talk()) for _ in range(2)] == ["here\n"] * 2


async def test_shells_that_nobody_uses_are_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(persistent_shell, "IDLE_SECONDS", 0.05)
    async with wire.wire_server(real_shell) as server:
        phone = wire.device(server)
        await phone.shell("true")
        async with asyncio.timeout(60):
            await until(lambda: not phone._shells._idle)
        assert (await phone.shell("echo new")).stdout == "new\n"


async def until(done: Callable[[], bool]) -> None:
    while not done():  # noqa: ASYNC110 - what happens tells nobody
        await asyncio.sleep(0.01)


WORDS = st.sampled_from(
    [
        "echo",
        "'",
        '"',
        "a b",
        ";",
        "$x",
        "x=2",
        "|",
        "exit 4",
        "false",
        "||",
        "&&",
        "(",
        ")",
        ">&2",
        "#",
        "\\",
        "é",
    ]
)


@settings(max_examples=examples(40, 2000))
@given(st.lists(st.lists(WORDS, min_size=1, max_size=6).map(" ".join), min_size=1, max_size=5))
def test_any_line_gives_in_a_standing_shell_what_it_gives_in_its_own(lines: list[str]) -> None:
    async def talk() -> None:
        async with wire.wire_server(real_shell) as server:
            phone = wire.device(server)
            for line in lines:
                shared = await phone.shell(line)
                alone = await phone._call(f"shell,v2,raw:{line}", device_module._read_shell)
                assert shared.stdout == alone.stdout
                assert bool(shared.exit_code) == bool(alone.exit_code)

    asyncio.run(talk())


async def test_readers_are_read_in_one_round_trip_and_one_that_fails_does_not_hide_the_others() -> None:
    async with wire.wire_server(real_shell) as server:
        phone = wire.device(server)
        now, battery, again = await phone.read_many([CLOCK, BATTERY, CLOCK])
        assert server.requests.count(SERVICE) == 1
    assert now == again
    assert now.tzinfo is not None
    assert isinstance(battery, UnreadableError)


async def test_a_command_past_its_deadline_is_an_error_that_tells_no_secret() -> None:
    async def frozen(_: str, reader: StreamReader, writer: StreamWriter) -> None:
        wire.okay(writer)
        await reader.read()

    async with wire.wire_server(frozen) as server:
        phone = wire.device(server, timeout=0.05)
        with pytest.raises(DeviceError, match=r"wire-1 did not finish `am start` within 0\.05 s") as raised:
            await phone.shell("am start -d 'smsto:1' --es sms_body 'my secret'")
        assert "secret" not in str(raised.value)
        with pytest.raises(DeviceError, match="did not finish"):
            await phone.exec_out("screencap -p")


@settings(max_examples=examples(30, 2000))
@given(st.data())
def test_a_phone_that_goes_away_inside_an_answer_is_lost_and_never_half_an_answer(data: st.DataObject) -> None:
    whole = wire.shell_answer("some output\n", "some error\n", 0)
    cut = data.draw(st.integers(0, len(whole) - 1))

    async def drop(_: str, __: StreamReader, writer: StreamWriter) -> None:
        wire.okay(writer)
        writer.write(whole[:cut])

    async def talk() -> None:
        async with wire.wire_server(drop) as server:
            with pytest.raises(DeviceLostError):
                await wire.device(server).shell("true")

    asyncio.run(talk())


async def test_the_next_command_works_when_the_phone_is_back() -> None:
    async with wire.wire_server() as server:
        phone = wire.device(server)
        with pytest.raises(DeviceError, match="not found"):
            await phone.shell("true")
        server.phones[wire.SERIAL] = real_shell
        assert (await phone.shell("echo back")).stdout == "back\n"


async def test_a_server_that_is_gone_is_a_phone_that_is_gone() -> None:
    async with wire.wire_server(real_shell) as server:
        phone = wire.device(server)
    with pytest.raises(DeviceError, match="No adb server answers"):
        await phone.shell("true")


async def test_an_endless_output_is_cut_before_it_fills_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wire_module, "MAX_OUTPUT", 100_000)

    async def endless(service: str, _: StreamReader, writer: StreamWriter) -> None:
        wire.okay(writer)
        while True:
            writer.write(wire.shell_packet(1, b"x" * 9_000) if service.startswith("shell") else b"x" * 9_000)
            await writer.drain()

    async with wire.wire_server(endless) as server:
        for call in (wire.device(server).shell, wire.device(server).exec_out):
            with pytest.raises(DeviceError, match="printed more than"):
                await call("yes")


async def test_a_stream_comes_as_it_is_written_and_ends_with_the_block() -> None:
    ended = asyncio.Event()

    async def slow(_: str, reader: StreamReader, writer: StreamWriter) -> None:
        wire.okay(writer)
        writer.write(b"first\n")
        await writer.drain()
        await reader.read()
        ended.set()

    async with wire.wire_server(slow) as server:
        async with wire.device(server).stream("logcat") as reader:
            assert await reader.read_line() == b"first\n"
        async with asyncio.timeout(60):
            await ended.wait()


async def test_several_phones_at_once_never_mix() -> None:
    async with wire.wire_server() as server:
        server.phones.update({name: phone_with(f"name={name}") for name in "abcdef"})
        phones = [Device(wire.client(server), name) for name in "abcdef"]
        asked = phones * 5
        results = await asyncio.gather(*(phone.shell("echo $name") for phone in asked))
    assert [result.stdout.strip() for result in results] == [phone.serial for phone in asked]


async def test_a_phone_that_adb_lists_twice_is_one_phone_and_two_of_a_kind_are_two() -> None:
    def booted(boot: str) -> wire.Service:
        return phone_with(f"getprop() {{ echo EMULATOR34X2; }}; cat() {{ echo {boot}; }}")

    async def mute(_: str, __: StreamReader, writer: StreamWriter) -> None:
        wire.fail(writer, "closed")

    async with wire.wire_server() as server:
        first, second = booted("one"), booted("two")
        names = {"emulator-5554": first, "127.0.0.1:5555": first, "emulator-5556": second, "a": mute, "b": mute}
        server.phones.update(names)
        found = await phones(wire.client(server))
    assert [entry.serial for entry in found] == ["emulator-5554", "emulator-5556", "a", "b"]


def test_one_ready_phone_chooses_itself_and_several_list_themselves() -> None:
    ready, shy = DeviceEntry("a", "device"), DeviceEntry("b", "unauthorized")
    assert choose([ready]) == "a"
    assert choose([ready, shy]) == "a"
    assert choose([ready, shy, DeviceEntry("c", "device")], "c") == "c"
    with pytest.raises(NoDeviceError, match="There are 2 phones: a, c"):
        choose([ready, DeviceEntry("c", "device")])
    with pytest.raises(NoDeviceError, match="No phone is connected"):
        choose([])
    with pytest.raises(NoDeviceError, match=r"b is unauthorized\. Unlock"):
        choose([shy])
    with pytest.raises(NoDeviceError, match="There is no phone 'x'"):
        choose([ready], "x")
