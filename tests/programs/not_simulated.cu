// SPDX-License-Identifier: MIT
// Features of CUDA that the simulator leaves out, one small use of each. `sample-not-simulated FEATURE` prints the
// error that the program sees, and exits with 0 when that is cudaErrorNotSupported, else with 1; without FEATURE it
// prints their names. refused_by_name.py runs them all and looks at what the simulator says. Dynamic parallelism, which
// must be compiled in another way, is in dynamic_parallelism.cu.
#include <mma.h>

#include <cstring>

#include "helper_cuda.h"

// On a line of its own, so that the statement which uses it is on one line.
#define MMA "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};"
#define BULK_COPY "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"

namespace {

cudaError_t launched() {
  const cudaError_t error = cudaGetLastError();
  return error != cudaSuccess ? error : cudaDeviceSynchronize();
}

cudaError_t texture_object() {
  float* data = nullptr;
  checkCudaErrors(cudaMalloc(&data, 1024));
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = data;
  resource.res.linear.desc = cudaCreateChannelDesc<float>();
  resource.res.linear.sizeInBytes = 1024;
  cudaTextureDesc description{};
  description.readMode = cudaReadModeElementType;
  cudaTextureObject_t texture = 0;
  return cudaCreateTextureObject(&texture, &resource, &description, nullptr);
}

__global__ void fetch(cudaTextureObject_t texture, float* out) {
  out[threadIdx.x] = tex1Dfetch<float>(texture, threadIdx.x);  // the texture fetch
}
cudaError_t texture_fetch() {
  fetch<<<1, 32>>>(0, nullptr);
  return launched();
}

cudaError_t array() {
  const cudaChannelFormatDesc channel = cudaCreateChannelDesc<float>();
  cudaArray_t array = nullptr;
  return cudaMallocArray(&array, &channel, 64, 64);
}

cudaError_t array_copy() {
  cudaMemcpy3DParms copied{};
  copied.srcArray = reinterpret_cast<cudaArray_t>(&copied);
  return cudaMemcpy3D(&copied);
}

cudaError_t surface_object() {
  cudaResourceDesc resource{};
  cudaSurfaceObject_t surface = 0;
  return cudaCreateSurfaceObject(&surface, &resource);
}

__global__ void write_surface(cudaSurfaceObject_t surface) {
  surf2Dwrite(1.0f, surface, threadIdx.x * sizeof(float), 0);  // the surface store
}
cudaError_t surface_write() {
  write_surface<<<1, 32>>>(0);
  return launched();
}

cudaError_t graph() {
  cudaGraph_t made = nullptr;
  return cudaGraphCreate(&made, 0);
}

cudaError_t capture() {
  cudaStream_t stream = nullptr;
  checkCudaErrors(cudaStreamCreate(&stream));
  return cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
}

__global__ void multiply_tiles(const __half* a, const __half* b, float* c) {
  using namespace nvcuda;
  wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> left;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::col_major> right;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::fill_fragment(sum, 0.0f);
  wmma::load_matrix_sync(left, a, 16);  // the tile load
  wmma::load_matrix_sync(right, b, 16);
  wmma::mma_sync(sum, left, right, sum);
  wmma::store_matrix_sync(c, sum, 16, wmma::mem_row_major);
}
cudaError_t tensor_core_tiles() {
  multiply_tiles<<<1, 32>>>(nullptr, nullptr, nullptr);
  return launched();
}

__global__ void multiply_fragment(float* d, const unsigned* a, const unsigned* b) {
  float d0 = 0, d1 = 0, d2 = 0, d3 = 0;
  const unsigned a0 = a[0], a1 = a[1], b0 = b[0];
  asm volatile(MMA : "+f"(d0), "+f"(d1), "+f"(d2), "+f"(d3) : "r"(a0), "r"(a1), "r"(b0));  // the mma
  *d = d0 + d1 + d2 + d3;
}
cudaError_t tensor_core_mma() {
  multiply_fragment<<<1, 32>>>(nullptr, nullptr, nullptr);
  return launched();
}

__global__ void copy_in_bulk(const int* in, int* out) {
#if __CUDA_ARCH__ >= 900
  __shared__ alignas(128) int tile[256];
  __shared__ unsigned long long barrier;
  const unsigned to = static_cast<unsigned>(__cvta_generic_to_shared(tile));
  const unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(&barrier));
  asm volatile(BULK_COPY ::"r"(to), "l"(in), "r"(1024), "r"(at) : "memory");  // the bulk copy
  out[threadIdx.x] = tile[threadIdx.x];
#endif
}
cudaError_t bulk_copy() {
  copy_in_bulk<<<1, 32>>>(nullptr, nullptr);
  return launched();
}

__global__ void nothing() {}
cudaError_t launched_in_clusters(unsigned x, unsigned y) {
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = x;
  attribute.val.clusterDim.y = y;
  attribute.val.clusterDim.z = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = 4;
  config.blockDim = 32;
  config.attrs = &attribute;
  config.numAttrs = 1;
  return cudaLaunchKernelEx(&config, nothing);
}
cudaError_t cluster_attribute() { return launched_in_clusters(2, 1); }
cudaError_t cluster_without_count() { return launched_in_clusters(1 << 16, 1 << 16); }  // 2^32 blocks

#if __CUDA_ARCH__ >= 900 || !defined(__CUDA_ARCH__)
__global__ void __cluster_dims__(2, 1, 1) in_clusters() {}
#else
__global__ void in_clusters() {}
#endif
cudaError_t cluster_dimensions() {
  in_clusters<<<4, 32>>>();
  return launched();
}

cudaError_t driver_entry_point() {
  void* function = nullptr;
#if CUDART_VERSION >= 13000
  return cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &function, 12000, cudaEnableDefault, nullptr);
#else
  return cudaGetDriverEntryPoint("cuTensorMapEncodeTiled", &function, cudaEnableDefault, nullptr);
#endif
}

cudaError_t peer_handle() {
  int* data = nullptr;
  checkCudaErrors(cudaMalloc(&data, 1024));
  cudaIpcMemHandle_t handle{};
  return cudaIpcGetMemHandle(&handle, data);
}

struct Feature {
  const char* name;
  cudaError_t (*use)();
};
const Feature features[] = {
    {"texture-object", texture_object},
    {"texture-fetch", texture_fetch},
    {"array", array},
    {"array-copy", array_copy},
    {"surface-object", surface_object},
    {"surface-write", surface_write},
    {"graph", graph},
    {"capture", capture},
    {"tensor-core-tiles", tensor_core_tiles},
    {"tensor-core-mma", tensor_core_mma},
    {"bulk-copy", bulk_copy},
    {"cluster-attribute", cluster_attribute},
    {"cluster-without-count", cluster_without_count},
    {"cluster-dimensions", cluster_dimensions},
    {"driver-entry-point", driver_entry_point},
    {"peer-handle", peer_handle},
};

}  // namespace

int main(int argc, char** argv) {
  for (const Feature& feature : features) {
    if (argc == 1) std::printf("%s\n", feature.name);
    if (argc != 2 || std::strcmp(argv[1], feature.name) != 0) continue;
    const cudaError_t error = feature.use();
    std::printf("%s: %s\n", feature.name, cudaGetErrorName(error));
    return error == cudaErrorNotSupported ? EXIT_SUCCESS : EXIT_FAILURE;
  }
  return argc == 1 ? EXIT_SUCCESS : 2;
}
