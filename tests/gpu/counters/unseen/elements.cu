// SPDX-License-Identifier: MIT
// Each element by itself.
#include "unseen.h"

namespace unseen {
namespace {

__global__ void damped_wave(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float t = 10.0f * in[i];
  out[i] = expf(-0.3f * t) * sinf(6.0f * t) + log1pf(t);
}

__global__ void daxpy(double a, const double* x, double* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

__device__ float gelu_of(float x) { return 0.5f * x * (1.0f + tanhf(0.7978846f * (x + 0.044715f * x * x * x))); }

__global__ void gelu(const float4* in, float4* out, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const float4 x = in[i];
    out[i] = make_float4(gelu_of(x.x), gelu_of(x.y), gelu_of(x.z), gelu_of(x.w));
  }
}

__global__ void gamma_correct(const float* in, float* out, int n, float gamma) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = powf(in[i], 1.0f / gamma);
}

__global__ void rgba_to_yuv(const uchar4* in, unsigned char* y, unsigned char* u, unsigned char* v, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const uchar4 p = in[i];
  y[i] = static_cast<unsigned char>((66 * p.x + 129 * p.y + 25 * p.z + 128) / 256 + 16);
  u[i] = static_cast<unsigned char>((-38 * p.x - 74 * p.y + 112 * p.z + 128) / 256 + 128);
  v[i] = static_cast<unsigned char>((112 * p.x - 94 * p.y - 18 * p.z + 128) / 256 + 128);
}

__global__ void normalise(const float3* in, float3* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float3 v = in[i];
  const float r = rsqrtf(v.x * v.x + v.y * v.y + v.z * v.z + 1e-12f);
  out[i] = make_float3(v.x * r, v.y * r, v.z * r);
}

__device__ unsigned pcg(unsigned x) {
  const unsigned state = x * 747796405u + 2891336453u;
  const unsigned word = ((state >> ((state >> 28) + 4)) ^ state) * 277803737u;
  return (word >> 22) ^ word;
}

__global__ void dropout(const float* in, float* out, unsigned char* mask, int n, float keep, unsigned seed) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const bool kept = pcg(seed ^ i) * 2.3283064e-10f < keep;
  out[i] = kept ? in[i] / keep : 0.0f;
  mask[i] = kept;
}

/// Year, month and day of a number of days since 1970.
__global__ void calendar(const unsigned* days, int* dates, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int z = static_cast<int>(days[i]) + 719468, era = z / 146097, doe = z % 146097;
  const int yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365;
  const int doy = doe - (365 * yoe + yoe / 4 - yoe / 100), mp = (5 * doy + 2) / 153;
  const int month = mp < 10 ? mp + 3 : mp - 9;
  dates[i] = (yoe + era * 400 + (month <= 2)) * 10000 + month * 100 + doy - (153 * mp + 2) / 5 + 1;
}

__global__ void complex_multiply(const double2* a, const double2* b, double2* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = make_double2(a[i].x * b[i].x - a[i].y * b[i].y, a[i].x * b[i].y + a[i].y * b[i].x);
}

__global__ void haversine(const double* latitudes, const double* longitudes, double* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const double a = sin(0.5 * (latitudes[i] - 0.7)), b = sin(0.5 * (longitudes[i] - 0.1));
  out[i] = 2.0 * 6371.0 * asin(sqrt(a * a + cos(latitudes[i]) * 0.76484 * b * b));
}

__global__ void adam(float* weight, const float* gradient, float* m, float* v, int n, float rate) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float g = gradient[i];
  m[i] = 0.9f * m[i] + 0.1f * g;
  v[i] = 0.999f * v[i] + 0.001f * g * g;
  weight[i] -= rate * m[i] / (sqrtf(v[i]) + 1e-8f);
}

/// A block for each element, as a first program often has it.
__global__ void blocks_of_one(const float* a, const float* b, float* c) {
  c[blockIdx.x] = a[blockIdx.x] + b[blockIdx.x];
}

/// The divisor is known only at the launch.
__global__ void unflatten(int* out, int n, int width, int height) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int x = i % width, y = i / width % height, z = i / (width * height);
  out[i] = x * x + y * y + z * z;
}

}  // namespace

void elements() {
  int n = pick(2000, 1 << 22, 1 << 24);
  float* x = floats(pick(4096, 1 << 24));
  float* y = zeros<float>(pick(4096, 1 << 24));
  launch("damped wave", [=] { damped_wave<<<blocks_of(n), kBlock>>>(x, y, n); });
  n = pick(2000, 1 << 22, 3 << 19);
  const double* d = doubles(n);
  double* e = zeros<double>(n);
  launch("daxpy", [=] { daxpy<<<blocks_of(n), kBlock>>>(1.5, d, e, n); });
  n = pick(1000, 1 << 20);
  const int blocks = pick(4, 396);
  const auto x4 = reinterpret_cast<const float4*>(x);
  launch("gelu", [=] { gelu<<<blocks, kBlock>>>(x4, reinterpret_cast<float4*>(y), n); });
  n = pick(2000, 3000000);
  launch("gamma", [=] { gamma_correct<<<blocks_of(n, 128), 128>>>(x, y, n, 2.2f); });
  n = pick(2000, 1920 * 1080 * 2, 12000000);
  const auto pixels = reinterpret_cast<const uchar4*>(x);
  unsigned char* planes = zeros<unsigned char>(3 * n);
  launch("rgba to yuv", [=] { rgba_to_yuv<<<blocks_of(n), kBlock>>>(pixels, planes, planes + n, planes + 2 * n, n); });
  n = pick(1000, 2500000);
  const auto x3 = reinterpret_cast<const float3*>(x);
  launch("normalise vectors", [=] { normalise<<<blocks_of(n), kBlock>>>(x3, reinterpret_cast<float3*>(y), n); });
  n = pick(2000, 6000000);
  unsigned char* mask = zeros<unsigned char>(n);
  launch("dropout", [=] { dropout<<<blocks_of(n, 512), 512>>>(x, y, mask, n, 0.8f, 42); });
  n = pick(2000, 1 << 22);
  const unsigned* days = words(n, 40000);
  int* dates = zeros<int>(n);
  launch("calendar", [=] { calendar<<<blocks_of(n), kBlock>>>(days, dates, n); });
  n = pick(900, 1500000);
  const auto z = reinterpret_cast<const double2*>(doubles(2 * n));
  double2* product = zeros<double2>(n);
  launch("complex multiply", [=] { complex_multiply<<<blocks_of(n), kBlock>>>(z, z, product, n); });
  n = pick(900, 1500000);
  launch("haversine", [=] { haversine<<<blocks_of(n, 128), 128>>>(d, d + n / 2, e, n); });
  n = pick(1000, 3 << 20);
  float *m = zeros<float>(n), *v = zeros<float>(n);
  launch("adam", [=] { adam<<<blocks_of(n), kBlock>>>(y, x, m, v, n, 0.001f); });
  n = pick(2000, 5000000);
  const int lone = pick(50, 100000);
  launch("blocks of one", [=] { blocks_of_one<<<lone, 1>>>(x, x + lone, y); });
  int* squares = zeros<int>(n);
  launch("unflatten", [=] { unflatten<<<blocks_of(n), kBlock>>>(squares, n, 317, 211); });
}

}  // namespace unseen
