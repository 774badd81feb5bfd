// SPDX-License-Identifier: MIT
// The form in which a graph keeps a node, from the parameters that a program gives. The errors are those of an H200
// (tests/gpu/programs/recorded/graph_errors_h200.txt).
#include "runtime/graph.h"

namespace cudasim {
namespace {

/// The program's view of a plain copy.
cudaMemcpy3DParms shown(const CopyCall& copied) {
  const auto pointer = [&copied](const void* begin, const Stride& stride) {
    const std::size_t pitch = stride.row != 0 ? stride.row : copied.box.width;
    return cudaPitchedPtr{const_cast<void*>(begin), pitch, copied.box.width, copied.box.height};
  };
  cudaMemcpy3DParms params{};
  params.srcPtr = pointer(copied.source, copied.from_stride);
  params.dstPtr = pointer(copied.destination, copied.to_stride);
  params.extent = {copied.box.width, copied.box.height, copied.box.depth};
  params.kind = copied.kind;
  return params;
}

}  // namespace

CopyStep step_of(const CopyCall& copied) { return {copied, shown(copied)}; }

FillStep step_of(const FillCall& filled) {
  cudaMemsetParams params{};
  params.dst = filled.destination;
  params.pitch = filled.stride.row;
  params.value = filled.pattern.value;
  params.elementSize = filled.pattern.bytes;
  params.width = filled.box.width / filled.pattern.bytes;
  params.height = filled.box.height;
  return {filled, params};
}

cudaError_t make_step(Runtime& runtime, const char* call, const cudaKernelNodeParams* params, Step& step) {
  if (params == nullptr) return cudaErrorInvalidValue;
  if (params->func == nullptr) return cudaErrorInvalidDeviceFunction;
  const KernelCall kernel{params->func, params->gridDim, params->blockDim, params->sharedMemBytes, false};
  cudaError_t error = cudaSuccess;
  const KernelInfo* info = runtime.kernel_info(kernel.function, error);
  if (info == nullptr) return error;
  const Refused refused = check_launch(runtime, kernel, *info);
  if (refused.error != cudaSuccess) return complain(call, refused.why, refused.error);
  KernelStep made{kernel, {}};
  error = params->kernelParams == nullptr && params->extra != nullptr
              ? take_buffer(*info, params->extra, made.parameters)
              : take_arguments(*info, params->kernelParams, made.parameters);
  if (error == cudaSuccess) step = std::move(made);
  return error;
}

cudaError_t make_step(Runtime& runtime, const char* call, const cudaMemsetParams* params, Step& step) {
  if (params == nullptr) return cudaErrorInvalidValue;
  const std::size_t bytes = params->elementSize;
  if (bytes != 1 && bytes != 2 && bytes != 4)
    return complain(call, "an element has 1, 2 or 4 bytes", cudaErrorInvalidValue);
  std::size_t width = 0;
  if (params->width == 0 || params->height == 0 || __builtin_mul_overflow(params->width, bytes, &width))
    return cudaErrorInvalidValue;
  const bool is_aligned =
      reinterpret_cast<std::uint64_t>(params->dst) % bytes == 0 && (params->height == 1 || params->pitch % bytes == 0);
  if (!is_aligned) return complain(call, "the destination is no multiple of the element's size", cudaErrorInvalidValue);
  const FillCall filled{
      params->dst, {params->pitch}, {params->value, static_cast<unsigned>(bytes)}, {width, params->height}};
  const cudaError_t error = check_fill(runtime, call, filled);
  if (error == cudaSuccess) step = FillStep{filled, *params};
  return error;
}

cudaError_t make_step(Runtime& runtime, const char* call, const CopyCall& copied, Step& step) {
  const cudaError_t error = check_copy(runtime, call, copied);
  if (error != cudaSuccess) return error;
  if (copied.box.is_empty()) return cudaErrorInvalidValue;
  step = step_of(copied);
  return cudaSuccess;
}

cudaError_t make_step(Runtime& runtime, const char* call, const cudaMemcpy3DParms* params, Step& step) {
  CopyCall copied{};
  cudaError_t error = copy_of_box(runtime, call, params, copied);
  if (error == cudaSuccess) error = make_step(runtime, call, copied, step);
  if (error == cudaSuccess) std::get<CopyStep>(step).shown = *params;
  return error;
}

cudaError_t make_step(Runtime& /*runtime*/, const char* /*call*/, const cudaHostNodeParams* params, Step& step) {
  if (params == nullptr || params->fn == nullptr) return cudaErrorInvalidValue;
  step = HostStep{params->fn, params->userData};
  return cudaSuccess;
}

}  // namespace cudasim
