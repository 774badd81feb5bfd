# SPDX-License-Identifier: MIT
"""What is told of the host's part of a program: who allocated, what was refused, where it crashed, and how it ends."""

import json
import platform
import signal
import sys
import time
import unittest

import support

SOURCE = r"""
#include <cstdio>
#include <cstring>
__global__ void scale(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i] * 2;
}
__global__ void all(float* out) { out[blockIdx.x * blockDim.x + threadIdx.x] = 1; }
__global__ void half(float* out, int n) { out[threadIdx.x] = n * 0.5f; }
__global__ void race(float* out) { *out = blockIdx.x + 0.625f; }
template <int B> __global__ void race_too(float* out) { *out = blockIdx.x + B; }
template <int B>
__global__ void sum(const float* in, float* out) { atomicAdd(out, in[blockIdx.x * B + threadIdx.x]); }
void more(const char* word, float* in, float* out); int main(int count, char** words) {
  auto is = [&](const char* word) { return std::strcmp(words[1], word) == 0; };
  const int n = 1000;
  float *in = nullptr, *out = nullptr, *nothing = nullptr, result = 0;
  cudaMalloc(&in, is("bytes") ? n : is("short") ? 300 * sizeof(float) : n * sizeof(float));  // line 18
  cudaMalloc(&out, n * sizeof(float));
  cudaMemset(in, 0, is("bytes") ? n : 1200);
  cudaMemset(out, 0, n * sizeof(float));
  if (is("bytes") || is("short")) scale<<<4, 256>>>(in, out, n);
  if (is("no n")) all<<<4, 256>>>(out);
  if (is("no guard")) half<<<1, 1024>>>(out, 8);
  if (is("race")) race<<<2, 1>>>(out);
  if (is("races")) race_too<1><<<2, 1>>>(out), race_too<2><<<2, 1>>>(out);
  if (is("refused")) {
    all<<<1, 2048>>>(out);  // line 28
    return 0;
  }
  if (is("shared")) all<<<1, 32, 100000>>>(out);
  if (is("zero")) all<<<0, 32>>>(out);
  if (is("device pointer")) std::printf("%f\n", out[3]);  // line 33
  if (is("before device memory")) std::printf("%f\n", out[-5000]);
  if (is("copied by the host")) std::memcpy(&result, out, sizeof result);
  if (is("null pointer")) std::printf("%f\n", nothing[0]);
  if (is("divides")) std::printf("%d\n", n / !is("divides"));  // line 37
  if (is("loop")) {
    for (int i = 1;; ++i) {
      all<<<4, 256>>>(out);
      if (cudaGetLastError() != cudaSuccess) break;
    }
    cudaMemset(in, 0, 4);
    const bool again = cudaGetLastError() == cudaErrorIllegalAddress;
    scale<<<1, 4096>>>(in, out, n);
    std::printf("ended, %d\n", again && cudaGetLastError() == cudaErrorIllegalAddress);
    return 0;
  }
  if (is("recovers") || is("asks once") || is("fails")) {
    all<<<1, 2048>>>(out);
    const bool first = cudaPeekAtLastError() != cudaSuccess && cudaGetLastError() != cudaSuccess;
    if (is("fails")) return 3;
    for (int i = 0; i < (is("asks once") ? 2 : 1); ++i) {
      all<<<1, 2048>>>(out);
      if (i == 0) cudaGetLastError();
    }
    scale<<<4, 256>>>(in, out, n);
    std::printf("recovered, %d\n", first && cudaDeviceSynchronize() == cudaSuccess);
  }
  if (is("hangs")) for (volatile int i = 0;; i = i);
  while (is("launches for ever")) scale<<<4, 256>>>(in, out, n);
  if (is("adds")) {
    float values[n];
    for (int i = 0; i < n; ++i) values[i] = 1.0f / (i + 3);
    cudaMemcpy(in, values, sizeof values, cudaMemcpyHostToDevice);
    sum<100><<<10, 100>>>(in, out);
  }
  cudaMemcpy(&result, out, sizeof result, cudaMemcpyDeviceToHost);
  if (is("adds")) std::printf("%.9g\n", result);
  more(words[1], in, out);
  cudaFree(in);
  cudaFree(out);
}
extern "C" cudaError_t cudaProfilerStart();
extern "C" cudaError_t cudaProfilerStop();
// Each in a frame of its own: where both variables share one, how they lie is the compiler's choice.
__attribute__((noinline)) bool copy_to_one(const float* out) {
  float one = 0;
  return cudaMemcpy(&one, out, 4000, cudaMemcpyDeviceToHost) == cudaSuccess && one >= 0;
}
__attribute__((noinline)) bool copy_to_many(const float* out) {
  float many[1000];
  return cudaMemcpy(many, out, 4000, cudaMemcpyDeviceToHost) == cudaSuccess && many[999] >= 0;
}
__attribute__((noinline)) void more(const char* word, float* in, float* out) {
  if (std::strcmp(word, "refused copy") == 0) {
    cudaMemcpy(out, in, 8000, cudaMemcpyDeviceToDevice);
    cudaMemset(out + 1000, 0, 4);
    cudaMemset(out + 1010, 0, 4);
    std::exit(0);  // and frees nothing
  }
  if (std::strcmp(word, "copy asked for") == 0)
    std::puts(cudaGetErrorString(cudaMemcpy(out, in, 8000, cudaMemcpyDeviceToDevice)));
  if (std::strcmp(word, "calls that are not permitted") == 0) {
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaGraph_t graph;
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    cudaStreamSynchronize(stream);  // breaks the capture
    cudaStreamSynchronize(stream);
    cudaStreamEndCapture(stream, &graph);
    cudaLaunchHostFunc(stream, [](void* pointer) { cudaFree(pointer); }, in);  // a host function
    cudaStreamDestroy(stream);
    cudaMemLocation where = {cudaMemLocationTypeDevice, 0};
    cudaMemPrefetchAsync(out, 4, where, 0, 0);  // not managed
  }
  if (std::strcmp(word, "to one float") == 0) std::printf("%d\n", copy_to_one(out));
  if (std::strcmp(word, "to one thousand") == 0) std::printf("%d\n", copy_to_many(out));
  for (int i = 0; std::strcmp(word, "leaks") == 0 && i < 3; ++i) {
    float* lost;
    cudaMalloc(&lost, 8);
  }
  for (int i = 0; std::strncmp(word, "in a range", 10) == 0 && i < 2; ++i) {
    float one = 0;
    cudaProfilerStart();
    all<<<1, 32>>>(out);  // launched
    if (std::strstr(word, "asks") != nullptr) cudaGetLastError();
    if (std::strstr(word, "waits") != nullptr) cudaDeviceSynchronize();  // waits
    if (std::strstr(word, "reads") != nullptr) cudaMemcpy(&one, out, 4 * (i + 1), cudaMemcpyDeviceToHost);  // reads
    cudaProfilerStop();
    if (std::strstr(word, "behind") != nullptr) cudaDeviceSynchronize();
  }
  if (std::strcmp(word, "refused template") == 0) race_too<3><<<0, 1>>>(out);
}
"""
DECLARED = """
__device__ float add(float a, float b);
__global__ void sum(float* out) {
  *out = add(*out, 1);
}
int main() {
  float* out;
  cudaMalloc(&out, 4);
  sum<<<1, 1>>>(out);
  cudaFree(out);
}
"""
ON_DEVICE = """
__global__ void k(float* out) {
  float* own;
  cudaMalloc(&own, 4);
  *own = *out;
}
int main() { k<<<1, 1>>>(nullptr); }
"""
OPTIONS = ["-arch=compute_75", "-lineinfo", "-cudart", "shared"]


class Host(support.CudaCase):
    PROGRAMS = {
        "program": (SOURCE, ["-g", *OPTIONS]),
        "nolines": (SOURCE, OPTIONS),
        "optimised": (SOURCE, ["-g", "-O1", *OPTIONS]),
        "declared": (DECLARED, ["-g", *OPTIONS]),
        "on_device": (ON_DEVICE, ["-D__CUDACC_INTERNAL_NO_STUBS__", *OPTIONS]),  # as a student's file is compiled
    }

    def run_it(self, what, *words, program="./program"):
        file = self.folder / "report.json"
        answer = self.simulate("--json", file, *words, "--", program, what)
        return answer, json.loads(file.read_text(encoding="utf-8"))

    def finding(self, what, **more):
        answer, report = self.run_it(what, **more)
        self.assertEqual(len(report["findings"]), 1, answer.stderr)
        return answer.stderr, report["findings"][0]

    def test_a_buffer_that_is_too_small(self):
        text, found = self.finding("bytes")
        self.assertEqual((found["kind"], found["allocated"]["line"]), ("out-of-bounds", 18))
        self.assertIn("a read of 1 float at", text)
        self.assertIn("directly past the end of the 250 floats (1000 bytes) of allocation 1", text)
        self.assertIn("allocated program.cu:18: cudaMalloc(&in, is(", text)
        self.assertIn("is the buffer too small? It was allocated with 1000 bytes, and 1000 is also an argument", text)
        text, found = self.finding("short")
        self.assertIn("is the buffer too small, or the wrong one, the number too large, or the index wrong? Element 300", text)

    def test_a_guard_that_is_missing(self):
        text, found = self.finding("no guard")
        self.assertIn("guard the access with `if (index < n)`", found["advice"])
        self.assertNotIn("too small", text)
        text, found = self.finding("no n")  # which of the two, nobody knows
        self.assertIn("either a guard, `if (index < n)`, is missing, or the buffer is too small", found["advice"])

    def test_without_debug_information_less_is_said(self):
        text, found = self.finding("bytes", program="./nolines")
        self.assertNotIn("allocated", found)
        self.assertIn("allocated in main() (compile with -g to see the line)", text)

    def test_values_of_floats_are_floats(self):
        text, found = self.finding("race")
        self.assertEqual(found["values"], {"before": "0.625", "after": "1.625"})

    def test_what_all_instances_of_a_template_do_is_said_once(self):
        answer, report = self.run_it("races")
        self.assertEqual(len(report["findings"]), 2)
        self.assertEqual(answer.stderr.count("[race]"), 1, answer.stderr)

    def test_a_refused_launch_is_the_finding_and_its_leaks_are_not(self):
        text, found = self.finding("refused")
        self.assertEqual((found["kind"], found["line"]), ("refused-launch", 28))
        self.assertIn("program.cu:28: all<<<1, 2048>>>(out);", text)
        for what, words in (("shared", "100000 bytes of dynamic shared memory"), ("zero", "no size may be 0")):
            self.assertIn(words, self.finding(what)[1]["message"])
        self.assertIn("the first size in <<<grid, block>>> is the number of blocks", found["advice"])
        self.assertIn("(n + size - 1) / size rounds up", self.finding("zero")[1]["advice"])
        for program in ("./program", "./optimised"):
            self.assertIn("race_too<3><<<0, 1>>>(out);", self.finding("refused template", program=program)[0])
        answer, _ = self.run_it("refused", "--error-exitcode", "9")
        self.assertEqual(answer.returncode, 9)

    def test_a_function_that_is_only_declared_is_no_limit_of_the_simulator(self):
        text, found = self.finding("", program="./declared")
        self.assertRegex(found["message"], r"declared\.cu:4\): the function 'add\(float, float\)' is called but has no body")
        self.assertIn("must also be defined", found["advice"])
        self.assertNotIn("limit of the simulator", text)

    def test_a_function_of_the_host_that_a_kernel_calls_is_named(self):
        text, found = self.finding("", program="./on_device")
        self.assertRegex(found["message"], r"on_device\.cu:4\): a kernel calls cudaMalloc, which is for the host")
        self.assertIn("call cudaMalloc before the launch", found["advice"])
        self.assertNotIn("limit of the simulator", text)

    def test_a_refused_copy_names_its_line_and_who_allocated_and_its_leaks_are_not_told(self):
        answer, report = self.run_it("refused copy", "--error-exitcode", "9")
        lines = [(found["kind"], found["line"]) for found in report["findings"]]
        first = 1 + SOURCE[: SOURCE.index("cudaMemcpy(out, in, 8000")].count("\n")
        self.assertEqual(lines, [("refused-copy", first + i) for i in range(3)])
        self.assertEqual(answer.returncode, 9)
        self.assertIn("but 8000 were asked for. Allocated: program.cu:1", answer.stderr)
        for past in ("directly", "40 bytes"):
            told = rf"lies in no allocation, but {past} past the end of one of 4000 bytes\. Allocated: program\.cu:19"
            self.assertRegex(answer.stderr, told)

    def test_a_refused_copy_is_no_finding_where_the_program_asked_and_ended_with_0(self):
        answer, report = self.run_it("copy asked for", "--error-exitcode", "9")
        self.assertEqual((answer.returncode, report["findings"]), (0, []), answer.stderr)
        self.assertRegex(answer.stderr, r"cudaMemcpy is refused: .*\n.*program.cu:\d+")
        self.assertRegex(answer.stderr, r"no finding: the program asked for the error of the call that was refused")

    def test_a_call_that_is_not_permitted_where_it_stands_names_its_line(self):
        answer, report = self.run_it("calls that are not permitted", "--error-exitcode", "9")
        lines = SOURCE.splitlines()
        found = [(each["kind"], lines[each["line"] - 1].rpartition("// ")[2]) for each in report["findings"]]
        expected = ("breaks the capture", "a host function", "not managed")
        self.assertEqual(found, [("refused-call", line) for line in expected], answer.stderr)
        self.assertEqual(answer.returncode, 9)
        for words in (
            "cudaStreamSynchronize is refused: a stream is captured into a graph",
            "cudaFree is refused: a host function of a stream must not call CUDA",
            "cudaMemPrefetchAsync is refused: this is not managed memory",
        ):
            self.assertIn(words, answer.stderr)

    def test_a_copy_that_is_too_long_for_the_host_destroys_nothing(self):
        answer, _ = self.run_it("to one float")
        self.assertEqual(answer.stdout, "0\n", answer.stderr)
        self.assertRegex(
            answer.stderr,
            r"the destination, 0x\w+, is a variable of a function of the host, and there are \d+ bytes to the end of "
            r"all variables of that function, but 4000 were asked for",
        )
        answer, _ = self.run_it("to one thousand")
        self.assertEqual(answer.stdout, "1\n", answer.stderr)

    def test_leaks_of_one_line_are_one_leak(self):
        text, found = self.finding("leaks")
        self.assertEqual((found["kind"], found["message"]), ("leak", "24 bytes of 3 allocations were never freed"))
        self.assertIn("allocation 3 and 2 more of the program (cudaMalloc)", text)

    def in_a_range(self, what, check="all,host"):
        answer, report = self.run_it(f"in a range {what}", "--check", check)
        lines = SOURCE.splitlines()
        found = [(each["kind"], each["severity"], lines[each["line"] - 1].rpartition("// ")[2]) for each in report["findings"]]
        return found, answer.stderr

    def test_a_host_that_waits_between_the_calls_of_the_profiler_is_told_once(self):
        found, text = self.in_a_range("asks waits")
        self.assertEqual(found, [("host-wait", "defect", "waits")], text)
        self.assertIn("the host waits for the device, by cudaDeviceSynchronize", text)
        found, text = self.in_a_range("asks reads")
        self.assertEqual(found, [("host-wait", "defect", "reads")], text)
        self.assertIn("the host reads 4 bytes of device memory, by cudaMemcpy", text)
        self.assertEqual(self.in_a_range("asks behind")[0], [])
        self.assertEqual(self.in_a_range("asks waits reads", "all")[0], [], "only its own word asks for it")

    def test_a_launch_that_nobody_asks_about_is_a_remark(self):
        found, text = self.in_a_range("")
        self.assertEqual(found, [("unasked-launch", "remark", "launched")], text)
        self.assertIn("cudasim: remark: nobody asks whether this launch was accepted [unasked-launch]", text)

    def test_a_refused_launch_breaks_nothing(self):
        answer, report = self.run_it("recovers", "--error-exitcode", "9")
        self.assertEqual((answer.returncode, answer.stdout, report["findings"]), (0, "recovered, 1\n", []))
        self.assertIn("block (2048, 1, 1)", answer.stderr)  # told, and yet no finding
        self.assertRegex(answer.stderr, r"no finding: the program asked .*program.cu:\d+: all<<<1, 2048>>>.* with 0")

    def test_a_refused_launch_that_was_asked_for_is_a_finding_where_the_program_fails(self):
        answer, report = self.run_it("fails")
        self.assertEqual((answer.returncode, [found["kind"] for found in report["findings"]]), (3, ["refused-launch"]))

    def test_each_refused_launch_wants_its_question(self):
        answer, report = self.run_it("asks once", "--error-exitcode", "9")
        self.assertEqual((answer.returncode, answer.stdout), (9, "recovered, 1\n"))
        self.assertEqual([found["kind"] for found in report["findings"]], ["refused-launch"], answer.stderr)

    def test_a_crash_names_the_device_pointer_and_the_line(self):
        answer, report = self.run_it("device pointer", "--error-exitcode", "9")
        self.assertEqual((answer.returncode, report["exit_status"]), (9, 128 + signal.SIGSEGV))
        found = report["findings"][0]
        self.assertEqual((found["kind"], found["line"]), ("host-crash", 33))
        # A question where another register, too, holds what is no address of a host's.
        self.assertRegex(found["message"], "(: it used|: did it use) a pointer to device memory")
        self.assertIn("in the 4000 bytes of allocation 2 (cudaMalloc)", found["allocation"])
        self.assertIn("to write it, use cudaMemset", found["advice"])
        text, found = self.finding("copied by the host")  # in memcpy(), perhaps
        self.assertIn("a pointer to device memory", found["message"])
        self.assertEqual(found["line"], 35)
        self.assertIn("a pointer to device memory", self.finding("before device memory")[1]["message"])
        self.assertIn("it used a null pointer", self.finding("null pointer")[1]["message"])

    @unittest.skipUnless(platform.machine() == "x86_64", "this processor divides by 0 without a word")
    def test_a_division_by_0_names_its_line(self):
        answer, report = self.run_it("divides", "--error-exitcode", "9")
        found = report["findings"][0]
        self.assertEqual((report["exit_status"], found["kind"], found["line"]), (128 + signal.SIGFPE, "host-crash", 37))
        self.assertIn("divided a whole number by 0", found["message"])

    def test_a_loop_of_launches_ends_after_a_fault(self):
        answer, report = self.run_it("loop", "--time-limit", "50")
        self.assertEqual((answer.returncode, answer.stdout), (0, "ended, 1\n"))
        self.assertEqual([found["kind"] for found in report["findings"]], ["out-of-bounds"])

    def test_no_line_of_an_interpreter_is_named(self):
        calls = (
            "import ctypes",
            f"cuda = ctypes.CDLL({str(self.cudart)!r})",
            "cell = ctypes.c_void_p()",
            "assert cuda.cudaMalloc(ctypes.byref(cell), ctypes.c_size_t(64)) == 0",
        )
        file = self.folder / "report.json"
        answer = self.simulate("--json", file, "--", sys.executable, "-c", "\n".join(calls))
        report = json.loads(file.read_text())
        self.assertEqual([found["kind"] for found in report["findings"]], ["leak"], answer.stderr)
        self.assertNotIn("\n  allocated ", answer.stderr)

    def test_old_calls_of_the_driver_that_pycuda_makes(self):
        ptx = ".version 7.0\n.target sm_75\n.address_size 64\n.visible .entry nothing() { ret; }\n"
        calls = (
            "from ctypes import CDLL, byref, c_void_p",
            "cuda = CDLL('libcuda.so.1')",
            "context, other, module, kernel = c_void_p(), c_void_p(), c_void_p(), c_void_p()",
            "cuda.cuInit(0), cuda.cuCtxCreate_v2(byref(other), 0, 0), cuda.cuCtxCreate_v2(byref(context), 0, 0)",
            f"cuda.cuModuleLoadData(byref(module), {ptx.encode()!r})",
            "cuda.cuModuleGetFunction(byref(kernel), module, b'nothing')",
            "print([cuda.cuFuncSetBlockShape(kernel, x, 1, 1) for x in (64, 0, 1025)])",
            "print(cuda.cuFuncSetBlockShape(None, 64, 1, 1), cuda.cuProfilerStart(), cuda.cuProfilerStop())",
            "print([cuda.cuCtxDetach(each) for each in (other, context, context, other)], cuda.cuCtxSynchronize())",
        )
        answer = self.simulate("--", sys.executable, "-c", "\n".join(calls))
        self.assertEqual(answer.stdout, "[0, 1, 1]\n400 0 0\n[201, 0, 201, 0] 201\n", answer.stderr)

    def test_the_most_registers_of_a_kernel_by_an_option_of_the_compiler(self):
        loads = "".join(f"ld.global.f32 %f{i}, [%a+{4 * i}];\n" for i in range(60))
        adds = "".join(f"add.f32 %f0, %f0, %f{i};\n" for i in range(1, 60))
        ptx = (
            ".version 7.0\n.target sm_75\n.address_size 64\n.visible .entry sum(.param .u64 in) {\n"
            f".reg .f32 %f<60>; .reg .b64 %a;\nld.param.u64 %a, [in];\n{loads}bra add;\nadd:\n{adds}st.global.f32 [%a], %f0;\nret;\n}}\n"
        )
        calls = (
            "from ctypes import CDLL, byref, c_int, c_void_p",
            "cuda = CDLL('libcuda.so.1')",
            "context, module, kernel, registers = c_void_p(), c_void_p(), c_void_p(), c_int()",
            "cuda.cuInit(0), cuda.cuCtxCreate_v2(byref(context), 0, 0)",
            "for most in (255, 40):",
            f"    cuda.cuModuleLoadDataEx(byref(module), {ptx.encode()!r}, 1, (c_int * 1)(0), (c_void_p * 1)(most))",
            "    cuda.cuModuleGetFunction(byref(kernel), module, b'sum')",
            "    cuda.cuFuncGetAttribute(byref(registers), 4, kernel)",
            "    print(60 < registers.value <= most, registers.value == most)",
        )
        answer = self.simulate("--", sys.executable, "-c", "\n".join(calls))
        self.assertEqual(answer.stdout, "True False\nFalse True\n", answer.stderr)

    def test_a_time_limit(self):
        for more in ([], ["--seeds", "2"]):
            begin = time.monotonic()
            answer, _ = self.run_it("hangs", "--time-limit", "1", *more)
            self.assertLess(time.monotonic() - begin, 20)
            self.assertEqual(answer.returncode, 124)
            self.assertIn("stopped after 1 s (--time-limit)", answer.stderr)
        answer, _ = self.run_it("launches for ever", "--time-limit", "5")
        self.assertRegex(answer.stderr, r"stopped after 5 s \(--time-limit\): \d+ launches had ended; .*--check none is quicker")

    def test_another_order_of_additions_is_no_race(self):
        answer, report = self.run_it("adds", "--seeds", "4", "--error-exitcode", "9")
        self.assertEqual((answer.returncode, report["only_rounding"]), (0, True), answer.stderr)
        self.assertIn("This is no race: void sum<100>(float const*, float*) adds floats with atomics", answer.stderr)
        self.assertNotIn("DIFFER", answer.stderr)
        answer, report = self.run_it("adds", "--seeds", "4", "--error-exitcode", "9", "--check", "none")
        self.assertEqual((answer.returncode, report["only_rounding"]), (9, False), "races were not looked for")
        self.assertIn("--check race tells that from a race", answer.stderr)

    def test_a_difference_counts(self):
        answer, report = self.run_it("race", "--seeds", "4", "--error-exitcode", "9", "--check", "none")
        self.assertEqual((answer.returncode, report["findings"], report["only_rounding"]), (9, [], False))


if __name__ == "__main__":
    unittest.main()
