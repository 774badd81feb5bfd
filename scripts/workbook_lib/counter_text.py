# SPDX-License-Identifier: MIT
"""The counters of the answers (scripts/measured/h200.json) as Markdown, for the README and common/counters.md."""

from __future__ import annotations

import math
import statistics
import textwrap
from typing import Dict, List, Sequence

from .markdown import stage_link, stage_list, table
from .results import count_warps
from .stages import Stage

WIDTH = 130
LADDER_HEAD = (
    "stage",
    "idea",
    "global load sectors a request",
    "shared bank conflicts",
    "barriers a block",
    "warp instructions an element",
)
SUMMED = ("global_load_sectors", "global_load_requests", "shared_bank_conflicts", "warp_instructions")


def ladder(data: Dict[str, object], stages: Sequence[Stage]) -> str:
    """One row a stage: what the simulator counts."""
    rows = [LADDER_HEAD]
    measured = [stage for stage in stages if stage.name in data["stages"]]
    for stage in measured:
        launches = data["stages"][stage.name]["simulator"]
        sectors, requests, conflicts, instructions = (sum(launch[name] for launch in launches) for name in SUMMED)
        rows.append(
            [
                stage_link(stage.number),
                stage.title,
                f"{sectors / requests:.2f}" if requests else "-",
                f"{conflicts:,}",
                f"{launches[0]['barriers'] / count_warps(launches[0]):.0f}",
                f"{instructions / data['size']:.2f}",
            ]
        )
    return f"{table(rows)}\n\n{data['size']:,} elements, {threads_a_block(data, measured)}."


def threads_a_block(data: Dict[str, object], stages: Sequence[Stage]) -> str:
    """ "256 threads a block, 1,024 in stages 07 and 08": from the first launch of each."""
    blocks = {stage.number: math.prod(data["stages"][stage.name]["simulator"][0]["block"]) for stage in stages}
    usual = statistics.mode(blocks.values())
    others: Dict[int, List[int]] = {}
    for number, threads in blocks.items():
        if threads != usual:
            others.setdefault(threads, []).append(number)
    words = [f"{usual:,} threads a block"]
    return ", ".join(words + [f"{threads:,} in {stage_list(numbers)}" for threads, numbers in others.items()])


def answers(data: Dict[str, object]) -> str:
    """What arbitration adds to shared memory's wavefronts; all else is equal, which compare_gpu checks."""
    launches = [
        (f"{name}, {number}", gpu["shared_wavefronts"], simulator["shared_wavefronts"], simulator["grid"][0])
        for name, stage in data["stages"].items()
        for number, (gpu, simulator) in enumerate(zip(stage["gpu"], stage["simulator"]), 1)
    ]
    rows = [["launch", "blocks", "wavefronts that the accesses need", "counted by the GPU", "added"]]
    for launch, counted, needed, blocks in launches:
        if counted != needed:
            added = f"{counted - needed:,} ({100 * (counted - needed) / needed:.1f} %)"
            rows.append([launch, f"{blocks:,}", f"{needed:,}", f"{counted:,}", added])
    text = (
        f"{data['size']:,} floats on an {data['device']}, {len(launches)} launches. Requests and sectors of global "
        f"memory are equal in all of them, shared memory's wavefronts in {len(launches) - len(rows) + 1}. In the others "
        "many blocks share an SM, and the GPU counts wavefronts that arbitration adds, each of them as a bank conflict:"
    )
    return "\n".join([*textwrap.wrap(text, WIDTH), "", table(rows)])
