#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The simulator's words (common/simulator/base/vocabulary.inc) and the texts that list them say the same.

README.md lists the checks, and has a row for each setting as vocabulary.inc has it; the report's format names each check and
each kind of finding; and every environment variable CUDASIM_... that a text, a script or the simulator itself names is one of the
settings.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
from workbook_lib import words  # noqa: E402

NAMED = {
    "*.md": re.compile(r"CUDASIM_[A-Z_]+[A-Z]"),
    "*.py": re.compile(r"\bCUDASIM_[A-Z_]+[A-Z]"),
    "*.cpp": re.compile(r"\"(CUDASIM_[A-Z_]+[A-Z])"),
    "*.cu": re.compile(r"CUDASIM_[A-Z_]+[A-Z](?==)"),
}
ROOMS = ("answers", "common", "scripts", "stages", "tests")


def problems():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for setting in words.SETTINGS:
        row = f"| `{setting.variable}={setting.value}` | {setting.meaning} |"
        if row not in readme:
            yield f"README.md lacks this row of the settings: {row}"
    checks = [check.word for check in words.CHECKS]
    if words.listed(", ") not in readme:
        yield f"README.md does not list the words of --check: {words.listed(', ')}"
    report = (ROOT / "common" / "simulator" / "report" / "FORMAT.md").read_text(encoding="utf-8")
    for check in checks:
        if f"`{check}`" not in report:
            yield f"common/simulator/report/FORMAT.md does not name the check '{check}'"
    for finding in words.FINDINGS:
        if f"`{finding.word}`" not in report:
            yield f"common/simulator/report/FORMAT.md does not name the kind '{finding.word}'"
    known = {setting.variable for setting in words.SETTINGS}
    build = (ROOT / "common" / "simulator" / "CMakeLists.txt").read_text(encoding="utf-8")
    known.update(re.findall(r"^\s*(?:set|option)\((CUDASIM_[A-Z_]+)\b", build, re.MULTILINE))  # CMake's own
    for pattern, named in NAMED.items():
        for path in [*ROOT.glob(pattern), *(path for room in ROOMS for path in sorted((ROOT / room).rglob(pattern)))]:
            if path.resolve() == Path(__file__).resolve():
                continue
            for variable in sorted(set(named.findall(path.read_text(encoding="utf-8"))) - known):
                yield f"{path.relative_to(ROOT)} names {variable}, which is no setting in common/simulator/base/vocabulary.inc"


def main() -> int:
    found = list(problems())
    for problem in found:
        print(problem)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
