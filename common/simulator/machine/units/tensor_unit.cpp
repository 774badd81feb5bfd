// SPDX-License-Identifier: MIT
#include "machine/units/tensor_unit.h"

#include <algorithm>
#include <cstring>

#include "messages/matrix_messages.h"

namespace cudasim {
namespace {

using MatrixMode = MatrixOperation::Mode;
using Space = ptx::Space;

constexpr unsigned kMostMatrixElements = 512;

/// A matrix by rows, f64 in 64-bit places, anything else in 32-bit ones.
union MatrixBuffer {
  std::uint32_t narrow[kMostMatrixElements];
  std::uint64_t wide[kMostMatrixElements];
};

void gather(const std::byte* frame, const MatrixFragment& fragment, const FragmentMap& map, MatrixBuffer& to) {
  const unsigned per = fragment.per_register(), bits = bits_of(fragment.element);
  const std::uint32_t mask = bits >= 32 ? ~0u : (1u << bits) - 1;
  for (unsigned i = 0; i < fragment.elements(); ++i) {
    const std::byte* slot = frame + fragment.slot[i / per];
    const std::uint16_t* place = map.place[i];
    if (bits == 64) {
      const auto* words = reinterpret_cast<const std::uint64_t*>(slot);
      for (unsigned lane = 0; lane < kWarpSize; ++lane) to.wide[place[lane]] = words[lane];
    } else {
      const auto* words = reinterpret_cast<const std::uint32_t*>(slot);
      const unsigned shift = i % per * bits;
      for (unsigned lane = 0; lane < kWarpSize; ++lane) to.narrow[place[lane]] = words[lane] >> shift & mask;
    }
  }
}

void scatter(std::byte* frame, const MatrixFragment& fragment, const FragmentMap& map, const MatrixBuffer& from) {
  const unsigned per = fragment.per_register(), bits = bits_of(fragment.element);
  for (unsigned i = 0; i < fragment.elements(); ++i) {
    std::byte* slot = frame + fragment.slot[i / per];
    const std::uint16_t* place = map.place[i];
    if (bits == 64) {
      auto* words = reinterpret_cast<std::uint64_t*>(slot);
      for (unsigned lane = 0; lane < kWarpSize; ++lane) words[lane] = from.wide[place[lane]];
    } else {
      auto* words = reinterpret_cast<std::uint32_t*>(slot);
      const unsigned shift = i % per * bits;
      for (unsigned lane = 0; lane < kWarpSize; ++lane) {
        const std::uint32_t before = shift == 0 ? 0 : words[lane];
        words[lane] = before | from.narrow[place[lane]] << shift;
      }
    }
  }
}

}  // namespace

bool TensorUnit::join_lanes(Warp& warp) const {
  const WarpSplit* first = nullptr;
  Mask present = 0;
  const auto waits = [&](const WarpSplit& f) {
    return f.state == WarpSplit::State::at_warp_operation && program_.code[f.pc].kind == MicroOpcode::matrix;
  };
  for (const auto& f : warp.splits) {
    if (!waits(f)) continue;
    if (first == nullptr) first = &f;
    if (f.pc == first->pc && f.activation == first->activation) present |= f.mask;
  }
  if (present != ~0u) return false;
  WarpSplit all = *first;
  all.mask = present;
  all.state = WarpSplit::State::runnable;
  warp.splits.assign(1, all);
  return true;
}

void TensorUnit::multiply(const Step& step, const MatrixOperation& operation) {
  std::byte* const frame = step.warp.frames + step.split.frame;
  MatrixBuffer a, b, c, d;
  gather(frame, operation.a, map_of(grid_, operation.a), a);
  gather(frame, operation.b, map_of(grid_, operation.b), b);
  gather(frame, operation.c, map_of(grid_, operation.c), c);
  if (values_ != nullptr) values_->product(step, operation);
  kernels_.multiply_matrices({&a, &b, &c, &d, operation.a.rows, operation.b.columns, operation.a.columns,
                              operation.step, operation.a.element, operation.b.element, operation.c.element,
                              operation.d.element, operation.saturates});
  scatter(frame, operation.d, map_of(grid_, operation.d), d);
}

void TensorUnit::transpose(const Step& step, const MatrixOperation& operation) {
  std::byte* const frame = step.warp.frames + step.split.frame;
  MatrixBuffer from, to;
  gather(frame, operation.a, *operation.a.map, from);
  for (unsigned i = 0; i < 64; ++i) to.narrow[i % 8 * 8 + i / 8] = from.narrow[i];
  if (values_ != nullptr) values_->transposition(step, operation);
  scatter(frame, operation.d, *operation.d.map, to);
}

bool TensorUnit::execute(Block& block, Warp& warp, const WarpSplit& split, const MicroOp& op) {
  const MatrixOperation& operation = program_.matrices[op.extra];
  switch (operation.mode) {
    case MatrixMode::multiply:
      multiply({block, warp, split, op}, operation);
      return true;
    case MatrixMode::transpose:
      transpose({block, warp, split, op}, operation);
      return true;
    case MatrixMode::load_rows:
    case MatrixMode::store_rows:
      return move_rows(block, warp, split, op, operation);
    case MatrixMode::load:
    case MatrixMode::store:
      return move_fragment(block, warp, split, op, operation);
  }
  return false;
}

// ---- ldmatrix and stmatrix -----------------------------------------------------------------------------------------

/// Lane 8 j + r has the address of row r of matrix j. Register j of lane 4 r + w holds word w of row r. Transposed, it
/// holds the two elements r of the rows 2 w and 2 w + 1.
bool TensorUnit::move_rows(Block& block, Warp& warp, const WarpSplit& split, const MicroOp& op,
                           const MatrixOperation& operation) {
  constexpr std::uint32_t kRowBytes = 16;
  const MemoryAccess& given = program_.accesses[operation.access];
  const unsigned matrices = operation.d.registers, rows = 8 * matrices;
  const Mask asked = rows == 32 ? ~0u : (1u << rows) - 1;
  if (values_ != nullptr) values_->base({block, warp, split, op}, given, asked);
  LaneAddresses row;
  row.how = LaneAddresses::How::apart;
  row.space = Space::shared;
  row.mask = asked;
  row.bytes = kRowBytes;
  row.site = &memory_.site(op, given.is_store);
  row.site->access = nullptr;  // it describes more than one access
  lane_addresses(kernels_, warp, split, given, row.address);
  for (unsigned lane = 0; lane < rows; ++lane) {
    std::uint64_t& address = row.address[lane];
    if (given.space == Space::generic) {
      row.space = space_of_address(address);
      address -= window_base(row.space);
    }
    FindingKind problem = FindingKind::out_of_bounds;
    const bool is_there = memory_.resolve(block, warp, row, lane, given.is_store, problem) != nullptr;
    if (is_there && row.space == Space::shared) continue;
    if (problem == FindingKind::misaligned && row.space == Space::shared) {
      report_misaligned_row(grid_, {block, warp, split, op}, lane, address, given.is_store);
    } else {
      memory_.fault(block, warp, op, row.space, address, lane, kRowBytes, given.is_store, problem);
    }
    return false;
  }
  if (rows < kWarpSize && program_.text->target == "sm_75")
    look_at_spare_rows({block, warp, split, op}, given, rows, row);
  count_rows(op, given, row);
  MemoryAccess access = given;
  access.space = Space::shared;
  // Elements are watched one by one where they may differ.
  const bool apart =
      operation.transposed || (values_ != nullptr && !given.is_store && !values_->is_written(block, row));
  const unsigned parts = apart ? 2 : 1;
  LaneAddresses at = row;
  at.mask = ~0u;
  at.bytes = access.bytes = static_cast<std::uint8_t>(4 / parts);
  for (unsigned matrix = 0; matrix < matrices; ++matrix) {
    for (unsigned part = 0; part < parts; ++part) {
      for (unsigned lane = 0; lane < kWarpSize; ++lane) {
        const unsigned across = lane / 4, along = lane % 4;
        at.address[lane] = operation.transposed ? row.address[8 * matrix + 2 * along + part] + 2 * across
                                                : row.address[8 * matrix + across] + 4 * along + 2 * part;
      }
      access.data[0].slot = operation.d.slot[matrix] + 2 * part;
      if (!move_fragment_part(block, warp, split, op, access, at, part != 0)) return false;
    }
  }
  for (const auto& watcher : watchers_) watcher->rows({block, warp, split, op}, given, row);
  return true;
}

/// PTX manual, "ldmatrix": on sm_75 all lanes must give a valid address, also those whose rows are not read.
void TensorUnit::look_at_spare_rows(const Step& step, const MemoryAccess& given, unsigned rows,
                                    const LaneAddresses& row) {
  const std::uint64_t window = given.space == Space::generic ? window_base(Space::shared) : 0;
  for (unsigned lane = rows; lane < kWarpSize; ++lane) {
    const std::uint64_t address = row.address[lane] - window;
    if (address % row.bytes == 0 && grid_.is_shared(address, row.bytes)) continue;
    return warn_of_spare_row(grid_, step, lane, address);
  }
}

// ---- wmma.load and wmma.store --------------------------------------------------------------------------------------

bool TensorUnit::move_fragment(Block& block, Warp& warp, const WarpSplit& split, const MicroOp& op,
                               const MatrixOperation& operation) {
  const MemoryAccess& given = program_.accesses[operation.access];
  const MatrixFragment& matrix = operation.d;
  if (values_ != nullptr) {
    values_->base({block, warp, split, op}, given, ~0u);
    if (operation.stride != 0) values_->decision({block, warp, split, op}, operation.stride, ~0u, ValueUse::address);
  }
  const unsigned per = matrix.per_register(), bytes = bits_of(matrix.element) / 8;
  // The PTX manual requires rows at multiples of what a lane holds. CUDA requires 32 bytes for the first row and 16 for
  // the others.
  const std::uint32_t fragment_bytes = matrix.elements() * bytes;
  LaneAddresses at;
  FragmentPlace place;
  std::uint64_t(&base)[kWarpSize] = place.base, first[kWarpSize], second[kWarpSize];
  lane_addresses(kernels_, warp, split, given, base);
  at.how = LaneAddresses::How::apart;
  at.space = given.space == Space::generic ? space_of_address(base[0]) : given.space;
  at.mask = ~0u;
  at.site = &memory_.site(op, given.is_store);
  at.site->access = nullptr;
  const std::uint64_t window = given.space == Space::generic ? window_base(at.space) : 0;
  const auto* strides = reinterpret_cast<const std::uint32_t*>(warp.frames + split.frame + operation.stride);
  place.columns = matrix.columns;
  place.by_columns = operation.by_columns;
  place.bytes = bytes;
  for (unsigned lane = 0; lane < kWarpSize; ++lane) {
    base[lane] -= window;
    place.stride[lane] = operation.stride != 0 ? strides[lane] : operation.by_columns ? matrix.rows : matrix.columns;
    const std::uint64_t row_bytes = place.line_bytes(lane);
    if (base[lane] % std::min(fragment_bytes, 32u) == 0 && row_bytes % std::min(fragment_bytes, 16u) == 0) continue;
    report_misaligned_matrix(grid_, {block, warp, split, op}, lane, at.space, base[lane], row_bytes, fragment_bytes,
                             given.is_store);
    return false;
  }
  const FragmentMap& map = map_of(grid_, matrix);
  const auto locate_element = [&](unsigned element, std::uint64_t* address) {
    for (unsigned lane = 0; lane < kWarpSize; ++lane) address[lane] = place.address(map.place[element][lane], lane);
  };
  count_fragment({block, warp, split, op}, given, operation, place, at);
  MemoryAccess access = given;
  access.space = at.space;
  access.data[0].wide = matrix.element == MatrixElement::f64;
  for (unsigned i = 0; i < matrix.elements();) {
    // Elements of one register that are neighbours in memory are moved together.
    locate_element(i, first);
    unsigned joined = 1;
    for (bool fits = true; fits && i % per + joined < per;) {
      locate_element(i + joined, second);
      for (unsigned lane = 0; lane < kWarpSize; ++lane) fits &= second[lane] == first[lane] + joined * bytes;
      if (fits) ++joined;
    }
    joined = std::min(joined & (~joined + 1), per);  // a power of two
    // The checker searches undefined values element by element.
    const unsigned step = values_ != nullptr && !given.is_store ? 1 : joined;
    at.bytes = access.bytes = static_cast<std::uint8_t>(step * bytes);
    for (unsigned part = i; part < i + joined; part += step) {
      for (unsigned lane = 0; lane < kWarpSize; ++lane) at.address[lane] = first[lane] + (part - i) * bytes;
      access.data[0].slot = matrix.slot[part / per] + part % per * bytes;
      if (!move_fragment_part(block, warp, split, op, access, at, part % per != 0)) return false;
    }
    i += joined;
  }
  return true;
}

/// One element or word of each lane's fragment. `more`: others of its register were moved before.
bool TensorUnit::move_fragment_part(Block& block, Warp& warp, const WarpSplit& split, const MicroOp& op,
                                    const MemoryAccess& access, LaneAddresses& at, bool more) {
  const Step now{block, warp, split, op};
  if (!watchers_.empty()) {
    kernels_.span(at.address, at.mask, at.span);
    const bool adds = more && values_ != nullptr && !access.is_store;
    const auto undefined = adds ? values_->undefined_lanes(now, access.data[0].slot) : ValueWatch::Undefined{};
    for (const auto& watcher : watchers_) watcher->before(now, access, nullptr, at);
    if (undefined.lanes != 0) values_->add_undefined(now, access.data[0].slot, undefined);
  }
  const std::size_t step = access.data[0].wide ? 8 : 4;
  std::byte* const slot = warp.frames + split.frame + access.data[0].slot;
  for (unsigned lane = 0; lane < kWarpSize; ++lane) {
    FindingKind problem = FindingKind::out_of_bounds;
    std::byte* const memory = memory_.resolve(block, warp, at, lane, access.is_store, problem);
    if (memory == nullptr) {
      memory_.fault(block, warp, op, at.space, at.of(lane), lane, at.bytes, access.is_store, problem);
      return false;
    }
    std::byte* const words = slot + step * lane;
    if (access.bytes == 4) {
      access.is_store ? std::memcpy(memory, words, 4) : std::memcpy(words, memory, 4);
    } else {
      access.is_store ? std::memcpy(memory, words, access.bytes) : std::memcpy(words, memory, access.bytes);
    }
  }
  for (const auto& watcher : watchers_) watcher->after(now, access, nullptr, at);
  return true;
}

}  // namespace cudasim
