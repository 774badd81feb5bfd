// SPDX-License-Identifier: MIT
// The kernel of stage 47 and what it calls, for wrong kernels that change one part. The including file may define
// NOTHING, WITH, COMBINE, STATE_OF_WARP, STATE_OF_BLOCK or TAKE_ROW as the name of its own function.
#ifndef NOTHING
#define NOTHING nothing
#endif
#ifndef WITH
#define WITH with
#endif
#ifndef COMBINE
#define COMBINE combine
#endif

#ifndef STATE_OF_WARP
#define STATE_OF_WARP state_of_warp_by_wrong_states

__device__ RowState state_of_warp_by_wrong_states(RowState state) {
  for (unsigned distance = kWarp / 2; distance > 0; distance /= 2) {
    const RowState other{__shfl_xor_sync(kAll, state.max, distance), __shfl_xor_sync(kAll, state.sum, distance)};
    state = COMBINE(state, other);
  }
  return state;
}
#endif

#ifndef STATE_OF_BLOCK
#define STATE_OF_BLOCK state_of_block_by_wrong_warps

__device__ RowState state_of_block_by_wrong_warps(RowState state) {
  const unsigned lane = threadIdx.x % kWarp, warp = threadIdx.x / kWarp, warps = blockDim.x / kWarp;
  state = STATE_OF_WARP(state);
  __shared__ RowState of_warps[kMostWarps];
  if (lane == 0) {
    of_warps[warp] = state;
  }
  __syncthreads();
  state = STATE_OF_WARP(lane < warps ? of_warps[lane] : NOTHING());
  __syncthreads();
  return state;
}
#endif

// The second read.
__device__ void store_row(const float* from, float* to, unsigned columns, float max, float scale) {
  for (unsigned j = threadIdx.x; j < columns; j += blockDim.x) {
    to[j] = __expf(from[j] - max) * scale;
  }
}

#ifndef TAKE_ROW
#define TAKE_ROW take_row_by_wrong_states

__device__ void take_row_by_wrong_states(const float* from, float* to, unsigned columns, unsigned) {
  RowState state = NOTHING();
  float numbers[kAtOnce];
  for (unsigned first = threadIdx.x; first < columns; first += kAtOnce * blockDim.x) {
    load(numbers, from, first, columns);
    state = WITH(state, numbers);
  }
  state = STATE_OF_BLOCK(state);
  store_row(from, to, columns, state.max, 1.0f / state.sum);
}
#endif

#ifndef OUTPUT_PITCH
#define OUTPUT_PITCH output.pitch
#endif

__global__ void __launch_bounds__(kWarp* kMostWarps)
    softmax_rows_wrongly(workbook::ConstMatrix input, workbook::Matrix output) {
  for (std::size_t row = blockIdx.x; row < input.rows; row += gridDim.x) {
    TAKE_ROW(input.data + row * input.pitch, output.data + row * OUTPUT_PITCH, static_cast<unsigned>(input.columns),
             static_cast<unsigned>(input.pitch));
  }
}

void softmax_rows_on_device(workbook::ConstMatrix input, workbook::Matrix output, unsigned block_size,
                            cudaStream_t stream) {
  if (input.rows == 0 || input.columns == 0) {
    return;
  }
  const auto blocks = static_cast<unsigned>(std::min<std::size_t>(input.rows, resident_blocks(block_size)));
  softmax_rows_wrongly<<<blocks, block_size, 0, stream>>>(input, output);
  CUDA_CHECK(cudaGetLastError());
}

#undef NOTHING
#undef WITH
#undef COMBINE
#undef STATE_OF_WARP
#undef STATE_OF_BLOCK
#undef TAKE_ROW
#undef OUTPUT_PITCH
