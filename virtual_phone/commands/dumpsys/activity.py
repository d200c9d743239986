"""Dumps of activities, windows and the input method."""

from collections.abc import Sequence

from virtual_phone.state import PhoneState
from virtual_phone.state.apps import RunningActivity, Task
from virtual_phone.state.well_known import LAUNCHER_APP

_SHADE_WINDOW = "Window{1651cd4 u0 NotificationShade}"


def _bool(value: bool) -> str:
    return "true" if value else "false"


def record(activity: RunningActivity, task: Task) -> str:
    """``ActivityRecord{hash u0 package/.Class t12}``."""
    return f"ActivityRecord{{{activity.hash} u0 {activity.component} t{task.identifier}}}"


def _asleep(state: PhoneState) -> bool:
    return state.power.wakefulness != "Awake"


def activity(state: PhoneState, args: Sequence[str]) -> str:
    """``dumpsys activity [activities|top|recents|processes|services|intents]``."""
    section = next((word for word in args if not word.startswith("-")), "activities")
    if section in ("activities", "a"):
        return activities(state)
    if section == "top":
        return _top(state)
    if section in ("recents", "r"):
        return _recents(state)
    if section in ("processes", "p", "lru"):
        return _processes(state)
    return f"ACTIVITY MANAGER {section.upper()} (dumpsys activity {section})\n  (nothing)\n"


def activities(state: PhoneState) -> str:
    """The task stack, the resumed activity and the focused window."""
    tasks = state.apps.tasks
    front, task = state.apps.foreground, tasks[0]
    asleep = _asleep(state)
    shown = record(front, task)
    resumed = (
        "" if asleep else f"  Resumed activities in task display areas (from top to bottom):\n    Resumed: {shown}\n\n"
    )
    return (
        "ACTIVITY MANAGER ACTIVITIES (dumpsys activity activities)\n"
        "Display #0 (activities from top to bottom):\n"
        + "".join(_task_lines(state, task, asleep) for task in tasks)
        + f"{resumed}"
        + f"  ResumedActivity: {shown}\n\n"
        + "ActivityTaskSupervisor state:\n"
        + f"  topDisplayFocusedRootTask={_task_name(state, task)}\n"
        + "  Display: mDisplayId=0 (organized)\n"
        + f"    init={state.display.width}x{state.display.height} {state.display.density}dpi\n"
        + f"  mCurrentFocus={_focus(state)}\n"
        + f"  mFocusedApp={shown}\n\n"
        + _keyguard(state)
    )


def _task_name(state: PhoneState, task: Task) -> str:
    uid = state.apps.uid(task.affinity)
    kind = "home" if task.affinity == LAUNCHER_APP else "standard"
    return f"Task{{{task.hash} #{task.identifier} type={kind} A={uid}:{task.affinity}}}"


def _task_lines(state: PhoneState, task: Task, asleep: bool) -> str:
    top = task is state.apps.tasks[0]
    visible = _bool(top and not asleep)
    size = len(task.activities)
    name = _task_name(state, task).removesuffix("}")
    lines = [
        f"  * {name} U=0 visible={visible} visibleRequested={visible} mode=fullscreen "
        f"translucent={_bool(not top)} sz={size}}}",
        f"    isSleeping={_bool(asleep)}",
    ]
    if top and not asleep:
        lines.append(f"    topResumedActivity={record(task.activities[-1], task)}")
    for index in reversed(range(size)):
        activity = task.activities[index]
        lines.append(f"        Hist  #{index}: {record(activity, task)}")
        lines.append(f"      {activity.intent.describe(secure=False)}")
        pid, uid = state.apps.pid(activity.package), state.apps.uid(activity.package)
        lines.append(f"      ProcessRecord{{{task.hash} {pid}:{activity.package}/u0a{max(0, uid - 10000)}}}")
    return "\n".join(lines) + "\n\n"


def _window(activity: RunningActivity) -> str:
    return f"Window{{{activity.hash[::-1]} u0 {activity.package}/{activity.full_class}}}"


def _focus(state: PhoneState) -> str:
    if state.power.locked or state.panel == "shade":
        return _SHADE_WINDOW
    return "null" if _asleep(state) else _window(state.apps.foreground)


def _keyguard(state: PhoneState) -> str:
    showing = _bool(state.power.locked)
    return (
        "  KeyguardController:\n"
        f"    mKeyguardShowing={showing}\n"
        f"    mAodShowing={_bool(_asleep(state))}\n"
        "    mKeyguardGoingAway=false\n"
        f"   KeyguardShowing={showing} AodShowing={_bool(_asleep(state))} KeyguardGoingAway=false"
        " DismissalRequested=false  Occluded=false\n"
    )


def _top(state: PhoneState) -> str:
    front, task = state.apps.foreground, state.apps.tasks[0]
    return (
        f"TASK {state.apps.uid(task.affinity)}:{task.affinity} id={task.identifier} userId=0\n"
        f"  ACTIVITY {front.component} {front.hash} pid={state.apps.pid(front.package)}\n"
        "    Local Activity State:\n"
        "      mResumed=true mStopped=false mFinished=false\n"
    )


def _recents(state: PhoneState) -> str:
    rows = (
        f"  * Recent #{number}: {_task_name(state, task)}\n"
        f"    realActivity={{{task.activities[0].component}}}\n"
        f"    taskId={task.identifier} rootTaskId={task.identifier}\n"
        for number, task in enumerate(state.apps.tasks)
    )
    return "ACTIVITY MANAGER RECENT TASKS (dumpsys activity recents)\nmRecentTasks:\n" + "".join(rows)


def _processes(state: PhoneState) -> str:
    rows = (
        f"    Proc #{number}: {'fg' if number == 0 else 'cch'}     F/A/TOP  trm: 0 "
        f"{state.apps.pid(name)}:{name}/u0a1 (top-activity)\n"
        for number, name in enumerate(reversed(state.apps.running()))
    )
    records = "".join(
        f"  *APP* UID {state.apps.uid(name)} ProcessRecord{{{state.apps.pid(name):07x} {state.apps.pid(name)}:{name}/"
        f"u0a{max(0, state.apps.uid(name) - 10000)}}}\n"
        for name in state.apps.running()
    )
    begin = "ACTIVITY MANAGER RUNNING PROCESSES (dumpsys activity processes)\n"
    return f"{begin}  All known processes:\n{records}\n  Process LRU list:\n" + "".join(rows)


def window(state: PhoneState, args: Sequence[str]) -> str:
    """``dumpsys window [windows|displays|policy]``; ``windows`` has no focus line since Android 12."""
    section = args[0] if args else ""
    if section in ("windows", "w"):
        return _windows(state)
    if section in ("displays", "d"):
        return _displays(state)
    if section in ("policy", "p"):
        return _policy(state)
    return _policy(state) + "\n" + _displays(state) + "\n" + _windows(state)


def _windows(state: PhoneState) -> str:
    fronts = [task.activities[-1] for task in state.apps.tasks]
    secure = [(spec := state.apps.spec(front.component)) is not None and spec.secure for front in fronts]
    windows = [(_SHADE_WINDOW, False), *zip(map(_window, fronts), secure, strict=True)]
    rows = "".join(
        f"  Window #{number} {name}:\n    mDisplayId=0\n"
        "    mAttrs={(0,0)(fillxfill) sim={adjust=pan} ty=BASE_APPLICATION wanim=0x10302fe\n"
        f"      fl=LAYOUT_IN_SCREEN {'SECURE ' * protected}HARDWARE_ACCELERATED}}\n"
        f"    isOnScreen={_bool(number < 2)}\n    isVisible={_bool(number == 1)}\n"
        for number, (name, protected) in enumerate(windows)
    )
    target = _window(state.apps.foreground)
    ime = "".join(f"  {name} in display# 0 {target}\n" for name in ("imeLayeringTarget", "imeInputTarget"))
    return f"WINDOW MANAGER WINDOWS (dumpsys window windows)\n{rows}\n{ime}  mTopFocusedDisplayId=0\n"


def _displays(state: PhoneState) -> str:
    shown = state.display
    return (
        "WINDOW MANAGER DISPLAY CONTENTS (dumpsys window displays)\n"
        "  Display: mDisplayId=0 (organized)\n"
        f"    init={shown.width}x{shown.height} {shown.density}dpi cur={shown.width}x{shown.height}"
        f" app={shown.width}x{shown.height}\n"
        f"  mCurrentFocus={_focus(state)}\n"
        f"  mFocusedApp={record(state.apps.foreground, state.apps.tasks[0])}\n"
    )


def _policy(state: PhoneState) -> str:
    locked, asleep = _bool(state.power.locked), _asleep(state)
    return (
        "WINDOW MANAGER POLICY STATE (dumpsys window policy)\n"
        f"    mAwake={_bool(not asleep)} mScreenOnEarly={_bool(not asleep)} mScreenOnFully={_bool(not asleep)}\n"
        f"    mShowingDream=false mDreamingLockscreen={_bool(asleep and state.power.locked)}\n"
        "    KeyguardServiceDelegate\n"
        f"      showing={locked}\n"
        f"      secure={_bool(state.power.secure_lock)}\n"
        f"    isKeyguardShowing={locked}\n"
        f"    screenState={'SCREEN_STATE_OFF' if asleep else 'SCREEN_STATE_ON'}\n"
        f"    interactiveState={'INTERACTIVE_STATE_SLEEP' if asleep else 'INTERACTIVE_STATE_AWAKE'}\n"
    )


def input_method(state: PhoneState, args: Sequence[str]) -> str:
    """``dumpsys input_method``: the chosen method and whether the keyboard shows."""
    field = state.apps.foreground.focus
    shown = _bool(bool(field))
    kind = "0x81" if field == "password" else "0x1"
    editor = f"  mInputEditorInfo:\n    inputType={kind} imeOptions=0x6 privateImeOptions=null\n" if field else ""
    return (
        "Current Input Method Manager state:\n"
        "  Input Methods: mMethodMapUpdateCount=1\n"
        f"  mCurMethodId={state.keyboard.current}\n"
        f"  mShowRequested={shown} mShowExplicitlyRequested=false mShowForced=false mInputShown={shown}\n"
        f"  mInputShown={shown}\n"
        f"{editor}"
        "Input method client state for the current client:\n"
        f"  mIsInputViewShown={shown} mStatusIcon=0\n"
    )
