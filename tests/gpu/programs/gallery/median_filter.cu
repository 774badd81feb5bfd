// SPDX-License-Identifier: MIT
// The median of nine pixels, by a network of exchanges in registers, of pixels of four bytes each treated for itself.
#include "gallery.h"

constexpr int width = 70, height = 41;

__device__ unsigned char median(unsigned char (&v)[9]) {
  const auto order = [&v](int a, int b) {
    const unsigned char low = min(v[a], v[b]);
    v[b] = max(v[a], v[b]);
    v[a] = low;
  };
  for (int a : {0, 3, 6}) order(a + 1, a + 2), order(a, a + 1), order(a + 1, a + 2);
  order(0, 3), order(3, 6), order(1, 4), order(4, 7), order(1, 4);
  order(2, 5), order(5, 8), order(2, 5), order(4, 6), order(2, 4), order(4, 6);
  return v[4];
}

__global__ void filter(const uchar4* in, uchar4* out) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  if (x >= width) return;
  unsigned char red[9], green[9], blue[9];
  for (int k = 0; k < 9; ++k) {
    const int u = min(max(x + k % 3 - 1, 0), width - 1), v = min(max(y + k / 3 - 1, 0), height - 1);
    const uchar4 pixel = in[v * width + u];
    red[k] = pixel.x, green[k] = pixel.y, blue[k] = pixel.z;
  }
  out[y * width + x] = make_uchar4(median(red), median(green), median(blue), 255);
}

bool program() {
  std::vector<uchar4> in(width * height);
  for (int i = 0; i < width * height; ++i) {
    const unsigned r = scramble(i);
    in[i] = make_uchar4(r & 255, r >> 8 & 255, r >> 16 & 15, 0);
  }
  Buffer<uchar4> d_in(in), out(in.size());
  filter<<<dim3(blocks_for(width, 64), height), 64>>>(d_in, out);
  const std::vector<uchar4> got = out.host();
  for (int i = 0; i < width * height; ++i) {
    std::vector<int> c[3];
    for (int k = 0; k < 9; ++k) {
      const int u = std::min(std::max(i % width + k % 3 - 1, 0), width - 1);
      const int v = std::min(std::max(i / width + k / 3 - 1, 0), height - 1);
      const uchar4 p = in[v * width + u];
      c[0].push_back(p.x), c[1].push_back(p.y), c[2].push_back(p.z);
    }
    for (auto& values : c) std::sort(values.begin(), values.end());
    if (got[i].x != c[0][4] || got[i].y != c[1][4] || got[i].z != c[2][4] || got[i].w != 255) return false;
  }
  return true;
}
