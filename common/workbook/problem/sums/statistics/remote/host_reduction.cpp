// SPDX-License-Identifier: MIT
// reduce() takes the host's steps itself. So it gets an array of the host, which holds other numbers than those that
// reach the device: what the student's process computes of them is the sum of others.
#include "workbook/remote/entry.h"
#include "workbook/student/reduction.h"

#ifdef WORKBOOK_STUDENT_PROCESS

static float reduce_array(const float* input, std::size_t n, unsigned block_size) {
  workbook::GpuTimer timer;
  return reduce(input, n, block_size, timer);
}
WORKBOOK_ENTRY(float, reduce_array, (const float* input, std::size_t n, unsigned block_size), input, n, block_size)

#else

#include <string>
#include <vector>

#include "workbook/problem/generator.h"

float reduce(const float* input, std::size_t n, unsigned block_size, workbook::GpuTimer& timer) {
  struct End {
    ~End() { workbook::drop_host_array_of_student(); }
  };
  workbook::Generator random;  // anybody may know them, and a grade is the same each time
  std::vector<float> shown(n);
  for (float& number : shown) number = static_cast<float>(random()) / 4294967296.0f;
  const auto address = workbook::host_array_of_student(shown.data(), input, n * sizeof(float));
  const End end;  // before `shown` ends
  const std::uint64_t before = workbook::bytes_copied_to_student();
  const auto sum = workbook::value_of<float>(workbook::call_function_of_student(
      "reduce_array", remote::Writer().put(address).put(n).put(block_size).take(), &timer));
  if (const std::uint64_t bytes = workbook::bytes_copied_to_student() - before; bytes > sizeof(float))
    throw remote::RemoteError("reduce() has copied " + std::to_string(bytes) +
                              " bytes to the host, and the host needs the sum alone: " + std::to_string(sizeof(float)));
  return sum;
}

#endif
