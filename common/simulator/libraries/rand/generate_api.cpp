// SPDX-License-Identifier: MIT
// The calls that fill memory with numbers.
#include <cmath>

#include "libraries/library_call.h"
#include "libraries/rand/generator.h"

using namespace cudasim;

namespace {

/// `fill(numbers, memory)` runs in the order of the stream, or at once for a generator of the host.
template <typename T, typename Fill>
curandStatus_t generate(const char* name, curandGenerator_t generator, T* out, std::size_t n, Fill fill) {
  if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  if (n == 0) return CURAND_STATUS_SUCCESS;
  curandGenerateSeeds(generator);
  const std::shared_ptr<Numbers> numbers = generator->numbers;
  if (generator->is_of_host) {
    fill(*numbers, out);
    return CURAND_STATUS_SUCCESS;
  }
  LibraryCall call{name, generator->stream};
  LibraryOperand operand{"its output", out, n * sizeof(T)};
  operand.is_read = false;
  operand.is_written = true;
  call.operands.push_back(operand);
  call.compute = [numbers, fill](void* const* memory) { fill(*numbers, static_cast<T*>(memory[0])); };
  return cudasim_call_library(call) == cudaSuccess ? CURAND_STATUS_SUCCESS : CURAND_STATUS_LAUNCH_FAILURE;
}

/// change(x) of normal numbers. They come in pairs, but for Philox.
template <typename T, typename Change>
curandStatus_t generate_normal(const char* name, curandGenerator_t generator, T* out, std::size_t n, Change change) {
  if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  if (n % 2 != 0 && generator->start.sequence != Sequence::philox) return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
  return generate(name, generator, out, n, [n, change](Numbers& numbers, T* memory) {
    numbers.normal(memory, n);
    for (std::size_t i = 0; i < n; ++i) memory[i] = change(memory[i]);
  });
}

}  // namespace

curandStatus_t curandGenerate(curandGenerator_t generator, unsigned int* out, size_t n) {
  return generate("curandGenerate", generator, out, n,
                  [n](Numbers& numbers, unsigned* memory) { numbers.bits(memory, n); });
}

/// For the quasirandom generators of 64 bits alone.
curandStatus_t curandGenerateLongLong(curandGenerator_t generator, unsigned long long*, size_t) {
  return generator == nullptr ? CURAND_STATUS_NOT_INITIALIZED : CURAND_STATUS_TYPE_ERROR;
}

curandStatus_t curandGenerateUniform(curandGenerator_t generator, float* out, size_t n) {
  return generate("curandGenerateUniform", generator, out, n,
                  [n](Numbers& numbers, float* memory) { numbers.uniform(memory, n); });
}

curandStatus_t curandGenerateUniformDouble(curandGenerator_t generator, double* out, size_t n) {
  return generate("curandGenerateUniformDouble", generator, out, n,
                  [n](Numbers& numbers, double* memory) { numbers.uniform(memory, n); });
}

curandStatus_t curandGenerateNormal(curandGenerator_t generator, float* out, size_t n, float mean, float deviation) {
  return generate_normal("curandGenerateNormal", generator, out, n,
                         [=](float x) { return std::fma(x, deviation, mean); });
}

curandStatus_t curandGenerateNormalDouble(curandGenerator_t generator, double* out, size_t n, double mean,
                                          double deviation) {
  return generate_normal("curandGenerateNormalDouble", generator, out, n,
                         [=](double x) { return std::fma(x, deviation, mean); });
}

curandStatus_t curandGenerateLogNormal(curandGenerator_t generator, float* out, size_t n, float mean, float deviation) {
  return generate_normal("curandGenerateLogNormal", generator, out, n,
                         [=](float x) { return std::exp(std::fma(x, deviation, mean)); });
}

curandStatus_t curandGenerateLogNormalDouble(curandGenerator_t generator, double* out, size_t n, double mean,
                                             double deviation) {
  return generate_normal("curandGenerateLogNormalDouble", generator, out, n,
                         [=](double x) { return std::exp(std::fma(x, deviation, mean)); });
}
