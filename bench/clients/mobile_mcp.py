"""mobile-mcp: an MCP server, in the mode that uses adb alone, spoken to with the MCP SDK that it depends on.

``tests/virtual_phone/test_mobile_mcp.py`` names the tools that are not tried and why.
"""

from bench.clients.call import Call, Client, done, refused, returned, shown, shows, told
from bench.clients.phone import CONTACTS, STREAMED, is_front, typed

_VERSION = "1.0.4"
_START = """
const fs = await import('node:fs');
const { execFileSync } = await import('node:child_process');
const { Client } = await load('@modelcontextprotocol/sdk/client/index.js');
const { StdioClientTransport } = await load('@modelcontextprotocol/sdk/client/stdio.js');
const env = { ...process.env, MOBILEMCP_LEGACY_ROBOT: '1', MOBILEMCP_DISABLE_TELEMETRY: '1' };
const args = ['node_modules/@mobilenext/mobile-mcp/lib/index.js'];
const client = new Client({ name: 'judge', version: '1' });
await client.connect(new StdioClientTransport({ command: 'node', args, env, stderr: 'ignore' }));
const tool = async (name, given = {}) => {
  const result = await client.callTool({ name, arguments: { device: serial, ...given } });
  const told = result.content.map((part) => part.text ?? part.mimeType).join(' ');
  if (result.isError || told.includes('Please fix the issue')) throw new Error(told);
  return told;
};
const volumeUp = { name: 'mobile_press_button', arguments: { button: 'VOLUME_UP' } };
const listed = async () => JSON.parse(await tool('mobile_list_available_devices')).devices;
fs.writeFileSync(`${folder}/tool.apk`, Buffer.concat([Buffer.from('PK\\x03\\x04'), Buffer.alloc(50000)]));
const shot = `${folder}/a.png`;
return { client, tool, fs, volumeUp, listed, shot, execFileSync };
"""

CLIENT = Client(
    "mobile-mcp", _VERSION, "node", (f"@mobilenext/mobile-mcp@{_VERSION}",), _START,
    (
        Call("(await client.listTools()).tools.length > 20", returned(True)),
        Call("(await listed()).map((one) => [one.id === serial, one.name, one.version])",
             shown(lambda state: [[True, state.identity.model, state.identity.release]])),
        Call("tool('mobile_get_screen_size')",
             shown(lambda state: f"Screen size is {state.display.width}x{state.display.height} pixels")),
        Call("tool('mobile_take_screenshot')", told("image/png")),
        Call("tool('mobile_save_screenshot', { saveTo: shot }).then(() => fs.readFileSync(shot))",
             told("\x89PNG\r\n\x1a\n")),
        Call("tool('mobile_get_orientation')", returned("Current device orientation is portrait")),
        Call("tool('mobile_list_apps')", told(CONTACTS)),
        Call(f"tool('mobile_launch_app', {{ packageName: '{CONTACTS}' }})", done(is_front(CONTACTS))),
        Call("tool('mobile_list_elements_on_screen')", told("Alice Chen")),
        Call("(([x, y]) => tool('mobile_click_on_screen_at_coordinates', { x, y }))([X, Y])", shows("Name"),
             where="Create contact"),
        Call("(([x, y]) => tool('mobile_double_tap_on_screen', { x, y }))([X, Y])",
             done(lambda state: state.apps.foreground.focus), where="Name"),
        Call("""tool('mobile_type_keys', { text: 'it\\'s $HOME; "x"', submit: false })""",
             done(typed('it\'s $HOME; "x"'))),
        Call("tool('mobile_long_press_on_screen_at_coordinates', { x: 540, y: 2200, duration: 600 })", told("")),
        Call("tool('mobile_press_button', { button: 'HOME' })", done(is_front())),
        Call("tool('mobile_swipe_on_screen', { direction: 'down', x: 540, y: 5, distance: 1200 })",
             done(lambda state: state.panel == "shade")),
        Call("tool('mobile_swipe_on_screen', { direction: 'up' })", done(lambda state: not state.panel)),
        Call("tool('mobile_batch_commands', { steps: [volumeUp, volumeUp] })",
             done(lambda state: state.audio.volumes[3] == 10)),
        Call("tool('mobile_open_url', { url: 'https://example.org/?a=1&b=2' })",
             done(lambda state: state.apps.foreground.intent.data == "https://example.org/?a=1&b=2")),
        Call("tool('mobile_set_orientation', { orientation: 'landscape' })",
             done(lambda state: state.settings.get("system", "user_rotation") == "1")),
        Call("tool('mobile_get_orientation')", returned("Current device orientation is landscape")),
        Call("tool('mobile_set_orientation', { orientation: 'portrait' })",
             done(lambda state: state.settings.get("system", "user_rotation") == "0")),
        Call("tool('mobile_install_app', { path: `${folder}/tool.apk` })",
             done(lambda state: state.apps.find(STREAMED))),
        Call(f"tool('mobile_launch_app', {{ packageName: '{STREAMED}' }})", done(is_front(STREAMED))),
        Call(f"tool('mobile_terminate_app', {{ packageName: '{STREAMED}' }})",
             done(lambda state: STREAMED not in state.apps.running())),
        Call(f"tool('mobile_uninstall_app', {{ bundle_id: '{STREAMED}' }})",
             done(lambda state: state.apps.find(STREAMED) is None)),
        Call("tool('mobile_launch_app', { packageName: 'com.example.none' })", refused("")),
    ),
    # Its helper program runs on as a daemon.
    end="execFileSync('node_modules/.bin/mobilecli', ['daemon', 'stop']).toString()",
)  # fmt: skip
