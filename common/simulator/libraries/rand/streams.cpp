// SPDX-License-Identifier: MIT
#include "libraries/rand/streams.h"

namespace cudasim {
namespace {

/// One step of xorwow's 160 bits is linear over the field of two elements: a matrix, as the image of each bit.
using XorwowMatrix = std::array<std::array<std::uint32_t, 5>, 160>;

std::array<std::uint32_t, 5> times(const XorwowMatrix& matrix, const std::array<std::uint32_t, 5>& v) {
  std::array<std::uint32_t, 5> product{};
  for (std::size_t bit = 0; bit < 160; ++bit) {
    if ((v[bit / 32] >> bit % 32 & 1) == 0) continue;
    for (std::size_t word = 0; word < 5; ++word) product[word] ^= matrix[bit][word];
  }
  return product;
}

XorwowMatrix times(const XorwowMatrix& second, const XorwowMatrix& first) {
  XorwowMatrix product;
  for (std::size_t bit = 0; bit < 160; ++bit) product[bit] = times(second, first[bit]);
  return product;
}

XorwowMatrix one_step() {
  XorwowMatrix matrix;
  for (std::size_t bit = 0; bit < 160; ++bit) {
    Xorwow state;
    state.v[bit / 32] = 1u << bit % 32;
    state.bits();
    matrix[bit] = state.v;
  }
  return matrix;
}

template <typename Matrix>
Matrix to_power_of_two(Matrix matrix, int exponent) {
  for (int i = 0; i < exponent; ++i) matrix = times(matrix, matrix);
  return matrix;
}

/// visit(matrix): each factor of matrix^count.
template <typename Matrix, typename Visit>
void for_each_factor(Matrix matrix, std::uint64_t count, Visit visit) {
  for (; count != 0; count >>= 1, matrix = times(matrix, matrix)) {
    if ((count & 1) != 0) visit(matrix);
  }
}

/// A matrix and its modulus.
struct MrgMatrix {
  std::array<std::array<std::uint64_t, 3>, 3> rows;
  std::uint64_t modulus;
};

std::array<std::uint32_t, 3> times(const MrgMatrix& matrix, const std::array<std::uint32_t, 3>& v) {
  std::array<std::uint32_t, 3> product{};
  for (std::size_t row = 0; row < 3; ++row) {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < 3; ++i) sum = (sum + matrix.rows[row][i] * v[i] % matrix.modulus) % matrix.modulus;
    product[row] = static_cast<std::uint32_t>(sum);
  }
  return product;
}

MrgMatrix times(const MrgMatrix& second, const MrgMatrix& first) {
  MrgMatrix product{{}, first.modulus};
  for (std::size_t column = 0; column < 3; ++column) {
    std::array<std::uint32_t, 3> v{};
    for (std::size_t row = 0; row < 3; ++row) v[row] = static_cast<std::uint32_t>(first.rows[row][column]);
    v = times(second, v);
    for (std::size_t row = 0; row < 3; ++row) product.rows[row][column] = v[row];
  }
  return product;
}

constexpr std::uint64_t kModulusA = 4294967087, kModulusB = 4294944443;
constexpr MrgMatrix kStepA{{{{0, 1, 0}, {0, 0, 1}, {kModulusA - 810728, 1403580, 0}}}, kModulusA};
constexpr MrgMatrix kStepB{{{{0, 1, 0}, {0, 0, 1}, {kModulusB - 1370589, 0, 527612}}}, kModulusB};

}  // namespace

std::uint32_t Mrg32k3a::draw() {
  const std::uint64_t next_a = (1403580ull * a[1] + (kModulusA - a[0]) * 810728ull) % kModulusA;
  const std::uint64_t next_b = (527612ull * b[2] + (kModulusB - b[0]) * 1370589ull) % kModulusB;
  a = {a[1], a[2], static_cast<std::uint32_t>(next_a)};
  b = {b[1], b[2], static_cast<std::uint32_t>(next_b)};
  return static_cast<std::uint32_t>(next_a > next_b ? next_a - next_b : next_a - next_b + kModulusA);
}

std::array<std::uint32_t, 4> Philox::block(std::uint64_t counter, std::uint64_t thread, std::uint64_t seed) {
  std::array<std::uint32_t, 4> c{static_cast<std::uint32_t>(counter), static_cast<std::uint32_t>(counter >> 32),
                                 static_cast<std::uint32_t>(thread), static_cast<std::uint32_t>(thread >> 32)};
  auto key0 = static_cast<std::uint32_t>(seed), key1 = static_cast<std::uint32_t>(seed >> 32);
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t first = 0xD2511F53ull * c[0], second = 0xCD9E8D57ull * c[2];
    c = {static_cast<std::uint32_t>(second >> 32) ^ c[1] ^ key0, static_cast<std::uint32_t>(second),
         static_cast<std::uint32_t>(first >> 32) ^ c[3] ^ key1, static_cast<std::uint32_t>(first)};
    key0 += 0x9E3779B9;
    key1 += 0xBB67AE85;
  }
  return c;
}

std::vector<Xorwow> xorwow_streams(std::uint64_t seed, std::uint64_t offset) {
  const std::uint32_t t0 = 1099087573u * (static_cast<std::uint32_t>(seed) ^ 0xaad26b49u);
  const std::uint32_t t1 = 2591861531u * (static_cast<std::uint32_t>(seed >> 32) ^ 0xf7dcefddu);
  Xorwow state{{123456789u + t0, 362436069u ^ t0, 521288629u + t1, 88675123u ^ t1, 5783321u + t0}, 6615241u + t1 + t0};
  const std::uint64_t rounds = offset / Xorwow::kThreads;
  const XorwowMatrix step = one_step();
  for_each_factor(step, rounds, [&state](const XorwowMatrix& matrix) { state.v = times(matrix, state.v); });
  state.d += static_cast<std::uint32_t>(rounds) * 362437;
  std::vector<Xorwow> streams;
  const XorwowMatrix to_next = to_power_of_two(step, 67);  // which leaves the counter, of 32 bits, as it is
  for (std::uint64_t thread = 0; thread < Xorwow::kThreads; ++thread) {
    streams.push_back(state);
    if (thread < offset % Xorwow::kThreads) streams.back().bits();
    state.v = times(to_next, state.v);
  }
  return streams;
}

std::vector<Mrg32k3a> mrg_streams(std::uint64_t seed, std::uint64_t offset, std::uint64_t threads) {
  Mrg32k3a state{{12345, 12345, 12345}, {12345, 12345, 12345}};
  if (seed != 0) {
    const std::uint64_t x1 = static_cast<std::uint32_t>(seed) ^ 0x55555555u;
    const std::uint64_t x2 = static_cast<std::uint32_t>(seed >> 32) ^ 0xAAAAAAAAu;
    const auto seeded = [](std::uint64_t x, std::uint64_t modulus) {
      return static_cast<std::uint32_t>(x % modulus * 12345 % modulus);
    };
    state = {{seeded(x1, kModulusA), seeded(x2, kModulusA), seeded(x1, kModulusA)},
             {seeded(x2, kModulusB), seeded(x1, kModulusB), seeded(x2, kModulusB)}};
  }
  const auto apply_a = [&state](const MrgMatrix& matrix) { state.a = times(matrix, state.a); };
  const auto apply_b = [&state](const MrgMatrix& matrix) { state.b = times(matrix, state.b); };
  for_each_factor(kStepA, offset / threads, apply_a);
  for_each_factor(kStepB, offset / threads, apply_b);
  std::vector<Mrg32k3a> streams;
  const MrgMatrix next_a = to_power_of_two(kStepA, 76), next_b = to_power_of_two(kStepB, 76);
  for (std::uint64_t thread = 0; thread < threads; ++thread) {
    streams.push_back(state);
    if (thread < offset % threads) streams.back().draw();
    apply_a(next_a);
    apply_b(next_b);
  }
  return streams;
}

}  // namespace cudasim
