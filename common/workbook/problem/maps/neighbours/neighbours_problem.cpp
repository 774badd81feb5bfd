// SPDX-License-Identifier: MIT
// The numbers, the reference, and the sizes of the cases.
#include "workbook/problem/maps/neighbours/neighbours_problem.h"

namespace workbook {

ArrayTask<int> neighbours_task(void (*on_device)(const int* input, int* output, std::size_t n, unsigned block_size,
                                                 cudaStream_t stream)) {
  ArrayTask<int> task{"neighbours", "Adds up each number and its neighbours on the device and compares with the CPU.",
                      "numbers", 2.0};
  // From 1 to 2^20, so that no sum of some of them looks like another one. None is 0, which stands for what is not
  // there.
  task.input = [](std::size_t n, std::uint32_t seed) {
    std::vector<int> numbers(n);
    std::uint32_t state = seed;
    for (int& number : numbers) {
      state = 1664525u * state + 1013904223u;
      number = static_cast<int>(state >> 12) + 1;
    }
    return numbers;
  };
  task.reference = [](const std::vector<int>& input) {
    std::vector<int> sums(input);
    for (std::size_t i = 0; i < sums.size(); ++i) {
      if (i > 0) sums[i] += input[i - 1];
      if (i + 1 < sums.size()) sums[i] += input[i + 1];
    }
    return sums;
  };
  task.on_device = on_device;
  // First the sizes that no block divides. Somebody who tries one size tries one of these, or the others alone. With
  // 4097 one number is left for a last block, however many numbers a block has.
  task.quick = {1003, 1, 5, 33, 4097, 128, 4096};
  task.hostile = {0,   2,   3,   31,   32,   63,   64,   65,   127,  255,   256,
                  257, 511, 512, 1023, 1024, 1025, 2048, 8191, 8192, 65'539};
  return task;
}

}  // namespace workbook
