// SPDX-License-Identifier: MIT
// What a stand-in for one of NVIDIA's libraries of machine code asks of the simulated runtime: to run a function of the
// host on device memory, in the order of a stream. The checks see it like a copy.
#pragma once

#include <driver_types.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace cudasim {

/// A part of device memory: slices of rows, in bytes.
struct LibraryOperand {
  const char* name;  ///< For messages: "A".
  const void* pointer;
  std::uint64_t width;
  std::uint64_t height = 1, row_stride = 0;
  std::uint64_t depth = 1, slice_stride = 0;
  std::int64_t width_step = 0;  ///< How much wider a row is than the one before it, in a triangle.
  bool is_read = true, is_written = false;
};

struct LibraryCall {
  const char* name;  ///< A literal: "cublasSgemm".
  cudaStream_t stream = nullptr;
  bool waits = false;    ///< The host waits for it, as the call writes memory of the host.
  bool is_part = false;  ///< Of another call, with which it is counted.
  std::vector<LibraryOperand> operands{};
  std::function<void(void* const*)> compute{};  ///< Gets the host's addresses of the operands, in their order.
};

}  // namespace cudasim

/// Checks the call and puts it into its stream. An operand that is wrong is a finding and stops the device, as a fault
/// of a kernel does. Returns the error of the runtime.
extern "C" cudaError_t cudasim_call_library(const cudasim::LibraryCall& call);

/// Prints "cudasim: CALL: WHY" once a text.
extern "C" void cudasim_explain(const char* call, const char* why);
