// SPDX-License-Identifier: MIT
// The calls about handles: made, destroyed, and their settings.
#include <library_types.h>

#include "libraries/blas/call.h"
#include "libraries/blas/cpu_blas.h"

using namespace cudasim;

namespace {

template <typename Value>
cublasStatus_t set(cublasHandle_t handle, Value cublasContext::*field, Value value) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  handle->*field = value;
  return CUBLAS_STATUS_SUCCESS;
}

template <typename Value>
cublasStatus_t get(cublasHandle_t handle, Value cublasContext::*field, Value* value) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (value == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  *value = handle->*field;
  return CUBLAS_STATUS_SUCCESS;
}

}  // namespace

extern "C" cublasStatus_t cublasCreate_v2(cublasHandle_t* handle) {
  if (handle == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  if (!find_cpu_blas()) {
    cudasim_explain(
        "cublasCreate",
        "cuBLAS is computed by a BLAS of the CPU here, and there is none: install OpenBLAS (Debian and "
        "Ubuntu: apt-get install libopenblas0), or start the program by scripts/simulate, which brings one");
    return CUBLAS_STATUS_NOT_INITIALIZED;
  }
  *handle = new cublasContext;
  return CUBLAS_STATUS_SUCCESS;
}

extern "C" cublasStatus_t cublasDestroy_v2(cublasHandle_t handle) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  const cudaError_t error = cudaStreamSynchronize(handle->stream);  // as the memory that it frees on a GPU demands
  delete handle;
  return error == cudaSuccess ? CUBLAS_STATUS_SUCCESS : status_of(error);
}

extern "C" cublasStatus_t cublasGetVersion_v2(cublasHandle_t handle, int* version) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (version == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  *version = CUBLAS_VERSION;
  return CUBLAS_STATUS_SUCCESS;
}

extern "C" cublasStatus_t cublasGetProperty(libraryPropertyType type, int* value) {
  if (value == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  switch (type) {
    case MAJOR_VERSION:
      *value = CUBLAS_VER_MAJOR;
      return CUBLAS_STATUS_SUCCESS;
    case MINOR_VERSION:
      *value = CUBLAS_VER_MINOR;
      return CUBLAS_STATUS_SUCCESS;
    case PATCH_LEVEL:
      *value = CUBLAS_VER_PATCH;
      return CUBLAS_STATUS_SUCCESS;
  }
  return CUBLAS_STATUS_INVALID_VALUE;
}

extern "C" size_t cublasGetCudartVersion() { return CUDART_VERSION; }

extern "C" cublasStatus_t cublasSetStream_v2(cublasHandle_t handle, cudaStream_t stream) {
  return set(handle, &cublasContext::stream, stream);
}
extern "C" cublasStatus_t cublasGetStream_v2(cublasHandle_t handle, cudaStream_t* stream) {
  return get(handle, &cublasContext::stream, stream);
}

extern "C" cublasStatus_t cublasSetPointerMode_v2(cublasHandle_t handle, cublasPointerMode_t mode) {
  const bool is_known = mode == CUBLAS_POINTER_MODE_HOST || mode == CUBLAS_POINTER_MODE_DEVICE;
  return is_known ? set(handle, &cublasContext::pointer_mode, mode) : CUBLAS_STATUS_INVALID_VALUE;
}
extern "C" cublasStatus_t cublasGetPointerMode_v2(cublasHandle_t handle, cublasPointerMode_t* mode) {
  return get(handle, &cublasContext::pointer_mode, mode);
}

extern "C" cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode) {
  return set(handle, &cublasContext::math_mode, mode);
}
extern "C" cublasStatus_t cublasGetMathMode(cublasHandle_t handle, cublasMath_t* mode) {
  return get(handle, &cublasContext::math_mode, mode);
}

extern "C" cublasStatus_t cublasSetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t mode) {
  return set(handle, &cublasContext::atomics_mode, mode);
}
extern "C" cublasStatus_t cublasGetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t* mode) {
  return get(handle, &cublasContext::atomics_mode, mode);
}

extern "C" cublasStatus_t cublasSetSmCountTarget(cublasHandle_t handle, int count) {
  return set(handle, &cublasContext::multiprocessors, count);
}
extern "C" cublasStatus_t cublasGetSmCountTarget(cublasHandle_t handle, int* count) {
  return get(handle, &cublasContext::multiprocessors, count);
}

/// The host computes without the device's memory.
extern "C" cublasStatus_t cublasSetWorkspace_v2(cublasHandle_t handle, void*, size_t) {
  return handle == nullptr ? CUBLAS_STATUS_NOT_INITIALIZED : CUBLAS_STATUS_SUCCESS;
}

#define CUDASIM_STATUSES(ROW)                                                                            \
  ROW(CUBLAS_STATUS_SUCCESS, "success")                                                                  \
  ROW(CUBLAS_STATUS_NOT_INITIALIZED, "the library was not initialized")                                  \
  ROW(CUBLAS_STATUS_ALLOC_FAILED, "the resource allocation failed")                                      \
  ROW(CUBLAS_STATUS_INVALID_VALUE, "an unsupported value or parameter was passed to the function")       \
  ROW(CUBLAS_STATUS_ARCH_MISMATCH, "the requested functionality is absent from the device architecture") \
  ROW(CUBLAS_STATUS_MAPPING_ERROR, "an access to GPU memory space failed")                               \
  ROW(CUBLAS_STATUS_EXECUTION_FAILED, "the function failed to launch on the GPU")                        \
  ROW(CUBLAS_STATUS_INTERNAL_ERROR, "an internal operation failed")                                      \
  ROW(CUBLAS_STATUS_NOT_SUPPORTED, "the functionality requested is not supported")                       \
  ROW(CUBLAS_STATUS_LICENSE_ERROR, "the functionality requested requires some license and an error was detected")

extern "C" const char* cublasGetStatusName(cublasStatus_t status) {
  switch (status) {
#define CUDASIM_NAME(value, words) \
  case value:                      \
    return #value;
    CUDASIM_STATUSES(CUDASIM_NAME)
  }
  return "unknown cublasStatus_t";
}

extern "C" const char* cublasGetStatusString(cublasStatus_t status) {
  switch (status) {
#define CUDASIM_WORDS(value, words) \
  case value:                       \
    return words;
    CUDASIM_STATUSES(CUDASIM_WORDS)
  }
  return "unknown cublasStatus_t";
}
