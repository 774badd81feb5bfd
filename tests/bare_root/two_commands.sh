#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Types the two commands of README.md in a root that has Python 3 and nothing else, without a terminal. Needs root,
# debootstrap and a network (root.sh).
#
#   tests/bare_root/two_commands.sh                  the suite of this machine
#   tests/bare_root/two_commands.sh bookworm -L contract    another suite; what follows goes to `scripts/workbook test`
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

suite=${1:-}
shift || true
. tests/bare_root/root.sh

mkdir -p "$root/workbook"
git ls-files -z --cached --others --exclude-standard | tar --create --null --files-from - | tar --extract --directory "$root/workbook"

time type_command /workbook scripts/workbook run
time type_command /workbook scripts/workbook test "$@"
echo "== both commands have passed"
