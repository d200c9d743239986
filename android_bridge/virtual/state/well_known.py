"""Package names that several domains know."""

CALENDAR_APP = "com.google.android.calendar"
CLOCK_APP = "com.google.android.deskclock"
DIALER_APP = "com.google.android.dialer"
LAUNCHER_APP = "com.google.android.apps.nexuslauncher"
MESSAGING_APP = "com.google.android.apps.messaging"
SHELL_APP = "com.android.shell"
SYSTEM_UI = "com.android.systemui"
