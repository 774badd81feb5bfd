# SPDX-License-Identifier: MIT
"""Programs and libraries that nvcc has linked with its default, the static runtime: scripts/simulate finds in them what
it finds in those with the shared runtime."""

import json
import os
import sys
import unittest

import support

SOURCE = r"""
#include <cstdio>
__device__ int total;
__managed__ int managed = 3;
__global__ void sum(const int* in, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= count) total += in[i] + managed;  // line 7: a race, and one number too many
}
extern "C" int run(int count) {
  int* in = nullptr;
  int result = 0;
  cudaMalloc(&in, 1000 * sizeof(int));
  cudaMemset(in, 0, 1000 * sizeof(int));
  sum<<<1, 64>>>(in, 63);
  cudaMemcpyFromSymbol(&result, total, sizeof(int));
  sum<<<1, 2000>>>(in, 0);  // line 16: too many threads
  sum<<<4, 256>>>(in, count);
  const cudaError_t error = cudaDeviceSynchronize();
  cudaStream_t stream = nullptr;
  std::printf("%d, %s, %s\n", result, cudaGetErrorName(error), cudaGetErrorName(cudaStreamCreate(&stream)));
  return result;
}
int main() { run(1000); }
"""
LIBRARY = r"""
__global__ void seven(int* cell) { *cell = 7; }
extern "C" int run() {
  int *cell = nullptr, value = 0;
  cudaMalloc(&cell, sizeof(int));
  seven<<<1, 1>>>(cell);
  cudaMemcpy(&value, cell, sizeof(int), cudaMemcpyDeviceToHost);
  return value;  // line 8: a leak
}
"""
OPENER = r"""
#include <cstdio>
#include <dlfcn.h>
int main() { std::printf("%d\n", dlopen("library", RTLD_NOW) != nullptr); }
"""
ASKS_FOR_A_TABLE = r"""
#include <dlfcn.h>
extern "C" int run() {
  const void* table = nullptr;
  const char id[16] = {};
  const auto ask = dlsym(dlopen("libcuda.so.1", RTLD_NOW), "cuGetExportTable");
  return reinterpret_cast<int (*)(const void**, const void*)>(ask)(&table, id);
}
"""
LINES = ["-lineinfo", "-g"]
MACHINE_CODE = ["-gencode", "arch=compute_75,code=sm_75"]  # and no PTX, but that which -lineinfo adds to it
AS_LIBRARY = ["-shared", "-Xcompiler", "-fPIC"]


class LinkedRuntime(support.CudaCase):
    PROGRAMS = {
        "linked": (SOURCE, LINES),
        "shared": (SOURCE, [*LINES, "-cudart", "shared"]),
        "library": (LIBRARY, [*LINES, *AS_LIBRARY, *MACHINE_CODE]),
        "linked_twice": (LIBRARY, ["-rdc=true", *AS_LIBRARY]),
        "libcufft.so.99": (ASKS_FOR_A_TABLE, AS_LIBRARY),
        "opener": (OPENER, ["-Xlinker", "-rpath,{folder},--enable-new-dtags"]),
    }

    def report(self, program):
        """All but the program's name and what differs from run to run."""
        file = self.folder / "report.json"
        answer = self.simulate("--json", file, "--", program)
        text = file.read_text(encoding="utf-8").replace("shared.cu", "linked.cu").replace("./shared", "./linked")
        report = json.loads(text, object_hook=lambda found: {key: found[key] for key in found if key != "seconds"})
        return answer.stdout, answer.stderr.replace("shared.cu", "linked.cu"), answer.returncode, report

    def test_the_same_findings_lines_and_counters(self):
        linked = self.report("./linked")
        self.assertEqual(linked, self.report("./shared"))
        for words in ("linked.cu:7", "linked.cu:12: cudaMalloc", "linked.cu:16", "out-of-bounds", "race", "refused-launch"):
            self.assertIn(words, linked[1])

    def test_a_program_that_is_started_by_another(self):
        self.assertIn("out-of-bounds", self.simulate("--", "sh", "-c", "./linked").stderr)

    def test_a_runtime_of_another_version_is_left_alone(self):
        program = (self.programs / "linked").read_bytes()
        version = self.cudart.name.rpartition(".")[2]
        own, other = {
            "12": (b"cudaGetDeviceProperties_v2\0", b"cudaGetDeviceProperties_v1\0"),
            "13": (b"\0cudaLogsCurrent\0", b"\0cudaThreadExit\0\0"),
        }[version]
        self.assertIn(own, program)
        changed = self.programs / "changed"
        changed.write_bytes(program.replace(own, other))
        changed.chmod(0o755)
        os.link(changed, self.programs / "libcufft_of_ours")
        self.assertIn(
            "the CUDA runtime is linked into changed (nvcc's default), and the simulator has not taken its place",
            self.simulate("--", "sh", "-c", "./changed").stderr,
        )
        self.assertIn("libcufft_of_ours holds NVIDIA's machine code", self.simulate("--", "sh", "-c", "./libcufft_of_ours").stderr)

    def call(self, library):
        program = f"import ctypes; print(ctypes.CDLL({str(self.programs / library)!r}).run())"
        return self.simulate("--", sys.executable, "-c", program)

    def test_a_library_that_is_loaded_later(self):
        answer = self.call("library")
        self.assertEqual(answer.stdout, "7\n")
        self.assertIn("library.cu:5", answer.stderr)

    def test_one_whose_kernels_cannot_be_registered_again(self):
        answer = self.call("linked_twice")
        self.assertEqual(answer.stdout, "0\n")
        self.assertIn("the simulator has not taken its place", answer.stderr)
        self.assertIn("link it with nvcc -cudart shared", answer.stderr)

    def test_a_library_of_machine_code_is_named_where_it_fails(self):
        answer = self.call("libcufft.so.99")
        self.assertEqual(answer.stdout, "801\n")
        self.assertIn("libcufft.so.99 holds NVIDIA's machine code", answer.stderr)

    def test_nvjitlink_offers_no_machine_code(self):
        program = "import ctypes; print(hasattr(ctypes.CDLL('/nowhere/libnvJitLink.so.13'), 'nvJitLinkCreate'))"
        self.assertEqual(self.simulate("--", sys.executable, "-c", program).stdout, "False\n")

    def test_the_search_path_of_the_program_is_kept(self):
        self.assertEqual(self.simulate("--", "./opener").stdout, "1\n")


if __name__ == "__main__":
    unittest.main()
