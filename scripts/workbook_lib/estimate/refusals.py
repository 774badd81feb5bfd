# SPDX-License-Identifier: MIT
"""What the model does not know. Such a run has no estimate, and the reason is said."""

from __future__ import annotations

from typing import Iterator, Mapping, Optional

from .model import SECTOR
from .parameters import Gpu

Report = Mapping[str, object]

MANY_RANDOM = 0.25  # of the load requests of a launch
MOST_SPILLED = 64  # bytes a thread


def of_report(report: Report, gpu: Gpu) -> Optional[str]:
    """The first reason why the run of this report has no estimate. None: it can have one."""
    return next(reasons(report, gpu), None)


def reasons(report: Report, gpu: Gpu) -> Iterator[str]:
    launches = report.get("launches") or []
    if report.get("findings"):
        yield "the run has findings"
    if report.get("running"):
        yield "the run was cut short"
    if report.get("library_calls"):
        yield f"it calls {report['library_calls'][0]['name']}, which the simulator does not count"
    if not launches:
        yield "no kernel was launched"
    if report.get("launches_left_out"):
        yield f"it has more launches than the {len(launches):,} that the report keeps"
    for launch in launches:
        for reason in of_launch(launch, gpu):
            yield f"{launch['kernel'].split('(')[0]}: {reason}"


def of_launch(launch: Report, gpu: Gpu) -> Iterator[str]:
    if launch.get("error"):
        yield "the launch was refused or cut short"
        return
    timing = launch.get("timing")
    if not timing:
        yield "the simulator has not counted what an estimate needs"
        return
    if timing.get("streams", 1) > 1:
        yield f"it runs in {timing['streams']} streams, and how far they overlap is not known"
    if timing.get("in_graph"):
        yield "a graph has launched it, and what a graph costs is not known"
    if timing.get("waiting", {}).get("unknown"):
        yield "its blocks wait for each other, and how many in a row is not known"
    without = [*timing.get("instructions_without_rate", []), *(shape for shape in timing.get("tensor_shapes", {}) if shape not in gpu.tensor)]
    if without:
        yield f"the rate of {', '.join(sorted(without)[:3])} is not known"
    if timing.get("spilled_bytes", 0) > MOST_SPILLED:
        yield f"ptxas spills {timing['spilled_bytes']} bytes of registers a thread, and PTX does not show where"
    if launch["counters"]["local_load_requests"]:
        yield "it has an array in local memory, and whether ptxas keeps it in registers is not known"
    requests, reach = launch["counters"]["global_load_requests"], gpu["tlb_bytes"]
    touched = SECTOR * launch["counters"]["global_load_sectors"]
    if touched and timing.get("random_loads", 0) > MANY_RANDOM * requests and timing["footprint_bytes"].get("allocations", timing["footprint_bytes"]["load"]) > reach:
        yield f"it reads at random in more than {reach / 2**20:,.0f} MB, and the cost of address translation is not known"
    if not timing.get("sample"):
        yield f"no block of it could be sampled: {timing.get('no_sample_because', 'no reason was given')}"
