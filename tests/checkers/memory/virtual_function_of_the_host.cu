// finds: out-of-bounds
// SPDX-License-Identifier: MIT
// compute-sanitizer: not asked yet
// says: memory of the host
// says: an object with virtual functions
// The host makes an object with a virtual function and copies it: its table of functions stays on the host.
#include <new>

#include "../planted.h"

struct Shape {
  __host__ __device__ virtual int area() const = 0;
};
struct Square : Shape {
  int side;
  __host__ __device__ explicit Square(int s) : side(s) {}
  __host__ __device__ int area() const override { return side * side; }
};

__global__ void make(Square* square) { new (square) Square(3); }

__global__ void ask(const Shape* shape, int* out) {
  *out = shape->area();  // <- here
}

int main() {
  const DeviceArray<char> square(sizeof(Square));
  const DeviceArray<int> out(1);
  auto* const on_device = reinterpret_cast<Square*>(static_cast<char*>(square));
#ifdef REPAIRED
  make<<<1, 1>>>(on_device);
#else
  const Square on_host(3);
  must(cudaMemcpy(on_device, &on_host, sizeof on_host, cudaMemcpyHostToDevice));
#endif
  ask<<<1, 1>>>(on_device, out);
  return finish(out);
}
