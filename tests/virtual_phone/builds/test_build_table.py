"""The table of builds: whatever a build's sources lack, it refuses in its own words; every difference has a source."""

import pytest

from tests.phones import START, run
from virtual_phone import PhoneState, VirtualPhone
from virtual_phone.builds import DEFAULT_BUILD, Build, build_named, build_names
from virtual_phone.builds.build import ServiceVerbs
from virtual_phone.commands.cmd import SERVICES

LINES = {
    "activity": ["start -a android.settings.SETTINGS", "start-activity -a android.settings.SETTINGS", "kill a.b",
                 "force-stop a.b", "broadcast -a X", "kill-all", "get-current-user", "stack list", "switch-user 0",
                 "startservice -n a/.b", "start-service -n a/.b", "startforegroundservice -n a/.b",
                 "start-foreground-service -n a/.b", "stopservice -n a/.b", "stop-service -n a/.b"],
    "alarm": ["set-timezone Asia/Tokyo", "get-alarms"],
    "appops": ["get a.b CAMERA", "set a.b CAMERA allow", "reset", "dump"],
    "audio": ["set-ringer-mode VIBRATE", "get-ringer-mode", "set-volume 3 4"],
    "battery": ["get level", "set -f level 12", "unplug", "reset", "suspend_input"],
    "bluetooth_manager": ["disable", "enable", "wait-for-state:STATE_ON", "toggle"],
    "connectivity": ["airplane-mode enable", "mobile-data enable"],
    "display": ["set-brightness 0.5", "get-displays", "set-night-light on"],
    "input_method": ["list", "enable a/.B", "disable a/.B", "set a/.B", "get"],
    "location": ["is-location-enabled", "set-location-enabled false", "get-location"],
    "lock_settings": ["get-disabled", "set-pin 1", "verify --old 1", "set-password --old 1 ab",
                      "set-pattern --old ab 12", "clear --old 12", "toggle"],
    "media_session": ["dispatch pause", "volume --stream 3 --set 4", "mute"],
    "notification": ["list", "get x", "set_dnd none", "post -t a b c", "notify -t a b c", "snooze --for 1 x",
                     "unsnooze x", "dnd none"],
    "package": ["list features", "path android", "resolve-activity -a X", "query-activities -a X", "suspend a.b",
                "query-intent-activities -a X", "unsuspend a.b", "uninstall a.b", "clear a.b", "grant android X",
                "revoke android X", "install /sdcard/a.apk", "install-incremental /sdcard/a.apk", "remove a.b"],
    "phone": ["data disable", "radio off"],
    "power": ["set-mode 1", "sleep"],
    "settings": ["get global wifi_on", "put system screen_brightness 9", "delete system x", "list system", "help",
                 "set system screen_brightness 9"],
    "statusbar": ["expand-notifications", "expand-settings", "collapse", "open"],
    "uimode": ["night yes", "dark yes"],
    "wifi": ["status", "set-wifi-enabled disabled", "list-networks", "forget-network 0", "connect-network Cafe open",
             "reassociate"],
    "window": ["size", "density", "dismiss-keyguard", "rotate 1"],
}  # fmt: skip
"""A command line for every verb that the phone implements, and for one that no build has."""
LIMITED = [name for name in build_names() if name != DEFAULT_BUILD]


def new_phone(build: str) -> VirtualPhone:
    """A standard phone of this build, whose clock stands still."""
    state = PhoneState.standard(START, build=build)
    state.clock.freeze()
    return VirtualPhone(state)


@pytest.mark.parametrize("name", LIMITED)
async def test_a_build_refuses_every_verb_that_its_sources_lack(name: str) -> None:
    build = build_named(name)
    refused = [
        (service, line)
        for service, lines in LINES.items()
        for line in lines
        if not build.has_verb(service, line.split()[0])
    ]
    assert ("audio", "get-ringer-mode") in refused
    phone = new_phone(name)
    for service, line in refused:
        before = phone.state.to_json()
        result = await run(phone, f"cmd {service} {line}")
        reply = described(build)[service].unknown
        verb = line.split()[0]
        said = (reply.stdout or reply.stderr or reply.exception).replace("{verb}", verb)
        assert said in result.text, line
        assert result.exit_code == (255 if reply.exception else reply.status), line
        assert phone.state.to_json() == before, line


@pytest.mark.parametrize("name", LIMITED)
async def test_a_build_carries_out_every_verb_that_its_sources_have(name: str) -> None:
    build = build_named(name)
    phone = new_phone(name)
    for service, lines in LINES.items():
        for line in lines:
            if build.has_verb(service, line.split()[0]):
                result = await run(phone, f"cmd {service} {line}")
                assert not result.text.startswith(("Unknown command", "Invalid command")), line
                assert "does not have access" not in result.text, line


@pytest.mark.parametrize("name", LIMITED)
def test_the_table_describes_every_service_of_the_phone(name: str) -> None:
    services = described(build_named(name))
    assert set(services) == {*SERVICES, "package"}
    unused = {"alarm set-time", *(f"audio {verb}" for verb in services["audio"].verbs if "volume" not in verb)}
    for service, entry in services.items():
        tried = {line.split()[0].partition(":")[0] for line in LINES[service]}
        assert {verb for verb in entry.verbs if f"{service} {verb}" not in unused} <= tried, service


def described(build: Build) -> dict[str, ServiceVerbs]:
    """The services of a build that describes them."""
    assert build.services is not None
    return build.services


@pytest.mark.parametrize("name", build_names())
def test_every_difference_names_its_source(name: str) -> None:
    build = build_named(name)
    assert all(build.quirks.values())
    assert all(user.source for user in build.users if user.identifier)
    if (build.night_light.namespace, build.night_light.key) != ("secure", "night_display_activated"):
        assert build.night_light.source


@pytest.mark.parametrize("name", build_names())
async def test_a_build_has_the_properties_of_a_phone(name: str) -> None:
    phone, build = new_phone(name), build_named(name)
    listed = (await run(phone, "getprop")).stdout
    assert listed.count("\n") >= 400
    assert f"[ro.product.vendor.device]: [{build.device}]\n" in listed
    assert (await run(phone, "getprop ro.build.version.sdk")).stdout == f"{build.sdk}\n"
    fingerprint = f"{build.brand}/{build.device}/{build.device}:{build.release}/{build.build_id}/{build.incremental}"
    assert f"[ro.build.fingerprint]: [{fingerprint}:user/release-keys]\n" in listed
    assert "{" not in listed
