"""adbkit, and its successor @devicefarmer/adbkit: the adb server's protocol in JavaScript (STF, DeviceFarmer)."""

from bench.clients.call import Call, Client, done, refused, returned, shown, told
from bench.clients.phone import CONTACTS, INSTALLED, SETTINGS, content, installed, is_front, packages

_START = """
const fs = await import('node:fs');
const { Readable } = await import('node:stream');
const loaded = await load(PACKAGE);
const Adb = loaded.Adb ?? loaded.default?.Adb ?? loaded.default ?? loaded;
const client = Adb.createClient({ host: '127.0.0.1', port: server_port, bin: adb });
const bound = new Proxy({}, { get: (_, name) => (...rest) => client[name](serial, ...rest) });
const device = client.getDevice ? client.getDevice(serial) : bound;
const bytes = async (promise) => {
  const parts = [];
  for await (const part of await promise) parts.push(part);
  return Buffer.concat(parts);
};
const text = async (promise) => (await bytes(promise)).toString();
const first = (emitter, name) => new Promise((resolve, reject) => {
  emitter.once(name, resolve);
  emitter.once('error', reject);
  setTimeout(() => reject(new Error(`no ${name}`)), 5000);
});
const put = async (data, path) => {
  const transfer = await device.push(Readable.from(data, { objectMode: false }), path);
  await new Promise((resolve, reject) => transfer.on('end', resolve).on('error', reject));
  return transfer.stats.bytesTransferred;
};
const monkey = async (port, name, ...given) => {
  const opened = await device.openMonkey(port);
  return await new Promise((resolve, reject) =>
    opened[name](...given, (error, value) => (error ? reject(error) : resolve(value))));
};
const apk = `${folder}/com.installed.tool.apk`;
fs.writeFileSync(apk, Buffer.concat([Buffer.from('PK\\x03\\x04'), Buffer.alloc(50000)]));
return { client, device, bytes, text, first, put, monkey, apk, fs };
"""

_CALLS = (
    Call("client.version()", returned(41)),
    Call("(await client.listDevices()).map((one) => [one.id === serial, one.type])", returned([[True, "device"]])),
    Call("(await client.listDevicesWithPaths()).map((one) => one.id === serial)", returned([True])),
    Call("client.trackDevices().then((tracker) => first(tracker, 'add')).then((one) => one.id === serial)",
         returned(True)),
    Call("device.getState()", returned("device")),
    Call("device.getDevicePath()", told("unknown")),
    Call("(await device.getProperties())['ro.product.model']", shown(lambda state: state.identity.model)),
    Call("(await device.getFeatures())['android.hardware.bluetooth']", returned(True)),
    Call("(await device.getPackages()).sort()", shown(packages)),
    # It reads dhcp.wlan0.ipaddress, which no newer phone has (captures: getprop).
    Call("device.getDHCPIpAddress()", refused("Unable to find ipaddress")),
    Call("device.forward('tcp:6121', 'tcp:7121')", returned(True)),
    Call("(await device.listForwards()).map((one) => [one.local, one.remote])", returned([["tcp:6121", "tcp:7121"]])),
    Call("device.reverse('tcp:7122', 'tcp:6122')", returned(True)),
    Call("(await device.listReverses()).map((one) => [one.remote, one.local])", returned([["tcp:7122", "tcp:6122"]])),
    Call("text(device.shell('echo a b; echo c >&2'))", returned("a b\nc\n")),
    Call("text(device.shell(['echo', 'it\\'s $HOME']))", returned("it's $HOME\n")),
    Call("put(Buffer.alloc(300000, 'x'), '/sdcard/pushed.bin')",
         lambda got, phone: got == 300_000 and content("/sdcard/pushed.bin", b"x" * 300_000)(phone.state)),
    Call("(await bytes(device.pull('/sdcard/pushed.bin'))).length", returned(300_000)),
    Call("(await device.stat('/sdcard/pushed.bin')).size", returned(300_000)),
    Call("device.stat('/sdcard/none')", refused("ENOENT")),
    Call("(await device.readdir('/sdcard')).filter((one) => one.isFile()).map((one) => one.name)",
         lambda got, phone: "pushed.bin" in got),
    Call("put(Buffer.from('x'), '/system/pushed.bin')", refused("")),
    Call("device.pull('/sdcard/none').then((pulled) => first(pulled.resume(), 'nothing'))",
         refused("No such file or directory")),
    Call("(await (await device.syncService()).stat('/sdcard/pushed.bin')).size", returned(300_000)),
    Call("device.install(apk)", done(installed(True))),
    Call(f"device.isInstalled('{INSTALLED}')", returned(True)),
    Call(f"device.clear('{INSTALLED}')", returned(True)),
    Call(f"device.uninstall('{INSTALLED}')", done(installed(False))),
    Call(f"device.isInstalled('{INSTALLED}')", returned(False)),
    Call("put(fs.readFileSync(apk), '/data/local/tmp/com.installed.tool.apk')", returned(50_004)),
    Call("device.installRemote('/data/local/tmp/com.installed.tool.apk')", done(installed(True))),
    Call("device.startActivity({ component: 'com.android.settings/.Settings', wait: true })", done(is_front(SETTINGS))),
    Call("device.startActivity({ action: 'android.intent.action.VIEW', data: 'https://example.org/a' })",
         done(lambda state: state.apps.foreground.intent.data == "https://example.org/a")),
    Call("device.startActivity({ component: 'com.example/.None' })", refused("does not exist")),
    Call("device.startService({ component: 'com.example/.None' })", refused("")),
    Call("(await bytes(device.screencap())).subarray(0, 8).toString('latin1')", returned("\x89PNG\r\n\x1a\n")),
    # It reads the header of version 1; version 2 has one field more, the colour space (adb, framebuffer_service.cpp).
    Call("(({ width, height, bpp }) => [width, height, bpp])((await device.framebuffer('raw')).meta)",
         shown(lambda state: [4 * state.display.width * state.display.height, state.display.width, 32])),
    Call("(await bytes(device.framebuffer('raw'))).length - 4",
         shown(lambda state: 4 * state.display.width * state.display.height)),
    Call("(await first(await device.openLogcat({ clear: false }), 'entry')).message.length > 0", returned(True)),
    # adbd has no service log: any more (adb, daemon/services.cpp).
    Call("device.openLog('main')", refused("closed")),
    Call("(await first(await device.openProcStat(), 'load')) !== null", returned(True)),
    Call("client.version().then(() => device.trackJdwp()).then((tracker) => tracker.end !== undefined)",
         returned(True)),
    Call("device.openLocal('/sdcard/pushed.bin')", refused("")),
    Call("device.openTcp(7999)", refused("closed")),
    Call("device.root()", refused("adbd cannot run as root in production builds")),
    Call("device.remount()", returned(True)),
    Call("device.waitBootComplete()", returned(True)),
    Call("client.disconnect('127.0.0.1', 1).then(String, (error) => error.message)", told("no such device")),
    Call("monkey(1080, 'press', 3)", done(is_front()), before=lambda state: state.apps.open(CONTACTS)),
    Call("monkey(1081, 'tap', X, Y)", done(is_front(CONTACTS)), where="Contacts"),
    Call("monkey(1082, 'get', 'display.width')", shown(lambda state: str(state.display.width))),
)  # fmt: skip


def _client(name: str, version: str) -> Client:
    return Client(name, version, "node", (f"{name}@{version}",), _START.replace("PACKAGE", f"'{name}'"), _CALLS)


CLIENTS = (_client("adbkit", "2.11.1"), _client("@devicefarmer/adbkit", "3.3.9"))
