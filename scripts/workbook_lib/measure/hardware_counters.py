# SPDX-License-Identifier: MIT
"""The counters of the kernels of tests/gpu/counters: their names in Nsight Compute, the figures of a GPU and of the
simulator, and their tables.

A figure may differ from the GPU's for a known reason. Then a file beside the kernels has it with the simulator's own
figure. Its form is {reason: {kernel: {counter: figure}}}. All other figures must be equal. The figures in the file must
be those of the simulator, and must differ."""

from __future__ import annotations

import csv
import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

from ..base import scratch

SCRIPTS = Path(__file__).resolve().parents[2]
TESTS = SCRIPTS.parent / "tests/gpu/counters"


class Kernels(NamedTuple):
    """A program that launches kernels and prints a name for each. Also the figures of a GPU, and the known differences."""

    program: str
    measured: Path
    differs: Path


MICRO = Kernels("micro_kernels", SCRIPTS / "measured" / "counters_h200.json", TESTS / "differs.json")
ORDINARY = Kernels("ordinary_kernels", SCRIPTS / "measured" / "ordinary_h200.json", TESTS / "ordinary_differ.json")

L1_REQUESTS, L1_SECTORS = "l1tex__t_requests_pipe_lsu_mem_{}.sum", "l1tex__t_sectors_pipe_lsu_mem_{}.sum"
METRICS = {f"{name}_{unit}": metric.format(operation)
           for name, operation in (("global_load", "global_op_ld"), ("global_store", "global_op_st"),
                                   ("global_atomic", "global_op_atom"), ("global_reduction", "global_op_red"),
                                   ("local_load", "local_op_ld"), ("local_store", "local_op_st"))
           for unit, metric in (("requests", L1_REQUESTS), ("sectors", L1_SECTORS))}
METRICS.update({f"shared_{name}_{unit}": metric.format(operation)
                for name, operation in (("load", "ld"), ("store", "st"), ("atomic", "atom"))
                for unit, metric in (("requests", "smsp__inst_executed_op_shared_{}.sum"),
                                     ("wavefronts", "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_{}.sum"),
                                     ("bank_conflicts", "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_{}.sum"))})


def run(command, environment=None):
    result = subprocess.run(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    if result.returncode != 0:
        print(f"compare_gpu: {' '.join(map(str, command))} ended with {result.returncode}\n{result.stderr}{result.stdout}", file=sys.stderr)
        sys.exit(2)
    return result.stdout


def simulated(build: Path, command):
    """The program's output, and its launches in the simulator's report."""
    with scratch.folder() as folder:
        report = folder / "report.json"
        environment = dict(os.environ, LD_LIBRARY_PATH=str(build / "simulator"), CUDASIM_REPORT=str(report))
        output = run(command, environment)
        return output, json.loads(report.read_text())["launches"]


def device():
    """The name of the GPU."""
    return run(["nvidia-smi", "--query-gpu=name", "--format=csv,noheader"]).splitlines()[0]


def known_metrics():
    """The base names of the metrics of this Nsight Compute for this GPU. They differ between versions."""
    return {line.split()[0] for line in run(["ncu", "--query-metrics"]).splitlines() if "__" in line}


def kernels_on_gpu(program, metrics, repeats: int):
    """`program` is a command. Returns the names of the launches, and for each {metric: (smallest, largest)} over `repeats` runs."""
    with scratch.folder() as folder:
        log = folder / "ncu.csv"
        for repeat in range(repeats):
            names = run(["ncu", "--csv", "--page", "raw", "--print-units", "base", "--print-kernel-base", "function", "--clock-control", "none",
                         "--log-file", log, "--metrics", ",".join(metrics), *program]).splitlines()
            names = [name for name in names if not name.startswith("==")]
            text = log.read_text()
            rows = [row for row in csv.DictReader(io.StringIO(text[text.index('"ID"'):])) if row["ID"]]  # without the row of units
            if len(rows) != len(names):
                sys.exit(f"compare_gpu: {len(names)} kernels were launched, {len(rows)} measured")
            values = [{metric: int(float(row[metric].replace(",", ""))) for metric in metrics if row.get(metric, "")[:1].isdigit()} for row in rows]
            if repeat == 0:
                ranges = [{metric: (value, value) for metric, value in launch.items()} for launch in values]
            for launch, value in zip(ranges, values):
                for metric, (low, high) in launch.items():
                    launch[metric] = (min(low, value.get(metric, low)), max(high, value.get(metric, high)))
    return names, ranges


def measured_kernels(program: Path, repeats: int):
    """The GPU's figures of the kernels, in the form of the committed file."""
    known = known_metrics()
    metrics = {name: metric for name, metric in METRICS.items() if metric.rsplit(".", 1)[0] in known}
    for name in sorted(set(METRICS) - set(metrics)):
        print(f"this GPU's Nsight Compute has no {METRICS[name]}: {name} is left out")
    names, ranges = kernels_on_gpu([program], list(metrics.values()), repeats)
    return {"device": device(),
            "runs": repeats, "metrics": metrics,
            "kernels": {name: {counter: list(launch[metric]) if launch[metric][0] != launch[metric][1] else launch[metric][0]
                               for counter, metric in metrics.items() if launch.get(metric, (0, 0)) != (0, 0)}
                        for name, launch in zip(names, ranges)}}


def kernels_on_simulator(build: Path, program: str):
    output, launches = simulated(build, [build / "bin" / program])
    return {name: launch["counters"] for name, launch in zip(output.splitlines(), launches)}


def write(path: Path, figures):
    """Writes one line a kernel, so that a diff is readable."""
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [f"  {json.dumps(name)}: {json.dumps(counters)}" for name, counters in figures["kernels"].items()]
    head = json.dumps({key: value for key, value in figures.items() if key != "kernels"}, indent=1)
    path.write_text(head[:-2] + ',\n "kernels": {\n' + ",\n".join(lines) + "\n }\n}\n")


def problems_of(gpu, simulator, differs, file):
    """Every figure that is neither equal nor known to differ, as text."""
    kernels = gpu["kernels"]
    problems = [f"{kernel}: only {'measured' if kernel in kernels else 'simulated'}" for kernel in sorted(set(kernels) ^ set(simulator))]
    known = {(kernel, counter): figure for reason in differs.values() for kernel, counters in reason.items() for counter, figure in counters.items()}
    for kernel in (kernel for kernel in kernels if kernel in simulator):
        for counter in gpu["metrics"]:
            g, s = kernels[kernel].get(counter, 0), simulator[kernel].get(counter, 0)
            low, high = g if isinstance(g, list) else (g, g)
            wanted = known.pop((kernel, counter), None)
            if wanted is None and not low <= s <= high:
                problems.append(f"{kernel}: {counter}: GPU {g}, simulator {s}")
            if wanted is not None and (s != wanted or low <= s <= high):
                problems.append(f"{kernel}: {counter}: GPU {g}, simulator {s}, and {file} says {wanted}")
    return problems + [f"{kernel}: {counter}: in {file}, but there is no such figure" for kernel, counter in known]


def compare(kernels: Kernels, build: Path, against, out, rounds: int) -> int:
    """Measures, or reads `against`, and simulates. Prints the differences, and all figures if they were measured."""
    gpu = json.loads(against.read_text()) if against else measured_kernels(build / "bin" / kernels.program, rounds)
    if out:
        write(out, gpu)
    simulator = kernels_on_simulator(build, kernels.program)
    if not against:
        for kernel, figures in gpu["kernels"].items():
            for counter in gpu["metrics"]:
                g, s = figures.get(counter, 0), simulator.get(kernel, {}).get(counter, 0)
                if g or s:
                    print(f"{kernel:50} {counter:30} GPU {str(g):>16}  simulator {s:>8}")
    differs = json.loads(kernels.differs.read_text())
    problems = problems_of(gpu, simulator, differs, kernels.differs.name)
    for problem in problems:
        print(f"DIFFERENT {problem}")
    figures = len(gpu["kernels"]) * len(gpu["metrics"])
    known = sum(len(counters) for of_reason in differs.values() for counters in of_reason.values())
    print(f"{len(gpu['kernels'])} kernels on {gpu['device']}, {figures} figures: {known} differ for a known reason, {len(problems)} for none")
    return 1 if problems else 0


def table(kernels: Kernels):
    """A table in Markdown: the name of each counter in Nsight Compute, and the number of kernels where it is equal."""
    gpu, differs = json.loads(kernels.measured.read_text()), json.loads(kernels.differs.read_text())
    letters = {reason: chr(ord("a") + number) for number, reason in enumerate(differs)}
    lines = ["| counter | Nsight Compute | kernels in which it is equal | differs |", "|---|---|---|---|"]
    for counter, metric in METRICS.items():
        apart = {kernel: reason for reason, kernels in differs.items() for kernel, counters in kernels.items() if counter in counters}
        used = {kernel for kernel, figures in gpu["kernels"].items() if figures.get(counter, 0) != 0} | set(apart)
        why = ", ".join(sorted({letters[reason] for reason in apart.values()}))
        lines.append(f"| `{counter}` | `{metric}` | {len(used) - len(apart)} of {len(used)} | {why} |")
    noisy = sum(isinstance(figure, list) for figures in gpu["kernels"].values() for figure in figures.values())
    lines += ["", f"{gpu['device']}, {len(gpu['kernels'])} kernels of `tests/gpu/counters`, {gpu['runs']} runs, in which {noisy or 'no'} figures changed. "
              "Kernels in which both figures are 0 are not counted.", ""]
    lines += [f"- ({letter}) {reason}" for reason, letter in letters.items()]
    return "\n".join(lines)
