// SPDX-License-Identifier: MIT
// Features of CUDA that the simulator leaves out, one small use of each. `sample-not-simulated FEATURE` prints the
// error that the program sees. It exits with 0 when that is cudaErrorNotSupported, else with 1. Without FEATURE it
// prints their names. The script refused_by_name.py runs them all and looks at what the simulator says. Dynamic
// parallelism, which must be compiled in another way, is in dynamic_parallelism.cu.

#include <cstring>

#include "../samples/helper_cuda.h"

// On a line of its own, so that the statement which uses it is on one line.
#define MMA "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32 {%0,%1,%2,%3}, {%4,%5,%4,%5}, {%6,%6}, {%0,%1,%2,%3};"
#define BULK_COPY "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"

namespace {

cudaError_t launched() {
  const cudaError_t error = cudaGetLastError();
  return error != cudaSuccess ? error : cudaDeviceSynchronize();
}

/// A texture object of an array of such elements.
cudaError_t texture(const cudaChannelFormatDesc& channel, cudaTextureDesc description) {
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeArray;
  checkCudaErrors(cudaMallocArray(&resource.res.array.array, &channel, 64, 64));
  cudaTextureObject_t texture = 0;
  return cudaCreateTextureObject(&texture, &resource, &description, nullptr);
}
cudaError_t texture_filter() {
  cudaTextureDesc description{};
  description.filterMode = cudaFilterModeLinear;
  description.readMode = cudaReadModeNormalizedFloat;
  return texture(cudaCreateChannelDesc<uchar4>(), description);
}
cudaError_t texture_border() {
  cudaTextureDesc description{};
  description.addressMode[0] = cudaAddressModeBorder;
  description.borderColor[0] = 1;
  return texture(cudaCreateChannelDesc<int>(), description);
}
cudaError_t mipmapped_texture() {
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeMipmappedArray;
  cudaTextureDesc description{};
  cudaTextureObject_t texture = 0;
  return cudaCreateTextureObject(&texture, &resource, &description, nullptr);
}

__global__ void fetch_level(cudaTextureObject_t texture, float* out) {
  out[threadIdx.x] = tex1DLod<float>(texture, 0.5f, 1);  // the fetch of a level
}
cudaError_t texture_level() {
  fetch_level<<<1, 32>>>(0, nullptr);
  return launched();
}

__global__ void gather(cudaTextureObject_t texture, float4* out) {
  out[threadIdx.x] = tex2Dgather<float4>(texture, 0.5f, 0.5f);  // the gather
}
cudaError_t texture_gather() {
  gather<<<1, 32>>>(0, nullptr);
  return launched();
}

cudaError_t cube_map() {
  const cudaChannelFormatDesc channel = cudaCreateChannelDesc<float>();
  cudaArray_t array = nullptr;
  return cudaMalloc3DArray(&array, &channel, make_cudaExtent(8, 8, 6), cudaArrayCubemap);
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

cudaError_t conditional_node() {
  cudaGraph_t graph = nullptr;
  cudaGraphConditionalHandle handle{};
  checkCudaErrors(cudaGraphCreate(&graph, 0));
  return cudaGraphConditionalHandleCreate(&handle, graph);
}

__global__ void multiply_fragment(float* d, const unsigned* a, const unsigned* b) {
  float d0 = 0, d1 = 0, d2 = 0, d3 = 0;
  const unsigned a0 = a[0], a1 = a[1], b0 = b[0];
  asm volatile(MMA : "+f"(d0), "+f"(d1), "+f"(d2), "+f"(d3) : "r"(a0), "r"(a1), "r"(b0));  // the mma
  *d = d0 + d1 + d2 + d3;
}
cudaError_t tensor_core_form() {
  multiply_fragment<<<1, 32>>>(nullptr, nullptr, nullptr);
  return launched();
}

__global__ void multiply_by_four_warps() {
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");  // the fence
}
cudaError_t warpgroup_product() {
  multiply_by_four_warps<<<1, 128>>>();
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

/// The call is there, and refuses when it is called.
cudaError_t driver_call() {
  void* function = nullptr;
#if CUDART_VERSION >= 13000
  checkCudaErrors(cudaGetDriverEntryPointByVersion("cuMemCreate", &function, 12000, cudaEnableDefault, nullptr));
#else
  checkCudaErrors(cudaGetDriverEntryPoint("cuMemCreate", &function, cudaEnableDefault, nullptr));
#endif
  using MemCreate = int (*)(unsigned long long*, std::size_t, const void*, unsigned long long);
  unsigned long long handle = 0;
  return static_cast<cudaError_t>(reinterpret_cast<MemCreate>(function)(&handle, 1 << 21, nullptr, 0));
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
    {"texture-filter", texture_filter},
    {"texture-border", texture_border},
    {"mipmapped-texture", mipmapped_texture},
    {"texture-level", texture_level},
    {"texture-gather", texture_gather},
    {"cube-map", cube_map},
    {"surface-object", surface_object},
    {"surface-write", surface_write},
    {"conditional-node", conditional_node},
    {"tensor-core-form", tensor_core_form},
    {"warpgroup-product", warpgroup_product},
    {"bulk-copy", bulk_copy},
    {"cluster-attribute", cluster_attribute},
    {"cluster-without-count", cluster_without_count},
    {"cluster-dimensions", cluster_dimensions},
    {"driver-call", driver_call},
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
