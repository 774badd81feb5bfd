#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The simulator's words (common/simulator/base/vocabulary.inc) and the texts that list them say the same.

scripts/README.md lists the checks, and has a row for each setting as vocabulary.inc has it; the report's format names each check and
each kind of finding; and every environment variable CUDASIM_... that a text, a script or the simulator itself names is one of the
settings.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "scripts"))
from workbook_lib.simulator import vocabulary  # noqa: E402

NAMED = {
    "*.md": re.compile(r"CUDASIM_[A-Z_]+[A-Z]"),
    "*.py": re.compile(r"\bCUDASIM_[A-Z_]+[A-Z]"),
    "*.cpp": re.compile(r"\"(CUDASIM_[A-Z_]+[A-Z])"),
    "*.cu": re.compile(r"CUDASIM_[A-Z_]+[A-Z](?==)"),
}
FOLDERS = ("answers", "common", "scripts", "stages", "tests")


def problems():
    page = (ROOT / "scripts" / "README.md").read_text(encoding="utf-8")
    for setting in vocabulary.SETTINGS:
        row = f"| `{setting.variable}={setting.value}` | {setting.meaning} |"
        if row not in page:
            yield f"scripts/README.md lacks this row of the settings: {row}"
    checks = [check.word for check in vocabulary.CHECKS]
    if vocabulary.listed(", ") not in page:
        yield f"scripts/README.md does not list the words of --check: {vocabulary.listed(', ')}"
    report = (ROOT / "common" / "simulator" / "report" / "FORMAT.md").read_text(encoding="utf-8")
    for check in checks:
        if f"`{check}`" not in report:
            yield f"common/simulator/report/FORMAT.md does not name the check '{check}'"
    for finding in vocabulary.FINDINGS:
        if f"`{finding.word}`" not in report:
            yield f"common/simulator/report/FORMAT.md does not name the kind '{finding.word}'"
    known = {setting.variable for setting in vocabulary.SETTINGS}
    build = (ROOT / "common" / "simulator" / "CMakeLists.txt").read_text(encoding="utf-8")
    known.update(re.findall(r"^\s*(?:set|option)\((CUDASIM_[A-Z_]+)\b", build, re.MULTILINE))  # CMake's own
    for pattern, named in NAMED.items():
        for path in [*ROOT.glob(pattern), *(path for folder in FOLDERS for path in sorted((ROOT / folder).rglob(pattern)))]:
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
