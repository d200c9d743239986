"""Package names that several domains know."""

CLOCK_APP = "com.google.android.deskclock"
DIALER_APP = "com.google.android.dialer"
LAUNCHER_APP = "com.google.android.apps.nexuslauncher"
MAIL_APP = "com.google.android.gm"
MESSAGING_APP = "com.google.android.apps.messaging"
SHELL_APP = "com.android.shell"
SYSTEM_UI = "com.android.systemui"
