// SPDX-License-Identifier: MIT
#include "base/gpu.h"

namespace cudasim {
namespace {

constexpr std::uint32_t kKiB = 1024;

struct Capability {
  std::uint32_t number, threads, blocks, shared_kib, optin_kib, reserved_kib, unit, ratio;
};

constexpr Capability kCapabilities[] = {
#define CAPABILITY(number, ...) {number, __VA_ARGS__},
#define GPU(...)
#include "base/gpus.inc"
};

constexpr Capability capability(std::uint32_t number) {
  for (const Capability& each : kCapabilities) {
    if (each.number == number) return each;
  }
  throw "a row of gpus.inc has a capability without a row";  // at compile time: an error
}

constexpr Gpu gpu_of(const char* word, const char* product, const Capability& c, std::uint32_t multiprocessors,
                     std::uint32_t l2_kib, std::uint32_t bus_bits, std::uint32_t mhz, std::uint32_t memory_mhz,
                     bool ecc) {
  return {word,
          product,
          c.number,
          multiprocessors,
          l2_kib * kKiB,
          bus_bits,
          mhz * 1000,
          memory_mhz * 1000,
          ecc,
          c.threads,
          c.blocks,
          c.shared_kib * kKiB,
          c.optin_kib * kKiB,
          c.reserved_kib * kKiB,
          c.unit,
          c.ratio};
}

constexpr Gpu kGpus[] = {
#define CAPABILITY(...)
#define GPU(word, product, number, ...) gpu_of(#word, product, capability(number), __VA_ARGS__),
#include "base/gpus.inc"
};

}  // namespace

const Gpu& default_gpu() { return kGpus[0]; }

const Gpu* find_gpu(std::string_view word) {
  for (const Gpu& gpu : kGpus) {
    if (word == gpu.word) return &gpu;
  }
  return nullptr;
}

std::string gpu_words() {
  std::string words;
  for (const Gpu& gpu : kGpus) words += (words.empty() ? "" : ", ") + std::string(gpu.word);
  return words;
}

}  // namespace cudasim
