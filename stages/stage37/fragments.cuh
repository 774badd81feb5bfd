// SPDX-License-Identifier: MIT
// What a lane has of the factors and of C, and the two instructions for it (CUTLASS: a warp-level mma and its
// fragments).
#pragma once

#include "shape.cuh"

/// The factors of one step: four numbers of each piece of A, and two vectors of each four pieces of B.
struct Fragments {
  float a[kPiecesDown][4];
  float b[kPiecesAcross / kVector][2][kVector];
};

/// The sums of each piece of C.
using Sums = float[kPiecesDown][kPiecesAcross][4];

/// Where a lane's numbers lie. The columns of four pieces of B are dealt out in turn. So a lane finds its four numbers
/// of a term side by side. The same holds for C's. Column p of piece j is column 16 (p % 2) + 4 (p / 2) + j % 4. That
/// counts in the 32 columns that pieces j / 4 * 4 and the next three have.
struct Place {
  unsigned row, column;    ///< Of the warp's part of the tile.
  unsigned group, member;  ///< lane / 4 and lane % 4.
};

/// Rounds a number for mma, which leaves out the last 13 bits of a factor. (PTX does not promise that; an H200 does
/// it.) Half of what bit 13 is worth is added, away from 0. So mma takes the result for the nearest number of 11 bits.
/// (PTX has cvt.rna.tf32.f32 for it, which becomes three instructions and a constant on an H200; these are two.)
__device__ inline unsigned to_tf32(float number) {
  const float power = __uint_as_float(__float_as_uint(number) & 0xFF800000u);  // with the sign and exponent of number
  return __float_as_uint(fmaf(power, 0x1p-11f, number));
}

/// Reads four matrices of 8 rows of 16 bytes from shared memory (ldmatrix). Lane l names row l % 8 of matrix l / 8, and
/// gets word l % 4 of row l / 4 of each. The compiler is not told that this reads memory: a barrier lies between it and
/// the copies that fill the tiles. Behind plain stores to a tile, write : "memory" at the end of the asm.
__device__ inline void load_matrices(float (&words)[4], const float* row) {
  const auto address = static_cast<unsigned>(__cvta_generic_to_shared(row));
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=f"(words[0]), "=f"(words[1]), "=f"(words[2]), "=f"(words[3])
               : "r"(address));
}

/// sums += a * b, by all lanes of the warp together.
__device__ inline void multiply_add(float (&sums)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
  asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
      "{%0, %1, %2, %3};"
      : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}
