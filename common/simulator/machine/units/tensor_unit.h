// SPDX-License-Identifier: MIT
// Matrices that the lanes of a warp hold together: products, and moves between registers and memory. A lane's register
// gets its element by that lane's access, whichever lane gave the address of the row. So races and undefined values are
// reported for the thread whose split it is.
#pragma once

#include "machine/units/load_store_unit.h"

namespace cudasim {

/// Where wmma's matrix lies in memory, by lane: CUDA requires the same of all lanes.
struct FragmentPlace {
  std::uint64_t base[kWarpSize];
  std::uint32_t stride[kWarpSize];  ///< from line to line, in elements
  unsigned columns, bytes;          ///< of a matrix; of an element
  bool by_columns;

  std::uint64_t line_bytes(unsigned lane) const { return std::uint64_t{stride[lane]} * bytes; }
  /// `element`: row * columns + column
  std::uint64_t address(unsigned element, unsigned lane) const {
    const std::uint64_t row = element / columns, column = element % columns;
    return base[lane] + (by_columns ? column : row) * line_bytes(lane) + (by_columns ? row : column) * bytes;
  }
};

class TensorUnit : Unit {
 public:
  TensorUnit(Worker& worker, LoadStoreUnit& memory) : Unit(worker), memory_(memory) {}

  /// An instruction of all 32 lanes. False: it is a fault.
  bool execute(Block& block, Warp& warp, const WarpSplit& split, const MicroOp& op);
  /// All 32 lanes have come to one of these, apart: they go on together. False: they have not.
  bool join_lanes(Warp& warp) const;

 private:
  void multiply(const Step& step, const MatrixOperation& operation);
  void transpose(const Step& step, const MatrixOperation& operation);
  bool move_rows(Block& block, Warp& warp, const WarpSplit& split, const MicroOp& op, const MatrixOperation& operation);
  bool move_fragment(Block& block, Warp& warp, const WarpSplit& split, const MicroOp& op,
                     const MatrixOperation& operation);
  bool move_fragment_part(Block& block, Warp& warp, const WarpSplit& split, const MicroOp& op,
                          const MemoryAccess& access, LaneAddresses& at, bool more);
  void look_at_spare_rows(const Step& step, const MemoryAccess& given, unsigned rows, const LaneAddresses& row);
  /// `at`: of all lanes, without their addresses.
  void count_fragment(const Step& step, const MemoryAccess& given, const MatrixOperation& operation,
                      const FragmentPlace& place, LaneAddresses at);
  void count_rows(const MicroOp& op, const MemoryAccess& access, const LaneAddresses& row);

  LoadStoreUnit& memory_;
};

}  // namespace cudasim
