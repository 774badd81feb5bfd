#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares two builds of the simulator, in turn, and prints how many times as fast the second one is.

against.py SIMULATOR_BENCHMARK FOLDER_BEFORE FOLDER_NOW [KERNEL ...] [--percent P] [--rounds N]; a folder holds the simulator's
libcudart. Each figure is the median over rounds; `waited` is wall time on all cores, which only a quiet machine tells, `cpu` the
processor time of one worker, `checks` how many times as long one waits now with all checks, and `factor` how many times as much
processor time one worker takes with all checks."""

import argparse
import os
import statistics
import subprocess

KERNELS = "tree shared memory gather atomic matmul registers launch empty".split()


def measure(program, folder, kernel, percent, **settings):
    """Median wall and processor time of the program's own runs, in ms."""
    environment = dict(os.environ, LD_LIBRARY_PATH=folder, **settings)
    command = [program, kernel, str(percent)]
    output = subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout
    row = next(line.split() for line in output.splitlines() if line.startswith(kernel + " "))
    return float(row[1]), float(row[4])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("before")
    parser.add_argument("now")
    parser.add_argument("kernels", nargs="*", default=KERNELS)
    parser.add_argument("--percent", type=int, default=20, help="of the usual work; matmul needs 13 or more")
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    print(f"{'kernel':10} {'waited ms: before':>18} {'now':>8} {'times':>6}   {'cpu ms: before':>15} {'now':>8} {'times':>6}   checks   factor: before   now")
    for kernel in arguments.kernels:
        rounds = []
        for _ in range(arguments.rounds):
            ways = []
            for settings in ({}, {"CUDASIM_WORKERS": "1"}):
                for folder in (arguments.before, arguments.now):
                    ways.append(measure(arguments.program, folder, kernel, arguments.percent, **settings))
            ways.append(measure(arguments.program, arguments.now, kernel, arguments.percent, CUDASIM_CHECK="all"))
            for folder in (arguments.before, arguments.now):
                settings = {"CUDASIM_CHECK": "all", "CUDASIM_WORKERS": "1"}
                ways.append(measure(arguments.program, folder, kernel, arguments.percent, **settings))
            rounds.append([ways[0][0], ways[1][0], *(cpu for _, cpu in ways[2:4]), ways[4][0], *(cpu for _, cpu in ways[5:])])
        waited, waited_now, cpu, cpu_now, checked, alone, alone_now = (
            statistics.median(column) for column in zip(*rounds)
        )
        print(
            f"{kernel:10} {waited:18.2f} {waited_now:8.2f} {waited / waited_now:6.2f}   "
            f"{cpu:15.2f} {cpu_now:8.2f} {cpu / cpu_now:6.2f}   {checked / waited_now:6.1f}   "
            f"{alone / cpu:14.2f} {alone_now / cpu_now:5.2f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
