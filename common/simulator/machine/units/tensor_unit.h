// SPDX-License-Identifier: MIT
// Matrices that the lanes of a warp hold together: products, and moves between registers and memory. A lane's register
// gets its element by that lane's access, whichever lane gave the address of the row. So races and undefined values are
// reported for the thread whose split it is.
#pragma once

#include "machine/units/load_store_unit.h"

namespace cudasim {

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
  void count_rows(const MicroOp& op, const MemoryAccess& access, const LaneAddresses& row);

  LoadStoreUnit& memory_;
};

}  // namespace cudasim
