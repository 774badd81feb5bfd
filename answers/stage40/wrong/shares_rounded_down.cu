// refused: wrong-result: shares are rounded down, and nobody has the elements behind the last
// SPDX-License-Identifier: MIT
// shown by: --size 20011 --elements ones
// hint: output-not-written
#include "answer/right.cuh"

using namespace right;

Cut cut_elements_wrongly(std::size_t n, unsigned block_size) {
  const Cut cut = cut_elements(n, block_size);
  const auto whole = static_cast<unsigned>(n / cut.size);
  return {whole > 0 ? whole : 1, cut.size};
}

#define CUT cut_elements_wrongly
#include "answer/launches.cuh"
