"""The shell parser, and expansion of what it parsed."""

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from android_bridge.commands import quote
from tests.phones import START, run
from virtual_phone import PhoneState, VirtualPhone
from virtual_phone.shell.parser import parse
from virtual_phone.shell.syntax import ShellSyntaxError, Simple

SHELL_TEXT = st.text(st.sampled_from("ab$(){}'\"`\\ \n;&|<>!*?#=~-0/\t") | st.characters(codec="utf-8"), max_size=60)


@pytest.fixture(scope="module")
def still_phone() -> VirtualPhone:
    return VirtualPhone(PhoneState.standard(START))


@given(SHELL_TEXT)
def test_any_text_parses_or_is_a_syntax_error(line: str) -> None:
    with contextlib.suppress(ShellSyntaxError):
        parse(line)


@given(st.text(st.characters(exclude_characters="\0\r", codec="utf-8"), max_size=80))
def test_a_quoted_value_is_one_word_and_unchanged(value: str) -> None:
    command = parse(f"echo {quote(value)}").chains[0].links[0][1].commands[0]
    assert isinstance(command, Simple)
    assert len(command.words) == 2
    assert "".join(part.value for part in command.words[1].parts) == value  # type: ignore[union-attr]


@pytest.mark.parametrize(
    "line", ["echo 'a", 'echo "a', "echo $(a", "( a", "a | | b", "if true; then", "case x in a)", "&& a"]
)
def test_an_unfinished_line_is_a_syntax_error(line: str) -> None:
    with pytest.raises(ShellSyntaxError):
        parse(line)


@pytest.mark.parametrize(
    "opening", ["(", "echo $(", "echo $((", "echo ${a:-", "{ ", 'echo "$(', "if ", "echo `echo $("]
)
def test_deep_nesting_is_refused_instead_of_exhausting_the_stack(opening: str) -> None:
    with pytest.raises(ShellSyntaxError, match=r"too deeply|syntax error"):
        parse(opening * 5000)


async def test_reasonable_nesting_runs(still_phone: VirtualPhone) -> None:
    line = "(" * 30 + "echo deep" + ")" * 30
    assert (await run(still_phone, line)).stdout == "deep\n"


@pytest.mark.parametrize(
    ("line", "output"),
    [
        ("echo a   b", "a b\n"),
        ("echo 'a   b' \"c  d\" e\\ f", "a   b c  d e f\n"),
        ("X=1; echo $X ${X} \"$X\" '$X'", "1 1 1 $X\n"),
        ("X='a  b'; echo $X; echo \"$X\"", "a b\na  b\n"),
        ("echo ${NONE:-default} ${NONE-x} ${HOME:+set}", "default x set\n"),
        ("F=/a/b.txt; echo ${F##*/} ${F%.txt} ${#F}", "b.txt /a/b 8\n"),
        ("echo $((2 + 3 * 4)) $((7 / 2)) $((-7 % 3))", "14 3 -1\n"),
        ("false; echo $?; true; echo $?", "1\n0\n"),
        ("true && echo yes || echo no", "yes\n"),
        ("false && echo yes || echo no", "no\n"),
        ("! false && echo negated", "negated\n"),
        ("echo a; echo b | cat; echo c", "a\nb\nc\n"),
        ("(X=2; echo $X); echo [$X]", "2\n[]\n"),
        ("{ echo a; echo b; } | wc -l", "2\n"),
        ("echo $(echo a; echo b)", "a b\n"),
        ("echo `echo old style`", "old style\n"),
        ("if [ 1 -eq 1 ]; then echo same; else echo other; fi", "same\n"),
        ("for x in a 'b c' d; do echo \"<$x>\"; done", "<a>\n<b c>\n<d>\n"),
        ("i=0; while [ $i -lt 3 ]; do i=$((i + 1)); echo $i; done", "1\n2\n3\n"),
        ("case com.app/.Main in */*) echo component;; *) echo other;; esac", "component\n"),
        ("cat <<END\nline $HOME\nEND\necho after", "line /\nafter\n"),
        ("cat <<'END'\n$HOME\nEND", "$HOME\n"),
        ("cat <<< text", "text\n"),
        ("echo a # a comment", "a\n"),
        ("echo a#b", "a#b\n"),
        ("echo one \\\n two", "one two\n"),
        ("X=5 env | grep ^X=", "X=5\n"),
        ("sh -c 'echo $0 $1' name first", "name first\n"),
        ("eval 'echo a; echo b'", "a\nb\n"),
        ("echo out 2>/dev/null; nosuch 2>/dev/null; echo $?", "out\n127\n"),
        ("(echo out; echo err >&2) 2>&1 | sort", "err\nout\n"),
        ("echo '*' \"*\" \\*", "* * *\n"),
    ],
)
async def test_lines_have_the_same_result_as_in_mksh(still_phone: VirtualPhone, line: str, output: str) -> None:
    assert (await run(still_phone, line)).stdout == output
