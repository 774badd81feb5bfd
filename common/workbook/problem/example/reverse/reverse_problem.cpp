// SPDX-License-Identifier: MIT
// The input numbers, the reference, and the text of a wrong element.
#include "workbook/problem/example/reverse/reverse_problem.h"

#include "workbook/judge/number_text.h"

namespace workbook {

ArrayTask<float> reverse_task(void (*on_device)(const float* input, float* output, std::size_t n, unsigned block_size,
                                                cudaStream_t stream)) {
  ArrayTask<float> task{"reverse", "Reverses an array on the device and compares with the CPU.", "floats"};
  // Each number tells its place. None is 0, because a kernel may wrongly fill a place with zeros.
  task.input = [](std::size_t n, std::uint32_t /*seed*/) {
    std::vector<float> numbers(n);
    for (std::size_t i = 0; i < n; ++i) numbers[i] = static_cast<float>(i + 1);
    return numbers;
  };
  task.reference = [](const std::vector<float>& input) { return std::vector<float>(input.rbegin(), input.rend()); };
  task.text = [](float number) { return "the input's element " + plain(static_cast<double>(number) - 1.0, 9); };
  task.on_device = on_device;
  return task;
}

}  // namespace workbook
