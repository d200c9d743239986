"""Every program on the phone's PATH, one module per family, as far as the phone's build accepts it."""

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
    monkey,
    network,
    pm,
    refusals,
    screen,
    sed,
    service,
    settings,
    system,
    text,
)
from virtual_phone.shell.call import Program

_ALL: Mapping[str, Program] = {
    **builtins.PROGRAMS,
    **text.PROGRAMS,
    **sed.PROGRAMS,
    **files.PROGRAMS,
    **system.PROGRAMS,
    **settings.PROGRAMS,
    **content.PROGRAMS,
    **am.PROGRAMS,
    **monkey.PROGRAMS,
    **pm.PROGRAMS,
    **cmd.PROGRAMS,
    **dumpsys.PROGRAMS,
    **logcat.PROGRAMS,
    **screen.PROGRAMS,
    **network.PROGRAMS,
    **service.PROGRAMS,
    **app_process.PROGRAMS,
}
PROGRAMS: Mapping[str, Program] = {name: refusals.checked(program) for name, program in _ALL.items()}
