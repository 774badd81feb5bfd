#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What a lesson shows below the command of a wrong kernel is what the kernel prints on the simulator. Lines may end elsewhere.

Usage: shown_output.py SIMULATOR_FOLDER STAGE=PROGRAM_OF_WRONG_KERNELS..."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Iterator

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "scripts"))
from workbook_lib import simulator  # noqa: E402  (its folder has just been put on the path)

SHOWN = re.compile(r"^ +(?:\S+=\S+ )?build/default/bin/wrong-(stage\d\d) ([^\n]*)\n+ *```\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)


def problems(folder: Path, programs: "dict[str, str]") -> Iterator[str]:
    found = [(path, shown) for path in sorted(ROOT.glob("stages/stage*/README.md")) for shown in SHOWN.findall(path.read_text(encoding="utf-8"))]
    if not found:
        yield "no lesson shows what a wrong kernel prints: this test looks for nothing"
    for lesson, (stage, options, shown) in found:
        if stage not in programs:
            continue  # a course without its answers has no wrong kernels either
        command = [programs[stage], *options.split()]
        ended = subprocess.run(command, env=simulator.environment(folder, ""), capture_output=True, text=True, timeout=100)
        printed = " ".join((ended.stdout + ended.stderr).split())
        if " ".join(shown.split()) not in printed:
            yield f"{lesson.relative_to(ROOT)} shows\n{shown}\nand wrong-{stage} {options} prints\n{ended.stdout}{ended.stderr}"


def main() -> int:
    found = list(problems(Path(sys.argv[1]), dict(word.split("=", 1) for word in sys.argv[2:])))
    print("\n".join(found) if found else "the lessons show what is printed")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
