// SPDX-License-Identifier: MIT
// SHA-256 of short messages, one a thread: rotations, a schedule in a local array, the constants of the rounds in
// __constant__ memory.
#include "gallery.h"

struct Digest {
  unsigned words[8];
};

__host__ __device__ unsigned rotate(unsigned x, int n) { return x >> n | x << (32 - n); }

__constant__ unsigned round_constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

__host__ __device__ Digest sha256(unsigned message, const unsigned* k) {
  Digest digest = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  unsigned w[64];
  for (int i = 0; i < 16; ++i) w[i] = 0;
  w[0] = message;
  w[1] = 0x80000000u;
  w[15] = 32;
  for (int i = 16; i < 64; ++i) {
    const unsigned a = rotate(w[i - 15], 7) ^ rotate(w[i - 15], 18) ^ w[i - 15] >> 3;
    const unsigned b = rotate(w[i - 2], 17) ^ rotate(w[i - 2], 19) ^ w[i - 2] >> 10;
    w[i] = w[i - 16] + a + w[i - 7] + b;
  }
  unsigned s[8];
  for (int i = 0; i < 8; ++i) s[i] = digest.words[i];
  for (int i = 0; i < 64; ++i) {
    const unsigned choice = (s[4] & s[5]) ^ (~s[4] & s[6]), most = (s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]);
    const unsigned t = s[7] + (rotate(s[4], 6) ^ rotate(s[4], 11) ^ rotate(s[4], 25)) + choice + k[i] + w[i];
    const unsigned u = (rotate(s[0], 2) ^ rotate(s[0], 13) ^ rotate(s[0], 22)) + most;
    for (int j = 7; j > 0; --j) s[j] = s[j - 1];
    s[4] += t;
    s[0] = t + u;
  }
  for (int i = 0; i < 8; ++i) digest.words[i] += s[i];
  return digest;
}

__global__ void digest_all(const unsigned* messages, Digest* digests, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) digests[i] = sha256(messages[i], round_constants);
}

bool program() {
  constexpr int n = 33;
  std::vector<unsigned> messages(n);
  for (int i = 0; i < n; ++i) messages[i] = scramble(i);
  messages[0] = 0x61626364;  // "abcd"
  Buffer<unsigned> d_messages(messages);
  Buffer<Digest> digests(n);
  digest_all<<<1, 64>>>(d_messages, digests, n);
  const std::vector<Digest> got = digests.host();
  const unsigned abcd[8] = {0x88d4266f, 0xd4e6338d, 0x13b845fc, 0xf289579d,
                            0x209c8978, 0x23b9217d, 0xa3e16193, 0x6f031589};
  unsigned constants[64];
  checkCudaErrors(cudaMemcpyFromSymbol(constants, round_constants, sizeof constants));
  bool right = std::equal(abcd, abcd + 8, got[0].words);
  for (int i = 0; i < n; ++i) {
    const Digest expected = sha256(messages[i], constants);
    right = right && std::equal(expected.words, expected.words + 8, got[i].words);
  }
  return right;
}
