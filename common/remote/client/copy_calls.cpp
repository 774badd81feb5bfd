// SPDX-License-Identifier: MIT
// Copies, page-locked memory, and the texts of errors.
#include <cstdint>
#include <cstdlib>
#include <map>
#include <mutex>
#include <string>

#include "remote/client/cuda_api.h"

using namespace remote;

namespace {

cudaError_t copy(const CopyMessage& copied) { return forward(Call::k_copy, copied); }

cudaError_t symbol_address(const void* symbol, std::size_t offset, std::byte*& address) {
  void* begin = nullptr;
  const cudaError_t error = cudaGetSymbolAddress(&begin, symbol);
  address = static_cast<std::byte*>(begin) + offset;
  return error;
}

/// This process's part of page-locked memory. What the device copies from it or into it may lie in the other process.
cudaError_t malloc_host(void** memory, std::size_t size) {
  constexpr std::size_t kPage = 4096;
  if (memory == nullptr || size == 0 || size > SIZE_MAX - kPage) return cudaErrorInvalidValue;
  void* const made = std::aligned_alloc(kPage, (size + kPage - 1) / kPage * kPage);
  if (made == nullptr) return cudaErrorMemoryAllocation;
  const cudaError_t error =
      forward(Call::k_malloc_host, reinterpret_cast<std::uint64_t>(made), static_cast<std::uint64_t>(size));
  if (error == cudaSuccess) *memory = made;
  if (error != cudaSuccess) std::free(made);
  return error;
}

/// A text lives as long as the program.
const char* text_of(cudaError_t error, bool is_name) {
  static std::mutex mutex;
  static auto* const texts = new std::map<std::pair<cudaError_t, bool>, std::string>;
  {
    const std::lock_guard<std::mutex> lock(mutex);
    if (const auto found = texts->find({error, is_name}); found != texts->end()) return found->second.c_str();
  }
  const Body answer = exchange(Writer().put(Call::k_error_text).put(error).put(is_name).take());
  Reader reader(answer);
  const std::lock_guard<std::mutex> lock(mutex);
  return (*texts)[{error, is_name}].assign(reader.take_text()).c_str();
}

}  // namespace

extern "C" {

cudaError_t cudaMemcpy(void* destination, const void* source, std::size_t size, cudaMemcpyKind kind) {
  return copy({destination, size, source, size, size, 1, kind, nullptr, false});
}

cudaError_t cudaMemcpyAsync(void* destination, const void* source, std::size_t size, cudaMemcpyKind kind,
                            cudaStream_t stream) {
  return copy({destination, size, source, size, size, 1, kind, stream, true});
}

cudaError_t cudaMemcpy2D(void* destination, std::size_t destination_pitch, const void* source, std::size_t source_pitch,
                         std::size_t width, std::size_t height, cudaMemcpyKind kind) {
  return copy({destination, destination_pitch, source, source_pitch, width, height, kind, nullptr, false});
}

cudaError_t cudaMemcpy2DAsync(void* destination, std::size_t destination_pitch, const void* source,
                              std::size_t source_pitch, std::size_t width, std::size_t height, cudaMemcpyKind kind,
                              cudaStream_t stream) {
  return copy({destination, destination_pitch, source, source_pitch, width, height, kind, stream, true});
}

cudaError_t cudaMallocHost(void** memory, std::size_t size) { return malloc_host(memory, size); }

cudaError_t cudaHostAlloc(void** memory, std::size_t size, unsigned /*flags*/) { return malloc_host(memory, size); }

cudaError_t cudaFreeHost(void* memory) {
  if (memory == nullptr) return cudaSuccess;
  const cudaError_t error = forward(Call::k_free_host, reinterpret_cast<std::uint64_t>(memory));
  if (error == cudaSuccess) std::free(memory);
  return error;
}

cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* source, std::size_t size, std::size_t offset,
                               cudaMemcpyKind kind) {
  std::byte* address = nullptr;
  const cudaError_t error = symbol_address(symbol, offset, address);
  return error != cudaSuccess ? error : cudaMemcpy(address, source, size, kind);
}

cudaError_t cudaMemcpyToSymbolAsync(const void* symbol, const void* source, std::size_t size, std::size_t offset,
                                    cudaMemcpyKind kind, cudaStream_t stream) {
  std::byte* address = nullptr;
  const cudaError_t error = symbol_address(symbol, offset, address);
  return error != cudaSuccess ? error : cudaMemcpyAsync(address, source, size, kind, stream);
}

cudaError_t cudaMemcpyFromSymbol(void* destination, const void* symbol, std::size_t size, std::size_t offset,
                                 cudaMemcpyKind kind) {
  std::byte* address = nullptr;
  const cudaError_t error = symbol_address(symbol, offset, address);
  return error != cudaSuccess ? error : cudaMemcpy(destination, address, size, kind);
}

cudaError_t cudaMemcpyFromSymbolAsync(void* destination, const void* symbol, std::size_t size, std::size_t offset,
                                      cudaMemcpyKind kind, cudaStream_t stream) {
  std::byte* address = nullptr;
  const cudaError_t error = symbol_address(symbol, offset, address);
  return error != cudaSuccess ? error : cudaMemcpyAsync(destination, address, size, kind, stream);
}

cudaError_t cudaGetSymbolAddress(void** address, const void* symbol) {
  std::size_t size = 0;
  return forward(Call::k_symbol, reinterpret_cast<std::uint64_t>(symbol), address, &size);
}

cudaError_t cudaGetSymbolSize(std::size_t* size, const void* symbol) {
  void* address = nullptr;
  return forward(Call::k_symbol, reinterpret_cast<std::uint64_t>(symbol), &address, size);
}

const char* cudaGetErrorName(cudaError_t error) { return text_of(error, true); }
const char* cudaGetErrorString(cudaError_t error) { return text_of(error, false); }
}
