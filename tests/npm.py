"""Programs from npm's registry, for tests against outside clients."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

_INSTALLING = 150
"""Seconds that npm may take."""
_CERTIFICATES = Path("/etc/ssl/certs/ca-certificates.crt")


def install(package: str, folder: Path) -> Path:
    """``package``, like ``name@1.0``, in ``folder``; where npm cannot bring it, the test is skipped with the reason."""
    if not shutil.which("node") or not shutil.which("npm"):
        pytest.skip(f"{package} needs node and npm")
    command = ["npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix", str(folder), package]
    # Node brings certificates of its own; a registry behind a proxy is known by those of the machine.
    certificates = {"NODE_EXTRA_CA_CERTS": str(_CERTIFICATES)} if _CERTIFICATES.exists() else {}
    environment = {**certificates, **os.environ}
    try:
        subprocess.run(command, check=True, capture_output=True, timeout=_INSTALLING, cwd=folder, env=environment)
    except subprocess.CalledProcessError as error:
        pytest.skip(f"npm could not install {package}: {error.stderr.decode(errors='replace')[-300:]}")
    except subprocess.TimeoutExpired as error:
        pytest.skip(f"npm could not install {package}: {error}")
    return folder / "node_modules" / package.rpartition("@")[0]
