"""Every program on the phone's PATH, one module per family."""

from collections.abc import Mapping

from virtual_phone.commands import (
    am,
    app_process,
    builtins,
    cmd,
    content,
    dumpsys,
    files,
    logcat,
    pm,
    screen,
    settings,
    system,
    text,
)
from virtual_phone.shell.call import Program

PROGRAMS: Mapping[str, Program] = {
    **builtins.PROGRAMS,
    **text.PROGRAMS,
    **files.PROGRAMS,
    **system.PROGRAMS,
    **settings.PROGRAMS,
    **content.PROGRAMS,
    **am.PROGRAMS,
    **pm.PROGRAMS,
    **cmd.PROGRAMS,
    **dumpsys.PROGRAMS,
    **logcat.PROGRAMS,
    **screen.PROGRAMS,
    **app_process.PROGRAMS,
}
