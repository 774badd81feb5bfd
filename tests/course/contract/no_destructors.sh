#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# usage: no_destructors.sh LIBRARY...
# The simulator works until the very end of a program: static objects of the program call it from their destructors, and
# late kernels run behind these. An object of its own that is destroyed before is used all the same. This fails when the
# library registers such a destructor, of a static or a thread_local object.
set -u
if [ $# -eq 0 ]; then
  echo "usage: $0 LIBRARY..." >&2
  exit 2
fi
for library in "$@"; do
  symbols=$(nm -D "$library") || exit 2
  if ! grep -q ' U dl' <<<"$symbols"; then
    echo "$library: it loads nothing; is this a library of the simulator?" >&2
    exit 1
  fi
  registrations=$(grep -E ' U (__cxa_atexit|__cxa_thread_atexit|__cxa_thread_atexit_impl|atexit)(@|$)' <<<"$symbols")
  if [ -n "$registrations" ]; then
    echo "$library registers destructors of its own objects:" >&2
    echo "$registrations" >&2
    exit 1
  fi
done
