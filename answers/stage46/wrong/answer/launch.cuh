// SPDX-License-Identifier: MIT
// The launch of stage 46 for wrong kernels. The including file may define CONVOLVE and CONVOLVE_SEPARABLY as the names
// of its kernels, and COPY_WEIGHTS(filter, stream) as its own way to copy.
#ifndef COPY_WEIGHTS
#define COPY_WEIGHTS(filter, stream)                                                                    \
  cudaMemcpyToSymbolAsync(weights, (filter).weights, (filter).rows() * kFilterPitch * sizeof(float), 0, \
                          cudaMemcpyDeviceToDevice, stream)
#endif

void convolve_on_device(ConstMatrix input, Matrix output, const Filter& filter, dim3 block, cudaStream_t stream) {
  if (input.rows == 0 || input.columns == 0) return;
  CUDA_CHECK(COPY_WEIGHTS(filter, stream));
  Kernel kernel = find_kernel(filter, std::make_integer_sequence<unsigned, kFilterPitch / 4>());
#ifdef CONVOLVE
  if (!filter.is_separable) kernel = CONVOLVE;
#endif
#ifdef CONVOLVE_SEPARABLY
  if (filter.is_separable) kernel = CONVOLVE_SEPARABLY;
#endif
  const std::size_t rows = std::size_t{kRows} * block.y;
  const std::size_t bytes = (rows + filter.size - 1) * kTilePitch * sizeof(float);
  CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)));
  const dim3 grid(static_cast<unsigned>((input.columns + kColumns - 1) / kColumns),
                  static_cast<unsigned>((input.rows + rows - 1) / rows));
  kernel<<<grid, block, bytes, stream>>>(input, output, filter.size);
  CUDA_CHECK(cudaGetLastError());
}

#undef CONVOLVE
#undef CONVOLVE_SEPARABLY
#undef COPY_WEIGHTS
