// SPDX-License-Identifier: MIT
// The kernel of stage 48, for wrong kernels that change one part. The including file may define SOFTMAX, RMS_NORM,
// LOAD, STATE_OF_BLOCK, PUBLISH or STATE_OF_ROW as the name of its own struct or function, and READS_AGAIN. Kernels
// that are the same then are those of the answer: they need not be compiled again.
#if defined(LOAD) || defined(STATE_OF_BLOCK) || defined(READS_AGAIN)
constexpr bool kRowsDiffer = true;
#else
constexpr bool kRowsDiffer = false;
#endif
#if defined(LOAD) || defined(STATE_OF_BLOCK) || defined(PUBLISH) || defined(STATE_OF_ROW)
constexpr bool kPartsDiffer = true;
#else
constexpr bool kPartsDiffer = false;
#endif
// What else may be wrong is the same for both operations, and softmax shows it.
#if defined(LOAD) || defined(READS_AGAIN)
constexpr bool kRmsRowsDiffer = kRowsDiffer, kRmsPartsDiffer = kPartsDiffer;
#else
constexpr bool kRmsRowsDiffer = false, kRmsPartsDiffer = false;
#endif
#ifndef SOFTMAX
#define SOFTMAX Softmax
#endif
#ifndef RMS_NORM
#define RMS_NORM RmsNorm
#endif
#ifndef LOAD
#define LOAD load
#endif
#ifndef STATE_OF_BLOCK
#define STATE_OF_BLOCK state_of_block
#endif
#ifndef PUBLISH
#define PUBLISH publish
#endif
#ifndef STATE_OF_ROW
#define STATE_OF_ROW state_of_row
#endif

template <typename Operation, typename Vector>
__global__ void __launch_bounds__(kMostThreads) normalize_rows_wrongly(ConstMatrix input, Matrix output) {
  const std::size_t row = std::size_t{blockIdx.x} * blockDim.y + threadIdx.y;
  if (row >= input.rows) {
    return;
  }
  const Part part{0, static_cast<unsigned>(input.columns / (sizeof(Vector) / sizeof(float)))};
  const auto* from = reinterpret_cast<const Vector*>(input.data + row * input.pitch);
  float numbers[kNumbers];
  LOAD<Operation>(numbers, from, part);
  const RowState own = Operation::take(numbers);
  const RowState of_row = blockDim.x == kWarp ? state_of_warp(own) : STATE_OF_BLOCK(own);
  const float factor = Operation::factor(own, of_row, static_cast<float>(input.columns));
#ifdef READS_AGAIN
  LOAD<Operation>(numbers, from, part);
  Operation::take(numbers);
#endif
  store(numbers, factor, reinterpret_cast<Vector*>(output.data + row * output.pitch), part);
}

#define load LOAD
#define state_of_block STATE_OF_BLOCK
#define publish PUBLISH
#define state_of_row STATE_OF_ROW
#define normalize_parts normalize_parts_wrongly
#include "in_parts.cuh"
#undef load
#undef state_of_block
#undef publish
#undef state_of_row
#undef normalize_parts

template <bool kDiffers, typename Operation, typename Vector, typename Right>
auto rows_kernel() {
  if constexpr (kDiffers || !std::is_same_v<Operation, Right>) {
    return normalize_rows_wrongly<Operation, Vector>;
  } else {
    return normalize_rows<Right, Vector>;
  }
}
template <bool kDiffers, typename Operation, typename Vector, typename Right>
auto parts_kernel() {
  if constexpr (kDiffers || !std::is_same_v<Operation, Right>) {
    return normalize_parts_wrongly<Operation, Vector>;
  } else {
    return normalize_parts<Right, Vector>;
  }
}

void normalize_rows_on_device(RowOperation operation, ConstMatrix input, Matrix output, unsigned block_size,
                              const workbook::RowWorkspace& workspace) {
  if (input.rows == 0 || input.columns == 0) {
    return;
  }
  const auto launch_wrongly = [&](auto whole_rows, auto in_parts, auto two_reads) {
    launch_rows(whole_rows, in_parts, two_reads, input, output, block_size, workspace);
  };
  const bool has_vectors =
      holds_vectors(input.data, input.columns, input.pitch) && holds_vectors(output.data, output.columns, output.pitch);
  if (operation == RowOperation::rms_norm) {
    launch_wrongly(rows_kernel<kRmsRowsDiffer, RMS_NORM, float, RmsNorm>(),
                   parts_kernel<kRmsPartsDiffer, RMS_NORM, float, RmsNorm>(), normalize_in_two_reads<RmsNorm, float>);
  } else if (has_vectors) {
    launch_wrongly(rows_kernel<kRowsDiffer, SOFTMAX, float4, Softmax>(),
                   parts_kernel<kPartsDiffer, SOFTMAX, float4, Softmax>(), normalize_in_two_reads<Softmax, float4>);
  } else {
    launch_wrongly(rows_kernel<kRowsDiffer, SOFTMAX, float, Softmax>(),
                   parts_kernel<kPartsDiffer, SOFTMAX, float, Softmax>(), normalize_in_two_reads<Softmax, float>);
  }
}

#undef SOFTMAX
#undef RMS_NORM
#undef LOAD
#undef STATE_OF_BLOCK
#undef PUBLISH
#undef STATE_OF_ROW
#undef READS_AGAIN
