// SPDX-License-Identifier: MIT
// The plan of a product: its tiles, the parts of its terms, the memory, and the launches' sizes.
#pragma once

#include <algorithm>
#include <cstddef>

#include "pieces.cuh"
#include "scale.cuh"
#include "workbook/student/matmul_split.h"

constexpr unsigned kLeastTerms = 256;  ///< Terms that are worth a block of their own.
constexpr unsigned kMostParts = 64;    ///< Parts of a sum: they are added one after the other.

/// The product as tiles, and their terms as rounds: blocks share those of a tile in `parts` parts (CUTLASS: split-k).
struct Plan {
  unsigned tiles_down, tiles_across, rounds, parts;

  __host__ __device__ unsigned rounds_of_part() const { return (rounds + parts - 1) / parts; }
  __host__ __device__ std::size_t pitch() const { return std::size_t{tiles_across} * kWidth; }
  __host__ __device__ std::size_t size() const { return tiles_down * kHeight * pitch(); }  // of a copy of C
};

inline unsigned multiprocessors() {
  int device = 0, count = 1;
  CUDA_CHECK(cudaGetDevice(&device));
  CUDA_CHECK(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device));
  return static_cast<unsigned>(count);
}

__host__ __device__ inline unsigned divided_up(std::size_t number, std::size_t by) {
  return static_cast<unsigned>((number + by - 1) / by);
}

/// As many parts as the device can take at once.
inline Plan plan_product(std::size_t rows, std::size_t columns, std::size_t terms) {
  Plan plan{divided_up(rows, kHeight), divided_up(columns, kWidth), divided_up(terms, kSteps * kSide), 1};
  const unsigned tiles = plan.tiles_down * plan.tiles_across;
  const auto most_parts = static_cast<unsigned>(terms / kLeastTerms);
  plan.parts = std::max(1u, std::min({kBlocksAnSm * multiprocessors() / tiles, most_parts, kMostParts}));
  return plan;
}

/// A product in its workspace.
struct Product {
  Plan plan;
  Factor a, b;
  float* partials;  ///< plan.parts copies of C, of scaled sums.

  unsigned pieces_down_a() const { return plan.tiles_down * kPiecesOfA; }
  unsigned pieces_down_b() const { return plan.tiles_across * kPiecesOfB; }
  std::size_t lines() const { return (std::size_t{pieces_down_a()} + pieces_down_b()) * kSide; }

  /// The blocks of find_largest().
  BlocksOfFactors blocks_to_look() const {
    return blocks(divided_up(a.lines, kRowsOfBlock), divided_up(a.terms, kColumnsOfBlock),
                  divided_up(b.terms, kRowsOfBlock), divided_up(b.lines, kColumnsOfBlock));
  }
  /// The blocks of split_all(): a warp for each piece.
  BlocksOfFactors blocks_to_split() const {
    const unsigned across = divided_up(plan.rounds * kSteps, kThreads / kWarp);
    return blocks(pieces_down_a(), across, pieces_down_b(), across);
  }

 private:
  static BlocksOfFactors blocks(unsigned down_a, unsigned across_a, unsigned down_b, unsigned across_b) {
    return {across_a, down_a * across_a, across_b, down_b * across_b};
  }
};

/// Lays the pieces, the copies of C and the scales into the workspace, one array after the other.
inline Product lay_out(workbook::ConstMatrix a, workbook::ConstMatrix b, void* workspace) {
  auto* next = static_cast<unsigned char*>(workspace);
  const auto take = [&next](std::size_t bytes) {
    void* const taken = next;
    next += bytes;
    return taken;
  };
  Product product{plan_product(a.rows, b.columns, a.columns), {}, {}, nullptr};
  const Plan& plan = product.plan;
  const std::size_t pieces_across = std::size_t{plan.rounds} * kSteps;
  product.a = {a.data, a.pitch, 1, a.rows, a.columns, kPiecesOfA, plan.rounds, {}, {}, {}};
  product.b = {b.data, 1, b.pitch, b.columns, a.columns, kPiecesOfB, plan.rounds, {}, {}, {}};
  product.a.pieces = static_cast<Piece*>(take(product.pieces_down_a() * pieces_across * sizeof(Piece)));
  product.b.pieces = static_cast<Piece*>(take(product.pieces_down_b() * pieces_across * sizeof(Piece)));
  product.partials = static_cast<float*>(take(plan.parts * plan.size() * sizeof(float)));
  product.a.largest = static_cast<unsigned*>(take(product.lines() * sizeof(unsigned)));
  product.a.is_wide = static_cast<unsigned*>(take(product.lines() * sizeof(unsigned)));
  product.b.largest = product.a.largest + product.pieces_down_a() * kSide;
  product.b.is_wide = product.a.is_wide + product.pieces_down_a() * kSide;
  return product;
}
