// SPDX-License-Identifier: MIT
// The answer of stage 22 with one function, WRONG, of the including file.
#include "linked_answer.cuh"

using namespace right;

template <class Shape>
WorkPartition make_partition(const Matrix& c, std::size_t terms);
template <class Shape>
__global__ void multiply_share(ConstMatrix a, ConstMatrix b, bool has_vectors, Matrix c, WorkPartition work,
                               EdgeBlocks of_edges, float* partials);
__global__ void add_parts(Matrix c, WorkPartition work, const float* partials, int sharers);

void multiply_on_device(ConstMatrix a, ConstMatrix b, Matrix c, float* partials, dim3 block, cudaStream_t stream) {
  const auto right_one = right::WRONG;
  right::WRONG = WRONG;
#ifdef ALSO_WRONG
  const auto right_other = right::ALSO_WRONG;
  right::ALSO_WRONG = ALSO_WRONG;
#endif
  right::multiply_on_device(a, b, c, partials, block, stream);
  right::WRONG = right_one;
#ifdef ALSO_WRONG
  right::ALSO_WRONG = right_other;
#endif
}
#undef WRONG
#undef ALSO_WRONG
