// SPDX-License-Identifier: MIT
#include "state/grid.h"

namespace cudasim {

const std::byte* Grid::place_of(const Block& block, const LaneAddresses& at, std::uint64_t address,
                                std::uint64_t bytes) const {
  if (at.space == ptx::Space::shared) return is_shared(address, bytes) ? block.shared + address : nullptr;
  const Allocation* allocation = at.site->allocation_at(memory, address);
  if (allocation == nullptr || allocation->host == nullptr) return nullptr;
  const std::uint64_t offset = address - allocation->address;
  return bytes <= allocation->size_bytes - offset ? allocation->host + offset : nullptr;
}

std::array<std::uint32_t, 3> block_index(const Grid& grid, std::uint64_t linear) {
  const auto& dim = grid.launch.grid;
  return {static_cast<std::uint32_t>(linear % dim.x), static_cast<std::uint32_t>(linear / dim.x % dim.y),
          static_cast<std::uint32_t>(linear / dim.x / dim.y)};
}

std::array<std::uint32_t, 3> thread_index(const Dim3& dim, std::uint32_t warp, unsigned lane) {
  const std::uint32_t thread = warp * kWarpSize + lane;
  if (dim.y == 1 && dim.z == 1) return {thread, 0, 0};  // divisions are slow
  return {thread % dim.x, thread / dim.x % dim.y, thread / dim.x / dim.y};
}

void report(Grid& grid, const Block& block, Finding f) {
  if (grid.is_speculative) return grid.give_up();
  const std::lock_guard<std::mutex> lock(grid.mutex);
  if (f.severity == Severity::error) {
    auto first = grid.first_error_block.load();
    while (block.linear < first && !grid.first_error_block.compare_exchange_weak(first, block.linear)) {
    }
  }
  for (auto& [linear, known] : grid.findings) {
    if (known.kind == f.kind && known.severity == f.severity && known.ptx_line == f.ptx_line &&
        f.severity == Severity::warning) {
      ++known.occurrences;
      return;
    }
  }
  grid.findings.emplace_back(block.linear, std::move(f));
}

void add_defect(Grid& grid, std::uint64_t block, Finding f) {
  if (grid.is_speculative) return grid.give_up();
  const std::lock_guard<std::mutex> lock(grid.mutex);
  for (auto& [linear, known] : grid.findings) {
    if (known.kind != f.kind || known.ptx_line != f.ptx_line || known.use != f.use || known.other_call != f.other_call)
      continue;
    f.occurrences = known.occurrences + 1;
    if (block < linear) {
      linear = block;
      known = std::move(f);
    } else {
      ++known.occurrences;
    }
    return;
  }
  grid.findings.emplace_back(block, std::move(f));
}

}  // namespace cudasim
