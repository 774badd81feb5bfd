#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Proves that each answer does what its stage is about, not only that its sum is right: read off the simulator's counters,
which depend on no clock. Runs on the simulator whatever device the other tests use.

Usage: must_hold.py SIMULATOR_FOLDER STAGE=PROGRAM..."""

from __future__ import annotations

import math
import sys
from pathlib import Path
from typing import Callable, Dict, List, Tuple

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))
from workbook_lib import programs, simulator  # noqa: E402  (its folder has just been put on the path)

SIZE, BLOCK_SIZE, WARP = 1_048_576, 256, 32  # the course notes' size: 4096 blocks, then 16, then 1
# By the number of extents: as many elements, or multiply-adds. Matrices are cut into the stage's own blocks.
OPTIONS = {
    1: ("--size", str(SIZE), "--block-size", str(BLOCK_SIZE)),
    2: ("--size", "1024x1024"),
    3: ("--size", "128x256x32"),  # whole tiles of every stage
}
SECTOR_FLOATS = 8  # 32 bytes


class Run:
    """What the simulator counted in one answer."""

    def __init__(self, launches: List[Dict]) -> None:
        self.launches = launches
        self.first = launches[0]["counters"]
        self.blocks = [math.prod(launch["grid"]) for launch in launches]

    def total(self, counter: str) -> int:
        return sum(launch["counters"][counter] for launch in self.launches)

    def barriers_per_block(self) -> float:
        """Of the first launch; a barrier is counted once for each warp that executes it."""
        warps = math.ceil(math.prod(self.launches[0]["block"]) / WARP)
        return self.first["barriers"] / (self.blocks[0] * warps)


def reads_each_element_once(run: Run) -> bool:
    """In whole sectors and full warps: no sector is fetched twice, and every request is coalesced."""
    return (
        run.first["global_load_sectors"] == SIZE // SECTOR_FLOATS and run.first["global_load_requests"] == SIZE // WARP
    )


def moves_each_element_once(run: Run, bytes_a_lane: int) -> bool:
    """Loads and stores, in requests of full warps and in whole sectors."""
    requests, sectors = SIZE * 4 // bytes_a_lane // WARP, SIZE // SECTOR_FLOATS
    counted = [run.first[f"global_{way}_{unit}"] for way in ("load", "store") for unit in ("requests", "sectors")]
    return len(run.launches) == 1 and counted == [requests, sectors, requests, sectors]


def writes_partial_sums_only(run: Run) -> bool:
    return all(launch["counters"]["global_store_requests"] == launch["grid"][0] for launch in run.launches)


def adds_atomically(run: Run, requests: int, additions: int) -> bool:
    """Lanes that add to the same address count as a sector each: they are done one after the other."""
    return (
        run.total("atomic_requests") == run.total("global_reduction_requests") == requests
        and run.total("global_reduction_sectors") == additions
    )


def loads(run: Run) -> Tuple[int, int]:
    """Requests and sectors."""
    return run.first["global_load_requests"], run.first["global_load_sectors"]


def stores(run: Run) -> Tuple[int, int]:
    return run.first["global_store_requests"], run.first["global_store_sectors"]


def stores_c_once(run: Run) -> bool:
    return stores(run) == (128 * 256 // WARP, 128 * 256 // SECTOR_FLOATS)


def reads_the_matrix_once(run: Run, of_x: float) -> bool:
    """A product of a matrix and a vector: besides the matrix's own sectors, 16 a request, at most that share of them."""
    requests, sectors = loads(run)
    return SIZE // SECTOR_FLOATS <= sectors <= SIZE // SECTOR_FLOATS * (1 + of_x) and requests <= 2 * SIZE // 4 // WARP * (1 + of_x)


# Stage, what must hold, and how it is seen. `runs` also holds the stages before, for comparison.
RULES: List[Tuple[str, str, Callable[[Dict[str, Run]], bool]]] = [
    ("stage01", "is relaunched until one value is left: 4096, 16 and 1 blocks",
     lambda runs: runs["stage01"].blocks == [4096, 16, 1]),
    ("stage01", "uses no shared memory", lambda runs: runs["stage01"].total("shared_requests") == 0),
    ("stage02", "uses no shared memory", lambda runs: runs["stage02"].total("shared_requests") == 0),
    ("stage02", "has no filter: at most a quarter of stage 01's divergent branches",
     lambda runs: runs["stage02"].total("divergent_branches") * 4 <= runs["stage01"].total("divergent_branches")),
    ("stage03", "reads each element from global memory once", lambda runs: reads_each_element_once(runs["stage03"])),
    ("stage03", "writes nothing but partial sums to global memory",
     lambda runs: writes_partial_sums_only(runs["stage03"])),
    ("stage04", "reads each element from global memory once", lambda runs: reads_each_element_once(runs["stage04"])),
    ("stage04", "has no bank conflict", lambda runs: runs["stage04"].total("shared_bank_conflicts") == 0),
    ("stage04", "lets whole warps drop out: at most five divergent steps a block, in its last warp",
     lambda runs: runs["stage04"].first["divergent_branches"] <= 6 * runs["stage04"].blocks[0]),
    ("stage05", "is coarsened: at least twice as few blocks as numbers / block size",
     lambda runs: runs["stage05"].blocks[0] * 2 * BLOCK_SIZE <= SIZE),
    ("stage05", "loads coalesced, and each element once", lambda runs: reads_each_element_once(runs["stage05"])),
    ("stage05", "has no bank conflict", lambda runs: runs["stage05"].total("shared_bank_conflicts") == 0),
    ("stage06", "loads coalesced, and each element once", lambda runs: reads_each_element_once(runs["stage06"])),
    ("stage06", "has no barrier in the last warp: six levels, six barriers fewer than stage 05",
     lambda runs: runs["stage05"].barriers_per_block() - runs["stage06"].barriers_per_block() >= 6),
    ("stage07", "is one launch", lambda runs: len(runs["stage07"].launches) == 1),
    ("stage07", "has one barrier a block", lambda runs: runs["stage07"].barriers_per_block() == 1),
    ("stage07", "loads 16 bytes a thread, each number once, and each partial sum once",
     lambda runs: runs["stage07"].first["global_load_requests"] == SIZE // WARP // 4 + runs["stage07"].blocks[0] // WARP
     and runs["stage07"].first["global_load_sectors"] == (SIZE + runs["stage07"].blocks[0]) // SECTOR_FLOATS),
    ("stage08", "is one launch", lambda runs: len(runs["stage08"].launches) == 1),
    ("stage08", "has one barrier a block", lambda runs: runs["stage08"].barriers_per_block() == 1),
    ("stage08", "loads 16 bytes a thread, each number once, and each block's count, mean and squares once",
     lambda runs: runs["stage08"].first["global_load_requests"]
     == SIZE // WARP // 4 + 3 * math.ceil(runs["stage08"].blocks[0] / WARP)),
    ("stage09", "is one launch of one thread an interval",
     lambda runs: runs["stage09"].blocks == [SIZE // BLOCK_SIZE]),
    ("stage09", "adds each term to one double by an atomic: a request a warp, with 32 additions in each",
     lambda runs: adds_atomically(runs["stage09"], SIZE // WARP, SIZE)),
    ("stage09", "uses no shared memory", lambda runs: runs["stage09"].total("shared_requests") == 0),
    ("stage10", "is one launch of one thread an interval",
     lambda runs: runs["stage10"].blocks == [SIZE // BLOCK_SIZE]),
    ("stage10", "has one atomic addition a block",
     lambda runs: adds_atomically(runs["stage10"], SIZE // BLOCK_SIZE, SIZE // BLOCK_SIZE)),
    ("stage10", "has one barrier a block", lambda runs: runs["stage10"].barriers_per_block() == 1),
    ("stage11", "starts a grid for the device, far smaller than the intervals need",
     lambda runs: runs["stage11"].blocks[0] * 3 <= runs["stage10"].blocks[0]),
    ("stage11", "has one atomic addition a block",
     lambda runs: adds_atomically(runs["stage11"], runs["stage11"].blocks[0], runs["stage11"].blocks[0])),
    ("stage11", "executes at most half of stage 10's instructions",
     lambda runs: runs["stage11"].total("warp_instructions") * 2 <= runs["stage10"].total("warp_instructions")),
    ("stage12", "moves each element once, 16 bytes a lane", lambda runs: moves_each_element_once(runs["stage12"], 16)),
    ("stage12", "uses no shared memory", lambda runs: runs["stage12"].total("shared_requests") == 0),
    ("stage13", "loads coalesced, and each element once", lambda runs: reads_each_element_once(runs["stage13"])),
    ("stage13", "stores each element into a sector of its own",
     lambda runs: runs["stage13"].first["global_store_sectors"] == SIZE),
    ("stage13", "uses no shared memory", lambda runs: runs["stage13"].total("shared_requests") == 0),
    ("stage14", "loads and stores coalesced, each element once",
     lambda runs: moves_each_element_once(runs["stage14"], 4)),
    ("stage14", "reads a column of the tile out of one bank: 32 passes a load",
     lambda runs: runs["stage14"].first["shared_load_wavefronts"]
     == WARP * runs["stage14"].first["shared_load_requests"]),
    ("stage15", "loads and stores coalesced, each element once",
     lambda runs: moves_each_element_once(runs["stage15"], 4)),
    ("stage15", "has no bank conflict", lambda runs: runs["stage15"].total("shared_bank_conflicts") == 0),
    ("stage15", "asks as often for shared memory as stage 14",
     lambda runs: runs["stage15"].total("shared_requests") == runs["stage14"].total("shared_requests")),
    ("stage16", "moves each element once, 16 bytes a lane", lambda runs: moves_each_element_once(runs["stage16"], 16)),
    ("stage16", "has no bank conflict", lambda runs: runs["stage16"].total("shared_bank_conflicts") == 0),
    ("stage16", "executes at most a quarter of stage 15's instructions",
     lambda runs: runs["stage16"].total("warp_instructions") * 4 <= runs["stage15"].total("warp_instructions")),
    ("stage17", "reads one element of A and 32 of B in each step: 1 and 4 sectors",
     lambda runs: loads(runs["stage17"]) == (2 * SIZE // WARP, 5 * SIZE // WARP)),
    ("stage17", "stores each element of C once, coalesced", lambda runs: stores_c_once(runs["stage17"])),
    ("stage17", "uses no shared memory", lambda runs: runs["stage17"].total("shared_requests") == 0),
    ("stage18", "reads global memory once in 32 terms, coalesced",
     lambda runs: loads(runs["stage18"]) == (2 * SIZE // 32 // WARP, 8 * SIZE // 32 // WARP)),
    ("stage18", "stores each element of C once, coalesced", lambda runs: stores_c_once(runs["stage18"])),
    ("stage18", "waits twice a tile", lambda runs: runs["stage18"].barriers_per_block() == 2 * 32 // 32),
    ("stage18", "reads shared memory twice a term", lambda runs: runs["stage18"].first["shared_load_requests"] * WARP == 2 * SIZE),
    ("stage18", "has no bank conflict", lambda runs: runs["stage18"].total("shared_bank_conflicts") == 0),
    ("stage19", "reads shared memory once in four multiply-adds",
     lambda runs: runs["stage19"].first["shared_load_requests"] * WARP == SIZE // 4),
    ("stage19", "reads global memory once in 128 terms, in full sectors",
     lambda runs: runs["stage19"].first["global_load_sectors"] == 2 * SIZE // 128 // SECTOR_FLOATS),
    ("stage19", "stores each element of C once, in full sectors",
     lambda runs: runs["stage19"].first["global_store_sectors"] == 128 * 256 // SECTOR_FLOATS),
    ("stage19", "has no bank conflict", lambda runs: runs["stage19"].total("shared_bank_conflicts") == 0),
    ("stage19", "executes at most two fifths of stage 18's instructions",
     lambda runs: runs["stage19"].total("warp_instructions") * 5 <= runs["stage18"].total("warp_instructions") * 2),
    ("stage20", "reads shared memory as four vectors for 64 multiply-adds",
     lambda runs: runs["stage20"].first["shared_load_requests"] * WARP == 4 * SIZE // 64),
    ("stage20", "loads and stores global memory 16 bytes a lane, in full sectors",
     lambda runs: loads(runs["stage20"]) == (2 * SIZE // 128 // 4 // WARP, 2 * SIZE // 128 // SECTOR_FLOATS)
     and stores(runs["stage20"]) == (128 * 256 // 4 // WARP, 128 * 256 // SECTOR_FLOATS)),
    ("stage20", "has no bank conflict", lambda runs: runs["stage20"].total("shared_bank_conflicts") == 0),
    ("stage20", "waits twice in 8 terms", lambda runs: runs["stage20"].barriers_per_block() == 2 * 32 // 8),
    ("stage20", "executes at most four fifths of stage 19's instructions",
     lambda runs: runs["stage20"].total("warp_instructions") * 5 <= runs["stage19"].total("warp_instructions") * 4),
    ("stage21", "reads shared memory as six vectors for 128 multiply-adds, once more a warp, and once for each element of C",
     lambda runs: runs["stage21"].first["shared_load_requests"] == 6 * (SIZE // 128 // WARP + 8) + 128 * 256 // WARP),
    ("stage21", "reads A once in 256 terms, and B once in 128, in full sectors",
     lambda runs: runs["stage21"].first["global_load_sectors"] == (SIZE // 256 + SIZE // 128) // SECTOR_FLOATS),
    ("stage21", "stores each element of C once, coalesced", lambda runs: stores_c_once(runs["stage21"])),
    ("stage21", "has no bank conflict where it reads", lambda runs: runs["stage21"].first["shared_load_bank_conflicts"] == 0),
    ("stage21", "waits once in 8 terms, once before, and twice for each of 8 rows of C",
     lambda runs: runs["stage21"].barriers_per_block() == 32 // 8 + 1 + 2 * 8),
    ("stage24", "is one launch", lambda runs: len(runs["stage24"].launches) == 1),
    ("stage24", "reads the matrix once, 16 bytes a lane in full sectors, and of x at most as much",
     lambda runs: reads_the_matrix_once(runs["stage24"], of_x=1)),
    ("stage24", "stores each element of y once", lambda runs: stores(runs["stage24"]) == (1024, 1024)),
    ("stage24", "has no bank conflict", lambda runs: runs["stage24"].total("shared_bank_conflicts") == 0),
    ("stage25", "is one launch", lambda runs: len(runs["stage25"].launches) == 1),
    ("stage25", "reads the matrix once, 16 bytes a lane in full sectors, and of all else at most a fourth",
     lambda runs: reads_the_matrix_once(runs["stage25"], of_x=1 / 4)),
]  # fmt: skip


def run(program: str, simulator_folder: str) -> Run:
    environment = simulator.environment(Path(simulator_folder), "")
    extents = programs.describe(Path(program), environment)["sizes"]
    options = OPTIONS[len(extents)]
    ending = programs.Run([program, *options], environment, time_limit=100).to_its_end()
    if ending.status != 0:
        sys.exit(f"{program} {' '.join(options)} ended with {ending.status}: {ending.error}")
    return Run(ending.counted["launches"])


def main() -> int:
    programs = dict(argument.split("=", 1) for argument in sys.argv[2:])
    if absent := sorted({stage for stage, _, _ in RULES} - set(programs)):
        print(f"there is no answer of {', '.join(absent)} to hold to its rules")
        return 1
    runs = {stage: run(program, sys.argv[1]) for stage, program in programs.items()}
    broken = [f"{stage} {what}: does not hold" for stage, what, holds in RULES if not holds(runs)]
    unproven = sorted(set(programs) - {stage for stage, _, _ in RULES})
    broken += [f"{stage}: say in {Path(__file__).name} what it must show" for stage in unproven]
    for stage, each in runs.items():
        print(f"{stage}: {each.blocks} blocks, {each.barriers_per_block():g} barriers a block; first launch {each.first}")
    print("\n".join(broken) if broken else f"all {len(RULES)} hold")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
