// SPDX-License-Identifier: MIT
// A call of CUDA as a message: its number, its values, and a flag for each address that receives a value. The answer is
// CUDA's error and those values. What is a value and what receives one follows from the type of the function.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <type_traits>

namespace remote {

enum class Call : std::uint32_t {
#define REMOTE_CALL(name) k_##name,
#define REMOTE_OWN_CALL(name) k_##name,
#include "remote/call_list.inc"
#undef REMOTE_CALL
#undef REMOTE_OWN_CALL
};

template <typename T>
constexpr bool is_handle =
    std::is_same_v<T, cudaStream_t> || std::is_same_v<T, cudaEvent_t> || std::is_same_v<T, cudaGraph_t> ||
    std::is_same_v<T, cudaGraphExec_t> || std::is_same_v<T, void*>;

/// Whether an argument of this type is an address that receives a value.
template <typename T>
constexpr bool receives = std::is_pointer_v<T> && !is_handle<T> && !std::is_const_v<std::remove_pointer_t<T>>;

/// Where a kernel finds an argument in its buffer.
struct ParameterPlace {
  std::uint64_t offset = 0, size = 0;
};

/// A launch, without its arguments and attributes, which follow it in the message.
struct LaunchMessage {
  std::uint64_t function = 0;  ///< the address of the stub in the student's process
  dim3 grid, block;
  std::uint64_t shared_bytes = 0;
  cudaStream_t stream = nullptr;
  std::uint32_t attributes = 0;
  std::uint32_t argument_bytes = 0;
};

/// A copy as one of rows; a plain copy is one row.
struct CopyMessage {
  void* destination = nullptr;
  std::uint64_t destination_pitch = 0;
  const void* source = nullptr;
  std::uint64_t source_pitch = 0;
  std::uint64_t width = 0, height = 0;
  std::uint32_t kind = cudaMemcpyDefault;  ///< cudaMemcpyKind
  cudaStream_t stream = nullptr;
  bool is_asynchronous = false;
};

/// Rows of the student's memory that go into the window, or come from it, where they lie one behind the other.
struct RowsMessage {
  std::uint64_t address = 0, pitch = 0, width = 0, height = 0;
};

}  // namespace remote
