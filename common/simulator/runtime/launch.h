// SPDX-License-Identifier: MIT
// A kernel launch in two steps. The first checks it as the driver does, and takes its arguments. The second puts it
// into a stream. A graph does the first when a node is made, and both whenever it is launched.
#pragma once

#include "runtime/runtime.h"

namespace cudasim {

/// What to launch, without its arguments and its stream.
struct KernelCall {
  const void* function = nullptr;  ///< as in Runtime::kernels
  dim3 grid, block;
  std::size_t shared_bytes = 0;
  bool cooperative = false;
  bool begins_early = false;  ///< programmatic stream serialization: it may begin before the launch before it has ended
};

/// Where a launch goes: a stream of the program, or a branch of a running graph.
struct LaunchPlace {
  cudaStream_t stream = nullptr;
  const StreamName* branch = nullptr;
};

/// The launch is refused with a finding, or put into its stream. `call`, a literal, is the name for messages.
cudaError_t launch_kernel(Runtime& runtime, const char* call, const KernelCall& kernel, void** arguments,
                          const LaunchPlace& place);

/// The arguments in the kernel's memory layout. They come from the addresses of each, or from a buffer that has this
/// layout already. The buffer is that of CU_LAUNCH_PARAM_BUFFER_POINTER and its size.
cudaError_t take_arguments(const KernelInfo& info, void** arguments, std::vector<std::byte>& parameters);
cudaError_t take_buffer(const KernelInfo& info, void** extra, std::vector<std::byte>& parameters);
/// The addresses of the arguments in there.
std::vector<void*> addresses_of(const KernelInfo& info, std::vector<std::byte>& parameters);

/// Why CUDA refuses a launch of this kind. `error` is cudaSuccess if it does not.
struct Refused {
  cudaError_t error = cudaSuccess;
  std::string why, advice;
};
Refused check_launch(Runtime& runtime, const KernelCall& kernel, const KernelInfo& info);  ///< limits.cpp

}  // namespace cudasim
