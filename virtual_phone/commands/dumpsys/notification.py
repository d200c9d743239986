"""``dumpsys notification``: the records and the zen mode section (capture: xiaomi-pad6-hyperos2-a14)."""

from collections.abc import Sequence

from virtual_phone.state import PhoneState
from virtual_phone.state.dnd import FILTERS, NAMES
from virtual_phone.state.notifications import IMPORTANCE_NAMES, PostedNotification


def notification(state: PhoneState, args: Sequence[str]) -> str:
    """Texts show with ``--noredact`` only, else their lengths."""
    plain = "--noredact" in args
    records = "".join(_record(note, plain) for note in state.notifications.visible())
    return (
        "Current Notification Manager state:\n"
        + ("  Notification List:\n" + records if records else "")
        + "  \n  mUseAttentionLight=false\n  mHasLight=false\n"
        + _zen(state)
    )


def _zen(state: PhoneState) -> str:
    mode = state.dnd.effective
    priority = mode == "priority"
    heard = _yes(mode != "none")
    allow = f"allow(alarms={heard},media={heard},system=false,calls=true,callsFrom=stars,repeatCallers=true)"
    manual = state.dnd.mode
    rule = "null" if manual == "off" else f"ZenRule[id=manual,state=STATE_TRUE,enabled=true,zenMode={NAMES[manual]}]"
    return (
        "\n  Zen Mode:\n"
        f"    mInterruptionFilter={FILTERS[mode]}\n"
        f"    mZenMode={NAMES[mode]}\n"
        f"    mConfigs[u=0]={allow}\n"
        "      disallow(visualEffects=157)\n"
        f"      manualRule={rule}\n"
        f"{_shell_rule(state)}"
        "    mUser=0\n"
        f"    mSuppressedEffects={int(priority)}\n"
    )


def _shell_rule(state: PhoneState) -> str:
    mode = state.dnd.shell_rule
    if mode == "off":
        return ""
    return (
        f"      automaticRules[implicit_com.android.shell]=ZenRule[id=implicit_com.android.shell,state=STATE_TRUE,"
        f"enabled=true,zenMode={NAMES[mode]},pkg=com.android.shell]\n"
    )


def _yes(value: bool) -> str:
    return "true" if value else "false"


def _text(value: str | None, plain: bool) -> str:
    if value is None:
        return "null"
    return f"String ({value})" if plain else f"String [length={len(value)}]"


def _extras(note: PostedNotification, plain: bool) -> str:
    rows = {
        "android.title": _text(None if note.custom_view else note.title, plain),
        "android.reduced.images": "Boolean (true)",
        "android.subText": _text(note.sub_text, plain),
        "android.text": _text(None if note.custom_view else note.text, plain),
        "android.showWhen": "Boolean (true)",
    }
    if note.conversation is not None:
        rows["android.template"] = "String (android.app.Notification$MessagingStyle)"
        rows["android.conversationTitle"] = "null"
        rows["android.isGroupConversation"] = "Boolean (false)"
        rows["android.messages"] = f"Parcelable[] ({len(note.chat)})"
    elif note.big_text is not None:
        rows["android.template"] = "String (android.app.Notification$BigTextStyle)"
        rows["android.bigText"] = _text(note.big_text, plain)
    return "".join(f"                {key}={value}\n" for key, value in rows.items())


def _chat(note: PostedNotification) -> str:
    """Array elements, one a line, shown unredacted only (AOSP NotificationRecord.dumpNotification, android-14).

    The system has not unpacked them: the capture prints every nested bundle as its parcel's size.
    """
    sizes = (160 + 2 * (len(line.sender) + len(line.text)) for line in note.chat)
    rows = enumerate(sizes)
    return "".join(f"\n                  [{number}] Bundle[mParcelledData.dataSize={size}]" for number, size in rows)


def _record(note: PostedNotification, plain: bool) -> str:
    importance = IMPORTANCE_NAMES[note.importance]
    ticker = "null" if note.custom_view else note.text if plain else note.text[:8] + "..."
    category = f" category={note.category}" if note.category else ""
    summary = (
        f"Notification(channel={note.channel} shortcut=null contentView=null vibrate=null sound=null defaults=0x0 "
        f"flags=0x{note.flags:x} color=0x00000000{category} vis=PRIVATE)"
    )
    pending = f"PendingIntent{{7a1b56d: PendingIntentRecord{{6551bb9 {note.package} broadcastIntent}}}}"
    rows = enumerate(note.actions)
    actions = "".join(f'                [{number}] "{title}" -> {pending}\n' for number, title in rows)
    return (
        f"    NotificationRecord(0x0{note.posted & 0xFFFFFFF:07x}: pkg={note.package} user=UserHandle{{0}} "
        f"id={note.identifier} tag={note.tag or 'null'} importance={note.importance} key={note.key}: {summary})\n"
        f"      uid={note.uid} userId=0\n"
        f"      opPkg={note.package}\n"
        f"      icon=Icon(typ=RESOURCE pkg={note.package} id=0x7f080610)\n"
        f"      flags=0x{note.flags:x}\n"
        f"      originalFlags=0x{note.flags:x}\n"
        "      pri=0\n"
        f"      key={note.key}\n"
        f"      seen={_yes(note.seen)}\n"
        f"      groupKey={note.key}\n"
        "      notification=\n"
        "            fullscreenIntent=null\n"
        f"            contentIntent=PendingIntent{{8d8d397: "
        f"PendingIntentRecord{{32f6980 {note.package} startActivity}}}}\n"
        "            deleteIntent=null\n"
        "            number=0\n"
        "            groupAlertBehavior=0\n"
        f"            when={note.when}\n"
        f"            tickerText={ticker}\n"
        "            vis=0\n"
        "            color=0x00000000\n"
        "            timeout=unknown\n"
        + (f"            actions={{\n{actions}              }}\n" if actions else "")
        + "            extras={\n"
        + _extras(note, plain)
        + "            }\n"
        "      publicNotification=\n"
        "            None\n"
        f"      mImportance={importance}\n"
        "      mImportanceExplanation=app\n"
        "      mIntercept=false\n"
        "      mHidden==false\n"
        f"      mRankingTimeMs={note.posted}\n"
        f"      mCreationTimeMs={note.posted}\n"
        f"      mUpdateTimeMs={note.posted}\n"
        f"      effectiveNotificationChannel=NotificationChannel{{mId='{note.channel}', mName={note.channel_name}, "
        f"mDescription=, mImportance={note.importance}, mBypassDnd=false, mLockscreenVisibility=-1000}}\n"
    )
