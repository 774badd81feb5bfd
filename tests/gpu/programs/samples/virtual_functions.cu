// SPDX-License-Identifier: MIT
// Objects with virtual functions that kernels make with new, call and delete. There are multiple inheritance, a table
// of function pointers, and a pointer to a member function.
#include <cmath>
#include <vector>

#include "helper_cuda.h"

class Shape {
 public:
  __device__ virtual ~Shape() {}
  __device__ virtual float area() const = 0;
  __device__ virtual int corners() const { return 0; }
};
class Circle : public Shape {
 public:
  __device__ explicit Circle(float radius) : radius_(radius) {}
  __device__ float area() const override { return 3.0f * radius_ * radius_; }

 private:
  float radius_;
};
class Named {
 public:
  __device__ virtual ~Named() {}
  __device__ virtual char initial() const = 0;
};
class Rectangle : public Shape, public Named {
 public:
  __device__ Rectangle(float width, float height) : width_(width), height_(height) {}
  __device__ float area() const override { return width_ * height_; }
  __device__ int corners() const override { return 4; }
  __device__ char initial() const override { return 'R'; }

 protected:
  float width_, height_;
};
class Square final : public Rectangle {
 public:
  __device__ explicit Square(float side) : Rectangle(side, side) {}
  __device__ char initial() const override { return 'S'; }
};

__device__ int destroyed = 0;
class Watched final : public Shape {
 public:
  __device__ ~Watched() override { atomicAdd(&destroyed, 1); }
  __device__ float area() const override { return -1; }
  __device__ int corners() const override { return 99; }
};

__global__ void make(Shape** shapes, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float size = static_cast<float>(i);
  switch (i % 4) {
    case 0:
      shapes[i] = new Circle(size);
      break;
    case 1:
      shapes[i] = new Rectangle(size, 2.0f);
      break;
    case 2:
      shapes[i] = new Square(size);
      break;
    default:
      shapes[i] = new Watched;
      break;
  }
}

__global__ void measure(Shape* const* shapes, float* areas, int* corners, char* initials, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const Shape* shape = shapes[i];
  areas[i] = shape->area();
  corners[i] = shape->corners();
  initials[i] = '-';
  if (i % 4 == 1 || i % 4 == 2) {
    const Named* named = static_cast<const Rectangle*>(shape);
    initials[i] = named->initial();
  }
}

__global__ void destroy(Shape** shapes, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) delete shapes[i];
}

using Operation = int (*)(int, int);
__device__ int add(int a, int b) { return a + b; }
__device__ int subtract(int a, int b) { return a - b; }
__device__ int multiply(int a, int b) { return a * b; }
__device__ Operation operations[] = {add, subtract, multiply};
__device__ Operation chosen = multiply;

struct Counter {
  int value;
  __device__ void up(int by) { value += by; }
  __device__ void down(int by) { value -= by; }
};

__global__ void calculate(Operation from_host, int* out) {
  const int i = threadIdx.x;
  Counter counter{operations[i % 3](i, 5)};
  void (Counter::*step)(int) = i % 2 == 0 ? &Counter::up : &Counter::down;
  (counter.*step)(from_host(i, 2));
  out[i] = counter.value;
}

bool shapes_test() {
  constexpr int n = 1000;
  Shape** shapes = nullptr;
  float* areas = nullptr;
  int* corners = nullptr;
  char* initials = nullptr;
  checkCudaErrors(cudaMalloc(&shapes, n * sizeof(Shape*)));
  checkCudaErrors(cudaMallocManaged(&areas, n * sizeof(float)));
  checkCudaErrors(cudaMallocManaged(&corners, n * sizeof(int)));
  checkCudaErrors(cudaMallocManaged(&initials, n));
  const int grid = (n + 127) / 128;
  make<<<grid, 128>>>(shapes, n);
  measure<<<grid, 128>>>(shapes, areas, corners, initials, n);
  destroy<<<grid, 128>>>(shapes, n);
  checkCudaErrors(cudaGetLastError());
  checkCudaErrors(cudaDeviceSynchronize());
  bool passed = true;
  for (int i = 0; i < n; ++i) {
    const float size = static_cast<float>(i);
    const float expected_area[] = {3.0f * size * size, size * 2.0f, size * size, -1};
    const int expected_corners[] = {0, 4, 4, 99};
    passed = passed && areas[i] == expected_area[i % 4] && corners[i] == expected_corners[i % 4] &&
             initials[i] == "-RS-"[i % 4];
  }
  int h_destroyed = 0;
  checkCudaErrors(cudaMemcpyFromSymbol(&h_destroyed, destroyed, sizeof h_destroyed));
  passed = passed && h_destroyed == n / 4;
  checkCudaErrors(cudaFree(shapes));
  checkCudaErrors(cudaFree(areas));
  checkCudaErrors(cudaFree(corners));
  checkCudaErrors(cudaFree(initials));
  return passed;
}

bool pointers_test() {
  Operation operation = nullptr;
  checkCudaErrors(cudaMemcpyFromSymbol(&operation, chosen, sizeof operation));
  int* out = nullptr;
  checkCudaErrors(cudaMallocManaged(&out, 64 * sizeof(int)));
  calculate<<<1, 64>>>(operation, out);
  checkCudaErrors(cudaGetLastError());
  checkCudaErrors(cudaDeviceSynchronize());
  bool passed = true;
  for (int i = 0; i < 64; ++i) {
    const int start = i % 3 == 0 ? i + 5 : i % 3 == 1 ? i - 5 : i * 5;
    passed = passed && out[i] == (i % 2 == 0 ? start + 2 * i : start - 2 * i);
  }
  checkCudaErrors(cudaFree(out));
  return passed;
}

int main() {
  checkCudaErrors(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 4 << 20));
  const bool shapes = shapes_test();
  const bool pointers = pointers_test();
  return finish("virtual_functions", shapes && pointers);
}
