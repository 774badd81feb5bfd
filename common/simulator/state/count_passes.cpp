// SPDX-License-Identifier: MIT
// How often memory must be asked for one access of a warp. In shared memory these are passes over the banks. For
// accesses whose lanes may take turns, they are sectors. The rules come from what an H200 counts for the kernels of
// tests/gpu/counters. They reproduce every one of these counts.
#include <algorithm>

#include "state/lane_addresses.h"

namespace cudasim {
namespace {

using ptx::Space;

/// Whether two lanes whose numbers differ in `bit` alone want one address, wherever both take part.
bool alike(const std::uint64_t* address, Mask mask, unsigned bit) {
  for (Mask m = mask & mask >> bit; m != 0; m &= m - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctz(m));
    if ((lane & bit) == 0 && address[lane] != address[lane + bit]) return false;
  }
  return true;
}

/// A load of 64 or 128 bits serves a half or a quarter warp at a time, like a store. If all lanes come in pairs that
/// are alike, it serves twice as many lanes: one lane of each pair is counted.
Wavefronts wavefronts_of_wide_load(const LaneKernels& kernels, const std::uint64_t* address, std::uint32_t bytes,
                                   Mask mask) {
  const unsigned bit = alike(address, mask, 1) ? 1 : alike(address, mask, 2) ? 2 : 0;
  if (bit == 0) return kernels.wavefronts(address, bytes, mask);
  std::uint64_t one_of_pair[kWarpSize] = {};
  Mask asked = 0;
  unsigned pair = 0;
  for (unsigned lane = 0; lane < kWarpSize; ++lane) {
    if ((lane & bit) != 0) continue;
    const bool first = (mask >> lane & 1) != 0, second = (mask >> (lane + bit) & 1) != 0;
    if (first || second) asked |= 1u << pair;
    one_of_pair[pair++] = address[first ? lane : lane + bit];
  }
  return kernels.wavefronts(one_of_pair, bytes, asked);
}

Wavefronts shared_wavefronts(const LaneKernels& kernels, const std::uint64_t* address, std::uint32_t bytes, Mask mask,
                             bool is_store) {
  return !is_store && bytes > 4 ? wavefronts_of_wide_load(kernels, address, bytes, mask)
                                : kernels.wavefronts(address, bytes, mask);
}

constexpr std::uint32_t kSectorBytes = 32;

/// `sectors_of(offset, phase)`. The lanes' offsets from the begin of a sector have 32 bits.
template <class SectorsOf>
unsigned sectors_by(const LaneAddresses& at, SectorsOf sectors_of) {
  if (at.near() && at.span.most - at.span.least <= ~kSectorBytes)
    return sectors_of(at.span.offset, static_cast<std::uint32_t>(at.span.least % kSectorBytes));
  std::uint32_t offset[kWarpSize] = {};
  if (at.how == LaneAddresses::How::coalesced) {
    for (unsigned lane = 0; lane < kWarpSize; ++lane) offset[lane] = lane * at.bytes;
    return sectors_of(offset, static_cast<std::uint32_t>(at.first % kSectorBytes));
  }
  // The lanes are too far from each other. Sectors are numbered by the first lane that wants them.
  for (Mask m = at.mask; m != 0; m &= m - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctz(m));
    const std::uint64_t sector = at.address[lane] / kSectorBytes;
    Mask rest = at.mask;
    while (at.address[__builtin_ctz(rest)] / kSectorBytes != sector) rest &= rest - 1;
    const auto first = static_cast<std::uint32_t>(__builtin_ctz(rest));
    offset[lane] = first * kSectorBytes + static_cast<std::uint32_t>(at.address[lane] % kSectorBytes);
  }
  return sectors_of(offset, std::uint32_t{0});
}

/// Distinct sectors.
unsigned global_sectors(const LaneKernels& kernels, const LaneAddresses& at) {
  return sectors_by(
      at, [&](const std::uint32_t* offset, std::uint32_t phase) { return kernels.sectors(offset, phase, at.mask); });
}

/// Sectors of elements that do not straddle one, if lanes with the same address take turns. A turn counts every sector
/// that it touches, so a sector counts as often as its most wanted element.
unsigned sectors_in_turns(const LaneKernels& kernels, const LaneAddresses& at) {
  return sectors_by(at, [&](const std::uint32_t* offset, std::uint32_t phase) {
    unsigned sectors = 0;
    Mask left = at.mask;
    if (kernels.uniform32(offset, left)) return static_cast<unsigned>(__builtin_popcount(left));
    while (left != 0) {
      const Mask turn = kernels.distinct(offset, left);
      sectors += kernels.sectors(offset, phase, turn);
      left &= ~turn;
    }
    return sectors;
  });
}

/// Distinct words among those of eight neighbouring lanes, summed over the warp.
unsigned words_by_eights(const std::uint64_t* address, Mask mask) {
  unsigned total = 0;
  for (unsigned first = 0; first < kWarpSize; first += 8) {
    std::uint64_t seen[8];
    unsigned count = 0;
    for (Mask m = mask & 0xffu << first; m != 0; m &= m - 1) {
      const std::uint64_t word = address[__builtin_ctz(m)] / 4;
      unsigned i = 0;
      while (i < count && seen[i] != word) ++i;
      if (i == count) seen[count++] = word;
    }
    total += count;
  }
  return total;
}

}  // namespace

Passes passes_of(const LaneKernels& kernels, const MemoryAccess& access, const LaneAddresses& at) {
  Passes result;
  if (!is_counted(access, at.space)) return result;
  if (access.joined.part == MemoryAccess::Joined::Part::one) {
    std::uint64_t address[kWarpSize];
    for (unsigned lane = 0; lane < kWarpSize; ++lane)
      address[lane] = at.address[lane] + static_cast<std::uint64_t>(std::int64_t{access.joined.offset});
    result.wavefronts = shared_wavefronts(kernels, address, access.joined.bytes, at.mask, access.is_store);
  } else if (at.space == Space::shared) {
    result.wavefronts = shared_wavefronts(kernels, at.address, at.bytes, at.mask, access.is_store);
  } else if (at.space == Space::global) {
    result.sectors = global_sectors(kernels, at);
  } else if (at.space == Space::local) {
    result.sectors = words_of(at.bytes) * words_by_eights(at.address, at.mask);
  }
  return result;
}

Passes atomic_passes(const LaneKernels& kernels, const AtomicAccess& atomic, const LaneAddresses& at) {
  Passes result;
  if (at.space == Space::global) result.sectors = sectors_in_turns(kernels, at);
  if (at.space != Space::shared) return result;
  if (atomic.counts_lanes) {
    result.wavefronts = kernels.wavefronts(at.address, at.bytes, at.mask);
    return result;
  }
  // Lanes that update one word take turns, so each counts for its bank.
  unsigned lanes_of_bank[32] = {};
  result.wavefronts.least = 1;
  for (Mask m = at.mask; m != 0; m &= m - 1) {
    const unsigned turns = ++lanes_of_bank[at.address[__builtin_ctz(m)] / 4 % 32];
    result.wavefronts.count = std::max(result.wavefronts.count, turns);
  }
  return result;
}

/// Each matrix counts by itself: the rows of eight lanes.
Passes row_passes(const LaneKernels& kernels, const LaneAddresses& row) {
  Passes result;
  for (unsigned first = 0; first < kWarpSize && row.mask >> first != 0; first += 8) {
    const Wavefronts one = kernels.wavefronts(row.address, row.bytes, row.mask & 0xffu << first);
    result.wavefronts.count += one.count;
    result.wavefronts.least += one.least;
  }
  return result;
}

}  // namespace cudasim
