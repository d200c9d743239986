"""adb-shell: the adb protocol itself in Python, straight to the phone's port, without an adb server."""

from bench.clients.call import Call, Client, done, refused, returned, shown, told
from bench.clients.phone import content
from virtual_phone import PhoneState

_START = """
import io
from adb_shell.adb_device import AdbDeviceTcp
from adb_shell.auth.keygen import keygen
from adb_shell.auth.sign_pythonrsa import PythonRSASigner
keygen(folder + "/known")
keygen(folder + "/other")
known, other = (PythonRSASigner.FromRSAKeyPath(folder + "/" + name) for name in ("known", "other"))
device = AdbDeviceTcp("127.0.0.1", phone_port, default_transport_timeout_s=20)

def connected(*keys, seconds=2.0):
    fresh = AdbDeviceTcp("127.0.0.1", phone_port, default_transport_timeout_s=seconds)
    try:
        return fresh.connect(rsa_keys=list(keys), auth_timeout_s=seconds)
    finally:
        fresh.close()

def pulled(path):
    target = io.BytesIO()
    device.pull(path, target)
    return target.getvalue()
"""


def _accept(state: PhoneState) -> None:
    """The owner allows the computer whose key is waiting."""
    state.adb_keys.answer(True)


CLIENT = Client(
    "adb-shell", "0.4.4", "python", ("adb-shell[async]==0.4.4",), _START,
    (
        Call("connected()", refused("no keys available")),
        Call("connected(known)", lambda got, phone: refused("")(got, phone) and phone.state.adb_keys.waiting),
        Call("connected(other)", refused(""), before=lambda state: state.adb_keys.answer(False)),
        Call("connected(known)", refused(""), before=lambda state: state.adb_keys.answer(False)),
        Call("connected(known)", returned(True), before=_accept),
        Call("connected(other)", lambda got, phone: refused("")(got, phone) and phone.state.adb_keys.waiting),
        Call("device.connect(rsa_keys=[other, known], auth_timeout_s=20)", returned(True),
             before=lambda state: state.adb_keys.answer(False)),
        Call("device.available", returned(True)),
        Call("device.max_chunk_size > 4096", returned(True)),
        Call("device.shell('echo a; echo b >&2')", returned("a\nb\n")),
        Call("device.shell('exit 3')", returned("")),
        Call("device.shell('printf %s 日本')", returned("日本")),
        Call("device.exec_out('cat /dev/null; echo x')", returned("x\n")),
        Call("device.exec_out('screencap -p', decode=False)[:8]", returned("\x89PNG\r\n\x1a\n")),
        Call("''.join(device.streaming_shell('for i in 1 2 3; do echo $i; done'))", returned("1\n2\n3\n")),
        Call("device.push(io.BytesIO(b'x' * 300000), '/sdcard/pushed.bin')",
             done(content("/sdcard/pushed.bin", b"x" * 300_000))),
        Call("len(pulled('/sdcard/pushed.bin'))", returned(300_000)),
        Call("device.stat('/sdcard/pushed.bin')[1]", returned(300_000)),
        Call("device.stat('/sdcard/none')", returned([0, 0, 0])),
        Call("sorted(entry.filename for entry in device.list('/sdcard') if entry.filename == b'pushed.bin')",
             returned(["pushed.bin"])),
        Call("device.push(io.BytesIO(b'x'), '/system/pushed.bin')", refused("Read-only file system")),
        Call("pulled('/sdcard/none')", refused("No such file or directory")),
        Call("device.root()", returned(None)),
        Call("device.shell('getprop ro.product.model').strip()", shown(lambda state: state.identity.model)),
        Call("device._service(b'remount', b'', 20, 20, 20)", told("Not running as root")),
        Call("device._service(b'nothing', b'', 20, 20, 20)", refused("")),
        Call("device.close() or device.available", returned(False)),
        Call("device.connect(rsa_keys=[known], auth_timeout_s=20) and device.shell('id -un')", returned("shell\n")),
    ),
)  # fmt: skip
