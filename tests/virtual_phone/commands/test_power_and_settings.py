"""Settings, battery, power, display and sound commands are views of one state."""

import pytest

from tests.phones import run
from virtual_phone import VirtualPhone


async def test_settings_are_put_read_listed_and_deleted(phone: VirtualPhone) -> None:
    assert (await run(phone, "settings get system screen_brightness")).stdout == "102\n"
    await run(phone, "settings put system screen_brightness 40; settings put secure my_key 'a b=c'")
    assert (await run(phone, "settings get system screen_brightness")).stdout == "40\n"
    assert "my_key=a b=c\n" in (await run(phone, "settings list secure")).stdout
    assert (await run(phone, "settings delete secure my_key")).stdout == "Deleted 1 rows\n"
    assert (await run(phone, "settings get secure my_key")).stdout == "null\n"


@pytest.mark.parametrize("line", ["put system font_scale 40", "put system accelerometer_rotation 7"])
async def test_the_provider_refuses_invalid_values(phone: VirtualPhone, line: str) -> None:
    result = await run(phone, f"settings {line}")
    assert result.exit_code == 255
    assert "Invalid value" in result.stderr


async def test_a_write_to_zen_mode_is_put_back(phone: VirtualPhone) -> None:
    await run(phone, "settings put global zen_mode 1")
    assert (await run(phone, "settings get global zen_mode")).stdout == "0\n"
    await run(phone, "cmd notification set_dnd priority")
    assert (await run(phone, "settings get global zen_mode")).stdout == "1\n"
    assert "mZenMode=ZEN_MODE_IMPORTANT_INTERRUPTIONS" in (await run(phone, "dumpsys notification")).stdout


@pytest.mark.parametrize(
    ("word", "number"), [("on", 2), ("none", 2), ("priority", 1), ("alarms", 3), ("off", 0), ("all", 0)]
)
async def test_do_not_disturb_has_four_modes(phone: VirtualPhone, word: str, number: int) -> None:
    await run(phone, f"cmd notification set_dnd {word}")
    assert phone.state.dnd.number == number


async def test_battery_saver_turns_on_by_command_and_by_setting(phone: VirtualPhone) -> None:
    for line in ("cmd power set-mode 1", "settings put global low_power 1"):
        phone.state.power.set_saver(False)
        await run(phone, line)
        assert (await run(phone, "settings get global low_power")).stdout == "1\n"
        assert "Battery Saver is currently: ON" in (await run(phone, "dumpsys power")).stdout


async def test_battery_saver_stays_off_on_the_charger_and_goes_off_with_it(phone: VirtualPhone) -> None:
    phone.state.power.set_saver(True)
    phone.state.battery.set(plugged=True)
    assert not phone.state.power.saver
    result = await run(phone, "cmd power set-mode 1; settings get global low_power")
    assert (result.stdout, result.exit_code) == ("0\n", 0)


async def test_battery_saver_turns_on_at_its_threshold(phone: VirtualPhone) -> None:
    await run(phone, "settings put global low_power_trigger_level 20")
    phone.state.battery.set(level=21)
    assert not phone.state.power.saver
    phone.state.battery.set(level=20)
    assert phone.state.power.saver


async def test_the_shell_may_fake_the_battery(phone: VirtualPhone) -> None:
    phone.state.battery.set(plugged=True)
    await run(phone, "dumpsys battery unplug; dumpsys battery set level 12")
    dump = (await run(phone, "dumpsys battery")).stdout
    assert "(UPDATES STOPPED" in dump
    assert "  USB powered: false\n" in dump
    assert "  level: 12\n" in dump
    assert "mBatteryLevel=12" in (await run(phone, "dumpsys power")).stdout
    await run(phone, "dumpsys battery reset")
    dump = (await run(phone, "dumpsys battery")).stdout
    assert "(UPDATES STOPPED" not in dump
    assert "  USB powered: true\n" in dump
    assert "  level: 80\n" in dump


async def test_the_battery_service_takes_shell_commands(phone: VirtualPhone) -> None:
    faked = await run(
        phone, "cmd battery set level 12; cmd battery set -f status 3; cmd battery get level; cmd battery get -f status"
    )
    assert faked.stdout == "12\n3\n"
    refused = await run(
        phone, "cmd battery set level low; cmd battery set level; cmd battery get colour; cmd battery drain"
    )
    assert refused.stdout == "Bad value: low\nNo value specified\nUnknown get option: colour\nUnknown command: drain\n"
    assert refused.exit_code == 255
    assert (await run(phone, "cmd battery reset; cmd battery get level")).stdout == "80\n"


async def test_a_low_battery_is_announced(phone: VirtualPhone) -> None:
    phone.state.battery.set(level=15)
    assert "android.title=String (Battery low)" in (await run(phone, "dumpsys notification --noredact")).stdout
    phone.state.battery.set(plugged=True)
    assert "Battery low" not in (await run(phone, "dumpsys notification --noredact")).stdout


async def test_night_mode_is_set_and_read(phone: VirtualPhone) -> None:
    assert (await run(phone, "cmd uimode night")).stdout == "Night mode: no\n"
    assert (await run(phone, "cmd uimode night yes")).stdout == "Night mode: yes\n"
    assert (await run(phone, "settings get secure ui_night_mode")).stdout == "2\n"
    assert (await run(phone, "cmd uimode night sometimes")).exit_code == 255


async def test_volumes_and_ringer_are_set_and_read(phone: VirtualPhone) -> None:
    await run(phone, "cmd media_session volume --show --stream 3 --set 99; cmd audio set-ringer-mode VIBRATE")
    assert "volume is 25 in range [0..25]" in (await run(phone, "cmd media_session volume --stream 3 --get")).stdout
    dump = (await run(phone, "dumpsys audio")).stdout
    assert "- STREAM_MUSIC:\n   Muted: false\n" in dump
    assert "   streamVolume:25\n" in dump
    assert "- mode (internal) = VIBRATE\n" in dump
    assert (await run(phone, "settings get global mode_ringer")).stdout == "1\n"


async def test_playback_is_dispatched(phone: VirtualPhone) -> None:
    phone.state.audio.play("com.spotify.music", "Blue, in Green", "Miles")
    assert "state=PLAYING(3)" in (await run(phone, "dumpsys media_session")).stdout
    await run(phone, "cmd media_session dispatch pause")
    assert "state=PAUSED(2)" in (await run(phone, "dumpsys media_session")).stdout
    await run(phone, "input keyevent 126")
    assert phone.state.audio.session is not None
    assert phone.state.audio.session.playing


async def test_the_screen_and_keyguard_show_in_every_dump(phone: VirtualPhone) -> None:
    phone.state.power.sleep()
    assert "mWakefulness=Asleep" in (await run(phone, "dumpsys power")).stdout
    assert "  mScreenState=OFF" in (await run(phone, "dumpsys display")).stdout
    window = (await run(phone, "dumpsys window")).stdout
    assert "isKeyguardShowing=true" in window
    assert "mDreamingLockscreen=true" in window
    assert "topResumedActivity" not in (await run(phone, "dumpsys activity activities")).stdout
    phone.state.power.unlock()
    assert "isKeyguardShowing=false" in (await run(phone, "dumpsys window")).stdout


async def test_radios_are_switched_and_read(phone: VirtualPhone) -> None:
    await run(phone, "cmd wifi set-wifi-enabled disabled")
    assert (await run(phone, "cmd wifi status")).stdout.startswith("Wifi is disabled\n")
    assert "Wi-Fi is disabled\n" in (await run(phone, "dumpsys wifi")).stdout
    assert "Active default network: 101" in (await run(phone, "dumpsys connectivity")).stdout
    await run(phone, "cmd phone data disable")
    assert "Active default network: none" in (await run(phone, "dumpsys connectivity")).stdout
    await run(phone, "cmd wifi connect-network 'Café \"5G\"' wpa2 'pass word'")
    assert 'Wifi is connected to "Café "5G""' in (await run(phone, "cmd wifi status")).stdout
    await run(phone, "cmd connectivity airplane-mode enable")
    assert (await run(phone, "cmd connectivity airplane-mode")).stdout == "enabled\n"
    assert not phone.state.bluetooth.enabled
    await run(phone, "svc bluetooth enable; cmd location set-location-enabled false; svc nfc disable")
    assert "  state: ON" in (await run(phone, "dumpsys bluetooth_manager")).stdout
    assert (await run(phone, "cmd location is-location-enabled")).stdout == "false\n"
    assert "mState=off" in (await run(phone, "dumpsys nfc")).stdout


async def test_a_radio_setting_alone_does_not_switch_the_radio(phone: VirtualPhone) -> None:
    await run(phone, "settings put global airplane_mode_on 1")
    assert (await run(phone, "settings get global airplane_mode_on")).stdout == "1\n"
    assert (await run(phone, "cmd connectivity airplane-mode")).stdout == "disabled\n"


async def test_missing_services_are_reported(phone: VirtualPhone) -> None:
    assert (await run(phone, "cmd nosuch")).stderr == "cmd: Can't find service: nosuch\n"
    assert (await run(phone, "cmd clipboard get")).stderr == "No shell command implementation.\n"
    assert (await run(phone, "dumpsys nosuch")).stderr == "Can't find service: nosuch\n"
