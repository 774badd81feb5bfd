# SPDX-License-Identifier: MIT
"""The share that each line has in an estimate. A kernel's time is divided among its lines by what its limit counts."""

from __future__ import annotations

from typing import Callable, Dict, List, Mapping

from ..simulator.run_report import Report
from .estimate import Whole
from .parameters import Gpu

Counters = Mapping[str, float]
SHARE = "estimate"  # the name beside a line's counters



def sectors(counters: Counters, gpu: Gpu) -> float:
    return sum(counters[f"global_{kind}_sectors"] for kind in ("load", "store", "atomic", "reduction"))


def instructions(counters: Counters, gpu: Gpu) -> float:
    return counters["warp_instructions"]


def waiting(counters: Counters, gpu: Gpu) -> float:
    """Latencies, as if nothing overlapped."""
    loads = counters["global_load_requests"] * gpu["latency_l2"] + counters["shared_load_requests"] * gpu["latency_shared"]
    return loads + counters["barriers"] * gpu["barrier_cycles"] + counters["warp_instructions"]


WEIGHTS: Dict[str, Callable[[Counters, Gpu], float]] = {
    **dict.fromkeys(("dram", "l2", "l1"), sectors),
    **dict.fromkeys(("issue", "fp64", "special", "tensor"), instructions),
    "shared": lambda counters, gpu: counters["shared_wavefronts"],
    **dict.fromkeys(("atomics", "chain"), lambda counters, gpu: counters["atomic_requests"]),
    "latency": waiting,
}


def with_shares(report: Report, whole: Whole) -> Report:
    """The report with a share beside the counters of each line. Launches alone have no line."""
    kernels: Dict[str, Dict[str, float]] = {}
    for launch, found in zip(report["launches"], whole.launches):
        limits = kernels.setdefault(launch["kernel"], {})
        limits[found.limit] = limits.get(found.limit, 0.0) + found.time_us
    time = sum(sum(limits.values()) for limits in kernels.values())
    entries: List[Dict[str, object]] = [{**entry, "counters": {**entry["counters"], SHARE: 0.0}} for entry in report["lines"]]
    for kernel, limits in kernels.items():
        mine = [entry["counters"] for entry in entries if entry["kernel"] == kernel]
        for limit, time_us in limits.items():
            weigh = WEIGHTS.get(limit, instructions)
            weights = [weigh(counters, whole.gpu) for counters in mine]
            for counters, weight in zip(mine, weights):
                counters[SHARE] += time_us / time * weight / (sum(weights) or 1.0)
    return {**report, "lines": entries}
