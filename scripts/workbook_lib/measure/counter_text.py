# SPDX-License-Identifier: MIT
"""The counters of the answers (scripts/measured/h200.json) as Markdown, for stages/FIGURES.md and common/counters.md."""

from __future__ import annotations

import statistics
import textwrap
from typing import Dict, List, Sequence

from ..base import sizes
from ..base.markdown import stage_link, stage_list, table
from ..course.stages import Stage
from ..judge.expected_counters import count_warps

WIDTH = 130
LADDER_HEAD = (
    "stage",
    "idea",
    "sectors a load request",
    "sectors a store request",
    "shared bank conflicts",
    "barriers a block",
    "atomic updates",
    "integer divisions an element",
    "warp instructions an element",
)
ACCESSES = ("load", "store")


def plain_shared(unit: str) -> List[str]:
    """The counters of loads and stores of shared memory, without its atomics."""
    return [f"shared_{access}_{unit}" for access in ACCESSES]


ATOMICS = ("global_atomic_sectors", "global_reduction_sectors")  # lanes that update one word: a sector each


def ladder(data: Dict[str, object], stages: Sequence[Stage]) -> str:
    """The simulator's counters, one row a stage."""
    rows = [LADDER_HEAD]
    measured = [(stage, data["stages"][stage.name]) for stage in stages if stage.name in data["stages"]]
    for stage, figures in measured:
        launches = figures["simulator"]
        elements = figures["work"]["elements"]
        rows.append(
            [
                stage_link(stage.number),
                stage.title,
                *(sectors_a_request(launches, access) for access in ACCESSES),
                f"{total(launches, 'shared_bank_conflicts'):,}",
                f"{launches[0]['barriers'] / count_warps(launches[0]):.0f}",
                f"{total(launches, *ATOMICS):,}",
                *(share(total(launches, name), elements) for name in ("integer_divisions", "warp_instructions")),
            ]
        )
    shown = {stage.number: sizes.text(figures["size"]) for stage, figures in measured}
    blocks = {stage.number: block_text(figures["simulator"][0]["block"]) for stage, figures in measured}
    return f"{table(rows)}\n\n{usual_and_others(shown, 'elements')}. {usual_and_others(blocks, 'threads a block')}."


def total(launches: Sequence[Dict[str, object]], *counters: str) -> int:
    return sum(launch[counter] for launch in launches for counter in counters)


def share(count: int, elements: float) -> str:
    return f"{count / elements:.2f}" if count else "0"


def sectors_a_request(launches: Sequence[Dict[str, object]], access: str) -> str:
    sectors, requests = (total(launches, f"global_{access}_{what}") for what in ("sectors", "requests"))
    return f"{sectors / requests:.2f}" if requests else "-"


def block_text(block: Sequence[int]) -> str:
    """The text of a block: "1,024", or "32x8"."""
    threads = [extent for extent in block if extent > 1] or [1]
    return f"{threads[0]:,}" if len(threads) == 1 else "x".join(map(str, block[: len(threads)]))


def usual_and_others(values: Dict[int, str], unit: str) -> str:
    """The text of values by stage: "256 threads a block; 1,024 in stages 07 and 08"."""
    usual = statistics.mode(values.values())
    others: Dict[str, List[int]] = {}
    for number, value in values.items():
        if value != usual:
            others.setdefault(value, []).append(number)
    words = [f"{usual} {unit}"]
    return "; ".join(words + [f"{value} in {stage_list(numbers)}" for value, numbers in others.items()])


def answers(data: Dict[str, object]) -> str:
    """The stages where the GPU counts other wavefronts of shared memory. All other counters are equal, which
    compare_gpu checks."""
    launches = [
        (f"{name}, {number}", gpu["shared_wavefronts"], total([simulator], *plain_shared("wavefronts")), simulator["grid"][0])
        for name, stage in data["stages"].items()
        for number, (gpu, simulator) in enumerate(zip(stage["gpu"], stage["simulator"]), 1)
    ]
    rows = [["launch", "blocks", "wavefronts of loads and stores", "counted by the GPU", "difference"]]
    for launch, counted, needed, blocks in launches:
        if counted != needed:
            difference = f"{counted - needed:,} ({100 * (counted - needed) / needed:.1f} %)"
            rows.append([launch, f"{blocks:,}", f"{needed:,}", f"{counted:,}", difference])
    differ = [
        name
        for name, stage in data["stages"].items()
        for gpu, simulator in zip(stage["gpu"], stage["simulator"])
        if any(gpu[counter] != simulator[counter] for counter in gpu if counter.startswith("global_"))
    ]
    but = f" but {len(differ)}, of {', '.join(dict.fromkeys(differ))}; tests/gpu/counters/answers_differ.json says why" if differ else ""
    text = (
        f"{data['device']}, the answers at the sizes of their lessons, {len(launches)} launches. Requests and sectors of global "
        f"memory are equal in all of them{but}. Shared memory's wavefronts are in {len(launches) - len(rows) + 1}. In the others "
        "the GPU counts wavefronts that arbitration adds, each of them as a bank conflict; in launches whose blocks wait for each "
        "other it counts what this one run needed:"
    )
    return "\n".join([*textwrap.wrap(text, WIDTH), "", table(rows)])
