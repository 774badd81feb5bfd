// SPDX-License-Identifier: MIT
// The shapes of stage 37 (CUTLASS: GemmShape of the threadblock, the warp and the instruction).
#pragma once

constexpr unsigned kWarp = 32;
constexpr unsigned kVector = 4;             ///< Floats of a vector.
constexpr unsigned kSlots = 3;              ///< Pairs of tiles in shared memory: one in use, two on their way.
constexpr unsigned kDown = 2, kAcross = 4;  ///< The warps of a block over its tile of C.
constexpr unsigned kWarpSide = 64;          ///< A warp has 64 x 64 elements of C.
constexpr unsigned kHeight = kDown * kWarpSide, kWidth = kAcross * kWarpSide;
constexpr unsigned kThreads = kDown * kAcross * kWarp;

/// The pieces that one mma multiplies, and how many of C's a warp has.
constexpr unsigned kPieceRows = 16, kPieceColumns = 8, kPieceTerms = 8;
constexpr unsigned kPiecesDown = kWarpSide / kPieceRows, kPiecesAcross = kWarpSide / kPieceColumns;
