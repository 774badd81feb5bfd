// SPDX-License-Identifier: MIT
// Particles, random numbers, fractals, rays and transforms.
#include "unseen.h"

namespace unseen {
namespace {

/// Forces of all on all with the distance softened; two bodies a thread.
__global__ void n_body_two(const float4* bodies, float3* out, int n) {
  __shared__ float4 tile[128];
  const int i = blockIdx.x * 256 + threadIdx.x;
  const float4 p[2] = {bodies[i], bodies[i + 128]};
  float3 force[2] = {{0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f}};
  for (int first = 0; first < n; first += 128) {
    tile[threadIdx.x] = bodies[first + threadIdx.x];
    __syncthreads();
#pragma unroll 4
    for (int k = 0; k < 128; ++k) {
      const float4 other = tile[k];
#pragma unroll
      for (int b = 0; b < 2; ++b) {
        const float dx = other.x - p[b].x, dy = other.y - p[b].y, dz = other.z - p[b].z;
        const float r = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f), s = other.w * r * r * r;
        force[b] = make_float3(force[b].x + dx * s, force[b].y + dy * s, force[b].z + dz * s);
      }
    }
    __syncthreads();
  }
  out[i] = force[0];
  out[i + 128] = force[1];
}

/// The energy of all pairs in double precision, without tiles.
__global__ void pair_energy(const double* x, const double* y, const double* z, double* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double sum = 0.0;
  for (int j = 0; j < n; ++j) {
    const double dx = x[j] - x[i], dy = y[j] - y[i], dz = z[j] - z[i];
    if (j != i) sum += 1.0 / sqrt(dx * dx + dy * dy + dz * dz + 1e-9);
  }
  out[i] = sum;
}

/// Lennard-Jones with a list of 32 neighbours, as in SHOC.
__global__ void lennard_jones(const float4* places, const unsigned* neighbours, float4* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float4 p = places[i];
  float4 force = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
  for (int k = 0; k < 32; ++k) {
    const float4 q = places[(i + neighbours[k * n + i]) % n];
    const float dx = p.x - q.x, dy = p.y - q.y, dz = p.z - q.z, r2 = dx * dx + dy * dy + dz * dz;
    if (r2 < 0.5f) {
      const float inverse = 1.0f / (r2 + 0.01f), r6 = inverse * inverse * inverse, f = inverse * r6 * (r6 - 0.5f);
      force = make_float4(force.x + dx * f, force.y + dy * f, force.z + dz * f, force.w + r6);
    }
  }
  out[i] = force;
}

__device__ unsigned next_random(unsigned& state) {
  state ^= state << 13;
  state ^= state >> 17;
  return state ^= state << 5;
}

__device__ float next_float(unsigned& state) { return (next_random(state) >> 8) * 5.9604645e-8f + 3e-8f; }

/// The price of an option by paths of 16 steps; Box and Muller make the normal numbers.
__global__ void option_paths(float* out, float rate, float volatility, int paths) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned state = i * 2654435761u + 1;
  float sum = 0.0f;
  for (int path = 0; path < paths; ++path) {
    float price = 100.0f, mean = 0.0f;
    for (int step = 0; step < 16; step += 2) {
      const float radius = sqrtf(-2.0f * logf(next_float(state)));
      float sine, cosine;
      sincosf(6.2831853f * next_float(state), &sine, &cosine);
      price *= expf(rate + volatility * radius * sine);
      mean += price;
      price *= expf(rate + volatility * radius * cosine);
      mean += price;
    }
    sum += fmaxf(mean / 16 - 100.0f, 0.0f);
  }
  out[i] = sum / paths;
}

/// Spins on a board of one colour, with the chance of a table.
__global__ void ising_half(const unsigned char* spins, unsigned char* out, int n, int colour, unsigned seed) {
  const int x = 2 * (blockIdx.x * blockDim.x + threadIdx.x), y = blockIdx.y, own = x + (y + colour) % 2;
  if (own >= n) return;
  const int row = y * n, up = (y + n - 1) % n * n, down = (y + 1) % n * n;
  const int ones = spins[up + own] + spins[down + own] + spins[row + (own + 1) % n] + spins[row + (own + n - 1) % n];
  const int up_here = spins[row + own], energy = 2 * (2 * up_here - 1) * (2 * ones - 4);
  unsigned state = (row + own) * 747796405u ^ seed;
  next_random(state);
  const bool flips = energy <= 0 || next_float(state) < __expf(-0.4f * energy);
  out[row + own] = static_cast<unsigned char>(flips ? 1 - up_here : up_here);
}

/// The Julia set in double precision; neighbours leave at different steps.
__global__ void julia(unsigned short* out, int width, int height, int limit) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  double a = 3.0 * x / width - 1.5, b = 2.0 * y / height - 1.0;
  int step = 0;
  while (step < limit && a * a + b * b < 4.0) {
    const double next = a * a - b * b - 0.8;
    b = 2.0 * a * b + 0.156;
    a = next;
    ++step;
  }
  out[y * width + x] = static_cast<unsigned short>(step);
}

/// Newton's steps to a root of z^3 = 1, single precision.
__global__ void newton(unsigned char* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n * n) return;
  float a = 4.0f * (i % n) / n - 2.0f, b = 4.0f * (i / n) / n - 2.0f;
  int step = 0;
  for (; step < 40; ++step) {
    const float p = a * a - b * b, q = 2.0f * a * b, size = 3.0f * (p * p + q * q) + 1e-20f;
    const float next_a = 2.0f * a / 3.0f + p / size, next_b = 2.0f * b / 3.0f - q / size;
    const float moved = fabsf(next_a - a) + fabsf(next_b - b);
    a = next_a;
    b = next_b;
    if (moved < 1e-5f) break;
  }
  out[i] = static_cast<unsigned char>(3 * step + (a > 0.0f ? 0 : b > 0.0f ? 1 : 2));
}

__constant__ float4 spheres[16] = {{.1f, .1f, 2, .1f}, {.3f, .7f, 3, .2f}, {.5f, .2f, 2, .1f}, {.9f, .9f, 4, .3f},
                                   {.2f, .8f, 2, .1f}, {.4f, .4f, 5, .2f}, {.6f, .6f, 2, .1f}, {.8f, .1f, 3, .2f},
                                   {.7f, .3f, 2, .1f}, {.1f, .5f, 4, .2f}, {.9f, .4f, 2, .1f}, {.5f, .9f, 3, .2f},
                                   {.3f, .3f, 6, .1f}, {.7f, .8f, 2, .1f}, {.2f, .2f, 5, .3f}, {.6f, .1f, 2, .1f}};

/// The nearest of the spheres that a ray from a pixel meets.
__global__ void rays(uchar4* out, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  const float u = static_cast<float>(x) / width, v = static_cast<float>(y) / height;
  float nearest = 1e30f, shade = 0.0f;
  for (int k = 0; k < 16; ++k) {
    const float4 s = spheres[k];
    const float dx = u - s.x, dy = v - s.y, inside = s.w * s.w - dx * dx - dy * dy;
    if (inside > 0.0f) {
      const float depth = sqrtf(inside);
      if (s.z - depth < nearest) {
        nearest = s.z - depth;
        shade = depth / s.w;
      }
    }
  }
  const auto grey = static_cast<unsigned char>(255.0f * shade);
  out[y * width + x] = make_uchar4(grey, grey, grey, 255);
}

/// One stage of a Fourier transform of radix 4 in global memory.
__global__ void butterfly_4(const float2* in, float2* out, int n, int stride) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x, k = t & (stride - 1), quarter = n / 4;
  float2 v[4];
  for (int j = 0; j < 4; ++j) {
    float sine, cosine;
    __sincosf(-6.2831853f * j * k / (4 * stride), &sine, &cosine);
    const float2 x = in[t + j * quarter];
    v[j] = make_float2(x.x * cosine - x.y * sine, x.x * sine + x.y * cosine);
  }
  const float2 a = make_float2(v[0].x + v[2].x, v[0].y + v[2].y), b = make_float2(v[0].x - v[2].x, v[0].y - v[2].y);
  const float2 c = make_float2(v[1].x + v[3].x, v[1].y + v[3].y), d = make_float2(v[1].y - v[3].y, v[3].x - v[1].x);
  float2* to = out + 4 * (t - k) + k;
  to[0] = make_float2(a.x + c.x, a.y + c.y);
  to[stride] = make_float2(b.x + d.x, b.y + d.y);
  to[2 * stride] = make_float2(a.x - c.x, a.y - c.y);
  to[3 * stride] = make_float2(b.x - d.x, b.y - d.y);
}

}  // namespace

void physics() {
  const float* x = floats(pick(1 << 15, 1 << 23));
  float* out = zeros<float>(pick(1 << 15, 1 << 23));
  const auto x4 = reinterpret_cast<const float4*>(x);
  int n = pick(512, 8192, 4096);
  launch("n body two", [=] { n_body_two<<<n / 256, 128>>>(x4, reinterpret_cast<float3*>(out), n); });
  n = pick(200, 6000);
  const double* d = doubles(3 * n);
  double* energies = zeros<double>(n);
  launch("pair energy", [=] { pair_energy<<<blocks_of(n, 64), 64>>>(d, d + n, d + 2 * n, energies, n); });
  n = pick(300, 120000);
  const unsigned* neighbours = words(32 * n, pick(100, 2000));
  launch("lennard jones",
         [=] { lennard_jones<<<blocks_of(n), kBlock>>>(x4, neighbours, reinterpret_cast<float4*>(out), n); });
  int blocks = pick(4, 528, 66);
  n = pick(2, 24);
  launch("option paths", [=] { option_paths<<<blocks, 128>>>(out, 0.001f, 0.02f, n); });
  n = pick(64, 2048);
  const unsigned char* spins = bytes(n * n, 2);
  launch("ising half", [=] {
    ising_half<<<dim3(blocks_of(n / 2, 128), n), 128>>>(spins, reinterpret_cast<unsigned char*>(out), n, 0, 99);
  });
  n = pick(60, 1500);
  int m = pick(40, 1000);
  const auto steps = reinterpret_cast<unsigned short*>(out);
  launch("julia", [=] { julia<<<dim3(blocks_of(n, 16), blocks_of(m, 16)), dim3(16, 16)>>>(steps, n, m, 500); });
  n = pick(50, 1200, 500);
  launch("newton", [=] { newton<<<blocks_of(n * n), kBlock>>>(reinterpret_cast<unsigned char*>(out), n); });
  n = pick(60, 1920);
  m = pick(40, 1080);
  launch("rays",
         [=] { rays<<<dim3(blocks_of(n, 32), blocks_of(m, 4)), dim3(32, 4)>>>(reinterpret_cast<uchar4*>(out), n, m); });
  n = pick(4096, 1 << 22, 1 << 20);
  const auto x2 = reinterpret_cast<const float2*>(x);
  launch("butterfly 4", [=] { butterfly_4<<<n / 1024, 256>>>(x2, reinterpret_cast<float2*>(out), n, 64); });
}

}  // namespace unseen
