// refused: misaligned: A is brought by vectors wherever B is, and the lines of a term may begin anywhere
// SPDX-License-Identifier: MIT
// shown by: --size 64x64x64 --transposes a --misalign 1 --misaligned a
// hint: misaligned-global
#define OWN_LAUNCH
#include "../stage23_answer.cuh"
#undef OWN_LAUNCH

template <class Form>
void launch(const Lines& a, const Lines& b, workbook::Matrix c, Scale scale, const Line&, float* partials,
            cudaStream_t stream) {
  Line line = line_of_small(c, a.terms);
  if (line.edges(c) > 0) return right_launch<Small>(a, b, c, scale, line, partials, stream);  // thin edges are right
  line.share = line.rounds;                                                                   // no parts
  const auto kernel = b.hold_vectors() && !a.terms_adjoin ? multiply_share<Small, true, true>
                      : b.hold_vectors()                  ? multiply_share<Small, false, true>
                                                          : multiply_share<Small, false, false>;
  constexpr std::size_t kBytes = sizeof(Tiles<Small>);
  CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, kBytes));
  kernel<<<static_cast<unsigned>(line.blocks()), Small::kThreads, kBytes, stream>>>(a, b, c, scale, line, partials);
  CUDA_CHECK(cudaGetLastError());
}
