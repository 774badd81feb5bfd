// SPDX-License-Identifier: MIT
// The answer of stage 25 where the matrix holds vectors; linked_answer.cuh does the rest. The including file has one of
// the functions below, and a macro that renames the answer's definition of it. The macro leaves the declaration here
// alone, as the name is in parentheses there, and the calls. Where a parenthesis follows the name in the calls too, the
// macro puts `Wrong()` first. In the definition that is the type of a function, in a call an object.
#include "linked_answer.cuh"

struct Wrong {};
template <typename Vector>
struct Columns;
template <typename Vector>
__device__ Vector(sums_of_thread)(const workbook::ConstMatrix& a, const float* x, const Columns<Vector>& columns,
                                  std::size_t begin, std::size_t end);
template <typename Vector>
__device__ Vector(sums_of_block)(Wrong, Vector sums);
__device__ bool(is_last)(Wrong, unsigned* ticket);
template <typename Vector>
__device__ bool(combine_parts)(Vector& sums, const Columns<Vector>& columns, std::size_t all_vectors,
                               const workbook::GemvWorkspace& workspace);
template <typename Vector>
__device__ void(store_sums)(Wrong, float* y, const Columns<Vector>& columns, Vector value);
template <typename Vector>
void launch_columns(const workbook::ConstMatrix& a, const float* x, float* y, const workbook::GemvWorkspace& workspace,
                    unsigned block_size, cudaStream_t stream);

#define launch_columns(...) right_launch_columns(__VA_ARGS__)
#include "../../solution.cu"
#undef launch_columns
#undef sums_of_thread
#undef sums_of_block
#undef is_last
#undef combine_parts
#undef store_sums

template <typename Vector>
void launch_columns(const workbook::ConstMatrix& a, const float* x, float* y, const workbook::GemvWorkspace& workspace,
                    unsigned block_size, cudaStream_t stream) {
  right::multiply_columns<float4> = multiply_columns<float4>;
  right::launch_columns<Vector>(a, x, y, workspace, block_size, stream);
  right::multiply_columns<float4> = right::right_multiply_columns<float4>;
}
