#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The course includes no header of CUDA that is missing where scripts/workbook has installed the toolkit
(scripts/workbook_lib/machine/toolkit_requirements.txt). Such a header is there on a machine with all of CUDA alone. The
simulator's core includes none: it is compiled without the toolkit's folder, which some machines search anyway. With
--self-test it proves that it can fail."""

import re
import sys
from pathlib import Path
from typing import Iterator

ROOT = Path(__file__).resolve().parents[3]
FOLDERS = ("common", "stages", "answers")
OWN_BUILD = ("common/simulator/libraries/", "common/workbook/bench/cublas_peer.h")  # are built only where the libraries are
INCLUDE = re.compile(r"^\s*#\s*include <((?:cu|nv|curand)\w*\.h)>", re.MULTILINE)
OF_CUDA = re.compile(r"^\s*#\s*include <((?:cu\w*|(?:driver|vector|library|builtin|device|surface|texture)_types)\.h)>", re.MULTILINE)
CORE = re.compile(r"common/simulator/(?!runtime/(?!base/)|driver/|libraries/|linked_runtime/)")  # as common/simulator/CMakeLists.txt
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
        in_core = [name for name in ("common/simulator/runtime/base/a.h", "common/simulator/runtime/a.h", "common/simulator/ptx/a.h") if CORE.match(name)]
        core_is_known = in_core == ["common/simulator/runtime/base/a.h", "common/simulator/ptx/a.h"]
        return 0 if [*unknown(planted)] == ["cuda_profiler_api.h"] and OF_CUDA.findall("#include <driver_types.h>") and core_is_known else 1
    files = (path for folder in FOLDERS for path in sorted((ROOT / folder).rglob("*.*")) if path.suffix in (".h", ".cpp", ".cu", ".cuh"))
    found = 0
    for file in files:
        name = str(file.relative_to(ROOT))
        text = file.read_text(encoding="utf-8")
        for header in OF_CUDA.findall(text) if CORE.match(name) else ():
            print(f"{name}: the simulator's core is compiled without CUDA's headers, and this includes <{header}>")
            found += 1
        for header in () if name.startswith(OWN_BUILD) else unknown(text):
            print(f"{name}: the packages of the toolkit have no <{header}>: declare what is needed of it")
            found += 1
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
