# SPDX-License-Identifier: MIT
"""The zip that Gradescope takes as an autograder: the course as git has it, without answers, and two scripts. The secret
seed is no part of it: the machine draws it when Gradescope makes its image."""

from __future__ import annotations

import io
import shlex
import subprocess
import zipfile
from pathlib import Path
from typing import Optional, Sequence

from ...base.errors import WorkbookError

CLASS = "class.toml"
LEFT_OUT = ("answers",)
SETUP = """\
#!/usr/bin/env bash
# Runs once, when Gradescope makes the image: installs what is missing, builds the course, and tries the wall.
set -euo pipefail
home=${AUTOGRADER:-/autograder}
if [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null; then
  apt-get -q update >/dev/null
  DEBIAN_FRONTEND=noninteractive apt-get -q install --yes --no-install-recommends python3 python3-pip bubblewrap >/dev/null
fi
mkdir -p "$home/nobody/nobody"
# Nobody has handed in anything. This draws the secret seed, which stays in the image.
"$home/source/scripts/workbook" grade "$home/nobody" @OPTIONS@ --out "$home/grades" --jobs 1
"""
RUN = """\
#!/usr/bin/env bash
# Runs for each submission. Without results.json Gradescope says that the autograder has failed, and gives no points: so a
# fault of the grader is never a zero.
set -euo pipefail
home=${AUTOGRADER:-/autograder}
mkdir -p "$home/results"
rm -rf "$home/graded"
mkdir "$home/graded"
cp -R --no-dereference "$home/submission" "$home/graded/student"
"$home/source/scripts/workbook" grade "$home/graded" @OPTIONS@ --out "$home/grades" --jobs 1 --export gradescope
cp "$home/grades/exports/gradescope/student.json" "$home/results/results.json.new"
mv "$home/results/results.json.new" "$home/results/results.json"
"""


def write(root: Path, target: Path, rules: Optional[Path], stages: Sequence[str]) -> str:
    """Returns a sentence."""
    words = ["--class", f"$home/source/{CLASS}"] if rules else []
    typed = " ".join([*(f'"{word}"' if "$" in word else shlex.quote(word) for word in words), *(["--stages", *map(shlex.quote, stages)] if stages else [])])
    left_out = [f":(exclude){name}" for name in LEFT_OUT]
    done = subprocess.run(["git", "archive", "--format=zip", "HEAD", "--", ".", *left_out], cwd=root, capture_output=True)
    if done.returncode:
        raise WorkbookError(f"the autograder is made of a git checkout: {done.stderr.decode(errors='replace').strip()}")
    whole = io.BytesIO(done.stdout)
    with zipfile.ZipFile(whole, "a", zipfile.ZIP_DEFLATED) as archive:
        for name, text in (("setup.sh", SETUP), ("run_autograder", RUN)):
            info = zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0))
            info.external_attr = 0o100755 << 16
            archive.writestr(info, text.replace("@OPTIONS@", typed))
        if rules:
            archive.writestr(zipfile.ZipInfo(CLASS, (2020, 1, 1, 0, 0, 0)), without_seed(rules))
    target.write_bytes(whole.getvalue())
    changed = subprocess.run(["git", "status", "--porcelain", "--", ".", *left_out], cwd=root, capture_output=True, text=True).stdout
    note = ". Changes that are not committed are not in it" if changed.strip() else ""
    return f"{target}: {len(whole.getvalue()) >> 20} MB{note}"


def without_seed(rules: Path) -> str:
    """The class file. A seed that it names would leave with the zip."""
    text = rules.read_text(encoding="utf-8-sig")
    return "".join(line for line in text.splitlines(keepends=True) if not line.replace('"', "").strip().startswith("seed"))
