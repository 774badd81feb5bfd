// SPDX-License-Identifier: MIT
// The arrays of a job. The student's process allocates them, and their bytes are in the judging program: copies use
// memory that stands for them. So the student's process never sees the input, and cannot write the output by itself.
#pragma once

#include "workbook/remote/entry.h"
#include "workbook/student/pieces.h"

#ifdef WORKBOOK_STUDENT_PROCESS

WORKBOOK_ENTRY(void*, allocate_on_host, (std::size_t bytes), bytes)
WORKBOOK_ENTRY(void, free_on_host, (void* memory), memory)

#else

#include <cstdlib>
#include <map>

namespace workbook {

/// Memory that is not page-locked: nothing stands for it.
inline std::map<void*, std::uint64_t>& pageable_arrays() {
  static std::map<void*, std::uint64_t> arrays;
  return arrays;
}

/// The job, with the addresses of the student's process.
inline Job job_of_student(Job job) {
  job.input = reinterpret_cast<const State*>(address_at_student(job.input));
  job.output = reinterpret_cast<State*>(address_at_student(job.output));
  return job;
}

}  // namespace workbook

void* allocate_on_host(std::size_t bytes) {
  const auto address = workbook::value_of<std::uint64_t>(workbook::call_student("allocate_on_host", bytes));
  if (void* const memory = workbook::stand_in_for_student(address, bytes); memory != nullptr) return memory;
  void* const pageable = std::malloc(bytes);
  workbook::pageable_arrays()[pageable] = address;
  return pageable;
}

void free_on_host(void* memory) {
  const auto pageable = workbook::pageable_arrays().find(memory);
  const bool is_pageable = pageable != workbook::pageable_arrays().end();
  workbook::call_student("free_on_host", is_pageable ? pageable->second : workbook::address_at_student(memory));
  if (is_pageable) {
    workbook::pageable_arrays().erase(pageable);
    std::free(memory);
  } else {
    workbook::drop_stand_in(memory);
  }
}

#endif
