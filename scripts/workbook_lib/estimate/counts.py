# SPDX-License-Identifier: MIT
"""Reports, shortened to what the model needs, so that counts of many kernels are a small file."""

from __future__ import annotations

from typing import Dict, List, Mapping

Report = Mapping[str, object]

KEPT = ("kernel", "grid", "block")
COUNTERS = (
    *(f"global_{kind}_sectors" for kind in ("load", "store", "atomic", "reduction")),
    *(f"shared_{kind}_wavefronts" for kind in ("load", "store", "atomic")),
    *("global_load_requests", "global_store_requests", "local_load_requests", "barriers", "warp_instructions"),
)
NOTHING = (0, 0.0, False, None, [], {})


def packed(report: Report) -> Dict[str, object]:
    """The launches of a report without zeros. A launch that is like the one before, to the last count, is not repeated."""
    launches: List[Dict[str, object]] = []
    for launch in report["launches"]:
        row = {name: launch[name] for name in KEPT}
        row["kernel"] = str(row["kernel"]).split("(")[0]
        row["counters"] = without_zeros({name: launch["counters"][name] for name in COUNTERS})
        row["timing"] = without_zeros(launch["timing"])
        row["times"] = 1
        if launches and {**launches[-1], "times": 1} == row:
            launches[-1]["times"] += 1
        else:
            launches.append(row)
    return {"launches": launches}


def without_zeros(found: Mapping[str, object]) -> Dict[str, object]:
    kept: Dict[str, object] = {}
    for name, value in found.items():
        if isinstance(value, dict):
            value = without_zeros(value)
        elif isinstance(value, float):
            value = float(f"{value:.4g}")
        if value not in NOTHING:
            kept[name] = value
    return kept


class Zeros(dict):
    """An object whose missing names are zero, or objects of the same kind."""

    OBJECTS = ("classes", "lines", "store_sectors", "footprint_bytes", "host_calls_before", "waiting", "estimated", "tensor_shapes", "atomics")

    def __missing__(self, name: str) -> object:
        return Zeros() if name in self.OBJECTS else 0


def with_zeros(value: object) -> object:
    if isinstance(value, dict):
        return Zeros({name: with_zeros(each) for name, each in value.items()})
    return [with_zeros(each) for each in value] if isinstance(value, list) else value


def unpacked(row: Report) -> Dict[str, object]:
    """A report that the model reads."""
    launches = [with_zeros(launch) for launch in row["launches"] for _ in range(launch["times"])]
    return {"launches": launches, "findings": []}
