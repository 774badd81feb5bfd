// SPDX-License-Identifier: MIT
// The answer of stage 22 with one function, WRONG, of the including file.
#include "linked_answer.cuh"

using namespace right;

template <class Shape>
WorkPartition make_partition(const workbook::Matrix& c, std::size_t terms);
template <class Shape>
__global__ void multiply_share(workbook::ConstMatrix a, workbook::ConstMatrix b, bool has_vectors, workbook::Matrix c,
                               WorkPartition work, EdgeBlocks of_edges, float* partials);
__global__ void add_parts(workbook::Matrix c, WorkPartition work, const float* partials, int sharers);

void multiply_on_device(workbook::ConstMatrix a, workbook::ConstMatrix b, workbook::Matrix c, float* partials,
                        dim3 block, cudaStream_t stream) {
  const auto right_one = right::WRONG;
  right::WRONG = WRONG;
  right::multiply_on_device(a, b, c, partials, block, stream);
  right::WRONG = right_one;
}
#undef WRONG
