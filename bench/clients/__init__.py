"""Outside clients, unmodified, as judges of the virtual phone: ``python -m bench.clients``."""

from bench.clients import (
    adb_shell,
    adbkit,
    airtest,
    androidtv,
    androidviewclient,
    appium_adb,
    knowu,
    mobile_mcp,
    mobilerun,
    mvt,
    pure_python_adb,
    scrcpy,
)

CLIENTS = (
    pure_python_adb.CLIENT,
    adb_shell.CLIENT,
    androidtv.CLIENT,
    androidviewclient.CLIENT,
    *adbkit.CLIENTS,
    appium_adb.CLIENT,
    airtest.CLIENT,
    mobilerun.CLIENT,
    mobile_mcp.CLIENT,
    mvt.CLIENT,
    knowu.CLIENT,
    scrcpy.CLIENT,
)
