# SPDX-License-Identifier: MIT
"""The times and the memory traffic of the ordinary kernels on a GPU, and of the unseen ones. An estimate of time is judged
by them, and never fitted to them."""

from __future__ import annotations

import datetime
import json
import statistics
from pathlib import Path

from . import hardware_counters
from .hardware_counters import run

# The programs, and what follows --times on the command line.
PROGRAMS = {"ordinary_kernels": "", "unseen_kernels": " --unseen"}
SIZES = {"timed": "--timed", "timed_again": "--timed-again"}
COUNTERS = {
    "dram_read_bytes": "dram__bytes_read.sum",
    "dram_write_bytes": "dram__bytes_write.sum",
    "l2_read_sectors": "lts__t_sectors_op_read.sum",
    "l2_write_sectors": "lts__t_sectors_op_write.sum",
    "l2_read_hits": "lts__t_sectors_op_read_lookup_hit.sum",
    "l2_atomic_sectors": "lts__t_sectors_op_atom.sum",
    "l2_reduction_sectors": "lts__t_sectors_op_red.sum",
    "l1_load_sectors": "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
    "l1_load_hits": "l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum",
    "machine_instructions": "smsp__inst_executed.sum",
    "registers": "launch__registers_per_thread",
    "profiled_ns": "gpu__time_duration.sum",
}
RULES = {
    "samples": "9; three figures are the lower quartile, the median and the upper quartile",
    "warm_us": "launches follow each other for a millisecond over the same memory, between two CUDA events; the time of one. "
    "A kernel that needs its data restored is launched once, behind that",
    "cold_us": "reads of twice the L2 cache come first, then an event, one launch and an event",
    "nothing": "an empty kernel measured in the same way; it is in all times",
    "counters": "Nsight Compute, --cache-control all: cold caches. The L2 of an H100 or H200 has two halves: a sector that one half has from "
    "the other counts twice, so what comes from DRAM counts 1.5 times",
}


def measure(build: Path, name: str = hardware_counters.ORDINARY.program):
    """Runs the kernels twice at each size: for times, and under Nsight Compute. The first run has no profiler beside it."""
    program = build / "bin" / name
    known = hardware_counters.known_metrics()
    counters = {name: metric for name, metric in COUNTERS.items() if metric.startswith("launch__") or metric.rsplit(".", 1)[0] in known}
    facts = run(["nvidia-smi", "--query-gpu=name,driver_version,clocks.max.sm,clocks.max.mem", "--format=csv,noheader"]).splitlines()[0]
    figures = dict(zip(("device", "driver", "most_clock", "most_memory_clock"), facts.split(", ")))
    command = f"scripts/compare_gpu --times{PROGRAMS[name]} --out scripts/measured/times/{name.partition('_')[0]}_h200.json"
    figures.update(date=datetime.date.today().isoformat(), command=command, rules=RULES, metrics=counters)
    for size, option in SIZES.items():
        times = [line.split("\t") for line in run([program, option, "--times"]).splitlines()]
        rows = {name: json.loads(row) for name, row in times}
        figures["nothing"] = rows.pop("nothing")
        names, launches = hardware_counters.kernels_on_gpu([program, option], list(counters.values()), 1)
        for name, launch in zip(names, launches):
            rows[name].update({counter: launch[metric][0] for counter, metric in counters.items() if metric in launch})
        figures[size] = rows
    figures["clock_mhz"] = statistics.median(row["clock_mhz"] for row in figures["timed"].values())
    return figures


def write(path: Path, figures) -> None:
    """One line a kernel, so that a diff is readable."""
    head = json.dumps({key: value for key, value in figures.items() if key not in SIZES}, indent=1)
    parts = [head[:-2]]
    for size in SIZES:
        lines = [f"  {json.dumps(name)}: {json.dumps(row)}" for name, row in figures[size].items()]
        parts.append(f' {json.dumps(size)}: {{\n' + ",\n".join(lines) + "\n }")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(",\n".join(parts) + "\n}\n", encoding="utf-8")


def show(build: Path, out, name: str) -> int:
    figures = measure(build, name)
    if out:
        write(out, figures)
    for size in SIZES:
        for name, row in figures[size].items():
            print(f"{name:26} {size:12} warm {row['warm_us'][1]:9.2f} us  cold {row['cold_us'][1]:9.2f} us  "
                  f"DRAM {row.get('dram_read_bytes', 0) / 1e6:8.2f} + {row.get('dram_write_bytes', 0) / 1e6:8.2f} MB")
    print(f"{sum(len(figures[size]) for size in SIZES)} times on {figures['device']}")
    return 0
