"""Dumps of battery, power, idle, display, alarms and UI mode."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from virtual_phone.builds.build import SystemAlarmClock
from virtual_phone.state import PhoneState
from virtual_phone.state.alarms import StoredAlarm
from virtual_phone.state.battery import LOW_LEVEL, PLUG_NUMBER
from virtual_phone.state.well_known import CLOCK_APP

_ALARM_TAG = "*walarm*:com.android.deskclock.ALARM_ALERT"


def _bool(value: bool) -> str:
    return "true" if value else "false"


def duration(delta: timedelta) -> str:
    """Android's TimeUtils form: ``+4h16m41s708ms``; negative with a minus sign."""
    total = round(delta.total_seconds() * 1000)
    sign, total = ("-", -total) if total < 0 else ("+", total)
    days, rest = divmod(total, 86_400_000)
    hours, rest = divmod(rest, 3_600_000)
    minutes, rest = divmod(rest, 60_000)
    seconds, milliseconds = divmod(rest, 1000)
    units = ((days, "d"), (hours, "h"), (minutes, "m"), (seconds, "s"))
    first = next((index for index, (value, _) in enumerate(units) if value), len(units))
    return sign + "".join(f"{value}{unit}" for value, unit in units[first:]) + f"{milliseconds}ms"


def battery(state: PhoneState, args: Sequence[str]) -> str:
    """``dumpsys battery``."""
    battery = state.battery
    faked = "  (UPDATES STOPPED -- use 'reset' to restart)\n" if battery.faked else ""
    return (
        "Current Battery Service state:\n"
        f"{faked}"
        f"  AC powered: {_bool(battery.charger == 'ac')}\n"
        f"  USB powered: {_bool(battery.charger == 'usb')}\n"
        f"  Wireless powered: {_bool(battery.charger == 'wireless')}\n"
        "  Dock powered: false\n"
        f"  Max charging current: {1900000 if battery.plugged else 0}\n"
        f"  Max charging voltage: {12000000 if battery.plugged else 0}\n"
        f"  Charge counter: {battery.charge_counter}\n"
        f"  status: {battery.status}\n"
        f"  health: {battery.health}\n"
        "  present: true\n"
        f"  level: {battery.level}\n"
        "  scale: 100\n"
        f"  voltage: {battery.voltage}\n"
        f"  temperature: {battery.temperature}\n"
        f"  technology: {battery.technology}\n"
    )


def power(state: PhoneState, args: Sequence[str]) -> str:
    """``dumpsys power``: state, settings, wake locks and the battery saver's state machine."""
    battery, power = state.battery, state.power
    awake = power.wakefulness == "Awake"
    timeout = state.settings.integer("system", "screen_off_timeout", 60000)
    threshold = state.settings.integer("global", "low_power_trigger_level", 0)
    uptime = round(state.clock.uptime().total_seconds() * 1000)
    return (
        "POWER MANAGER (dumpsys power)\n\n"
        "Power Manager State:\n"
        "  Settings power_manager_constants:\n"
        "    no_cached_wake_locks=true\n"
        "  mDirty=0x0\n"
        f"  mWakefulness={power.wakefulness}\n"
        "  mWakefulnessChanging=false\n"
        f"  mIsPowered={_bool(battery.plugged)}\n"
        f"  mPlugType={PLUG_NUMBER[battery.charger]}\n"
        f"  mBatteryLevel={battery.level}\n"
        "  mDreamsBatteryLevelDrain=0\n"
        "  mDockState=0\n"
        "  mStayOn=false\n"
        "  mProximityPositive=false\n"
        "  mBootCompleted=true\n"
        "  mSystemReady=true\n"
        f"  mBatteryLevelLow={_bool(battery.level <= LOW_LEVEL)}\n"
        "  mLightDeviceIdleMode=false\n"
        "  mDeviceIdleMode=false\n"
        "  mLowPowerStandbyActive=false\n"
        f"  mLastWakeTime={max(0, uptime - 60000)} (60000 ms ago)\n"
        f"  mHoldingDisplaySuspendBlocker={_bool(awake)}\n\n"
        "Settings and Configuration:\n"
        f"  mScreenOffTimeoutSetting={timeout}\n"
        "  mSleepTimeoutSetting=-1\n"
        f"  mStayOnWhilePluggedInSetting={state.settings.integer('global', 'stay_on_while_plugged_in', 0)}\n"
        "  mScreenBrightnessMinimum=0.0\n"
        "  mScreenBrightnessMaximum=1.0\n\n"
        "Sleep timeout: -1 ms\n"
        f"Screen off timeout: {timeout} ms\n"
        "Screen dim duration: 7000 ms\n\n"
        "Wake Locks: size=0\n\n"
        "Suspend Blockers: size=2\n"
        "  PowerManagerService.WakeLocks: ref count=0 []\n"
        f"  PowerManagerService.Display: ref count={int(awake)} []\n\n"
        "Display Power: com.android.server.power.PowerManagerService$1@529e95c\n\n"
        "Battery saving stats:\n"
        f"  Battery Saver is currently: {'ON' if power.saver else 'OFF'}\n"
        "    Times full enabled: 0\n"
        "  \n"
        "Battery saver state machine:\n"
        f"  Enabled={_bool(power.saver)}\n"
        f"    full={_bool(power.saver)}\n"
        "    adaptive=false\n"
        f"  mIsPowered={_bool(battery.plugged)}\n"
        f"  mBatteryLevel={battery.level}\n"
        f"  mIsBatteryLevelLow={_bool(battery.level <= LOW_LEVEL)}\n"
        "  mSettingAutomaticBatterySaver=0\n"
        f"  mSettingBatterySaverEnabled={_bool(power.saver)}\n"
        f"  mSettingBatterySaverTriggerThreshold={threshold}\n"
    )


def deviceidle(state: PhoneState, args: Sequence[str]) -> str:
    """``dumpsys deviceidle``: the lines after the allow lists; ``whitelist [+PACKAGE|-PACKAGE]`` are those lists."""
    if args[:1] == ["whitelist"]:
        return _allow_list(state, args[1:])
    awake = state.power.wakefulness == "Awake"
    return (
        "  Settings:\n"
        "    light_after_inactive_to=+4m0s0ms\n"
        "  mLightEnabled=true  mDeepEnabled=true\n"
        "  mForceIdle=false\n"
        f"  mScreenOn={_bool(awake)}\n"
        f"  mScreenLocked={_bool(state.power.locked)}\n"
        f"  mNetworkConnected={_bool(state.network.online)}\n"
        f"  mCharging={_bool(state.battery.plugged)}\n"
        "  activeEmergencyCall=false\n"
        "  mMotionActive=false\n"
        f"  mState={'ACTIVE' if awake else 'INACTIVE'} mLightState={'ACTIVE' if awake else 'INACTIVE'}\n"
        "  mInactiveTimeout=+30m0s0ms\n"
    )


def _allow_list(state: PhoneState, args: Sequence[str]) -> str:
    """Apps that may run while the phone idles (AOSP DeviceIdleController.java, ``onShellCommand``)."""
    if not args:
        own = ("android", "com.android.shell")
        system = [f"system,{name},{state.apps.uid(name)}\n" for name in own]
        user = [f"user,{name},{state.apps.uid(name)}\n" for name in state.power.idle_allowed]
        return "".join(system + user)
    rows = []
    for word in args:
        sign, name = word[:1], word[1:]
        if state.apps.find(name) is None or sign not in ("+", "-"):
            rows.append(f"Unknown package: {name}\n")
            continue
        state.power.allow_idle(name, on=sign == "+")
        rows.append(f"{'Added' if sign == '+' else 'Removed'}: {name}\n")
    return "".join(rows)


def meminfo(state: PhoneState, args: Sequence[str]) -> str:
    """``dumpsys meminfo``: the totals (AOSP ActivityManagerService.dumpApplicationMemoryUsage)."""
    sizes = {
        name: int(value.split()[0])
        for name, value in (row.split(":") for row in state.files.read("/proc/meminfo").read().decode().splitlines())
    }
    total, free = sizes["MemTotal"], sizes["MemAvailable"]
    up = round(1000 * state.clock.uptime().total_seconds())
    return (
        f"Applications Memory Usage (in Kilobytes):\nUptime: {up} Realtime: {up}\n\n"
        f"Total RAM: {total:,}K (status normal)\n Free RAM: {free:,}K\n Used RAM: {total - free:,}K\n"
    )


def display(state: PhoneState, args: Sequence[str]) -> str:
    """``dumpsys display``."""
    on = "ON" if state.power.wakefulness == "Awake" else "OFF"
    shown = state.display
    brightness = state.settings.integer("system", "screen_brightness", 102) / 255
    return (
        "DISPLAY MANAGER (dumpsys display)\n"
        "  mViewports=[DisplayViewport{type=INTERNAL, valid=true, isActive=true, displayId=0, "
        "uniqueId='local:4619827259835644672', physicalPort=0, orientation=0, "
        f"logicalFrame=Rect(0, 0 - {shown.width}, {shown.height}), "
        f"physicalFrame=Rect(0, 0 - {shown.width}, {shown.height}), deviceWidth={shown.width}, "
        f"deviceHeight={shown.height}}}]\n"
        "Display Devices: size=1\n"
        '  DisplayDeviceInfo{"Built-in Screen": uniqueId="local:4619827259835644672", '
        f"{shown.width} x {shown.height}, modeId 1, density {shown.density}, touch INTERNAL, rotation 0, "
        f"type INTERNAL, state {on}, FLAG_DEFAULT_DISPLAY}}\n"
        "Display Power Controller:\n"
        "  mDisplayId=0\n"
        f"    mBrightnessState={brightness:.9g}\n"
        f"  mScreenState={on}\n"
    )


def surface_flinger(state: PhoneState, args: Sequence[str]) -> str:
    """``dumpsys SurfaceFlinger [--display-id]``: the display; in full with the graphics driver (AOSP RenderEngine)."""
    shown = 'Display 4619827259835644672 (HWC display 0): port=0 pnpId=GGL displayName="Common Panel"\n'
    if "--display-id" in args:
        return shown
    driver = "ARM, Mali-G715, OpenGL ES 3.2 v1.r38p1-01eac0"
    return f"Display identification data:\n{shown}\n ------------RE GLES------------\nGLES: {driver}\n"


def input_devices(state: PhoneState, args: Sequence[str]) -> str:
    """``dumpsys input``: the touch panel and the viewport (capture: xiaomi-pad6-hyperos2-a14)."""
    shown = state.display
    frame = f"[0, 0, {shown.width}, {shown.height}]"
    return (
        "INPUT MANAGER (dumpsys input)\n\n"
        "Input Manager State:\n  Interactive: " + _bool(state.power.wakefulness == "Awake") + "\n"
        "Event Hub State:\n  Devices:\n"
        "    3: touchscreen\n      Classes: TOUCH | TOUCH_MT\n      Path: /dev/input/event2\n      Enabled: true\n"
        "Input Reader State (Nums of device: 1):\n"
        "  Device 2: touchscreen\n    Sources: TOUCHSCREEN\n    Motion Ranges:\n"
        f"      X: source=TOUCHSCREEN, min=0.000, max={shown.width - 1}.000, flat=0.000, fuzz=0.000\n"
        f"      Y: source=TOUCHSCREEN, min=0.000, max={shown.height - 1}.000, flat=0.000, fuzz=0.000\n"
        "    Touch Input Mapper (mode - DIRECT):\n"
        f"      Viewport INTERNAL: displayId=0, uniqueId=local:4619827259835644672, port=0, "
        f"orientation={shown.rotation}, logicalFrame={frame}, physicalFrame={frame}, "
        f"deviceSize=[{shown.width}, {shown.height}], isActive=[1]\n"
        "Input Dispatcher State:\n  DispatchEnabled: true\n  DispatchFrozen: false\n  FocusedDisplayId: 0\n"
    )


def color_display(state: PhoneState, args: Sequence[str]) -> str:
    """``dumpsys color_display`` (ColorDisplayService.dumpInternal); a vendor's own night light is not part of it."""
    own = state.build.night_light.source
    night = (
        "    Not available\n" if own else f"    Activated: {_bool(state.display.night_light)}\n    Color temp: 2850\n"
    )
    return (
        "COLOR DISPLAY MANAGER dumpsys (color_display)\n"
        f"Night display:\n{night}"
        "Global saturation:\n    Activated: false\n"
        "Display white balance:\n    Not available\n"
    )


def uimode(state: PhoneState, args: Sequence[str]) -> str:
    """``dumpsys uimode``."""
    number = state.display.night_number
    return (
        "Current UI Mode Service state:\n"
        "  mDockState=0 mLastBroadcastState=0\n"
        f"  mNightMode={number} ({state.display.night}) mNightModeOverride={number}\n"
        f"  mComputedNightMode={_bool(state.display.dark)}\n"
    )


def _pending(state: PhoneState, due: datetime, entry: StoredAlarm) -> str:
    record = _alarm_record(state, due, f"{entry.identifier + 0xA1A:x}", CLOCK_APP, _ALARM_TAG)
    return (
        f"{record}      Alarm clock:\n        triggerTime={due:%Y-%m-%d %H:%M:%S}.000\n        showIntent="
        f"PendingIntent{{{{{entry.identifier + 0xB1B:x}: PendingIntentRecord{{{{"
        f"{entry.identifier + 0xC1C:x} {CLOCK_APP} startActivity}}}}}}}}\n"
    )


def _held_by_system(state: PhoneState, due: datetime, clock: SystemAlarmClock) -> str:
    record = _alarm_record(state, due, "12d673c", clock.package, clock.tag)
    return (
        f"{record}      Alarm clock:\n        triggerTime={due:%Y-%m-%d %H:%M:%S}.000\n        showIntent="
        f"PendingIntent{{{{a316cc5: PendingIntentRecord{{{{9d6eb4 {clock.package} startService}}}}}}}}\n"
    )


def _alarm_record(state: PhoneState, due: datetime, record: str, package: str, tag: str) -> str:
    """One pending alarm; its place in the list is left as ``{number}``."""
    elapsed = round((state.clock.uptime() + (due - state.clock.wall())).total_seconds() * 1000)
    return (
        f"    RTC_WAKEUP #{{number}}: Alarm{{{{{record} type 0 origWhen {round(due.timestamp() * 1000)}"
        f" whenElapsed {elapsed} {package}}}}}\n"
        f"      tag={tag}\n"
        f"      type=RTC_WAKEUP origWhen={due:%Y-%m-%d %H:%M:%S}.000 window=0 exactAllowReason=policy_permission"
        " repeatInterval=0 count=0 flags=0x3\n"
    )


def alarm(state: PhoneState, args: Sequence[str]) -> str:
    """``dumpsys alarm``: the clock line, the next alarm clock and the pending alarms of the clock app."""
    now = state.clock.wall()
    moment = state.alarms.next_clock()
    clock = ""
    if moment is not None:
        milliseconds = round(moment.timestamp() * 1000)
        clock = (
            f"    user:0 pendingSend:false time:{milliseconds} = {moment:%Y-%m-%d %H:%M:%S}.000"
            f" = {duration(moment - now)}\n"
        )
    rows = [(due, _pending(state, due, entry)) for due, entry in state.alarms.upcoming()]
    system = state.alarms.next_of_system()
    rows += [(system[0], _held_by_system(state, *system))] if system else []
    pending = "".join(text.format(number=number) for number, (_, text) in enumerate(sorted(rows), start=1))
    up = round(state.clock.uptime().total_seconds() * 1000)
    return (
        "Current Alarm Manager state:\n"
        "  Settings:\n"
        "    version=2 \n"
        "    min_futurity=+5s0ms\n"
        "  \n"
        f"  nowRTC={round(now.timestamp() * 1000)}={now:%Y-%m-%d %H:%M:%S}.{now.microsecond // 1000:03d} "
        f"nowELAPSED={up}\n"
        "  \n"
        "  Next alarm clock information: \n"
        f"{clock}"
        "  \n"
        f"  {len(rows)} pending alarms: \n"
        f"{pending}"
    )
