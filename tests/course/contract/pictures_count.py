#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What scripts/workbook show draws is what the simulator counts. All blocks of a small case of each answer are recorded. The
recorded sectors, wavefronts and requests add up to the kernels' counters. The addresses that are drawn touch as many
sectors as were counted, and there is a row for each pass.

Usage: pictures_count.py SIMULATOR stage01=PROGRAM ...
"""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "scripts"))
from workbook_lib.access import access_picture, access_trace  # noqa: E402
from workbook_lib.access.access_trace import ATOMIC, GLOBAL, LOAD, SHARED, STORE  # noqa: E402
from workbook_lib.simulator import programs, simulator  # noqa: E402

SIZES = {1: "2000", 2: "72x40", 3: "40x24x48"}  # by extents: small, and divided by no block
MOST_BLOCKS = 80


def counted(ending, name):
    return sum(kernel["counters"][name] for kernel in ending.counted["kernels"])


def problems(program, folder):
    described = programs.describe(program, simulator.environment(folder, ""))
    size = SIZES[len(described["sizes"])]
    events, idle, blocks, block = [], {}, 1, 0
    while block < blocks:
        ending, launches = access_trace.record(program, folder, ["--size", size], block)
        if ending.status:
            yield f"--size {size}: {ending.error or ending.messages}"
            return
        blocks = max(launch.grid[0] * launch.grid[1] * launch.grid[2] for launch in launches)
        if blocks > MOST_BLOCKS or any(launch.left_out for launch in launches):
            yield f"{blocks} blocks, {[launch.left_out for launch in launches]} left out: choose a smaller case"
            return
        events += [event for launch in launches for event in launch.events]
        for launch in launches:
            for action, requests in launch.idle.items():
                idle[action] = idle.get(action, 0) + requests
        block += 1
    for action in (LOAD, STORE):
        here = [event for event in events if (event.memory, event.action) == (GLOBAL, action)]
        yield from differs(f"global_{action}_requests", len(here), ending)
        yield from differs(f"global_{action}_sectors", sum(event.sectors for event in here), ending)
    for action in (LOAD, STORE, ATOMIC):
        here = [event for event in events if (event.memory, event.action) == (SHARED, action)]
        requests = sum(event.counted_bytes != 0 and not event.in_rows for event in here) + idle.get(action, 0)
        yield from differs(f"shared_{action}_requests", requests, ending)
        yield from differs(f"shared_{action}_wavefronts", sum(event.wavefronts for event in here), ending)
        conflicts = sum(event.wavefronts - event.least_wavefronts for event in here)
        yield from differs(f"shared_{action}_bank_conflicts", conflicts, ending)
    atomics = sum(event.sectors for event in events if (event.memory, event.action) == (GLOBAL, ATOMIC))
    if atomics != counted(ending, "global_atomic_sectors") + counted(ending, "global_reduction_sectors"):
        yield f"{atomics} sectors of atomics are recorded"
    for event in events:
        rows = access_picture.rows_by_address(event)
        drawn = sum(row.cells[first : first + 8].strip() != "" for row in rows for first in range(0, 32, 8))
        if event.memory == GLOBAL and event.action != ATOMIC and drawn != event.sectors:
            yield f"line {event.line}: {drawn} sectors are drawn, {event.sectors} counted"
        if event.memory == SHARED and len(access_picture.passes(event)) != event.wavefronts:
            yield f"line {event.line}: there is no row for each of {event.wavefronts} passes"


def differs(name, recorded, ending):
    if recorded != counted(ending, name):
        yield f"{name}: {recorded} recorded, {counted(ending, name)} counted"


def main(words):
    folder, status = Path(words[0]), 0
    for stage, _, program in (word.partition("=") for word in words[1:]):
        for problem in dict.fromkeys(problems(Path(program), folder)):
            print(f"{stage}: {problem}")
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
