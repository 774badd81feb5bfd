// refused: wrong-result: a block that has some rounds of two tiles puts both parts into one place
// SPDX-License-Identifier: MIT
// shown by: --size 150x140x3000
// hint: wrong-elements
// Right while each share lies in one tile.
#include "../stage22_but_place_of_part.cuh"

template <class Form>
__host__ __device__ std::size_t place_of_part(std::size_t block, std::size_t tile) {
  return block * Form::kHeight * Form::kWidth;
}
