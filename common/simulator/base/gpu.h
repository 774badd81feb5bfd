// SPDX-License-Identifier: MIT
// The GPUs that the simulator can stand for (CUDASIM_GPU), and the limits that programs meet on them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace cudasim {

/// Sizes are in bytes, clocks in kHz. Sources: gpus.inc.
struct Gpu {
  const char* word;                   ///< of CUDASIM_GPU: "t4"
  const char* product;                ///< "NVIDIA T4"
  std::uint32_t capability;           ///< 75 for 7.5
  std::uint32_t multiprocessors;      ///< unless a Schedule says otherwise
  std::uint32_t l2_bytes;             ///< the whole L2 cache
  std::uint32_t bus_bits;             ///< width of the memory interface
  std::uint32_t clock, memory_clock;  ///< the highest ones
  bool ecc;                           ///< whether memory has error correction, as it is delivered
  std::uint32_t threads_per_multiprocessor;
  std::uint32_t blocks_per_multiprocessor;
  std::uint32_t shared_per_multiprocessor;
  std::uint32_t shared_per_block_optin;     ///< with cudaFuncAttributeMaxDynamicSharedMemorySize
  std::uint32_t shared_reserved_per_block;  ///< of the multiprocessor's, for the system
  std::uint32_t shared_unit;                ///< a block gets shared memory in multiples of this
  std::uint32_t float_to_double_ratio;      ///< how much faster single precision is
};

/// The GPU that every count of the course is from: an H200.
const Gpu& default_gpu();

/// Null where no GPU has this word.
const Gpu* find_gpu(std::string_view word);

/// "h200, h100, ...", for messages.
std::string gpu_words();

}  // namespace cudasim
