// SPDX-License-Identifier: MIT
// Undefined values in matrices. One undefined element makes only its row or column of a product undefined.
#include "checkers/init/value_watch.h"
#include "state/grid.h"

namespace cudasim {
namespace {

/// The undefined elements of a product, by row and column.
struct Elements {
  bool element[512] = {};
  std::uint32_t origin = 0;
};

}  // namespace

/// Whether all bytes of these rows of shared memory are defined.
bool ValueWatch::is_written(const Block& block, const LaneAddresses& row) const {
  const std::uint64_t* const written = values_of(block).shared.data();
  for (Mask m = row.mask; m != 0; m &= m - 1) {
    if (!written::all(written, row.address[__builtin_ctz(m)], row.bytes)) return false;
  }
  return true;
}

ValueWatch::Undefined ValueWatch::undefined_lanes(const Step& step, std::uint32_t slot) {
  const auto& values = *step.warp.values;
  if (!values.any) return {};
  return {step.warp.values->lanes(step.split.frame, slot), values.origin(step.split.frame, slot)};
}

void ValueWatch::add_undefined(const Step& step, std::uint32_t slot, const Undefined& more) {
  auto& values = *step.warp.values;
  values.write(step.split.frame, slot, ~0u, more.lanes | values.lanes(step.split.frame, slot), more.origin);
}

void ValueWatch::product(const Step& step, const MatrixOperation& operation) const {
  auto& values = *step.warp.values;
  if (!values.any) return;
  const WarpSplit& split = step.split;
  const unsigned columns = operation.d.columns;
  Elements result;
  const auto each_undefined = [&](const MatrixFragment& matrix, auto visit) {
    const FragmentMap& map = map_of(grid_, matrix);
    for (unsigned i = 0; i < matrix.elements(); ++i) {
      const std::uint32_t slot = matrix.slot[i / matrix.per_register()];
      const Mask undefined = values.lanes(split.frame, slot);
      if (undefined != 0) result.origin = values.origin(split.frame, slot);
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
  const FragmentMap& map = map_of(grid_, operation.d);
  const unsigned per = operation.d.per_register();
  for (unsigned i = 0; i < operation.d.registers; ++i) {
    Mask undefined = 0;
    for (unsigned part = 0; part < per; ++part) {
      for (unsigned lane = 0; lane < kWarpSize; ++lane)
        undefined |= Mask{result.element[map.place[i * per + part][lane]]} << lane;
    }
    values.write(split.frame, operation.d.slot[i], ~0u, undefined, result.origin);
  }
}

/// Element (r, c) becomes (c, r).
void ValueWatch::transposition(const Step& step, const MatrixOperation& operation) const {
  auto& values = *step.warp.values;
  if (!values.any) return;
  const WarpSplit& split = step.split;
  const Mask from = values.lanes(split.frame, operation.a.slot[0]);
  const std::uint32_t origin = values.origin(split.frame, operation.a.slot[0]);
  Mask to = 0;
  for (unsigned lane = 0; lane < kWarpSize; ++lane) {
    const unsigned row = lane / 4, column = 2 * (lane % 4);
    const unsigned sources[] = {column * 4 + row / 2, (column + 1) * 4 + row / 2};
    to |= ((from >> sources[0] | from >> sources[1]) & 1) << lane;
  }
  values.write(split.frame, operation.d.slot[0], ~0u, to, origin);
}

}  // namespace cudasim
