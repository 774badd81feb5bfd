# SPDX-License-Identifier: MIT
"""What is shown of the compiler's words: as nvcc 13 says them, with paths as they are typed."""

import unittest

import support
from workbook_lib.compiler_words import shortened

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
HOST = """stages/stage01/todo.cu(49): error: a host function call cannot be configured
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
        self.assertEqual(lines[2], "  CUDA_CHECK(cudaMalloc(data));")
        self.assertIn("cudaMalloc(&pointer, bytes)", lines[3])
        self.assertEqual(len(lines), 4)

    def test_a_line_that_is_not_there_is_left_as_the_compiler_says_it(self):
        self.assertIn("check_cuda((cudaMalloc(data))", self.shown(MALLOC))

    def test_a_launch_inside_of_cuda_check(self):
        self.assertIn("CUDA_CHECK(cudaGetLastError());", self.shown(LAUNCH))
        self.assertNotIn("->", self.shown(LAUNCH.replace("<<<1, 32>>>", "")))

    def test_a_swap_of_something_const(self):
        self.assertIn("one of these is const", self.shown(SWAP.format(types="float *, float *const")))
        self.assertNotIn("->", self.shown(SWAP.format(types="const float *, float *")))

    def test_a_sentence_for_the_commonest_errors(self):
        for message, words in (
            ('calling a __host__ function("add(float, float)") from a __global__ function("k") is not allowed', "__device__?"),
            ('incomplete type "float []" is not allowed', "is extern missing?"),
            ('no instance of function template "k" matches the argument list', "the template's arguments"),
        ):
            self.assertIn(words, self.shown(f"stages/stage01/todo.cu(3): error: {message}\n"))

    def test_a_launch_of_what_is_no_kernel(self):
        self.assertIn("__global__?", self.shown(HOST))

    def test_errors_in_the_student_s_file_come_first(self):
        other = "common/workbook/a.h(1): error: of another file\n"
        self.assertTrue(self.shown(other + SWAP).startswith("stages/stage01/todo.cu(54): error"))
        self.assertIn("of another file", self.shown(other + SWAP))

    def test_what_is_no_message_of_the_compiler_stays_as_it_is(self):
        self.assertEqual(self.shown(LINKER), LINKER)
        self.assertEqual(self.shown(GCC), GCC.strip("\n"))


if __name__ == "__main__":
    unittest.main()
