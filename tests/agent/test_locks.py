import subprocess
import sys

import pytest

from agent.loop.phone_lock import phone_lock
from heed.errors import PersonError

HOLD = """
import sys
from agent.loop.phone_lock import phone_lock
with phone_lock("a", "phone-a"):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_a_phone_is_held_by_one_process_which_the_refusal_names() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", HOLD], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        with pytest.raises(PersonError, match=str(holder.pid)), phone_lock("a", "phone-a"):
            pass
        with phone_lock("b", "phone-b"):
            pass
        holder.kill()
    with phone_lock("a", "phone-a"):
        pass


def test_the_lock_is_free_again_after_the_block() -> None:
    with phone_lock("a", "phone-a"):
        pass
    with phone_lock("a", "phone-a"):
        pass
