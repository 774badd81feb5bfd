# SPDX-License-Identifier: MIT
"""Decides whether this machine has a GPU that the workbook can use. It asks the CUDA driver itself, through ctypes. A
device file or an installed nvidia-smi does not mean that a program can run. It is also a program: CMake calls it when
it configures."""

from __future__ import annotations

import argparse
import ctypes
import sys
from dataclasses import dataclass
from typing import Optional, Tuple

# The workbook ships PTX for this architecture, see scripts/cmake/Toolkit.cmake.
OLDEST_CAPABILITY = (7, 5)
CAPABILITY_MAJOR_ATTRIBUTE = 75  # CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, cuda.h
CAPABILITY_MINOR_ATTRIBUTE = 76
ASKED_FOR = "asked for"  # the reason where it is the simulator
SIMULATED_DEVICE = "(cudasim)"  # the end of a simulated GPU's name: device_name() of common/simulator/runtime/runtime.cpp


@dataclass
class Gpu:
    """The first GPU, as the driver describes it."""

    name: str
    capability: Tuple[int, int]
    driver_cuda: Tuple[int, int]  # the newest CUDA that the driver runs


@dataclass
class Choice:
    """The device for programs, and one sentence with the reason."""

    device: str  # "gpu" or "simulator"
    reason: str

    @property
    def is_asked_for(self) -> bool:
        return self.reason == ASKED_FOR


def probe(library: str = "libcuda.so.1") -> Tuple[Optional[Gpu], str]:
    """The first GPU, or None and the reason why there is none."""
    try:
        cuda = ctypes.CDLL(library)
    except OSError:
        return None, "no NVIDIA driver is installed: libcuda.so.1 was not found"
    status = cuda.cuInit(0)
    if status != 0:
        return None, f"the NVIDIA driver finds no usable GPU (cuInit returned error {status})"
    count, version, device = ctypes.c_int(0), ctypes.c_int(0), ctypes.c_int(0)
    if cuda.cuDeviceGetCount(ctypes.byref(count)) != 0 or count.value == 0:
        return None, "the NVIDIA driver is installed, but it lists no GPU"
    major, minor = ctypes.c_int(0), ctypes.c_int(0)
    name = ctypes.create_string_buffer(256)
    calls = (
        cuda.cuDriverGetVersion(ctypes.byref(version)),
        cuda.cuDeviceGet(ctypes.byref(device), 0),
        cuda.cuDeviceGetName(name, len(name), device),
        cuda.cuDeviceGetAttribute(ctypes.byref(major), CAPABILITY_MAJOR_ATTRIBUTE, device),
        cuda.cuDeviceGetAttribute(ctypes.byref(minor), CAPABILITY_MINOR_ATTRIBUTE, device),
    )
    if any(calls):
        return None, f"the NVIDIA driver cannot describe GPU 0 (error {next(c for c in calls if c)})"
    if name.value.decode(errors="replace").endswith(SIMULATED_DEVICE):
        # With this search path, programs run on the simulator, with any driver.
        return None, "libcuda.so.1 is the simulator's: LD_LIBRARY_PATH names its folder"
    driver_cuda = (version.value // 1000, version.value % 1000 // 10)
    return Gpu(name.value.decode(errors="replace"), (major.value, minor.value), driver_cuda), ""


def obstacle(gpu: Gpu, toolkit: Optional[Tuple[int, int]]) -> str:
    """Why programs of this toolkit cannot run on this GPU. Empty when they can."""
    if gpu.capability < OLDEST_CAPABILITY:
        return "{} has compute capability {}.{}, and the workbook needs {}.{} or more".format(
            gpu.name, *gpu.capability, *OLDEST_CAPABILITY
        )
    # The driver compiles PTX, so it must be as new as the toolkit that wrote the PTX.
    if toolkit is not None and gpu.driver_cuda < toolkit:
        return (
            "the driver of {} runs CUDA up to {}.{}, and the toolkit is {}.{}: "
            "update the driver, or name an older nvcc with CUDACXX".format(gpu.name, *gpu.driver_cuda, *toolkit)
        )
    return ""


def choose(wanted: str, toolkit: Optional[Tuple[int, int]], probed: Tuple[Optional[Gpu], str]) -> Choice:
    """Turns a wish (auto, gpu, simulator) into a device. A GPU that cannot be used is a ValueError."""
    if wanted == "simulator":
        return Choice("simulator", ASKED_FOR)
    gpu, reason = probed
    if gpu is not None:
        reason = obstacle(gpu, toolkit)
        if not reason:
            return Choice("gpu", "{}, compute capability {}.{}".format(gpu.name, *gpu.capability))
    if wanted == "gpu":
        raise ValueError(f"no usable GPU: {reason}")
    return Choice("simulator", reason)


def parse_version(text: str) -> Tuple[int, int]:
    major, minor = text.split(".")[:2]
    return int(major), int(minor)


def main() -> int:
    parser = argparse.ArgumentParser(description="Prints gpu or simulator; the reason goes to standard error.")
    parser.add_argument("--device", choices=("auto", "gpu", "simulator"), default="auto")
    parser.add_argument("--toolkit", type=parse_version, help="version of the CUDA toolkit, for example 13.0")
    arguments = parser.parse_args()
    probed = (None, "") if arguments.device == "simulator" else probe()
    try:
        choice = choose(arguments.device, arguments.toolkit, probed)
    except ValueError as error:
        print(error, file=sys.stderr)
        return 1
    print(choice.device)
    print(choice.reason, file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
