// SPDX-License-Identifier: MIT
// Undefined values in matrices: one element that nothing wrote makes its row or column of a product undefined, no more.
#include "machine/interpreter.h"

namespace cudasim {
namespace {

/// By row and column of a product, which of its elements are undefined.
struct Undefined {
  bool element[512] = {};
  std::uint32_t origin = 0;
};

}  // namespace

/// Whether all bytes of these rows of shared memory are.
bool Interpreter::is_written(const Block& block, const Located& row) const {
  for (Mask m = row.mask; m != 0; m &= m - 1) {
    if (!written::all(block.values->shared.data(), row.address[__builtin_ctz(m)], row.bytes)) return false;
  }
  return true;
}

/// What memory is looked at for, an element of each lane at a time: a register of which a part is undefined counts as
/// undefined as a whole, as all elements of one end in the same sums.
void Interpreter::watch_fragment_part(Block& block, Warp& warp, const Fragment& fragment, const MicroOp& op,
                                      const MemoryAccess& access, Located& at, bool more) {
  const std::uint32_t slot = access.data[0].slot;
  const bool adds = init_ != nullptr && !access.is_store && more && warp.values->any;
  const Mask before = adds ? warp.values->lanes(fragment.frame, slot) : 0;
  const std::uint32_t origin = adds ? warp.values->origin(fragment.frame, slot) : 0;
  watch_access(block, warp, fragment, op, access, false, at);
  if (before == 0) return;
  warp.values->write(fragment.frame, slot, at.mask, before | warp.values->lanes(fragment.frame, slot), origin);
}

void Interpreter::watch_product(Warp& warp, const Fragment& fragment, const MatrixOperation& operation) const {
  auto& values = *warp.values;
  const unsigned columns = operation.d.columns;
  Undefined result;
  const auto each_undefined = [&](const MatrixFragment& matrix, auto visit) {
    const FragmentMap& map = map_of(matrix);
    for (unsigned i = 0; i < matrix.elements(); ++i) {
      const std::uint32_t slot = matrix.slot[i / matrix.per_register()];
      const Mask undefined = values.lanes(fragment.frame, slot);
      if (undefined != 0) result.origin = values.origin(fragment.frame, slot);
      for (Mask m = undefined; m != 0; m &= m - 1) visit(map.place[i][__builtin_ctz(m)]);
    }
  };
  each_undefined(operation.c, [&](unsigned place) { result.element[place] = true; });
  each_undefined(operation.b, [&](unsigned place) {
    for (unsigned row = 0; row < operation.d.rows; ++row) result.element[row * columns + place % columns] = true;
  });
  each_undefined(operation.a, [&](unsigned place) {
    for (unsigned column = 0; column < columns; ++column)
      result.element[place / operation.a.columns * columns + column] = true;
  });
  const FragmentMap& map = map_of(operation.d);
  const unsigned per = operation.d.per_register();
  for (unsigned i = 0; i < operation.d.registers; ++i) {
    Mask undefined = 0;
    for (unsigned part = 0; part < per; ++part) {
      for (unsigned lane = 0; lane < warp_size; ++lane)
        undefined |= Mask{result.element[map.place[i * per + part][lane]]} << lane;
    }
    values.write(fragment.frame, operation.d.slot[i], ~0u, undefined, result.origin);
  }
}

/// Element (r, c) becomes (c, r).
void Interpreter::watch_transposition(Warp& warp, const Fragment& fragment, const MatrixOperation& operation) {
  auto& values = *warp.values;
  const Mask from = values.lanes(fragment.frame, operation.a.slot[0]);
  const std::uint32_t origin = values.origin(fragment.frame, operation.a.slot[0]);
  Mask to = 0;
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    const unsigned row = lane / 4, column = 2 * (lane % 4);
    const unsigned sources[] = {column * 4 + row / 2, (column + 1) * 4 + row / 2};
    to |= ((from >> sources[0] | from >> sources[1]) & 1) << lane;
  }
  values.write(fragment.frame, operation.d.slot[0], ~0u, to, origin);
}

}  // namespace cudasim
