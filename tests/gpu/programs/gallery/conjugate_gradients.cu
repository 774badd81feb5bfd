// SPDX-License-Identifier: MIT
// Conjugate gradients for a Laplace matrix in one cooperative launch. The grid waits for itself three times a step.
// Every block adds up the same partial sums in the same order.
#include <cooperative_groups.h>

#include "gallery.h"

namespace cg = cooperative_groups;
constexpr int n = 512, block = 64, blocks = n / block;

__device__ double dot(double a, double b, double* parts, const cg::grid_group& grid) {
  __shared__ double products[block];
  products[threadIdx.x] = a * b;
  for (int half = block / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) products[threadIdx.x] += products[threadIdx.x + half];
  }
  if (threadIdx.x == 0) parts[blockIdx.x] = products[0];
  grid.sync();
  double sum = 0;
  for (int b2 = 0; b2 < blocks; ++b2) sum += parts[b2];
  return sum;
}

__global__ void solve(const double* b, double* x, double* p, double* parts, int* steps) {
  const cg::grid_group grid = cg::this_grid();
  const int i = blockIdx.x * block + threadIdx.x;
  double solution = 0, residual = b[i], direction = residual;
  double square = dot(residual, residual, parts, grid);
  int step = 0;
  for (; step < 2 * n && square > 1e-18; ++step) {
    p[i] = direction;
    grid.sync();
    const double left = i > 0 ? p[i - 1] : 0, right = i < n - 1 ? p[i + 1] : 0;
    const double image = 2.1 * direction - left - right;
    const double length = square / dot(direction, image, parts + blocks * (1 + step % 2), grid);
    solution += length * direction;
    residual -= length * image;
    const double now = dot(residual, residual, parts + blocks * (3 + step % 2), grid);
    direction = residual + now / square * direction;
    square = now;
  }
  x[i] = solution;
  if (i == 0) *steps = step;
}

bool program() {
  std::vector<double> b(n);
  for (int i = 0; i < n; ++i) b[i] = uniform(i) - 0.5;
  Buffer<double> d_b(b), x(n), p(n), parts(5 * blocks);
  Buffer<int> steps(1);
  const double* b_argument = d_b;
  double *x_argument = x, *p_argument = p, *parts_argument = parts;
  int* steps_argument = steps;
  void* arguments[] = {&b_argument, &x_argument, &p_argument, &parts_argument, &steps_argument};
  checkCudaErrors(cudaLaunchCooperativeKernel(solve, blocks, block, arguments, 0, nullptr));
  const std::vector<double> got = x.host();
  std::vector<double> image(n);
  for (int i = 0; i < n; ++i) image[i] = 2.1 * got[i] - (i > 0 ? got[i - 1] : 0) - (i < n - 1 ? got[i + 1] : 0);
  return steps.host()[0] > 5 && all_close(image, b, 1e-8);
}
