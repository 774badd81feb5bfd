// refused: wrong-result: a NaN with a sign comes first of all, as its bits are those of a number below minus infinity
// SPDX-License-Identifier: MIT
// shown by: --size 1100 --type float --distribution special --block-size 1024
// hint: sort-nan
#include "answer/without_kernel.cuh"

// The order of floats that is often taken for granted: a number with a sign is inverted.
__device__ std::uint32_t turned(std::uint32_t key) { return (key & 0x80000000u) != 0 ? ~key : key ^ 0x80000000u; }
__device__ std::uint32_t turned_back(std::uint32_t key) { return (key & 0x80000000u) != 0 ? key ^ 0x80000000u : ~key; }

template <unsigned kElements, typename Element, bool kGaps>
__global__ void sort_in_block(workbook::KeyType type, workbook::ConstRecords input, workbook::Records output,
                              std::size_t n) {
  extern __shared__ std::uint32_t words[];
  constexpr unsigned kShift = 8 * (sizeof(Element) - sizeof(Key));
  const bool is_float = type == workbook::KeyType::floats;
  const workbook::KeyType others = is_float ? workbook::KeyType::unsigned_ints : type;
  Element elements[kElements];
  for (unsigned r = 0; r < kElements; ++r) {
    const std::size_t i = r * blockDim.x + threadIdx.x;
    elements[r] = load<Element>(others, input, i, n);
    if (is_float && i < n) {
      elements[r] ^= static_cast<Element>(input.keys[i] ^ turned(input.keys[i])) << kShift;
    }
  }
  merge_runs<2, kGaps>(elements, words, blockDim.x * kElements);
  for (unsigned r = 0; r < kElements; ++r) {
    const auto key = static_cast<std::uint32_t>(elements[r] >> kShift);
    const Element back = is_float ? static_cast<Element>(key ^ turned_back(key)) << kShift : 0;
    store(others, output, threadIdx.x * kElements + r, n, elements[r] ^ back);
  }
}
