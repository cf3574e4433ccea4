"""The peers' own environment: pinned in constraints.txt, made once, and made anew when the pins change."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
from pathlib import Path

from benchmarks.measure import ROOT, child_environment, note

FOLDER = ROOT / ".bench-venv"
CONSTRAINTS = Path(__file__).with_name("constraints.txt")
PACKAGES = ("aiohttp", "inspect-ai", "openai", "orjson", "uvloop")


def peers_python() -> Path:
    """The interpreter of the peers' environment, which is installed if need be."""
    python = FOLDER / "bin" / "python"
    stamp = FOLDER / "constraints.sha256"
    wanted = hashlib.sha256(CONSTRAINTS.read_bytes()).hexdigest()
    if not stamp.exists() or stamp.read_text(encoding="ascii") != wanted:
        note("installing the peers into .bench-venv")
        shutil.rmtree(FOLDER, ignore_errors=True)
        subprocess.run([sys.executable, "-m", "venv", FOLDER], check=True)
        install: list[str | Path] = [python, "-m", "pip", "install", "--quiet", "--constraint", CONSTRAINTS, *PACKAGES]
        subprocess.run(install, check=True)
        stamp.write_text(wanted, encoding="ascii")
    return python


def versions(python: Path, packages: tuple[str, ...]) -> dict[str, str]:
    """The versions that an interpreter finds of these packages; "-" for one it has not."""
    code = (
        "import sys\nfrom importlib import metadata\n"
        "for name in sys.argv[1:]:\n"
        "    try: print(metadata.version(name))\n"
        "    except metadata.PackageNotFoundError: print('-')\n"
    )
    answer = subprocess.run(
        [python, "-c", code, *packages], check=True, capture_output=True, text=True, env=child_environment({})
    )
    return dict(zip(packages, answer.stdout.split(), strict=True))
