"""Running lines: statuses, redirections, pipes, background jobs."""

import asyncio

import pytest

from tests.phones import run
from virtual_phone import VirtualPhone


@pytest.mark.parametrize(
    ("line", "status"),
    [("exit 3; echo no", 3), ("(exit 4)", 4), ("exit 300", 44), ("nosuch", 127), ("false | true", 0),
     ("true | false", 1), ("sh -c 'exit 7'", 7), ("exec false", 1), ("echo '", 1)],
)  # fmt: skip
async def test_a_line_ends_with_its_status(phone: VirtualPhone, line: str, status: int) -> None:
    result = await run(phone, line)
    assert result.exit_code == status
    assert "no" not in result.stdout


async def test_a_subshells_exit_does_not_end_the_line(phone: VirtualPhone) -> None:
    assert (await run(phone, "( exit 5\n); echo $?; echo next")).stdout == "5\nnext\n"


async def test_output_is_redirected_to_files_and_read_back(phone: VirtualPhone) -> None:
    line = "cd /sdcard; echo one > notes.txt; echo two >> notes.txt; wc -l < notes.txt; cat /sdcard/notes.txt"
    assert (await run(phone, line)).stdout == "2\none\ntwo\n"


async def test_the_shell_user_may_not_write_everywhere(phone: VirtualPhone) -> None:
    result = await run(phone, "echo x > /system/x; echo $?; echo y > /data/data/y; cat /sdcard/missing")
    assert result.stdout == "1\n"
    assert "/system/x: Read-only file system" in result.stderr
    assert "/data/data/y: Permission denied" in result.stderr
    assert "/sdcard/missing: No such file or directory" in result.stderr


async def test_a_pipe_streams_and_ends_its_writer(phone: VirtualPhone) -> None:
    async with asyncio.timeout(60):
        result = await run(phone, "while true; do echo tick; done | head -n 3")
    assert result.stdout == "tick\ntick\ntick\n"


async def test_a_background_job_does_not_block_its_line(phone: VirtualPhone) -> None:
    async with asyncio.timeout(60):
        assert (await run(phone, "sleep 100 & echo started")).stdout == "started\n"
    async with phone.listening():
        pass  # leaving the block ends the job


async def test_file_names_are_globbed(phone: VirtualPhone) -> None:
    await run(phone, "cd /sdcard/Download; touch b.txt a.txt .hidden c.pdf")
    result = await run(phone, "cd /sdcard/Download; echo *.txt; echo /sdcard/Down*/*.pdf; echo none*")
    assert result.stdout == "a.txt b.txt\n/sdcard/Download/c.pdf\nnone*\n"


async def test_an_invalid_value_is_refused_with_javas_exception(phone: VirtualPhone) -> None:
    result = await run(phone, "cmd media_session volume --stream three --get")
    assert result.exit_code == 255
    assert result.rejected or "Exception occurred" in result.stderr


@pytest.mark.parametrize(
    ("line", "output"),
    [
        ("printf 'a\\nb\\nc\\n' | grep -m1 b", "b\n"),
        ("printf 'a\\nb\\nc\\n' | grep -A1 a", "a\nb\n"),
        ("printf 'aX\\nbx\\n' | grep -i x | grep -v a", "bx\n"),
        ("printf 'k=v\\n' | grep -o 'k=[a-z]*'", "k=v\n"),
        ("printf 'a\\nb\\n' | grep -E 'a|c'", "a\n"),
        ("printf 'a\\nb\\n' | grep 'a\\|b' | wc -l", "2\n"),
        ("printf 'a b c\\n' | cut -d' ' -f2", "b\n"),
        ("printf '3\\n1\\n2\\n' | sort -n | tail -n 1", "3\n"),
        ("printf 'abc' | tr a-c A-C", "ABC"),
        ("printf 'x=1\\n' | sed 's/x/y/'", "y=1\n"),
        ("echo hello | md5sum", "b1946ac92492d2347c6235b4d2611184  -\n"),
        ("echo aGk= | base64 -d", "hi"),
        ("basename /a/b/c; dirname /a/b/c", "c\n/a/b\n"),
        ("test -f /sdcard/none && echo exists || echo absent", "absent\n"),
        ("[ -d /sdcard ] && echo dir", "dir\n"),
        ("toybox echo through", "through\n"),
    ],
)
async def test_text_tools_print_what_callers_expect(phone: VirtualPhone, line: str, output: str) -> None:
    assert (await run(phone, line)).stdout == output
