#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the simulator's benchmark in all its ways and prints one table.

benchmark.py SIMULATOR_BENCHMARK SMALL_PROGRAM, with the simulator in LD_LIBRARY_PATH (the target `benchmarks` does that).
A row a kernel: median and spread of five runs on all cores, warp instructions, millions of them a second of one core's
time, how many times faster all cores are than one, cost of half and of double the work relative to what is due (1.00: cost
is linear), and how many times as much checks cost. Costs are processor time of one worker, which a loaded machine disturbs
least; for the first two columns and for all cores against one it must be quiet.
"""
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

CHECKS = ("race", "init", "all")
START_UPS = 15
LAUNCHED = {"launch": ("little", 100), "empty": ("nothing", 100)}  # rows of many launches: their kernel, and how many


def run(program, percent=100, **settings):
    """Times by kernel (median, least, most, processor time, in ms), and the simulator's report."""
    with tempfile.TemporaryDirectory() as folder:
        report = os.path.join(folder, "report.json")
        environment = dict(os.environ, CUDASIM_REPORT=report, **settings)
        output = subprocess.run([program, "all", str(percent)], env=environment, check=True, capture_output=True, text=True)
        if not os.path.exists(report):
            sys.exit("benchmark.py: no report: this is not the simulator (LD_LIBRARY_PATH?)")
        with open(report, encoding="utf-8") as file:
            counted = json.load(file)
    rows = [line.split() for line in output.stdout.splitlines()[1:]]
    return {row[0]: [float(x) for x in row[1:]] for row in rows}, counted


def warp_instructions(report):
    """Of one launch of each kernel."""
    found = {}
    for kernel in report["kernels"]:
        name = kernel["name"].split("(anonymous namespace)::")[-1].split("(")[0]
        found[name] = kernel["counters"]["warp_instructions"] / kernel["launches"]
    return found


def start_up_ms(program):
    times = []
    for _ in range(START_UPS):
        begin = time.perf_counter()
        subprocess.run([program], check=True)
        times.append(1e3 * (time.perf_counter() - begin))
    return statistics.median(times)


def main():
    program, small_program = sys.argv[1:]
    cores = len(os.sched_getaffinity(0))
    many, _ = run(program)
    one, report = run(program, CUDASIM_WORKERS="1")
    half, _ = run(program, 50, CUDASIM_WORKERS="1")
    double, _ = run(program, 200, CUDASIM_WORKERS="1")
    checked = {}
    for check in CHECKS:
        times, its_report = run(program, CUDASIM_CHECK=check, CUDASIM_WORKERS="1")
        checked[check] = times if its_report.get("checks") else {}
    instructions = warp_instructions(report)
    print(f"{cores} cores, median of 5 runs\n")
    print("kernel      median ms  spread  warp instr   M/s a core  1:" + f"{cores} cores   half  double   " +
          "  ".join(f"{check:>5}" for check in CHECKS))
    for name, (median, least, most, _) in many.items():
        alone = one[name][3]
        kernel, launches = LAUNCHED.get(name, (name, 1))
        executed = instructions[kernel] * launches
        factors = [f"{checked[check][name][3] / alone:4.1f}x" if name in checked[check] else "    -" for check in CHECKS]
        print(f"{name:10} {median:10.1f} {100 * (most - least) / median:6.0f}% {executed / 1e6:9.2f} M "
              f"{executed / alone / 1e3:11.0f} {one[name][0] / median:10.2f} {2 * half[name][3] / alone:8.2f} "
              f"{double[name][3] / alone / 2:7.2f}   {'  '.join(factors)}")
    print(f"\nstart-up of a small program: {start_up_ms(small_program):.1f} ms")


if __name__ == "__main__":
    main()
