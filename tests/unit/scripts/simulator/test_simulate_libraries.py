# SPDX-License-Identifier: MIT
"""scripts/simulate over programs that call cuBLAS and cuRAND: what is found in their calls, and what is refused."""

import sys
import unittest

import support
from workbook_lib.machine import toolkit
from workbook_lib.simulator import program_check, simulator, stand_ins

SOURCE = r"""
#include <cublas_v2.h>
#include <curand.h>
#include <cstdio>
#include <cstring>
#include <vector>
__global__ void touch(float* c) {
  c[threadIdx.x] += 1.0f;  // line 8
}
int main(int count, char** words) {
  const char* what = count > 1 ? words[1] : "fine";
  auto is = [what](const char* word) { return std::strcmp(what, word) == 0; };
  const int n = 64, bytes = n * n * 4;
  cublasHandle_t handle;
  curandGenerator_t generator;
  if (cublasCreate(&handle) != 0 || curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_DEFAULT) != 0) return 1;
  float *a, *b, *c;
  cudaMalloc(&a, bytes);
  cudaMalloc(&b, is("outside") ? bytes - 256 : bytes);  // line 19
  cudaMalloc(&c, bytes);
  cudaStream_t one, other;
  cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
  cublasSetStream(handle, is("late") ? one : nullptr);
  curandSetStream(generator, is("random race") ? other : nullptr);
  std::vector<float> host(n * n, 1.0f);
  if (!is("undefined")) cudaMemset(b, 0, is("outside") ? bytes - 256 : bytes), cudaDeviceSynchronize();
  curandGenerateUniform(generator, a, is("random outside") ? n * n + 1 : n * n);  // line 28
  if (!is("random race")) cudaDeviceSynchronize();
  const float factor = 1, zero = is("result") ? 1 : 0;
  cublasSetStream(handle, one);
  cublasStatus_t status = cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &factor, a, n, b, n, &zero, c, n);  // 32
  if (is("race")) touch<<<1, n, 0, other>>>(c);  // line 33
  if (is("copy")) cudaMemcpyAsync(host.data(), c, bytes, cudaMemcpyDeviceToHost, other);  // line 34
  if (is("late")) cudaMemcpyAsync(host.data(), c, 4, cudaMemcpyDeviceToHost, one);
  cudaDeviceSynchronize();
  cudaMemcpy(host.data(), c, bytes, cudaMemcpyDeviceToHost);
  std::printf("%d %g\n", status, is("fine") || is("late") ? host[5] : 0);
  for (float* pointer : {a, b, c}) cudaFree(pointer);
  cudaStreamDestroy(one);
  cudaStreamDestroy(other);
  curandDestroyGenerator(generator);
  return cublasDestroy(handle);
}
"""
MISSING = """
#include <cublas_v2.h>
int main() {
  cublasHandle_t handle = nullptr;
  return cublasCgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 0, 0, 0, nullptr, nullptr, 1, nullptr, 1, nullptr, nullptr, 1);
}
"""
OPTIONS = ["-std=c++17", "-arch=compute_75", "-lineinfo", "-g", "-cudart", "shared", "-lcublas", "-lcurand"]


def has_libraries():
    nvcc = toolkit.find_nvcc(support.ROOT)
    return nvcc is not None and (nvcc.path.resolve().parent.parent / "include" / "cublas_v2.h").exists()


@unittest.skipUnless(has_libraries(), "the toolkit has no cuBLAS")
class Libraries(support.CudaCase):
    PROGRAMS = {"program": (SOURCE, OPTIONS), "missing": (MISSING, OPTIONS)}

    def found(self, what, *words):
        """The first finding of a run, as text."""
        answer = self.simulate("--", "./program", what)
        text = answer.stderr.partition("== ")[0]
        for word in words:
            self.assertIn(word, text)
        self.assertIn("1 finding: ", answer.stderr)
        return text

    def test_a_right_program(self):
        answer = self.simulate("--", "./program")
        self.assertEqual(answer.stdout, "0 0\n")
        self.assertIn("computed by the CPU, not counted: cublasSgemm (1), curandGenerateUniform (1)\n", answer.stderr)
        self.assertIn("== no findings (checks: all)\n", answer.stderr)
        self.assertIn("4 schedules, one result", self.simulate("--seeds", "4", "--", "./program", "late").stderr)

    def test_what_lies_outside(self):
        self.found("outside", "cublasSgemm reads 16384 bytes of B, which has 16128 to the end", "program.cu:32", "program.cu:19")
        self.found("random outside", "curandGenerateUniform writes 16388 bytes", "program.cu:28")

    def test_what_nothing_wrote(self):
        self.found("undefined", "16384 of the 16384 bytes that cublasSgemm reads as B were never written", "program.cu:32")
        self.found("result", "16384 of the 16384 bytes that cublasSgemm reads as C were never written", "program.cu:32")

    def test_races_between_streams(self):
        text = self.found("race", "the kernel, in stream 2 of the program, reads memory that cublasSgemm, in stream 1", "program.cu:8")
        self.assertIn("and line  program.cu:32", text)
        text = self.found("copy", "cudaMemcpyAsync, in stream 2 of the program, reads memory that cublasSgemm", "program.cu:34")
        self.assertIn("and line  program.cu:32", text)
        text = self.found("random race", "cublasSgemm, in stream 1 of the program, reads memory that curandGenerateUniform", "program.cu:32")
        self.assertIn("and line  program.cu:28", text)

    def test_one_that_a_program_opens_by_its_path(self):
        self.simulate("--", "./program")  # which builds it
        program = (
            "from ctypes import CDLL, byref, c_int",
            "random, version = CDLL('/nowhere/libcurand.so.10'), c_int()",
            "print(random.curandGetVersion(byref(version)), random.curandGeneratePoisson())",
        )
        answer = self.simulate("--", sys.executable, "-c", "\n".join(program))
        self.assertEqual(answer.stdout, "0 999\n", answer.stderr)
        self.assertIn("curandGeneratePoisson: the simulator does not have this function", answer.stderr)

    def test_those_of_cupy(self):
        program = self.folder / "bin/python"
        self.assertEqual(stand_ins.of_packages(program, "13"), [])
        (self.folder / "lib/python3.11/site-packages/cupy").mkdir(parents=True)
        self.assertEqual(stand_ins.of_packages(program, "13"), ["libcublas.so.13", "libcurand.so.10"])

    def test_a_function_that_is_not_there(self):
        problem = program_check.check(
            str(self.programs / "missing"), self.cudart, simulator.environment(self.cudart.parent, "")
        )
        self.assertIn("missing calls cublasCgemm_v2 of cuBLAS (libcublas.so.", problem.what)
        self.assertIn("DIFFERENCES.md", problem.fix)


if __name__ == "__main__":
    unittest.main()
