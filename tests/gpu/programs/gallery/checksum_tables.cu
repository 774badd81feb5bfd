// SPDX-License-Identifier: MIT
// CRC-32 of many messages with tables in __constant__ memory: one that the compiler fills, one that a copy fills.
#include "gallery.h"

__constant__ unsigned nibbles[16] = {0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4,
                                     0x4db26158, 0x5005713c, 0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
                                     0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c};
__constant__ unsigned bytes_table[256];

__global__ void checksum(const unsigned char* messages, int length, int n, unsigned* by_byte, unsigned* by_nibble) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned a = ~0u, b = ~0u;
  for (int k = 0; k < length; ++k) {
    const unsigned char c = messages[i * length + k];
    a = bytes_table[(a ^ c) & 255] ^ a >> 8;
    b = nibbles[(b ^ c) & 15] ^ b >> 4;
    b = nibbles[(b ^ c >> 4) & 15] ^ b >> 4;
  }
  by_byte[i] = ~a;
  by_nibble[i] = ~b;
}

bool program() {
  constexpr int n = 200, length = 37;
  std::vector<unsigned> table(256), expected(n);
  for (unsigned i = 0; i < 256; ++i) {
    table[i] = i;
    for (int bit = 0; bit < 8; ++bit) table[i] = table[i] >> 1 ^ (table[i] & 1 ? 0xedb88320u : 0);
  }
  std::vector<unsigned char> messages(n * length);
  for (std::size_t i = 0; i < messages.size(); ++i)
    messages[i] = static_cast<unsigned char>(scramble(static_cast<unsigned>(i)));
  for (int i = 0; i < n; ++i) {
    unsigned crc = ~0u;
    for (int k = 0; k < length; ++k) {
      crc ^= messages[i * length + k];
      for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
    }
    expected[i] = ~crc;
  }
  checkCudaErrors(cudaMemcpyToSymbol(bytes_table, table.data(), sizeof bytes_table));
  Buffer<unsigned char> d_messages(messages);
  Buffer<unsigned> by_byte(n), by_nibble(n);
  checksum<<<blocks_for(n, 64), 64>>>(d_messages, length, n, by_byte, by_nibble);
  return by_byte.host() == expected && by_nibble.host() == expected;
}
