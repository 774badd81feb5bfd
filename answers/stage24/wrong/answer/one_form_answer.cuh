// SPDX-License-Identifier: MIT
// The answer of stage 24 for one form of its kernel, WRONG_FORM. The other three take long to compile, and are those of
// linked_answer.cuh. The including file has one of the functions below, and a macro that renames the answer's
// definition of it. The macro leaves the declaration here alone, as the name is in parentheses there, and the calls.
// Where a parenthesis follows the name in the calls too, the macro puts `Wrong()` first. In the definition that is the
// type of a function, in a call an object.
#include "linked_answer.cuh"

struct Wrong {};
template <typename Vector, unsigned kRows>
__device__ void(sum_lane)(float (&sums)[kRows], const workbook::ConstMatrix& a, const float* x, std::size_t i,
                          std::size_t vectors_a_part);
template <unsigned kRows>
__device__ void(sum_team)(Wrong, float (&sums)[kRows]);
__device__ bool(is_last)(Wrong, unsigned* ticket);
template <unsigned kRows>
__device__ bool(combine_parts)(Wrong, float (&sums)[kRows], std::size_t rows, std::size_t i,
                               const workbook::GemvWorkspace& workspace);
template <typename Vector, unsigned kRows>
__global__ void(multiply_rows)(workbook::ConstMatrix a, const float* x, float* y, std::size_t vectors_a_part,
                               workbook::GemvWorkspace workspace);

template <typename Vector>
void launch_rows(const workbook::ConstMatrix& a, const float* x, float* y, const workbook::GemvWorkspace& workspace,
                 unsigned block_size, cudaStream_t stream);

#define launch_rows(...) right_launch_rows(__VA_ARGS__)
#include "../../solution.cu"
#undef launch_rows
#undef sum_lane
#undef sum_team
#undef is_last
#undef combine_parts
#undef multiply_rows

#ifndef WRONG_FORM
#define WRONG_FORM float4, 1
#endif
template <typename Vector>
void launch_rows(const workbook::ConstMatrix& a, const float* x, float* y, const workbook::GemvWorkspace& workspace,
                 unsigned block_size, cudaStream_t stream) {
  right::multiply_rows<WRONG_FORM> = multiply_rows<WRONG_FORM>;
  right::launch_rows<Vector>(a, x, y, workspace, block_size, stream);
  right::multiply_rows<WRONG_FORM> = right::right_multiply_rows<WRONG_FORM>;
}
#undef WRONG_FORM
