// SPDX-License-Identifier: MIT
// Bytes of a text.
#include "unseen.h"

namespace unseen {
namespace {

/// Sixteen bytes a load, four a comparison.
__global__ void count_newlines(const uint4* text, unsigned* out, int n) {
  unsigned count = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const uint4 v = text[i];
    count += __popc(__vcmpeq4(v.x, 0x0a0a0a0au)) + __popc(__vcmpeq4(v.y, 0x0a0a0a0au));
    count += __popc(__vcmpeq4(v.z, 0x0a0a0a0au)) + __popc(__vcmpeq4(v.w, 0x0a0a0a0au));
  }
  for (int offset = 16; offset > 0; offset /= 2) count += __shfl_down_sync(0xffffffffu, count, offset);
  if (threadIdx.x % 32 == 0) atomicAdd(out, count / 8);
}

/// A byte a thread: a word begins where a letter follows what is none.
__global__ void count_words(const char* text, unsigned* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const bool begins = i < n && text[i] >= 'a' && (i == 0 || text[i - 1] < 'a');
  const int count = __syncthreads_count(begins);
  if (threadIdx.x == 0) atomicAdd(out, count);
}

/// Caesar's cipher; only letters change.
__global__ void shift_letters(const char* in, char* out, int n, int by) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const char c = in[i];
    if (c >= 'a' && c <= 'z')
      out[i] = static_cast<char>('a' + (c - 'a' + by) % 26);
    else if (c >= 'A' && c <= 'Z')
      out[i] = static_cast<char>('A' + (c - 'A' + by) % 26);
    else
      out[i] = c;
  }
}

__constant__ char digits[65] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Three bytes become four. The lanes read different places of constant memory.
__global__ void base64(const unsigned char* in, uchar4* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const unsigned v = in[3 * i] << 16 | in[3 * i + 1] << 8 | in[3 * i + 2];
  out[i] = make_uchar4(digits[v >> 18], digits[v >> 12 & 63], digits[v >> 6 & 63], digits[v & 63]);
}

/// Numbers of eight digits in text.
__global__ void parse_numbers(const char* text, unsigned* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned value = 0;
  for (int k = 0; k < 8; ++k) value = 10 * value + (text[8 * i + k] & 15);
  out[i] = value;
}

/// A pattern of eight bytes at each place of a tile in shared memory; it ends at the first difference.
__global__ void find_pattern(const unsigned char* text, const unsigned char* pattern, unsigned* out) {
  __shared__ unsigned char part[1024 + 8];
  for (int i = threadIdx.x; i < 1024 + 8; i += 256) part[i] = text[blockIdx.x * 1024 + i];
  __syncthreads();
  for (int at = threadIdx.x; at < 1024; at += 256) {
    int k = 0;
    while (k < 8 && part[at + k] == pattern[k]) ++k;
    if (k == 8) atomicAdd(out, 1u);
  }
}

/// Lengths of the runs of equal bytes, by a walk from each begin.
__global__ void run_lengths(const unsigned char* in, unsigned char* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int length = 0;
  if (i == 0 || in[i] != in[i - 1])
    while (length < 255 && i + length < n && in[i + length] == in[i]) ++length;
  out[i] = static_cast<unsigned char>(length);
}

}  // namespace

void texts() {
  const unsigned char* text = bytes(pick(1 << 14, 1 << 25), 128);
  unsigned char* out = zeros<unsigned char>(pick(1 << 14, 1 << 24));
  const auto letters = reinterpret_cast<const char*>(text);
  unsigned* count = zeros<unsigned>(1);
  int n = pick(500, 1 << 21);
  int blocks = pick(2, 264);
  launch("count newlines", [=] { count_newlines<<<blocks, 512>>>(reinterpret_cast<const uint4*>(text), count, n); });
  n = pick(3000, 6000000);
  launch("count words", [=] { count_words<<<blocks_of(n), kBlock>>>(letters, count, n); });
  n = pick(3000, 8000000, 16000000);
  blocks = pick(4, 1056);
  launch("shift letters", [=] { shift_letters<<<blocks, 256>>>(letters, reinterpret_cast<char*>(out), n, 3); });
  n = pick(1000, 4000000);
  launch("base64", [=] { base64<<<blocks_of(n), kBlock>>>(text, reinterpret_cast<uchar4*>(out), n); });
  n = pick(500, 3000000);
  launch("parse numbers",
         [=] { parse_numbers<<<blocks_of(n), kBlock>>>(letters, reinterpret_cast<unsigned*>(out), n); });
  n = pick(4, 8000);
  launch("find pattern", [=] { find_pattern<<<n, 256>>>(text, text + 77, count); });
  n = pick(3000, 5000000);
  const unsigned char* runs = bytes(n, 2);
  launch("run lengths", [=] { run_lengths<<<blocks_of(n), kBlock>>>(runs, out, n); });
}

}  // namespace unseen
