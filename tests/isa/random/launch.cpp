// SPDX-License-Identifier: MIT
#include "launch.h"

#include <cuda_runtime_api.h>

#include <cstring>

namespace random_kernels {
namespace {

constexpr std::uint64_t hash_start = 0xcbf29ce484222325ull;

std::uint64_t hash_bytes(std::uint64_t hash, const void* data, std::size_t size) {  // FNV-1a
  const auto* bytes = static_cast<const unsigned char*>(data);
  for (std::size_t i = 0; i < size; ++i) hash = (hash ^ bytes[i]) * 0x100000001b3ull;
  return hash;
}

#if CUDART_VERSION >= 12080

/// Words of all sizes, numbers at the edges among them.
std::vector<std::uint32_t> input_words(std::uint64_t seed) {
  constexpr std::uint32_t edges[] = {0,          1,          0xffffffff, 0x80000000, 0x7fffffff, 0x3f800000,
                                     0xbf800000, 0x7f800000, 0x00000001, 0x00800000, 0x3c003c00, 0x7bff7bff};
  Random random(~seed);
  std::vector<std::uint32_t> words(Buffers::input_words + Buffers::input_padding_words);
  for (auto& word : words) {
    const unsigned shift = random.chance(1, 2) ? random.below(32) : 0;
    word = random.chance(1, 4) ? edges[random.below(12)] : static_cast<std::uint32_t>(random.next() >> 32) >> shift;
  }
  return words;
}

/// Device memory with a copy of `words`.
class Buffer {
 public:
  explicit Buffer(const std::vector<std::uint32_t>& words) : size_(words.size() * sizeof(words[0])) {
    status = cudaMalloc(&pointer, size_);
    if (status == cudaSuccess) status = cudaMemcpy(pointer, words.data(), size_, cudaMemcpyHostToDevice);
  }
  ~Buffer() { cudaFree(pointer); }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  cudaError_t read(std::uint32_t* to) const { return cudaMemcpy(to, pointer, size_, cudaMemcpyDeviceToHost); }

  void* pointer = nullptr;
  cudaError_t status = cudaSuccess;

 private:
  std::size_t size_;
};

std::string text_of(const char* step, cudaError_t error) {
  return std::string(step) + ": error " + std::to_string(static_cast<int>(error)) + ", " + cudaGetErrorString(error);
}

Output launch(std::uint64_t seed, cudaKernel_t kernel, const Shape& shape) {
  const std::size_t thread_words = shape.threads() * Buffers::thread_words;
  Output output;
  output.words.assign(thread_words, 0xcdcdcdcd);
  const auto values = input_words(seed);
  std::vector<std::uint32_t> counters(values.begin(), values.begin() + Buffers::counter_bytes / 4);
  Buffer in(values), out(output.words), counts(counters);
  auto word = static_cast<std::uint32_t>(seed * 0x9e3779b1u >> 3);
  std::uint64_t wide = ~seed * 0x9e3779b97f4a7c15ull;
  void* arguments[] = {&in.pointer, &out.pointer, &counts.pointer, &word, &wide};
  output.words.resize(thread_words + counters.size());
  for (const cudaError_t status : {in.status, out.status, counts.status}) {
    if (status != cudaSuccess) output.error = text_of("memory", status);
  }
  if (!output.error.empty()) return output;
  cudaError_t error = cudaLaunchKernel(reinterpret_cast<const void*>(kernel), dim3(shape.grid),
                                       dim3(shape.x, shape.y, shape.z), arguments, 0, nullptr);
  if (error == cudaSuccess) error = cudaDeviceSynchronize();
  if (error == cudaSuccess) error = out.read(output.words.data());
  if (error == cudaSuccess) error = counts.read(output.words.data() + thread_words);
  if (error != cudaSuccess) output.error = text_of("launch", error);
  return output;
}

#endif

}  // namespace

std::vector<Shape> shapes_of(const Kernel& kernel) {
  if (kernel.whole_warps) return {{1, 32, 1, 1}, {3, 64, 1, 1}, {1, 16, 4, 2}};
  return {{1, 48, 1, 1}, {3, 8, 5, 2}, {2, 112, 1, 1}};
}

#if CUDART_VERSION >= 12080

std::vector<Output> run(std::uint64_t seed, const Kernel& kernel) {
  cudaLibrary_t library = nullptr;
  cudaKernel_t entry = nullptr;
  std::vector<Output> outputs;
  cudaError_t error = cudaLibraryLoadData(&library, kernel.ptx.c_str(), nullptr, nullptr, 0, nullptr, nullptr, 0);
  if (error == cudaSuccess) error = cudaLibraryGetKernel(&entry, library, "test");
  if (error == cudaSuccess) {
    for (const Shape& shape : shapes_of(kernel)) {
      outputs.push_back(launch(seed, entry, shape));
      if (!outputs.back().error.empty()) break;
    }
  } else {
    outputs.push_back({text_of("loading", error), {}});
  }
  if (library != nullptr) cudaLibraryUnload(library);
  return outputs;
}

#else

std::vector<Output> run(std::uint64_t, const Kernel&) { return {{"needs CUDA 12.8 or later", {}}}; }

#endif

std::string digest(std::uint64_t seed, const Kernel& kernel) {
  int major = 0, minor = 0;
  cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0);
  cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, 0);
  if (kernel.target > static_cast<unsigned>(10 * major + minor)) return not_run;
  std::uint64_t hash = hash_start;
  for (const Output& output : run(seed, kernel)) {
    if (!output.error.empty()) return output.error;
    hash = hash_bytes(hash, output.words.data(), output.words.size() * sizeof(output.words[0]));
  }
  return hexadecimal("", hash, 16);
}

std::string text_digest(const Kernel& kernel) {
  return hexadecimal("", hash_bytes(hash_start, kernel.ptx.data(), kernel.ptx.size()) >> 32, 8);
}

}  // namespace random_kernels
