// SPDX-License-Identifier: MIT
// One product on the host. Narrow types become floats first, and the result is rounded once at the end.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "libraries/blas/cpu_blas.h"
#include "libraries/blas/gemm.h"
#include "libraries/blas/values.h"

namespace cudasim {
namespace {

template <typename From, typename To, typename Convert>
void widen(const void* from, int rows, int columns, int ld, std::vector<To>& to, Convert convert) {
  for (int column = 0; column < columns; ++column) {
    const From* const source = static_cast<const From*>(from) + static_cast<std::ptrdiff_t>(column) * ld;
    for (int row = 0; row < rows; ++row) to.push_back(convert(source[row]));
  }
}

/// The matrix as floats, column after column.
std::vector<float> floats_of(const void* from, cudaDataType_t type, int rows, int columns, int ld) {
  std::vector<float> to;
  to.reserve(static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns));
  if (type == CUDA_R_16F) {
    widen<__half>(from, rows, columns, ld, to, [](__half x) { return __half2float(x); });
  } else if (type == CUDA_R_16BF) {
    widen<__nv_bfloat16>(from, rows, columns, ld, to, [](__nv_bfloat16 x) { return __bfloat162float(x); });
  } else if (type == CUDA_R_8I) {
    widen<signed char>(from, rows, columns, ld, to, [](signed char x) { return static_cast<float>(x); });
  } else {
    widen<float>(from, rows, columns, ld, to, [](float x) { return x; });
  }
  return to;
}

template <typename To, typename Convert>
void narrow(const std::vector<float>& from, int rows, int ld, void* to, Convert convert) {
  for (std::size_t i = 0; i < from.size(); ++i) {
    const std::size_t row = i % static_cast<std::size_t>(rows), column = i / static_cast<std::size_t>(rows);
    static_cast<To*>(to)[row + column * static_cast<std::size_t>(ld)] = convert(from[i]);
  }
}

template <typename T>
void multiply_reals(const GemmSizes& s, double alpha, double beta, const void* a, const void* b, void* c) {
  cpu_blas<T>().gemm(kColumnMajor, cpu_value(s.transa), cpu_value(s.transb), s.m, s.n, s.k, static_cast<T>(alpha),
                     static_cast<const T*>(a), s.lda, static_cast<const T*>(b), s.ldb, static_cast<T>(beta),
                     static_cast<T*>(c), s.ldc);
}

/// Exact, modulo 2^32, as on a GPU: no sum of products of 8-bit numbers is too large for a double.
void multiply_integers(const GemmSizes& s, double alpha, double beta, const void* a, const void* b, void* c) {
  const auto scale = static_cast<std::uint32_t>(static_cast<std::int64_t>(alpha));
  const auto keep = static_cast<std::uint32_t>(static_cast<std::int64_t>(beta));
  GemmSizes wide = s;
  const bool plain_a = s.transa == CUBLAS_OP_N, plain_b = s.transb == CUBLAS_OP_N;
  wide.lda = std::max(plain_a ? s.m : s.k, 1);
  wide.ldb = std::max(plain_b ? s.k : s.n, 1);
  wide.ldc = std::max(s.m, 1);
  const auto exactly = [](signed char x) { return static_cast<double>(x); };
  std::vector<double> left, right, sums(static_cast<std::size_t>(s.m) * static_cast<std::size_t>(s.n));
  if (scale != 0) {
    widen<signed char>(a, wide.lda, plain_a ? s.k : s.m, s.lda, left, exactly);
    widen<signed char>(b, wide.ldb, plain_b ? s.n : s.k, s.ldb, right, exactly);
    multiply_reals<double>(wide, 1, 0, left.data(), right.data(), sums.data());
  }
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const std::size_t row = i % static_cast<std::size_t>(s.m), column = i / static_cast<std::size_t>(s.m);
    std::uint32_t& out = static_cast<std::uint32_t*>(c)[row + column * static_cast<std::size_t>(s.ldc)];
    const auto sum = static_cast<std::uint32_t>(static_cast<std::int64_t>(sums[i]));
    out = scale * sum + (keep == 0 ? 0 : keep * out);
  }
}

void multiply_narrow(const GemmTypes& types, const GemmSizes& sizes, double alpha, double beta, const void* a,
                     const void* b, void* c) {
  GemmSizes wide = sizes;
  const bool plain_a = sizes.transa == CUBLAS_OP_N, plain_b = sizes.transb == CUBLAS_OP_N;
  wide.lda = std::max(plain_a ? sizes.m : sizes.k, 1);
  wide.ldb = std::max(plain_b ? sizes.k : sizes.n, 1);
  std::vector<float> left, right;
  if (a != nullptr) {
    left = floats_of(a, types.a, wide.lda, plain_a ? sizes.k : sizes.m, sizes.lda);
    right = floats_of(b, types.b, wide.ldb, plain_b ? sizes.n : sizes.k, sizes.ldb);
  }
  if (types.c == CUDA_R_32F) return multiply_reals<float>(wide, alpha, beta, left.data(), right.data(), c);
  wide.ldc = sizes.m;
  std::vector<float> result(static_cast<std::size_t>(sizes.m) * static_cast<std::size_t>(sizes.n));
  if (beta != 0) result = floats_of(c, types.c, sizes.m, sizes.n, sizes.ldc);
  multiply_reals<float>(wide, alpha, beta, left.data(), right.data(), result.data());
  if (types.c == CUDA_R_16F) {
    narrow<__half>(result, sizes.m, sizes.ldc, c, [](float x) { return __float2half_rn(x); });
  } else {
    narrow<__nv_bfloat16>(result, sizes.m, sizes.ldc, c, [](float x) { return __float2bfloat16_rn(x); });
  }
}

}  // namespace

void multiply(const GemmTypes& types, const GemmSizes& sizes, double alpha, double beta, const void* a, const void* b,
              void* c) {
  if (types.arithmetic == Arithmetic::integer) {
    multiply_integers(sizes, alpha, beta, a, b, c);
  } else if (types.a == CUDA_R_64F) {
    multiply_reals<double>(sizes, alpha, beta, a, b, c);
  } else if (types.a == CUDA_R_32F) {
    multiply_reals<float>(sizes, alpha, beta, a, b, c);
  } else {
    multiply_narrow(types, sizes, alpha, beta, a, b, c);
  }
}

std::size_t bytes_of(cudaDataType_t type) {
  switch (type) {
    case CUDA_R_8I:
      return 1;
    case CUDA_R_16F:
    case CUDA_R_16BF:
      return 2;
    case CUDA_R_32F:
    case CUDA_R_32I:
      return 4;
    case CUDA_R_64F:
      return 8;
    default:
      return 0;
  }
}

}  // namespace cudasim
