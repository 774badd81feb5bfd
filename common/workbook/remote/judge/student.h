// SPDX-License-Identifier: MIT
// The student's process, for the program that judges it. The device, the inputs, the reference and the verdict are
// here. The student's process has the student's code alone: it gets addresses on the device, and its calls of CUDA are
// executed here.
#pragma once

#include <string>
#include <vector>

#include "remote/message.h"
#include "workbook/student/gpu_timer.h"

namespace workbook {

/// Where it comes from, at the first call of its function. Either a command for /bin/sh, which starts it, or
/// "socket:PATH". A grader listens there, and answers a connection with two descriptors: this end's socket, and the
/// window.
constexpr const char* kStudentVariable = "WORKBOOK_STUDENT";
constexpr const char* kAtSocket = "socket:";
/// A file with all device code that its process may run, as a linked program has it in .nv_fatbin. Not set: any.
constexpr const char* kDeviceCodeVariable = "WORKBOOK_DEVICE_CODE";

/// Calls the function of this name, and serves the calls of CUDA that it makes. `timer`: what it starts and stops, or
/// null. Throws what it throws: Unsolved, CudaError, or RemoteError with its text, also where its process ends.
remote::Body call_function_of_student(const std::string& name, const remote::Body& arguments,
                                      GpuTimer* timer = nullptr);

/// Host memory in the student's process, until the next call. It holds `shown`, and a copy of it to the device gets the
/// numbers of `meant` instead (Server::let_stand_for). Both must outlive drop_host_array_of_student().
std::uint64_t host_array_of_student(const void* shown, const void* meant, std::size_t bytes);
void drop_host_array_of_student();

/// Page-locked memory of this process that stands for such memory of the student's process (Server::stand_in_for), or
/// null; the address for which it stands; and its end.
void* stand_in_for_student(std::uint64_t address, std::size_t bytes);
std::uint64_t address_at_student(const void* stand_in);
void drop_stand_in(void* stand_in);

/// All that its process has copied from the device until now.
std::uint64_t bytes_copied_to_student();

template <typename... Arguments>
remote::Body call_student(const char* name, const Arguments&... arguments) {
  remote::Writer writer;
  (writer.put(arguments), ...);
  return call_function_of_student(name, writer.take());
}

}  // namespace workbook
