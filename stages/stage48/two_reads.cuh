// SPDX-License-Identifier: MIT
// The kernel for rows that the registers of the whole device cannot hold. It is included behind load(),
// state_of_block() and the operations, which it calls. So it has no #pragma once.

/// Each block reads its rows twice, piece by piece. Launch: a grid of any size.
template <typename Operation, typename Vector>
__global__ void __launch_bounds__(kMostThreads) normalize_in_two_reads(ConstMatrix input, Matrix output) {
  const unsigned vectors = static_cast<unsigned>(input.columns / (sizeof(Vector) / sizeof(float)));
  const unsigned piece = blockDim.x * kNumbers / (sizeof(Vector) / sizeof(float));
  float numbers[kNumbers];
  for (std::size_t row = blockIdx.x; row < input.rows; row += gridDim.x) {
    const auto* from = reinterpret_cast<const Vector*>(input.data + row * input.pitch);
    auto* to = reinterpret_cast<Vector*>(output.data + row * output.pitch);
    RowState state = nothing();
    for (unsigned begin = 0; begin < vectors; begin += piece) {
      load<Operation>(numbers, from, {begin, min(vectors, begin + piece)});
      state = combine(state, Operation::take(numbers));
    }
    __syncthreads();  // all have read what the row before left in shared memory
    state = state_of_block(state);
    for (unsigned begin = 0; begin < vectors; begin += piece) {
      const Part part{begin, min(vectors, begin + piece)};
      load<Operation>(numbers, from, part);
      const RowState own = Operation::take(numbers);
      store(numbers, Operation::factor(own, state, static_cast<float>(input.columns)), to, part);
    }
  }
}
