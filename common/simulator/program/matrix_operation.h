// SPDX-License-Identifier: MIT
// The operands of the instructions of tensor cores: matrices whose elements are spread over the lanes of a warp.
#pragma once

#include <cstdint>

namespace cudasim {

enum class MatrixElement : std::uint8_t { f16, bf16, tf32, f32, f64, s8, u8, s32 };
constexpr unsigned bits_of(MatrixElement element) {
  switch (element) {
    case MatrixElement::f16:
    case MatrixElement::bf16:
      return 16;
    case MatrixElement::tf32:
    case MatrixElement::f32:
    case MatrixElement::s32:
      return 32;
    case MatrixElement::f64:
      return 64;
    case MatrixElement::s8:
    case MatrixElement::u8:
      return 8;
  }
  return 0;
}

constexpr unsigned kMostFragmentRegisters = 8, kMostFragmentElements = 16;

/// Which element of its matrix each element of a fragment is.
struct FragmentMap {
  /// [element of the lane][lane]: row * columns + column.
  std::uint16_t place[kMostFragmentElements][32];
};

/// A matrix in registers: register i of lane l holds some of its elements, packed where they are narrower.
struct MatrixFragment {
  MatrixElement element = MatrixElement::f32;
  std::uint8_t rows = 0, columns = 0, registers = 0;
  const FragmentMap* map = nullptr;
  const FragmentMap* other_map = nullptr;  ///< for the adversarial order, where CUDA does not specify the layout
  std::uint32_t slot[kMostFragmentRegisters] = {};

  unsigned per_register() const { return element == MatrixElement::f64 ? 1 : 32 / bits_of(element); }
  unsigned elements() const { return registers * per_register(); }
};

/// Carried out by all 32 lanes of a warp at once.
struct MatrixOperation {
  enum class Mode : std::uint8_t {
    multiply,    ///< mma, wmma.mma: d = a b + c
    load_rows,   ///< ldmatrix: into d
    store_rows,  ///< stmatrix: from d
    load,        ///< wmma.load: into d
    store,       ///< wmma.store: from d
    transpose,   ///< movmatrix: d of a
  };
  Mode mode = Mode::multiply;
  bool is_by_rows() const { return mode == Mode::load_rows || mode == Mode::store_rows; }
  bool saturates = false;   ///< sums of integers
  bool transposed = false;  ///< ldmatrix and stmatrix: .trans
  bool by_columns = false;  ///< wmma.load and wmma.store: of memory
  bool is_operand = false;  ///< wmma.load: of A or B
  MatrixFragment a, b, c, d;
  unsigned step = 0;         ///< Products that make one sum with C; the next ones are added to that.
  std::uint32_t access = 0;  ///< In Program::accesses: the address.
  std::uint32_t stride = 0;  ///< wmma: slot of the distance between rows, in elements; 0: as many as a row has.
};

}  // namespace cudasim
