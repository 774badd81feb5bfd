#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The course includes no header of CUDA that is missing where scripts/workbook has installed the toolkit
(scripts/workbook_lib/machine/toolkit_requirements.txt). Such a header is there on a machine with all of CUDA alone. With
--self-test it proves that it can fail."""

import re
import sys
from pathlib import Path
from typing import Iterator

ROOT = Path(__file__).resolve().parents[3]
FOLDERS = ("common", "stages", "answers")
OWN_BUILD = ("common/simulator/libraries/", "common/workbook/bench/cublas_peer.h")  # are built only where the libraries are
INCLUDE = re.compile(r"^\s*#\s*include <((?:cu|nv|curand)\w*\.h)>", re.MULTILINE)
# Of nvidia-cuda-runtime and nvidia-cuda-crt. The C++ libraries have no headers of such names.
KNOWN = {
    *("cuda.h", "cuda_runtime.h", "cuda_runtime_api.h", "cuda_device_runtime_api.h", "cuda_occupancy.h", "cuComplex.h"),
    *("cuda_fp16.h", "cuda_bf16.h", "cuda_fp8.h", "cuda_pipeline.h", "cuda_pipeline_primitives.h", "cuda_awbarrier.h"),
}


def unknown(text: str) -> Iterator[str]:
    yield from (name for name in INCLUDE.findall(text) if name not in KNOWN)


def main() -> int:
    if "--self-test" in sys.argv:
        planted = "#include <cuda_runtime.h>\n#include <cuda/atomic>\n  # include <cuda_profiler_api.h>\n// #include <cublas.h>\n"
        return 0 if [*unknown(planted)] == ["cuda_profiler_api.h"] else 1
    files = (path for folder in FOLDERS for path in sorted((ROOT / folder).rglob("*.*")) if path.suffix in (".h", ".cpp", ".cu", ".cuh"))
    found = 0
    for file in files:
        name = str(file.relative_to(ROOT))
        for header in () if name.startswith(OWN_BUILD) else unknown(file.read_text(encoding="utf-8")):
            print(f"{name}: the packages of the toolkit have no <{header}>: declare what is needed of it")
            found += 1
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
