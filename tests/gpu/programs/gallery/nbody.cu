// SPDX-License-Identifier: MIT
// Gravity among all pairs of bodies, positions in tiles of shared memory, and a few steps in time.
#include "gallery.h"

constexpr int tile = 64;
constexpr float step = 0.01f, softening = 0.01f;

__global__ void move(const float4* from, float4* to, float3* velocity, int n) {
  __shared__ float4 others[tile];
  const int i = blockIdx.x * tile + threadIdx.x;
  const float4 me = from[i];
  float3 pull = make_float3(0, 0, 0);
  for (int begin = 0; begin < n; begin += tile) {
    others[threadIdx.x] = from[begin + threadIdx.x];
    __syncthreads();
#pragma unroll 8
    for (int j = 0; j < tile; ++j) {
      const float x = others[j].x - me.x, y = others[j].y - me.y, z = others[j].z - me.z;
      const float inverse = rsqrtf(x * x + y * y + z * z + softening);
      const float strength = others[j].w * inverse * inverse * inverse;
      pull.x += x * strength;
      pull.y += y * strength;
      pull.z += z * strength;
    }
    __syncthreads();
  }
  float3 v = velocity[i];
  v = make_float3(v.x + step * pull.x, v.y + step * pull.y, v.z + step * pull.z);
  velocity[i] = v;
  to[i] = make_float4(me.x + step * v.x, me.y + step * v.y, me.z + step * v.z, me.w);
}

bool program() {
  constexpr int n = 256, steps = 4;
  std::vector<float4> bodies(n);
  std::vector<double> at(3 * n), speed(3 * n, 0.0);
  for (int i = 0; i < n; ++i) {
    bodies[i] = make_float4(uniform(4 * i), uniform(4 * i + 1), uniform(4 * i + 2), uniform(4 * i + 3) / n);
    at[3 * i] = bodies[i].x, at[3 * i + 1] = bodies[i].y, at[3 * i + 2] = bodies[i].z;
  }
  Buffer<float4> first(bodies), second(n);
  Buffer<float3> velocity(n);
  velocity.clear();
  for (int s = 0; s < steps; ++s) {
    move<<<n / tile, tile>>>(s % 2 ? second : first, s % 2 ? first : second, velocity, n);
    std::vector<double> next = at;
    for (int i = 0; i < n; ++i) {
      double pull[3] = {};
      for (int j = 0; j < n; ++j) {
        double d[3], square = softening;
        for (int k = 0; k < 3; ++k) square += (d[k] = at[3 * j + k] - at[3 * i + k]) * d[k];
        for (int k = 0; k < 3; ++k) pull[k] += d[k] * bodies[j].w / (square * std::sqrt(square));
      }
      for (int k = 0; k < 3; ++k) next[3 * i + k] += step * (speed[3 * i + k] += step * pull[k]);
    }
    at = next;
  }
  const std::vector<float4> got = first.host();
  bool right = true;
  for (int i = 0; i < n; ++i) {
    right = right && close(got[i].x, at[3 * i], 1e-5) && close(got[i].y, at[3 * i + 1], 1e-5) &&
            close(got[i].z, at[3 * i + 2], 1e-5);
  }
  return right;
}
