# SPDX-License-Identifier: MIT
"""Puzzles whose kernels Numba compiles: right ones are silent with all checks, and wrong ones are found at their line,
or have a wrong result. A notebook needs one environment variable. Nothing is installed for it: WORKBOOK_NUMBA_PYTHON
names a Python that has numba-cuda, nbclient and ipykernel."""

import ast
import json
import os
import re
import subprocess
import unittest
from concurrent.futures import ThreadPoolExecutor

import support

PUZZLES = support.ROOT / "tests/gpu/programs/puzzles"
PYTHON = os.environ.get("WORKBOOK_NUMBA_PYTHON")
WRONG_RESULT = "wrong result"

CELLS = (
    "%env CUDASIM_CHECK=all",
    """import numpy as np
from numba import cuda
@cuda.jit(lineinfo=True)
def sums(a):
    t = cuda.threadIdx.x
    a[t] = t
    a[t] += a[(t + 32) % 64]""",
    """a = cuda.to_device(np.zeros(64, np.int32))
sums[1, 64](a)
print(a.copy_to_host()[0])""",
)
RUN_CELLS = """import json, sys, nbformat, nbclient
cells = [nbformat.v4.new_code_cell(cell) for cell in json.loads(sys.argv[1])]
notebook = nbformat.v4.new_notebook(cells=cells)
nbclient.NotebookClient(notebook, kernel_name="python3", timeout=60).execute()
print(*(output["text"] for output in notebook.cells[-1].outputs if "text" in output))"""


def kernels():
    """Each kernel: its file, its name, and its marks with their lines."""
    for file in sorted(PUZZLES.glob("*.py")):
        text = file.read_text(encoding="utf-8")
        lines = text.splitlines()
        for function in ast.parse(text).body:
            if isinstance(function, ast.FunctionDef) and function.decorator_list:
                numbers = range(function.lineno, function.end_lineno + 1)
                found = ((re.search(r"#: (.+)$", lines[number - 1]), number) for number in numbers)
                yield file, function.name, [(mark[1], number) for mark, number in found if mark]


def places(report):
    """Each finding's kind with each of its lines."""
    for finding in report["findings"]:
        for place in (finding, finding.get("other")):
            if place:
                yield finding["kind"], place["file"], place["line"]


# NVRTC makes machine code; memory comes from the runtime that is linked into cuda.bindings.
MACHINE_CODE = """import ctypes
import numpy as np
from cuda.bindings import driver, nvrtc, runtime
source = b'extern "C" __global__ void turn(int* a) {\\n __shared__ int s[64];\\n s[threadIdx.x] = 1;\\n a[threadIdx.x] = s[63 - threadIdx.x]; }'
program = nvrtc.nvrtcCreateProgram(source, b"turn.cu", 0, None, None)[1]
nvrtc.nvrtcCompileProgram(program, 1, [b"--gpu-architecture=sm_90"])
code = bytes(nvrtc.nvrtcGetCUBINSize(program)[1])
nvrtc.nvrtcGetCUBIN(program, code)
memory = runtime.cudaMalloc(256)[1]
kernel = driver.cuModuleGetFunction(driver.cuModuleLoadData(code)[1], b"turn")[1]
driver.cuLaunchKernel(kernel, 1, 1, 1, 64, 1, 1, 0, 0, ((memory,), (ctypes.c_void_p,)), 0)
result = np.zeros(64, np.int32)
print(runtime.cudaMemcpy(result.ctypes.data, memory, 256, runtime.cudaMemcpyKind.cudaMemcpyDeviceToHost)[0].value, result[0])
runtime.cudaFree(memory)"""


@unittest.skipUnless(PYTHON, support.NO_NUMBA)
class Puzzles(support.CudaCase):
    def run_kernel(self, kernel):
        file, name, _ = kernel
        report = self.folder / f"{file.stem}.{name}.json"
        words = ("--error-exitcode", 9, "--json", report, "--", PYTHON, "-B", file, name)
        return self.simulate(*words, timeout=100), json.loads(report.read_text(encoding="utf-8"))

    def test_machine_code_of_nvrtc_and_the_runtime_of_cuda_bindings(self):
        answer = self.simulate("--", PYTHON, "-c", MACHINE_CODE)
        self.assertTrue(answer.stdout.startswith("0 "))
        self.assertIn("turn.cu:4", answer.stderr)

    def test_each_kernel(self):
        all_kernels = list(kernels())
        self.assertGreater(len(all_kernels), 13)
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            results = list(pool.map(self.run_kernel, all_kernels))
        for (file, name, marks), (done, report) in zip(all_kernels, results):
            with self.subTest(f"{file.stem}: {name}", output=done.stdout + done.stderr):
                if name == "right":
                    self.assertEqual((done.returncode, done.stdout, report["findings"]), (0, "right\n", []))
                    continue
                self.assertEqual(len(marks), 1)
                mark, line = marks[0]
                if mark == WRONG_RESULT:
                    self.assertIn(WRONG_RESULT, done.stderr)
                else:
                    self.assertIn((mark, str(file), line), list(places(report)))

    def test_a_notebook(self):
        libraries = (self.cudart.with_name(name) for name in ("libcudasim_linked_runtime.so", "libcuda.so.1"))
        environment = {**os.environ, "LD_PRELOAD": ":".join(map(str, libraries)), "HOME": str(self.folder)}
        command = [PYTHON, "-B", "-c", RUN_CELLS, json.dumps(CELLS)]
        answer = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=100)
        self.assertEqual(answer.returncode, 0, answer.stderr)
        self.assertRegex(answer.stdout, r"a race in global memory(.*\n)+  line .*:6: a write(.*\n)+  and line .*:7: a read")


if __name__ == "__main__":
    unittest.main()
