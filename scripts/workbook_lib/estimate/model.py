# SPDX-License-Identifier: MIT
"""The model: what limits a launch, and how long each limit alone takes. The names of parameters are those of
parameters/h200.json, which has the source of each number. The fields of `timing` are in
common/simulator/report/FORMAT.md.

The time of a launch is a p-norm of its limits: nearly the largest of them, and more where two are alike. An analytic
model of this kind is that of Hong and Kim, "An Analytical Model for a GPU Architecture with Memory-level and
Thread-level Parallelism Awareness", ISCA 2009. Here a block that is alone is simulated, and not computed."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Dict, Iterable, Mapping

from .parameters import Gpu

Report = Mapping[str, object]

SECTOR = 32  # bytes
SCHEDULERS = 4  # of a multiprocessor; each issues one instruction of a warp a cycle

# limit: its words in a sentence
LIMITS = {
    "dram": "bytes from DRAM",
    "l2": "sectors of the L2",
    "l1": "lines and sectors of the L1",
    "shared": "passes of shared memory",
    "issue": "issued instructions",
    "fp64": "arithmetic in double precision",
    "special": "special functions and conversions",
    "tensor": "the tensor cores",
    "latency": "waiting: too few independent instructions and warps",
    "blocks": "starting blocks",
    "atomics": "atomics of one address",
    "chain": "blocks that wait for each other",
    "launch": "launches and calls of the host",
}
# The limits that belong to a multiprocessor: blocks that reside together share them.
UNITS = ("issue", "fp64", "special", "tensor", "l1", "shared")

# Machine instructions of a PTX instruction, by class: a regression over the launches of the answers, whose machine instructions
# Nsight Compute has counted on an H200 (scripts/measured/traffic_h200.json). Nine in ten estimates are within 20 %.
SLOTS = {
    **{"fp32_fma": 1.0, "fp32": 1.3, "fp64": 0.9, "half": 1.0, "tensor": 0.9, "special": 1.7, "conversion": 1.0, "division": 24.0},
    **{"integer": 0.7, "integer_multiply": 1.3, "wide_integer": 1.7, "predicate": 0.9, "move": 0.15, "control": 2.0},
    **{"memory": 0.85, "shuffle": 1.3, "barrier": 1.2, "other": 1.0},
}


@dataclass(frozen=True)
class Estimate:
    """One launch."""

    limits_us: Mapping[str, float]  # each limit alone
    time_us: float

    @property
    def limit(self) -> str:
        return max(self.limits_us, key=lambda name: self.limits_us[name])


def norm(values: Iterable[float], exponent: float) -> float:
    """The p-norm: the largest for a large exponent, the sum for 1."""
    found = [value for value in values if value > 0]
    largest = max(found, default=0.0)
    return largest * sum((value / largest) ** exponent for value in found) ** (1 / exponent) if found else 0.0


def blocks(launch: Report) -> int:
    return math.prod(launch["grid"])


def units(launch: Report, gpu: Gpu) -> Dict[str, float]:
    """Cycles for which one block, a mean one, keeps each unit of a multiprocessor busy."""
    timing, counters, number = launch["timing"], launch["counters"], max(blocks(launch), 1)
    classes = timing["classes"]

    def taken(*names: str) -> float:
        """Cycles of a pipe: instructions over their rate. Source: CUDA C++ Programming Guide, arithmetic instructions."""
        return sum(classes.get(name, 0) / gpu[f"rate_{name}"] for name in names)

    issue = gpu["issue_slots"] * sum(count * SLOTS[name] for name, count in classes.items()) / SCHEDULERS
    shapes = timing.get("tensor_shapes", {})
    wavefronts = sum(counters.get(f"shared_{kind}_wavefronts", 0) for kind in ("load", "store", "atomic"))
    sectors = counters["global_load_sectors"] + counters["global_store_sectors"]
    lines = sum(timing["lines"].values())
    shared = wavefronts / gpu["shared_wavefronts"]
    # Shared memory and the L1 are one array of 128 bytes a cycle: the passes of one are lost to the other.
    level1 = max(sectors / gpu["l1_sectors"], lines / gpu["l1_lines"], timing["load_passes"] / gpu["shared_wavefronts"])
    found = {
        "issue": max(issue, taken("integer_multiply"), taken("shuffle")),
        "fp64": taken("fp64"),
        "special": taken("special", "conversion"),
        "tensor": sum(count / gpu.tensor[shape] for shape, count in shapes.items()),
        "l1": level1 + shared if level1 >= shared else 0.0,
        "shared": level1 + shared if level1 < shared else 0.0,
    }
    return {name: cycles / number for name, cycles in found.items()}


def alone(launch: Report, gpu: Gpu) -> float:
    """Cycles of a block that has its multiprocessor for itself: those of the scoreboard, and its start and end."""
    return launch["timing"]["sample"]["cycles_alone"] + gpu["block_cycles"]


def multiprocessor_cycles(launch: Report, gpu: Gpu) -> Dict[str, float]:
    """Cycles of the multiprocessor with most blocks: of each limit alone, and of all together as `all`. Blocks come in
    waves of all that can reside, and the last wave has what is left."""
    busy, lonely = units(launch, gpu), alone(launch, gpu)
    resident = max(launch["timing"]["blocks_a_multiprocessor"], 1)
    processors = int(gpu["multiprocessors"])
    waves, left = divmod(blocks(launch), processors * resident)
    last = math.ceil(left / processors)

    def together(number: int) -> float:
        return norm([lonely, *(number * cycles for cycles in busy.values())], gpu["overlap_units"]) if number else 0.0

    number = waves * resident + last
    found = {name: number * cycles for name, cycles in busy.items()}
    found["latency"] = (waves + (last > 0)) * lonely
    found["all"] = waves * together(resident) + together(last)
    return found


def l2_us(launch: Report, gpu: Gpu) -> float:
    """Sectors that the L2 gives and takes, over its rates. A sector that is written in part costs more, and so does one whose
    neighbours in the line are not asked for by the same request."""
    timing, counters = launch["timing"], launch["counters"]
    moved, lines = timing["sample"]["estimated"], timing["lines"]
    lonely = alone_in_line(counters, lines, "load")
    reads = moved["l2_read_sectors"] * ((1 - lonely) / gpu["l2_read_sectors"] + lonely / gpu["l2_random_sectors"])
    part = moved["l2_partial_sectors"] / max(moved["l2_write_sectors"], 1)
    lonely = alone_in_line(counters, lines, "store")
    rate = (1 - part) / gpu["l2_write_sectors"] + part / gpu["l2_partial_sectors"]
    writes = moved["l2_write_sectors"] * ((1 - lonely) * rate + lonely / gpu["l2_scattered_sectors"])
    updates = counters.get("global_atomic_sectors", 0) + counters.get("global_reduction_sectors", 0)
    return (reads + writes + updates / gpu["atomic_sectors"]) / gpu["clock_mhz"]


def alone_in_line(counters: Mapping[str, float], lines: Mapping[str, float], kind: str) -> float:
    """The part of the sectors that is alone in its line, among requests of several lines: a line has either one of its four
    sectors, or all."""
    sectors, requests = counters[f"global_{kind}_sectors"], counters[f"global_{kind}_requests"]
    if not sectors or not lines[kind]:
        return 0.0
    return max(0.0, (4 * lines[kind] / sectors - 1) / 3) * max(0.0, 1 - requests / lines[kind])


def dram_us(launch: Report, gpu: Gpu) -> float:
    """Bytes over the rates of a read and of a copy. A copy reads half and writes half of its bytes. Sectors without a neighbour
    come at a rate of their own; memory gives two at a time."""
    moved = launch["timing"]["sample"]["estimated"]
    lonely = alone_in_line(launch["counters"], launch["timing"]["lines"], "load")
    random_gb_s = gpu["dram_random_sectors"] * 2 * SECTOR * gpu["clock_mhz"] / 1e3
    read = moved["dram_read_bytes"] * ((1 - lonely) / gpu["dram_read_gb_s"] + lonely / random_gb_s)
    write = moved["dram_write_bytes"] * (2 / gpu["dram_copy_gb_s"] - 1 / gpu["dram_read_gb_s"])
    return (read + write) / 1e3


def blocks_us(launch: Report, gpu: Gpu) -> float:
    """The GPU gives out blocks one after the other."""
    return blocks(launch) / gpu["blocks_a_us"]


def atomics_us(launch: Report, gpu: Gpu) -> float:
    """Updates of one sector follow each other in the L2. In shared memory their passes are counted."""
    queue = launch["timing"]["atomics"]
    kind = "atomic_ns" if not queue["floating"] else "atomic_double_ns" if queue["width"] == 8 else "atomic_float_ns"
    return 0.0 if queue["is_shared"] else queue["longest_queue"] * gpu[kind] / 1e3


def chain_us(launch: Report, gpu: Gpu) -> float:
    """Each link of a chain of blocks is a store, a fence and a load by way of the L2. Where a warp looks at many blocks at once,
    these are one link."""
    waiting = launch["timing"].get("waiting", {})
    links = waiting.get("longest_chain", 0) / max(waiting.get("widest_look", 1), 1)
    return links * gpu["chain_latencies"] * gpu["latency_l2"] / gpu["clock_mhz"]


def of_launch(launch: Report, gpu: Gpu) -> Estimate:
    cycles = multiprocessor_cycles(launch, gpu)
    together = cycles.pop("all") / gpu["clock_mhz"]
    limits = {name: value / gpu["clock_mhz"] for name, value in cycles.items()}
    shared = {"l2": l2_us(launch, gpu), "dram": dram_us(launch, gpu), "atomics": atomics_us(launch, gpu)}
    shared["blocks"] = blocks_us(launch, gpu)
    limits.update(shared, chain=chain_us(launch, gpu), launch=gpu["launch_us"])
    busy = norm([together + limits["chain"], *shared.values()], gpu["overlap_memory"])
    return Estimate({name: value for name, value in limits.items() if value > 0}, busy + gpu["launch_us"])


def calls_us(launch: Report, gpu: Gpu) -> float:
    """What the host needs for its calls between the launch before and this one."""
    calls = launch["timing"]["host_calls_before"]
    return sum(calls.get(name, 0) * gpu[f"{name}_us"] for name in ("memset", "attribute", "copy"))
