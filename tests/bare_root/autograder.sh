#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The autograder zip, as Gradescope uses it, in a root that has Python 3 and nothing else: setup.sh once, then run_autograder for
# an answer, a file that nobody has touched, and rubbish. A chroot allows no namespaces, so the wall is B. Needs root,
# debootstrap and a network (root.sh). It takes what git has of HEAD.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
suite=${1:-}
. tests/bare_root/root.sh

rm -rf "$root/autograder"
mkdir -p "$root/autograder/source"
scripts/workbook grade --autograder "$root/autograder/grader.zip" --stages 1
(cd "$root/autograder/source" && python3 -c 'import os, zipfile
archive = zipfile.ZipFile("../grader.zip")
for info in archive.infolist():
    os.chmod(archive.extract(info), 0o755 if info.is_dir() or info.external_attr >> 16 & 0o100 else 0o644)')

time type_command /autograder source/setup.sh

# try_file WORD FILE SCORE: what Gradescope gets for this file.
try_file() {
  rm -rf "$root/autograder/submission" "$root/autograder/results"
  mkdir -p "$root/autograder/submission/stages/stage01"
  cp "$2" "$root/autograder/submission/stages/stage01/todo.cu"
  time type_command /autograder source/run_autograder
  python3 - "$root/autograder" "$1" "$3" <<'CHECK'
import json, sys
folder, word, score = sys.argv[1:]
results = json.load(open(f"{folder}/results/results.json"))
found = sum(test["score"] for test in results["tests"])
level = json.load(open(f"{folder}/grades/wall.json"))["level"]
print(f"== {word}: {found:g} points behind wall {level}")
if found != float(score) or level != "B":
    sys.exit(f"autograder.sh: {word} must have {score} points behind wall B")
CHECK
}
printf 'this is no C++\n' >"$root/autograder/rubbish.cu"
try_file answer answers/stage01/solution.cu 10
try_file untouched stages/stage01/todo.cu 0
try_file rubbish "$root/autograder/rubbish.cu" 0
echo "== the autograder has graded as it must"
