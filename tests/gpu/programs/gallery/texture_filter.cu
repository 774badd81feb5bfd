// SPDX-License-Identifier: MIT
// A picture turned by a texture with a linear filter. Numbers looked up in a texture of plain memory and in one of
// pitched memory. Parts of arrays copied in and out.
#include "gallery.h"

constexpr int width = 40, height = 30;

__global__ void turn(cudaTextureObject_t picture, float* out, float sine, float cosine) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  if (x >= width) return;
  const float u = static_cast<float>(x) - width / 2, v = static_cast<float>(y) - height / 2;
  out[y * width + x] =
      tex2D<float>(picture, u * cosine - v * sine + width / 2 + 0.5f, v * cosine + u * sine + height / 2 + 0.5f);
}

__global__ void look_up(cudaTextureObject_t line, cudaTextureObject_t plane, int n, int* out) {
  const int i = threadIdx.x;
  if (i < n) out[i] = tex1Dfetch<int>(line, n - 1 - i) + tex2D<uchar2>(plane, i % 5, i / 5).y;
}

bool turned_picture_is_right() {
  const std::vector<float> in = uniform_vector(width * height);
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array = nullptr;
  checkCudaErrors(cudaMallocArray(&array, &format, width, height));
  checkCudaErrors(cudaMemcpy2DToArray(array, 0, 0, in.data(), width * sizeof(float), width * sizeof(float), height,
                                      cudaMemcpyHostToDevice));
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc description{};
  description.addressMode[0] = description.addressMode[1] = cudaAddressModeBorder;
  description.filterMode = cudaFilterModeLinear;
  cudaTextureObject_t picture = 0;
  checkCudaErrors(cudaCreateTextureObject(&picture, &resource, &description, nullptr));
  Buffer<float> out(width * height);
  const float sine = std::sin(0.5f), cosine = std::cos(0.5f);
  turn<<<dim3(2, height), 32>>>(picture, out, sine, cosine);
  const std::vector<float> got = out.host();
  std::vector<float> part(3 * 2);
  checkCudaErrors(cudaMemcpy2DFromArray(part.data(), 3 * sizeof(float), array, 5 * sizeof(float), 7, 3 * sizeof(float),
                                        2, cudaMemcpyDeviceToHost));
  cudaExtent extent{};
  checkCudaErrors(cudaArrayGetInfo(nullptr, &extent, nullptr, array));
  checkCudaErrors(cudaDestroyTextureObject(picture));
  checkCudaErrors(cudaFreeArray(array));
  const auto pixel = [&](int x, int y) {
    return x < 0 || x >= width || y < 0 || y >= height ? 0.0 : in[y * width + x];
  };
  bool right = extent.width == width && extent.height == height && extent.depth == 0;
  for (int i = 0; i < 6; ++i) right = right && part[i] == in[(7 + i / 3) * width + 5 + i % 3];
  for (int i = 0; i < width * height; ++i) {
    const double u = i % width - width / 2, v = i / width - height / 2;
    const double x = u * cosine - v * sine + width / 2, y = v * cosine + u * sine + height / 2;
    const int left = static_cast<int>(std::floor(x)), top = static_cast<int>(std::floor(y));
    const double a = x - left, b = y - top;
    const double expected = (1 - b) * ((1 - a) * pixel(left, top) + a * pixel(left + 1, top)) +
                            b * ((1 - a) * pixel(left, top + 1) + a * pixel(left + 1, top + 1));
    right = right && close(got[i], expected, 0.01);  // weights have 8 bits
  }
  return right;
}

bool numbers_are_right() {
  constexpr int n = 25;
  std::vector<int> numbers(n), expected(n);
  std::vector<uchar2> pixels(n);
  for (int i = 0; i < n; ++i) {
    numbers[i] = static_cast<int>(scramble(i));
    pixels[i] = make_uchar2(i, 3 * i);
  }
  for (int i = 0; i < n; ++i) expected[i] = numbers[n - 1 - i] + 3 * i;
  Buffer<int> d_numbers(numbers), out(n);
  uchar2* d_pixels = nullptr;
  std::size_t pitch = 0;
  checkCudaErrors(cudaMallocPitch(&d_pixels, &pitch, 5 * sizeof(uchar2), 5));
  checkCudaErrors(
      cudaMemcpy2D(d_pixels, pitch, pixels.data(), 5 * sizeof(uchar2), 5 * sizeof(uchar2), 5, cudaMemcpyHostToDevice));
  cudaResourceDesc resource{};
  cudaTextureDesc description{};
  cudaTextureObject_t line = 0, plane = 0;
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = d_numbers;
  resource.res.linear.desc = cudaCreateChannelDesc<int>();
  resource.res.linear.sizeInBytes = n * sizeof(int);
  checkCudaErrors(cudaCreateTextureObject(&line, &resource, &description, nullptr));
  resource = {};
  resource.resType = cudaResourceTypePitch2D;
  resource.res.pitch2D.devPtr = d_pixels;
  resource.res.pitch2D.desc = cudaCreateChannelDesc<uchar2>();
  resource.res.pitch2D.width = resource.res.pitch2D.height = 5;
  resource.res.pitch2D.pitchInBytes = pitch;
  checkCudaErrors(cudaCreateTextureObject(&plane, &resource, &description, nullptr));
  look_up<<<1, 32>>>(line, plane, n, out);
  const std::vector<int> got = out.host();
  for (cudaTextureObject_t texture : {line, plane}) checkCudaErrors(cudaDestroyTextureObject(texture));
  checkCudaErrors(cudaFree(d_pixels));
  return got == expected;
}

bool program() {
  const bool picture = turned_picture_is_right(), numbers = numbers_are_right();
  return picture && numbers;
}
