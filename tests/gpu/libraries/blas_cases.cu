// SPDX-License-Identifier: MIT
// cuBLAS beside plain loops of the host. All numbers are small whole numbers, so that each order of a sum gives the
// same bits. It runs on a GPU with NVIDIA's library, and on the simulator with its stand-in. Exit status 0: all as
// expected.
#include <cublas_v2.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "blas_arrays.h"

namespace {

template <typename T>
void level1(const std::string& type) {
  using B = Blas<T>;
  constexpr int n = 37;
  const T alpha = 3;
  for (const int inc : {1, 2, -3}) {
    const std::string with = type + " inc " + std::to_string(inc) + " ";
    const auto place = [inc](int i) { return inc > 0 ? i * inc : (i - n + 1) * inc; };
    Array<T> x(n * 3), y(n);
    ok(B::axpy(handle, n, &alpha, x.device, inc, y.device, 1), with + "axpy");
    for (int i = 0; i < n; ++i) y.host[i] += alpha * x.host[place(i)];
    y.same(with + "axpy");
    T result = 0, sum = 0;
    ok(B::dot(handle, n, x.device, inc, y.device, 1, &result), with + "dot");
    for (int i = 0; i < n; ++i) sum += x.host[place(i)] * y.host[i];
    expect(result == sum, with + "dot");
    ok(B::swap(handle, n, x.device, inc, y.device, 1), with + "swap");
    for (int i = 0; i < n; ++i) std::swap(x.host[place(i)], y.host[i]);
    x.same(with + "swap x");
    y.same(with + "swap y");
    ok(B::copy(handle, n, y.device, 1, x.device, inc), with + "copy");
    for (int i = 0; i < n; ++i) x.host[place(i)] = y.host[i];
    x.same(with + "copy");
    const T cosine = 2, sine = 1;
    ok(B::rot(handle, n, x.device, inc, y.device, 1, &cosine, &sine), with + "rot");
    for (int i = 0; i < n; ++i) {
      T &a = x.host[place(i)], &b = y.host[i];
      const T turned = cosine * a + sine * b;
      b = cosine * b - sine * a;
      a = turned;
    }
    x.same(with + "rot x");
    y.same(with + "rot y");
    if (inc < 0) continue;
    ok(B::scal(handle, n, &alpha, x.device, inc), with + "scal");
    for (int i = 0; i < n; ++i) x.host[place(i)] *= alpha;
    x.same(with + "scal");
    T sizes = 0;
    int most = 0, least = 0;
    for (int i = 0; i < n; ++i) {
      const T size = std::abs(x.host[place(i)]);
      sizes += size;
      if (size > std::abs(x.host[place(most)])) most = i;
      if (size < std::abs(x.host[place(least)])) least = i;
    }
    ok(B::asum(handle, n, x.device, inc, &result), with + "asum");
    expect(result == sizes, with + "asum");
    int index = 0;
    ok(B::amax(handle, n, x.device, inc, &index), with + "amax");
    expect(index == most + 1, with + "amax");
    ok(B::amin(handle, n, x.device, inc, &index), with + "amin");
    expect(index == least + 1, with + "amin");
    T square = 0;
    for (int i = 0; i < n; ++i) square += x.host[place(i)] * x.host[place(i)];
    ok(B::nrm2(handle, n, x.device, inc, &result), with + "nrm2");
    expect(std::abs(result * result - square) < square * static_cast<T>(1e-5), with + "nrm2");
  }
}

template <typename T>
void level2(const std::string& type) {
  using B = Blas<T>;
  constexpr int m = 19, n = 11, lda = 23;
  const T alpha = 2, beta = 3;
  for (const cublasOperation_t op : kOperations) {
    Array<T> a(lda * n), x(m + n), y(2 * (m + n));
    const int rows = op == CUBLAS_OP_N ? m : n, terms = op == CUBLAS_OP_N ? n : m;
    ok(B::gemv(handle, op, m, n, &alpha, a.device, lda, x.device, 1, &beta, y.device, 2), type + "gemv");
    for (int row = 0; row < rows; ++row) {
      T sum = 0;
      for (int i = 0; i < terms; ++i) sum += at(a.host, lda, op, row, i) * x.host[i];
      y.host[2 * row] = alpha * sum + beta * y.host[2 * row];
    }
    y.same(type + "gemv");
  }
  Array<T> a(lda * n), x(m), y(n);
  ok(B::ger(handle, m, n, &alpha, x.device, 1, y.device, 1, a.device, lda), type + "ger");
  for (int i = 0; i < m * n; ++i) a.host[i % m + i / m * lda] += alpha * x.host[i % m] * y.host[i / m];
  a.same(type + "ger");
  for (const cublasFillMode_t fill : kFills) {
    Array<T> s(lda * m), v(m), w(m);
    ok(B::symv(handle, fill, m, &alpha, s.device, lda, v.device, 1, &beta, w.device, 1), type + "symv");
    for (int row = 0; row < m; ++row) {
      T sum = 0;
      for (int i = 0; i < m; ++i) sum += symmetric(s.host, lda, fill, row, i) * v.host[i];
      w.host[row] = alpha * sum + beta * w.host[row];
    }
    w.same(type + "symv");
    ok(B::syr(handle, fill, m, &alpha, v.device, 1, s.device, lda), type + "syr");
    for (int i = 0; i < m * m; ++i) {
      const int row = i % m, column = i / m;
      if (fill == CUBLAS_FILL_MODE_LOWER ? row >= column : row <= column)
        s.host[row + column * lda] += alpha * v.host[row] * v.host[column];
    }
    s.same(type + "syr");
    for (const cublasOperation_t op : kOperations) {
      // The inverse of what it has done: with a diagonal of ones all numbers stay whole.
      Array<T> t(lda * 6), z(6);
      ok(B::trmv(handle, fill, op, CUBLAS_DIAG_UNIT, 6, t.device, lda, z.device, 1), type + "trmv");
      const std::vector<T> before = z.host;
      for (int row = 0; row < 6; ++row) {
        z.host[row] = 0;
        for (int i = 0; i < 6; ++i)
          z.host[row] += triangular(t.host, lda, fill, op, CUBLAS_DIAG_UNIT, row, i) * before[i];
      }
      z.same(type + "trmv");
      ok(B::trsv(handle, fill, op, CUBLAS_DIAG_UNIT, 6, t.device, lda, z.device, 1), type + "trsv");
      z.host = before;
      z.same(type + "trsv");
    }
  }
}

/// With ones on its diagonal, only what lies beside the diagonal is read: the second column is not there.
void unit_triangle() {
  Array<float> matrix(2), x(2);
  ok(cublasStrmv(handle, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, CUBLAS_DIAG_UNIT, 2, matrix.device, 2, x.device, 1),
     "unit triangle");
  x.host[1] += matrix.host[1] * x.host[0];
  x.same("unit triangle");
}

/// C of so many products, by loops.
template <typename T>
void multiply(const std::vector<T>& a, const std::vector<T>& b, std::vector<T>& c, cublasOperation_t opa,
              cublasOperation_t opb, int m, int n, int k, int ld, T alpha, T beta) {
  for (int i = 0; i < m * n; ++i) {
    const int row = i % m, column = i / m;
    T sum = 0;
    for (int term = 0; term < k; ++term) sum += at(a, ld, opa, row, term) * at(b, ld, opb, term, column);
    c[row + column * ld] = alpha * sum + (beta == 0 ? T{0} : beta * c[row + column * ld]);
  }
}

template <typename T>
void products(const std::string& type) {
  using B = Blas<T>;
  constexpr int m = 13, n = 17, k = 9, ld = 20, one = ld * ld;
  for (const cublasOperation_t opa : kOperations) {
    for (const cublasOperation_t opb : kOperations) {
      for (const T beta : {T{0}, T{2}}) {
        const T alpha = 3;
        Array<T> a(one), b(one), c(one);
        ok(B::gemm(handle, opa, opb, m, n, k, &alpha, a.device, ld, b.device, ld, &beta, c.device, ld), type + "gemm");
        multiply(a.host, b.host, c.host, opa, opb, m, n, k, ld, alpha, beta);
        c.same(type + "gemm");
      }
    }
  }
  const T alpha = 1, beta = 1;
  Array<T> a(3 * one), b(one), c(3 * one), other(3 * one);
  const auto part = [](const std::vector<T>& of, int i) {
    return std::vector<T>(of.begin() + i * one, of.begin() + (i + 1) * one);
  };
  ok(B::strided(handle, CUBLAS_OP_N, CUBLAS_OP_T, m, n, k, &alpha, a.device, ld, one, b.device, ld, 0, &beta, c.device,
                ld, one, 3),
     type + "gemmStridedBatched");
  std::vector<const T*> lefts, rights;
  std::vector<T*> results;
  for (int i = 0; i < 3; ++i) {
    std::vector<T> result = part(c.host, i), result2 = part(other.host, i);
    multiply(part(a.host, i), b.host, result, CUBLAS_OP_N, CUBLAS_OP_T, m, n, k, ld, alpha, beta);
    multiply(part(a.host, i), b.host, result2, CUBLAS_OP_N, CUBLAS_OP_T, m, n, k, ld, alpha, beta);
    std::copy(result.begin(), result.end(), c.host.begin() + i * one);
    std::copy(result2.begin(), result2.end(), other.host.begin() + i * one);
    lefts.push_back(a.device + i * one);
    rights.push_back(b.device);
    results.push_back(other.device + i * one);
  }
  c.same(type + "gemmStridedBatched");
  void* addresses = nullptr;
  cudaMalloc(&addresses, 9 * sizeof(T*));
  auto* const list = static_cast<T**>(addresses);
  cudaMemcpy(list, lefts.data(), 3 * sizeof(T*), cudaMemcpyHostToDevice);
  cudaMemcpy(list + 3, rights.data(), 3 * sizeof(T*), cudaMemcpyHostToDevice);
  cudaMemcpy(list + 6, results.data(), 3 * sizeof(T*), cudaMemcpyHostToDevice);
  ok(B::batched(handle, CUBLAS_OP_N, CUBLAS_OP_T, m, n, k, &alpha, list, ld, list + 3, ld, &beta, list + 6, ld, 3),
     type + "gemmBatched");
  other.same(type + "gemmBatched");
  cudaFree(addresses);
}

template <typename T>
void level3(const std::string& type) {
  using B = Blas<T>;
  constexpr int m = 7, n = 10, ld = 12, one = ld * ld;
  const T alpha = 2, beta = 3, plain = 1;
  for (const cublasFillMode_t fill : kFills) {
    for (const cublasSideMode_t side : kSides) {
      Array<T> a(one), b(one), c(one);
      ok(B::symm(handle, side, fill, m, n, &alpha, a.device, ld, b.device, ld, &beta, c.device, ld), type + "symm");
      for (int i = 0; i < m * n; ++i) {
        const int row = i % m, column = i / m;
        T sum = 0;
        for (int t = 0; t < (side == CUBLAS_SIDE_LEFT ? m : n); ++t)
          sum += side == CUBLAS_SIDE_LEFT ? symmetric(a.host, ld, fill, row, t) * b.host[t + column * ld]
                                          : b.host[row + t * ld] * symmetric(a.host, ld, fill, t, column);
        c.host[row + column * ld] = alpha * sum + beta * c.host[row + column * ld];
      }
      c.same(type + "symm");
      for (const cublasOperation_t op : kOperations) {
        const T zero{};
        ok(B::trmm(handle, side, fill, op, CUBLAS_DIAG_UNIT, m, n, &zero, a.device, ld, b.device, ld, c.device, ld),
           type + "trmm by zero");
        for (int i = 0; i < m * n; ++i) c.host[i % m + i / m * ld] = zero;
        c.same(type + "trmm by zero");
        for (const cublasDiagType_t diag : kDiagonals) {
          ok(B::trmm(handle, side, fill, op, diag, m, n, &plain, a.device, ld, b.device, ld, c.device, ld),
             type + "trmm");
          for (int i = 0; i < m * n; ++i) {
            const int row = i % m, column = i / m;
            T sum = 0;
            for (int t = 0; t < (side == CUBLAS_SIDE_LEFT ? m : n); ++t)
              sum += side == CUBLAS_SIDE_LEFT
                         ? triangular(a.host, ld, fill, op, diag, row, t) * b.host[t + column * ld]
                         : b.host[row + t * ld] * triangular(a.host, ld, fill, op, diag, t, column);
            c.host[row + column * ld] = sum;
          }
          c.same(type + "trmm");
        }
        ok(B::trsm(handle, side, fill, op, CUBLAS_DIAG_UNIT, m, n, &plain, a.device, ld, c.device, ld), type + "trsm");
        for (int i = 0; i < m * n; ++i) c.host[i % m + i / m * ld] = b.host[i % m + i / m * ld];
        c.same(type + "trsm");
      }
    }
    for (const cublasOperation_t op : kOperations) {
      Array<T> a(one), b(one), c(one);
      const auto update = [&](bool is_double) {
        for (int i = 0; i < m * m; ++i) {
          const int row = i % m, column = i / m;
          if (!(fill == CUBLAS_FILL_MODE_LOWER ? row >= column : row <= column)) continue;
          T sum = 0;
          for (int t = 0; t < n; ++t) {
            const T left = at(a.host, ld, op, row, t), right = at(a.host, ld, op, column, t);
            sum += is_double ? left * at(b.host, ld, op, column, t) + at(b.host, ld, op, row, t) * right : left * right;
          }
          c.host[row + column * ld] = alpha * sum + beta * c.host[row + column * ld];
        }
      };
      ok(B::syrk(handle, fill, op, m, n, &alpha, a.device, ld, &beta, c.device, ld), type + "syrk");
      update(false);
      c.same(type + "syrk");
      ok(B::syr2k(handle, fill, op, m, n, &alpha, a.device, ld, b.device, ld, &beta, c.device, ld), type + "syr2k");
      update(true);
      c.same(type + "syr2k");
    }
  }
  for (const cublasOperation_t op : kOperations) {
    Array<T> a(one), b(one), c(one);
    ok(B::geam(handle, op, CUBLAS_OP_N, m, n, &alpha, a.device, ld, &beta, b.device, ld, c.device, ld), type + "geam");
    for (int i = 0; i < m * n; ++i)
      c.host[i % m + i / m * ld] = alpha * at(a.host, ld, op, i % m, i / m) + beta * b.host[i % m + i / m * ld];
    c.same(type + "geam");
  }
  for (const cublasSideMode_t side : kSides) {
    Array<T> a(one), x(2 * n), c(one);
    ok(B::dgmm(handle, side, m, n, a.device, ld, x.device, 2, c.device, ld), type + "dgmm");
    for (int i = 0; i < m * n; ++i)
      c.host[i % m + i / m * ld] = a.host[i % m + i / m * ld] * x.host[2 * (side == CUBLAS_SIDE_LEFT ? i % m : i / m)];
    c.same(type + "dgmm");
  }
}

/// A product of other types, all multiples of 8, as tensor cores want them.
template <typename In, typename Out, typename Scale>
void mixed(const std::string& name, cudaDataType_t in, cudaDataType_t out, cublasComputeType_t compute) {
  constexpr int m = 16, n = 24, k = 8, ld = 32;
  Array<In> a(ld * ld), b(ld * ld);
  Array<Out> c(2 * ld * ld);
  const auto alpha = static_cast<Scale>(2.0f), beta = static_cast<Scale>(1.0f);
  const auto expected = [&] {
    for (int i = 0; i < m * n; ++i) {
      float sum = 0;
      for (int t = 0; t < k; ++t)
        sum += static_cast<float>(a.host[t + i % m * ld]) * static_cast<float>(b.host[t + i / m * ld]);
      Out& result = c.host[i % m + i / m * ld];
      result = static_cast<Out>(2 * sum + static_cast<float>(result));
    }
  };
  ok(cublasGemmEx(handle, CUBLAS_OP_T, CUBLAS_OP_N, m, n, k, &alpha, a.device, in, ld, b.device, in, ld, &beta,
                  c.device, out, ld, compute, CUBLAS_GEMM_DEFAULT),
     name);
  expected();
  c.same(name);
  ok(cublasGemmStridedBatchedEx(handle, CUBLAS_OP_T, CUBLAS_OP_N, m, n, k, &alpha, a.device, in, ld, 0, b.device, in,
                                ld, 0, &beta, c.device, out, ld, ld * ld, 1, compute, CUBLAS_GEMM_DEFAULT),
     name + " strided");
  expected();
  c.same(name + " strided");
}

void halves() {
  constexpr int n = 16, one = n * n;
  Array<__half> a(one), b(one), c(one);
  const __half alpha = __float2half(1.0f), beta = __float2half(0.0f);
  ok(cublasHgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &alpha, a.device, n, b.device, n, &beta, c.device, n),
     "Hgemm");
  for (int i = 0; i < one; ++i) {
    float sum = 0;
    for (int t = 0; t < n; ++t) sum += __half2float(a.host[i % n + t * n]) * __half2float(b.host[t + i / n * n]);
    c.host[i] = __float2half(sum);
  }
  c.same("Hgemm");
}

void device_pointers() {
  Array<float> x(100), factor(2);
  Array<int> place(1);
  ok(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE), "pointer mode");
  ok(cublasSscal(handle, 100, factor.device, x.device, 1), "scal by a factor of the device");
  for (float& value : x.host) value *= factor.host[0];
  x.same("scal by a factor of the device");
  ok(cublasSasum(handle, 100, x.device, 1, factor.device + 1), "asum into the device");
  factor.host[1] = 0;
  for (const float value : x.host) factor.host[1] += std::abs(value);
  factor.same("asum into the device");
  ok(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST), "pointer mode");
}

void copies() {
  std::vector<float> from(60), to(60, -1.0f);
  for (float& value : from) value = static_cast<float>(draw());
  Array<float> device(100);
  ok(cublasSetMatrix(5, 6, sizeof(float), from.data(), 10, device.device, 8), "SetMatrix");
  ok(cublasGetMatrix(5, 6, sizeof(float), device.device, 8, to.data(), 10), "GetMatrix");
  for (int i = 0; i < 60; ++i) expect(to[i] == (i % 10 < 5 ? from[i] : -1.0f), "SetMatrix and GetMatrix");
  ok(cublasSetVector(20, sizeof(float), from.data(), 3, device.device, 2), "SetVector");
  ok(cublasGetVector(20, sizeof(float), device.device, 2, to.data(), 1), "GetVector");
  for (int i = 0; i < 20; ++i) expect(to[i] == from[3 * i], "SetVector and GetVector");
}

void statuses() {
  Array<float> a(64), x(8);
  const float one = 1;
  float result = 0;
  const auto N = CUBLAS_OP_N;
  status(cublasSgemm(nullptr, N, N, 4, 4, 4, &one, a.device, 4, a.device, 4, &one, a.device, 4),
         CUBLAS_STATUS_NOT_INITIALIZED, "no handle");
  status(cublasSgemm(handle, N, N, -1, 4, 4, &one, a.device, 4, a.device, 4, &one, a.device, 4),
         CUBLAS_STATUS_INVALID_VALUE, "m below 0");
  status(cublasSgemm(handle, N, N, 4, 4, 4, &one, a.device, 3, a.device, 4, &one, a.device, 4),
         CUBLAS_STATUS_INVALID_VALUE, "lda too small");
  status(cublasSgemm(handle, N, N, 4, 4, 4, nullptr, a.device, 4, a.device, 4, &one, a.device, 4),
         CUBLAS_STATUS_INVALID_VALUE, "no alpha");
  status(cublasSgemm(handle, static_cast<cublasOperation_t>(99), N, 4, 4, 4, &one, a.device, 4, a.device, 4, &one,
                     a.device, 4),
         CUBLAS_STATUS_INVALID_VALUE, "no operation");
  status(cublasSgemm(handle, N, N, 0, 4, 4, &one, nullptr, 4, nullptr, 4, &one, nullptr, 4), CUBLAS_STATUS_SUCCESS,
         "nothing to do");
  status(cublasSdot(handle, 0, x.device, 1, x.device, 1, &result), CUBLAS_STATUS_SUCCESS, "dot of nothing");
  status(cublasSnrm2(handle, 8, x.device, 1, nullptr), CUBLAS_STATUS_INVALID_VALUE, "no result");
  status(cublasGemmEx(handle, N, N, 4, 4, 4, &one, a.device, CUDA_R_32F, 4, a.device, CUDA_R_32F, 4, &one, a.device,
                      CUDA_R_16F, 4, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT),
         CUBLAS_STATUS_NOT_SUPPORTED, "a combination that is not there");
  status(cublasSgemm(handle, N, N, 0, 4, 4, nullptr, a.device, 4, a.device, 4, &one, a.device, 4),
         CUBLAS_STATUS_SUCCESS, "nothing to do, and no alpha");
  status(cublasSetMatrix(4, 4, 4, a.host.data(), 3, a.device, 4), CUBLAS_STATUS_MAPPING_ERROR, "lda of the host");
  status(cublasSetVector(4, 0, a.host.data(), 1, a.device, 1), CUBLAS_STATUS_INVALID_VALUE, "elements of 0 bytes");
  const int whole = 1;
  status(cublasGemmEx(handle, N, N, 6, 6, 6, &whole, a.device, CUDA_R_8I, 6, a.device, CUDA_R_8I, 6, &whole, a.device,
                      CUDA_R_32I, 6, CUBLAS_COMPUTE_32I, CUBLAS_GEMM_DEFAULT),
         CUBLAS_STATUS_NOT_SUPPORTED, "lda of bytes");
  int version = 0;
  ok(cublasGetVersion(handle, &version), "version");
  expect(version == CUBLAS_VERSION, "version");
}

}  // namespace

int main() {
  ok(cublasCreate(&handle), "cublasCreate");
  if (handle == nullptr) return 1;
  cudaStream_t stream = nullptr, got = nullptr;
  cudaStreamCreate(&stream);
  for (const bool has_stream : {false, true}) {
    if (has_stream) ok(cublasSetStream(handle, stream), "cublasSetStream");
    ok(cublasGetStream(handle, &got), "cublasGetStream");
    expect(got == (has_stream ? stream : nullptr), "cublasGetStream");
    level1<float>("s");
    level1<double>("d");
    level2<float>("s");
    level2<double>("d");
    unit_triangle();
    products<float>("s");
    products<double>("d");
    level3<float>("s");
    level3<double>("d");
    halves();
    mixed<__half, __half, float>("f16", CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_32F);
    mixed<__half, __half, __half>("f16 in f16", CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_16F);
    mixed<__half, float, float>("f16 to f32", CUDA_R_16F, CUDA_R_32F, CUBLAS_COMPUTE_32F);
    mixed<__nv_bfloat16, __nv_bfloat16, float>("bf16", CUDA_R_16BF, CUDA_R_16BF, CUBLAS_COMPUTE_32F);
    mixed<__nv_bfloat16, float, float>("bf16 to f32", CUDA_R_16BF, CUDA_R_32F, CUBLAS_COMPUTE_32F);
    mixed<signed char, int, int>("s8 to s32", CUDA_R_8I, CUDA_R_32I, CUBLAS_COMPUTE_32I);
    mixed<float, float, float>("f32", CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F_FAST_TF32);
    mixed<double, double, double>("f64", CUDA_R_64F, CUDA_R_64F, CUBLAS_COMPUTE_64F);
    device_pointers();
    copies();
    statuses();
  }
  expect(cudaDeviceSynchronize() == cudaSuccess, "cudaDeviceSynchronize");
  ok(cublasDestroy(handle), "cublasDestroy");
  cudaStreamDestroy(stream);
  std::printf("%d failures\n", failures);
  return failures == 0 ? 0 : 1;
}
