// SPDX-License-Identifier: MIT
// Registration of device code, and launches. The code itself is read by the device's process.
#include <cstring>
#include <map>
#include <mutex>

#include "remote/client/cuda_api.h"

using namespace remote;

namespace {

std::uint64_t number_of(const void* pointer) { return reinterpret_cast<std::uint64_t>(pointer); }

/// One <<<grid, block, shared, stream>>> that waits for its kernel's host stub.
struct CallConfiguration {
  dim3 grid, block;
  std::size_t shared_bytes = 0;
  void* stream = nullptr;
};
thread_local CallConfiguration configurations[64];
thread_local std::size_t configuration_count = 0;

/// Where a kernel finds its arguments: asked once for each kernel.
cudaError_t places_of(const void* function, std::vector<ParameterPlace>& places) {
  static std::mutex mutex;
  static auto* const known = new std::map<const void*, std::vector<ParameterPlace>>;
  const std::lock_guard<std::mutex> lock(mutex);
  if (const auto found = known->find(function); found != known->end()) {
    places = found->second;
    return cudaSuccess;
  }
  const Body answer = exchange(Writer().put(Call::k_parameter_places).put(number_of(function)).take());
  Reader reader(answer);
  const auto error = reader.take<cudaError_t>();
  if (error != cudaSuccess) return error;
  for (auto left = reader.take<std::uint32_t>(); left > 0; --left) places.push_back(reader.take<ParameterPlace>());
  (*known)[function] = places;
  return cudaSuccess;
}

cudaError_t launch(LaunchMessage message, const void* function, void** arguments,
                   const std::vector<cudaLaunchAttribute>& attributes) {
  std::vector<ParameterPlace> places;
  if (const cudaError_t error = places_of(function, places); error != cudaSuccess) return error;
  std::vector<std::byte> packed(places.empty() ? 0 : places.back().offset + places.back().size);
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (arguments == nullptr || arguments[i] == nullptr) return cudaErrorInvalidValue;
    std::memcpy(packed.data() + places[i].offset, arguments[i], places[i].size);
  }
  message.function = number_of(function);
  message.attributes = static_cast<std::uint32_t>(attributes.size());
  message.argument_bytes = static_cast<std::uint32_t>(packed.size());
  Writer writer;
  writer.put(Call::k_launch).put(message).put_bytes(packed.data(), packed.size());
  for (const cudaLaunchAttribute& attribute : attributes) writer.put(attribute);
  const Body answer = exchange(writer.take());
  return Reader(answer).take<cudaError_t>();
}

}  // namespace

REMOTE_EXPORT void** __cudaRegisterFatBinary(void* wrapper) {
  keep_for_later(Writer().put(Call::k_register_module).put(number_of(wrapper)).take());
  return static_cast<void**>(wrapper);
}
REMOTE_EXPORT void __cudaRegisterFatBinaryEnd(void** /*handle*/) {}
REMOTE_EXPORT void __cudaUnregisterFatBinary(void** /*handle*/) {}

REMOTE_EXPORT void __cudaRegisterFunction(void** handle, const char* host_function, char* /*device_function*/,
                                          const char* device_name, int /*thread_limit*/, uint3* /*thread*/,
                                          uint3* /*block*/, dim3* /*block_size*/, dim3* /*grid_size*/, int* /*warp*/) {
  keep_for_later(Writer()
                     .put(Call::k_register_function)
                     .put(number_of(handle))
                     .put(number_of(host_function))
                     .put_text(device_name)
                     .take());
}

REMOTE_EXPORT void __cudaRegisterVar(void** handle, char* host_variable, char* /*device_address*/,
                                     const char* device_name, int /*is_extern*/, std::size_t size, int is_constant,
                                     int /*is_global*/) {
  keep_for_later(Writer()
                     .put(Call::k_register_variable)
                     .put(number_of(handle))
                     .put(number_of(host_variable))
                     .put(static_cast<std::uint64_t>(size))
                     .put(is_constant)
                     .put_text(device_name)
                     .take());
}

REMOTE_EXPORT unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, std::size_t shared_bytes, void* stream) {
  if (configuration_count == sizeof configurations / sizeof *configurations) return cudaErrorLaunchOutOfResources;
  configurations[configuration_count++] = {grid, block, shared_bytes, stream};
  return cudaSuccess;
}

REMOTE_EXPORT cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, std::size_t* shared_bytes, void* stream) {
  if (configuration_count == 0) return cudaErrorMissingConfiguration;
  const CallConfiguration& top = configurations[--configuration_count];
  *grid = top.grid;
  *block = top.block;
  *shared_bytes = top.shared_bytes;
  *static_cast<void**>(stream) = top.stream;
  return cudaSuccess;
}

REMOTE_EXPORT cudaError_t __cudaGetKernel(void** handle, const void* function) {
  *handle = const_cast<void*>(function);
  return cudaSuccess;
}

REMOTE_EXPORT cudaError_t __cudaLaunchKernel(const void* kernel, dim3 grid, dim3 block, void** arguments,
                                             std::size_t shared_bytes, cudaStream_t stream) {
  return cudaLaunchKernel(kernel, grid, block, arguments, shared_bytes, stream);
}

extern "C" {

cudaError_t cudaLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments, std::size_t shared_bytes,
                             cudaStream_t stream) {
  return launch({0, grid, block, shared_bytes, stream}, function, arguments, {});
}

cudaError_t cudaLaunchCooperativeKernel(const void* function, dim3 grid, dim3 block, void** arguments,
                                        std::size_t shared_bytes, cudaStream_t stream) {
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeCooperative;
  attribute.val.cooperative = 1;
  return launch({0, grid, block, shared_bytes, stream}, function, arguments, {attribute});
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* function, void** arguments) {
  if (config == nullptr || config->numAttrs > 64) return cudaErrorInvalidValue;
  return launch({0, config->gridDim, config->blockDim, config->dynamicSmemBytes, config->stream}, function, arguments,
                {config->attrs, config->attrs + config->numAttrs});
}

cudaError_t cudaFuncSetAttribute(const void* function, cudaFuncAttribute attribute, int value) {
  return forward(Call::k_set_function_attribute, number_of(function), attribute, value);
}

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* function) {
  return forward(Call::k_function_attributes, attributes, number_of(function));
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* function, int block_size,
                                                                   std::size_t shared_bytes, unsigned flags) {
  return forward(Call::k_occupancy, blocks, number_of(function), block_size, shared_bytes, flags);
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* function, int block_size,
                                                          std::size_t shared_bytes) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, block_size, shared_bytes, 0);
}
}
