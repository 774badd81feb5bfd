// SPDX-License-Identifier: MIT
// Boxes of three dimensions: cudaMalloc3D, a copy of a part of a box to another place, a kernel that goes by the pitch.
#include "gallery.h"

__global__ void double_all(cudaPitchedPtr box, cudaExtent extent) {
  const int x = threadIdx.x, y = blockIdx.x, z = blockIdx.y;
  char* const row = static_cast<char*>(box.ptr) + (z * extent.height + y) * box.pitch;
  if (x < extent.width / sizeof(int)) reinterpret_cast<int*>(row)[x] *= 2;
}

bool program() {
  constexpr int width = 13, height = 7, depth = 5;
  std::vector<int> host(width * height * depth), got(host.size(), -1), expected(host.size(), -1);
  for (std::size_t i = 0; i < host.size(); ++i) host[i] = static_cast<int>(i);
  const cudaExtent extent = make_cudaExtent(width * sizeof(int), height, depth);
  cudaPitchedPtr box{};
  checkCudaErrors(cudaMalloc3D(&box, extent));
  cudaMemcpy3DParms in{};
  in.srcPtr = make_cudaPitchedPtr(host.data(), width * sizeof(int), width, height);
  in.dstPtr = box;
  in.extent = extent;
  in.kind = cudaMemcpyHostToDevice;
  checkCudaErrors(cudaMemcpy3D(&in));
  double_all<<<dim3(height, depth), 32>>>(box, extent);
  checkCudaErrors(cudaGetLastError());
  cudaMemcpy3DParms out{};  // 4 x 3 x 2 elements from (2, 1, 3) to (5, 2, 0)
  out.srcPtr = box;
  out.srcPos = make_cudaPos(2 * sizeof(int), 1, 3);
  out.dstPtr = make_cudaPitchedPtr(got.data(), width * sizeof(int), width, height);
  out.dstPos = make_cudaPos(5 * sizeof(int), 2, 0);
  out.extent = make_cudaExtent(4 * sizeof(int), 3, 2);
  out.kind = cudaMemcpyDeviceToHost;
  checkCudaErrors(cudaMemcpy3D(&out));
  checkCudaErrors(cudaFree(box.ptr));
  for (int z = 0; z < 2; ++z)
    for (int y = 0; y < 3; ++y)
      for (int x = 0; x < 4; ++x)
        expected[(z * height + y + 2) * width + x + 5] = 2 * (((z + 3) * height + y + 1) * width + x + 2);
  return got == expected;
}
