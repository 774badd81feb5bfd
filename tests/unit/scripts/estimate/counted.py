# SPDX-License-Identifier: MIT
"""Reports with the counts of an estimate, made by hand."""

COUNTERS = (
    *(f"global_{kind}_{unit}" for kind in ("load", "store", "atomic", "reduction") for unit in ("requests", "sectors")),
    *(f"shared_{kind}_{unit}" for kind in ("load", "store", "atomic") for unit in ("requests", "wavefronts", "bank_conflicts")),
    *("local_load_requests", "warp_instructions", "thread_instructions", "barriers", "shared_bank_conflicts", "shared_wavefronts", "atomic_requests"),
)


def launch(blocks=132 * 8 * 40, resident=8, alone=5000.0, bytes_read=0, **changes):
    """A launch of blocks of 256. `changes`: counters, and fields of the timing."""
    counters = {**dict.fromkeys(COUNTERS, 0), "global_load_requests": bytes_read // 128, "global_load_sectors": bytes_read // 32}
    moved = {"l2_read_sectors": bytes_read // 32, "l2_write_sectors": 0, "l2_partial_sectors": 0, "dram_read_bytes": bytes_read, "dram_write_bytes": 0}
    timing = {
        "registers": 32,
        "spilled_bytes": 0,
        "blocks_a_multiprocessor": resident,
        "classes": {"fp32_fma": 0, "integer": 0, "memory": bytes_read // 128},
        "tensor_shapes": {},
        "instructions_without_rate": [],
        "atomics": {"longest_queue": 0, "width": 4, "is_reduction": True, "is_shared": False, "floating": False},
        "lines": {"load": bytes_read // 128, "store": 0},
        "load_passes": bytes_read // 128,
        "store_sectors": {"whole": 0, "partial": 0},
        "footprint_bytes": {"load": bytes_read, "store": 0},
        "random_loads": 0,
        "host_calls_before": dict.fromkeys(("launch", "memset", "copy", "attribute", "other", "sync"), 0),
        "streams": 1,
        "in_graph": False,
        "waiting": {"blocks": 0, "longest_chain": 0},
        "sample": {"blocks": 16, "cycles_alone": alone, "issue_cycles": 100.0, "estimated": moved, "cold": True},
    }
    timing.update({name: value for name, value in changes.items() if name not in counters})
    counters.update({name: value for name, value in changes.items() if name in counters})
    sizes = {"grid": [blocks, 1, 1], "block": [256, 1, 1]}
    return {"kernel": "sum(float*)", **sizes, "error": 0, "counters": counters, "timing": timing}


def report(*launches, **changes):
    kernels = [{"name": each["kernel"], "counters": each["counters"]} for each in launches]
    return {"launches": list(launches), "kernels": kernels, "findings": [], "lines": [], **changes}
