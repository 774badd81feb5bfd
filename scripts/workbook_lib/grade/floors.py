# SPDX-License-Identifier: MIT
"""What the counters of any right program show. A result without them does not come from the input, however right it is: no
kernel can have computed it."""

from __future__ import annotations

from typing import Mapping

SECTOR_BYTES = 32
PART = 0.75  # of the bytes of the input: a search need not touch each sector
FEWEST_BYTES, FEWEST_ELEMENTS = 4096, 1024  # with less, a program may be right without a kernel
LOADS = ("global_load_sectors", "global_atomic_sectors")
STORES = ("global_store_sectors", "global_atomic_sectors", "global_reduction_sectors")


def problem(report: Mapping[str, object], counted: Mapping[str, object]) -> str:
    """A sentence about one run, from the judging program's report and the simulator's. Empty where it is in order."""
    work = report.get("work") or {}
    totals = [kernel["counters"] for kernel in counted.get("kernels") or ()]

    def count(*names: str) -> int:
        return sum(int(counters.get(name, 0)) for counters in totals for name in names)

    for verb, noun, names in (("load", "input", LOADS), ("store", "result", STORES)):
        needed = float(work.get("bytes_read" if noun == "input" else "bytes_written") or 0.0)
        moved = SECTOR_BYTES * count(*names)
        if needed >= FEWEST_BYTES and moved < PART * needed:
            return f"the kernels {verb} {moved:,} bytes, and the {noun} has {needed:,.0f}: no kernel has computed this result"
    elements, executed = float(work.get("elements") or 0.0), count("thread_instructions")
    if not work.get("bytes_read") and elements >= FEWEST_ELEMENTS and executed < elements:
        return f"the kernels execute {executed:,} instructions for {elements:,.0f} {work.get('unit')}: no kernel has computed this result"
    return ""
