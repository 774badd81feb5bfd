// SPDX-License-Identifier: MIT
// A matrix product on one core of the CPU, n x n, in all six orders of its three loops. The work is the same in all of
// them, and so is the result, to the bit: each element of C adds its products in the order of k, whatever the other
// loops do. The time is not, for the innermost loop decides how memory is walked through.
//
//   g++ -O2 -ftree-vectorize -ffp-contract=off stages/stage17/loop_orders.cpp -o loop_orders && ./loop_orders 1024
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace {

using Matrix = std::vector<float>;  // row by row

// The innermost index comes last in the name.
void ijk(const Matrix& a, const Matrix& b, Matrix& c, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t k = 0; k < n; ++k) c[i * n + j] += a[i * n + k] * b[k * n + j];
}
void ikj(const Matrix& a, const Matrix& b, Matrix& c, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = 0; k < n; ++k)
      for (std::size_t j = 0; j < n; ++j) c[i * n + j] += a[i * n + k] * b[k * n + j];
}
void jik(const Matrix& a, const Matrix& b, Matrix& c, std::size_t n) {
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t k = 0; k < n; ++k) c[i * n + j] += a[i * n + k] * b[k * n + j];
}
void jki(const Matrix& a, const Matrix& b, Matrix& c, std::size_t n) {
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t k = 0; k < n; ++k)
      for (std::size_t i = 0; i < n; ++i) c[i * n + j] += a[i * n + k] * b[k * n + j];
}
void kij(const Matrix& a, const Matrix& b, Matrix& c, std::size_t n) {
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) c[i * n + j] += a[i * n + k] * b[k * n + j];
}
void kji(const Matrix& a, const Matrix& b, Matrix& c, std::size_t n) {
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t i = 0; i < n; ++i) c[i * n + j] += a[i * n + k] * b[k * n + j];
}

struct Order {
  const char* name;
  const char* walk;  // of the innermost loop
  void (*multiply)(const Matrix& a, const Matrix& b, Matrix& c, std::size_t n);
};
constexpr Order kOrders[] = {
    {"ijk", "a row of A, a column of B", ijk},    {"jik", "a row of A, a column of B", jik},
    {"ikj", "a row of B, a row of C", ikj},       {"kij", "a row of B, a row of C", kij},
    {"jki", "a column of A, a column of C", jki}, {"kji", "a column of A, a column of C", kji},
};

}  // namespace

int main(int argc, char** argv) {
  const long asked = argc == 2 ? std::strtol(argv[1], nullptr, 10) : 512;
  if (argc > 2 || asked < 1 || asked > 8192) {
    std::fprintf(stderr, "usage: %s [N], N from 1 to 8192\n", argv[0]);
    return 2;
  }
  const auto n = static_cast<std::size_t>(asked);
  Matrix a(n * n), b(n * n), first;
  for (std::size_t i = 0; i < n * n; ++i) {
    a[i] = static_cast<float>(i * 37 % 1001) / 1001.0f;
    b[i] = static_cast<float>(i * 53 % 997) / 997.0f;
  }
  std::printf("n = %zu\norder  innermost loop                    ms  GFLOP/s  result\n", n);
  bool all_equal = true;
  for (const Order& order : kOrders) {
    Matrix c(n * n);
    const auto begin = std::chrono::steady_clock::now();
    order.multiply(a, b, c, n);
    const std::chrono::duration<double, std::milli> taken = std::chrono::steady_clock::now() - begin;
    if (first.empty()) first = c;
    const bool equal = std::memcmp(c.data(), first.data(), n * n * sizeof(float)) == 0;
    all_equal = all_equal && equal;
    const double operations = 2.0 * static_cast<double>(n) * static_cast<double>(n) * static_cast<double>(n);
    std::printf("%s    %-28s %9.1f %8.2f  %s\n", order.name, order.walk, taken.count(),
                operations / taken.count() / 1e6, equal ? "the same bits" : "other bits");
  }
  return all_equal ? 0 : 1;
}
