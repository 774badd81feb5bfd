#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# usage: no_weak_symbols.sh LEVEL OBJECT...
# The meanings of instructions are compiled once for each vector level. A weak (mergeable) symbol in such an object that
# does not belong to its level could replace the same function of the rest of the program, and then run wide
# instructions on a CPU that has none. This fails when there is one, and when an object has no symbols at all.
set -u
if [ $# -lt 2 ]; then
  echo "usage: $0 LEVEL OBJECT..." >&2
  exit 2
fi
level=$1
shift
status=0
for object in "$@"; do
  symbols=$(nm -C "$object") || exit 2
  if ! grep -q "cudasim::$level::" <<<"$symbols"; then
    echo "$object: no symbol of cudasim::$level; is this the right level?" >&2
    status=1
  fi
  # A template's name begins with its return type, so the namespace may stand anywhere. Symbols of the sanitizers,
  # DW.ref.* and the personality routine are not code of ours.
  strangers=$(grep -E ' [WVu] ' <<<"$symbols" | grep -v "cudasim::$level::" | grep -vE ' (DW\.ref\.|__(asan|ubsan|tsan)_)')
  if [ -n "$strangers" ]; then
    echo "$object: symbols that the linker could merge with code of other levels:" >&2
    echo "$strangers" >&2
    status=1
  fi
done
exit $status
