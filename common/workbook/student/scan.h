// SPDX-License-Identifier: MIT
// Scans: what is added up, and the functions that a stage defines. A scan of x0, x1, x2, ... is x0, x0 + x1, x0 + x1 +
// x2, ... In place of the addition there may be any operator that is associative. Its operands keep their order, as it
// need not be commutative.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "workbook/student/cuda_check.h"
#include "workbook/student/todo.h"

namespace workbook {

/// What element i of the output has.
enum class Scan : std::uint8_t {
  inclusive,  ///< All elements up to i, and i itself.
  exclusive,  ///< All elements before i; the identity for i = 0.
};

/// The map that makes scale * x + offset of x, modulo 2^16.
struct alignas(4) Affine {
  std::uint16_t scale;
  std::uint16_t offset;
};

/// What changes nothing when it is combined with another value: 0 for numbers, x for a map.
template <typename T>
__host__ __device__ T identity() {
  return T{};
}
template <>
__host__ __device__ inline Affine identity<Affine>() {
  return {1, 0};
}

/// The operator: `first` stands before `second`. Ints are added modulo 2^32, and floats as floats. Two maps become the
/// map that does the first, and then the second. The order counts: twice x and then 1 more is not twice (x + 1).
__host__ __device__ inline int combine(int first, int second) {
  return static_cast<int>(static_cast<unsigned>(first) + static_cast<unsigned>(second));
}
__host__ __device__ inline float combine(float first, float second) { return first + second; }
__host__ __device__ inline Affine combine(Affine first, Affine second) {
  const unsigned scale = second.scale;  // an unsigned product: that of two uint16_t would be an int, and could overflow
  return {static_cast<std::uint16_t>(scale * first.scale),
          static_cast<std::uint16_t>(scale * first.offset + second.offset)};
}

/// The 32 bits of a value, and the value that has these bits.
template <typename T>
__device__ unsigned bits_of(T value) {
  static_assert(sizeof(T) == sizeof(unsigned));
  unsigned bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}
template <typename T>
__device__ T value_of(unsigned bits) {
  T value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

/// __shfl_up_sync(), __shfl_down_sync() and __shfl_sync() of all 32 lanes, for each of the types. All lanes of the warp
/// come here.
template <typename T>
__device__ T shuffle_up(T value, unsigned distance) {
  return value_of<T>(__shfl_up_sync(0xffffffffu, bits_of(value), distance));
}
template <typename T>
__device__ T shuffle_down(T value, unsigned distance) {
  return value_of<T>(__shfl_down_sync(0xffffffffu, bits_of(value), distance));
}
template <typename T>
__device__ T shuffle(T value, unsigned lane) {
  return value_of<T>(__shfl_sync(0xffffffffu, bits_of(value), lane));
}

/// Four neighbouring elements, which one load or store of 16 bytes moves.
template <typename T>
struct Four {
  T of[4];
};

/// Elements `at` to `at` + 3 of n. Behind the end there is the identity. `at` is a multiple of 4.
template <typename T>
__device__ Four<T> load_four(const T* input, std::size_t at, std::size_t n) {
  Four<T> four;
  if (at + 4 <= n) {
    const uint4 bits = *reinterpret_cast<const uint4*>(input + at);
    four = {value_of<T>(bits.x), value_of<T>(bits.y), value_of<T>(bits.z), value_of<T>(bits.w)};
    return four;
  }
  for (unsigned i = 0; i < 4; ++i) {
    four.of[i] = at + i < n ? input[at + i] : identity<T>();
  }
  return four;
}

/// Stores those of the four elements that lie before the end. __stcg() keeps the store in one piece: the compiler would
/// share parts of a plain one with the four single ones, so that a warp stored a row in three requests.
template <typename T>
__device__ void store_four(T* output, std::size_t at, std::size_t n, const Four<T>& four) {
  if (at + 4 <= n) {
    __stcg(reinterpret_cast<uint4*>(output + at),
           make_uint4(bits_of(four.of[0]), bits_of(four.of[1]), bits_of(four.of[2]), bits_of(four.of[3])));
    return;
  }
  for (unsigned i = 0; i < 4; ++i) {
    if (at + i < n) {
      output[at + i] = four.of[i];
    }
  }
}

/// The workspace of a scan: device memory beside input and output, and a stream. The caller owns it. One scan at a time
/// uses it.
struct ScanWorkspace {
  /// Holds scan_words(n) words, or more. All are 0 before the first scan. Later they have the values from the scan
  /// before, which may have had another size. After a billion scans (2^30 - 1), set them to 0 again.
  unsigned long long* words = nullptr;
  cudaStream_t stream = nullptr;
};

/// The size of a workspace for n elements: a word for each 512 elements, and some thousands.
constexpr std::size_t scan_words(std::size_t n) { return n / 512 + 8192; }

}  // namespace workbook

// A stage defines the function for int, float and workbook::Affine. Input and output have n elements each in DEVICE
// memory, at multiples of 16 bytes. They do not overlap, and the input must not change. n is any number of elements,
// also none. The functions only put work into the stream: no allocation, no copy to the host, no waiting. They throw
// workbook::CudaError (through CUDA_CHECK) when a launch fails.

/// Scans each block's elements by themselves: those of block b are 4 * block_size elements, from b * 4 * block_size on,
/// or what is left of them at the end.
///
/// * block_size  Threads a block: one of those that the stage takes (--help lists them).
template <typename T>
void scan_blocks_on_device(workbook::Scan scan, const T* input, T* output, std::size_t n, unsigned block_size,
                           cudaStream_t stream);

/// Scans all n elements.
///
/// * workspace   See above.
template <typename T>
void scan_on_device(workbook::Scan scan, const T* input, T* output, std::size_t n, unsigned block_size,
                    const workbook::ScanWorkspace& workspace);
