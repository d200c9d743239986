"""Run a long, chatty build and show only how far it is.

Ninja prints ``[12/193] …``; every other line is kept and shown only when the command fails.
"""

import re
import subprocess
import sys

STEP = re.compile(r"\[(\d+)/(\d+)\]")


def main(command: list[str]) -> int:
    """Run ``command``, print each tenth of its steps, and on failure the end of its output."""
    kept: list[str] = []
    shown = -1
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        for line in process.stdout or ():
            kept.append(line)
            if match := STEP.search(line):
                tenth = 10 * int(match[1]) // int(match[2])
                if tenth != shown:
                    shown = tenth
                    print(f"  {match[1]} of {match[2]} steps", flush=True)
    if process.returncode:
        sys.stdout.writelines(kept[-80:])
    return process.returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
