// SPDX-License-Identifier: MIT
// Images in rows with a pitch. A transpose and a blur of 2D memory, and a box cut out of a volume. The copies,
// sub-copies and fills that go with them.
#include <vector>

#include "helper_cuda.h"

constexpr int tile = 16;

__global__ void transpose(const int* in, std::size_t in_pitch, int* out, std::size_t out_pitch, int width, int height) {
  __shared__ int block[tile][tile + 1];
  int x = blockIdx.x * tile + threadIdx.x, y = blockIdx.y * tile + threadIdx.y;
  if (x < width && y < height) {
    const int* row = reinterpret_cast<const int*>(reinterpret_cast<const char*>(in) + y * in_pitch);
    block[threadIdx.y][threadIdx.x] = row[x];
  }
  __syncthreads();
  x = blockIdx.y * tile + threadIdx.x;
  y = blockIdx.x * tile + threadIdx.y;
  if (x < height && y < width) {
    int* row = reinterpret_cast<int*>(reinterpret_cast<char*>(out) + y * out_pitch);
    row[x] = block[threadIdx.x][threadIdx.y];
  }
}

__global__ void add_index(cudaPitchedPtr volume, int width, int height, int depth) {
  const int x = threadIdx.x, y = blockIdx.x, z = blockIdx.y;
  if (x >= width || y >= height || z >= depth) return;
  char* slice = static_cast<char*>(volume.ptr) + z * volume.pitch * height;
  float* row = reinterpret_cast<float*>(slice + y * volume.pitch);
  row[x] += 1000.0f * z + 100.0f * y + x;
}

bool transpose_image() {
  constexpr int width = 100, height = 37;
  std::vector<int> in(width * height), out(width * height, -1);
  for (int i = 0; i < width * height; ++i) in[i] = 7 * i + 1;
  int *d_in = nullptr, *d_out = nullptr;
  std::size_t in_pitch = 0, out_pitch = 0;
  checkCudaErrors(cudaMallocPitch(&d_in, &in_pitch, width * sizeof(int), height));
  checkCudaErrors(cudaMallocPitch(&d_out, &out_pitch, height * sizeof(int), width));
  checkCudaErrors(cudaMemcpy2D(d_in, in_pitch, in.data(), width * sizeof(int), width * sizeof(int), height,
                               cudaMemcpyHostToDevice));
  const dim3 grid((width + tile - 1) / tile, (height + tile - 1) / tile);
  transpose<<<grid, dim3(tile, tile)>>>(d_in, in_pitch, d_out, out_pitch, width, height);
  checkCudaErrors(cudaGetLastError());
  cudaStream_t stream = nullptr;
  checkCudaErrors(cudaStreamCreate(&stream));
  checkCudaErrors(cudaMemcpy2DAsync(out.data(), height * sizeof(int), d_out, out_pitch, height * sizeof(int), width,
                                    cudaMemcpyDeviceToHost, stream));
  checkCudaErrors(cudaStreamSynchronize(stream));
  bool passed = true;
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) passed = passed && out[x * height + y] == in[y * width + x];
  }
  // A rectangle of zeros in the middle of the image, and the image back.
  checkCudaErrors(cudaMemset2DAsync(reinterpret_cast<char*>(d_in) + 5 * in_pitch + 10 * sizeof(int), in_pitch, 0,
                                    20 * sizeof(int), 8, stream));
  checkCudaErrors(cudaMemcpy2DAsync(out.data(), width * sizeof(int), d_in, in_pitch, width * sizeof(int), height,
                                    cudaMemcpyDeviceToHost, stream));
  checkCudaErrors(cudaStreamSynchronize(stream));
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const bool inside = y >= 5 && y < 13 && x >= 10 && x < 30;
      passed = passed && out[y * width + x] == (inside ? 0 : in[y * width + x]);
    }
  }
  checkCudaErrors(cudaStreamDestroy(stream));
  checkCudaErrors(cudaFree(d_in));
  checkCudaErrors(cudaFree(d_out));
  return passed;
}

bool cut_volume() {
  constexpr int width = 50, height = 9, depth = 5;
  const cudaExtent extent = make_cudaExtent(width * sizeof(float), height, depth);
  cudaPitchedPtr volume{};
  checkCudaErrors(cudaMalloc3D(&volume, extent));
  checkCudaErrors(cudaMemset3D(volume, 0, extent));
  add_index<<<dim3(height, depth), 64>>>(volume, width, height, depth);
  checkCudaErrors(cudaGetLastError());

  // The whole volume, then a box from its inside into the middle of a dense array.
  std::vector<float> all(width * height * depth, -1), box(20 * 6 * 4, -1);
  cudaMemcpy3DParms whole{};
  whole.srcPtr = volume;
  whole.dstPtr = make_cudaPitchedPtr(all.data(), width * sizeof(float), width, height);
  whole.extent = extent;
  whole.kind = cudaMemcpyDeviceToHost;
  checkCudaErrors(cudaMemcpy3D(&whole));
  cudaMemcpy3DParms part{};
  part.srcPtr = volume;
  part.srcPos = make_cudaPos(8 * sizeof(float), 2, 1);
  part.dstPtr = make_cudaPitchedPtr(box.data(), 20 * sizeof(float), 20, 6);
  part.dstPos = make_cudaPos(3 * sizeof(float), 1, 1);
  part.extent = make_cudaExtent(10 * sizeof(float), 4, 3);
  part.kind = cudaMemcpyDeviceToHost;
  checkCudaErrors(cudaMemcpy3DAsync(&part, nullptr));
  checkCudaErrors(cudaDeviceSynchronize());

  bool passed = true;
  for (int z = 0; z < depth; ++z) {
    for (int y = 0; y < height; ++y) {
      for (int x = 0; x < width; ++x) {
        passed = passed && all[(z * height + y) * width + x] == 1000.0f * z + 100.0f * y + x;
      }
    }
  }
  for (int z = 0; z < 4; ++z) {
    for (int y = 0; y < 6; ++y) {
      for (int x = 0; x < 20; ++x) {
        const bool inside = x >= 3 && x < 13 && y >= 1 && y < 5 && z >= 1 && z < 4;
        const float expected = inside ? 1000.0f * (z - 1 + 1) + 100.0f * (y - 1 + 2) + (x - 3 + 8) : -1;
        passed = passed && box[(z * 6 + y) * 20 + x] == expected;
      }
    }
  }
  checkCudaErrors(cudaFree(volume.ptr));
  return passed;
}

int main() {
  const bool image = transpose_image();
  const bool volume = cut_volume();
  return finish("pitched_copies", image && volume);
}
