// SPDX-License-Identifier: MIT
// The answer of stage 36, compiled once for all of its wrong kernels. Each function that a file may replace is a
// template argument of the kernels that call it. The answer launches what the pointers with the kernels' names point to
// (launch_linked_answer.cuh).
#pragma once
#include "ranks.cuh"
#include "states.cuh"
#include "tile.cuh"
#include "workbook/student/shared_memory.h"
#include "workbook/student/sort.h"

namespace right {
template <unsigned kCopies>
void (*count_digits)(const std::uint32_t* keys, std::size_t n, workbook::KeyType type, unsigned* counts);
template <class Tile>
void (*sort_by_digit)(workbook::ConstRecords input, workbook::Records output, std::size_t n, Pass pass,
                      Storage storage);
bool asks_for_room;
std::size_t not_zeroed;  // bytes of the workspace, from the first on

// Two macros make templates of the answer's definitions. They leave the launches alone, as no parenthesis follows the
// name there. What the answer has before the name becomes part of a function without a definition. So the launch bounds
// are here again.
#define count_digits(...)                     \
  unused_1();                                 \
  template <auto* digit_of, unsigned kCopies> \
  __global__ void __launch_bounds__(kCountThreads) count_digits_with(__VA_ARGS__)
#define sort_by_digit(...)                                                                                     \
  unused_2();                                                                                                  \
  template <class Tile, auto* digit_of, auto* draw_tile, auto* ordinal_at, auto* sum_before, auto* place_keys, \
            auto* look_back, auto* say>                                                                        \
  __global__ void __launch_bounds__(Tile::kThreads, Tile::kBlocksAnSm) sort_by_digit_with(__VA_ARGS__)
#define cudaFuncSetAttribute(...) (asks_for_room ? cudaFuncSetAttribute(__VA_ARGS__) : cudaSuccess)
#define cudaMemsetAsync(memory, value, bytes, stream) \
  cudaMemsetAsync(static_cast<char*>(memory) + not_zeroed, value, (bytes)-not_zeroed, stream)
#include "../../solution.cu"
#undef count_digits
#undef sort_by_digit
#undef cudaFuncSetAttribute
#undef cudaMemsetAsync

// What a file may define otherwise.
constexpr bool kOfValues = false;  // the form of the kernel that is wrong
constexpr bool kAsksForRoom = true;
constexpr std::size_t kNotZeroed = 0;
KeyType taken(KeyType type) { return type; }

template <bool kHasValues>
void sort_right(KeyType type, ConstRecords input, Records output, std::size_t n,
                const workbook::SortWorkspace& workspace, cudaStream_t stream) {
  using Tile = SmallTile<kHasValues>;
  count_digits<kWarp> = count_digits_with<digit_of, kWarp>;
  sort_by_digit<Tile> = sort_by_digit_with<Tile, digit_of, draw_tile, ordinal_at, sum_before,
                                           place_keys<Tile::kKeysAThread>, look_back, say>;
  asks_for_room = true;
  not_zeroed = 0;
  sort<Tile>(type, input, output, n, workspace, stream);
}
}  // namespace right

using namespace right;
