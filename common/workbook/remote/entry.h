// SPDX-License-Identifier: MIT
// A student's function in a process of its own. One line in problem/FAMILY/NAME/remote/ENTRY.cpp describes the
// function, and is compiled twice. In the judging program it is a definition that calls the student's process. In that
// process (WORKBOOK_STUDENT_PROCESS) it is a row in the list of functions that can be called.
//
//   WORKBOOK_ENTRY(void, copy_on_device,
//                  (workbook::ConstMatrix input, workbook::Matrix output, dim3 block, cudaStream_t stream),
//                  input, output, block, stream)
//
// All arguments are values or addresses on the device, and are copied byte by byte.
#pragma once

#include <type_traits>
#include <utility>

#include "remote/message.h"

namespace workbook {

template <typename Result>
Result value_of(const remote::Body& body) {
  if constexpr (!std::is_void_v<Result>) return remote::Reader(body).take<Result>();
}

}  // namespace workbook

#ifdef WORKBOOK_STUDENT_PROCESS

#include "workbook/remote/host/entries.h"

#define WORKBOOK_ENTRY(result, name, parameters, ...)         \
  [[maybe_unused]] static const bool WORKBOOK_ROW(__LINE__) = \
      ::workbook::add_entry(#name, static_cast<result(*) parameters>(&name));
#define WORKBOOK_TEMPLATE_ENTRY WORKBOOK_ENTRY
#define WORKBOOK_ROW(line) WORKBOOK_ROW_OF(line)
#define WORKBOOK_ROW_OF(line) row_##line

#else

#include "workbook/remote/judge/student.h"

#define WORKBOOK_ENTRY(result, name, parameters, ...) \
  result name parameters { return ::workbook::value_of<result>(::workbook::call_student(#name, __VA_ARGS__)); }
/// The same for a specialisation of a function template.
#define WORKBOOK_TEMPLATE_ENTRY(result, name, parameters, ...) \
  template <>                                                  \
  WORKBOOK_ENTRY(result, name, parameters, __VA_ARGS__)

#endif
