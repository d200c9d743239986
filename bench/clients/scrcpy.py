"""The start of scrcpy's server, which scrcpy's own client does with the adb binary (scrcpy v3.3, app/src/server.c).

scrcpy is not in the registries; these are its commands, in its order. The virtual phone runs no Java, so the server is
refused as a phone refuses it whose ``scrcpy-server.jar`` is missing or is none.
"""

from bench.clients.call import Call, Client, returned, told
from bench.clients.phone import content

_START = """
import subprocess
def run(*words):
    done = subprocess.run([adb, "-s", serial, *words], capture_output=True, text=True, errors="replace", timeout=30)
    return [done.returncode, done.stdout + done.stderr]
open(folder + "/scrcpy-server", "wb").write(b"no dex")
"""
_SERVER = "CLASSPATH=/data/local/tmp/scrcpy-server.jar app_process / com.genymobile.scrcpy.Server 3.3"

CLIENT = Client(
    "scrcpy-start", "3.3", "python", (), _START,
    (
        Call("run('start-server')[0]", returned(0)),
        Call("run('devices', '-l')[1].count(serial)", returned(1)),
        Call(f"run('shell', '{_SERVER} log_level=info')",
             lambda got, phone: got[0] == 134 and "Aborted" in got[1]),
        Call("run('push', folder + '/scrcpy-server', '/data/local/tmp/scrcpy-server.jar')[0]",
             lambda got, phone: got == 0 and content("/data/local/tmp/scrcpy-server.jar", b"no dex")(phone.state)),
        Call("run('reverse', 'localabstract:scrcpy_01234567', 'tcp:27183')[0]", returned(0)),
        Call("run('reverse', '--list')[1]", told("localabstract:scrcpy_01234567 tcp:27183")),
        Call(f"run('shell', '{_SERVER} scid=01234567 log_level=info video_bit_rate=8000000')",
             lambda got, phone: got[0] == 134 and "Aborted" in got[1]),
        Call("run('reverse', '--remove', 'localabstract:scrcpy_01234567')[0]", returned(0)),
        Call("run('forward', 'tcp:27184', 'localabstract:scrcpy_01234567')[0]", returned(0)),
        Call("run('forward', '--remove', 'tcp:27184')[0]", returned(0)),
    ),
)  # fmt: skip
