// SPDX-License-Identifier: MIT
#include "libraries/blas/gemm.h"

#include <cuda_fp16.h>

namespace cudasim {
namespace {

bool are_valid(const GemmSizes& s, int count) {
  return is_operation(s.transa) && is_operation(s.transb) && s.m >= 0 && s.n >= 0 && s.k >= 0 && count >= 0 &&
         fits(s.transa == CUBLAS_OP_N ? s.m : s.k, s.lda) && fits(s.transb == CUBLAS_OP_N ? s.k : s.n, s.ldb) &&
         fits(s.m, s.ldc);
}

MatrixShape shape_of_a(const GemmTypes& types, const GemmSizes& s) {
  const bool is_plain = s.transa == CUBLAS_OP_N;
  return {is_plain ? s.m : s.k, is_plain ? s.k : s.m, s.lda, bytes_of(types.a)};
}
MatrixShape shape_of_b(const GemmTypes& types, const GemmSizes& s) {
  const bool is_plain = s.transb == CUBLAS_OP_N;
  return {is_plain ? s.k : s.n, is_plain ? s.n : s.k, s.ldb, bytes_of(types.b)};
}

template <typename T>
cublasStatus_t factors(BlasCall& call, const void* alpha, const void* beta, double& a, double& b) {
  T one{}, other{};
  const cublasStatus_t status = call.scalars(static_cast<const T*>(alpha), one, static_cast<const T*>(beta), other);
  a = static_cast<double>(one);
  b = static_cast<double>(other);
  return status;
}

/// Alpha and beta.
cublasStatus_t read_factors(BlasCall& call, Arithmetic arithmetic, const void* alpha, const void* beta, double& a,
                            double& b) {
  switch (arithmetic) {
    case Arithmetic::half: {
      __half one{}, other{};
      const cublasStatus_t status =
          call.scalars(static_cast<const __half*>(alpha), one, static_cast<const __half*>(beta), other);
      a = static_cast<double>(__half2float(one));
      b = static_cast<double>(__half2float(other));
      return status;
    }
    case Arithmetic::single:
      return factors<float>(call, alpha, beta, a, b);
    case Arithmetic::integer:
      return factors<std::int32_t>(call, alpha, beta, a, b);
    case Arithmetic::twice:
      return factors<double>(call, alpha, beta, a, b);
  }
  return CUBLAS_STATUS_INVALID_VALUE;
}

}  // namespace

cublasStatus_t gemm(const char* name, cublasHandle_t handle, const GemmTypes& types, const GemmSizes& sizes,
                    const void* alpha, const void* beta, const GemmMatrices& matrices) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!are_valid(sizes, matrices.count)) return CUBLAS_STATUS_INVALID_VALUE;
  BlasCall call(handle, name);
  double a = 0, b = 0;
  const cublasStatus_t status = read_factors(call, types.arithmetic, alpha, beta, a, b);
  if (status != CUBLAS_STATUS_SUCCESS) return status;
  if (sizes.m == 0 || sizes.n == 0 || matrices.count == 0) return CUBLAS_STATUS_SUCCESS;
  const Use use = read_if(a != 0 && sizes.k > 0);
  const auto batch = [&matrices](MatrixShape shape, long long stride) {
    shape.stride = stride;
    shape.count = matrices.count;
    return shape;
  };
  const std::size_t left = call.matrix("A", matrices.a, use, batch(shape_of_a(types, sizes), matrices.stride_a));
  const std::size_t right = call.matrix("B", matrices.b, use, batch(shape_of_b(types, sizes), matrices.stride_b));
  const MatrixShape result{sizes.m, sizes.n, sizes.ldc, bytes_of(types.c)};
  const std::size_t to = call.matrix("C", matrices.c, use_of_result(b), batch(result, matrices.stride_c));
  return call.run([=](const Operands& at) {
    const auto nth = [](std::byte* first, int i, long long stride, cudaDataType_t type) {
      return first == nullptr ? nullptr : first + i * stride * static_cast<long long>(bytes_of(type));
    };
    for (int i = 0; i < matrices.count; ++i) {
      multiply(types, sizes, a, b, nth(at.at<std::byte>(left), i, matrices.stride_a, types.a),
               nth(at.at<std::byte>(right), i, matrices.stride_b, types.b),
               nth(at.at<std::byte>(to), i, matrices.stride_c, types.c));
    }
  });
}

cublasStatus_t gemm(const char* name, cublasHandle_t handle, const GemmTypes& types, const GemmSizes& sizes,
                    const void* alpha, const void* beta, const GemmPointers& pointers) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!are_valid(sizes, pointers.count)) return CUBLAS_STATUS_INVALID_VALUE;
  BlasCall call(handle, name);
  double a = 0, b = 0;
  cublasStatus_t status = read_factors(call, types.arithmetic, alpha, beta, a, b);
  if (status != CUBLAS_STATUS_SUCCESS) return status;
  if (sizes.m == 0 || sizes.n == 0 || pointers.count == 0) return CUBLAS_STATUS_SUCCESS;
  const auto count = static_cast<std::size_t>(pointers.count);
  const Use use = read_if(a != 0 && sizes.k > 0);
  std::vector<const void*> left(count), right(count);
  std::vector<void*> result(count);
  const std::size_t bytes = count * sizeof(void*);
  if (use == Use::read) status = call.fetch("the addresses of A", pointers.a, left.data(), bytes);
  if (use == Use::read && status == CUBLAS_STATUS_SUCCESS)
    status = call.fetch("the addresses of B", pointers.b, right.data(), bytes);
  if (status == CUBLAS_STATUS_SUCCESS) status = call.fetch("the addresses of C", pointers.c, result.data(), bytes);
  if (status != CUBLAS_STATUS_SUCCESS) return status;
  std::vector<std::size_t> lefts, rights, results;
  for (std::size_t i = 0; i < count; ++i) {
    lefts.push_back(call.matrix("A", left[i], use, shape_of_a(types, sizes)));
    rights.push_back(call.matrix("B", right[i], use, shape_of_b(types, sizes)));
    results.push_back(call.matrix("C", result[i], use_of_result(b), {sizes.m, sizes.n, sizes.ldc, bytes_of(types.c)}));
  }
  return call.run([=](const Operands& at) {
    for (std::size_t i = 0; i < count; ++i) {
      multiply(types, sizes, a, b, at.at<std::byte>(lefts[i]), at.at<std::byte>(rights[i]),
               at.at<std::byte>(results[i]));
    }
  });
}

}  // namespace cudasim
