# SPDX-License-Identifier: MIT
"""What is shown of the compiler's words: as nvcc 13 says them, with paths as they are typed."""

import unittest

import support
from workbook_lib.build.compiler_messages import shortened

MALLOC = """stages/stage01/todo.cu(3): error: no instance of overloaded function "cudaMalloc" matches the argument list
            argument types are: (float *)
    ::workbook::check_cuda((cudaMalloc(data)), "cudaMalloc(data)", "stages/stage01/todo.cu", 3);
                            ^
/usr/local/cuda/include/cuda_runtime_api.h(4581): note #3322-D: number of parameters of function "cudaMalloc" does not match
  extern __attribute__((host)) cudaError_t cudaMalloc(void **devPtr, size_t size);
                                           ^

1 error detected in the compilation of "stages/stage01/todo.cu".
"""
LAUNCH = """stages/stage01/todo.cu(49): error: argument of type "void" is incompatible with parameter of type "cudaError_t" (aka "cudaError")
      ::workbook::check_cuda((f<<<1, 32>>>(data)), "f<<<1, 32>>>(data)", "stages/stage01/todo.cu", 49);
                             ^
"""
SWAP = """stages/stage01/todo.cu(54): error: no instance of overloaded function "std::swap" matches the argument list
            argument types are: ({types})
      std::swap(data, workspace.partial_sums);
      ^
/usr/include/c++/12/bits/stl_pair.h(715): note #3327-D: candidate function template failed deduction
      swap(pair<_T1, _T2>&, pair<_T1, _T2>&) = delete;
      ^
"""
SHARED = """stages/stage10/todo.cu(18): error: a variable length array cannot have static storage duration
    __attribute__((shared)) double warp_sums[warps];
                                   ^
"""
HOST = """stages/stage08/todo.cu(59): error: calling a constexpr __host__ function("min") from a __device__ function("combine") is not allowed. The experimental flag '--expt-relaxed-constexpr' can be used to allow this.
    static State combine(State a, State b) { return std::min(a, b); }
                                                    ^
          detected during:
            instantiation of "State combine(State, State) [with T={type}]" at line 216
"""
LAUNCH_EX = """/usr/local/cuda/include/cuda_runtime.h(286): error: function "lambda [](const float *)->cudaError_t" cannot be called with the given argument list
            argument types are: (float *, std::size_t)
      return [&](ExpTypes... coercedArgs){
             ^
/usr/local/cuda/include/cuda_runtime.h(286): note #3322-D: number of parameters of function "lambda [](const float *)->cudaError_t" does not match the call
      return [&](ExpTypes... coercedArgs){
                ^
          detected during instantiation of "cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *)" at line 188 of stages/stage07/todo.cu
"""
CONFIGURED = """stages/stage01/todo.cu(49): error: a host function call cannot be configured
      f<<<1, 32>>>(data);
      ^
"""
GCC = """stages/stage02/todo.cu: In function 'int other()':
stages/stage02/todo.cu:50:33: error: 'y' was not declared
   50 | int other() { return y; }
"""
LINKER = "/usr/bin/ld: todo.cu.o: in function `main':\ntodo.cu:3: undefined reference to `reduce'"


class Shortened(support.ScratchCase):
    def shown(self, message):
        return shortened(message, self.folder)

    def test_the_line_is_the_student_s_and_foreign_notes_are_left_out(self):
        self.write("stages/stage01/todo.cu", "1\n2\n  CUDA_CHECK(cudaMalloc(data));\n")
        lines = self.shown(MALLOC).splitlines()
        self.assertTrue(lines[0].startswith("stages/stage01/todo.cu:3:3: error: no instance"), lines[0])
        self.assertEqual(lines[2], "    CUDA_CHECK(cudaMalloc(data));")
        self.assertIn("cudaMalloc(&pointer, bytes)", lines[3])
        self.assertEqual(len(lines), 4)

    def test_what_is_not_linked_is_at_the_line_that_uses_it(self):
        self.write("stages/stage04/todo.cu", "1\n  blocks += threadIdx.x;\n")
        said = "/usr/bin/ld: k/stages/stage04/todo.cu.o: in function `f()':\n{}stages/stage04/todo.cu:2: undefined reference to `{}'\ncollect2: error: ld returned 1 exit status"
        for folder in ("build/default/", ""):
            head, advice = self.shown(said.format(folder, "__device_builtin_variable_threadIdx")).splitlines()
            self.assertEqual(head, "stages/stage04/todo.cu:2:3: error: undefined reference to `__device_builtin_variable_threadIdx'")
            self.assertIn("exist only on the device", advice)
        self.assertIn("is this a function of your file?", self.shown(said.format("", "reduce(float*)")))

    def test_a_member_that_is_spelled_otherwise(self):
        self.write("stages/stage01/todo.cu", "float* partial_sums;\nnext = workspace.partial_sum;\n")
        said = 'stages/stage01/todo.cu(2): error: class "workbook::Workspace" has no member "{}"\n'
        self.assertIn("-> did you mean partial_sums?", self.shown(said.format("partial_sum")))
        self.assertNotIn("->", self.shown(said.format("size")))

    def test_a_function_of_c_is_not_told_twice(self):
        call = 'stages/stage01/todo.cu(2): error: calling a __host__ function("rand") from a __global__ function("k") is not allowed\n\n'
        self.assertNotIn("undefined in device code", self.shown(call + 'stages/stage01/todo.cu(2): error: identifier "rand" is undefined in device code\n'))

    def test_a_line_that_is_not_there_is_left_as_the_compiler_says_it(self):
        self.assertIn("check_cuda((cudaMalloc(data))", self.shown(MALLOC))

    def test_a_launch_inside_of_cuda_check(self):
        self.assertIn("CUDA_CHECK(cudaGetLastError());", self.shown(LAUNCH))
        self.assertNotIn("->", self.shown(LAUNCH.replace("<<<1, 32>>>", "")))

    def test_a_swap_of_something_const(self):
        self.assertIn("one of these is const", self.shown(SWAP.format(types="float *, float *const")))
        self.assertNotIn("->", self.shown(SWAP.format(types="const float *, float *")))

    def test_a_function_that_is_for_the_host_only(self):
        self.assertIn("put __device__ before a function of your own", self.shown(HOST))

    def test_a_shared_array_whose_size_is_a_variable(self):
        self.assertIn("take a constant", self.shown(SHARED))

    def test_an_error_that_a_template_has_for_several_types_is_told_once(self):
        first, second = HOST.replace("{type}", "float"), HOST.replace("{type}", "int")
        self.assertEqual(self.shown(first + second), self.shown(first))
        self.assertEqual(self.shown(first + second.replace("(59)", "(73)")).count("error: calling"), 2)
        self.assertEqual(self.shown(SHARED + SHARED.replace("18", "19")).count("error:"), 2)
        self.assertEqual(self.shown(first + second.replace("calling a", "taking a")).count("error: "), 2)

    def test_the_first_error_is_whole_and_the_others_are_named(self):
        shown = self.shown("".join(SHARED.replace("(18)", f"({line})") for line in range(18, 27))).splitlines()
        self.assertTrue(shown[0].endswith("a variable length array cannot have static storage duration"), shown[0])
        self.assertIn("take a constant", shown[3])
        self.assertEqual(shown[4], "stages/stage10/todo.cu:19:1: error: a variable length array cannot have static storage duration")
        self.assertEqual((len(shown), shown[9]), (10, "... and 3 errors more"))

    def test_a_function_of_the_host_s_is_told_once_and_not_what_follows_from_it(self):
        call = 'stages/stage08/todo.cu(132): error: calling a __host__ function("P<{0}> ::f({0})") from a __device__ function("g") is not allowed\n'
        follows = 'stages/stage08/todo.cu(132): error: identifier "P<{0}> ::f" is undefined in device code\n'
        other = 'stages/stage08/todo.cu(140): error: identifier "table" is undefined in device code\n'
        shown = self.shown((call + follows).format("float") + other + (call + follows).format("int"))
        self.assertEqual(len(shown.splitlines()), 3)  # one call with its advice, and the other identifier
        self.assertIn("put __device__", shown)
        self.assertIn('"table"', shown)

    def test_the_line_of_an_error_in_a_header_is_the_student_s(self):
        self.assertRegex(self.shown(LAUNCH_EX), r"^stages/stage07/todo.cu:188:1: error: function .*\n    in /usr/.*, line 286\n")
        self.assertIn("-> cudaLaunchKernelEx got other arguments", self.shown(LAUNCH_EX))

    def test_names_and_marks(self):
        for error, words in (
            ('identifier "__shfl_down" is undefined', "__shfl_down_sync(mask, value, distance)"),
            (
                'no instance of overloaded function "__shfl_down_sync" matches the argument list',
                "the mask comes first: __shfl_down_sync(mask, value, distance)",
            ),
            ('no instance of overloaded function "atomicAdd" matches the argument list', "takes the address"),
            ('expected a ";"', "at the end of the line before"),
        ):
            self.assertIn(words, self.shown(f"stages/stage06/todo.cu(32): error: {error}"))

    def test_a_sentence_for_the_commonest_errors(self):
        for message, words in (
            ('incomplete type "float []" is not allowed', "is extern missing?"),
            ('no instance of function template "k" matches the argument list', "the template's arguments"),
        ):
            self.assertIn(words, self.shown(f"stages/stage01/todo.cu(3): error: {message}\n"))

    def test_a_launch_of_what_is_no_kernel(self):
        self.assertIn("__global__?", self.shown(CONFIGURED))

    def test_errors_in_the_student_s_file_come_first(self):
        other = "common/workbook/a.h(1): error: of another file\n"
        self.assertTrue(self.shown(other + SWAP).startswith("stages/stage01/todo.cu:54:1: error"))
        self.assertEqual(self.shown(other), "common/workbook/a.h:1:1: error: of another file")

    def test_what_is_no_message_of_the_compiler_stays_as_it_is(self):
        self.assertTrue(self.shown(LINKER).startswith(LINKER + "\n    -> is this a function of your file?"))
        self.assertEqual(self.shown(GCC), GCC.strip("\n").partition("\n")[2])


if __name__ == "__main__":
    unittest.main()
