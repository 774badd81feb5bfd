# SPDX-License-Identifier: MIT
"""The simulator's counters of one run, as in the tables."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Dict, Optional

from .expected_counters import count_warps


@dataclass
class Counts:
    """The simulator's counters of one run, as in the table. None: the run had nothing to count."""

    sectors_per_request: Optional[float] = None
    bank_conflicts: Optional[int] = None
    barriers_per_block: Optional[float] = None
    warp_instructions_per_element: Optional[float] = None
    sectors_per_element: Optional[float] = None
    launches: Optional[int] = None
    store_sectors_per_request: Optional[float] = None
    atomic_requests: Optional[int] = None


def summarize(report: Dict[str, object], elements: float) -> Counts:
    """The table's figures from a simulator report (CUDASIM_REPORT). They are sums over all kernels, except barriers,
    which are those of the largest launch."""
    kernels, launches = report.get("kernels") or [], report.get("launches") or []
    if not kernels or not launches:
        return Counts()

    def total(counter: str) -> int:
        return sum(kernel["counters"][counter] for kernel in kernels)

    largest = max(launches, key=count_warps)

    def sectors_per_request(access: str) -> Optional[float]:
        requests = total(f"global_{access}_requests")
        return total(f"global_{access}_sectors") / requests if requests else None

    return Counts(
        sectors_per_request=sectors_per_request("load"),
        store_sectors_per_request=sectors_per_request("store"),
        bank_conflicts=total("shared_bank_conflicts"),
        # A barrier is counted once for each warp that executes it.
        barriers_per_block=largest["counters"]["barriers"] / count_warps(largest) if count_warps(largest) else None,
        warp_instructions_per_element=total("warp_instructions") / elements if elements else None,
        sectors_per_element=total("global_load_sectors") / elements if elements else None,
        atomic_requests=total("atomic_requests"),
        launches=len(launches) + report.get("launches_left_out", 0),
    )
