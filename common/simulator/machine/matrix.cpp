// SPDX-License-Identifier: MIT
// Matrices that the lanes of a warp hold together: products, and moves between registers and memory. What a lane's
// register gets from memory is that lane's access, whoever gave the address of the row: so races and undefined values
// are told of the thread whose fragment it is.
#include <algorithm>
#include <cstring>

#include "machine/interpreter.h"

namespace cudasim {
namespace {

using MatrixMode = MatrixOperation::Mode;
using Space = ptx::Space;

constexpr unsigned most_matrix_elements = 512;

/// A matrix by rows, f64 in 64-bit places, anything else in 32-bit ones.
union MatrixBuffer {
  std::uint32_t narrow[most_matrix_elements];
  std::uint64_t wide[most_matrix_elements];
};

void gather(const std::byte* frame, const MatrixFragment& fragment, const FragmentMap& map, MatrixBuffer& to) {
  const unsigned per = fragment.per_register(), bits = bits_of(fragment.element);
  const std::uint32_t mask = bits >= 32 ? ~0u : (1u << bits) - 1;
  for (unsigned i = 0; i < fragment.elements(); ++i) {
    const std::byte* slot = frame + fragment.slot[i / per];
    const std::uint16_t* place = map.place[i];
    if (bits == 64) {
      const auto* words = reinterpret_cast<const std::uint64_t*>(slot);
      for (unsigned lane = 0; lane < warp_size; ++lane) to.wide[place[lane]] = words[lane];
    } else {
      const auto* words = reinterpret_cast<const std::uint32_t*>(slot);
      const unsigned shift = i % per * bits;
      for (unsigned lane = 0; lane < warp_size; ++lane) to.narrow[place[lane]] = words[lane] >> shift & mask;
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
      for (unsigned lane = 0; lane < warp_size; ++lane) words[lane] = from.wide[place[lane]];
    } else {
      auto* words = reinterpret_cast<std::uint32_t*>(slot);
      const unsigned shift = i % per * bits;
      for (unsigned lane = 0; lane < warp_size; ++lane) {
        const std::uint32_t before = shift == 0 ? 0 : words[lane];
        words[lane] = before | from.narrow[place[lane]] << shift;
      }
    }
  }
}

}  // namespace

const FragmentMap& Interpreter::map_of(const MatrixFragment& fragment) const {
  return grid_.schedule.order == Schedule::Order::adversarial ? *fragment.other_map : *fragment.map;
}

/// Lanes that come to an instruction of the whole warp without the others wait for them.
void Interpreter::wait_for_warp(Warp& warp, Fragment& fragment, const MicroOp& op, Mask mask) {
  if (mask != fragment.mask) {
    Fragment others = fragment;
    others.mask = fragment.mask & ~mask;
    warp.part(op.counter, mask, others.mask);
    ++others.pc;
    warp.fragments.push_back(others);
    fragment.mask = mask;
  }
  fragment.state = Fragment::State::at_warp_operation;
  warp.fragments.push_back(fragment);
}

/// All 32 lanes have come to one of these, apart: they go on together. False: they have not.
bool Interpreter::join_at_matrix(Warp& warp) {
  const Fragment* first = nullptr;
  Mask present = 0;
  const auto waits = [&](const Fragment& f) {
    return f.state == Fragment::State::at_warp_operation && program_.code[f.pc].kind == Kind::matrix;
  };
  for (const auto& f : warp.fragments) {
    if (!waits(f)) continue;
    if (first == nullptr) first = &f;
    if (f.pc == first->pc && f.activation == first->activation) present |= f.mask;
  }
  if (present != ~0u) return false;
  Fragment all = *first;
  all.mask = present;
  all.state = Fragment::State::runnable;
  warp.fragments.assign(1, all);
  return true;
}

bool Interpreter::matrix_operation(Block& block, Warp& warp, const Fragment& fragment, const MicroOp& op) {
  const MatrixOperation& operation = program_.matrices[op.extra];
  std::byte* const frame = warp.frames + fragment.frame;
  switch (operation.mode) {
    case MatrixMode::multiply: {
      MatrixBuffer a, b, c, d;
      gather(frame, operation.a, map_of(operation.a), a);
      gather(frame, operation.b, map_of(operation.b), b);
      gather(frame, operation.c, map_of(operation.c), c);
      if (warp.values != nullptr && warp.values->any) watch_product(warp, fragment, operation);
      kernels_.multiply_matrices({&a, &b, &c, &d, operation.a.rows, operation.b.columns, operation.a.columns,
                                  operation.a.element, operation.b.element, operation.c.element, operation.d.element,
                                  operation.saturates});
      scatter(frame, operation.d, map_of(operation.d), d);
      return true;
    }
    case MatrixMode::transpose: {
      MatrixBuffer from, to;
      gather(frame, operation.a, *operation.a.map, from);
      for (unsigned i = 0; i < 64; ++i) to.narrow[i % 8 * 8 + i / 8] = from.narrow[i];
      if (warp.values != nullptr && warp.values->any) watch_transposition(warp, fragment, operation);
      scatter(frame, operation.d, *operation.d.map, to);
      return true;
    }
    case MatrixMode::load_rows:
    case MatrixMode::store_rows:
      return move_rows(block, warp, fragment, op, operation);
    case MatrixMode::load:
    case MatrixMode::store:
      break;
  }
  return false;
}

// ---- ldmatrix and stmatrix -----------------------------------------------------------------------------------------

/// Lane 8 j + r has the address of row r of matrix j. Register j of lane 4 r + w holds word w of row r; transposed, the
/// two elements r of the rows 2 w and 2 w + 1.
bool Interpreter::move_rows(Block& block, Warp& warp, const Fragment& fragment, const MicroOp& op,
                            const MatrixOperation& operation) {
  constexpr std::uint32_t row_bytes = 16;
  const MemoryAccess& given = program_.accesses[operation.access];
  const unsigned matrices = operation.d.registers, rows = 8 * matrices;
  const Mask asked = rows == 32 ? ~0u : (1u << rows) - 1;
  if (init_ != nullptr) watch_base(block, warp, fragment, op, given, asked);
  Located row;
  row.how = Located::How::apart;
  row.space = Space::shared;
  row.mask = asked;
  row.bytes = row_bytes;
  row.site = &sites_[site_index(op.counter, given.is_store, sites_.size())];
  row.site->access = nullptr;  // what it remembers is not of one access
  addresses(fragment, warp, given, row.address);
  for (unsigned lane = 0; lane < rows; ++lane) {
    std::uint64_t& address = row.address[lane];
    if (given.space == Space::generic) {
      row.space = space_of_address(address);
      address -= window_base(row.space);
    }
    FindingKind problem = FindingKind::out_of_bounds;
    const bool is_there = resolve(block, warp, row, lane, given.is_store, problem) != nullptr;
    if (is_there && row.space == Space::shared) continue;
    memory_fault(block, warp, op, row.space, address, lane, row_bytes, given.is_store, problem);
    return false;
  }
  count_rows(op, given, row);
  MemoryAccess access = given;
  access.space = Space::shared;
  // Elements are watched one by one where they may differ.
  const bool apart = operation.transposed || (init_ != nullptr && !given.is_store && !is_written(block, row));
  const unsigned parts = apart ? 2 : 1;
  Located at = row;
  at.mask = ~0u;
  at.bytes = access.bytes = static_cast<std::uint8_t>(4 / parts);
  for (unsigned matrix = 0; matrix < matrices; ++matrix) {
    for (unsigned part = 0; part < parts; ++part) {
      for (unsigned lane = 0; lane < warp_size; ++lane) {
        const unsigned across = lane / 4, along = lane % 4;
        at.address[lane] = operation.transposed ? row.address[8 * matrix + 2 * along + part] + 2 * across
                                                : row.address[8 * matrix + across] + 4 * along + 2 * part;
      }
      access.data[0].slot = operation.d.slot[matrix] + 2 * part;
      if (!move_fragment_part(block, warp, fragment, op, access, at, part != 0)) return false;
    }
  }
  return true;
}

/// One element or word of each lane's fragment. `more`: others of its register were moved before.
bool Interpreter::move_fragment_part(Block& block, Warp& warp, const Fragment& fragment, const MicroOp& op,
                                     const MemoryAccess& access, Located& at, bool more) {
  if (is_watched_) {
    kernels_.span(at.address, at.mask, at.span);
    at.site->told = false;
    watch_fragment_part(block, warp, fragment, op, access, at, more);
  }
  const std::size_t step = access.data[0].wide ? 8 : 4;
  std::byte* const slot = warp.frames + fragment.frame + access.data[0].slot;
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    FindingKind problem = FindingKind::out_of_bounds;
    std::byte* const memory = resolve(block, warp, at, lane, access.is_store, problem);
    if (memory == nullptr) {
      memory_fault(block, warp, op, at.space, at.of(lane), lane, at.bytes, access.is_store, problem);
      return false;
    }
    std::byte* const words = slot + step * lane;
    if (access.bytes == 4) {
      access.is_store ? std::memcpy(memory, words, 4) : std::memcpy(words, memory, 4);
    } else {
      access.is_store ? std::memcpy(memory, words, access.bytes) : std::memcpy(words, memory, access.bytes);
    }
  }
  return true;
}

/// Each matrix is asked for by itself.
void Interpreter::count_rows(const MicroOp& op, const MemoryAccess& access, const Located& row) {
  Passes sum;
  for (Mask eight = 0xff; (eight & row.mask) != 0; eight <<= 8) {
    const Wavefronts one = kernels_.wavefronts(row.address, row.bytes, eight);
    sum.wavefronts.count += one.count;
    sum.wavefronts.least += one.least;
    if (eight == 0xff000000) break;
  }
  count(op, access, Space::shared, sum);
}

}  // namespace cudasim
