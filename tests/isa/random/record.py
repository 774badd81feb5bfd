#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Records random kernels on this machine's GPU and compares them with the simulator.

record.py PROGRAM SIMULATOR_DIRECTORY OUTPUT_DIRECTORY writes random_h200.json. For up to ten seeds that differ it also
writes what is needed to find out why: the kernel, and of both devices --steps and --dump at the first statement that
differs and one before.
"""
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

program, simulator, output = sys.argv[1], sys.argv[2], Path(sys.argv[3])
directories = {"gpu": "", "sim": os.path.abspath(simulator)}
recorded = output / "random_h200.json"


def call(device, *arguments):
    """What the program prints on a device: without a library path, the toolkit's runtime is the one that is found."""
    environment = {**os.environ, "LD_LIBRARY_PATH": directories[device]}
    return subprocess.run([program, *arguments], stdout=subprocess.PIPE, text=True, env=environment).stdout


def look_at(seed):
    (output / f"{seed}.ptx").write_text(call("gpu", "--ptx", seed))
    steps = {device: call(device, "--steps", seed).splitlines() for device in directories}
    for device, lines in steps.items():
        (output / f"{seed}-steps.{device}").write_text("\n".join(lines) + "\n")
    pairs = enumerate(zip(steps["gpu"], steps["sim"]))
    first = next((i for i, (gpu, sim) in pairs if gpu != sim), None)
    if first is None:
        return f"seed {seed}: no step differs"
    for statement in (first, max(0, first - 1)):
        for device in directories:
            text = call(device, "--dump", f"{seed}:{statement}")
            (output / f"{seed}-{statement}.{device}").write_text(text)
    return f"seed {seed}: statement {first} is the first that differs"


output.mkdir(parents=True, exist_ok=True)
print(call("gpu", "--jobs", "16", "--json", str(recorded)))
answer = call("sim", "--jobs", "16", "--compare", str(recorded))
print(answer)
different = re.findall(r"^seed (\d+): [0-9a-f]{16} here, [0-9a-f]{16} on", answer, re.MULTILINE)[:10]
with ThreadPoolExecutor(10) as pool:
    print("\n".join(pool.map(look_at, different)))
