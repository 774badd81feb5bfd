// SPDX-License-Identifier: MIT
// Messages for an instruction of the whole warp that lacks something: all lanes, or rows at the right places.
#include "messages/matrix_messages.h"

#include <algorithm>

#include "messages/describe_address.h"
#include "messages/finding_messages.h"
#include "messages/missing_lanes.h"

namespace cudasim {
namespace {

/// "wmma.load": the name of the instruction, without its modifiers.
std::string name_of(const Program& program, const MicroOp& op) {
  const std::string pattern = program.origins[op.counter].row->pattern;
  return pattern.substr(0, std::min(pattern.find(".sync"), pattern.find('<')));
}

}  // namespace

/// The other lanes will not arrive where this split waits for them.
void report_lone_lanes(Grid& grid, const Block& block, const Warp& warp, const WarpSplit& split) {
  const MicroOp& op = grid.program.code[split.pc];
  Mask present = 0;
  for (const auto& other : warp.splits) {
    if (other.state == WarpSplit::State::at_warp_operation && other.pc == split.pc) present |= other.mask;
  }
  Finding f = finding_at(grid, block, warp, op, present, FindingKind::warp_mask);
  const auto come = static_cast<unsigned>(__builtin_popcount(present));
  f.message = name_of(grid.program, op) + " is an instruction of all 32 lanes of a warp, and " + std::to_string(come) +
              (come == 1 ? " comes" : " come") + " to it";
  if (present != ~0u) f.message += ": " + describe_missing_lanes(grid.program, warp, ~present, present);
  f.advice =
      "let all lanes of the warp come to this call together: take it out of the `if` or the loop that some of them "
      "leave, start whole warps, and guard only what is done around it";
  report(grid, block, std::move(f));
}

/// A row of ldmatrix or stmatrix, whose address `lane` has given.
void report_misaligned_row(Grid& grid, const Step& step, unsigned lane, std::uint64_t address, bool is_store) {
  Finding f = finding_at(grid, step, 1u << lane, FindingKind::misaligned);
  f.address = address;
  f.access_bytes = 16;
  f.is_store = is_store;
  describe_shared(grid, f, address);
  f.message = name_of(grid.program, step.op) + ": the address that lane " + std::to_string(lane) + " gives, of row " +
              std::to_string(lane % 8) + " of matrix " + std::to_string(lane / 8) + ", is not a multiple of 16";
  f.advice =
      "a row is 16 bytes at a multiple of 16: align the array (__align__(16)), and make its lines a multiple of 16 "
      "bytes "
      "long, the padding too";
  report(grid, step.block, std::move(f));
}

void warn_of_spare_row(Grid& grid, const Step& step, unsigned lane, std::uint64_t address) {
  Finding f = finding_at(grid, step, 1u << lane, FindingKind::misaligned);
  f.severity = Severity::warning;
  f.cuda_error = 0;
  f.address = address;
  f.access_bytes = 16;
  describe_shared(grid, f, address);
  f.message =
      name_of(grid.program, step.op) + ": lane " + std::to_string(lane) +
      " gives an address that is no row of 16 bytes in shared memory. It is not read here, but a GPU of sm_75, for "
      "which the kernel is compiled, needs a valid address of every lane";
  f.advice =
      "let the upper lanes give the addresses of the lower ones again (lane % 16 for .x2, lane % 8 for .x1), or "
      "compile "
      "for sm_80";
  add_defect(grid, step.block.linear, std::move(f));
}

/// A matrix of wmma with a wrong start address, or with a wrong distance between its rows.
void report_misaligned_matrix(Grid& grid, const Step& step, unsigned lane, ptx::Space space, std::uint64_t address,
                              std::uint64_t row_bytes, std::uint32_t fragment_bytes, bool is_store) {
  Finding f = finding_at(grid, step, 1u << lane, FindingKind::misaligned);
  f.address = address;
  f.access_bytes = fragment_bytes;
  f.is_store = is_store;
  if (space == ptx::Space::shared) describe_shared(grid, f, address);
  if (space == ptx::Space::global) describe_global(grid, f, address, fragment_bytes);
  if (const std::uint32_t least = std::min(fragment_bytes, 32u); address % least != 0) {
    f.message = name_of(grid.program, step.op) + ": the matrix begins at an address that is not a multiple of " +
                std::to_string(least);
    f.advice =
        "CUDA wants the pointer at a multiple of 32 bytes: align the array (__align__(32)), and begin tiles there";
  } else {
    f.message =
        name_of(grid.program, step.op) + ": rows (or columns) that are " + std::to_string(row_bytes) + " bytes apart";
    f.advice =
        "the stride, in elements, must make a multiple of 16 bytes: of 8 elements of 16 bits, of 4 elements of 32";
  }
  report(grid, step.block, std::move(f));
}

}  // namespace cudasim
