// SPDX-License-Identifier: MIT
// The counts of loads and stores of matrices. Those of wmma follow what ptxas makes of them, read from the machine code
// of CUDA 13.0 for sm_75 to sm_120. It is the same for all shapes:
//
// - Elements of 16 bits: an access of 32 bits for each register, which is 8 x 8 elements. It reads 16 bytes of eight
//   lines of memory, and MOVM turns the elements where the fragment wants them the other way. A register that repeats
//   another one is not loaded.
// - Elements of 8 bits: one of 32 bits for each register if its elements are neighbours in memory, else one for each.
// - Larger elements: two neighbours are one access.
// - Operands whose access would be one of eight lines of 16 bytes come from shared memory by ldmatrix, up to four
//   registers at a time.
#include "machine/units/tensor_unit.h"

namespace cudasim {
namespace {

constexpr unsigned kTileLines = 8, kTileLineBytes = 16, kMostTilesOfRows = 4;

}  // namespace

/// Nsight Compute counts the passes over the banks, and no requests.
void TensorUnit::count_rows(const MicroOp& op, const MemoryAccess& access, const LaneAddresses& row) {
  auto& c = counters_[op.counter];
  const Wavefronts w = row_passes(kernels_, row).wavefronts;
  (access.is_store ? c.shared_store_wavefronts : c.shared_load_wavefronts) += w.count;
  (access.is_store ? c.shared_store_bank_conflicts : c.shared_load_bank_conflicts) += w.count - w.least;
}

void TensorUnit::count_fragment(const Step& step, const MemoryAccess& given, const MatrixOperation& operation,
                                const FragmentPlace& place, LaneAddresses at) {
  const MatrixFragment& matrix = operation.d;
  const unsigned bits = bits_of(matrix.element), bytes = bits / 8, per = matrix.per_register();
  MemoryAccess access = given;
  access.space = at.space;
  const auto locate = [&](unsigned element, unsigned lane) {
    return place.address(matrix.map->place[element][lane], lane);
  };
  const auto are_neighbours = [&](unsigned element) {
    bool is_so = true;
    for (unsigned lane = 0; lane < kWarpSize; ++lane)
      is_so &= locate(element + 1, lane) == locate(element, lane) + bytes;
    return is_so;
  };
  const auto count_one = [&](unsigned access_bytes) {
    at.bytes = access.bytes = static_cast<std::uint8_t>(access_bytes);
    kernels_.span(at.address, at.mask, at.span);
    memory_.count(step.op, access, at.space, passes_of(kernels_, access, at));
    memory_.count_lines(step.op, access, at);
    for (const auto& watcher : watchers_) watcher->fragment(step, access, at, false);
  };
  if (bits > 16 || (bits == 8 && !are_neighbours(0))) {
    for (unsigned i = 0; i < matrix.elements();) {
      const unsigned joined = bits > 16 && i + 1 < matrix.elements() && are_neighbours(i) ? 2 : 1;
      for (unsigned lane = 0; lane < kWarpSize; ++lane) at.address[lane] = locate(i, lane);
      count_one(joined * bytes);
      i += joined;
    }
    return;
  }
  // Each register is eight lines of 16 bytes, the first of them where lane 0 begins.
  const unsigned tiles = unsigned{matrix.rows} * matrix.columns / (kWarpSize * per);
  const bool by_rows = operation.is_operand && !given.is_store && given.space == Space::shared;
  for (unsigned tile = 0; tile < tiles; ++tile) {
    const std::uint64_t corner = locate(tile * per, 0);
    if (!by_rows) {
      for (unsigned lane = 0; lane < kWarpSize; ++lane)
        at.address[lane] = corner + lane / 4 * place.line_bytes(lane) + lane % 4 * 4;
      count_one(4);
      continue;
    }
    const unsigned of_rows = tile % kMostTilesOfRows;
    for (unsigned line = 0; line < kTileLines; ++line)
      at.address[kTileLines * of_rows + line] = corner + line * place.line_bytes(line);
    if (of_rows + 1 < kMostTilesOfRows && tile + 1 < tiles) continue;
    at.bytes = kTileLineBytes;
    at.mask = ~0u >> (kWarpSize - kTileLines * (of_rows + 1));
    count_rows(step.op, access, at);
    for (const auto& watcher : watchers_) watcher->fragment(step, access, at, true);
  }
}

}  // namespace cudasim
