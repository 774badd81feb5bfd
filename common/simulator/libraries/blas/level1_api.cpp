// SPDX-License-Identifier: MIT
// Vectors with vectors (BLAS level 1), of floats and doubles.
#include <cmath>

#include "libraries/blas/call.h"
#include "libraries/blas/cpu_blas.h"

using namespace cudasim;

namespace {

template <typename T>
cublasStatus_t axpy(const char* name, cublasHandle_t handle, int n, const T* alpha, const T* x, int incx, T* y,
                    int incy) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (n <= 0) return CUBLAS_STATUS_SUCCESS;
  BlasCall call(handle, name);
  T a{};
  const cublasStatus_t status = call.scalar("alpha", alpha, a);
  if (status != CUBLAS_STATUS_SUCCESS || a == T{0}) return status;
  const std::size_t from = call.vector("x", x, Use::read, n, incx, sizeof(T));
  const std::size_t to = call.vector("y", y, Use::update, n, incy, sizeof(T));
  return call.run([=](const Operands& at) {
    cpu_blas<T>().axpy(n, a, at.template at<T>(from), incx, at.template at<T>(to), incy);
  });
}

template <typename T>
cublasStatus_t scal(const char* name, cublasHandle_t handle, int n, const T* alpha, T* x, int incx) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (n <= 0 || incx <= 0) return CUBLAS_STATUS_SUCCESS;
  BlasCall call(handle, name);
  T a{};
  const cublasStatus_t status = call.scalar("alpha", alpha, a);
  if (status != CUBLAS_STATUS_SUCCESS) return status;
  const std::size_t index = call.vector("x", x, Use::update, n, incx, sizeof(T));
  return call.run([=](const Operands& at) { cpu_blas<T>().scal(n, a, at.template at<T>(index), incx); });
}

template <typename T>
cublasStatus_t copy(const char* name, cublasHandle_t handle, int n, const T* x, int incx, T* y, int incy) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (n <= 0) return CUBLAS_STATUS_SUCCESS;
  BlasCall call(handle, name);
  const std::size_t from = call.vector("x", x, Use::read, n, incx, sizeof(T));
  const std::size_t to = call.vector("y", y, Use::write, n, incy, sizeof(T));
  return call.run(
      [=](const Operands& at) { cpu_blas<T>().copy(n, at.template at<T>(from), incx, at.template at<T>(to), incy); });
}

template <typename T>
cublasStatus_t swap(const char* name, cublasHandle_t handle, int n, T* x, int incx, T* y, int incy) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (n <= 0) return CUBLAS_STATUS_SUCCESS;
  BlasCall call(handle, name);
  const std::size_t one = call.vector("x", x, Use::update, n, incx, sizeof(T));
  const std::size_t other = call.vector("y", y, Use::update, n, incy, sizeof(T));
  return call.run(
      [=](const Operands& at) { cpu_blas<T>().swap(n, at.template at<T>(one), incx, at.template at<T>(other), incy); });
}

template <typename T>
cublasStatus_t rot(const char* name, cublasHandle_t handle, int n, T* x, int incx, T* y, int incy, const T* c,
                   const T* s) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (n <= 0) return CUBLAS_STATUS_SUCCESS;
  BlasCall call(handle, name);
  T cosine{}, sine{};
  cublasStatus_t status = call.scalar("c", c, cosine);
  if (status == CUBLAS_STATUS_SUCCESS) status = call.scalar("s", s, sine);
  if (status != CUBLAS_STATUS_SUCCESS) return status;
  const std::size_t one = call.vector("x", x, Use::update, n, incx, sizeof(T));
  const std::size_t other = call.vector("y", y, Use::update, n, incy, sizeof(T));
  return call.run([=](const Operands& at) {
    cpu_blas<T>().rot(n, at.template at<T>(one), incx, at.template at<T>(other), incy, cosine, sine);
  });
}

template <typename T>
cublasStatus_t dot(const char* name, cublasHandle_t handle, int n, const T* x, int incx, const T* y, int incy,
                   T* result) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (result == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  BlasCall call(handle, name);
  const std::size_t one = call.vector("x", x, read_if(n > 0), n, incx, sizeof(T));
  const std::size_t other = call.vector("y", y, read_if(n > 0), n, incy, sizeof(T));
  const auto store = call.result(result);
  return call.run([=](const Operands& at) {
    store(at, n <= 0 ? T{0} : cpu_blas<T>().dot(n, at.template at<T>(one), incx, at.template at<T>(other), incy));
  });
}

/// A number that comes from one vector. compute(vector); 0 where there is none.
template <typename T, typename Result, typename Compute>
cublasStatus_t reduce(const char* name, cublasHandle_t handle, int n, const T* x, int incx, Result* result,
                      Compute compute) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (result == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  const bool is_empty = n <= 0 || incx <= 0;
  BlasCall call(handle, name);
  const std::size_t index = call.vector("x", x, read_if(!is_empty), n, incx, sizeof(T));
  const auto store = call.result(result);
  return call.run([=](const Operands& at) { store(at, is_empty ? Result{0} : compute(at.template at<T>(index))); });
}

template <typename T>
cublasStatus_t nrm2(const char* name, cublasHandle_t handle, int n, const T* x, int incx, T* result) {
  return reduce(name, handle, n, x, incx, result, [=](const T* v) { return cpu_blas<T>().nrm2(n, v, incx); });
}

template <typename T>
cublasStatus_t asum(const char* name, cublasHandle_t handle, int n, const T* x, int incx, T* result) {
  return reduce(name, handle, n, x, incx, result, [=](const T* v) { return cpu_blas<T>().asum(n, v, incx); });
}

/// The place of the first element, counted from 1, that is before all others by `is_before`, which compares sizes.
template <typename T, typename Before>
cublasStatus_t find(const char* name, cublasHandle_t handle, int n, const T* x, int incx, int* result,
                    Before is_before) {
  return reduce(name, handle, n, x, incx, result, [=](const T* v) {
    const auto size = [v, incx](int i) { return std::abs(v[static_cast<std::ptrdiff_t>(i) * incx]); };
    int best = 0;
    for (int i = 1; i < n; ++i) {
      if (is_before(size(i), size(best))) best = i;
    }
    return best + 1;
  });
}

}  // namespace

#define CUDASIM_LEVEL1(P, p, T)                                                                                      \
  extern "C" cublasStatus_t cublas##P##axpy_v2(cublasHandle_t handle, int n, const T* alpha, const T* x, int incx,   \
                                               T* y, int incy) {                                                     \
    return axpy("cublas" #P "axpy", handle, n, alpha, x, incx, y, incy);                                             \
  }                                                                                                                  \
  extern "C" cublasStatus_t cublas##P##scal_v2(cublasHandle_t handle, int n, const T* alpha, T* x, int incx) {       \
    return scal("cublas" #P "scal", handle, n, alpha, x, incx);                                                      \
  }                                                                                                                  \
  extern "C" cublasStatus_t cublas##P##copy_v2(cublasHandle_t handle, int n, const T* x, int incx, T* y, int incy) { \
    return copy("cublas" #P "copy", handle, n, x, incx, y, incy);                                                    \
  }                                                                                                                  \
  extern "C" cublasStatus_t cublas##P##swap_v2(cublasHandle_t handle, int n, T* x, int incx, T* y, int incy) {       \
    return swap("cublas" #P "swap", handle, n, x, incx, y, incy);                                                    \
  }                                                                                                                  \
  extern "C" cublasStatus_t cublas##P##rot_v2(cublasHandle_t handle, int n, T* x, int incx, T* y, int incy,          \
                                              const T* c, const T* s) {                                              \
    return rot("cublas" #P "rot", handle, n, x, incx, y, incy, c, s);                                                \
  }                                                                                                                  \
  extern "C" cublasStatus_t cublas##P##dot_v2(cublasHandle_t handle, int n, const T* x, int incx, const T* y,        \
                                              int incy, T* result) {                                                 \
    return dot("cublas" #P "dot", handle, n, x, incx, y, incy, result);                                              \
  }                                                                                                                  \
  extern "C" cublasStatus_t cublas##P##nrm2_v2(cublasHandle_t handle, int n, const T* x, int incx, T* result) {      \
    return nrm2("cublas" #P "nrm2", handle, n, x, incx, result);                                                     \
  }                                                                                                                  \
  extern "C" cublasStatus_t cublas##P##asum_v2(cublasHandle_t handle, int n, const T* x, int incx, T* result) {      \
    return asum("cublas" #P "asum", handle, n, x, incx, result);                                                     \
  }                                                                                                                  \
  extern "C" cublasStatus_t cublasI##p##amax_v2(cublasHandle_t handle, int n, const T* x, int incx, int* result) {   \
    return find("cublasI" #p "amax", handle, n, x, incx, result, [](T one, T other) { return one > other; });        \
  }                                                                                                                  \
  extern "C" cublasStatus_t cublasI##p##amin_v2(cublasHandle_t handle, int n, const T* x, int incx, int* result) {   \
    return find("cublasI" #p "amin", handle, n, x, incx, result, [](T one, T other) { return one < other; });        \
  }

CUDASIM_LEVEL1(S, s, float)
CUDASIM_LEVEL1(D, d, double)
