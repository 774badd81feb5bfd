// SPDX-License-Identifier: MIT
// Integers: bits, hashes, ciphers, divisions.
#include "unseen.h"

namespace unseen {
namespace {

/// A shift register with feedback, 64 steps.
__global__ void shift_register(const unsigned* in, unsigned* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned state = in[i] | 1;
  for (int k = 0; k < 64; ++k) state = state >> 1 ^ (-(state & 1) & 0xd0000001u);
  out[i] = state;
}

/// FNV-1a of texts of 32 bytes: a text a thread, a byte a load.
__global__ void fnv_texts(const unsigned char* in, unsigned* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned hash = 2166136261u;
  for (int k = 0; k < 32; ++k) hash = (hash ^ in[32 * i + k]) * 16777619u;
  out[i] = hash;
}

__device__ unsigned rotated(unsigned x, int by) { return x << by | x >> (32 - by); }

__device__ unsigned murmur_step(unsigned hash, unsigned key) {
  hash ^= rotated(key * 0xcc9e2d51u, 15) * 0x1b873593u;
  return rotated(hash, 13) * 5 + 0xe6546b64u;
}

__global__ void murmur(const uint4* in, unsigned* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const uint4 key = in[i];
  unsigned hash = murmur_step(murmur_step(murmur_step(murmur_step(0x9747b28cu, key.x), key.y), key.z), key.w) ^ 16;
  hash = (hash ^ hash >> 16) * 0x85ebca6bu;
  hash = (hash ^ hash >> 13) * 0xc2b2ae35u;
  out[i] = hash ^ hash >> 16;
}

__constant__ unsigned round_constants[16] = {0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1,
                                             0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3,
                                             0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174};

/// The rounds of SHA-256 with the constants of the first sixteen.
__global__ void sha_rounds(const unsigned* in, unsigned* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned w[16],
      s[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  for (int k = 0; k < 16; ++k) w[k] = in[k * n + i];
  for (int group = 0; group < 4; ++group) {
#pragma unroll
    for (int k = 0; k < 16; ++k) {
      const unsigned e = s[4], a = s[0];
      const unsigned one = s[7] + (rotated(e, 26) ^ rotated(e, 21) ^ rotated(e, 7)) + ((e & s[5]) ^ (~e & s[6])) +
                           round_constants[k] + w[k];
      const unsigned two =
          (rotated(a, 30) ^ rotated(a, 19) ^ rotated(a, 10)) + ((a & s[1]) ^ (a & s[2]) ^ (s[1] & s[2]));
      for (int j = 7; j > 0; --j) s[j] = s[j - 1];
      s[4] += one;
      s[0] = one + two;
      const unsigned x = w[(k + 1) & 15], y = w[(k + 14) & 15];
      w[k] +=
          (rotated(x, 25) ^ rotated(x, 14) ^ x >> 3) + w[(k + 9) & 15] + (rotated(y, 15) ^ rotated(y, 13) ^ y >> 10);
    }
  }
  for (int k = 0; k < 8; ++k) out[k * n + i] = s[k];
}

__device__ void quarter_round(unsigned& a, unsigned& b, unsigned& c, unsigned& d) {
  a += b;
  d = rotated(d ^ a, 16);
  c += d;
  b = rotated(b ^ c, 12);
  a += b;
  d = rotated(d ^ a, 8);
  c += d;
  b = rotated(b ^ c, 7);
}

/// ChaCha20: 64 bytes of the stream a thread, joined to the text.
__global__ void chacha(const uint4* in, uint4* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned s[16];
  for (int k = 0; k < 16; ++k) s[k] = 0x61707865u * (k + 1);
  s[12] = i;
  for (int k = 0; k < 10; ++k) {
    quarter_round(s[0], s[4], s[8], s[12]);
    quarter_round(s[1], s[5], s[9], s[13]);
    quarter_round(s[2], s[6], s[10], s[14]);
    quarter_round(s[3], s[7], s[11], s[15]);
    quarter_round(s[0], s[5], s[10], s[15]);
    quarter_round(s[1], s[6], s[11], s[12]);
    quarter_round(s[2], s[7], s[8], s[13]);
    quarter_round(s[3], s[4], s[9], s[14]);
  }
  for (int k = 0; k < 4; ++k) {
    const uint4 v = in[4 * i + k];
    out[4 * i + k] = make_uint4(v.x ^ s[4 * k], v.y ^ s[4 * k + 1], v.z ^ s[4 * k + 2], v.w ^ s[4 * k + 3]);
  }
}

/// CRC-32 of messages of 64 bytes, with the table in shared memory.
__global__ void crc_messages(const unsigned* in, const unsigned* table, unsigned* out, int n) {
  __shared__ unsigned own[256];
  own[threadIdx.x] = table[threadIdx.x];
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned crc = ~0u;
  for (int k = 0; k < 16; ++k) {
    unsigned word = in[16 * i + k];
    for (int byte = 0; byte < 4; ++byte, word >>= 8) crc = own[(crc ^ word) & 255] ^ crc >> 8;
  }
  out[i] = ~crc;
}

__device__ unsigned spread(unsigned x) {
  x = (x | x << 8) & 0x00ff00ffu;
  x = (x | x << 4) & 0x0f0f0f0fu;
  x = (x | x << 2) & 0x33333333u;
  return (x | x << 1) & 0x55555555u;
}

__global__ void morton_codes(const ushort2* in, unsigned* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = spread(in[i].x) | spread(in[i].y) << 1;
}

/// Places of the set bits, one after the other: lanes differ.
__global__ void sum_of_places(const unsigned* in, unsigned* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned sum = __popc(__brev(in[i]) >> 7);
  for (unsigned rest = in[i]; rest != 0; rest &= rest - 1) sum += __ffs(rest) * (32 - __clz(rest));
  out[i] = sum;
}

__global__ void collatz(unsigned* out, unsigned first, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned long long value = first + i;
  unsigned steps = 0;
  for (; value != 1; ++steps) value = value % 2 == 0 ? value / 2 : 3 * value + 1;
  out[i] = steps;
}

/// Powers modulo a prime, with remainders of 64 bits.
__global__ void modular_powers(const unsigned* in, unsigned* out, unsigned exponent, unsigned long long prime, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned long long base = in[i] % prime, result = 1;
  for (; exponent != 0; exponent >>= 1) {
    if (exponent & 1) result = result * base % prime;
    base = base * base % prime;
  }
  out[i] = static_cast<unsigned>(result);
}

/// Queens on a board: the first rows come from the thread's number, the others are tried.
__global__ void queens(unsigned* out, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= size * size * size) return;
  const unsigned all = (1u << size) - 1;
  unsigned columns[16], left[16], right[16], free[16], found = 0;
  int row = 0;
  columns[0] = left[0] = right[0] = 0;
  for (int k = 0, rest = i; k < 3; ++k, rest /= size) {
    const unsigned bit = 1u << rest % size;
    if ((columns[k] | left[k] | right[k]) & bit) return;
    columns[k + 1] = columns[k] | bit;
    left[k + 1] = (left[k] | bit) << 1;
    right[k + 1] = (right[k] | bit) >> 1;
  }
  row = 3;
  free[3] = all & ~(columns[3] | left[3] | right[3]);
  while (row >= 3) {
    if (free[row] == 0) {
      --row;
      continue;
    }
    const unsigned bit = free[row] & -free[row];
    free[row] ^= bit;
    if (row == size - 1) {
      ++found;
      continue;
    }
    columns[row + 1] = columns[row] | bit;
    left[row + 1] = (left[row] | bit) << 1;
    right[row + 1] = (right[row] | bit) >> 1;
    ++row;
    free[row] = all & ~(columns[row] | left[row] | right[row]);
  }
  if (found != 0) atomicAdd(out, found);
}

}  // namespace

void bits() {
  const unsigned* in = words(pick(1 << 14, 1 << 23), ~0u);
  unsigned* out = zeros<unsigned>(pick(1 << 14, 1 << 23));
  const auto in4 = reinterpret_cast<const uint4*>(in);
  int n = pick(900, 1 << 20, 1 << 23);
  launch("shift register", [=] { shift_register<<<blocks_of(n), kBlock>>>(in, out, n); });
  n = pick(300, 1000000);
  launch("fnv texts", [=] { fnv_texts<<<blocks_of(n), kBlock>>>(reinterpret_cast<const unsigned char*>(in), out, n); });
  n = pick(900, 1 << 21);
  launch("murmur", [=] { murmur<<<blocks_of(n), kBlock>>>(in4, out, n); });
  n = pick(300, 150000, 30000);
  launch("sha rounds", [=] { sha_rounds<<<blocks_of(n, 128), 128>>>(in, out, n); });
  n = pick(300, 300000);
  launch("chacha", [=] { chacha<<<blocks_of(n, 128), 128>>>(in4, reinterpret_cast<uint4*>(out), n); });
  n = pick(300, 400000);
  launch("crc messages", [=] { crc_messages<<<blocks_of(n), kBlock>>>(in, in, out, n); });
  n = pick(900, 5000000);
  launch("morton codes", [=] { morton_codes<<<blocks_of(n), kBlock>>>(reinterpret_cast<const ushort2*>(in), out, n); });
  n = pick(900, 1 << 20);
  launch("sum of places", [=] { sum_of_places<<<blocks_of(n), kBlock>>>(in, out, n); });
  n = pick(300, 1000000);
  launch("collatz", [=] { collatz<<<blocks_of(n), kBlock>>>(out, 1000000, n); });
  n = pick(300, 150000);
  launch("modular powers", [=] { modular_powers<<<blocks_of(n, 128), 128>>>(in, out, 65537, 2147483647ull, n); });
  n = pick(6, 12);
  launch("queens", [=] { queens<<<blocks_of(n * n * n, 64), 64>>>(out, n); });
}

}  // namespace unseen
