#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Proves that the simulator refuses by name what it does not simulate: the call, or at the launch the instruction, the feature
and the line of the program.

Usage: refused_by_name.py NOT_SIMULATED DYNAMIC_PARALLELISM, the two programs of this folder."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Dict, List, Tuple

HERE = Path(__file__).resolve().parent

# What the message must say, and the words of the source line that it must name ("": none, the call itself is refused).
EXPECTED: Dict[str, Tuple[str, str]] = {
    "texture-filter": (r"cudaCreateTextureObject: linear filters of anything but 32-bit floats .* are not simulated", ""),
    "texture-border": (r"cudaCreateTextureObject: border colours of anything but 32-bit floats are not simulated", ""),
    "mipmapped-texture": (r"cudaCreateTextureObject: mipmapped arrays are not simulated", ""),
    "texture-level": (r"'tex\.level\.[^']*': texture fetches of this form are not simulated", "the fetch of a level"),
    "texture-gather": (r"'tld4\.[^']*': texture gathers are not simulated", "the gather"),
    "cube-map": (r"cudaMalloc3DArray: cube maps and sparse arrays are not simulated", ""),
    "surface-object": (r"cudaCreateSurfaceObject: surfaces are not simulated", ""),
    "surface-write": (r"'sust\.[^']*': surfaces are not simulated", "the surface store"),
    "conditional-node": (r"cudaGraphConditionalHandleCreate is not simulated", ""),
    "tensor-core-form": (r"'mma\.sync\.[^']*e4m3[^']*': tensor cores in this form are not simulated; the simulator has mma\.sync of", "the mma"),
    "warpgroup-product": (r"'wgmma\.[^']*': products of four warps \(wgmma\) are not simulated; mma\.sync makes the same", "the fence"),
    "bulk-copy": (r"'cp\.async\.bulk\.[^']*': bulk copies \(TMA\) are not simulated; copy with cp\.async", "the bulk copy"),
    "cluster-attribute": (r"thread block clusters are not simulated; let blocks", ""),
    "cluster-without-count": (r"thread block clusters are not simulated; let blocks", ""),
    "cluster-dimensions": (r"__cluster_dims__.*thread block clusters are not simulated; let blocks", ""),
    "driver-call": (r"cuMemCreate is not simulated", ""),
    "peer-handle": (r"cudaIpcGetMemHandle is not simulated", ""),
    "dynamic-parallelism": (r"\(dynamic parallelism\) is not simulated; let the host", "the launch"),
}


def line_of(source: str, words: str) -> int:
    for number, line in enumerate((HERE / source).read_text(encoding="utf-8").splitlines(), 1):
        if line.rstrip().endswith(f"// {words}"):
            return number
    raise ValueError(f"{source} has no line that ends in '// {words}'")


def check(name: str, command: List[str], source: str) -> List[str]:
    ended = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True, timeout=60)
    said = ended.stderr.strip()
    pattern, words = EXPECTED[name]
    complaints = []
    if ended.returncode != 0:
        complaints.append(f"exit status {ended.returncode}: {ended.stdout.strip()}")
    if not re.search(pattern, said):
        complaints.append(f"'{said}' does not match {pattern}")
    if words and f"{source}:{line_of(source, words)})" not in said:
        complaints.append(f"'{said}' does not name {source}:{line_of(source, words)}")
    return [f"{name}: {complaint}" for complaint in complaints]


def main(programs: List[str]) -> int:
    features = subprocess.run([programs[0]], stdout=subprocess.PIPE, universal_newlines=True, check=True).stdout.split()
    tried = {*features, "dynamic-parallelism"}
    complaints = [f"{name}: only one of program and test knows it" for name in sorted(tried ^ set(EXPECTED))]
    for name in sorted(set(features) & set(EXPECTED)):
        complaints += check(name, [programs[0], name], "not_simulated.cu")
    complaints += check("dynamic-parallelism", [programs[1]], "dynamic_parallelism.cu")
    for complaint in complaints:
        print(complaint)
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
