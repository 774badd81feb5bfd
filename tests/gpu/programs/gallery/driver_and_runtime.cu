// SPDX-License-Identifier: MIT
// The two interfaces in one program, over one context. Memory of the one is in copies, fills and kernels of the other.
// There are streams and events of both. The driver launches the runtime's kernels, as large as it says is best.
#include <cuda.h>

#include "gallery.h"

#define checkDriver(call)                                              \
  do {                                                                 \
    const CUresult error = call;                                       \
    if (error != CUDA_SUCCESS) {                                       \
      const char* name = nullptr;                                      \
      cuGetErrorName(error, &name);                                    \
      std::printf("%s:%d: %s: %s\n", __FILE__, __LINE__, #call, name); \
      std::exit(EXIT_FAILURE);                                         \
    }                                                                  \
  } while (false)

__global__ void rotate_rows(const int* in, int* out, int width, int height, int pitch) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < width * height; i += gridDim.x * blockDim.x) {
    const int y = i / width, x = i % width;
    out[y * pitch + (x + y) % width] = in[y * pitch + x];
  }
}

bool program() {
  constexpr int width = 37, height = 11;
  std::vector<int> in(width * height), got(width * height), expected(width * height);
  for (int i = 0; i < width * height; ++i) in[i] = static_cast<int>(scramble(static_cast<unsigned>(i)));
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) expected[y * width + (x + y) % width] = in[y * width + x];

  int *from = nullptr, count = 0;
  std::size_t pitch_bytes = 0;
  checkCudaErrors(cudaMallocPitch(&from, &pitch_bytes, width * sizeof(int), height));  // and the primary context
  CUcontext context = nullptr;
  checkDriver(cuInit(0));
  checkDriver(cuCtxGetCurrent(&context));
  checkDriver(cuDeviceGetCount(&count));
  CUdeviceptr to = 0;
  checkDriver(cuMemAlloc(&to, pitch_bytes * height));
  checkDriver(cuMemsetD32(to, 0xFFFFFFFFu, pitch_bytes / 4 * height));

  CUstream copying = nullptr;
  cudaStream_t computing = nullptr;
  CUevent copied = nullptr;
  checkDriver(cuStreamCreate(&copying, CU_STREAM_NON_BLOCKING));
  checkCudaErrors(cudaStreamCreateWithFlags(&computing, cudaStreamNonBlocking));
  checkDriver(cuEventCreate(&copied, CU_EVENT_DISABLE_TIMING));
  checkDriver(cuCtxSynchronize());

  CUDA_MEMCPY2D rows{};
  rows.srcMemoryType = CU_MEMORYTYPE_HOST;
  rows.srcHost = in.data();
  rows.srcPitch = width * sizeof(int);
  rows.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  rows.dstDevice = reinterpret_cast<CUdeviceptr>(from);
  rows.dstPitch = pitch_bytes;
  rows.WidthInBytes = width * sizeof(int);
  rows.Height = height;
  checkDriver(cuMemcpy2DAsync(&rows, copying));
  checkDriver(cuEventRecord(copied, copying));
  checkCudaErrors(cudaStreamWaitEvent(computing, copied, 0));

  CUfunction kernel = nullptr;
  checkCudaErrors(cudaGetFuncBySymbol(&kernel, reinterpret_cast<const void*>(rotate_rows)));
  int best_grid = 0, best_block = 0, resident = 0;
  checkDriver(cuOccupancyMaxPotentialBlockSize(&best_grid, &best_block, kernel, nullptr, 0, 256));
  checkDriver(cuOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, best_block, 0));
  int w = width, h = height, pitch = static_cast<int>(pitch_bytes / sizeof(int));
  void* arguments[] = {&from, &to, &w, &h, &pitch};
  checkDriver(
      cuLaunchKernel(kernel, 2, 1, 1, static_cast<unsigned>(best_block), 1, 1, 0, computing, arguments, nullptr));
  checkCudaErrors(cudaMemcpy2DAsync(got.data(), width * sizeof(int), reinterpret_cast<int*>(to), pitch_bytes,
                                    width * sizeof(int), height, cudaMemcpyDeviceToHost, computing));
  checkDriver(cuStreamSynchronize(computing));

  const bool right = got == expected && count >= 1 && context != nullptr && best_grid > 0 && resident > 0 &&
                     cudaGetLastError() == cudaSuccess;
  checkDriver(cuEventDestroy(copied));
  checkCudaErrors(cudaStreamDestroy(copying));  // made by the driver
  checkDriver(cuStreamDestroy(computing));
  checkCudaErrors(cudaFree(reinterpret_cast<void*>(to)));
  checkDriver(cuMemFree(reinterpret_cast<CUdeviceptr>(from)));
  return right;
}
#undef checkDriver
