"""mvt: its parsers of what a phone answers, each given the answer of the virtual phone."""

from bench.clients.call import Call, Client, returned, shown
from bench.clients.phone import packages
from virtual_phone import PhoneState

_START = """
import subprocess
from mvt.android.artifacts.dumpsys_packages import DumpsysPackagesArtifact
from mvt.android.artifacts.getprop import GetProp
from mvt.android.artifacts.mounts import Mounts
from mvt.android.artifacts.processes import Processes
def out(command):
    return subprocess.run([adb, "-s", serial, "shell", command], capture_output=True, text=True, timeout=30).stdout
def packages_of(text):
    return parsed(DumpsysPackagesArtifact(), text)
def section(service):
    return DumpsysPackagesArtifact.extract_dumpsys_section(out("dumpsys"), f"DUMP OF SERVICE {service}:")
def parsed(artifact, text):
    artifact.parse(text)
    return artifact.results
"""


def _processes(state: PhoneState) -> list[str]:
    return sorted(state.apps.running())


CLIENT = Client(
    "mvt", "2026.10.26", "python", ("mvt==2026.10.26",), _START,
    (
        Call("{x['name']: x['value'] for x in parsed(GetProp(), out('getprop'))}",
             shown(lambda state: state.identity.all_properties())),
        Call("sorted(x['command'] for x in parsed(Processes(), out('ps -A')))", shown(_processes)),
        Call("all(x['pid'] > 0 for x in parsed(Processes(), out('ps -A')))", returned(True)),
        Call("len(parsed(Mounts(), out('mount'))) > 5", returned(True)),
        Call("sorted(x['package_name'] for x in parsed(DumpsysPackagesArtifact(), out('dumpsys package')))",
             shown(packages)),
        Call("sorted(x['package_name'] for x in packages_of(section('package')))", shown(packages)),
        Call("section('battery').split()[0]", returned("Current")),
        Call("{x['package_name']: x['version_name'] for x in packages_of(out('dumpsys package'))}",
             shown(lambda state: {entry.package: entry.version_name for entry in state.apps.packages})),
        Call("[x['app_id'] for x in parsed(DumpsysPackagesArtifact(), out('dumpsys package com.whatsapp'))]",
             shown(lambda state: [state.apps.uid("com.whatsapp")])),
        Call("[x['is_read_write'] for x in parsed(Mounts(), out('mount')) if x['mount_point'] in ('/', '/data')]",
             returned([False, True])),
    ),
)  # fmt: skip
