"""Installed packages and the task stack."""

from typing import Literal

from pydantic import Field

from virtual_phone.builds import Quirk
from virtual_phone.state.intents import CLEAR_TASK, EXTRA_STREAM, GRANT_READ, HOME, LAUNCHER, MAIN, NEW_TASK, Intent
from virtual_phone.state.packages import FIRST_APP_UID, ActivitySpec, InstalledPackage, data_folder, protected_folder
from virtual_phone.state.part import StatePart
from virtual_phone.state.record import StateRecord
from virtual_phone.state.sqlite_files import made_by
from virtual_phone.state.well_known import LAUNCHER_APP, SYSTEM_UI

READ_IMAGES = "android.permission.READ_MEDIA_IMAGES"
SENDTO = "android.intent.action.SENDTO"
_SMS_SCHEMES = ("sms", "smsto", "mms", "mmsto")
_LEAST_TEXT = 2
"""Characters below which an editor does not overwrite a file by itself (Markor,
``TEXTFILE_OVERWRITE_MIN_TEXT_LENGTH``)."""
RESOLVER = "android/com.android.internal.app.ResolverActivity"


class RunningActivity(StateRecord):
    """A running activity; ``fields`` holds what the owner typed or chose on it."""

    identifier: int
    component: str
    screen: str
    intent: Intent
    fields: dict[str, str] = Field(default_factory=dict)
    focus: str = ""
    """The focused text field."""
    selected: bool = False
    """Whether its whole text is selected."""
    scroll: int = 0
    """Pixels by which its content is scrolled up."""

    @property
    def package(self) -> str:
        return self.component.partition("/")[0]

    @property
    def full_class(self) -> str:
        """The class with its package."""
        package, _, name = self.component.partition("/")
        return package + name if name.startswith(".") else name

    @property
    def flat(self) -> str:
        """The component with its class in full (``ComponentName.flattenToString``)."""
        return f"{self.package}/{self.full_class}"

    @property
    def hash(self) -> str:
        """The record's identity hash, as dumps print it."""
        return f"{(self.identifier * 2654435761) & 0xFFFFFFF:x}"


class Task(StateRecord):
    """A task: activities from the bottom up."""

    identifier: int
    affinity: str
    activities: list[RunningActivity]

    @property
    def hash(self) -> str:
        return f"{(self.identifier * 40503 + 77) & 0xFFFFFFF:x}"


class ResolveError(Exception):
    """An intent that starts nothing; ``kind``: ``missing`` (no such class) or ``unresolved``."""

    def __init__(self, kind: Literal["missing", "unresolved"]) -> None:
        super().__init__(kind)
        self.kind = kind


class Started(StateRecord):
    """The result of a start."""

    component: str
    launch: Literal["COLD", "WARM", "UNKNOWN (0)"]


class AppsState(StatePart):
    """Packages and tasks; the first task is in the foreground."""

    packages: list[InstalledPackage] = Field(default_factory=list)
    tasks: list[Task] = Field(default_factory=list)
    refused_uris: list[tuple[str, str]] = Field(default_factory=list)
    """Each app that was started with a content URI that it may not read, with that URI."""
    next_activity: int = 1
    next_task: int = 1

    # --- packages ---------------------------------------------------------------------------------------------
    def find(self, package: str) -> InstalledPackage | None:
        """The installed app with this package name."""
        return next((app for app in self.packages if app.package == package), None)

    def uid(self, package: str) -> int:
        """The Linux user of an app; the system's for one that is not installed."""
        app = self.find(package)
        return app.uid if app else 1000

    def pid(self, package: str) -> int:
        """A stable process id for an app."""
        return 2000 + self.uid(package) % 10000 + sum(package.encode()) % 977

    def running(self) -> list[str]:
        """Packages with a process: those with a task, and the system's own."""
        always = ["android", SYSTEM_UI, LAUNCHER_APP]
        return list(dict.fromkeys(always + [activity.package for task in self.tasks for activity in task.activities]))

    def label(self, package: str) -> str:
        """The app's name in the phone's language."""
        app = self.find(package)
        return app.label[self._phone.identity.language] if app else package

    def install(self, package: str, label: str, *, screen: str = "landing", secure: bool = False) -> InstalledPackage:
        """A new app with one activity, a plain one unless told otherwise."""
        app = InstalledPackage(
            package=package,
            label={"en": label, "zh": label},
            uid=max((app.uid for app in self.packages), default=FIRST_APP_UID) + 1,
            main=".MainActivity",
            activities={".MainActivity": ActivitySpec(screen=screen, secure=secure)},
        )
        self.packages = [other for other in self.packages if other.package != package] + [app]
        self.make_folders(app)
        self._changed()
        return app

    def make_folders(self, app: InstalledPackage) -> None:
        """Make the folders of an app's own data."""
        for folder in (data_folder(app.package), protected_folder(app.package)):
            self._phone.files.ensure_directory(folder)

    def _make_databases(self, app: InstalledPackage) -> None:
        """An app that starts makes those of its databases that are missing, as ``SQLiteOpenHelper`` does."""
        files = self._phone.files
        for path, sql in app.databases.items():
            place = f"{data_folder(app.package)}/{path}"
            if files.stat(place) is None:
                files.put(place, made_by(sql))

    def _remove_data(self, app: InstalledPackage) -> None:
        files = self._phone.files.as_root
        for folder in (data_folder(app.package), protected_folder(app.package)):
            if files.stat(folder) is not None:
                files.remove(folder, recursive=True)

    def clear_data(self, package: str) -> bool:
        """``pm clear``: stop an app and delete its data, which a provider keeps for all; False for an unknown app."""
        app = self.find(package)
        if app is None:
            return False
        self.force_stop(package)
        app.granted = []
        self._remove_data(app)
        self.make_folders(app)
        return True

    def uninstall(self, package: str) -> bool:
        """Remove an app; False for system apps and unknown ones."""
        app = self.find(package)
        if app is None or app.system:
            return False
        self.force_stop(package)
        self._remove_data(app)
        self.packages = [other for other in self.packages if other is not app]
        self._changed()
        return True

    def grant(self, package: str, permission: str, on: bool = True) -> bool:
        """Give an app a permission, or take it away; False when it is not installed."""
        app = self.find(package)
        if app is None:
            return False
        app.granted = [other for other in app.granted if other != permission] + ([permission] if on else [])
        self._changed()
        return True

    # --- resolving --------------------------------------------------------------------------------------------
    def handlers(self, intent: Intent) -> list[str]:
        """The components that handle an intent, best first; an explicit intent names its own."""
        if intent.component:
            return [intent.component] if self.spec(intent.component) else []
        if intent.action == MAIN and LAUNCHER in intent.categories:
            return [app.launcher for app in self._candidates(intent) if app.launcher]
        found: list[tuple[bool, str]] = []
        for app in self._candidates(intent):
            for name, spec in app.activities.items():
                filters = [entry for entry in spec.handles if entry.matches(intent)]
                if filters:
                    found.append((all(entry.browser for entry in filters), app.component(name)))
        specific = [component for browser, component in found if not browser]
        return self._preferred(intent, specific or [component for _, component in found])

    def _preferred(self, intent: Intent, components: list[str]) -> list[str]:
        """The default SMS app's component where it handles a message that is to be written, else all.

        Android makes it the preferred activity of these intents (``SmsApplication.java``,
        ``configurePreferredActivity``).
        """
        if intent.action != SENDTO or intent.scheme not in _SMS_SCHEMES:
            return components
        default = self._phone.settings.get("secure", "sms_default_application")
        return [name for name in components if name.partition("/")[0] == default] or components

    def _candidates(self, intent: Intent) -> list[InstalledPackage]:
        return [app for app in self.packages if app.enabled and intent.package in ("", app.package)]

    def spec(self, component: str) -> ActivitySpec | None:
        """The declaration of a component, given short or in full."""
        package, _, name = component.partition("/")
        app = self.find(package)
        if app is None:
            return None
        short = name.removeprefix(package) if name.startswith(package + ".") else name
        return app.activities.get(name) or app.activities.get(short)

    # --- the task stack ---------------------------------------------------------------------------------------
    @property
    def foreground(self) -> RunningActivity:
        """The activity in the foreground."""
        return self.tasks[0].activities[-1]

    @property
    def before(self) -> RunningActivity | None:
        """The activity below the foreground one."""
        below = [*self.tasks[0].activities[:-1][-1:], *(task.activities[-1] for task in self.tasks[1:2])]
        return below[0] if below else None

    def start(self, intent: Intent, *, reason: str = "startActivityUnchecked") -> Started:
        """Start what the intent resolves to: one handler, the chooser for several; ``ResolveError`` for none."""
        handlers = self.handlers(intent)
        if not handlers:
            raise ResolveError("missing" if intent.component else "unresolved")
        component = handlers[0] if len(handlers) == 1 else RESOLVER
        spec = self.spec(component)
        if spec is not None and spec.screen == "none":
            return Started(component=component, launch="UNKNOWN (0)")
        return self._show(component, intent, reason)

    def check_grant(self, package: str, intent: Intent) -> None:
        """Note when an app that the shell started may not read the URI in EXTRA_STREAM (``Quirk.NO_STREAM_GRANT``).

        Such a start grants the intent's data alone; an app with the permission reads pictures all the same.
        """
        stream, app = str(intent.extras.get(EXTRA_STREAM) or ""), self.find(package)
        granted = stream == intent.data and bool(intent.flags & GRANT_READ)
        permitted = app is not None and READ_IMAGES in app.granted and "/images/" in stream
        quirk = Quirk.NO_STREAM_GRANT in self._phone.build.quirks
        if not quirk or not stream.startswith("content:") or granted or permitted:
            return
        self.refused_uris = [*self.refused_uris, (package, stream)]
        exception = f"java.lang.SecurityException: {package} has no access to {stream}"
        self._phone.log.line("DatabaseUtils", f"Writing exception to parcel {exception}", "E")

    def _show(self, component: str, intent: Intent, reason: str) -> Started:
        self._pause()
        package = component.partition("/")[0]
        app = self.find(package)
        if app is not None:
            app.stopped = False
        warm = package in self.running()
        if app is not None and not warm:
            self._make_databases(app)
        spec = self.spec(component)
        activity = self._activity(component, intent, spec.screen if spec else "landing")
        task = next((task for task in self.tasks if task.affinity == package), None)
        if task is None:
            task = Task(identifier=self.next_task, affinity=package, activities=[activity])
            self.next_task += 1
        elif intent.flags & CLEAR_TASK:
            task.activities = [activity]
        elif task.activities[-1].component == component:
            task.activities[-1] = activity
        else:
            task.activities.append(activity)
        self._to_front(task, reason)
        return Started(component=component, launch="WARM" if warm else "COLD")

    def _activity(self, component: str, intent: Intent, screen: str) -> RunningActivity:
        shown = intent.model_copy(update={"component": component, "flags": intent.flags | NEW_TASK})
        activity = RunningActivity(identifier=self.next_activity, component=component, screen=screen, intent=shown)
        self.next_activity += 1
        return activity

    def _to_front(self, task: Task, reason: str) -> None:
        self.tasks = [task, *(other for other in self.tasks if other is not task)]
        self._phone.notifications.heads_up = None
        self._phone.panel = ""
        self._phone.alarms.refresh_timers()
        self._event("wm_set_resumed_activity", 0, self.foreground.component, reason)
        self._changed()

    def open(self, package: str) -> bool:
        """Start an app from the launcher (or bring its task back); False when it has no launcher entry."""
        app = self.find(package)
        if app is None or not app.launcher:
            return False
        task = next((task for task in self.tasks if task.affinity == package), None)
        if task is not None:
            self._pause()
            self._to_front(task, "resumeTopActivity")
            return True
        self._show(app.launcher, Intent(action=MAIN, categories=[LAUNCHER]), "startActivityFromRecents")
        return True

    def _pause(self) -> None:
        """The activity in front is about to be left: an editor stores its text in its file (``onPause``)."""
        if not self.tasks or not self.tasks[0].activities:
            return
        activity = self.foreground
        spec = self.spec(activity.component)
        text = activity.fields.get(spec.writes) if spec is not None and spec.writes else None
        if text is not None and len(text.strip()) >= _LEAST_TEXT:
            self.store(activity, text)

    def store(self, activity: RunningActivity, text: str) -> None:
        """Write the text of an editor into the file of its intent, unless it holds that text already."""
        files, path = self._phone.files, activity.intent.data.removeprefix("file://")
        if files.stat(path) is None or files.read(path).read().decode(errors="replace") != text:
            files.put(path, text.encode())

    def recent(self) -> list[Task]:
        """The tasks that the app switcher shows, the latest first."""
        return [task for task in self.tasks if task.affinity != LAUNCHER_APP]

    def resume(self, task: Task) -> None:
        """Bring a task to the front."""
        self._pause()
        self._to_front(task, "startActivityFromRecents")

    def dismiss(self, task: Task) -> None:
        """Remove a task; playback and notifications of its app stay."""
        self._pause()
        was_front = self.tasks[0] is task
        self.tasks = [other for other in self.tasks if other is not task]
        if was_front:
            panel = self._phone.panel
            self.home()
            self._phone.panel = panel
        self._changed()

    def home(self) -> None:
        """Bring the launcher to the front."""
        component = f"{LAUNCHER_APP}/.NexusLauncherActivity"
        self._show(component, Intent(action=MAIN, categories=[HOME]), "goHome")

    def back(self) -> None:
        """Leave the foreground activity; the launcher stays."""
        task = self.tasks[0]
        if task.affinity == LAUNCHER_APP:
            self.foreground.fields, self.foreground.focus = {}, ""
            self._changed()
            return
        self._pause()
        task.activities.pop()
        if not task.activities:
            self.tasks = self.tasks[1:]
        if not self.tasks:
            self.home()
            return
        if self.tasks[0].affinity != task.affinity:
            self.home()
            return
        self._to_front(self.tasks[0], "resumeTopActivity")

    def back_to(self, package: str) -> None:
        """Close the system's question: the app that asked is in the foreground again."""
        task = next((task for task in self.tasks if task.affinity == package), None)
        self.back()
        if task is not None:
            self._to_front(task, "resumeTopActivity")

    def choose(self, component: str) -> None:
        """The owner picks a handler in the chooser."""
        intent = self.foreground.intent
        self.tasks = [task for task in self.tasks if task.affinity != "android"]
        self._show(component, intent.model_copy(update={"component": ""}), "startActivityUnchecked")

    def type_text(self, text: str) -> bool:
        """Type into the focused field; False when there is none."""
        activity = self.foreground
        if not activity.focus:
            return False
        before = "" if activity.selected else activity.fields.get(activity.focus, "")
        activity.fields, activity.selected = {**activity.fields, activity.focus: before + text}, False
        self._changed()
        return True

    def select(self) -> None:
        """Select the whole text of the focused field."""
        self.foreground.selected = bool(self.foreground.focus)
        self._changed()

    def erase(self) -> None:
        """Delete the selected text of the focused field, or its last character."""
        activity = self.foreground
        if activity.focus:
            left = "" if activity.selected else activity.fields.get(activity.focus, "")[:-1]
            activity.fields, activity.selected = {**activity.fields, activity.focus: left}, False
            self._changed()

    def unfocus(self) -> None:
        """Take the focus from the text field."""
        self.foreground.focus, self.foreground.selected = "", False
        self._changed()

    def scroll(self, pixels: int, limit: int) -> None:
        """Scroll the foreground activity's content, down for positive numbers."""
        activity = self.foreground
        activity.scroll = max(0, min(limit, activity.scroll + pixels))
        self._changed()

    def focus(self, field: str, initial: str = "") -> None:
        """The owner touches a text field of the foreground activity."""
        activity = self.foreground
        activity.focus = field
        activity.fields = {field: initial, **activity.fields}
        self._changed()

    def set_field(self, field: str, text: str) -> None:
        """An accessibility service replaces the text of a field of the foreground activity."""
        activity = self.foreground
        activity.fields = {**activity.fields, field: text}
        self._changed()

    def force_stop(self, package: str) -> None:
        """Stop an app; its tasks, notifications and playback end."""
        app = self.find(package)
        if app is not None:
            app.stopped = True
        was_front = bool(self.tasks) and self.tasks[0].affinity == package
        self.tasks = [task for task in self.tasks if task.affinity != package]
        self._phone.notifications.cancel_all(package)
        self._phone.audio.end_session(package)
        if was_front:
            self.home()
        self._changed()

    def suspend(self, package: str, on: bool) -> bool:
        """Suspend or resume an app; False when it is not installed."""
        app = self.find(package)
        if app is None:
            return False
        app.suspended = on
        self._changed()
        return True

    def start_from_notification(self, tap: dict[str, str], package: str) -> None:
        """Open what a tap on a notification opens: its intent, or the app."""
        try:
            if tap:
                self.start(Intent.model_validate(tap))
            else:
                self.open(package)
        except ResolveError:
            self.open(package)
